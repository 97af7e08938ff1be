//! Openings of stored trees, and a forgery for each check of theirs.

use alloc::vec;
use alloc::vec::Vec;

use primitives::blake2s;
use primitives::field::K;
use proptest::prelude::*;

use super::{Tree, config};
use crate::merkle::{CAP, LeafSet, LeafShape, Opening, OpeningError, PATH, PathSource, Paths, open_by_paths};
use crate::{Channel, Digest, Kind, Label, Native, Proof, Prover, Queries, QueryPlan, Value, VerifyError};

const LOG_LEAVES: usize = 5;
const WORDS: usize = 3;
const ZEROS: usize = 10;

fn shape() -> LeafShape {
    LeafShape::new(ZEROS, WORDS)
}

fn tree() -> Tree {
    Tree::new(ZEROS, WORDS, LOG_LEAVES)
}

fn set(indices: &[usize]) -> LeafSet {
    LeafSet::new(indices.to_vec(), LOG_LEAVES).unwrap()
}

fn open(tree: &Tree, set: &LeafSet) -> Opening {
    Opening::extract(&shape(), set, tree.leaf(), tree.node())
}

/// Queries drawn after `seed`.
fn queries(seed: u64, count: usize, log_strata: usize) -> Queries<bool> {
    let plan = QueryPlan::new(count, LOG_LEAVES, log_strata).unwrap();
    Prover::new(Kind::Opening, vec![seed]).queries(plan)
}

/// Paths as values.
struct Values<'p> {
    words: Vec<u64>,
    nodes: Vec<&'p Digest>,
}

impl<'p> Values<'p> {
    fn new(paths: &'p Paths) -> Self {
        let mut nodes: Vec<_> = paths
            .cap
            .iter()
            .chain(paths.paths.iter().flat_map(|path| &path.siblings))
            .collect();
        let mut words: Vec<_> = paths
            .paths
            .iter()
            .flat_map(|path| path.words.iter().copied())
            .collect();
        nodes.reverse();
        words.reverse();
        Self { words, nodes }
    }
}

impl<'n> PathSource<Native<'n>> for Values<'_> {
    fn leaf_word(&mut self) -> Result<K, VerifyError> {
        Ok(K(self.words.pop().expect("a word for each that the shape has")))
    }

    fn node(&mut self) -> Result<Digest, VerifyError> {
        Ok(*self.nodes.pop().expect("a node for each that the plan has"))
    }
}

/// Checks paths, all of them.
fn check(paths: &Paths, root: Digest, queries: &Queries<bool>) -> Result<Vec<Vec<K>>, VerifyError> {
    let mut values = Values::new(paths);
    let words = open_by_paths(&Native::default(), root, &shape(), queries, &mut values)?;
    assert!(
        values.words.is_empty() && values.nodes.is_empty(),
        "every part is used"
    );
    Ok(words)
}

#[test]
fn leaves_are_digests_of_their_images() {
    for zeros in 0..=40 {
        for words in 0..=20 {
            let opened: Vec<u64> = (1..=words as u64).collect();
            let image = [vec![0; zeros], opened.clone()].concat();
            let opened: Vec<K> = opened.into_iter().map(K).collect();
            let shape = LeafShape::new(zeros, words);
            assert_eq!(
                shape.hash(&Native::default(), &opened),
                blake2s::hash_words(&image)
            );
            assert!(8 * shape.prefix_blocks() <= zeros);
        }
    }
}

#[test]
fn every_set_of_leaves_of_a_small_tree_opens() {
    let tree = Tree::new(0, 2, 3);
    let shape = LeafShape::new(0, 2);
    for bits in 1usize..256 {
        let indices: Vec<_> = (0..8).filter(|i| bits >> i & 1 == 1).collect();
        let set = LeafSet::new(indices.clone(), 3).unwrap();
        let opening = Opening::extract(&shape, &set, tree.leaf(), tree.node());
        let leaves = opening.verify(&tree.root(), &shape, &set).unwrap();
        assert!(
            leaves
                .iter()
                .map(|(&index, &words)| (index, words))
                .eq(indices.iter().map(|&index| (index, &tree.leaves[index][..])))
        );
        // The siblings are the nodes that have a queried leaf below their sibling and none below themselves.
        let below = |layer: usize, node: usize| indices.iter().any(|leaf| leaf >> layer == node);
        let needed = (0..3)
            .flat_map(|layer| (0..8 >> layer).map(move |node| (layer, node)))
            .filter(|&(layer, node)| below(layer, node ^ 1) && !below(layer, node))
            .map(|(layer, node)| tree.layers[layer][node]);
        assert!(needed.eq(opening.siblings.iter().copied()));
    }
}

