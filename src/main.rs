//! The `bytetwin` command: arguments in, exit status out.

fn main() -> std::process::ExitCode {
    bytetwin::cli::main()
}
