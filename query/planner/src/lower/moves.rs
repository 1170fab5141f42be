//! Filters about the moves of the game. A move is recognised by comparing the boards before and after it.
//!
//! A man of the side to move that disappears from a square has moved away; one that appears on a square has moved
//! there; a man of the other side that disappears was captured. Castling and null moves have lists of their own, so all
//! this is exact on a line. Where variations are searched, only the position after the move is used.

use chess::Man;
use language::hir::{
    CastleSide, Dash, Filter, ManSet, MoveFilter, MoveValue, Node, Promotion, VariableId, VariableKind,
};
use postings::Term;
use shakmaty::{Bitboard, CastlingSide, Color, File, Rank, Role, Square};

use super::Lowering;
use super::either_side::of_either_side;
use super::from_to::{Reach, ReachesLowered, near};
use super::moved_men::{captured_one_of, captures, comes, gone, leave, leaves, men_of, stands};
use super::scope::Way;
use super::steps::Step;
use crate::expr::{
    Candidates, MovePattern, NextMove, SetExpr, Truth, any_contents, castled, not_empty, possible, possible_men,
    promoted_to, turn,
};

/// A set that a square of a move has to be in.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) struct Operand {
    pub(super) set: SetExpr,
    /// Whether the set is exactly that of the filter, and not a superset.
    exact: bool,
}

/// The conditions on a move.
#[derive(Clone, Debug, PartialEq, Hash)]
pub(super) struct Edge {
    from: Operand,
    to: Operand,
    /// The squares where a man has to be captured; `None` if none has to be.
    capture: Option<Operand>,
    /// Whether the rook of a castling move counts as well as the king.
    rooks: bool,
    /// Whether the move has to be a promotion.
    promotes: bool,
    /// Where it may go from each square, if it is known that more decides of it than from and to.
    reach: Option<Reach>,
}

/// The men that make the moves of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct InFocus {
    pub(super) men: ManSet,
    /// The variable of the piece, if it is only one.
    pub(super) piece: Option<VariableId>,
}

/// A condition on a move: in the position before it, and in the one after it.
pub(super) struct MoveTruth {
    pub(super) here: Candidates,
    pub(super) after: Candidates,
    /// The moves that are meant, on a main line.
    pub(super) step: Option<Step>,
}

impl Edge {
    /// Whether every man of a color may move.
    fn is_from_any(&self, color: Color) -> bool {
        self.from
            .contents()
            .is_some_and(|(men, squares)| men.is_superset(men_of(color)) && squares == Bitboard::FULL)
    }

    /// The men of a color that may move.
    fn movers(&self, color: Color) -> ManSet {
        let own = match self.promotes {
            true => ManSet::from_man(Man::new(color, Role::Pawn)),
            false => men_of(color),
        };
        possible_men(&self.from.set).intersection(own)
    }

    /// Whether every pawn of a color that promotes may do so.
    fn is_from_any_promoting(&self, color: Color) -> bool {
        let is_any = |(men, squares): (ManSet, Bitboard)| {
            men.contains(Man::new(color, Role::Pawn)) && self.origins(color).is_subset(squares)
        };
        self.promotes && self.from.contents().is_some_and(is_any)
    }

    /// The squares where the man that moves can stand.
    fn origins(&self, color: Color) -> Bitboard {
        match self.promotes {
            true => color.fold_wb(Rank::Seventh, Rank::Second).into(),
            false => Bitboard::FULL,
        }
    }
}

impl Operand {
    fn any() -> Operand {
        Operand {
            set: SetExpr::Constant(Bitboard::FULL),
            exact: true,
        }
    }

    fn is_any(&self) -> bool {
        matches!(
            self.set,
            SetExpr::Constant(Bitboard::FULL) | SetExpr::Contents(ManSet::ANYTHING, Bitboard::FULL)
        )
    }

    /// Contents and squares of a set that has nothing else.
    fn contents(&self) -> Option<(ManSet, Bitboard)> {
        match self.set {
            SetExpr::Constant(squares) => Some((ManSet::ANYTHING, squares)),
            SetExpr::Contents(men, squares) => Some((men, squares)),
            _ => None,
        }
    }

    fn has(&self, square: Square) -> Truth {
        match &self.set {
            SetExpr::Constant(squares) if squares.contains(square) => Truth::Always,
            SetExpr::Constant(_) => Truth::Never,
            SetExpr::Contents(men, squares) if squares.contains(square) => any_contents(*men, square.into()),
            SetExpr::Contents(..) => Truth::Never,
            other => not_empty(SetExpr::Intersection(
                [SetExpr::Constant(square.into()), other.clone()].into(),
            )),
        }
    }

