"""The opening of a weighted sum by WHIR (doc/pcs.md, "Opening of a weighted sum")."""

from . import code, field, parameters
from .field import ONE, mul, square
from .refusal import Refused


def verify(channel, log_words, log_inv_rate, root, lanes, claim, weight_at):
    """Checks that the stack under `root`, of which only the first `lanes` lanes may be other than zero, has the sum
    `claim` with the weights whose extension at a point is `weight_at(point)`."""
    levels = parameters.levels(log_words, log_inv_rate)
    rounds = []  # the challenges of all rounds
    weights = []  # of each level, what its queries add to the weights at the terminal point
    for i, level in enumerate(levels):
        claim, fold = sumcheck(channel, level.log_fold, claim)
        rounds += fold
        answers, functions, next_root, residual = [], [], None, None
        if i + 1 < len(levels):
            next_root = channel.read_digest()
            c = channel.challenge()
            answers.append(channel.read_scalar())
            functions.append(_Univariate(c))
        else:
            residual = channel.read_scalars(1 << level.log_message)
        channel.check_grinding(parameters.GRINDING)
        indices = channel.queries(level.plan)
        answers += _folds(channel, level, i == 0, root, lanes, indices, fold)
        functions += [_Coordinate(x) for x in indices]
        b = channel.challenge()
        claim = field.horner([claim, *answers], b)
        weights.append(_Batch(b, functions, level.log_message))
        root = next_root
    claim, fold = sumcheck(channel, levels[-1].log_message, claim)
    rounds += fold
    # Every round binds the top variable: the last challenge is variable 0.
    t = rounds[::-1]
    weight = weight_at(t)
    for batch in weights:
        weight ^= batch.at(t)
    if claim != mul(field.evaluate(residual, fold[::-1]), weight):
        raise Refused("whir: terminal: the last claim is not the residual table's value times the weight")


def sumcheck(channel, rounds, claim):
    """Rounds whose polynomials have degree two: the claim that is left, and the challenges."""
    challenges = []
    for _ in range(rounds):
        h0, h2 = channel.read_scalars(2)
        c = channel.challenge()
        claim = field.horner([h0, claim ^ h2, h2], c)
        challenges.append(c)
    return claim, challenges


def _folds(channel, level, first, root, lanes, indices, fold):
    """The folds of the queried leaves, which are opened; `fold`: the challenges of the level's rounds."""
    all_lanes = 1 << level.log_fold
    # The first challenge belongs to the top bit of a lane's number.
    eq = field.eq_table(fold[::-1])
    if first:
        # Symbols are words; the leaves begin with the absent lanes' zeros.
        leaves = channel.open(root, all_lanes - lanes, lanes, level.plan, indices)
        combine = field.word_sums(eq[:lanes])
        return [combine(words) for words in leaves]
    leaves = channel.open(root, 0, 3 * all_lanes, level.plan, indices)
    scalars = [[field.from_words(words[i : i + 3]) for i in range(0, len(words), 3)] for words in leaves]
    return [field.dot(eq, symbols) for symbols in scalars]


class _Univariate:
    """The weights of an out-of-domain answer: eq at `(c, c^2, c^4, ..)`."""

    def __init__(self, c):
        self._c = c

    def at(self, t):
        c, result = self._c, ONE
        for t_j in t:
            result = mul(result, ONE ^ t_j ^ c)
            c = square(c)
        return result


class _Coordinate:
    """The weights of a queried coordinate."""

    def __init__(self, x):
        self._x = x

    def at(self, t):
        return code.weight_at(self._x, t)


class _Batch:
    """`b f_1 + b^2 f_2 + ..`, functions of the first so many variables."""

    def __init__(self, b, functions, variables):
        self._b, self._functions, self._variables = b, functions, variables

    def at(self, t):
        t = t[: self._variables]
        return field.horner([0, *(function.at(t) for function in self._functions)], self._b)
