//! Profiles: every cycle is counted once, where it belongs.

use rv::profile::{CallPaths, by_function, text};
use rv::{Class, Limits};

use super::program;

/// `main` calls `f` three times; `f` calls `g` and ends in a tail call of `h`.
const SOURCE: &str = "
    main:   li s0, 3
    again:  call f
            addi s0, s0, -1
            bnez s0, again
            li a7, 93
            ecall
    f:      mv s1, ra
            call g
            mv ra, s1
            tail h
    g:      nop
            ret
    h:      ret";

#[test]
fn cycles_are_counted_by_class_and_by_function() {
    let program = program(SOURCE);
    let run = rv::run(&program, &[], Limits::default(), &mut ()).unwrap();
    assert_eq!(run.cycles, 1 + 3 * 3 + 2 + 3 * (4 + 2 + 1));
    let functions = by_function(&program, &run);
    let expected = [("f", 12), ("again", 11), ("g", 6), ("h", 3), ("main", 1)];
    assert_eq!(
        functions,
        expected.map(|(name, cycles)| (name.to_owned(), cycles))
    );
    let rows = run.rows(&program);
    assert_eq!(
        (rows[Class::Eq.index()], rows[Class::Jump.index()]),
        (3, 3 * 5 + 1)
    );
    let report = text(&program, &run);
    assert!(
        report.contains("12  36.36 % f\n") && report.contains("3   9.09 % EQ\n"),
        "{report}"
    );
}

#[test]
fn cycles_are_counted_by_call_path() {
    let program = program(SOURCE);
    let mut paths = CallPaths::new(&program);
    rv::run(&program, &[], Limits::default(), &mut paths).unwrap();
    // Running on into the label `again` is no call; jumping back to it is taken for a tail call.
    let main = "main 4\nmain;f 4\nmain;f;g 2\nmain;h 1\n";
    assert_eq!(
        paths.folded(),
        format!("again 8\nagain;f 8\nagain;f;g 4\nagain;h 2\n{main}")
    );
}

#[test]
fn recursion_returns_to_where_it_began() {
    let program = program(
        "main: li a0, 3\ncall f\nli a7, 93\necall\nf: mv t1, ra\nbeqz a0, end\naddi a0, a0, -1\ncall f\nend: ret",
    );
    let mut paths = CallPaths::new(&program);
    // The recursion has no stack, so it never comes back to `main`: the limit ends it.
    let _ = rv::run(&program, &[], Limits { cycles: 14 }, &mut paths);
    assert_eq!(paths.folded(), "main 2\nmain;f 4\nmain;f;f 4\nmain;f;f;f 4\n");
}
