//! Advice and output, natively.

use leanvm_guest::host::{Advice, PublicValues, run};
use leanvm_guest::{blake2s, commit, read, read_slice, words};

words! {
    /// Three words.
    struct Item {
        key: [u64; 2],
        index: u64,
    }
}

const ITEMS: [Item; 2] = [
    Item {
        key: [1, 2],
        index: 3,
    },
    Item {
        key: [4, 5],
        index: 6,
    },
];

#[test]
fn values_are_read_in_order_and_committed_in_order() {
    let advice = Advice::new()
        .push(&2u64)
        .push_slice(&ITEMS)
        .push(&9u64)
        .into_words();
    assert_eq!(advice, [2, 1, 2, 3, 4, 5, 6, 9]);
    let output = run(
        || {
            let items = read_slice::<Item>(*read());
            assert_eq!(items, ITEMS);
            commit(read::<u64>());
            commit(&items[1]);
        },
        &advice,
    );
    let values = PublicValues::new().commit(&9u64).commit(&ITEMS[1]);
    assert_eq!(values.words(), [9, 4, 5, 6]);
    assert_eq!(output, values.output());
    let bytes: Vec<u8> = values
        .words()
        .iter()
        .flat_map(|word| word.to_le_bytes())
        .collect();
    assert_eq!(output, blake2s::hash(&bytes));
}

#[test]
fn a_run_that_commits_nothing_outputs_the_hash_of_nothing() {
    assert_eq!(run(|| (), &[]), blake2s::hash(b""));
    assert_eq!(PublicValues::new().output(), blake2s::hash(b""));
}

#[test]
fn runs_on_one_thread_do_not_see_each_other() {
    let first = run(|| commit(read::<u64>()), &[1, 2]);
    let second = run(|| commit(read::<u64>()), &[1, 3]);
    assert_eq!(first, second);
}

#[test]
#[should_panic(expected = "past the end of its advice")]
fn a_value_that_the_advice_cuts_short_is_refused() {
    run(|| assert_eq!(read::<[u64; 3]>().len(), 3), &[1, 2]);
}

#[test]
fn a_count_beyond_the_advice_is_refused_whatever_it_is() {
    for count in [1, 2, u64::MAX / 24, u64::MAX / 24 + 2, 1 << 61, u64::MAX] {
        let panicked =
            std::panic::catch_unwind(|| run(|| assert!(read_slice::<Item>(count).is_empty()), &[1, 2]));
        assert!(panicked.is_err(), "{count} items");
    }
}
