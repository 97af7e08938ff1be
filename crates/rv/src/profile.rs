//! Where a run spends its cycles: by class, by function, by call path.
//!
//! By class and by function a run knows without being watched ([`Run::rows`], [`by_function`]); call paths need
//! the observer [`CallPaths`].

use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::class::Class;
use crate::interpreter::Run;
use crate::isa::{Instruction, Op};
use crate::observe::{Observer, Step};
use crate::program::{Program, TEXT_BASE, slot_pc};

/// The name of what no symbol covers.
const UNKNOWN: &str = "(unknown)";

/// Cycles by function, the largest first.
#[must_use]
pub fn by_function(program: &Program, run: &Run) -> Vec<(String, u64)> {
    let mut cycles: BTreeMap<Option<usize>, u64> = BTreeMap::new();
    for (slot, &count) in run
        .executions
        .iter()
        .enumerate()
        .filter(|&(_, &count)| count != 0)
    {
        *cycles.entry(program.symbols().find(slot_pc(slot))).or_default() += count;
    }
    let mut functions: Vec<_> = cycles
        .into_iter()
        .map(|(symbol, cycles)| (name(program, symbol), cycles))
        .collect();
    functions.sort_by(|a, b| (b.1, &a.0).cmp(&(a.1, &b.0)));
    functions
}

/// A report for reading: cycles by class, then by function, each with its share in percent.
#[must_use]
pub fn text(program: &Program, run: &Run) -> String {
    let classes = Class::ALL
        .iter()
        .zip(run.rows(program))
        .filter(|&(_, rows)| rows != 0);
    let classes = classes.map(|(class, rows)| (String::from(class.name()), rows));
    let mut report = String::new();
    let mut section = |title: &str, lines: &mut dyn Iterator<Item = (String, u64)>| {
        let _ = writeln!(report, "{title}");
        for (name, cycles) in lines {
            let share = 100.0 * cycles as f64 / run.cycles as f64;
            let _ = writeln!(report, "{cycles:>14} {share:>6.2} % {name}");
        }
    };
    section("cycles by class", &mut classes.into_iter());
    section("cycles by function", &mut by_function(program, run).into_iter());
    report
}

/// The name of a symbol.
fn name(program: &Program, symbol: Option<usize>) -> String {
    symbol.map_or_else(
        || String::from(UNKNOWN),
        |i| program.symbols().as_slice()[i].name.clone(),
    )
}

/// Counts cycles by call path.
///
/// A call is a jump that links into `ra` or `t0`, a return a jump through one of them that links nowhere (the
/// convention of the RISC-V specification's return-address stack); any other step into another function is
/// taken for a tail call.
#[derive(Clone, Debug)]
pub struct CallPaths<'a> {
    program: &'a Program,
    /// The symbol of each slot.
    symbols: Vec<Option<usize>>,
    nodes: Vec<Node>,
    /// The node of the function that runs.
    current: usize,
}

/// A function reached by one path.
#[derive(Clone, Debug)]
struct Node {
    symbol: Option<usize>,
    parent: usize,
    children: BTreeMap<Option<usize>, usize>,
    cycles: u64,
}

/// The node above all functions, which is its own parent.
const ROOT: usize = 0;

/// The deepest path that is told apart; deeper calls count for the function at this depth.
const MAX_NODES: usize = 1 << 20;

impl<'a> CallPaths<'a> {
    /// Nothing counted yet.
    #[must_use]
    pub fn new(program: &'a Program) -> Self {
        let symbols: Vec<_> = (0..program.text().len())
            .map(|slot| program.symbols().find(slot_pc(slot)))
            .collect();
        let root = Node {
            symbol: None,
            parent: ROOT,
            children: BTreeMap::new(),
            cycles: 0,
        };
        let mut paths = Self {
            program,
            symbols,
            nodes: vec![root],
            current: ROOT,
        };
        paths.enter(ROOT, paths.symbol_at(program.entry()));
        paths
    }

    /// One line a path: the functions from the outermost to the innermost, joined by semicolons, a space, and
    /// the cycles spent in the innermost; the input of flame-graph tools.
    #[must_use]
    pub fn folded(&self) -> String {
        let mut lines: Vec<String> = Vec::new();
        for node in self.nodes.iter().filter(|node| node.cycles != 0) {
            let mut path = vec![node.symbol];
            let mut parent = node.parent;
            while parent != ROOT {
                path.push(self.nodes[parent].symbol);
                parent = self.nodes[parent].parent;
            }
            let names: Vec<_> = path
                .into_iter()
                .rev()
                .map(|symbol| name(self.program, symbol).replace([';', '\n'], ","))
                .collect();
            lines.push(alloc::format!("{} {}\n", names.join(";"), node.cycles));
        }
        lines.sort();
        lines.concat()
    }

    /// Goes to the node of `symbol` under `parent`.
    fn enter(&mut self, parent: usize, symbol: Option<usize>) {
        let next = self.nodes.len();
        let node = match self.nodes[parent].children.get(&symbol) {
            Some(&node) => node,
            None if next == MAX_NODES => return,
            None => {
                self.nodes[parent].children.insert(symbol, next);
                self.nodes.push(Node {
                    symbol,
                    parent,
                    children: BTreeMap::new(),
                    cycles: 0,
                });
                next
            }
        };
        self.current = node;
    }

    /// The symbol of the code at `pc`.
    fn symbol_at(&self, pc: u64) -> Option<usize> {
        let slot = usize::try_from(pc.wrapping_sub(TEXT_BASE) / 4).ok()?;
        self.symbols.get(slot).copied().flatten()
    }
}

impl Observer for CallPaths<'_> {
    fn retire(&mut self, step: Step) {
        self.nodes[self.current].cycles += 1;
        if step.next_pc == slot_pc(step.slot + 1) {
            return;
        }
        let Some(Some(Instruction { op, rd, rs1, .. })) = self.program.instructions().get(step.slot) else {
            return;
        };
        let is_link = |register: u8| matches!(register, 1 | 5);
        let target = self.symbol_at(step.next_pc);
        let parent = self.nodes[self.current].parent;
        match op {
            Op::Jal | Op::Jalr if is_link(*rd) => self.enter(self.current, target),
            Op::Jalr if is_link(*rs1) && parent != ROOT => self.current = parent,
            _ if target != self.nodes[self.current].symbol => self.enter(parent, target),
            _ => {}
        }
    }
}
