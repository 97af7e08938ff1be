//! Commitment throughput: whole, and its parts alone.
//!
//! `PCS_LOG_N`: log2 of the committed words; `PCS_LOG_INV_RATE`: log2 of the inverse rate. Both are lists.

use bench::{Target, Work, keep_freed};
use pcs::commit::{LeafHasher, commit};
use pcs::merkle::MerkleTree;
use pcs::ntt::{Interleaving, RowSink as _, encode, task_rows};
use primitives::field::{E, K};
use primitives::pool;

fn main() {
    // As the command line does.
    keep_freed();
    let mut target = Target::from_args("throughput");
    let rates = target.sizes("PCS_LOG_INV_RATE", &[1], &[1]);
    for log_n in target.sizes("PCS_LOG_N", &[22], &[15]) {
        for &log_inv_rate in &rates {
            commitment(&mut target, log_n, log_inv_rate);
        }
    }
    target.finish();
}

/// Level 0 of an opening, of words in 64 lanes; and level 1, of elements of E in 16 lanes.
fn commitment(target: &mut Target, log_n: usize, log_inv_rate: usize) {
    let suffix = format!("2^{log_n} words, rate 2^-{log_inv_rate}");
    let shape = Interleaving::full(log_n - 6, log_inv_rate, 6);
    let message: Vec<K> = (0..1u64 << log_n)
        .map(|i| K(i.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
        .collect();
    let words = Work::Items {
        items: 1 << log_n,
        what: "words",
    };
    let commit_all = |message: &[K]| pool::install(|| commit(message, &shape));
    target.case(&format!("commit {suffix}"), words, || commit_all(&message));

    let sinks = || vec![(); 1 << (shape.log_rows() - task_rows::<K>(&shape).ilog2() as usize)];
    target.case(&format!("ntt {suffix}"), words, || {
        pool::install(|| encode(&message, &shape, sinks()))
    });

    let codeword = encode(&message, &shape, sinks());
    target.case(
        &format!("hashing {suffix}"),
        Work::Bytes(size_of_val(&codeword[..])),
        || {
            pool::install(|| {
                let (tree, ()) = MerkleTree::build(shape.log_rows(), |leaves| {
                    let rows = task_rows::<K>(&shape);
                    let tasks = leaves
                        .chunks_mut(rows)
                        .zip(codeword.chunks(rows * shape.row_blocks::<K>()));
                    pool::for_each_item(tasks.collect(), |(leaves, rows)| {
                        let mut hasher = LeafHasher::new::<K>(&shape, leaves);
                        hasher.rows(rows);
                    });
                });
                tree.root()
            })
        },
    );

    let shape = Interleaving::full(log_n - 10, log_inv_rate + 3, 4);
    let message: Vec<E> = message.chunks_exact(3).map(|w| E([w[0], w[1], w[2]])).collect();
    let message = &message[..shape.message_symbols()];
    let elements = Work::Items {
        items: message.len(),
        what: "elements",
    };
    target.case(&format!("commit folded {suffix}"), elements, || {
        pool::install(|| commit(message, &shape))
    });
}
