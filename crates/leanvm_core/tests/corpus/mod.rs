//! The proofs of these tests as files, for verifiers in other languages to be held to the same verdicts.
//!
//! With `LEANVM_CORPUS` naming a directory, the tests of this crate write there what they verify, honest and forged:
//!
//! - `DIGEST.program`, the bytes of a program; `DIGEST.proof`, a proof file;
//! - `DIGEST.case`, text: a line for each thing that is to be said of a proof, in this order.
//!
//! ```text
//! test NAME                     the test that made it
//! program FILE
//! proof FILE
//! cut BYTES                     the file is so long only
//! change OFFSET BYTE            a byte of it is another
//! frozen                        the challenges are those of the unchanged file
//! verdict accepted, or refused CHECK[, NUMBER], or refused
//! ```
//!
//! Of an accepted proof what it leaves follows, words in decimal, scalars as 48 hexadecimal digits, lists separated by `|`:
//!
//! ```text
//! announced WORDS               the output, then the final clock
//! matrix L_i(z) | point of the rows | challenge | slices | point of the columns | value
//! public COLUMN | point | value
//! producer eq(alpha, j) | beta | point | weights | value
//! ```

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;

use argument::layout::Layout;
use argument::shape::Shape;
use argument::{Deferred, check_deferred};
use fiat_shamir::{Channel, GRINDING, Kind, Label, Native, Proof, VerifyError};
use leanvm_core::riscv::Riscv;
use leanvm_core::verify::{self, CLOCK, Reduction, verify_core};
use primitives::blake2s;
use primitives::field::E;
use primitives::multilinear::eq_table;
use rv::public::Public;

/// The greatest number of bytes that are told one by one.
const MAX_CHANGES: usize = 64;

/// A proof that a test verifies.
pub(crate) struct Case<'a> {
    pub(crate) program: &'a Public,
    pub(crate) riscv: &'a Riscv,
    /// The proof file.
    pub(crate) file: &'a [u8],
    /// An honest proof file of which it differs in little.
    pub(crate) honest: Option<&'a [u8]>,
    /// Whether the challenges are the honest file's.
    pub(crate) frozen: bool,
}

impl Case<'_> {
    /// Writes it to the corpus, if one is made.
    pub(crate) fn record(&self) {
        let Some(directory) = env::var_os("LEANVM_CORPUS").map(PathBuf::from) else {
            return;
        };
        fs::create_dir_all(&directory).expect("the corpus is a directory");
        let mut text = format!("test {}\n", thread::current().name().unwrap_or("?"));
        line(
            &mut text,
            "program",
            &write(&directory, "program", &self.program.to_bytes()),
        );
        let changes = self.honest.and_then(|honest| changes(honest, self.file));
        let stored = self.honest.filter(|_| changes.is_some()).unwrap_or(self.file);
        line(&mut text, "proof", &write(&directory, "proof", stored));
        text += &changes.unwrap_or_default();
        if self.frozen {
            text += "frozen\n";
        }
        match self.verdict() {
            Ok(left) => {
                text += "verdict accepted\n";
                text += &left;
            }
            Err(check) => line(&mut text, "verdict refused", &check),
        }
        write(&directory, "case", text.as_bytes());
    }

    /// What an accepted proof leaves, or the check that refuses it.
    fn verdict(&self) -> Result<String, String> {
        let proof = Proof::decode(self.file).map_err(|_| String::new())?;
        let honest = self
            .honest
            .map(|honest| Proof::decode(honest).expect("it is honest"));
        let states = honest.filter(|_| self.frozen).map(|honest| {
            let recording = Native::hazmat_recording(&honest);
            assert!(self.reduction(&honest, &recording).is_ok());
            recording.hazmat_states()
        });
        let arith = match &states {
            Some(states) => Native::hazmat_frozen(&proof, states),
            None => Native::new(&proof),
        };
        let verdict = self.reduction(&proof, &arith).map_err(|error| check(&error));
        if states.is_none() {
            let whole = verify::verify(self.riscv, &proof).is_ok();
            assert_eq!(whole, verdict.is_ok() && proof.kind == Kind::Run);
        }
        let reduction = verdict?;
        let mut text = String::from("announced");
        for word in proof.stream.iter().take(verify::ANNOUNCED) {
            let _ = write!(text, " {word}");
        }
        text.push('\n');
        text += &deferred(&reduction.deferred);
        Ok(text)
    }

    fn reduction<'p>(
        &self,
        proof: &'p Proof,
        arith: &Native<'p>,
    ) -> Result<Reduction<Native<'p>>, Option<VerifyError>> {
        let machine = self.riscv.machine();
        let shape = Shape::parse(machine, &proof.shape).map_err(|_| None)?;
        let layout = Layout::new(machine, &shape).map_err(|_| None)?;
        let mut channel = Channel::new(arith, Kind::Run, &proof.shape);
        let reduction = verify_core(&mut channel, self.riscv, &layout)?;
        channel.finish()?;
        check_deferred(machine, &layout, &reduction.deferred)?;
        Ok(reduction)
    }
}

