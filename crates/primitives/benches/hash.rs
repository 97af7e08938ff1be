//! BLAKE2s: one message after the other, and many in lanes, on one thread and on all.

use bench::{Target, Work, black_box};
use primitives::backend::{self, available};
use primitives::blake2s::lanes::{Prefix, hash_many};
use primitives::blake2s::{Digest, hash};
use primitives::{dispatch, pool};

/// Messages of one task: as many as stay in the second cache at 256 bytes.
const MESSAGES: usize = 4096;
/// Tasks of one run on all threads.
const TASKS: usize = 16;

fn main() {
    let mut target = Target::from_args("hash");
    for length in [64, 256] {
        let messages: Vec<u8> = (0..MESSAGES * length).map(|i| (i % 251) as u8).collect();
        let mut digests: Vec<Digest> = vec![[0; 32]; MESSAGES];
        target.case(
            &format!("scalar/{length} bytes"),
            Work::Bytes(messages.len()),
            || {
                for (message, digest) in messages.chunks_exact(length).zip(&mut digests) {
                    *digest = hash(black_box(message));
                }
            },
        );
        for token in available() {
            let name = format!("{}/{length} bytes", token.kind());
            target.case(&name, Work::Bytes(messages.len()), || {
                dispatch!(token, |be| {
                    hash_many(be, &Prefix::EMPTY, black_box(&messages), length, &mut digests);
                });
            });
        }
        let threads = pool::threads();
        target.case(
            &format!("{}/{length} bytes, {threads} threads", backend::selected().kind()),
            Work::Bytes(TASKS * messages.len()),
            || {
                pool::map(TASKS, |_| {
                    let mut digests: Vec<Digest> = vec![[0; 32]; MESSAGES];
                    dispatch!(|be| hash_many(be, &Prefix::EMPTY, &messages, length, &mut digests));
                    digests[MESSAGES - 1]
                })
            },
        );
    }
    target.finish();
}
