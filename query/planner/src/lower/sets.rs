//! Sets of squares that can be computed from posting lists, exactly or as bounds.

use chess::Man;
use language::hir::{AssignOp, Comparison, Dash, Directions, Filter, ManSet, MoveValue, Node, PawnStructure, Range};
use shakmaty::{Bitboard, Color, Role, Square};

use super::Lowering;
use super::bounds::SetBounds;
use super::intervals::NumberBounds;
use super::loops::squares_where;
use super::scope::Way;
use crate::expr::{Candidates, NumberExpr, RayLines, SetExpr, attacked, attackers, left_by_a_move, reached_by_a_move};
use crate::geometry::{self, step};

/// How many parts a number may have that is the file or rank of a square: it is written out eight times.
const MAX_COORDINATE: usize = 40;

impl<'q> Lowering<'q> {
    /// The set that a filter gives, if it can be computed exactly.
    pub(super) fn set(&mut self, filter: &'q Filter) -> Option<SetExpr> {
        self.set_bounds(filter).exact()
    }

    /// Bounds of the set that a filter gives.
    pub(super) fn set_bounds(&mut self, filter: &'q Filter) -> SetBounds {
        if !self.spend(1) {
            return SetBounds::UNKNOWN;
        }
        match &filter.node {
            Node::Designator(designator) => {
                SetBounds::Exact(SetExpr::Contents(designator.men, designator.squares).simplified())
            }
            Node::AllSquares => SetBounds::Exact(SetExpr::Constant(Bitboard::FULL)),
            Node::NoSquares => SetBounds::Exact(SetExpr::Constant(Bitboard::EMPTY)),
            Node::Union(list) => SetBounds::union(self.sets(list)),
            Node::Intersection(list) => SetBounds::intersection(self.sets(list)),
            Node::Complement(inner) => self.set_bounds(inner).complement(),
            Node::Attacks(a, b) => {
                let operands = [self.set_bounds(a), self.set_bounds(b)];
                SetBounds::map(operands, |[a, b]| attackers(a, b))
            }
            Node::AttackedBy(a, b) => {
                let operands = [self.set_bounds(a), self.set_bounds(b)];
                SetBounds::map(operands, |[a, b]| attacked(a, b))
            }
            Node::Between(a, b) => {
                let [a, b] = [self.set_bounds(a), self.set_bounds(b)];
                match (a.is_unknown(), b.is_unknown()) {
                    // Between anything and some squares nearly all squares may lie, if there is one of these.
                    (true, _) => SetBounds::UNKNOWN.where_holds(b.not_empty()),
                    (_, true) => SetBounds::UNKNOWN.where_holds(a.not_empty()),
                    _ => SetBounds::map([a, b], between),
                }
            }
            Node::Ray { directions, arguments } => {
                let arguments = self.sets(arguments);
                rays(RayLines::Given(*directions), arguments, false)
            }
            Node::Xray { arguments, gives_first } => {
                let arguments = self.sets(arguments);
                rays(RayLines::OfPiece, arguments, *gives_first)
            }
            Node::Pin {
                from,
                through,
                to,
                value,
            } => {
                let parts = self.parts_of_pin([from, through, to].map(Option::as_deref));
                SetBounds::map(parts, |parts| SetExpr::pins(parts, *value))
            }
            Node::SquareColor(light, inner) => {
                let squares = if *light {
                    Bitboard::LIGHT_SQUARES
                } else {
                    Bitboard::DARK_SQUARES
                };
                let squares = SetBounds::Exact(SetExpr::Constant(squares));
                SetBounds::intersection(vec![self.set_bounds(inner), squares])
            }
            Node::Direction {
                directions,
                range,
                argument,
            } => {
                let Some((min, max)) = Range::steps(range.as_ref()) else {
                    return SetBounds::UNKNOWN;
                };
                let from = self.set_bounds(argument);
                SetBounds::map([from], |[from]| steps(*directions, [min, max], from))
            }
            Node::PawnStructure(structure) => SetBounds::Exact(pawns(*structure)),
            Node::MakeSquare(file, rank) => {
                let (file, rank) = (self.number_bounds(file), self.number_bounds(rank));
                let square = match (file.value(), rank.value()) {
                    (Some(NumberExpr::Constant(file)), Some(NumberExpr::Constant(rank))) => {
                        SetBounds::Exact(SetExpr::Constant(made_square(*file, *rank)))
                    }
                    _ => self.square_of(&file, &rank),
                };
                square.where_holds(Candidates::both(file.valid, rank.valid))
            }
            Node::MakeSquareNamed(argument) => match self.text_bounds(argument).value() {
                Some(name) => {
                    let square = Square::from_ascii(name.as_bytes()).ok();
                    let square = square.map_or(Bitboard::EMPTY, Bitboard::from_square);
                    let valid = self.has_value(argument);
                    SetBounds::Exact(SetExpr::Constant(square)).where_holds(valid)
                }
                None => SetBounds::UNKNOWN,
            },
            Node::At(place, inner) => self.apart(filter, |lowering| lowering.set_at(place, inner)),
            Node::Variable(variable) => self.scope.squares(*variable),
            Node::NoTransform(inner) | Node::Sort { argument: inner, .. } => self.set_bounds(inner),
            Node::Assign(_, AssignOp::Set, argument) => self.set_bounds(argument),
            Node::Orbit { range: None, variants } => {
                let variants = variants
                    .iter()
                    .map(|variant| self.apart(variant, |lowering| lowering.set_bounds(variant)))
                    .collect();
                SetBounds::union(variants)
            }
            Node::Compound(list) => {
                let Some((last, before)) = list.split_last() else {
                    return SetBounds::UNKNOWN;
                };
                if before.is_empty() {
                    return self.set_bounds(last);
                }
                self.apart(filter, |lowering| {
                    let conditions = lowering.all(before.iter());
                    lowering.set_bounds(last).where_holds(conditions)
                })
            }
            Node::Call { arguments, body } => self.apart(filter, |lowering| {
                let conditions = lowering.pass_arguments(arguments);
                lowering.set_bounds(body).where_holds(conditions)
            }),
            Node::If(condition, then, otherwise) => self.apart(filter, |lowering| {
                let chosen = lowering.branches(condition, then, otherwise.as_deref(), Lowering::set_bounds);
                let otherwise = chosen
                    .otherwise
                    .unwrap_or(SetBounds::Exact(SetExpr::Constant(Bitboard::EMPTY)));
                SetBounds::chosen(&chosen.condition, chosen.then, otherwise)
            }),
            Node::SquareLoop {
                variable,
                all: false,
                domain,
                body,
                ..
            }
            | Node::PieceLoop {
                variable,
                all: false,
                domain,
                body,
                ..
            } => {
                let is_piece = matches!(filter.node, Node::PieceLoop { .. });
                self.loop_set((*variable, is_piece), domain, body)
            }
            Node::Dash(dash) => {
                let made = self.apart(filter, |lowering| lowering.dash_truth(dash));
                self.dash_set(dash).where_holds(made)
            }
            Node::LegalDash(legality, dash) => self.apart(filter, |lowering| lowering.targets_of_dash(*legality, dash)),
            Node::Move(m) => {
                if let (Some(legality), MoveValue::To) = (m.legality, m.value) {
                    return self.apart(filter, |lowering| lowering.targets_of_move(legality, m));
                }
                let made = self.apart(filter, |lowering| lowering.move_truth(m));
                let value = match m.value {
                    // A possible move is not the one that was made.
                    _ if m.legality.is_some() => SetBounds::UNKNOWN,
                    MoveValue::From if m.previous => self.moved_from(),
                    MoveValue::From => self.moving_from(),
                    MoveValue::To if m.previous => self.moved_to(),
                    MoveValue::To => self.moving_to(),
                    _ => SetBounds::UNKNOWN,
                };
                let value = match &m.from {
                    Some(from) if m.value == MoveValue::From && !m.previous => {
                        SetBounds::intersection(vec![self.set_bounds(from), value])
                    }
                    _ => value,
                };
                value.where_holds(made)
            }
            Node::FromSquares => {
                let there = self.one_move_away(Way::Backward, Candidates::EVERYWHERE);
                self.moved_from().where_holds(there)
            }
            Node::ToSquares => self.moved_to(),
            _ => SetBounds::UNKNOWN,
        }
    }

