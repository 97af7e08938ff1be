//! A proof and its encoding.
//!
//! A file is words of eight bytes, little-endian: the header (magic, then version and kind of four bytes
//! each), the shape, the stream, and the openings; each list is preceded by its length. So a proof has one
//! encoding, and every string of bytes decodes to the proof that it encodes or to an error.

use alloc::vec::Vec;
use core::fmt;

use crate::Digest;
use crate::merkle::Opening;

/// The first eight bytes of a proof file.
pub const MAGIC: [u8; 8] = *b"leanVMpf";
/// The version of protocol and encoding: it grows with every change of either.
pub const VERSION: u32 = 0;

/// What a proof shows.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Kind {
    /// The opening of one commitment, on its own: for tests and benchmarks of that layer.
    Opening,
    /// A program's run.
    Run,
    /// Other proofs: a node of a tree.
    Tree,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Opening, Self::Run, Self::Tree];

    /// The number of the kind in a header.
    #[must_use]
    pub const fn code(self) -> u32 {
        match self {
            Self::Opening => 0,
            Self::Run => 1,
            Self::Tree => 2,
        }
    }
}

/// The first sixteen bytes of a proof file of this kind; the transcript starts from their digest.
#[must_use]
pub fn header(kind: Kind) -> [u8; 16] {
    let [m0, m1, m2, m3, m4, m5, m6, m7] = MAGIC;
    let [v0, v1, v2, v3] = VERSION.to_le_bytes();
    let [k0, k1, k2, k3] = kind.code().to_le_bytes();
    [m0, m1, m2, m3, m4, m5, m6, m7, v0, v1, v2, v3, k0, k1, k2, k3]
}

/// A proof.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    /// What it shows.
    pub kind: Kind,
    /// The announced sizes: plain data, to be parsed and checked before anything else.
    pub shape: Vec<u64>,
    /// What the prover sends, in order: a scalar is three words, a digest four.
    pub stream: Vec<u64>,
    /// The Merkle openings, in the order in which they are checked.
    pub openings: Vec<Opening>,
}

impl Proof {
    /// The proof as a file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = header(self.kind).to_vec();
        put_list(&mut bytes, &self.shape);
        put_list(&mut bytes, &self.stream);
        put(&mut bytes, count(self.openings.len()));
        for opening in &self.openings {
            put_list(&mut bytes, &opening.words);
            put(&mut bytes, count(opening.siblings.len()));
            for &word in opening.siblings.as_flattened() {
                put(&mut bytes, word);
            }
        }
        bytes
    }

    /// The proof that a file holds.
    ///
    /// Allocates in proportion to `bytes`, whatever the lengths in them say.
    ///
    /// # Errors
    /// The bytes are no proof file of this version, end early, or go on after the proof.
    pub fn decode(bytes: &[u8]) -> Result<Self, DecodeError> {
        let mut reader = Reader {
            bytes,
            total: bytes.len(),
        };
        let kind = reader.header()?;
        let shape = reader.list(Part::Shape)?;
        let stream = reader.list(Part::Stream)?;
        let openings = reader.word(Part::OpeningCount)?;
        // An opening takes two words of the file at least, so this ends with the file.
        let openings = (0..openings)
            .map(|number| reader.opening(number))
            .collect::<Result<Vec<_>, _>>()?;
        match reader.bytes.len() {
            0 => Ok(Self {
                kind,
                shape,
                stream,
                openings,
            }),
            surplus => Err(DecodeError::Trailing {
                offset: reader.offset(),
                surplus,
            }),
        }
    }
}

/// A part of a proof file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Part {
    /// Magic, version and kind.
    Header,
    /// The announced sizes.
    Shape,
    /// What the prover sends.
    Stream,
    /// The number of openings.
    OpeningCount,
    /// The leaves of an opening.
    Leaves {
        /// The number of the opening.
        opening: u64,
    },
    /// The siblings of an opening.
    Siblings {
        /// The number of the opening.
        opening: u64,
    },
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header => write!(f, "the header"),
            Self::Shape => write!(f, "the shape"),
            Self::Stream => write!(f, "the stream"),
            Self::OpeningCount => write!(f, "the number of openings"),
            Self::Leaves { opening } => write!(f, "the leaves of opening {opening}"),
            Self::Siblings { opening } => write!(f, "the siblings of opening {opening}"),
        }
    }
}

