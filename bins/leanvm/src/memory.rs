//! How the process gets memory.

/// Keeps memory that is freed for what is allocated next: the stages of a proof take hundreds of megabytes one after
/// the other, and pages that are new from the system cost as much as the work on them. The system has everything
/// back when the process ends.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub(crate) fn keep_freed() {
    // glibc takes no greater thresholds, and where it refuses these, memory is given back as it is by default.
    for parameter in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: `mallopt` only sets parameters of the allocator, and no other thread exists yet.
        unsafe { libc::mallopt(parameter, libc::c_int::MAX) };
    }
}

/// Other systems' allocators have no such thresholds.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub(crate) fn keep_freed() {}
