//! The transcript on both sides, the proof stream and its encoding, grinding, and the arithmetic of verifiers.

#![no_std]
