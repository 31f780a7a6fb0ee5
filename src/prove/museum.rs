//! The target that looks for a planted bug.

use super::{AnyDriver, Driver, Input, Target};
use crate::case::Direction;
use crate::domain::decimal::Decimal;
use crate::registry;
use crate::subject::museum::Tampered;
use core::fmt;

/// The environment variable that names the planted bug, as `codec/bug`.
pub const EXHIBIT: &str = "BYTETWIN_EXHIBIT";

/// Stands for the codec of whatever exhibit was named.
pub struct Museum;

impl fmt::Debug for Input<'_, Museum> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match registry::of_bytes(self.0).and_then(|codec| codec.bytes_to_text(self.0)) {
            Some(text) => f.write_str(&text),
            None => write!(f, "not a case: {:02x?}", self.0),
        }
    }
}

/// Judges the planted bug that the environment names; without a name, a twin that was tampered with and has no bug, which
/// must pass.
///
/// # Panics
/// When no planted bug is called so.
pub fn exhibit() -> Box<dyn AnyDriver> {
    let Some(name) = std::env::var_os(EXHIBIT) else {
        let sound = || vec![Tampered::<Decimal>::new().boxed()];
        return Box::new(Driver::<Decimal>::new(Target::new("museum", Direction::Encode, false, sound)));
    };
    let name = name.to_string_lossy();
    let named = name.split_once('/').and_then(|(codec, bug)| registry::find(codec)?.museum_driver(bug));
    named.unwrap_or_else(|| panic!("{EXHIBIT}={name}: no planted bug is called so; they are named codec/bug"))
}