#[test]
fn the_root_of_one_leaf_is_that_leaf() {
    let tree = Tree::new(0, 2, 0);
    let (shape, set) = (LeafShape::new(0, 2), LeafSet::new(vec![0], 0).unwrap());
    let opening = Opening::extract(&shape, &set, tree.leaf(), tree.node());
    assert!(opening.siblings.is_empty());
    assert!(opening.verify(&tree.root(), &shape, &set).is_ok());
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn both_forms_give_the_leaves_of_the_queries(seed in any::<u64>(), log_strata in 0usize..=5,
                                                 per_stratum in 1usize..4) {
        let tree = tree();
        let queries = queries(seed, per_stratum << log_strata, log_strata);
        let opening = open(&tree, &LeafSet::of_queries(&queries).unwrap());
        let expected: Vec<Vec<K>> = queries
            .indices()
            .iter()
            .map(|&index| tree.leaves[index].iter().copied().map(K).collect())
            .collect();
        let paths = opening.paths(&tree.root(), &shape(), &queries).unwrap();
        prop_assert_eq!(check(&paths, tree.root(), &queries), Ok(expected.clone()));
        // The top layers are never among the siblings of the pruned form.
        let top = tree.layers[LOG_LEAVES - log_strata..].concat();
        prop_assert!(opening.siblings.iter().all(|sibling| !top.contains(sibling)));

        let proof = Proof { kind: Kind::Opening, shape: vec![], stream: vec![], openings: vec![opening] };
        let native = Native::new(&proof);
        let channel = Channel::new(&native, Kind::Opening, &[]);
        prop_assert_eq!(channel.open(tree.root(), &shape(), &queries), Ok(expected));
        prop_assert!(channel.finish().is_ok());
    }

    #[test]
    fn every_flipped_bit_of_both_forms_is_refused(seed in any::<u64>(), place in any::<prop::sample::Index>(),
                                                  bit in 0..64) {
        let tree = tree();
        let queries = queries(seed, 8, 2);
        let set = LeafSet::of_queries(&queries).unwrap();
        let honest = open(&tree, &set);

        let mut forged = honest.clone();
        let mut words: Vec<&mut u64> =
            forged.words.iter_mut().chain(forged.siblings.as_flattened_mut()).collect();
        let place_in_file = place.index(words.len());
        *words[place_in_file] ^= 1u64 << bit;
        let refused = forged.verify(&tree.root(), &shape(), &set);
        let other_root =
            matches!(refused, Err(OpeningError::Root { committed, .. }) if committed == tree.root());
        prop_assert!(other_root);

        let mut paths = honest.paths(&tree.root(), &shape(), &queries).unwrap();
        // Which check has to refuse, for each word of the paths.
        let mut words: Vec<(&mut u64, Label)> =
            paths.cap.as_flattened_mut().iter_mut().map(|word| (word, CAP)).collect();
        for (number, path) in paths.paths.iter_mut().enumerate() {
            let owned = path.words.iter_mut().chain(path.siblings.as_flattened_mut());
            words.extend(owned.map(|word| (word, PATH.at(number))));
        }
        let place = place.index(words.len());
        *words[place].0 ^= 1u64 << bit;
        let expected = words[place].1;
        let refused = check(&paths, tree.root(), &queries);
        let by_its_check = matches!(refused, Err(VerifyError::Check { label, .. }) if label == expected);
        prop_assert!(by_its_check);
    }
}

/// The forgeries below: leaves 1, 6, 7 and 20 of 32. The siblings are 0, 21 in layer 0, then 1, 2, 11, then 4,
/// then 1, 3.
const INDICES: [usize; 4] = [1, 6, 7, 20];

/// An honest opening, changed.
fn refusal(change: impl FnOnce(&mut Opening)) -> OpeningError {
    let tree = tree();
    let set = set(&INDICES);
    let mut opening = open(&tree, &set);
    assert!(opening.verify(&tree.root(), &shape(), &set).is_ok());
    change(&mut opening);
    opening.verify(&tree.root(), &shape(), &set).unwrap_err()
}

