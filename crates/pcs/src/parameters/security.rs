//! The soundness of an opening, message by message, and the derivation of the parameter table from it.
//!
//! Every challenge is charged its round-by-round error in the regime of the Johnson bound; the theorems
//! and the argument are in `doc/soundness.md`, whose letters are used here: rate `rho` (dimension minus
//! one, over the length), `m` the slack (`eta = sqrt(rho) / m`), radius `gamma = 1 - sqrt(rho) (1 + 1/m)`,
//! list size `L = m / (2 rho)`.
//!
//! Floating point: the derivation is a test, and nothing here is read by a prover or a verifier.

extern crate std;

use alloc::vec::Vec;
use core::fmt;

use super::{GRINDING_BITS, LOG_FOLD, Level, Parameters, RATE_STEP, levels_of};

/// The bits that every message of a verifier must reach.
pub const SECURITY_BITS: f64 = 128.0;

/// log2 of the greatest list of level 0, which every challenge between commitment and opening pays.
pub const MAX_LOG_LIST: f64 = 12.0;

/// log2 of the challenges.
const LOG_CHALLENGES: f64 = 192.0;

/// A message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Message {
    /// The challenge that batches the ring-switched families.
    Families,
    /// One of the six challenges of the ring-switching map, the worst of them.
    RingSwitch,
    /// The challenge that batches the claims on the stack.
    Claims,
    /// A fold challenge of a level.
    Fold {
        /// The level.
        level: usize,
    },
    /// The out-of-domain point of a level's oracle.
    OutOfDomain {
        /// The level.
        level: usize,
    },
    /// The queries of a level, with the grinding before them.
    Queries {
        /// The level.
        level: usize,
    },
    /// The challenge that batches what the queries of a level claim.
    Batch {
        /// The level.
        level: usize,
    },
    /// A round on the residual table.
    Closing,
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Families => f.write_str("batching of families"),
            Self::RingSwitch => f.write_str("ring-switching map"),
            Self::Claims => f.write_str("batching of claims"),
            Self::Fold { level } => write!(f, "fold of level {level}"),
            Self::OutOfDomain { level } => write!(f, "out-of-domain point of level {level}"),
            Self::Queries { level } => write!(f, "queries of level {level}"),
            Self::Batch { level } => write!(f, "batching at level {level}"),
            Self::Closing => f.write_str("closing rounds"),
        }
    }
}

/// The error of one message of the verifier.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundError {
    /// The message.
    pub message: Message,
    /// The error is 2^-`bits`.
    pub bits: f64,
}

/// The soundness of every message of an opening.
#[derive(Clone, Debug, PartialEq)]
pub struct Security {
    /// log2 of the list of level 0: what every challenge drawn between commitment and opening pays.
    pub log_list: f64,
    /// The messages, in the order of the protocol.
    pub rounds: Vec<RoundError>,
}

impl Security {
    /// The bits of the weakest message.
    #[must_use]
    pub fn bits(&self) -> f64 {
        self.rounds
            .iter()
            .map(|round| round.bits)
            .fold(f64::INFINITY, f64::min)
    }
}

/// The error in bits of each message of an opening of `claims` claims, of which `families` are ring-switched.
#[must_use]
pub fn security(parameters: &Parameters, families: usize, claims: usize) -> Security {
    let levels = parameters.levels();
    let lists: Vec<Regime> = levels
        .iter()
        .enumerate()
        .map(|(i, level)| Regime::best(&Code::of(level), i == 0))
        .collect();
    let log_list = lists[0].list().log2();
    let mut rounds = Vec::new();
    let mut push = |message, log_error: f64| {
        rounds.push(RoundError {
            message,
            bits: -log_error,
        });
    };
    let batch = |terms: usize| (terms.max(1) as f64).log2() - LOG_CHALLENGES;

    push(Message::Families, batch(families.saturating_sub(1)) + log_list);
    push(Message::RingSwitch, 31.0 - LOG_CHALLENGES + log_list);
    push(Message::Claims, batch(claims.saturating_sub(1)) + log_list);
    for (i, (level, regime)) in levels.iter().zip(&lists).enumerate() {
        if i > 0 {
            push(
                Message::OutOfDomain { level: i },
                regime.out_of_domain(level.variables()).log2(),
            );
            let batched = levels[i - 1].plan.count() + 1;
            push(
                Message::Queries { level: i - 1 },
                lists[i - 1].queries(levels[i - 1].plan.count()),
            );
            push(
                Message::Batch { level: i - 1 },
                batch(batched) + regime.list().log2(),
            );
        }
        push(Message::Fold { level: i }, regime.fold().log2());
    }
    let last = levels.len() - 1;
    push(
        Message::Queries { level: last },
        lists[last].queries(levels[last].plan.count()),
    );
    push(Message::Batch { level: last }, batch(levels[last].plan.count()));
    push(Message::Closing, batch(2));
    Security { log_list, rounds }
}

/// The code of a level.
#[derive(Clone, Copy)]
struct Code {
    /// The variables of the function that the oracle commits to.
    variables: usize,
    log_message: usize,
    log_leaves: usize,
}

impl Code {
    fn of(level: &Level) -> Self {
        Self {
            variables: level.variables(),
            log_message: level.log_message,
            log_leaves: level.log_leaves(),
        }
    }
}

/// A code together with the slack at which it is analysed.
#[derive(Clone, Copy)]
struct Regime {
    rho: f64,
    length: f64,
    m: f64,
}

