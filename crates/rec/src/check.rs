//! The checker of rows: it evaluates every row from the definition, and names the first that does not hold.

use alloc::vec::Vec;
use core::fmt;

use argument::machine::Form;
use primitives::blake2s::compress_words;
use primitives::field::K;

use crate::hash;
use crate::rows::{Assignment, Rows, Value, announced_slot, constant_slot, first_slot, key};
use crate::table::{Slot, Source, Table};

/// A slot of a row, for diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Place {
    /// Of a table.
    Row {
        /// The table.
        table: Table,
        /// The row.
        row: usize,
        /// The slot.
        slot: usize,
    },
    /// A constant, by number.
    Constant(usize),
    /// An announced word, by number.
    Announced(usize),
    /// A key that no slot has.
    Nowhere(u64),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Self::Row { table, row, slot } => {
                let slots = table.slots();
                let name = slots.get(slot).map_or("", |slot| slot.name);
                write!(f, "slot {slot} ({name}) of row {row} of {}", table.name())
            }
            Self::Constant(number) => write!(f, "constant {number}"),
            Self::Announced(number) => write!(f, "announced word {number}"),
            Self::Nowhere(key) => write!(f, "key {key:#x}, which no slot has"),
        }
    }
}

/// The first row that does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Violation {
    /// There are not as many values as slots.
    #[error("{table:?} has {found} values, and {expected} slots")]
    Length {
        /// The table.
        table: Table,
        /// Values.
        found: usize,
        /// Slots.
        expected: usize,
    },
    /// A slot has another value than its row gives it.
    #[error("{place} has the value {found:x?}, and its row gives {computed:x?}")]
    Slot {
        /// The slot.
        place: Place,
        /// What it has.
        found: Value,
        /// What the row's other slots say.
        computed: Value,
    },
    /// An identity does not vanish.
    #[error("identity {identity} of row {row} of {table:?} does not vanish")]
    Identity {
        /// The table.
        table: Table,
        /// The row.
        row: usize,
        /// The identity.
        identity: usize,
    },
    /// Two slots that are to have one value have two.
    #[error("{place} has the value {found:x?}, and {next}, which is to have the same, has {other:x?}")]
    Copy {
        /// The slot.
        place: Place,
        /// Its value.
        found: Value,
        /// The next slot of the cycle.
        next: Place,
        /// The value of that.
        other: Value,
    },
}

/// Checks that these values satisfy the rows.
///
/// # Errors
/// The first row, in the order of tables, that does not hold; then the first slot whose value is not the next one's.
pub fn check(rows: &Rows, assignment: &Assignment) -> Result<(), Violation> {
    let mut values: [Vec<Value>; Table::ALL.len()] = Default::default();
    for table in Table::ALL {
        let (found, slots) = (&assignment.values[table.number()], table.slot_count());
        let expected = rows.count(table) * slots;
        if found.len() != expected {
            let found = found.len();
            return Err(Violation::Length {
                table,
                found,
                expected,
            });
        }
        let description = Description {
            table,
            slots: table.slots(),
            sources: table.sources(),
            identities: table.identities(),
        };
        for (row, found) in found.chunks(slots).enumerate() {
            values[table.number()].extend(check_row(rows, &description, row, found)?);
        }
    }
    let at = |key: u64| value_at(rows, assignment, &values, key);
    let copies = all_keys(rows);
    for (own, next) in copies {
        let ((place, found), (next, other)) = (at(own), at(next));
        if found != other || matches!(next, Place::Nowhere(_)) {
            return Err(Violation::Copy {
                place,
                found,
                next,
                other,
            });
        }
    }
    Ok(())
}

/// What a row of a table is.
struct Description {
    table: Table,
    slots: Vec<Slot>,
    sources: Vec<Source>,
    identities: Vec<Form>,
}

/// The values that a row gives its slots, which are those that they have.
fn check_row(
    rows: &Rows,
    description: &Description,
    row: usize,
    found: &[Option<Value>],
) -> Result<Vec<Value>, Violation> {
    let Description {
        table,
        slots,
        sources,
        identities,
    } = description;
    let table = *table;
    let mut columns = rows.columns(table, sources, row, found);
    if table == Table::Hash {
        let control = columns[hash::CONTROL];
        let chaining: [u64; 4] = core::array::from_fn(|i| columns[hash::CHAINING.start + i]);
        let mut message: [u64; 8] = core::array::from_fn(|i| columns[hash::MESSAGE.start + i]);
        // The port has one bit.
        columns[hash::SELECTOR] &= 1;
        if columns[hash::SELECTOR] == 1 {
            message.rotate_left(4);
        }
        let out = compress_words(
            &chaining,
            &message,
            control & !hash::LAST,
            control & hash::LAST != 0,
        );
        columns[hash::OUT].copy_from_slice(&out);
    }
    let columns: Vec<K> = columns.into_iter().map(K).collect();
    let mut values = Vec::new();
    for (slot, (description, found)) in slots.iter().zip(found).enumerate() {
        let computed: Value = core::array::from_fn(|word| description.words[word].evaluate(&columns).0);
        match *found {
            Some(found) if found != computed => {
                let place = Place::Row { table, row, slot };
                return Err(Violation::Slot {
                    place,
                    found,
                    computed,
                });
            }
            _ => values.push(computed),
        }
    }
    for (identity, form) in identities.iter().enumerate() {
        if form.evaluate(&columns) != K::ZERO {
            return Err(Violation::Identity { table, row, identity });
        }
    }
    Ok(values)
}

/// Every slot's key and the next one's, in the order of the machine.
fn all_keys(rows: &Rows) -> Vec<(u64, u64)> {
    let mut keys = Vec::new();
    for table in Table::ALL {
        let slots = table.slot_count();
        for (place, &next) in rows.next[table.number()].iter().enumerate() {
            keys.push((key(first_slot(table) + place % slots, place / slots), next));
        }
    }
    let of_slot = |slot: usize, next: &[u64]| -> Vec<(u64, u64)> {
        let next = next.iter().enumerate();
        next.map(|(number, &next)| (key(slot, number), next)).collect()
    };
    keys.extend(of_slot(constant_slot(), &rows.constant_next));
    keys.extend(of_slot(announced_slot(), &rows.announced_next));
    keys
}

/// The slot with a key, and its value.
fn value_at(
    rows: &Rows,
    assignment: &Assignment,
    values: &[Vec<Value>; Table::ALL.len()],
    key: u64,
) -> (Place, Value) {
    let (slot, row) = ((key >> 32) as usize, key as u32 as usize);
    let found = Table::ALL.into_iter().find_map(|table| {
        let slot = slot.checked_sub(first_slot(table))?;
        let value = values[table.number()].get(row * table.slot_count() + slot)?;
        (slot < table.slot_count()).then_some((Place::Row { table, row, slot }, *value))
    });
    let word = |&word: &u64| (Place::Announced(row), [word, 0, 0, 0]);
    let constant = |&value: &Value| (Place::Constant(row), value);
    let found = found.or_else(|| match slot {
        _ if slot == constant_slot() => rows.constants.get(row).map(constant),
        _ if slot == announced_slot() => assignment.announced.get(row).map(word),
        _ => None,
    });
    found.unwrap_or((Place::Nowhere(key), [0; 4]))
}
