//! The planted bug that `BYTETWIN_EXHIBIT` names as `codec/bug`; without it, a twin without a bug, which must pass.
#![cfg_attr(fuzzing, no_main)]

bytetwin::__prove!(museum);
