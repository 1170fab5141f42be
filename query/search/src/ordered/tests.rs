//! Order, ends, errors and panics of tasks in a row.

use std::sync::atomic::AtomicUsize;

use super::*;

/// A game that tells its number.
fn game(number: usize) -> GameMatch {
    GameMatch {
        number: number as u64,
        fullmoves: 1,
        positions: Vec::new(),
        result: evaluator::GameResult::default(),
    }
}

/// A task that gives some batches of a game each, and one more at its end; all with the number of the task.
fn work(task: usize, batches: usize, outlet: &mut dyn Outlet) -> Result<TaskResult, TaskError> {
    for _ in 0..batches {
        outlet.give(vec![game(task)])?;
        outlet.tick()?;
    }
    Ok(TaskResult {
        games: vec![game(task)],
        ..TaskResult::default()
    })
}

/// Threads of one's own.
fn pool() -> Threads {
    Threads::new(std::num::NonZeroUsize::new(4).unwrap())
}

fn numbers(find: &Find) -> Vec<u64> {
    let games = match find {
        Find::Games(games) => games,
        Find::End(found) => &found.games,
    };
    games.iter().map(|game| game.number).collect()
}

#[test]
fn finds_come_in_the_order_of_the_tasks_and_all_of_them() {
    for threads in 1..5 {
        let (mut found, mut ends) = (Vec::new(), 0);
        // Every third task has more to give than may wait.
        let batches = |task: usize| if task.is_multiple_of(3) { 40 } else { task % 2 };
        run(
            50,
            threads,
            &pool(),
            |task, outlet| work(task, batches(task), outlet),
            &mut |task, find| {
                let find = find.unwrap();
                assert!(numbers(&find).iter().all(|&number| number == task as u64));
                found.extend(numbers(&find));
                ends += usize::from(matches!(find, Find::End(_)));
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
        let wanted = (0..50).flat_map(|task| vec![task as u64; batches(task) + 1]);
        assert_eq!((found, ends), (wanted.collect(), 50));
    }
}

#[test]
fn nothing_is_begun_behind_an_end_and_no_error_behind_another_is_told() {
    for threads in 1..5 {
        let begun = AtomicUsize::new(0);
        let fails_from = |bad: usize| {
            let begun = &begun;
            move |task: usize, outlet: &mut dyn Outlet| {
                begun.fetch_add(1, Ordering::Relaxed);
                match task < bad {
                    true => work(task, 5, outlet),
                    false => Err(TaskError::Shared),
                }
            }
        };
        let mut first = None;
        let error = run(1000, threads, &pool(), fails_from(7), &mut |task, find| {
            first = first.or(find.is_err().then_some(task));
            find.map(|_| ControlFlow::Continue(()))
                .map_err(|_| SearchError::Stopped)
        });
        assert!(matches!(error, Err(SearchError::Stopped)));
        assert_eq!(first, Some(7));
        // However slow the first of all are: no more than so many errors wait, and one task of each thread.
        assert!(begun.load(Ordering::Relaxed) <= 8 + AHEAD * threads + 1 + threads);
        begun.store(0, Ordering::Relaxed);
        let mut seen = 0;
        run(1000, threads, &pool(), fails_from(1000), &mut |task, _| {
            seen = task;
            Ok(if task == 3 {
                ControlFlow::Break(())
            } else {
                ControlFlow::Continue(())
            })
        })
        .unwrap();
        assert_eq!(seen, 3);
        assert!(begun.load(Ordering::Relaxed) <= 4 + AHEAD * threads + 1 + threads);
    }
}

#[test]
fn nobody_waits_for_a_task_that_panics() {
    for threads in 1..4 {
        let outcome = std::panic::catch_unwind(|| {
            let bad = |task: usize, outlet: &mut dyn Outlet| {
                assert!(task != 5, "as it should");
                work(task, 9, outlet)
            };
            run(20, threads, &pool(), bad, &mut |_, _| Ok(ControlFlow::Continue(())))
        });
        assert!(outcome.is_err());
    }
}

#[test]
fn several_searches_at_once_all_come_to_an_end() {
    let pool = pool();
    std::thread::scope(|scope| {
        for _ in 0..6 {
            scope.spawn(|| {
                let mut count = 0;
                run(
                    60,
                    4,
                    &pool,
                    |task, outlet| work(task, task % 5, outlet),
                    &mut |_, find| {
                        count += numbers(&find.unwrap()).len();
                        Ok(ControlFlow::Continue(()))
                    },
                )
                .unwrap();
                assert_eq!(count, (0..60).map(|task| task % 5 + 1).sum::<usize>());
            });
        }
    });
}
