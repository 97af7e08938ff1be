//! The two tables of each class, its *parts*: how the rows of a run are shared between them.
//!
//! A table has a power of two of rows, and padding fills it: of one table alone up to half is padding, which is committed to
//! like everything else. So each class has a second table of the same kind. The argument does not know that they belong
//! together, and a row may stand in either; the prover fills the first part, then the second.

use rv::Class;

/// The tables of a class.
pub const PARTS: usize = 2;

/// The tables of the machine: the first part of every class, then the second of every class.
pub const TABLES: usize = PARTS * Class::COUNT;

/// The fewest committed words for which a second part is there.
///
/// Each table has a value for each of its columns, ports and blocks in the proof, which nodes of a tree verify: a few
/// words less do not pay for them.
pub const MIN_SAVED_WORDS: u64 = 1 << 16;

/// The number of the table of a class's part, 0 or 1.
#[must_use]
pub const fn number(class: Class, part: usize) -> usize {
    part * Class::COUNT + class.index()
}

/// The class and the part of a table of the machine.
///
/// # Panics
/// If the machine has no such table.
#[must_use]
pub const fn class_and_part(table: usize) -> (Class, usize) {
    assert!(table < TABLES, "the machine has no such table");
    (Class::ALL[table % Class::COUNT], table / Class::COUNT)
}

/// The name of the table of a class's second part.
#[must_use]
pub const fn second_name(class: Class) -> &'static str {
    match class {
        Class::Add => "second ADD",
        Class::Addi => "second ADDI",
        Class::Jump => "second JUMP",
        Class::Logic => "second LOGIC",
        Class::Shifti => "second SHIFTI",
        Class::Lt => "second LT",
        Class::Eq => "second EQ",
        Class::Word => "second WORD",
        Class::Shift => "second SHIFT",
        Class::Load => "second LOAD",
        Class::Store => "second STORE",
        Class::Ld => "second LD",
        Class::Sd => "second SD",
        Class::Mul => "second MUL",
        Class::Mulh => "second MULH",
        Class::Div => "second DIV",
        Class::Hash => "second HASH",
        Class::Ext => "second EXT",
    }
}

/// log2 of the rows of the parts that hold `rows` rows of `row_words` words, a table having at least `2^least` rows.
///
/// No rows have no table. Otherwise there is one, of the least power of two; or two, of the least number of rows, if these
/// are [`MIN_SAVED_WORDS`] words fewer.
#[must_use]
pub fn heights(rows: u64, least: usize, row_words: u64) -> [Option<usize>; PARTS] {
    if rows == 0 {
        return [None; PARTS];
    }
    let log_rows = |rows: u64| (rows.next_power_of_two().trailing_zeros() as usize).max(least);
    let one = log_rows(rows);
    // Above the least height more than half of a table is live.
    let (first, second) = match one.checked_sub(1) {
        Some(first) if one > least => (first, log_rows(rows - (1 << first))),
        _ => return [Some(one), None],
    };
    // What is left may need as much.
    let saved = (1u64 << first) - (1u64 << second);
    if saved.saturating_mul(row_words) < MIN_SAVED_WORDS {
        [Some(one), None]
    } else {
        [Some(first), Some(second)]
    }
}

/// How many of the `rows` rows of a class stand in parts of these heights: the first is filled, then the second. `None` if
/// they do not hold so many.
#[must_use]
pub fn live(rows: u64, heights: [Option<usize>; PARTS]) -> Option<[u64; PARTS]> {
    let mut left = rows;
    let live = heights.map(|height| {
        let live = left.min(height.map_or(0, |log_rows| 1 << log_rows));
        left -= live;
        live
    });
    (left == 0).then_some(live)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fewest rows of one table, and of one or two: every pair of heights is tried.
    fn fewest(rows: u64, least: usize) -> [u64; 2] {
        let one = || (least..20).map(|height| 1u64 << height);
        let two = one().flat_map(|first| one().map(move |second| first + second));
        let holds = |sum: &u64| *sum >= rows;
        let fewest_of_one = one().find(holds).unwrap();
        let fewest_of_two = two.filter(holds).min().unwrap();
        [fewest_of_one, fewest_of_one.min(fewest_of_two)]
    }

    #[test]
    fn the_tables_have_the_fewest_words_but_for_the_threshold() {
        let (mut split, mut whole) = (0, 0);
        for least in [0, 1, 2, 5] {
            for row_words in [17, 78, 297] {
                for rows in 1..3000 {
                    let [one, two] = fewest(rows, least);
                    let saved = (one - two) * row_words;
                    let found = heights(rows, least, row_words);
                    let words: u64 = found.iter().flatten().map(|height| row_words << height).sum();
                    let case = (rows, least, row_words, found);
                    if saved >= MIN_SAVED_WORDS {
                        assert_eq!(words, two * row_words, "{case:?}");
                        assert!(found[1].is_some() && found[1] < found[0], "{case:?}");
                        split += 1;
                    } else {
                        assert_eq!(words, one * row_words, "{case:?}");
                        assert_eq!(found[1], None, "{case:?}");
                        whole += 1;
                    }
                    assert!(found.iter().flatten().all(|&height| height >= least), "{case:?}");
                    assert_eq!(live(rows, found).unwrap().iter().sum::<u64>(), rows, "{case:?}");
                }
            }
        }
        assert!(split > 1000 && whole > 1000, "{split} split, {whole} not");
        assert_eq!(heights(0, 5, 297), [None; 2]);
    }

    #[test]
    fn rows_fill_the_first_part_before_the_second() {
        assert_eq!(live(0, [None, None]), Some([0, 0]));
        assert_eq!(live(1, [None, None]), None);
        for (rows, expected) in [
            (0, Some([0, 0])),
            (7, Some([7, 0])),
            (8, Some([8, 0])),
            (9, Some([8, 1])),
            (10, Some([8, 2])),
            (11, None),
        ] {
            assert_eq!(live(rows, [Some(3), Some(1)]), expected);
        }
        assert_eq!(live(2, [None, Some(1)]), Some([0, 2]));
        assert_eq!(live(2, [Some(1), None]), Some([2, 0]));
    }

    #[test]
    fn every_table_has_its_number() {
        for class in Class::ALL {
            for part in 0..PARTS {
                assert_eq!(class_and_part(number(class, part)), (class, part));
            }
        }
    }
}
