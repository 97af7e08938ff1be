//! The input of the benchmarks.

use falcon_guest::{Claim, Entry};
use primitives::pool;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput as _, Update as _, XofReader};
use tide_fn_dsa::{
    CryptoRng, FALCON_KEYGEN_SEED_SIZE, FN_DSA_LOGN_512, FalconProfile, KeyPairGenerator512, RngCore,
    RngError, SIGN_KEY_SIZE_512, SIGNATURE_SIZE_512, SigningKey as _, SigningKey512,
};

use crate::bytes::{PUBLIC_KEY_BYTES, public_key, signature};

/// The message that the benchmarks' signers sign.
pub const BENCHMARK_MESSAGE: [u8; 32] = [0x42; 32];

/// The entry of signer `i`: its key is that of the seed SHAKE256("key", i), and it signs with the randomness
/// SHAKE256("sign", i), i as eight little-endian bytes.
#[must_use]
pub fn benchmark_entry(i: u64) -> Entry {
    let (secret_key, key_bytes) = key_pair(i);
    Entry {
        claim: Claim {
            key: public_key(&key_bytes).expect("a key has its header and length"),
            message: [u64::from_le_bytes([0x42; 8]); 4],
        },
        signature: signature(&sign(i, &secret_key)).expect("a signature has its header and length"),
    }
}

/// The entries of the first `count` signers, made on the threads of the pool.
#[must_use]
pub fn benchmark_entries(count: usize) -> Vec<Entry> {
    pool::map(count, |i| benchmark_entry(i as u64))
}

/// The secret and the public key of signer `i`, as round 3's key generation makes them from its seed.
pub(crate) fn key_pair(i: u64) -> ([u8; SIGN_KEY_SIZE_512], [u8; PUBLIC_KEY_BYTES]) {
    let mut seed = [0; FALCON_KEYGEN_SEED_SIZE];
    stream("key", i).read(&mut seed);
    let (mut secret_key, mut public_key) = ([0; SIGN_KEY_SIZE_512], [0; PUBLIC_KEY_BYTES]);
    KeyPairGenerator512::default()
        .keygen_from_seed_pqclean(FN_DSA_LOGN_512, &seed, &mut secret_key, &mut public_key)
        .expect("the lengths are those of the degree, and a seed has a key");
    (secret_key, public_key)
}

/// The signature of signer `i`, without padding.
pub(crate) fn sign(i: u64, secret_key: &[u8; SIGN_KEY_SIZE_512]) -> Vec<u8> {
    let mut key = SigningKey512::decode(secret_key).expect("the key is well formed");
    let mut bytes = [0; SIGNATURE_SIZE_512];
    let mut randomness = Randomness(stream("sign", i));
    let length = key
        .sign_falcon(
            &mut randomness,
            FalconProfile::PqClean,
            &BENCHMARK_MESSAGE,
            &mut bytes,
        )
        .expect("the buffer has room for every signature");
    bytes[..length].to_vec()
}

fn stream(label: &str, i: u64) -> impl XofReader + use<> {
    let mut shake = Shake256::default();
    shake.update(label.as_bytes());
    shake.update(&i.to_le_bytes());
    shake.finalize_xof()
}

/// A stream as the signer wants its randomness. It is no secret: signing is for tests and benchmarks.
struct Randomness<R>(R);

impl<R> CryptoRng for Randomness<R> {}

impl<R: XofReader> RngCore for Randomness<R> {
    fn next_u32(&mut self) -> u32 {
        let mut bytes = [0; 4];
        self.0.read(&mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.0.read(&mut bytes);
        u64::from_le_bytes(bytes)
    }

    fn fill_bytes(&mut self, bytes: &mut [u8]) {
        self.0.read(bytes);
    }

    fn try_fill_bytes(&mut self, bytes: &mut [u8]) -> Result<(), RngError> {
        self.0.read(bytes);
        Ok(())
    }
}
