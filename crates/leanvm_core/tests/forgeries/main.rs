//! Witnesses with one thing changed: what is wrong with each, and which check refuses its proof.

mod accesses;
mod arithmetic;
mod blocks;
mod control;
mod fixture;
mod forge;
mod mutations;
mod padding;
mod sweep;
