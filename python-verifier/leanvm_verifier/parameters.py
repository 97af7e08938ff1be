"""The parameters of the commitment (doc/pcs.md, "Parameters")."""

from dataclasses import dataclass

from .refusal import Refused
from .transcript import QueryPlan

LOG_WORDS = range(15, 29)
LOG_INV_RATE = range(1, 5)
GRINDING = 17
LOG_LANES = 6
LOG_FOLD = 4
RATE_STEP = 3
MAX_RESIDUAL = 5


@dataclass(frozen=True)
class Level:
    """An oracle: a function of `log_message + log_fold` variables, in `2^log_fold` lanes."""

    log_fold: int
    log_message: int
    plan: QueryPlan


def levels(log_words, log_inv_rate):
    """The levels of the opening of 2^log_words words at rate 2^-log_inv_rate."""
    if log_words not in LOG_WORDS or log_inv_rate not in LOG_INV_RATE:
        raise Refused(f"2^{log_words} words at rate 2^-{log_inv_rate} have no parameters")
    result = []
    log_message = log_words
    for i, (queries, log_strata) in enumerate(_QUERIES[log_inv_rate - 1][log_words - 15]):
        log_fold = LOG_LANES if i == 0 else LOG_FOLD
        log_message -= log_fold
        log_leaves = log_message + log_inv_rate + RATE_STEP * i
        result.append(Level(log_fold, log_message, QueryPlan(queries, log_leaves, log_strata)))
    return result


# The queries of each level, and log2 of their strata.
_QUERIES = (
    # rate 2^-1, 2^15 to 2^28 words
    (
        ((224, 5), (56, 3)),
        ((224, 5), (56, 3), (32, 5)),
        ((224, 5), (56, 3), (32, 5)),
        ((224, 5), (56, 3), (32, 5)),
        ((224, 5), (56, 3), (32, 5)),
        ((224, 5), (56, 3), (32, 5), (22, 1)),
        ((224, 5), (56, 3), (32, 5), (22, 1)),
        ((224, 5), (56, 3), (32, 5), (24, 3)),
        ((224, 5), (56, 3), (32, 5), (24, 3)),
        ((224, 5), (56, 3), (32, 5), (24, 3), (17, 0)),
        ((224, 5), (56, 3), (32, 5), (24, 3), (17, 0)),
        ((224, 5), (56, 3), (32, 5), (24, 3), (18, 1)),
        ((256, 8), (56, 3), (32, 5), (24, 3), (18, 1)),
        ((256, 8), (56, 3), (32, 5), (24, 3), (18, 1), (14, 1)),
    ),
    # rate 2^-2, 2^15 to 2^28 words
    (
        ((112, 4), (48, 4)),
        ((112, 4), (48, 4), (28, 2)),
        ((112, 4), (48, 4), (28, 2)),
        ((112, 4), (48, 4), (28, 2)),
        ((112, 4), (48, 4), (28, 2)),
        ((112, 4), (48, 4), (28, 2), (20, 2)),
        ((112, 4), (48, 4), (28, 2), (20, 2)),
        ((112, 4), (48, 4), (28, 2), (21, 0)),
        ((112, 4), (48, 4), (28, 2), (21, 0)),
        ((112, 4), (48, 4), (28, 2), (21, 0), (16, 4)),
        ((112, 4), (48, 4), (28, 2), (21, 0), (16, 4)),
        ((112, 4), (48, 4), (28, 2), (21, 0), (16, 4)),
        ((112, 4), (48, 4), (28, 2), (21, 0), (16, 4)),
        ((112, 4), (48, 4), (28, 2), (21, 0), (16, 4), (13, 0)),
    ),
    # rate 2^-3, 2^15 to 2^28 words
    (
        ((80, 4), (40, 3)),
        ((80, 4), (40, 3), (24, 3)),
        ((80, 4), (40, 3), (26, 1)),
        ((80, 4), (40, 3), (25, 0)),
        ((80, 4), (40, 3), (25, 0)),
        ((80, 4), (40, 3), (25, 0), (18, 1)),
        ((80, 4), (40, 3), (25, 0), (20, 2)),
        ((80, 4), (40, 3), (25, 0), (20, 2)),
        ((80, 4), (40, 3), (25, 0), (20, 2)),
        ((80, 4), (40, 3), (25, 0), (20, 2), (16, 4)),
        ((80, 4), (40, 3), (25, 0), (20, 2), (16, 4)),
        ((76, 2), (40, 3), (25, 0), (20, 2), (16, 4)),
        ((76, 2), (40, 3), (25, 0), (20, 2), (16, 4)),
        ((76, 2), (40, 3), (25, 0), (20, 2), (16, 4), (13, 0)),
    ),
    # rate 2^-4, 2^15 to 2^28 words
    (
        ((56, 3), (32, 5)),
        ((56, 3), (32, 5), (22, 1)),
        ((56, 3), (32, 5), (22, 1)),
        ((56, 3), (32, 5), (24, 3)),
        ((56, 3), (32, 5), (24, 3)),
        ((56, 3), (32, 5), (24, 3), (17, 0)),
        ((56, 3), (32, 5), (24, 3), (17, 0)),
        ((56, 3), (32, 5), (24, 3), (18, 1)),
        ((56, 3), (32, 5), (24, 3), (18, 1)),
        ((56, 3), (32, 5), (24, 3), (18, 1), (14, 1)),
        ((56, 3), (32, 5), (24, 3), (18, 1), (14, 1)),
        ((56, 3), (32, 5), (24, 3), (18, 1), (14, 1)),
        ((56, 3), (32, 5), (24, 3), (18, 1), (16, 4)),
        ((56, 3), (32, 5), (24, 3), (18, 1), (16, 4), (12, 2)),
    ),
)
