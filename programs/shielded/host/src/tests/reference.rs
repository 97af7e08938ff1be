//! The rules of a spend from their description, on bytes: what the guest's check is held to.

use primitives::blake2s::hash;

use crate::BYTES;

/// The statement of a spend, or the number of the first rule that it breaks.
pub(super) fn statement(bytes: &[u8; BYTES]) -> Result<[u8; 32], u32> {
    let (header, rest) = bytes.split_at(136);
    let (inputs, outputs) = rest.split_at(2 * 724);
    let (root, domain) = (&header[..32], &header[32..64]);
    let (public_amount, fee) = (number(&header[64..80]), number(&header[80..96]));
    let (recipient, authorizer) = (&header[96..116], &header[116..136]);

    let mut nullifiers = Vec::new();
    for input in inputs.chunks(724) {
        let (spend_key, rho, value) = (&input[..32], &input[32..64], &input[64..80]);
        let index = u32::from_be_bytes(input[80..84].try_into().expect("four bytes"));
        require(1, index < 1 << 20)?;
        let owner = tagged(1, &[spend_key]);
        let inner = tagged(5, &[&owner, rho]);
        let commitment = tagged(2, &[&inner, value]);
        let mut node = commitment;
        for (level, sibling) in input[84..].chunks(32).enumerate() {
            node = match index >> level & 1 {
                0 => tagged(4, &[&node, sibling]),
                _ => tagged(4, &[sibling, &node]),
            };
        }
        require(2, number(value) == 0 || node == root)?;
        let key = tagged(6, &[domain, spend_key]);
        let occurrence = tagged(7, &[&commitment, &index.to_be_bytes()]);
        nullifiers.push(tagged(3, &[&key, &occurrence]));
    }

    let mut commitments = Vec::new();
    for (k, output) in (1..).zip(outputs.chunks(48)) {
        let (inner, value) = output.split_at(32);
        let sink = |number: u8| {
            let mut sink = [0; 32];
            sink[31] = number;
            sink
        };
        require(5, number(value) != 0 || inner == sink(k))?;
        require(6, number(value) == 0 || (inner != sink(1) && inner != sink(2)))?;
        commitments.push(tagged(2, &[inner, value]));
    }

    let inputs: Vec<u128> = inputs.chunks(724).map(|input| number(&input[64..80])).collect();
    let outputs: Vec<u128> = outputs.chunks(48).map(|output| number(&output[32..])).collect();
    require(3, inputs != [0, 0])?;
    require(
        4,
        sum(&inputs) == sum(&[outputs[0], outputs[1], public_amount, fee]),
    )?;
    require(7, authorizer != [0; 20])?;
    require(8, (recipient == [0; 20]) == (public_amount == 0))?;
    require(9, nullifiers[0] != nullifiers[1])?;
    require(10, commitments[0] != commitments[1])?;
    Ok(tagged(
        8,
        &[
            &nullifiers[0],
            &nullifiers[1],
            &commitments[0],
            &commitments[1],
            header,
        ],
    ))
}

fn require(rule: u32, holds: bool) -> Result<(), u32> {
    if holds { Ok(()) } else { Err(rule) }
}

/// The hash of a tag byte and fields.
pub(super) fn tagged(tag: u8, fields: &[&[u8]]) -> [u8; 32] {
    hash(&[&[tag], &fields.concat()[..]].concat())
}

fn number(bytes: &[u8]) -> u128 {
    u128::from_be_bytes(bytes.try_into().expect("an amount has 16 bytes"))
}

/// The sum in digits of 64 bits: upper ones, lowest.
fn sum(numbers: &[u128]) -> (u128, u128) {
    const LOW: u128 = u64::MAX as u128;
    let low: u128 = numbers.iter().map(|number| number & LOW).sum();
    let high: u128 = numbers.iter().map(|number| number >> 64).sum();
    (high + (low >> 64), low & LOW)
}
