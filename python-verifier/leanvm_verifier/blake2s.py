"""BLAKE2s (RFC 7693): digests of whole messages, and the compression function that the transcript needs.

Words have 64 bits, little-endian, two of the RFC's words each (doc/fields.md).
"""

import hashlib
import struct

IV = (0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19)
SIGMA = (
    (0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15),
    (14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3),
    (11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4),
    (7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8),
    (9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13),
    (2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9),
    (12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11),
    (13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10),
    (6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5),
    (10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0),
)
# The columns and then the diagonals of the state of 4 by 4 words.
MIXED = (
    (0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15),
    (0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14),
)  # fmt: skip
_MASK = 0xFFFFFFFF


def digest(message):
    """The digest of a string of bytes: four words."""
    return words(hashlib.blake2s(message).digest())


def words(data):
    """Bytes as little-endian words."""
    return list(struct.unpack(f"<{len(data) // 8}Q", data))


def to_bytes(values):
    """Words as bytes, little-endian."""
    return struct.pack(f"<{len(values)}Q", *values)


def compress(chaining, message, counter):
    """The compression of a chaining value of four words and a message of at most eight, padded with zeros, with a
    byte counter and the final block's flag: four words."""
    h = struct.unpack("<8I", to_bytes(chaining))
    m = struct.unpack("<16I", to_bytes(message).ljust(64, b"\0"))
    v = [*h, *IV]
    v[12] ^= counter & _MASK
    v[13] ^= counter >> 32
    v[14] ^= _MASK
    for sigma in SIGMA:
        for g, (a, b, c, d) in enumerate(MIXED):
            for word, r, s in ((m[sigma[2 * g]], 16, 12), (m[sigma[2 * g + 1]], 8, 7)):
                v[a] = v[a] + v[b] + word & _MASK
                v[d] = _rotate_right(v[d] ^ v[a], r)
                v[c] = v[c] + v[d] & _MASK
                v[b] = _rotate_right(v[b] ^ v[c], s)
    return words(struct.pack("<8I", *(a ^ b ^ c for a, b, c in zip(h, v[:8], v[8:]))))


def _rotate_right(word, by):
    return word >> by | word << 32 - by & _MASK
