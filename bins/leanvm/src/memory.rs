//! How the process gets memory, and how much there is.

use sysinfo::{MemoryRefreshKind, RefreshKind, System};

/// The memory that this process can have: the machine's, or what its control group allows.
pub(crate) fn total_bytes() -> u64 {
    let system = System::new_with_specifics(
        RefreshKind::nothing().with_memory(MemoryRefreshKind::nothing().with_ram()),
    );
    let allowed = system
        .cgroup_limits()
        .map_or(u64::MAX, |limits| limits.total_memory);
    system.total_memory().min(allowed)
}

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
