"""Openings of Merkle trees, pruned (doc/transcript.md, "Merkle openings")."""

from . import blake2s
from .refusal import Refused


def open_leaves(opening, root, zeros, width, log_leaves, indices):
    """The words of each leaf with one of these indices, by index, if `opening` shows that they are leaves of the tree
    under `root`; or `Refused`. A leaf's image is `zeros` zero words, then `width` words that are opened."""
    indices = sorted(set(indices))
    if len(opening.words) != width * len(indices):
        raise Refused(f"{len(opening.words)} words are opened, and {len(indices)} leaves of {width} words queried")
    leaves = {x: opening.words[width * i : width * (i + 1)] for i, x in enumerate(indices)}
    padding = bytes(8 * zeros)
    # The known nodes of a layer, ascending by index.
    nodes = {x: blake2s.digest(padding + blake2s.to_bytes(words)) for x, words in leaves.items()}
    siblings = iter(opening.siblings)
    used = 0
    for layer in range(log_leaves):
        parents = {}
        for x, node in nodes.items():
            if x >> 1 in parents:
                continue
            sibling = nodes.get(x ^ 1)
            if sibling is None:
                sibling = next(siblings, None)
                used += 1
                if sibling is None:
                    raise Refused(f"the sibling of node {x} of layer {layer} is missing")
            children = sibling + node if x & 1 else node + sibling
            parents[x >> 1] = blake2s.digest(blake2s.to_bytes(children))
        nodes = parents
    if used != len(opening.siblings):
        raise Refused(f"{len(opening.siblings)} siblings are given, and {used} needed")
    if nodes[0] != root:
        raise Refused("the opening leads to another root")
    return leaves
