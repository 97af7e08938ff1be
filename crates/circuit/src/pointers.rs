//! The addresses of the limbs that an instruction on E names by pointers, and its flags apart.
//!
//! Input ports: the pointers a, b, c, and the flags (bit 0: accumulate; bit 1: the second operand is in K).
//! Output ports: the addresses of limbs 1 and 2 of a, of b and of c; then the two flags, each as bit 0 of a
//! word. The addresses of a K operand's missing limbs are zero.
//!
//! A limb's address is the pointer plus 8 or 16 in its low [`WIDTH`] bits. Above them nothing is carried: limb
//! 0 is at the pointer itself, and no memory is at addresses of more bits.

use alloc::vec::Vec;

use crate::{Builder, Circuit, Wire};

mod generator;

pub use generator::block;

/// The bits of an address that are incremented.
pub const WIDTH: usize = 40;

/// The circuit: 335 ANDs, of which 128 are at ports, in a block of 2^10.
#[must_use]
pub fn circuit() -> Circuit {
    let mut b = Builder::new();
    let pointers = [(); 3].map(|()| b.input());
    let flags = b.input_with_bits(0b11);
    let (accumulate, base_field) = (flags[0], flags[1]);
    let extension = b.not(base_field);
    for (operand, pointer) in pointers.iter().enumerate() {
        for log_step in [3, 4] {
            let address = add_power(&mut b, pointer, log_step);
            let address = if operand == 1 {
                b.mask_word(extension, &address)
            } else {
                address
            };
            b.output(&address);
        }
    }
    b.output(&[accumulate]);
    b.output(&[base_field]);
    b.build()
}

fn add_power(b: &mut Builder, pointer: &[Wire], log_step: usize) -> Vec<Wire> {
    let (sum, _) = b.increment(&pointer[log_step..WIDTH], Wire::ONE);
    [&pointer[..log_step], &sum, &pointer[WIDTH..]].concat()
}

/// The outputs of [`circuit`].
#[must_use]
pub fn reference(pointers: [u64; 3], flags: u64) -> [u64; 8] {
    let low = (1 << WIDTH) - 1;
    let limb = |pointer: u64, step: u64| pointer & !low | pointer.wrapping_add(step) & low;
    let [a, b, c] = pointers.map(|pointer| [limb(pointer, 8), limb(pointer, 16)]);
    let base_field = flags >> 1 & 1;
    let [b1, b2] = if base_field == 1 { [0; 2] } else { b };
    [a[0], a[1], b1, b2, c[0], c[1], flags & 1, base_field]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Words, assert_flips_are_refused};

    #[test]
    fn its_size() {
        let circuit = circuit();
        assert_eq!((circuit.inputs(), circuit.outputs()), (4, 8));
        assert_eq!(
            (circuit.ands(), circuit.positions(), circuit.log_block()),
            (335, 976, 10)
        );
    }

    #[test]
    fn it_agrees_with_the_reference() {
        let circuit = circuit();
        let edges = [
            0,
            8,
            7,
            0x2000_0000,
            0x4000_0ff8,
            0x7fff_fff0,
            (1 << 33) - 16,
            (1 << 40) - 8,
            (1 << 40) - 16,
            u64::MAX,
        ];
        let mut words = Words(3);
        for flags in 0..4 {
            for a in edges {
                for b in edges {
                    let c = words.word();
                    let walked = circuit.block(&[a, b, c, flags]);
                    let outputs = &walked[circuit.output_word(0)..][..circuit.outputs()];
                    assert_eq!(outputs, reference([a, b, c], flags));
                    assert_eq!(block([a, b, c], flags)[..], walked);
                    if a < 1 << 33 {
                        assert_eq!(outputs[..2], [a + 8, a + 16]);
                    }
                }
            }
        }
    }

    #[test]
    fn a_block_with_a_bit_flipped_is_refused() {
        let circuit = circuit();
        let block = circuit.block(&[0x2000_0ff8, 0x4000_0010, 0x4000_0020, 0b01]);
        assert_flips_are_refused(&circuit, &block, 0..1 << 10);
    }
}
