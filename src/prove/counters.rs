//! Coverage of what is under proof only.
//!
//! A fuzzer keeps the inputs that reach new edges. What the byte form and naive reach is no news, and there is more of
//! it than of the code under proof: without it the fuzzer has a third of the edges to look at after every input, and a
//! smaller corpus. So its counters are forgotten before a subject is judged.
#![allow(unsafe_code)]

// The linker's names for both ends of the section are weak, for a build without counters.
#[cfg(all(fuzzing, target_os = "linux"))]
core::arch::global_asm!(".weak __start___sancov_cntrs", ".weak __stop___sancov_cntrs");

/// Sets the edge counters of this program to zero, where SanitizerCoverage has put any.
#[cfg(all(fuzzing, target_os = "linux"))]
pub(super) fn forget() {
    unsafe extern "C" {
        static mut __start___sancov_cntrs: u8;
        static mut __stop___sancov_cntrs: u8;
    }
    let (start, stop) = (&raw mut __start___sancov_cntrs, &raw mut __stop___sancov_cntrs);
    let length = stop.addr() - start.addr();
    // SAFETY: the linker puts both names around one writable section of bytes, or nowhere, and `length` is 0
    // then. Only the code that counts writes to it, from this thread, and any byte is a count.
    unsafe { start.write_bytes(0, length) }
}

/// Elsewhere all coverage counts.
#[cfg(not(all(fuzzing, target_os = "linux")))]
pub(super) fn forget() {}
