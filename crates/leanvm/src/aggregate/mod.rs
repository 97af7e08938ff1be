//! Many proofs of one program's runs, in one proof of constant size.
//!
//! *Leaves* are proofs of runs of one program, at one rate and in one shape
//! ([`Prover::in_shape_of`](crate::Prover::in_shape_of)). A [`Tree`] joins them: a *first-level node* is a proof that it
//! verified some leaves, a *node* that it verified some nodes. One of them, the *root*, stands for all leaves, and is
//! verified in the same time, however many these are.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use leanvm::aggregate::{Arities, NodeProof, Tree, TreeKey};
//! use leanvm::{Output, Program, Prover, Rate};
//!
//! let program = Program::from_elf(fibonacci_host::ELF)?;
//! let first = Prover::new(&program).prove(&[10])?;
//! let second = Prover::new(&program).in_shape_of(&first)?.prove(&[11])?;
//!
//! // Two leaves to a first-level node, two nodes to a node.
//! let tree = Tree::new(program.public(), &first, Arities::new(2, 2)?, Rate::Half)?;
//! let files = (tree.key().to_bytes(), tree.prove(&[first, second])?.to_bytes());
//!
//! // Who verifies makes the tree of the program and the key, and learns: for each of these outputs, in this order, the
//! // program exits with it on some advice.
//! let tree = Tree::of_key(program.public(), &TreeKey::from_bytes(&files.0)?)?;
//! let outputs = [10, 11].map(|n| Output::from_bytes(fibonacci_host::output(n)));
//! tree.verify(&NodeProof::from_bytes(&files.1)?, &outputs)?;
//! # Ok(())
//! # }
//! ```
//!
//! The steps can be taken apart: [`Tree::join_leaves`] and [`Tree::join`] make one node each, and proofs and keys are
//! files, so a tree can be made on many machines.

mod key;
mod node;
#[cfg(feature = "prover")]
mod prove;
mod tree;

pub use self::key::TreeKey;
pub use self::node::NodeProof;
pub use self::tree::Tree;
pub use rec::tree::plan::{Arities, ArityError, MAX_ARITY, NodeKind};
pub use rec::tree::proof::NodeDecodeError;
#[cfg(feature = "prover")]
pub use rec::tree::prove::JoinError;
pub use rec::tree::{CircuitError, KeyDecodeError, TreeError, TreeVerifyError};
