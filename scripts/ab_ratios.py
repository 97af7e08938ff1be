"""Prints what moved between two sides that ran in turns. See ab.sh.

Usage: ab_ratios.py DIRECTORY ROUNDS THRESHOLD. The directory holds base.N and change.N, N from 1 to ROUNDS, each in
Bencher Metric Format. The ratio of a round is change / base of a case's latency.
"""

import json
import math
import pathlib
import sys

# Student's t, 0.975 quantile, for 1 to 30 degrees of freedom (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
T_975 = [
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201, 2.179, 2.160, 2.145, 2.131,
    2.120, 2.110, 2.101, 2.093, 2.086, 2.080, 2.074, 2.069, 2.064, 2.060, 2.056, 2.052, 2.048, 2.045, 2.042,
]


def interval(ratios):
    """Mean and half width of the 95% interval."""
    n = len(ratios)
    mean = sum(ratios) / n
    variance = sum((ratio - mean) ** 2 for ratio in ratios) / (n - 1)
    return mean, T_975[min(n - 1, len(T_975)) - 1] * math.sqrt(variance / n)


def verdict(mean, half_width, threshold):
    """A case has moved if its whole interval lies beyond the threshold."""
    if mean - half_width > 1 + threshold:
        return "slower"
    if mean + half_width < 1 - threshold:
        return "faster"
    return ""


# Measures that a machine's noise moves; every other one is exact. Throughput is the inverse of a latency.
NOISY = ("latency", "verifying", "set-up", "peak-memory-bytes")


def figures(report, measures):
    """Those figures of a report: by case, and by measure where it is not the latency."""
    return {
        case if measure == "latency" else f"{case} {measure}": figure["value"]
        for case, of_case in report.items()
        for measure, figure in of_case.items()
        if measures(measure)
    }


def main(directory, rounds, threshold):
    def reports(side):
        paths = (pathlib.Path(directory) / f"{side}.{number}" for number in range(1, rounds + 1))
        return [json.loads(path.read_text()) for path in paths]

    sides = reports("base"), reports("change")
    base, change = ([figures(report, NOISY.__contains__) for report in side] for side in sides)
    cases = [case for case in base[0] if case in change[0]]
    width = max((len(case) for case in cases), default=0)
    moved = 0
    for case in cases:
        mean, half_width = interval([c[case] / b[case] for b, c in zip(base, change)])
        word = verdict(mean, half_width, threshold / 100)
        moved += word != ""
        print(f"{case:{width}} : {mean:.4f} +- {half_width:.4f} {word}".rstrip())
    for case in sorted(base[0].keys() ^ change[0].keys()):
        print(f"{case} : only in the {'base' if case in base[0] else 'change'}")
    print(f"{moved} of {len(cases)} figures moved by more than {threshold:g} %")

    def is_exact(measure):
        return measure not in (*NOISY, "throughput")

    exact = [figures(side[0], is_exact) for side in sides]
    for case in sorted(exact[0].keys() | exact[1].keys()):
        before, after = (f"{side[case]:.0f}" if case in side else "nothing" for side in exact)
        if before != after:
            print(f"{case} : {before} became {after}")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]))
