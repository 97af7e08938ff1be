//! The instance of a verifier's arithmetic that has no values and tells where challenges are drawn.

use std::cell::{Cell, RefCell};
use std::convert::Infallible;

use fiat_shamir::merkle::LeafShape;
use fiat_shamir::{Arith, Digest, Item, Kind, Label, Native, Queries, Source, Step};
use primitives::field::{E, K};

/// Counts the words that are read, and notes how many there were at each challenge.
#[derive(Default)]
pub(crate) struct Drawing {
    words: Cell<usize>,
    challenges: RefCell<Vec<usize>>,
}

impl Drawing {
    /// Of each challenge how many words of the stream came before it.
    pub(crate) fn challenges(&self) -> Vec<usize> {
        self.challenges.borrow().clone()
    }

    fn read(&self, words: usize) -> Result<(), Infallible> {
        self.words.set(self.words.get() + words);
        Ok(())
    }
}

impl Arith for Drawing {
    type Scalar = ();
    type Word = ();
    type Bit = ();
    type Digest = ();
    type Error = Infallible;

    fn constant(&self, _: E) {}
    fn constant_word(&self, _: K) {}
    fn constant_digest(&self, _: Digest) {}
    fn add(&self, (): (), (): ()) {}
    fn mul(&self, (): (), (): ()) {}
    fn mul_k(&self, (): (), _: K) {}
    fn mul_word(&self, (): (), (): ()) {}
    fn square(&self, (): ()) {}
    fn frobenius_64(&self, (): (), _: u32) {}
    fn inverse_frobenius(&self, (): (), _: u32) {}
    fn select(&self, (): (), (): (), (): ()) {}
    fn limbs(&self, (): ()) -> [(); 3] {
        [(); 3]
    }
    fn scalar(&self, _: [(); 3]) {}
    fn bits(&self, (): ()) -> [(); 64] {
        [(); 64]
    }
    fn bit_word(&self, (): ()) {}
    fn digest_words(&self, (): ()) -> [(); 4] {
        [(); 4]
    }
    fn digest(&self, _: [(); 4]) {}

    fn compress(&self, (): (), _: &[Item<Self>], counter: u64, _: bool) {
        // The kind of a step is above the widths of its items.
        if counter >> 32 == Step::Challenge.tag::<Native<'_>>(&[]) >> 32 {
            self.challenges.borrow_mut().push(self.words.get());
        }
    }

    fn merkle_step(&self, (): (), (): (), (): ()) {}
    fn assert_eq(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        Ok(())
    }
    fn assert_eq_word(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        Ok(())
    }
    fn assert_eq_digest(&self, (): (), (): (), _: Label) -> Result<(), Infallible> {
        Ok(())
    }
    fn assert_zero_bit(&self, (): (), _: Label) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Source for Drawing {
    fn next_scalar(&self) -> Result<(), Infallible> {
        self.read(3)
    }

    fn next_word(&self) -> Result<(), Infallible> {
        self.read(1)
    }

    fn next_digest(&self) -> Result<(), Infallible> {
        self.read(4)
    }

    fn open(&self, (): (), leaf: &LeafShape, queries: &Queries<()>) -> Result<Vec<Vec<()>>, Infallible> {
        Ok(vec![vec![(); leaf.words()]; queries.plan().count()])
    }

    fn finish(&self, _: Kind, _: &[u64]) -> Result<(), Infallible> {
        Ok(())
    }
}
