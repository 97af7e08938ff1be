//! The permutation from its definition (FIPS 202, section 3): what runs off the machine.

/// The constants of the rounds (step iota), then a zero.
pub(super) const CONSTANTS: [u64; 25] = [
    0x0000_0000_0000_0001,
    0x0000_0000_0000_8082,
    0x8000_0000_0000_808a,
    0x8000_0000_8000_8000,
    0x0000_0000_0000_808b,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8009,
    0x0000_0000_0000_008a,
    0x0000_0000_0000_0088,
    0x0000_0000_8000_8009,
    0x0000_0000_8000_000a,
    0x0000_0000_8000_808b,
    0x8000_0000_0000_008b,
    0x8000_0000_0000_8089,
    0x8000_0000_0000_8003,
    0x8000_0000_0000_8002,
    0x8000_0000_0000_0080,
    0x0000_0000_0000_800a,
    0x8000_0000_8000_000a,
    0x8000_0000_8000_8081,
    0x8000_0000_0000_8080,
    0x0000_0000_8000_0001,
    0x8000_0000_8000_8008,
    0,
];

/// How far step rho rotates lane (x, y), at x + 5 y.
#[cfg(not(target_os = "none"))]
const ROTATIONS: [u32; 25] = [
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
];

/// Permutes the lanes; lane (x, y) is word x + 5 y.
#[cfg(not(target_os = "none"))]
pub(super) fn permute(lanes: &mut [u64; 25]) {
    for constant in &CONSTANTS[..24] {
        // Theta.
        let parity: [u64; 5] = core::array::from_fn(|x| (0..5).fold(0, |sum, y| sum ^ lanes[x + 5 * y]));
        for (i, lane) in lanes.iter_mut().enumerate() {
            *lane ^= parity[(i + 4) % 5] ^ parity[(i + 1) % 5].rotate_left(1);
        }
        // Rho and pi.
        let mut moved = [0; 25];
        for (i, lane) in lanes.iter().enumerate() {
            let (x, y) = (i % 5, i / 5);
            moved[y + 5 * ((2 * x + 3 * y) % 5)] = lane.rotate_left(ROTATIONS[i]);
        }
        // Chi.
        for (i, lane) in lanes.iter_mut().enumerate() {
            let (x, row) = (i % 5, i / 5 * 5);
            *lane = moved[i] ^ (!moved[row + (x + 1) % 5] & moved[row + (x + 2) % 5]);
        }
        // Iota.
        lanes[0] ^= constant;
    }
}
