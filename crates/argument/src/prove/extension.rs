//! Multilinear extensions of long columns.

use primitives::field::{E, EWide, K};
use primitives::multilinear::{SplitEq, eq_at_index};
use primitives::slices::dot_ek;
use primitives::{dispatch, pool};

use crate::machine::PublicColumn;

/// log2 of the words of one task.
const LOG_TASK: usize = 11;

/// The extension of words at a point.
pub(super) fn of_words(words: &[K], point: &[E]) -> E {
    assert_eq!(words.len(), 1 << point.len(), "a word for every vertex");
    let eq = SplitEq::new(point, E::ONE, LOG_TASK);
    let parts = pool::map(eq.high.len(), |task| {
        let words = &words[task * eq.low.len()..(task + 1) * eq.low.len()];
        let part = dispatch!(|be| dot_ek(be, &eq.low, words));
        eq.high[task].mul_wide(part.reduce())
    });
    parts.into_iter().sum::<EWide>().reduce()
}

/// The extension of a public column at a point.
pub(super) fn of_public(column: &PublicColumn, point: &[E]) -> E {
    match column {
        PublicColumn::Dense(words) => of_words(words, point),
        PublicColumn::Sparse { words, .. } => {
            let terms = words
                .iter()
                .map(|&(index, word)| eq_at_index(point, index as usize) * word);
            terms.sum()
        }
    }
}
