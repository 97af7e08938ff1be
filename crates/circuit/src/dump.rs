//! The textual dump of a circuit: one line a port, a gate and a copied output, in a fixed order.

use core::fmt;

use crate::layout::{Circuit, Gate, NO_WIRE};

/// The dump: a line of counts, then the ports' bits, the gates and the copies.
///
/// `1` is the constant, `w7` wire 7, `@9` position 9. An input port is a range of wires at a range of
/// positions (one line a run of free bits).
impl fmt::Display for Circuit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "block 2^{}, positions {}, ands {}, xors {}, inputs {}, outputs {}, constant @{}",
            self.log_block(),
            self.positions(),
            self.ands(),
            self.xors(),
            self.inputs(),
            self.outputs(),
            self.constant_position(),
        )?;
        self.write_inputs(f)?;
        for (wire, gate) in (self.first_gate as u32..).zip(&self.gates) {
            match *gate {
                Gate::Xor { a, b } => writeln!(f, "{} = {} + {}", Name(wire), Name(a), Name(b))?,
                Gate::And { a, b, position } => {
                    writeln!(f, "{} = {} * {} @{position}", Name(wire), Name(a), Name(b))?;
                }
            }
        }
        let outputs = 64 * self.inputs()..64 * (self.inputs() + self.outputs());
        for position in outputs.filter(|&position| position != self.constant_position) {
            let wire = self.wire_at[position];
            if wire != NO_WIRE && self.product_at(wire, position).is_none() {
                writeln!(f, "copy {} @{position}", Name(wire))?;
            }
        }
        Ok(())
    }
}

impl Circuit {
    fn write_inputs(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut positions = self.input_positions().zip(1..).peekable();
        while let Some((first, wire)) = positions.next() {
            let mut last = first;
            while let Some((next, _)) = positions.next_if(|(next, _)| *next == last + 1 && next % 64 != 0) {
                last = next;
            }
            let last_wire = wire + (last - first) as u32;
            writeln!(f, "input {}..={} @{first}..={last}", Name(wire), Name(last_wire))?;
        }
        Ok(())
    }
}

/// A wire's name.
struct Name(u32);

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("1"),
            wire => write!(f, "w{wire}"),
        }
    }
}