#[test]
fn a_wrong_leaf_leads_to_another_root() {
    let error = refusal(|opening| opening.words[4] ^= 1);
    assert!(matches!(error, OpeningError::Root { committed, .. } if committed == tree().root()));
}

#[test]
fn a_wrong_sibling_leads_to_another_root() {
    let error = refusal(|opening| opening.siblings[0][0] ^= 1);
    assert!(matches!(error, OpeningError::Root { committed, .. } if committed == tree().root()));
}

#[test]
fn leaves_in_another_order_lead_to_another_root() {
    let error = refusal(|opening| opening.words.rotate_left(WORDS));
    assert!(matches!(error, OpeningError::Root { committed, .. } if committed == tree().root()));
}

#[test]
fn siblings_in_another_order_lead_to_another_root() {
    let error = refusal(|opening| opening.siblings.swap(0, 1));
    assert!(matches!(error, OpeningError::Root { committed, .. } if committed == tree().root()));
}

#[test]
fn the_opening_of_other_leaves_leads_to_another_root() {
    let tree = tree();
    let other = open(&tree, &set(&[0, 6, 7, 20]));
    let error = other.verify(&tree.root(), &shape(), &set(&INDICES)).unwrap_err();
    assert!(matches!(error, OpeningError::Root { .. }));
}

#[test]
fn the_opening_of_another_tree_leads_to_another_root() {
    let other = Tree::new(ZEROS + 1, WORDS, LOG_LEAVES);
    let set = set(&INDICES);
    let error = open(&tree(), &set)
        .verify(&other.root(), &shape(), &set)
        .unwrap_err();
    assert_eq!(
        error,
        OpeningError::Root {
            computed: tree().root(),
            committed: other.root()
        }
    );
}

#[test]
fn a_missing_sibling_is_named() {
    let error = refusal(|opening| opening.siblings.truncate(7));
    assert_eq!(
        error,
        OpeningError::MissingSibling {
            layer: 3,
            index: 2,
            given: 7
        }
    );
    let error = refusal(|opening| opening.siblings.clear());
    assert_eq!(
        error,
        OpeningError::MissingSibling {
            layer: 0,
            index: 1,
            given: 0
        }
    );
}

#[test]
fn a_surplus_sibling_is_refused_though_the_root_is_right() {
    let needed = open(&tree(), &set(&INDICES)).siblings.len();
    let error = refusal(|opening| opening.siblings.push([0; 4]));
    assert_eq!(
        error,
        OpeningError::SurplusSiblings {
            given: needed + 1,
            needed
        }
    );
}

#[test]
fn a_missing_or_surplus_leaf_is_refused() {
    let error = refusal(|opening| opening.words.truncate(3 * WORDS));
    assert_eq!(
        error,
        OpeningError::Words {
            given: 9,
            leaves: 4,
            width: 3
        }
    );
    let error = refusal(|opening| opening.words.push(0));
    assert_eq!(
        error,
        OpeningError::Words {
            given: 13,
            leaves: 4,
            width: 3
        }
    );
}

#[test]
fn an_index_outside_the_tree_is_refused() {
    let error = LeafSet::new(vec![3, 32, 5], LOG_LEAVES).unwrap_err();
    assert_eq!(
        error,
        OpeningError::Index {
            index: 32,
            log_leaves: 5
        }
    );
    assert_eq!(LeafSet::new(vec![], LOG_LEAVES), Err(OpeningError::NoLeaf));
    assert_eq!(set(&[7, 1, 7]).indices(), [1, 7]);
}

#[test]
fn a_path_to_the_node_of_another_stratum_is_refused() {
    // Forgery: the caps of two strata change places, and so do the paths, so that each path is a true one.
    // Expected: the cap does not lead to the root any more.
    let tree = tree();
    let queries = queries(1, 4, 2);
    let opening = open(&tree, &LeafSet::of_queries(&queries).unwrap());
    let mut paths = opening.paths(&tree.root(), &shape(), &queries).unwrap();
    paths.cap.swap(0, 1);
    let refused = check(&paths, tree.root(), &queries);
    let right = Value::Digest(tree.root());
    assert!(matches!(refused, Err(VerifyError::Check { label: CAP, right: side, .. }) if side == right));
}
