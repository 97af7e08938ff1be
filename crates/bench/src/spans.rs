//! The span tree: how long each stage took, nested as the stages are.

use std::{
    fmt,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tracing::{Subscriber, subscriber::SetGlobalDefaultError};
use tracing_forest::{ForestLayer, processor, tree};
use tracing_subscriber::{Registry, layer::SubscriberExt as _};

/// Records the spans of this process, on every thread, from its creation on.
///
/// Only spans opened and closed on one thread nest, so the prover opens all of its own on the thread that
/// runs it, and none inside of tasks.
#[derive(Debug)]
pub struct Spans {
    finished: Finished,
}

type Finished = Arc<Mutex<Vec<SpanTree>>>;

/// A span with all that was opened inside of it. Siblings of the same name are one, with their times added.
#[derive(Clone, Debug, PartialEq)]
pub struct SpanTree {
    /// The span's name.
    pub name: String,
    /// The span's fields, as `key = value`; empty where siblings are one and differ.
    pub fields: String,
    /// How many spans this is.
    pub count: usize,
    /// How long they were entered, together.
    pub duration: Duration,
    /// What was opened inside of them, in the order of the first of each name.
    pub children: Vec<SpanTree>,
}

impl Spans {
    /// Starts recording: sets the process's subscriber of `tracing`.
    ///
    /// # Errors
    /// If the process has one already.
    pub fn record() -> Result<Self, SetGlobalDefaultError> {
        let finished = Finished::default();
        tracing::subscriber::set_global_default(subscriber(&finished))?;
        Ok(Self { finished })
    }

    /// The outermost spans that were closed since the last call, in the order of their closing.
    ///
    /// Called before the last measured pass and after it, this gives that pass alone.
    pub fn take(&self) -> Vec<SpanTree> {
        std::mem::take(&mut *self.finished.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

fn subscriber(finished: &Finished) -> impl Subscriber + Send + Sync + use<> {
    let finished = finished.clone();
    let keep = move |node: tree::Tree| {
        if let tree::Tree::Span(span) = &node {
            finished
                .lock()
                .unwrap_or_else(PoisonError::into_inner)
                .push(SpanTree::of(span));
        }
        Ok(())
    };
    Registry::default().with(ForestLayer::from(processor::from_fn(keep)))
}

impl SpanTree {
    fn of(span: &tree::Span) -> Self {
        let fields: Vec<String> = span
            .fields()
            .iter()
            .map(|field| format!("{} = {}", field.key(), field.value()))
            .collect();
        let mut children: Vec<Self> = Vec::new();
        for node in span.nodes() {
            if let tree::Tree::Span(child) = node {
                insert(&mut children, Self::of(child));
            }
        }
        Self {
            name: span.name().into(),
            fields: fields.join(", "),
            count: 1,
            duration: span.total_duration(),
            children,
        }
    }

    fn merge(&mut self, other: Self) {
        if self.fields != other.fields {
            self.fields.clear();
        }
        self.count += other.count;
        self.duration += other.duration;
        for child in other.children {
            insert(&mut self.children, child);
        }
    }

    fn label(&self) -> String {
        let mut label = self.name.clone();
        if self.count > 1 {
            label += &format!(" x {}", self.count);
        }
        if !self.fields.is_empty() {
            label += &format!(" ({})", self.fields);
        }
        label
    }

    /// The lines of this tree, as indented label, seconds and percent of the parent.
    fn lines(
        &self,
        first: &str,
        rest: &str,
        parent: Option<Duration>,
        lines: &mut Vec<(String, Duration, f64)>,
    ) {
        let share = parent.map_or(100.0, |parent| percent(self.duration, parent));
        lines.push((first.to_string() + &self.label(), self.duration, share));
        let inside: Duration = self.children.iter().map(|child| child.duration).sum();
        let own = self.duration.saturating_sub(inside);
        let own = (!self.children.is_empty()).then_some(own);
        for (i, child) in self.children.iter().enumerate() {
            let last = own.is_none() && i + 1 == self.children.len();
            let (branch, below) = if last { ("`- ", "   ") } else { ("|- ", "|  ") };
            let (first, rest) = (rest.to_string() + branch, rest.to_string() + below);
            child.lines(&first, &rest, Some(self.duration), lines);
        }
        if let Some(own) = own {
            lines.push((
                format!("{rest}`- (outside of these)"),
                own,
                percent(own, self.duration),
            ));
        }
    }
}

fn insert(siblings: &mut Vec<SpanTree>, span: SpanTree) {
    match siblings.iter_mut().find(|sibling| sibling.name == span.name) {
        Some(sibling) => sibling.merge(span),
        None => siblings.push(span),
    }
}

fn percent(part: Duration, whole: Duration) -> f64 {
    if whole.is_zero() {
        0.0
    } else {
        100.0 * part.as_secs_f64() / whole.as_secs_f64()
    }
}

/// A line per span: its name, its seconds, and its share of the span around it.
impl fmt::Display for SpanTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut lines = Vec::new();
        self.lines("", "", None, &mut lines);
        let width = lines
            .iter()
            .map(|(label, ..)| label.chars().count())
            .max()
            .unwrap_or(0);
        for (label, duration, share) in lines {
            writeln!(
                f,
                "{label:width$}  {:10.6} s  {share:5.1} %",
                duration.as_secs_f64()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tracing::{info_span, subscriber::with_default};

    fn leaf(name: &str, millis: u64) -> SpanTree {
        SpanTree {
            name: name.into(),
            fields: String::new(),
            count: 1,
            duration: Duration::from_millis(millis),
            children: Vec::new(),
        }
    }

    #[test]
    fn spans_nest_and_siblings_of_one_name_are_added() {
        let finished = Finished::default();
        with_default(subscriber(&finished), || {
            info_span!("prove", log_rows = 20).in_scope(|| {
                for round in 0..3 {
                    info_span!("round", round).in_scope(|| info_span!("fold", by = 2).in_scope(|| ()));
                }
                info_span!("open").in_scope(|| ());
            });
            info_span!("verify").in_scope(|| ());
        });
        let spans = Spans { finished };
        let trees = spans.take();
        assert_eq!(spans.take(), []);
        let [prove, verify] = &trees[..] else {
            panic!("two outermost spans, not {trees:?}")
        };
        assert_eq!(
            (prove.label().as_str(), verify.label().as_str()),
            ("prove (log_rows = 20)", "verify")
        );
        let [rounds, open] = &prove.children[..] else {
            panic!("two children, not {:?}", prove.children)
        };
        assert_eq!(
            (rounds.label().as_str(), open.label().as_str()),
            ("round x 3", "open")
        );
        assert_eq!(rounds.children[0].label(), "fold x 3 (by = 2)");
        assert!(prove.duration >= rounds.duration + open.duration);
    }

    #[test]
    fn events_and_the_order_of_closing_leave_no_trace() {
        let finished = Finished::default();
        with_default(subscriber(&finished), || {
            tracing::info!("outside of every span");
            info_span!("prove").in_scope(|| tracing::info!("inside"));
        });
        let trees = Spans { finished }.take();
        assert_eq!(trees.len(), 1);
        assert_eq!(trees[0].children, []);
    }

    #[test]
    fn a_tree_is_printed_with_seconds_and_shares_of_the_parent() {
        let mut commit = leaf("commit", 500);
        commit.children = vec![leaf("ntt", 400)];
        let mut prove = leaf("prove", 2000);
        prove.children = vec![commit, leaf("open", 1500)];
        let expected = "\
prove                       2.000000 s  100.0 %
|- commit                   0.500000 s   25.0 %
|  |- ntt                   0.400000 s   80.0 %
|  `- (outside of these)    0.100000 s   20.0 %
|- open                     1.500000 s   75.0 %
`- (outside of these)       0.000000 s    0.0 %
";
        assert_eq!(prove.to_string(), expected);
    }
}
