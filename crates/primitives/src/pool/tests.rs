use alloc::{vec, vec::Vec};
use core::sync::atomic::{AtomicUsize, Ordering};

use super::*;

/// Thread counts around the edges: sequential, the usual, more than there are cores or tasks.
const COUNTS: [usize; 4] = [1, 2, 3, 17];

#[test]
fn every_call_equals_its_loop_for_any_number_of_threads() {
    for n in COUNTS {
        for tasks in [0, 1, 2, 3, 7, 64, 251] {
            with_threads(n, || {
                let squares: Vec<usize> = (0..tasks).map(|i| i * i).collect();
                assert_eq!(map(tasks, |i| i * i), squares, "map, {n} threads, {tasks} tasks");

                let counters: Vec<AtomicUsize> = (0..tasks).map(|_| AtomicUsize::new(0)).collect();
                for_each(tasks, |i| {
                    counters[i].fetch_add(i + 1, Ordering::Relaxed);
                });
                let counted: Vec<usize> = counters.iter().map(|c| c.load(Ordering::Relaxed)).collect();
                assert_eq!(
                    counted,
                    (1..=tasks).collect::<Vec<_>>(),
                    "for_each, {n} threads, {tasks} tasks"
                );

                for chunk in [1, 2, 5, 300] {
                    let mut cut = vec![0; tasks];
                    for_each_chunk_mut(&mut cut, chunk, |i, piece| {
                        for (j, item) in piece.iter_mut().enumerate() {
                            *item += i * chunk + j + 1;
                        }
                    });
                    assert_eq!(
                        cut, counted,
                        "for_each_chunk_mut, {n} threads, {tasks} items by {chunk}"
                    );
                }

                for chunk in [1, 2, 5, 300] {
                    let (made, lengths) = make_vec(tasks, chunk, 7, |i, piece| {
                        for (j, item) in piece.iter_mut().enumerate() {
                            *item += i * chunk + j;
                        }
                        piece.len()
                    });
                    assert_eq!(made, (7..tasks + 7).collect::<Vec<_>>());
                    assert_eq!(lengths.len(), tasks.div_ceil(chunk));
                    assert_eq!(lengths.into_iter().sum::<usize>(), tasks);
                }

                let mut doubled = vec![0; tasks];
                for_each_item(doubled.iter_mut().zip(&counted).collect(), |(to, from)| {
                    *to = 2 * from;
                });
                assert_eq!(doubled, counted.iter().map(|c| 2 * c).collect::<Vec<_>>());
            });
        }
    }
}

#[test]
fn no_vector_is_left_of_a_panic() {
    for n in COUNTS {
        let made = std::panic::catch_unwind(|| {
            with_threads(n, || {
                make_vec(100, 7, 1, |i, _| assert_ne!(i, 3, "the third piece"))
            })
        });
        assert!(made.is_err(), "{n} threads");
    }
}

#[test]
fn calls_nest() {
    fn sum(from: usize, to: usize) -> usize {
        if to - from < 2 {
            return (from..to).sum();
        }
        let middle = from.midpoint(to);
        let (low, high) = join(|| sum(from, middle), || sum(middle, to));
        low + high
    }
    for n in COUNTS {
        with_threads(n, || {
            let sums = map(9, |i| map(i, |j| sum(0, 10 * j)).into_iter().sum::<usize>());
            let expected: Vec<usize> = (0..9)
                .map(|i| (0..i).map(|j| (0..10 * j).sum::<usize>()).sum())
                .collect();
            assert_eq!(sums, expected);
        });
    }
}

#[cfg(feature = "std")]
mod with_std {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::thread;

    #[test]
    fn a_scope_has_its_own_number_of_threads_wherever_its_tasks_run() {
        let outside = threads();
        for n in COUNTS {
            with_threads(n, || {
                assert_eq!(threads(), n);
                assert_eq!(map(40, |_| threads()), vec![n; 40]);
                with_threads(1, || assert_eq!(threads(), 1));
                with_threads(5, || assert_eq!(threads(), 5));
                assert_eq!(threads(), n);
            });
        }
        assert_eq!(threads(), outside);
    }

    #[test]
    fn one_thread_is_the_calling_thread_in_the_order_of_the_tasks() {
        let me = thread::current().id();
        let seen = std::sync::Mutex::new(Vec::new());
        with_threads(1, || {
            for_each(10, |i| seen.lock().unwrap().push((i, thread::current().id())));
            assert_eq!(install(|| thread::current().id()), me);
            assert_eq!(
                join(|| thread::current().id(), || thread::current().id()),
                (me, me)
            );
        });
        assert_eq!(
            *seen.lock().unwrap(),
            (0..10).map(|i| (i, me)).collect::<Vec<_>>()
        );
    }

    #[test]
    fn what_is_installed_stays_on_its_thread_across_calls() {
        with_threads(3, || {
            let me = thread::current().id();
            for_each(50, |_| ());
            install(|| assert_eq!(thread::current().id(), me));
            assert_eq!(thread::current().id(), me);
        });
    }

    #[test]
    fn several_threads_work_at_once() {
        // Each side waits for the other, so one thread alone would never come to an end.
        let barrier = std::sync::Barrier::new(2);
        with_threads(2, || join(|| barrier.wait(), || barrier.wait()));
        with_threads(2, || {
            for_each(2, |_| {
                barrier.wait();
            });
        });
    }

    #[test]
    fn a_panic_in_a_task_reaches_the_caller_and_leaves_the_scope_as_it_was() {
        let outside = threads();
        for n in COUNTS {
            let failing = || with_threads(n, || for_each(20, |i| assert!(i != 13, "task {i} fails")));
            let panic = catch_unwind(AssertUnwindSafe(failing)).unwrap_err();
            assert_eq!(
                panic.downcast_ref::<std::string::String>().unwrap(),
                "task 13 fails"
            );
            assert_eq!(threads(), outside);
        }
    }

    #[test]
    fn a_number_of_threads_is_parsed_or_refused_with_its_value() {
        assert_eq!(threaded::parse("1"), Ok(1));
        assert_eq!(threaded::parse("1024"), Ok(1024));
        for bad in ["", "0", "1025", "-1", "two", "2 ", "1e3", "99999999999999999999"] {
            let error = threaded::parse(bad).unwrap_err();
            assert_eq!(error.value, bad);
            assert!(std::format!("{error}").contains(NUM_THREADS_VARIABLE));
        }
    }
}

#[test]
#[should_panic(expected = "1 to 1024 threads, and 0 were asked for")]
fn a_scope_without_threads_is_refused() {
    with_threads(0, || ());
}
