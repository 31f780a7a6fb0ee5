//! The `bytetwin` command: arguments in, exit status out.

fn main() {}
