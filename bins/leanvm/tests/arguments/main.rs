//! Whatever the arguments are, the command line understands or refuses them, with the exit codes of its help.

mod trial;

use std::fs;
use std::path::Path;

#[test]
fn the_seeds_of_the_fuzz_target() {
    let seeds = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds/arguments");
    let seeds: Vec<_> = fs::read_dir(seeds).expect("there are seeds").collect();
    assert!(!seeds.is_empty());
    for seed in seeds {
        trial::try_bytes(&fs::read(seed.unwrap().path()).unwrap());
    }
}

#[test]
fn arguments_at_random() {
    let mut state = 1u64;
    for _ in 0..2000 {
        let mut bytes = Vec::new();
        for _ in 0..6 {
            state = state
                .wrapping_mul(0x5851_f42d_4c95_7f2d)
                .wrapping_add(0x1405_7b7e_f767_814f);
            bytes.push((state >> 56) as u8);
            if state >> 54 & 3 == 0 {
                break;
            }
        }
        trial::try_bytes(&bytes);
    }
}
