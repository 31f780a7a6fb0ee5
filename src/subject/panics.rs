//! Panics of what is judged are findings, not news: they are caught with their place, and not printed.
//!
//! The hook is one for the whole process. It is silent on a thread that asks a subject, and while it does; every other panic
//! goes to the hook that was there before, so that a fuzzer, which aborts on every panic that it sees, does not see these.

use core::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Once;

thread_local! {
    static ASKING: Cell<bool> = const { Cell::new(false) };
    static PLACE: Cell<Option<String>> = const { Cell::new(None) };
}

/// A panic that was caught.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Panicked {
    /// What it said.
    pub message: String,
    /// Where it was, as `file:line`. `None` when the hook has been replaced since.
    pub place: Option<String>,
}

/// Calls `ask`.
///
/// # Errors
/// Its panic.
pub fn caught<R>(ask: impl FnOnce() -> R) -> Result<R, Panicked> {
    PLACE.set(None);
    catch_unwind(AssertUnwindSafe(|| quietly(ask)))
        .map_err(|panic| Panicked { message: message(&*panic), place: PLACE.take() })
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str).or_else(|| panic.downcast_ref::<&str>().copied());
    text.unwrap_or("a panic without a message").to_string()
}

/// Calls `ask`; a panic in it goes on to the caller and is not printed.
pub fn quietly<R>(ask: impl FnOnce() -> R) -> R {
    listen();
    let _asking = Asking(ASKING.replace(true));
    ask()
}

/// Whether the thread was asking before.
struct Asking(bool);

impl Drop for Asking {
    fn drop(&mut self) {
        ASKING.set(self.0);
    }
}

/// Sets the hook, once.
fn listen() {
    static ONCE: Once = Once::new();
    // Where a panic aborts, nobody catches it; and while a thread panics the hook cannot be changed.
    if cfg!(panic = "abort") || std::thread::panicking() {
        return;
    }
    ONCE.call_once(|| {
        let before = take_hook();
        set_hook(Box::new(move |panic| {
            if !ASKING.get() {
                return before(panic);
            }
            // A thread that ends has no place for it any more.
            let known = |place| PLACE.try_with(|known| known.replace(place)).ok().flatten();
            if !ends_the_process(panic) {
                known(panic.location().map(|at| format!("{}:{}", at.file(), at.line())));
                return;
            }
            if let Some(first) = known(None) {
                eprintln!("bytetwin: a subject panicked at {first}, and then, for good:");
            }
            before(panic);
        }));
    });
}

/// Whether nobody can catch it, as with a check of the standard library in unsafe code: stable Rust says so here only.
fn ends_the_process(panic: &PanicHookInfo<'_>) -> bool {
    format!("{panic:?}").contains("can_unwind: false")
}
