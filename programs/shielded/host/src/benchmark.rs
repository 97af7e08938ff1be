//! The input of the benchmarks: private transfers, withdrawals and transfers with a dummy, in turns.

use std::collections::BTreeMap;

use primitives::{blake2s, pool};
use shielded_guest::{Amount, Digest, HEIGHT, Hasher, Header, Input, Output, Spend, tag};

use crate::tree::Tree;

/// The secrets of a spend: draw number c (from 1) is the hash of `ff ‖ "shielded" ‖ spend ‖ c`.
struct Stream {
    spend: u64,
    drawn: u64,
}

impl Stream {
    fn draw(&mut self) -> [u8; 32] {
        self.drawn += 1;
        let mut message = vec![0xff];
        message.extend(b"shielded");
        message.extend(self.spend.to_le_bytes());
        message.extend(self.drawn.to_le_bytes());
        blake2s::hash(&message)
    }

    fn digest(&mut self) -> Digest {
        blake2s::digest_to_words(&self.draw())
    }

    fn word(&mut self) -> u64 {
        self.digest()[0]
    }

    fn half_word(&mut self) -> u64 {
        self.word() & u64::from(u32::MAX)
    }

    fn party(&mut self) -> [u8; 20] {
        *self.draw().first_chunk().expect("32 bytes")
    }
}

/// Spend `i`: a private transfer, a withdrawal, or one with a dummy as second input, by `i` modulo 3.
#[must_use]
pub fn benchmark_spend(i: u64) -> Spend {
    const LEAVES: u64 = 1 << HEIGHT;
    let (withdraws, has_dummy) = (i % 3 == 1, i % 3 == 2);
    let mut stream = Stream { spend: i, drawn: 0 };
    let spend_keys = [(); 2].map(|()| stream.digest());
    let rhos = [(); 2].map(|()| stream.digest());
    let mut values = [(); 2].map(|()| stream.word() >> 1);
    if has_dummy {
        values[1] = 0;
    }
    let first = stream.half_word() % LEAVES;
    let second = (first + 1 + stream.half_word() % (LEAVES - 1)) % LEAVES;
    let indices = [first, second];

    let total = values[0] + values[1];
    let fee = total / 1000;
    let public_amount = if withdraws { total / 2 } else { 0 };
    let rest = total - fee - public_amount;
    let amount = |value: u64| Amount::new(value.into());
    let outputs = if withdraws {
        [(rest, stream.digest()), (0, [0, 0, 0, 2 << 56])]
    } else {
        [(rest - rest / 3, stream.digest()), (rest / 3, stream.digest())]
    }
    .map(|(value, inner)| Output {
        inner,
        value: amount(value),
    });

    let recipient = if public_amount == 0 {
        [0; 20]
    } else {
        stream.party()
    };
    let parties = [recipient, stream.party()].concat();
    let parties = std::array::from_fn(|i| u64::from_le_bytes(parties.as_chunks().0[i]));
    let domain = stream.digest();

    let mut hasher = Hasher::new();
    let mut commitment = |note: usize| {
        let owner = hasher.one(tag::OWNER, spend_keys[note]);
        let inner = hasher.two(tag::INNER, &owner, &rhos[note]);
        let Amount { high, low } = amount(values[note]);
        hasher.one_and_two(tag::COMMITMENT, inner, [high, low])
    };
    let leaves = [0, 1].map(|note| (indices[note], commitment(note)));
    let tree = Tree::new(BTreeMap::from(leaves));
    Spend {
        header: Header {
            root: tree.root(),
            domain,
            public_amount: amount(public_amount),
            fee: amount(fee),
            parties,
        },
        inputs: std::array::from_fn(|note| Input {
            spend_key: spend_keys[note],
            rho: rhos[note],
            value: amount(values[note]),
            index: indices[note],
            path: tree.path(indices[note]),
        }),
        outputs,
    }
}

/// The first `count` spends, made on the threads of the pool.
#[must_use]
pub fn benchmark_spends(count: usize) -> Vec<Spend> {
    pool::map(count, |i| benchmark_spend(i as u64))
}