    /// Where one of these squares is in the set, each under its condition.
    fn meets(&self, squares: impl IntoIterator<Item = (Square, Truth)>) -> Truth {
        let possible = possible(&self.set);
        let squares = squares.into_iter().filter(|&(square, _)| possible.contains(square));
        match self.set {
            SetExpr::Constant(_) => Truth::any(squares.map(|(_, truth)| truth)),
            SetExpr::Contents(..) => Truth::any(squares.map(|(square, truth)| Truth::all([truth, self.has(square)]))),
            // The cheap part comes first, because the other one is only needed on its squares.
            _ => Truth::Any(Box::new(SetExpr::Intersection(
                [SetExpr::Squares(squares.collect()), self.set.clone()].into(),
            ))),
        }
    }
}

impl<'q> Lowering<'q> {
    /// The variable of a piece, if a set is that and nothing else.
    pub(super) fn piece_variable(&self, set: &Filter) -> Option<VariableId> {
        match set.node {
            Node::Variable(variable) => {
                let kind = &self.query.variables[variable.0 as usize].kind;
                (*kind == VariableKind::Piece).then_some(variable)
            }
            _ => None,
        }
    }

    pub(super) fn operand(&mut self, filter: Option<&'q Filter>) -> Operand {
        let Some(filter) = filter else {
            return Operand::any();
        };
        let set = self.set_bounds(filter);
        Operand {
            exact: set.is_exact(),
            set: set.may().clone(),
        }
    }

    /// Where `A--B` or `A[x]B` matches.
    pub(super) fn dash_truth(&mut self, dash: &'q Dash) -> Candidates {
        let MoveTruth { here, after, .. } = self.dash_move(dash, None, &[]);
        let next = self.one_move_away(Way::Forward, after);
        Candidates::both(here, next)
    }

    /// The conditions of a dash on a move, its targets included. `focus` says that these men make it; the men of `pawns` have not
    /// promoted behind it.
    pub(super) fn dash_move(&mut self, dash: &'q Dash, focus: Option<InFocus>, pawns: &[VariableId]) -> MoveTruth {
        let MoveTruth { here, after, step } = self.move_of(dash, focus);
        let targets = self.beside_by(1, |lowering| {
            lowering.scope.keep_pawns(pawns);
            lowering.all(dash.target.iter())
        });
        MoveTruth {
            here,
            after: Candidates::both(after, targets),
            step,
        }
    }

    /// The conditions of a dash on a move, without its targets.
    pub(super) fn move_of(&mut self, dash: &'q Dash, focus: Option<InFocus>) -> MoveTruth {
        let mut left = self.operand(dash.left.as_ref());
        let right = self.operand(dash.right.as_ref());
        let mut turn_of = None;
        if let Some(InFocus { men, .. }) = focus {
            turn_of = Color::ALL.into_iter().find(|&color| men_of(color).is_superset(men));
            // Where all men of a side are meant, a move to anywhere is one of theirs.
            let is_side = Color::ALL.into_iter().any(|color| men.is_superset(men_of(color)));
            if !is_side || !left.is_any() || !right.is_any() || dash.capture {
                let in_focus = SetExpr::Contents(men, Bitboard::FULL);
                left.set = SetExpr::intersection(vec![left.set, in_focus]).simplified();
            }
        }
        let mover = dash.left.as_ref().and_then(|left| self.piece_variable(left));
        let mover = mover.or(focus.and_then(|focus| focus.piece));
        let reach = Reach::of(mover, dash.right.as_ref().filter(|_| !dash.capture));
        let step = self.follows_men.then(|| {
            let is_known = right.exact && right.contents().is_some();
            Step::of(dash, mover, [&left.set, &right.set], is_known, reach.as_ref())
        });
        let edge = if dash.capture {
            Edge {
                from: left,
                to: Operand::any(),
                capture: Some(right),
                rooks: true,
                promotes: dash.promotion.is_some(),
                reach,
            }
        } else {
            Edge {
                from: left,
                to: right,
                capture: None,
                rooks: true,
                promotes: dash.promotion.is_some(),
                reach,
            }
        };
        let MoveTruth { here, after, .. } = self.edge(&edge);
        let promoted = match &dash.promotion {
            None => Candidates::EVERYWHERE,
            Some(Promotion::Roles(men)) => Candidates::exactly(promoted_to(*men)),
            Some(Promotion::Text(text)) => Candidates::at_most(promoted_to(self.promoted_by_text(text))),
        };
        let here = match turn_of {
            Some(color) => Candidates::both(Candidates::at_most(turn(color)), here),
            None => here,
        };
        MoveTruth {
            here,
            after: Candidates::both(after, promoted),
            step,
        }
    }