/// Why bytes are no proof file of this version.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DecodeError {
    /// The file does not start as a proof does.
    #[error("the file starts with {found:x?}, and a proof file with {MAGIC:x?}: it is no proof")]
    Magic {
        /// The first eight bytes.
        found: [u8; 8],
    },
    /// The file is of another version.
    #[error(
        "the proof file has version {found}, and this program reads version {supported}: verify it with a release of its version"
    )]
    Version {
        /// The version of the file.
        found: u32,
        /// The version that this program reads.
        supported: u32,
    },
    /// The kind is none that this version knows.
    #[error("the proof file is of kind {found}, which version {VERSION} does not have")]
    Kind {
        /// The number of the kind.
        found: u32,
    },
    /// The file ends early.
    #[error(
        "{part}, at byte {offset}, needs {needed} bytes, and the file has {left} more: it is cut off or malformed"
    )]
    Ended {
        /// What was read.
        part: Part,
        /// Where it starts, in bytes.
        offset: usize,
        /// How many bytes it needs.
        needed: u128,
        /// How many bytes there are from there on.
        left: usize,
    },
    /// The file goes on.
    #[error("the proof ends at byte {offset}, and the file has {surplus} more bytes: it is malformed")]
    Trailing {
        /// Where the proof ends, in bytes.
        offset: usize,
        /// How many bytes follow.
        surplus: usize,
    },
}

/// The bytes of a file that are not read yet.
struct Reader<'b> {
    bytes: &'b [u8],
    total: usize,
}

impl Reader<'_> {
    fn offset(&self) -> usize {
        self.total.saturating_sub(self.bytes.len())
    }

    fn header(&mut self) -> Result<Kind, DecodeError> {
        let magic = self.array(Part::Header)?;
        if magic != MAGIC {
            return Err(DecodeError::Magic { found: magic });
        }
        let found = u32::from_le_bytes(self.array(Part::Header)?);
        if found != VERSION {
            return Err(DecodeError::Version {
                found,
                supported: VERSION,
            });
        }
        let found = u32::from_le_bytes(self.array(Part::Header)?);
        Kind::ALL
            .into_iter()
            .find(|kind| kind.code() == found)
            .ok_or(DecodeError::Kind { found })
    }

    fn opening(&mut self, opening: u64) -> Result<Opening, DecodeError> {
        let words = self.list(Part::Leaves { opening })?;
        let part = Part::Siblings { opening };
        let siblings = self.word(part)?;
        let siblings = self.words(siblings, 4, part)?.as_chunks().0.to_vec();
        Ok(Opening { words, siblings })
    }

    /// A length and so many words.
    fn list(&mut self, part: Part) -> Result<Vec<u64>, DecodeError> {
        let length = self.word(part)?;
        self.words(length, 1, part)
    }

    fn word(&mut self, part: Part) -> Result<u64, DecodeError> {
        self.array(part).map(u64::from_le_bytes)
    }

    /// `items` times `width` words.
    fn words(&mut self, items: u64, width: u8, part: Part) -> Result<Vec<u64>, DecodeError> {
        let needed = u128::from(items)
            .saturating_mul(u128::from(width))
            .saturating_mul(8);
        let words = self.take(needed, part)?;
        Ok(words
            .as_chunks()
            .0
            .iter()
            .map(|&word| u64::from_le_bytes(word))
            .collect())
    }

    fn array<const N: usize>(&mut self, part: Part) -> Result<[u8; N], DecodeError> {
        let Some((array, rest)) = self.bytes.split_first_chunk() else {
            return Err(self.ended(u128::from(count(N)), part));
        };
        self.bytes = rest;
        Ok(*array)
    }

    fn take(&mut self, needed: u128, part: Part) -> Result<&[u8], DecodeError> {
        let split = usize::try_from(needed)
            .ok()
            .and_then(|needed| self.bytes.split_at_checked(needed));
        let Some((bytes, rest)) = split else {
            return Err(self.ended(needed, part));
        };
        self.bytes = rest;
        Ok(bytes)
    }

    fn ended(&self, needed: u128, part: Part) -> DecodeError {
        DecodeError::Ended {
            part,
            offset: self.offset(),
            needed,
            left: self.bytes.len(),
        }
    }
}

fn put(bytes: &mut Vec<u8>, word: u64) {
    bytes.extend_from_slice(&word.to_le_bytes());
}

fn put_list(bytes: &mut Vec<u8>, words: &[u64]) {
    put(bytes, count(words.len()));
    for &word in words {
        put(bytes, word);
    }
}

/// A number of things in memory as a word.
#[expect(clippy::as_conversions, reason = "memory has fewer than 2^64 of anything")]
pub(crate) const fn count(things: usize) -> u64 {
    things as u64
}

/// The digest with these words, for those who print it.
#[must_use]
pub fn digest_bytes(digest: &Digest) -> [u8; 32] {
    primitives::blake2s::digest_from_words(digest)
}
