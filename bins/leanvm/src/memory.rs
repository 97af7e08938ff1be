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