    /// Where `move ...` matches.
    pub(super) fn move_truth(&mut self, m: &'q MoveFilter) -> Candidates {
        if m.value == MoveValue::Count {
            return Candidates::EVERYWHERE;
        }
        if let Some(legality) = m.legality {
            return match m.previous {
                true => Candidates::UNKNOWN,
                false => self.possible_move_filter(legality, m),
            };
        }
        if m.previous {
            let made = self.beside_by(-1, |lowering| lowering.future_move(m));
            return self.one_move_away(Way::Backward, made);
        }
        self.future_move(m)
    }

    fn future_move(&mut self, m: &'q MoveFilter) -> Candidates {
        let edge = Edge {
            from: self.operand(m.from.as_ref()),
            to: self.operand(m.to.as_ref()),
            capture: m.capture.as_ref().map(|capture| self.operand(Some(capture))),
            rooks: false,
            promotes: m.promote.is_some(),
            reach: {
                let mover = m.from.as_ref().and_then(|from| self.piece_variable(from));
                Reach::of(mover, m.to.as_ref())
            },
        };
        let MoveTruth { here, after, .. } = self.edge(&edge);
        let mut kinds = Vec::new();
        let mut exact = true;
        if m.en_passant || m.en_passant_square.is_some() {
            kinds.push(Truth::Term(Term::EnPassant));
            exact &= m.en_passant_square.is_none();
        }
        if m.null {
            kinds.push(Truth::Term(Term::NullMove));
        }
        if let Some(side) = m.castle {
            kinds.push(castled(side));
        }
        if let Some(men) = m.promote {
            kinds.push(promoted_to(men));
        }
        match m.primary {
            Some(_) if self.variations => exact = false,
            Some(false) => kinds.push(Truth::Never),
            _ => {}
        }
        let kinds = Candidates::new(Truth::all(kinds), exact);
        let next = self.one_move_away(Way::Forward, Candidates::both(after, kinds));
        Candidates::both(here, next)
    }

    fn edge(&mut self, edge: &Edge) -> MoveTruth {
        let goes_where = edge.to.exact && edge.reach.is_none();
        let exact = edge.from.exact && goes_where && edge.capture.as_ref().is_none_or(|capture| capture.exact);
        let nothing = edge.from.is_any() && edge.to.is_any() && edge.capture.is_none();
        if nothing {
            return MoveTruth {
                here: Candidates::new(Truth::Always, exact),
                after: Candidates::EVERYWHERE,
                step: None,
            };
        }
        if self.variations {
            return loose_edge(edge);
        }
        let here = self.moves.made(edge, |reaches| made_here(edge, reaches));
        MoveTruth {
            here: Candidates::new(here, exact),
            after: Candidates::EVERYWHERE,
            step: None,
        }
    }
}

/// Where the next move on the main line is such a move.
fn made_here(edge: &Edge, reaches: &mut ReachesLowered) -> Truth {
    let is_of_any = |color| edge.capture.is_none() && edge.to.is_any() && edge.is_from_any(color);
    let plain = Color::ALL.map(|color| match is_of_any(color) {
        true => Truth::Always,
        false => plain_move(edge, color, reaches),
    });
    let [white, black] = plain;
    let mut ways = vec![of_either_side(white, black)];
    for color in Color::ALL.into_iter().filter(|&color| !is_of_any(color)) {
        if edge.capture.is_none() && !edge.promotes {
            ways.push(Truth::all([turn(color), castling_move(edge, color)]));
            ways.push(Truth::all([turn(color), null_move(edge, color)]));
        }
    }
    Truth::any(ways)
}

/// The conditions on a move that hold even where a position may have several moves.
fn loose_edge(edge: &Edge) -> MoveTruth {
    let has_square = |operand: &Operand| not_empty(operand.set.clone());
    let mut here = vec![has_square(&edge.from), has_square(&edge.to)];
    // Something stands where the move went.
    let mut after = vec![any_contents(ManSet::WHITE | ManSet::BLACK, possible(&edge.to.set))];
    if let Some(capture) = &edge.capture {
        here.push(has_square(capture));
        after.push(captured_one_of(possible_men(&capture.set)));
    }
    MoveTruth {
        here: Candidates::at_most(Truth::all(here)),
        after: Candidates::at_most(Truth::all(after)),
        step: None,
    }
}