    /// The pinning pieces, the pinned men, and what they are pinned to: a king, unless told otherwise.
    pub(super) fn parts_of_pin(&mut self, arguments: [Option<&'q Filter>; 3]) -> [SetBounds; 3] {
        let kings = Color::ALL.map(|color| ManSet::from_man(Man::new(color, Role::King)));
        let kings = SetExpr::Contents(kings[0] | kings[1], Bitboard::FULL);
        let anywhere = SetExpr::Constant(Bitboard::FULL);
        let [from, through, to] = arguments;
        [(from, anywhere.clone()), (through, anywhere), (to, kings)].map(|(filter, default)| match filter {
            Some(filter) => self.set_bounds(filter),
            None => SetBounds::Exact(default),
        })
    }

    fn sets(&mut self, list: &'q [Filter]) -> Vec<SetBounds> {
        list.iter().map(|filter| self.set_bounds(filter)).collect()
    }

    /// The value of a dash where it matches: that of its last target.
    fn dash_set(&mut self, dash: &'q Dash) -> SetBounds {
        match dash.target.last().map(|last| &last.node) {
            // The square that the move has left.
            Some(Node::FromSquares) => match &dash.left {
                Some(left) if dash.capture => {
                    let parts = vec![self.set_bounds(left), self.moving_from()];
                    SetBounds::intersection(parts)
                }
                _ => self.moving_from(),
            },
            _ => SetBounds::UNKNOWN,
        }
    }

    /// The squares that the next move leaves.
    fn moving_from(&mut self) -> SetBounds {
        if self.variations {
            let men = SetExpr::Contents(ManSet::WHITE | ManSet::BLACK, Bitboard::FULL);
            return SetBounds::at_most(men);
        }
        let (may, must) = left_by_a_move(0);
        SetBounds::Between { may, must }
    }

    /// The squares that the last move has left.
    fn moved_from(&mut self) -> SetBounds {
        if self.variations {
            return SetBounds::UNKNOWN;
        }
        let (may, must) = left_by_a_move(-1);
        SetBounds::Between { may, must }
    }

    /// The squares that the next move reaches.
    fn moving_to(&mut self) -> SetBounds {
        let there = |set: &SetExpr| set.clone().after(1);
        let reached = self.moved_to();
        match reached.is_unknown() {
            true => reached,
            false => SetBounds::Between {
                may: there(reached.may()),
                must: there(reached.must()),
            },
        }
    }

    /// The squares that the last move has reached; none in the first position of a game. In a sequence the moves are asked for by
    /// themselves, at each of its plies: their squares would cost more than they exclude.
    fn moved_to(&mut self) -> SetBounds {
        if self.variations || self.in_sequence {
            return SetBounds::UNKNOWN;
        }
        let (may, must) = reached_by_a_move();
        SetBounds::Between { may, must }
    }

    /// The square with a file and a rank, where these are numbers from 1 to 8.
    fn square_of(&mut self, file: &NumberBounds, rank: &NumberBounds) -> SetBounds {
        let is_small = |number: &NumberBounds| !number.is_larger_than(MAX_COORDINATE);
        if !is_small(file) || !is_small(rank) || !self.spend(16 * MAX_COORDINATE) {
            return SetBounds::UNKNOWN;
        }
        let [files, ranks] = [file, rank].map(|number| {
            (1..=8)
                .map(|n| NumberBounds::compared(Comparison::Equal, number, &NumberBounds::constant(n)))
                .collect::<Vec<_>>()
        });
        let squares = Square::ALL.map(|square| {
            let (file, rank) = (usize::from(square.file()), usize::from(square.rank()));
            (square, Candidates::both(files[file].clone(), ranks[rank].clone()))
        });
        squares_where(&squares)
    }
}

fn rays(lines: RayLines, arguments: Vec<SetBounds>, gives_first: bool) -> SetBounds {
    SetBounds::map_list(arguments, true, |arguments| SetExpr::Rays {
        lines,
        arguments,
        gives_first,
    })
}

/// The squares between those of two sets; known at once for squares that are.
fn between(ends: [SetExpr; 2]) -> SetExpr {
    if let [SetExpr::Constant(a), SetExpr::Constant(b)] = ends {
        return SetExpr::Constant(geometry::between(a, b));
    }
    SetExpr::Between {
        directions: Directions::ALL,
        ends: Box::new(ends),
    }
}

/// The squares some steps away from others; known at once where these are.
fn steps(directions: Directions, [min, max]: [i32; 2], from: SetExpr) -> SetExpr {
    let is_one = directions.iter().count() == 1;
    match from {
        SetExpr::Constant(squares) => {
            let mut reached = Bitboard::EMPTY;
            for (square, direction) in squares
                .into_iter()
                .flat_map(|square| directions.iter().map(move |d| (square, d)))
            {
                let (dx, dy) = direction.delta();
                reached.extend((min..=max).filter_map(|n| step(square, dx * n, dy * n)));
            }
            SetExpr::Constant(reached)
        }
        // One step takes different squares to different squares, so that the cheap parts can be asked first.
        SetExpr::Intersection(parts) if min == max && is_one => {
            let parts = parts.into_iter().map(|part| steps(directions, [min, max], part));
            SetExpr::intersection(parts.collect())
        }
        SetExpr::Steps {
            directions: before,
            min: n,
            max: m,
            from,
        } if before == directions && n == m && min == max && is_one && n > 0 && min > 0 => {
            steps(directions, [n + min; 2], *from)
        }
        from => SetExpr::Steps {
            directions,
            min,
            max,
            from: Box::new(from),
        },
    }
}

/// `makesquare (file rank)`: none beside the board.
fn made_square(file: i32, rank: i32) -> Bitboard {
    let coordinate = |n: i32| u32::try_from(n - 1).ok().filter(|&n| n < 8);
    match (coordinate(file), coordinate(rank)) {
        (Some(file), Some(rank)) => Square::new(8 * rank + file).into(),
        _ => Bitboard::EMPTY,
    }
}

/// The pawns of both colors that stand in this way (docs/language/positions.md#pawns).
fn pawns(structure: PawnStructure) -> SetExpr {
    SetExpr::Union(Color::ALL.map(|color| SetExpr::Pawns(structure, color)).into())
}
