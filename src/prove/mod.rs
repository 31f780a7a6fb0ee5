//! A fuzz target and a test from one line: [`prove!`](crate::prove!).
//!
//! ```ignore
//! struct Mine;
//! impl bytetwin::subject::Subject<Decimal> for Mine { /* name, encode, decode */ }
//! bytetwin::prove!(mine: encode Decimal = Mine);
//! ```
//!
//! Under `cargo fuzz` that is a target with a mutator that works on the case; under `cargo test` it is a test of that
//! name; otherwise it is a `main` that judges the cases it is given, or a bounded run when there are none.

use crate::subject::Subject;

mod coverage;
mod driver;
mod flags;
mod kept;
mod museum;
mod plain;
mod target;
#[cfg(test)]
mod tests;
mod watched;

pub use coverage::wrap_hooks;
pub use driver::{ALWAYS_THOROUGH, AnyDriver, Driver, INPUT_DIFFERS, Input, Taken};
pub use flags::{add_flags, start};
pub use kept::{FINDINGS, KEPT};
pub use museum::{EXHIBIT, Museum, exhibit};
pub use plain::{CASES, HEX, TEST_CASES, main, number_of_cases, test};
pub use target::Target;

/// The subjects that are judged, made anew for every thread.
pub type Subjects<D> = Vec<Box<dyn Subject<D>>>;

/// A fuzz target, a test and a `main` for a subject, from one line.
///
/// `prove!(name: encode Domain = subject)` judges one subject; `prove!(name: encode Domain)` judges every subject
/// that the codec comes with. `decode` instead of `encode` goes the other way.
///
/// * Under `cargo test` it is a test of that name. It draws 20,000 cases, or as many as the environment variable
///   `BYTETWIN_CASES` says, and fails with each finding, or when nothing was compared. With `--nocapture` it says how many
///   cases were compared, and how many the subject does not support.
/// * Under `cargo fuzz` it is a target. A crate that fuzzes needs `libfuzzer-sys` among its dependencies, the feature
///   `arbitrary` of this crate, and `#![cfg_attr(fuzzing, no_main)]` on top of the target. For full speed its build script calls
///   [`wrap_hooks`](crate::prove::wrap_hooks).
/// * Otherwise it is a `main` that judges cases: files, and `--hex HEX`. Without any it draws, as the test does. `--help`
///   says more.
///
/// A finding ends with the command that judges its case again. With `BYTETWIN_HEX=HEX` in the environment a test or a fuzz
/// target judges that case only.
#[macro_export]
macro_rules! prove {
    ($name:ident: $direction:ident $domain:ty) => {
        $crate::__prove!($name, $direction, $domain, false, <$domain as $crate::subject::Twins>::subjects());
    };
    ($name:ident: $direction:ident $domain:ty = $subject:expr) => {
        $crate::__prove!($name, $direction, $domain, true, {
            let subject: ::std::boxed::Box<dyn $crate::subject::Subject<$domain>> = ::std::boxed::Box::new($subject);
            ::std::vec![subject]
        });
    };
}

/// What [`prove!`](crate::prove!) becomes; and the fuzz target that looks for planted bugs.
#[doc(hidden)]
#[macro_export]
macro_rules! __prove {
    (museum) => {
        $crate::__prove!(
            @fuzz $crate::prove::Museum,
            ::std::boxed::Box<dyn $crate::prove::AnyDriver>,
            $crate::prove::add_flags(),
            $crate::prove::exhibit()
        );

        #[cfg(not(fuzzing))]
        fn main() -> ::std::process::ExitCode {
            ::std::eprintln!("planted bugs are looked for under a fuzzer: cargo fuzz run museum");
            2.into()
        }
    };
    (@fuzz $domain:ty, $driver:ty, $start:expr, $make:expr) => {
        #[cfg(fuzzing)]
        mod fuzzing {
            use super::*;
            ::std::thread_local! {
                pub(super) static DRIVER: ::std::cell::RefCell<$driver> = ::std::cell::RefCell::new($make);
            }
        }

        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_target!(
            init: $start,
            |input: $crate::prove::Input<'_, $domain>| -> ::libfuzzer_sys::Corpus {
                match fuzzing::DRIVER.with_borrow_mut(|driver| driver.take(input.0)) {
                    $crate::prove::Taken::Keep => ::libfuzzer_sys::Corpus::Keep,
                    $crate::prove::Taken::Forget => ::libfuzzer_sys::Corpus::Reject,
                }
            }
        );

        #[cfg(fuzzing)]
        ::libfuzzer_sys::fuzz_mutator!(|data: &mut [u8], size: usize, max_size: usize, seed: u32| {
            fuzzing::DRIVER
                .with_borrow_mut(|driver| driver.mutate(data, size, max_size, seed))
                .unwrap_or_else(|| ::libfuzzer_sys::fuzzer_mutate(data, size, max_size))
        });
    };
    (@direction encode) => { $crate::case::Direction::Encode };
    (@direction decode) => { $crate::case::Direction::Decode };
    (@target $name:ident, $direction:ident, $domain:ty, $own:literal, $subjects:expr) => {
        $crate::prove::Target::<$domain>::new(
            ::core::concat!(::core::module_path!(), "::", ::core::stringify!($name)),
            $crate::__prove!(@direction $direction),
            $own,
            || $subjects,
        )
    };
    ($name:ident, $direction:ident, $domain:ty, $own:literal, $subjects:expr) => {
        $crate::__prove!(
            @fuzz $domain,
            $crate::prove::Driver<$domain>,
            $crate::prove::start(&$crate::__prove!(@target $name, $direction, $domain, $own, $subjects)),
            $crate::prove::Driver::new($crate::__prove!(@target $name, $direction, $domain, $own, $subjects))
        );

        #[cfg(test)]
        #[test]
        fn $name() {
            $crate::prove::test(&$crate::__prove!(@target $name, $direction, $domain, $own, $subjects));
        }

        #[cfg(not(any(fuzzing, test)))]
        fn main() -> ::std::process::ExitCode {
            $crate::prove::main(&$crate::__prove!(@target $name, $direction, $domain, $own, $subjects)).into()
        }
    };
}