/// The move is neither castling nor, where that could matter, a null move.
fn is_plain() -> Truth {
    castled(CastleSide::Any).after(1).not()
}

/// A move of this color that neither castles nor passes, in the position before it.
fn plain_move(edge: &Edge, color: Color, reaches: &mut ReachesLowered) -> Truth {
    let movers = edge.movers(color);
    if movers == ManSet::NONE {
        return Truth::Never;
    }
    let (to, tells_mover) = match &edge.capture {
        None if let Some(reach) = &edge.reach => (reach.truth(movers, reaches), true),
        None => destination(&edge.to, color, movers),
        Some(capture) => {
            let captured = capture_of(capture, color);
            let (to, tells_mover) = destination(&edge.to, color, movers);
            (Truth::all([captured, to]), tells_mover)
        }
    };
    // A man of that kind has appeared, so the color that has moved is known.
    let known = tells_mover && matches!(edge.from.set, SetExpr::Contents(_, Bitboard::FULL));
    let whatever = edge.is_from_any(color) || edge.is_from_any_promoting(color);
    let from = if known || whatever {
        Truth::Always
    } else {
        match edge.from.contents() {
            Some((_, squares)) => leave(movers, squares & edge.origins(color)),
            None => edge.from.meets(
                (possible(&edge.from.set) & edge.origins(color))
                    .into_iter()
                    .map(|square| (square, leave(movers, square.into()))),
            ),
        }
    };
    // Men castle on their home rank.
    let is_at_home = |operand: &Operand| (possible(&operand.set) & home(color)).any();
    let castles = is_at_home(&edge.from)
        && is_at_home(&edge.to)
        && movers
            .iter()
            .any(|man| matches!(man.role(), Some(Role::King | Role::Rook)));
    let plain = if castles { is_plain() } else { Truth::Always };
    // Where no other condition excludes a null move, which moves no man, this one does.
    let moved = if whatever && !known && !edge.promotes {
        Truth::Term(Term::NullMove).after(1).not()
    } else {
        Truth::Always
    };
    Truth::all([to, from, plain, moved])
}

/// Where the man that moves comes to a square of the operand; and whether it is then certain that it is one of the
/// movers.
fn destination(to: &Operand, color: Color, movers: ManSet) -> (Truth, bool) {
    if to.is_any() {
        return (Truth::Always, false);
    }
    let own = men_of(color);
    if let Some((men, squares)) = to.contents()
        && men != ManSet::ANYTHING
    {
        let enemies = men.intersection(men_of(!color));
        // The man that stood there is captured on that square, not en passant.
        let onto = Truth::all([gone(enemies, squares), Truth::Term(Term::EnPassant).after(1).not()]);
        let pattern = MovePattern {
            to: squares,
            onto: enemies,
            ..MovePattern::of(own)
        };
        let onto = match squares {
            Bitboard::FULL => onto,
            _ => NextMove::truth(pattern, onto),
        };
        let empty = if men.contains(Man::EMPTY) {
            onto_empty(squares, color)
        } else {
            Truth::Never
        };
        return (Truth::any([onto, empty]), false);
    }
    let squares = possible(&to.set);
    let goes_to = |squares: Bitboard, listed: Truth| {
        let pattern = MovePattern {
            to: squares,
            ..MovePattern::of(movers)
        };
        NextMove::truth(pattern, listed)
    };
    let arrives = |square: Square| {
        if movers.is_superset(own) {
            return Truth::any(own.iter().map(|man| comes(man, square)));
        }
        // The man that appears is the one that has moved, unless it is a promoted pawn.
        let promoted = promoted_to(ManSet::ANYTHING).after(1);
        let as_itself = Truth::all([
            Truth::any(movers.iter().map(|man| comes(man, square))),
            promoted.clone().not(),
        ]);
        let pawn = Man::new(color, Role::Pawn);
        let last = color.fold_wb(Rank::Eighth, Rank::First);
        if !movers.contains(pawn) || square.rank() != last {
            return as_itself;
        }
        let as_other = Truth::all([promoted, Truth::any(own.iter().map(|man| comes(man, square)))]);
        Truth::any([as_itself, as_other])
    };
    let truth = match to.contents() {
        Some(_) => goes_to(squares, Truth::any(squares.into_iter().map(arrives))),
        None => {
            let arrives = |square: Square| (square, goes_to(square.into(), arrives(square)));
            let listed = to.meets(squares.into_iter().map(arrives));
            match near(&to.set) {
                Some(near) => NextMove::truth(
                    MovePattern {
                        near: Some(near),
                        ..MovePattern::of(movers)
                    },
                    listed,
                ),
                None => listed,
            }
        }
    };
    (truth, true)
}

