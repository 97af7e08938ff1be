//! Timing plan, span tree, peak memory and JSON output of the benchmarks and the command line.
