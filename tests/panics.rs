//! Panics of what is judged: caught with their place, and seen by nobody else; all others are seen as before.

#![cfg(feature = "harness")]

use bytetwin::subject::panics::{Panicked, caught};
use std::sync::atomic::{AtomicUsize, Ordering};

const HERE: &str = file!();

/// How many panics a hook that was there before has seen.
static SEEN: AtomicUsize = AtomicUsize::new(0);

fn seen(panics: impl FnOnce()) -> usize {
    let before = SEEN.load(Ordering::Relaxed);
    panics();
    SEEN.load(Ordering::Relaxed) - before
}

#[test]
fn a_panic_is_seen_unless_its_own_thread_asks_a_subject() {
    std::panic::set_hook(Box::new(|_| {
        SEEN.fetch_add(1, Ordering::Relaxed);
    }));
    let line = line!() + 2;
    let told = seen(|| {
        let panicked = caught(|| -> () { panic!("{} is too much", 7) }).expect_err("a panic");
        assert_eq!(panicked, Panicked { message: "7 is too much".into(), place: Some(format!("{HERE}:{line}")) });
    });
    assert_eq!(told, 0);
    // What it catches itself is its own business, and what it passes on is where it was.
    let line = line!() + 3;
    let told = seen(|| {
        let nested = caught(|| {
            let panic = std::panic::catch_unwind(|| panic!("passed on")).expect_err("a panic");
            assert_eq!(caught(|| 1), Ok(1));
            let _ = std::panic::catch_unwind(|| panic!("passed on"));
            std::panic::resume_unwind(panic)
        });
        let panicked: Panicked = nested.map(|()| 0).expect_err("a panic");
        assert_eq!(panicked, Panicked { message: "passed on".into(), place: Some(format!("{HERE}:{}", line + 2)) });
    });
    assert_eq!(told, 0);
    // Where it was before is not where it is now.
    assert_eq!(caught(|| std::panic::resume_unwind(Box::new(7))).map(|()| 0).expect_err("a panic").place, None);
    let told = seen(|| {
        let _ = caught(|| std::thread::spawn(|| panic!("another thread")).join());
        let _ = std::panic::catch_unwind(|| panic!("nobody is asked"));
    });
    assert_eq!(told, 2);
    let _ = std::panic::take_hook();
}

extern "C" fn ends_the_process() {
    panic!("the first word");
}

#[test]
#[ignore = "ends the process; the test below starts it"]
fn end() {
    let _ = caught(|| ends_the_process());
}

#[test]
fn a_panic_that_nobody_can_catch_is_seen_and_so_is_where_it_began() {
    let mut child = std::process::Command::new(std::env::current_exe().expect("a path"));
    let output = child.args(["--ignored", "--exact", "end", "--nocapture"]).output().expect("it starts");
    let said = String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    assert!(said.contains(&format!("a subject panicked at {HERE}:")), "{said}");
    assert!(said.contains("panic in a function that cannot unwind"), "{said}");
    assert!(!output.status.success(), "{said}");
}
