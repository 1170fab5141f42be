//! What is asked of each move of a `path`, one after the other: a small automaton over the moves in focus.
//!
//! It accepts whatever the path does, and more: conditions between the moves are left out. It is run without any state of
//! the evaluator, so that most beginnings of a path that lead nowhere cost next to nothing.

use language::hir::{Dash, Filter, Node, PathStep, Range, Repeat, VariableId};
use shakmaty::Bitboard;

/// How many moves of a path are told apart.
const MAX_MOVES: usize = u64::BITS as usize;

/// How often something that is repeated is written out; beyond that it may be repeated as often as it likes.
const MAX_COPIES: u32 = 8;

/// The moves of a path. A set of them is a bit for each.
#[derive(Clone, Debug)]
pub(crate) struct Outline<'q> {
    /// What is asked of each; `None` where every move will do.
    pub(crate) moves: Vec<Option<&'q Dash>>,
    /// With which of them it begins.
    pub(crate) first: u64,
    /// After which of them it may end.
    pub(crate) last: u64,
    /// By move, those that may follow it.
    pub(crate) after: Vec<u64>,
    /// The variables that get values on the way.
    pub(crate) assigned: Vec<VariableId>,
}

/// Some steps of it.
#[derive(Clone, Copy, Debug)]
struct Part {
    first: u64,
    last: u64,
    /// Whether they may be passed without a move.
    may_be_nothing: bool,
}

impl Part {
    const NOTHING: Part = Part {
        first: 0,
        last: 0,
        may_be_nothing: true,
    };
}

