use shakmaty::Square;

use super::*;
use crate::moves::{MoveKind, PackedMove};
use crate::tree::{Branch, MoveTree, Start};

/// What a comment says.
fn read(comment: &str) -> (Option<u32>, Option<u32>, Option<i16>) {
    let mut found = Annotations::default();
    found.note(1, comment);
    let first = |list: &[(u32, u32)]| list.first().map(|(_, value)| *value);
    let evaluation = found.evaluations.first().map(|(_, value)| *value);
    (first(&found.clocks), first(&found.elapsed), evaluation)
}

/// A game of one line and a variation in place of its last move. Nobody looks at the moves.
fn tree(moves: usize) -> MoveTree {
    let m = PackedMove::new(Square::A1, Square::B1, MoveKind::Normal);
    MoveTree {
        start: Start::Standard,
        moves: vec![m; moves + 1],
        branches: vec![Branch {
            node: u32::try_from(moves).unwrap() + 1,
            parent: u32::try_from(moves).unwrap() - 1,
        }],
    }
}

fn tags(control: &str) -> Vec<(String, String)> {
    vec![("TimeControl".to_owned(), control.to_owned())]
}

fn values(annotations: &Annotations, tree: &MoveTree, quantity: Quantity) -> Vec<Option<i32>> {
    let mut quantities = Quantities::default();
    quantities.load(tree, annotations, QuantitySet::of(Quantity::ALL));
    let mut alone = Quantities::default();
    alone.load(tree, annotations, QuantitySet::of([quantity]));
    assert_eq!(alone.values(quantity), quantities.values(quantity));
    (0..u32::try_from(tree.len()).unwrap())
        .map(|node| quantities.get(quantity, node))
        .collect()
}

#[test]
fn times_are_read() {
    for (text, milliseconds) in [
        ("0:03:00", 180_000),
        ("1:00:00", 3_600_000),
        ("00:00:09.8", 9_800),
        ("0:00:07.", 7_000),
        ("0:00:00.0459", 45),
        ("2:75:61", 11_761_000),
        ("999999999999:00:00", u32::MAX),
    ] {
        assert_eq!(
            read(&format!("[%clk {text}]")),
            (Some(milliseconds), None, None),
            "{text}"
        );
        assert_eq!(
            read(&format!("a [%emt {text}] b")),
            (None, Some(milliseconds), None),
            "{text}"
        );
    }
    for bad in [
        "99",
        "1:30",
        "0:0:0:0",
        "a:00:00",
        "0:00:-1",
        "0::00",
        "0:00:.5",
        "0:00:01.x",
        "0:00:01 ",
        "",
    ] {
        assert_eq!(read(&format!("[%clk {bad}]")), (None, None, None), "{bad}");
    }
}

#[test]
fn evaluations_are_read() {
    for (text, value) in [
        ("0.17", 17),
        ("-1.5", -150),
        ("+.5", 50),
        ("-0.03,24", -3),
        ("12", 1_200),
        ("7.", 700),
        ("0", 0),
        ("299.99", 29_999),
        ("-9999999999.99", -30_000),
        ("327.68", 30_000),
        ("#1", 31_999),
        ("#-3", -31_997),
        ("#+12,40", 31_988),
        ("#0", MATED),
    ] {
        assert_eq!(read(&format!("[%eval {text}]")), (None, None, Some(value)), "{text}");
    }
    for bad in [
        "abc",
        "",
        "#",
        "#x",
        ".",
        "-",
        "1.234",
        "1,",
        "1,x",
        "12345678901",
        "--1",
        "#1001",
        "1 ",
        ",3",
        "1.x",
    ] {
        assert_eq!(read(&format!("[%eval {bad}]")), (None, None, None), "{bad}");
    }
}

#[test]
fn the_first_readable_command_of_a_kind_counts() {
    let comment = "[%clk 1] [%eval 0.2] [%cal Ga1b2] good [%clk 0:00:02] [%clk 0:00:03] [%eval 9] [%emt 0:00:01";
    assert_eq!(read(comment), (Some(2_000), None, Some(20)));
    assert_eq!(read("[%clk [%emt 0:00:05]]"), (None, Some(5_000), None));
    assert_eq!(read("[%CLK 0:00:05] [% clk 0:00:05] [%clk0:00:05]"), (None, None, None));
}

#[test]
fn a_clock_stays_until_the_side_moves_again() {
    let tree = tree(4);
    let mut found = Annotations::default();
    // No move leads to the first position.
    for (node, clock) in [(0, 9), (1, 60), (2, 58), (3, 50), (5, 33)] {
        found.note(node, &format!("[%clk 0:00:{clock:02}]"));
    }
    found.finish(&tree, &[]);
    let of = |quantity| values(&found, &tree, quantity);
    assert_eq!(
        of(Quantity::WhiteClock),
        [None, Some(60), Some(60), Some(50), Some(50), Some(50)]
    );
    assert_eq!(
        of(Quantity::BlackClock),
        [None, None, Some(58), Some(58), None, Some(33)]
    );
    // Without an increment that is known, nothing is known of the time.
    assert_eq!(of(Quantity::MoveTime), [None; 6]);
}

#[test]
fn the_time_of_a_move_is_told_or_follows_from_the_clock() {
    let tree = tree(5);
    let mut found = Annotations::default();
    let clocks = ["1:00:00", "1:00:00", "0:59:50.5", "1:00:10", "0:59:51", "0:59:40"];
    for (node, clock) in (1..).zip(clocks) {
        found.note(node, &format!("[%clk {clock}]"));
    }
    found.note(3, "[%emt 0:00:07.9]");
    found.finish(&tree, &tags("3600+5"));
    let expected = [None, None, None, Some(7), None, Some(4), Some(15)];
    assert_eq!(values(&found, &tree, Quantity::MoveTime), expected);
    found.elapsed.clear();
    assert_eq!(values(&found, &tree, Quantity::MoveTime)[3], Some(14));
}

#[test]
fn increments_are_read() {
    for (control, seconds) in [
        ("180+2", Some(2)),
        ("600", Some(0)),
        ("40/7200:3600", Some(0)),
        ("40/5400+30:1800+30", Some(30)),
        ("1/86400", Some(0)),
        ("-", None),
        ("?", None),
        ("90 min + 30 sec", None),
        ("*180", None),
        ("180+", None),
        ("180+99999999999", None),
    ] {
        assert_eq!(increment(control), seconds, "{control}");
    }
}

#[test]
fn the_side_to_move_is_mated() {
    let tree = tree(2);
    for (node, value) in [(0, -MATE), (1, MATE), (2, -MATE)] {
        let mut found = Annotations::default();
        found.note(node, "[%eval #0]");
        found.finish(&tree, &[]);
        assert_eq!(found.evaluations, [(node, value)]);
        assert_eq!(
            values(&found, &tree, Quantity::Evaluation)[node as usize],
            Some(i32::from(value))
        );
    }
}
