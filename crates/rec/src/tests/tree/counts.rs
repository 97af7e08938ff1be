//! How many rows nodes have.

use leanvm_core::riscv::Riscv;
use leanvm_core::witness::{Target, measure};
use rv::{Limits, elf};

use super::{FIXTURE, LOG_INV_RATE};
use crate::reduce::security::{Claims, security};
use crate::table::Table;
use crate::tree::Tree;
use crate::tree::plan::{Arities, NodeKind};

#[test]
fn nodes_over_proofs_of_a_hundred_signatures_have_these_rows() {
    let program = elf::load(leanxmss_host::ELF).unwrap();
    let entries = leanxmss_host::benchmark_entries(100).unwrap();
    let advice = leanxmss_host::advice(&entries).expect("the entries fit");
    let riscv = Riscv::new(program.public());
    let target = Target::Least { log_inv_rate: 2 };
    let leaf = measure(riscv.machine(), &program, &advice, Limits::default(), target).unwrap();
    let leaf_shape = leaf.shape.to_words();
    let tree = Tree::new(riscv, &leaf_shape, Arities::new(2, 2).unwrap(), LOG_INV_RATE).unwrap();
    let rows = |kind| Table::ALL.map(|table| tree.rows(kind).count(table));
    // EMUL, EXK, HASH, SPLIT, CAST. These move with the verifiers alone.
    let found = (
        rows(NodeKind::FirstLevel),
        rows(NodeKind::Node),
        tree.heights().tables,
        tree.committed_words().unwrap(),
    );
    let expected = (
        [46_897, 36_712, 11_580, 576, 3674],
        [27_523, 55_954, 14_133, 728, 3658],
        [16, 16, 14, 10, 12],
        5_473_280,
    );
    assert_eq!(found, expected);
}

#[test]
fn every_challenge_of_a_node_has_128_bits() {
    let tree = &FIXTURE.tree;
    for kind in NodeKind::ALL {
        let machine = &tree.circuit(kind).machine;
        for log_inv_rate in 1..=4 {
            let layout = machine.layout(log_inv_rate).unwrap();
            let rows = argument::security::security(machine.machine(), &layout);
            assert!(rows.bits() >= 128.0, "{kind}, rate 2^-{log_inv_rate}");
        }
        let children = tree.arities().of(kind);
        let (runs, trees) = match kind {
            NodeKind::FirstLevel => (children, 0),
            NodeKind::Node => (0, children),
        };
        let fixed = machine.machine().public.len();
        let reduction = security(&tree.catalog, Claims { runs, trees, fixed });
        assert!(reduction.iter().all(|round| round.bits >= 128.0), "{kind}");
    }
}
