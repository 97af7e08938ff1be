//! The shape of an interleaved codeword.

use super::basis::MAX_LOG_LENGTH;
use super::block::{BLOCK_WORDS, Symbol};

/// The shape of an interleaved codeword: columns of a message of `2^log_lanes` lanes, each encoded alone.
///
/// Lane u is the block of `2^log_message` consecutive symbols of the message. Lanes from `lanes` on are
/// *absent*: their symbols are zero, and neither read nor stored. The *image* of coordinate x is the words
/// of all its `2^log_lanes` symbols, those of absent lanes first, then lanes 0, 1, .. in order; it is what
/// a Merkle leaf hashes. The *row* of x is the image without the whole blocks of eight words that absent
/// lanes fill.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Interleaving {
    /// kappa: log2 of the symbols of a lane.
    pub log_message: usize,
    /// R: log2 of the inverse rate.
    pub log_inv_rate: usize,
    /// log2 of the lanes, absent ones included.
    pub log_lanes: usize,
    /// Lanes that are present: at least 1, at most `2^log_lanes`.
    pub lanes: usize,
}

impl Interleaving {
    /// The shape in which no lane is absent.
    #[must_use]
    pub fn full(log_message: usize, log_inv_rate: usize, log_lanes: usize) -> Self {
        Self {
            log_message,
            log_inv_rate,
            log_lanes,
            lanes: 1 << log_lanes,
        }
    }

    /// Log2 of the coordinates: of the codeword's rows, and of the Merkle leaves.
    #[must_use]
    pub fn log_rows(&self) -> usize {
        self.log_message + self.log_inv_rate
    }

    /// Symbols of the message that are present.
    #[must_use]
    pub fn message_symbols(&self) -> usize {
        self.lanes << self.log_message
    }

    /// Blocks of a row.
    #[must_use]
    pub fn row_blocks<T: Symbol>(&self) -> usize {
        (self.lanes * T::WORDS).div_ceil(BLOCK_WORDS)
    }

    /// Zero words before the first symbol of a row: those of absent lanes that share a block with it.
    #[must_use]
    pub fn padding_words<T: Symbol>(&self) -> usize {
        self.row_blocks::<T>() * BLOCK_WORDS - self.lanes * T::WORDS
    }

    /// Blocks of an image before the row: zeros of absent lanes.
    #[must_use]
    pub fn absent_blocks<T: Symbol>(&self) -> usize {
        (T::WORDS << self.log_lanes) / BLOCK_WORDS - self.row_blocks::<T>()
    }

    /// # Panics
    /// When a documented bound does not hold, when the image is not whole blocks, or when the domain is
    /// longer than the basis.
    pub(crate) fn check<T: Symbol>(&self) {
        assert!(
            self.lanes >= 1 && self.lanes <= 1 << self.log_lanes,
            "lanes of {self:?}"
        );
        assert!(
            (T::WORDS << self.log_lanes).is_multiple_of(BLOCK_WORDS),
            "blocks of {self:?}"
        );
        assert!(self.log_rows() < MAX_LOG_LENGTH, "rows of {self:?}");
    }
}
