//! The rules of a spend.

use leanvm_guest::hint::{apart, opaque};

use crate::amount::Sum;
use crate::hash::{Counters, equal};
use crate::{Digest, HEIGHT, Hasher, Header, Input, Output, Spend, tag};

/// Which rule a spend breaks, the first in the order of the checks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Rule 1: an input's index is 2^20 or more.
    Index,
    /// Rule 2: an input with a value is not in the tree.
    Root,
    /// Rule 3: both inputs have value 0.
    NoInput,
    /// Rule 4: the inputs are not worth the outputs, the public amount and the fee.
    Balance,
    /// Rule 5: an output of value 0 is not its sink.
    EmptyOutput,
    /// Rule 6: an output with a value is a sink.
    FundedSink,
    /// Rule 7: the authorizer is zero.
    Authorizer,
    /// Rule 8: the recipient is zero and the public amount is not, or the other way round.
    Recipient,
    /// Rule 9: the nullifiers are equal.
    SameNullifier,
    /// Rule 10: the outputs' commitments are equal.
    SameCommitment,
}

/// Checks a spend; its statement.
///
/// # Errors
/// Which rule it breaks.
#[inline(always)]
pub fn check(hasher: &mut Hasher, spend: &Spend) -> Result<Digest, Refusal> {
    let Spend {
        header,
        inputs: [input_0, input_1],
        outputs: [output_0, output_1],
    } = spend;
    let nullifier_0 = nullifier(hasher, header, input_0)?;
    let nullifier_1 = nullifier(hasher, header, input_1)?;
    let commitment_0 = output_commitment(hasher, output_0, 1)?;
    let commitment_1 = output_commitment(hasher, output_1, 2)?;
    if input_0.value.is_zero() && input_1.value.is_zero() {
        return Err(Refusal::NoInput);
    }
    if Sum::of([&input_0.value, &input_1.value])
        != Sum::of([
            &output_0.value,
            &output_1.value,
            &header.public_amount,
            &header.fee,
        ])
    {
        return Err(Refusal::Balance);
    }
    check_parties(header)?;
    if equal(&nullifier_0, &nullifier_1) {
        return Err(Refusal::SameNullifier);
    }
    if equal(&commitment_0, &commitment_1) {
        return Err(Refusal::SameCommitment);
    }
    let Header {
        root,
        domain,
        public_amount,
        fee,
        parties: [p0, p1, p2, p3, p4],
    } = header;
    let pairs = [
        [&nullifier_0, &nullifier_1],
        [&commitment_0, &commitment_1],
        [root, domain],
        [
            &[public_amount.high, public_amount.low, fee.high, fee.low],
            &[*p0, *p1, *p2, *p3],
        ],
    ];
    Ok(hasher.four_pairs(tag::STATEMENT, pairs, *p4))
}

/// The nullifier of an input, which is in the tree if it has a value.
#[inline(never)]
fn nullifier(hasher: &mut Hasher, header: &Header, input: &Input) -> Result<Digest, Refusal> {
    if input.index >> HEIGHT != 0 {
        return Err(Refusal::Index);
    }
    let owner = hasher.one(tag::OWNER, input.spend_key);
    let inner = hasher.two(tag::INNER, &owner, &input.rho);
    let commitment = hasher.one_and_two(tag::COMMITMENT, inner, [input.value.high, input.value.low]);
    let root = climb(hasher, input.index, commitment, &input.path);
    if !input.value.is_zero() && !equal(&root, &header.root) {
        return Err(Refusal::Root);
    }
    let key = hasher.two(tag::NULLIFIER_KEY, &header.domain, &input.spend_key);
    let index = (input.index as u32).swap_bytes();
    let occurrence = hasher.one_and_half(tag::OCCURRENCE, commitment, index);
    Ok(hasher.two(tag::NULLIFIER, &key, &occurrence))
}

/// The root of the tree that has `leaf` at place `index`.
#[inline(always)]
fn climb(hasher: &mut Hasher, index: u64, leaf: Digest, path: &[Digest; HEIGHT]) -> Digest {
    let counters = Counters::new();
    let (mut at, mut index) = (leaf, opaque(index));
    for sibling in path {
        let last = if index & 1 == 0 {
            let last = hasher.put_two(tag::NODE, &at, sibling);
            apart::<0, _>(hasher.first());
            last
        } else {
            let last = hasher.put_two(tag::NODE, sibling, &at);
            apart::<1, _>(hasher.first());
            last
        };
        at = hasher.finish_two(counters, last);
        index >>= 1;
    }
    at
}

/// The commitment of an output: it has a value, or is its sink, the number `sink` as 32 big-endian bytes.
#[inline(always)]
fn output_commitment(hasher: &mut Hasher, output: &Output, sink: u64) -> Result<Digest, Refusal> {
    let [a, b, c, d] = output.inner;
    let zeros = a | b | c == 0;
    if output.value.is_zero() {
        if !(zeros && d == sink << 56) {
            return Err(Refusal::EmptyOutput);
        }
    } else if zeros && (d == 1 << 56 || d == 2 << 56) {
        return Err(Refusal::FundedSink);
    }
    Ok(hasher.one_and_two(
        tag::COMMITMENT,
        output.inner,
        [output.value.high, output.value.low],
    ))
}

/// Somebody authorises, and there is a recipient iff there is something to receive.
#[inline(always)]
fn check_parties(header: &Header) -> Result<(), Refusal> {
    // Twenty bytes each: they meet in the middle of the third word.
    let [r0, r1, both, a0, a1] = header.parties;
    if both >> 32 | a0 | a1 == 0 {
        return Err(Refusal::Authorizer);
    }
    let no_recipient = r0 | r1 | both << 32 == 0;
    if no_recipient != header.public_amount.is_zero() {
        return Err(Refusal::Recipient);
    }
    Ok(())
}
