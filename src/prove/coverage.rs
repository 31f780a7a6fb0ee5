//! What a fuzzer is shown of a run: the code under proof.
//!
//! A fuzzer keeps the inputs that reach new edges, and remembers which numbers were compared. What the byte form, naive and
//! the harness reach and compare is no news, and there is more of it than of the code under proof. So edges are forgotten
//! before a subject is judged, and hooks at comparisons are awake only while a subject works.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicBool, Ordering};

/// Whether hooks at comparisons are awake.
static AWAKE: AtomicBool = AtomicBool::new(false);

/// Keeps the hooks at comparisons awake until it is dropped.
pub(super) struct Awake(());

/// Wakes the hooks at comparisons.
pub(super) fn awake() -> Awake {
    AWAKE.store(true, Ordering::Relaxed);
    Awake(())
}

impl Drop for Awake {
    fn drop(&mut self) {
        AWAKE.store(false, Ordering::Relaxed);
    }
}

// Where the linker put the counters of SanitizerCoverage. The names are weak, for a build without any, and known to the
// assembler only: the instrumentation declares them in every module of its own.
#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
core::arch::global_asm!(
    ".pushsection .data.rel.ro.bytetwin,\"aw\"",
    ".weak __start___sancov_cntrs",
    ".weak __stop___sancov_cntrs",
    ".globl bytetwin_edge_counters",
    ".balign 8",
    "bytetwin_edge_counters: .quad __start___sancov_cntrs, __stop___sancov_cntrs",
    ".popsection",
);

/// Forgets which edges were reached.
#[cfg(all(fuzzing, target_os = "linux", target_pointer_width = "64"))]
pub(super) fn forget_edges() {
    unsafe extern "C" {
        #[link_name = "bytetwin_edge_counters"]
        static EDGE_COUNTERS: [*mut u8; 2];
    }
    // SAFETY: the table above, which nobody writes to. The linker puts both names around one writable section of
    // bytes, or nowhere, and the length is 0 then. Only the code that counts writes to the section, from this thread, and
    // any byte is a count.
    unsafe {
        let [start, stop] = EDGE_COUNTERS;
        start.write_bytes(0, stop.addr() - start.addr());
    }
}

/// Elsewhere all edges count.
#[cfg(not(all(fuzzing, target_os = "linux", target_pointer_width = "64")))]
pub(super) fn forget_edges() {}

/// For the build script of a crate that fuzzes: has the linker wrap the hooks, so that they are called for the code under
/// proof only. Where nobody does they are always awake, and a target is slower.
pub fn wrap_hooks() {
    let is =
        |what: &str, name: &str| std::env::var(format!("CARGO_CFG_TARGET_{what}")).is_ok_and(|value| value == name);
    if is("OS", "linux") && is("ARCH", "x86_64") {
        for hook in HOOKS {
            println!("cargo:rustc-link-arg-bins=-Wl,--wrap={hook}");
        }
    }
}

macro_rules! hooks {
    ($($hook:literal)*) => {
        const HOOKS: &[&str] = &[$($hook),*];

        // Not in Rust, which would be instrumented itself. A jump, so that the hook sees who called.
        #[cfg(all(fuzzing, target_os = "linux", target_arch = "x86_64"))]
        core::arch::global_asm!(
            $(
                concat!(".weak __real_", $hook),
                concat!(".globl __wrap_", $hook),
                concat!("__wrap_", $hook, ":"),
                "cmp byte ptr [rip + {awake}], 0",
                "je 2f",
                concat!("jmp __real_", $hook),
                "2: ret",
            )*
            awake = sym AWAKE,
        );
    };
}

hooks! {
    "__sanitizer_cov_trace_cmp1" "__sanitizer_cov_trace_cmp2"
    "__sanitizer_cov_trace_cmp4" "__sanitizer_cov_trace_cmp8"
    "__sanitizer_cov_trace_const_cmp1" "__sanitizer_cov_trace_const_cmp2"
    "__sanitizer_cov_trace_const_cmp4" "__sanitizer_cov_trace_const_cmp8"
    "__sanitizer_cov_trace_switch"
}