impl<'q> Outline<'q> {
    /// The outline of a path; `None` if nothing is asked of its moves, or they are too many.
    pub(super) fn of(steps: &'q [PathStep], path: &Filter) -> Option<Outline<'q>> {
        let mut assigned = Vec::new();
        path.any(&mut |part| {
            assigned.extend(part.facts().assigns);
            false
        });
        let mut outline = Outline {
            moves: Vec::new(),
            first: 0,
            last: 0,
            after: Vec::new(),
            assigned,
        };
        let Part { first, last, .. } = outline.add_steps(steps)?;
        (outline.first, outline.last) = (first, last);
        outline.moves.iter().any(Option::is_some).then_some(outline)
    }

    fn add_steps(&mut self, steps: &'q [PathStep]) -> Option<Part> {
        let mut all = Part::NOTHING;
        for step in steps {
            let next = match step {
                PathStep::Filter(_) => continue,
                PathStep::Dash { dash, repeat } => self.add_repeated(*repeat, &mut |outline| outline.add_move(dash))?,
                PathStep::Chain { steps, repeat } => {
                    self.add_repeated(*repeat, &mut |outline| outline.add_steps(steps))?
                }
            };
            all = self.join(all, next);
        }
        Some(all)
    }

    fn add_move(&mut self, dash: &'q Dash) -> Option<Part> {
        let number = self.moves.len();
        if number == MAX_MOVES {
            return None;
        }
        self.moves.push(Some(dash).filter(|dash| tells(dash, &self.assigned)));
        self.after.push(0);
        Some(Part {
            first: 1 << number,
            last: 1 << number,
            may_be_nothing: false,
        })
    }

    fn add_repeated(&mut self, repeat: Repeat, add: &mut dyn FnMut(&mut Outline<'q>) -> Option<Part>) -> Option<Part> {
        let mut all = Part::NOTHING;
        let needed = repeat.min.min(MAX_COPIES);
        for _ in 0..needed {
            let next = add(self)?;
            all = self.join(all, next);
        }
        let more = repeat.max.and_then(|max| max.checked_sub(repeat.min));
        match more {
            Some(more) if repeat.min <= MAX_COPIES && more <= MAX_COPIES => {
                for _ in 0..more {
                    let next = add(self)?;
                    all = self.join(
                        all,
                        Part {
                            may_be_nothing: true,
                            ..next
                        },
                    );
                }
            }
            _ => {
                let next = add(self)?;
                self.follow(next.last, next.first);
                all = self.join(
                    all,
                    Part {
                        may_be_nothing: true,
                        ..next
                    },
                );
            }
        }
        Some(all)
    }

    /// One part and then another.
    fn join(&mut self, a: Part, b: Part) -> Part {
        self.follow(a.last, b.first);
        Part {
            first: if a.may_be_nothing { a.first | b.first } else { a.first },
            last: if b.may_be_nothing { a.last | b.last } else { b.last },
            may_be_nothing: a.may_be_nothing && b.may_be_nothing,
        }
    }

    fn follow(&mut self, these: u64, next: u64) {
        for number in bits::ones(these) {
            self.after[number as usize] |= next;
        }
    }
}

/// Whether something is quickly known of the moves that a dash accepts, given that some variables change.
fn tells(dash: &Dash, assigned: &[VariableId]) -> bool {
    let tells = |set: &Option<Filter>| set.as_ref().is_some_and(|set| is_known(set, assigned));
    dash.capture || dash.promotion.is_some() || tells(&dash.left) || tells(&dash.right)
}

/// Whether squares are quickly known outside of which a set has none.
fn is_known(set: &Filter, assigned: &[VariableId]) -> bool {
    match &set.node {
        Node::Designator(designator) => designator.squares != Bitboard::FULL,
        Node::Variable(variable) => !assigned.contains(variable),
        Node::Direction { range, argument, .. } => {
            Range::steps(range.as_ref()).is_some() && is_known(argument, assigned)
        }
        Node::Union(parts) => parts.iter().all(|part| is_known(part, assigned)),
        Node::Intersection(parts) => parts.iter().any(|part| is_known(part, assigned)),
        Node::NoTransform(inner) => is_known(inner, assigned),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use language::{Dialect, ParseOptions};

    use super::*;

    /// What a path begins with, ends with, and what follows each move.
    fn outline(text: &str) -> Option<(u64, u64, Vec<u64>)> {
        let query = language::compile(text, Dialect::Cql6, &ParseOptions::default()).expect("the query is accepted");
        let mut found = None;
        query.body.any(&mut |part| {
            if let Node::Path(path) = &part.node {
                found = Outline::of(&path.steps, part).map(|outline| (outline.first, outline.last, outline.after));
            }
            false
        });
        found
    }

    fn set(numbers: &[u32]) -> u64 {
        numbers.iter().fold(0, |all, number| all | 1 << number)
    }

    #[test]
    fn moves_follow_each_other_as_the_steps_say() {
        let (first, last, after) = outline("path --a1 --b2 {1,3} (--c3 --)+ --d4 ?").expect("there is an outline");
        assert_eq!(first, set(&[0]));
        assert_eq!(last, set(&[5, 7, 8]));
        let expected = [
            set(&[1]),
            set(&[2, 3, 4]),
            set(&[3, 4]),
            set(&[4]),
            set(&[5]),
            set(&[6, 8]),
            set(&[7]),
            set(&[6, 8]),
            0,
        ];
        assert_eq!(after, expected);
    }

    #[test]
    fn many_repetitions_are_as_many_as_one_likes() {
        let (_, last, after) = outline("path --a1 {30,40} --b2").expect("there is an outline");
        assert_eq!((after.len(), last), (10, set(&[9])));
        assert_eq!(after[8], set(&[8, 9]));
    }

    #[test]
    fn a_path_of_which_nothing_is_known_has_none() {
        for text in [
            "path -- --",
            "path --(check)",
            "path ~Q--",
            "x=a1 path --x x=to",
            "path (--a1 {8} --b2 {8} --c3 {8} --d4 {8}) {8}",
        ] {
            assert_eq!(outline(text), None, "{text}");
        }
        assert!(outline("x=a1 path --x").is_some());
    }
}
