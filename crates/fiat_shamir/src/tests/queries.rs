use alloc::collections::VecDeque;
use alloc::vec::Vec;

use proptest::prelude::*;

use super::config;
use crate::{Kind, Prover, QueryPlan, QueryPlanError};

proptest! {
    #![proptest_config(config())]

    #[test]
    fn indices_are_cut_from_the_words_of_challenges(
        seed in any::<u64>(), per_stratum in 1usize..20, log_strata in 0usize..4, drawn in 0usize..28,
    ) {
        let log_leaves = log_strata + drawn;
        let count = per_stratum << log_strata;
        let mut prover = Prover::new(Kind::Opening, [seed].to_vec());
        let mut twin = Prover::new(Kind::Opening, [seed].to_vec());
        let queries = prover.queries(QueryPlan::new(count, log_leaves, log_strata).unwrap());

        // From the definition: a queue of the words, each a bit string.
        let mut words = VecDeque::new();
        let mut expected = Vec::new();
        let (mut word, mut left) = (0u64, 0usize);
        for number in 0..count {
            let mut index = (number / per_stratum) << drawn;
            if drawn > 0 {
                if left < drawn {
                    if words.is_empty() {
                        words.extend(twin.challenge().to_words());
                    }
                    (word, left) = (words.pop_front().unwrap(), 64);
                }
                index |= word as usize & ((1 << drawn) - 1);
                word >>= drawn;
                left -= drawn;
            }
            expected.push(index);
        }
        prop_assert_eq!(queries.indices(), expected);
        // What was drawn in vain is drawn on both sides.
        prop_assert_eq!(prover.challenge(), twin.challenge());
    }
}

#[test]
fn plans_that_no_tree_has_are_refused() {
    assert_eq!(
        QueryPlan::new(1, 32, 0),
        Err(QueryPlanError::Leaves {
            log_leaves: 32,
            max: 31
        })
    );
    assert_eq!(
        QueryPlan::new(8, 2, 3),
        Err(QueryPlanError::Strata {
            log_strata: 3,
            log_leaves: 2
        })
    );
    assert_eq!(
        QueryPlan::new(0, 5, 0),
        Err(QueryPlanError::Count {
            count: 0,
            log_strata: 0
        })
    );
    assert_eq!(
        QueryPlan::new(6, 5, 2),
        Err(QueryPlanError::Count {
            count: 6,
            log_strata: 2
        })
    );
    assert_eq!(
        QueryPlan::new(2, 5, 2),
        Err(QueryPlanError::Count {
            count: 2,
            log_strata: 2
        })
    );
    let plan = QueryPlan::new(12, 31, 2).unwrap();
    assert_eq!(
        (
            plan.count(),
            plan.log_leaves(),
            plan.log_strata(),
            plan.drawn_bits()
        ),
        (12, 31, 2, 29)
    );
}

#[test]
fn as_many_strata_as_leaves_draw_nothing() {
    let mut prover = Prover::new(Kind::Opening, Vec::new());
    let mut twin = Prover::new(Kind::Opening, Vec::new());
    let queries = prover.queries(QueryPlan::new(8, 2, 2).unwrap());
    assert_eq!(queries.indices(), [0, 0, 1, 1, 2, 2, 3, 3]);
    assert_eq!(prover.challenge(), twin.challenge());
}
