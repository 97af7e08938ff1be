//! Tools that break soundness, for the tests that show it would be noticed.
//!
//! *Forgetting* an item on both sides (`hazmat_forget` of prover, channel and transcript) asks whether any test
//! depends on its being absorbed. *Freezing* the states of an honest transcript and changing a message asks whether
//! any check but the transcript binds it: what is then still accepted, the transcript has to bind.

use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use crate::Digest;

/// What happens to the state after a step of the transcript.
#[derive(Clone, Default, Debug)]
pub(crate) enum States<'s> {
    /// Nothing.
    #[default]
    Live,
    /// It is noted.
    Recorded(RefCell<Vec<Digest>>),
    /// It is replaced by the next of these, while there is one.
    Frozen(Cell<&'s [Digest]>),
}

impl States<'_> {
    pub(crate) fn after_step(&self, state: Digest) -> Digest {
        match self {
            Self::Live => state,
            Self::Recorded(states) => {
                states.borrow_mut().push(state);
                state
            }
            Self::Frozen(states) => match states.get().split_first() {
                None => state,
                Some((&frozen, rest)) => {
                    states.set(rest);
                    frozen
                }
            },
        }
    }
}