/// The move comes to one of these squares and it was empty.
fn onto_empty(squares: Bitboard, color: Color) -> Truth {
    if squares == Bitboard::FULL {
        // Every capture that is not en passant captures on its target square.
        let captured = captured_one_of(men_of(!color)).after(1);
        let en_passant = Truth::Term(Term::EnPassant).after(1);
        return Truth::any([captured.not(), en_passant]);
    }
    let listed = squares.into_iter().map(|square| {
        let comes = Truth::any(men_of(color).iter().map(|man| comes(man, square)));
        Truth::all([comes, any_contents(ManSet::EMPTY_SQUARE, square.into())])
    });
    let pattern = MovePattern {
        to: squares,
        onto: ManSet::EMPTY_SQUARE,
        ..MovePattern::of(men_of(color))
    };
    NextMove::truth(pattern, Truth::any(listed))
}

/// The move captures on a square of the operand.
fn capture_of(capture: &Operand, color: Color) -> Truth {
    let enemies = men_of(!color);
    match capture.contents() {
        Some((men, squares)) => captures(men.intersection(enemies), squares, color),
        None => {
            let squares = possible(&capture.set);
            let men = possible_men(&capture.set).intersection(enemies);
            let each = squares
                .into_iter()
                .map(|square| (square, captures(men, square.into(), color)));
            capture.meets(each)
        }
    }
}

/// The rank where the king of a color stands at first, and castles.
fn home_rank(color: Color) -> Rank {
    color.fold_wb(Rank::First, Rank::Eighth)
}

/// The squares of that rank.
fn home(color: Color) -> Bitboard {
    Bitboard::from_rank(home_rank(color))
}

/// A castling move: king and rook are accepted each with its own two squares.
fn castling_move(edge: &Edge, color: Color) -> Truth {
    let king = Man::new(color, Role::King);
    let rook = Man::new(color, Role::Rook);
    let men = possible_men(&edge.from.set);
    let is_meant_anywhere = |man| {
        let contents = edge.from.contents();
        contents.is_some_and(|(men, squares)| men.contains(man) && squares == Bitboard::FULL)
    };
    let rank = home_rank(color);
    let home = home(color);
    let sides = [
        (CastlingSide::KingSide, File::G, File::F),
        (CastlingSide::QueenSide, File::C, File::D),
    ];
    Truth::any(sides.map(|(side, king_file, rook_file)| {
        let mut ways = Vec::new();
        if men.contains(king) {
            let from = if is_meant_anywhere(king) {
                Truth::Always
            } else {
                edge.from
                    .meets(home.into_iter().map(|square| (square, stands(king, square))))
            };
            ways.push(Truth::all([from, edge.to.has(Square::from_coords(king_file, rank))]));
        }
        if edge.rooks && is_meant_anywhere(rook) && edge.to.is_any() {
            ways.push(Truth::Always);
        } else if men.contains(rook) && edge.rooks {
            let target = Square::from_coords(rook_file, rank);
            let goes = |square: Square| (square, leaves(rook, square));
            let others = home.without(target);
            // The rook that castles may stand where it is going to, in chess960.
            let stays = Truth::any(others.into_iter().map(|square| leaves(rook, square))).not();
            let from = edge.from.meets(
                others
                    .into_iter()
                    .map(goes)
                    .chain([(target, Truth::all([stands(rook, target), stays]))]),
            );
            ways.push(Truth::all([from, edge.to.has(target)]));
        }
        Truth::all([Truth::Term(Term::Castled(side)).after(1), Truth::any(ways)])
    }))
}

/// A null move: from and to are the square of the king.
fn null_move(edge: &Edge, color: Color) -> Truth {
    let king = ManSet::from_man(Man::new(color, Role::King));
    let parts = [
        SetExpr::Contents(king, Bitboard::FULL),
        edge.from.set.clone(),
        edge.to.set.clone(),
    ];
    let here = if possible_men(&edge.from.set).is_superset(king) && possible_men(&edge.to.set).is_superset(king) {
        not_empty(SetExpr::Intersection(parts.into()))
    } else {
        Truth::Never
    };
    Truth::all([Truth::Term(Term::NullMove).after(1), here])
}
