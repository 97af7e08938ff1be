//! Memory of the process: its peak, and what becomes of what is freed.

use nix::sys::resource::{UsageWho, getrusage};

/// The most physical memory that this process has held at once, in bytes.
///
/// On Linux the high water mark of the program itself: `getrusage` would count what ran before it under the
/// same process id, as cargo does under `cargo run`.
///
/// # Panics
/// If the system does not say (it always does).
pub fn peak_memory_bytes() -> u64 {
    linux_high_water_mark().unwrap_or_else(resource_usage)
}

/// `VmHWM` of `/proc/self/status`, or nothing where there is no such file (proc(5)).
fn linux_high_water_mark() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.trim()
        .strip_suffix("kB")?
        .trim()
        .parse::<u64>()
        .ok()
        .map(|kib| kib << 10)
}

/// `ru_maxrss`: in bytes on Apple's systems, in KiB elsewhere (getrusage(2)).
fn resource_usage() -> u64 {
    let usage = getrusage(UsageWho::RUSAGE_SELF).expect("getrusage of the process itself cannot fail");
    let unit = if cfg!(target_vendor = "apple") { 1 } else { 1 << 10 };
    u64::try_from(usage.max_rss()).expect("memory is not negative") * unit
}

/// Keeps memory that is freed for what is allocated next: the stages of a proof take hundreds of megabytes one after
/// the other, and pages that are new from the system cost as much as the work on them. The system has everything
/// back when the process ends. To be called before there is another thread.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub fn keep_freed() {
    // glibc takes no greater thresholds, and where it refuses these, memory is given back as it is by default.
    for parameter in [libc::M_MMAP_THRESHOLD, libc::M_TRIM_THRESHOLD] {
        // SAFETY: `mallopt` only sets parameters of the allocator, of which others need not know.
        unsafe { libc::mallopt(parameter, libc::c_int::MAX) };
    }
}

/// Other systems' allocators have no such thresholds.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn keep_freed() {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_peak_grows_with_what_is_touched_and_both_sources_see_it() {
        const BYTES: usize = 64 << 20;
        let block = std::hint::black_box(vec![1u8; BYTES]);
        let peak = peak_memory_bytes();
        assert!(peak >= BYTES as u64, "{peak} bytes with {BYTES} in use");
        assert!(resource_usage() >= BYTES as u64);
        drop(block);
        assert!(
            peak_memory_bytes() >= BYTES as u64,
            "a peak does not fall with what is given back"
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn linux_tells_the_high_water_mark() {
        assert!(linux_high_water_mark().is_some());
    }
}