/// The lines that say how a file differs from another, unless it does so too much.
fn changes(honest: &[u8], file: &[u8]) -> Option<String> {
    if file.len() > honest.len() {
        return None;
    }
    let mut text = String::new();
    if file.len() < honest.len() {
        let _ = writeln!(text, "cut {}", file.len());
    }
    let changed = honest.iter().zip(file).enumerate();
    let changed: Vec<_> = changed.filter(|(_, (old, new))| old != new).collect();
    for (offset, (_, byte)) in &changed {
        let _ = writeln!(text, "change {offset} {byte}");
    }
    (changed.len() <= MAX_CHANGES).then_some(text)
}

/// The check that refused, without the numbers of bits, which not every verifier tells.
fn check(error: &Option<VerifyError>) -> String {
    match *error {
        Some(VerifyError::Check {
            label: Label { name, at },
            ..
        }) => match at {
            Some(at) if name != GRINDING.name && name != CLOCK.name => format!("{name} {at}"),
            _ => name.into(),
        },
        Some(VerifyError::Opening { number, .. }) => format!("opening {number}"),
        _ => String::new(),
    }
}

/// The lines of deferred claims.
fn deferred(deferred: &Deferred<E>) -> String {
    let mut text = String::new();
    if let Some(circuits) = &deferred.circuits {
        for claim in &circuits.claims {
            let row_point = &circuits.row_point[..claim.column_point.len()];
            let lists = [
                &circuits.lagrange,
                row_point,
                &[circuits.batching],
                &claim.slices,
                &claim.column_point,
                &[claim.value],
            ];
            line(&mut text, "matrix", &scalars(&lists));
        }
    }
    for claim in &deferred.public {
        let lists = scalars(&[&claim.point, &[claim.value]]);
        line(&mut text, "public", &format!("{} | {lists}", claim.column));
    }
    for claim in &deferred.producers {
        let alpha = eq_table(&claim.alpha);
        let lists = [
            &alpha,
            &[claim.beta][..],
            &claim.point,
            &claim.weights,
            &[claim.value],
        ];
        line(&mut text, "producer", &scalars(&lists));
    }
    text
}

/// Lists of scalars, each the coefficients of y^2, y and 1.
fn scalars(lists: &[&[E]]) -> String {
    let scalar = |scalar: &E| {
        let [w0, w1, w2] = scalar.to_words();
        format!("{w2:016x}{w1:016x}{w0:016x}")
    };
    let list = |list: &&[E]| list.iter().map(scalar).collect::<Vec<_>>().join(" ");
    lists.iter().map(list).collect::<Vec<_>>().join(" | ")
}

fn line(text: &mut String, key: &str, value: &str) {
    let _ = writeln!(text, "{key} {value}");
}

/// Writes a file that is named by its digest, unless it is there, and gives its name.
fn write(directory: &Path, kind: &str, bytes: &[u8]) -> String {
    let digest = blake2s::hash(bytes);
    let digest: String = digest.iter().take(12).map(|byte| format!("{byte:02x}")).collect();
    let name = format!("{digest}.{kind}");
    let path = directory.join(&name);
    if !path.exists() {
        fs::write(&path, bytes).expect("the corpus can be written");
    }
    name
}
