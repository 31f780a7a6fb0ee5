//! The twins against each other, against bytes known to be right, and against hostile pages.

mod encode;
mod hostile;
mod read;
mod vectors;

use super::*;
use crate::codec::Path;
use crate::codec::byte_arrays::shapes::{Numbers, for_each_form, geometries, shapes};
use crate::{DecodeError, EncodeError};

crate::codec::byte_arrays::twin_tests!(DecodeOptions<'_>, |limits| DecodeOptions {
    limits,
    ..DecodeOptions::default()
});