impl Regime {
    /// The least slack, that is the greatest `m`, at which the challenges of the level are sound.
    fn best(code: &Code, first: bool) -> Self {
        let length = f64::exp2(code.log_leaves as f64);
        let rho = (f64::exp2(code.log_message as f64) - 1.0) / length;
        let sound = |m: u32| {
            let regime = Self {
                rho,
                length,
                m: f64::from(m),
            };
            let challenges = if first {
                regime.list() <= MAX_LOG_LIST.exp2()
            } else {
                regime.out_of_domain(code.variables).log2() <= -SECURITY_BITS
            };
            challenges && regime.fold().log2() <= -SECURITY_BITS
        };
        // Every error grows with m, and the theorem asks for m >= 3.
        let (mut low, mut high) = (3, 1 << 16);
        assert!(sound(low) && !sound(high), "no slack makes the level sound");
        while high - low > 1 {
            let middle = u32::midpoint(low, high);
            if sound(middle) {
                low = middle;
            } else {
                high = middle;
            }
        }
        Self {
            rho,
            length,
            m: f64::from(low),
        }
    }

    fn list(&self) -> f64 {
        self.m / (2.0 * self.rho)
    }

    /// log2 of `1 - gamma`.
    fn log_agreement(&self) -> f64 {
        (self.rho.sqrt() * (1.0 + 1.0 / self.m)).log2()
    }

    /// The error of one fold challenge.
    fn fold(&self) -> f64 {
        let gamma = 1.0 - self.log_agreement().exp2();
        let m = self.m + 0.5;
        let mutual_agreement = (2.0 * m.powi(5) + 3.0 * m * gamma * self.rho) / (3.0 * self.rho.powf(1.5))
            * self.length
            + m / self.rho.sqrt();
        (2.0 * self.list() + mutual_agreement) / LOG_CHALLENGES.exp2()
    }

    /// The error of an out-of-domain point.
    fn out_of_domain(&self, variables: usize) -> f64 {
        let pairs = self.list() * (self.list() - 1.0) / 2.0;
        pairs * ((variables as f64).exp2() - 1.0) / LOG_CHALLENGES.exp2()
    }

    /// log2 of the error of `t` queries and the grinding before them.
    fn queries(&self, t: usize) -> f64 {
        t as f64 * self.log_agreement() - GRINDING_BITS as f64
    }

    /// The least number of queries that reaches the bits asked for.
    fn least_queries(&self) -> usize {
        ((SECURITY_BITS - GRINDING_BITS as f64) / -self.log_agreement()).ceil() as usize
    }
}

/// The entry of the parameter table for one size, rate and number of lanes: queries and log2 of strata of
/// each level.
///
/// Of the ways to stratify, the one that costs a verifier of rows the least is taken, `t (2 h + d - k) + 2^k`
/// with `h` compressions a leaf (counted twice, since its words are folded and sent too) and a path of
/// `d - k` hashes a query; of equals, the fewest strata.
#[must_use]
pub fn derive(log_words: usize, log_inv_rate: usize, log_lanes: usize) -> Vec<(u16, u8)> {
    let mut variables = log_words;
    (0..levels_of(log_words, log_lanes))
        .map(|i| {
            let log_fold = if i == 0 { log_lanes } else { LOG_FOLD };
            variables -= log_fold;
            let log_leaves = variables + log_inv_rate + RATE_STEP * i;
            let code = Code {
                variables: variables + log_fold,
                log_message: variables,
                log_leaves,
            };
            let least = Regime::best(&code, i == 0).least_queries();
            let words: usize = if i == 0 { 1 << log_fold } else { 3 << log_fold };
            let cost = |k: usize| {
                let t = least.next_multiple_of(1 << k);
                t * (2 * (words / 8) + log_leaves - k) + (1usize << k)
            };
            let log_strata = (0..log_leaves).min_by_key(|&k| cost(k)).unwrap_or(0);
            (least.next_multiple_of(1 << log_strata) as u16, log_strata as u8)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::super::{LOG_INV_RATE, LOG_WORDS, table};
    use super::*;

    #[test]
    fn the_table_is_what_the_formulas_give() {
        let derived: Vec<Vec<Vec<(u16, u8)>>> = LOG_INV_RATE
            .map(|r| {
                LOG_WORDS
                    .map(|log_words| derive(log_words, r, table::LOG_LANES))
                    .collect()
            })
            .collect();
        let written: Vec<Vec<Vec<(u16, u8)>>> = table::TABLE
            .iter()
            .map(|sizes| sizes.iter().map(|levels| levels.to_vec()).collect())
            .collect();
        assert_eq!(
            written, derived,
            "put the derived table, on the right, into table.rs"
        );
    }

    #[test]
    fn every_message_has_128_bits_at_every_size_and_rate() {
        for r in LOG_INV_RATE {
            for log_words in LOG_WORDS {
                let security = security(&Parameters::new(log_words, r).unwrap(), 1 << 8, 1 << 16);
                for round in &security.rounds {
                    assert!(
                        round.bits >= SECURITY_BITS,
                        "2^{log_words} words, rate 2^-{r}: {round:?}"
                    );
                }
                assert!(security.log_list <= MAX_LOG_LIST);
                assert!(security.bits() >= SECURITY_BITS);
            }
        }
    }

    #[test]
    fn one_query_less_would_miss_the_target() {
        for r in LOG_INV_RATE {
            for log_words in LOG_WORDS {
                for (i, level) in Parameters::new(log_words, r).unwrap().levels().iter().enumerate() {
                    let regime = Regime::best(&Code::of(level), i == 0);
                    let least = regime.least_queries();
                    let (queries, strata) = (level.plan.count(), 1 << level.plan.log_strata());
                    assert!(least <= queries && queries < least + strata);
                    assert!(-regime.queries(least - 1) < SECURITY_BITS);
                }
            }
        }
    }
}
