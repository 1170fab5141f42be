//! What is known of variables while a filter is lowered.
//!
//! A value is known at the position where it was given, its *frame*. In any other position of the game, squares and
//! numbers that depend on the board are not what the same expression gives there; what remains are constants, and the
//! kinds of a man: it keeps its identity, and only pawns change.

use std::collections::HashMap;
use std::rc::Rc;

use language::hir::{ManSet, VariableId};
use shakmaty::Bitboard;

use super::bounds::SetBounds;
pub(super) use super::frames::{Frame, Way};
use super::frames::{Frames, Step};
use super::intervals::NumberBounds;
use super::man_beside::man_beside;
use super::places::PlaceSum;
use super::texts::TextBounds;
use crate::expr::{Candidates, Expr, NumberExpr, SetExpr, Truth, possible, possible_men, sometime};

/// The positions of a filter, and the variables that are known in them.
#[derive(Debug)]
pub(super) struct Scope {
    frames: Frames,
    /// The position of the filter that is being lowered.
    pub(super) frame: Frame,
    /// Shared with what was saved: large expressions are not copied for every branch.
    known: HashMap<VariableId, Rc<Known>>,
    /// By piece variable, those whose men its domain leaves out.
    left_out: HashMap<VariableId, Vec<VariableId>>,
    /// By position that a path has come to, the variables whose pawns have not promoted since it began.
    pawns: HashMap<Frame, Vec<VariableId>>,
    /// The position where the enclosing `path` begins.
    pub(super) path_start: Option<Frame>,
    pub(super) promotions: Promotions,
}

/// Whether pawns may promote in the games that the filter is lowered for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Promotions {
    /// They may, and nothing depended on it so far.
    #[default]
    Possible,
    /// They may, and some man can be another one for that.
    Needed,
    /// They don't.
    None,
}

/// What is known of a variable has no more expressions than this.
pub(super) const MAX_SIZE: usize = 2_000;

/// The same of a number: a sum over squares has many parts.
const MAX_SIZE_OF_NUMBER: usize = 8_000;

/// How a filter may change the value of a variable.
pub(super) enum Change {
    /// It adds this number to it, once at most.
    Once(i32),
    /// It becomes one of these numbers.
    OneOf(Vec<i32>),
    /// It may become anything.
    Anything,
}

/// What is known of a variable.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Known {
    /// The squares, and what is known of them beside.
    Set(Frame, SetBounds, Squares),
    /// The square where the man stands, what it can be, and the piece variables that are other men.
    Piece(Frame, SetBounds, ManSet, Vec<VariableId>),
    /// The number, and what it says of the place of the position in the game.
    Number(Frame, NumberBounds, Option<PlaceSum>),
    /// The number, and how it comes from looking at positions.
    OfPositions(Frame, NumberBounds, Box<OfPositions>),
    Text(Frame, TextBounds),
    Position(Frame),
    /// The position that many moves later.
    Later(Frame, u32),
    /// The position that many ids later, and where there is one.
    Beside(Frame, i32, Truth),
}

/// How a number comes from looking at all positions from one on, or back from it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum OfPositions {
    Counted(CountedPositions),
    Extreme(ExtremeNumber),
}

/// The largest or the smallest one of the numbers that some positions have.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct ExtremeNumber {
    /// It is one of these numbers, too.
    pub(super) before: i32,
    pub(super) is_largest: bool,
    pub(super) way: Way,
    /// Which positions are looked at.
    pub(super) seen: Candidates,
    /// The number that each of them has.
    pub(super) number: NumberBounds,
}

/// A number that has grown once for each position, from one on or back from it, at which something happens.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CountedPositions {
    /// The number without any such position.
    pub(super) before: i32,
    /// What each of them adds to it, not 0.
    pub(super) by: i32,
    pub(super) way: Way,
    /// Where it happens.
    pub(super) times: Candidates,
}

/// What the squares of a set are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Squares {
    /// Any.
    Any,
    /// The one square of a loop, where one of these stands.
    One(ManSet),
    /// The square of the piece of a variable.
    OfPiece(VariableId),
    /// One at most.
    OneAtMost,
    /// Where those of these men stand that will stand elsewhere that many moves later.
    Moved(ManSet, u32),
}

impl Known {
    /// The same, or less where it has become too large to be computed with.
    pub(super) fn affordable(self) -> Known {
        match self {
            Known::Set(frame, set, of)
                if [set.may(), set.must()]
                    .iter()
                    .any(|set| Expr::Set(set).is_larger_than(MAX_SIZE)) =>
            {
                let squares = SetExpr::Constant(possible(set.may()));
                Known::Set(frame, SetBounds::at_most(squares), of)
            }
            Known::Number(frame, number, place) if number.is_larger_than(MAX_SIZE_OF_NUMBER) => {
                Known::Number(frame, NumberBounds::unknown(Candidates::EVERYWHERE), place)
            }
            Known::Text(frame, text) if text.length.is_larger_than(MAX_SIZE) => {
                Known::Text(frame, TextBounds::unknown())
            }
            known => known,
        }
    }
}

/// The variables that are known at some moment.
#[derive(Clone)]
pub(super) struct Saved(HashMap<VariableId, Rc<Known>>);

impl Scope {
    pub(super) fn new() -> Scope {
        Scope {
            frames: Frames::new(),
            frame: Frame::FIRST,
            known: HashMap::new(),
            left_out: HashMap::new(),
            pawns: HashMap::new(),
            path_start: None,
            promotions: Promotions::default(),
        }
    }

    /// The same for games without promotions.
    pub(super) fn without_promotions() -> Scope {
        Scope {
            promotions: Promotions::None,
            ..Scope::new()
        }
    }

    pub(super) fn get(&self, variable: VariableId) -> Option<&Known> {
        self.known.get(&variable).map(Rc::as_ref)
    }

    /// Another position that is reached from the current one, and may be a known number of ids later.
    pub(super) fn new_frame(&mut self, is_later: bool, ids: Option<i32>) -> Frame {
        self.frames.add(self.frame, is_later, ids)
    }

    /// The men of these variables have not promoted up to the current position.
    pub(super) fn keep_pawns(&mut self, variables: &[VariableId]) {
        if !variables.is_empty() {
            self.pawns.insert(self.frame, variables.to_vec());
        }
    }

    /// The piece variables that got their value in the current position, what their men may be and where these may stand.
    pub(super) fn pieces_given_here(&self) -> Vec<(VariableId, ManSet, Bitboard)> {
        let here = self.known.iter().filter_map(|(&variable, known)| match &**known {
            Known::Piece(frame, squares, men, _) if *frame == self.frame => {
                Some((variable, *men, possible(squares.may())))
            }
            _ => None,
        });
        here.collect()
    }

    /// The way from a frame to the current one; `None` if the current one was not reached from it.
    fn way_from(&self, frame: Frame) -> Option<Step> {
        self.frames.way(frame, self.frame)
    }

    /// The position of a variable, if it is one that the current one was reached from.
    pub(super) fn position(&self, variable: VariableId) -> Option<Frame> {
        match self.get(variable) {
            Some(&Known::Position(frame)) => self.way_from(frame).map(|_| frame),
            _ => None,
        }
    }

    /// How many moves later the position of a variable is, if that is known of the current one.
    pub(super) fn moves_to(&self, variable: VariableId) -> Option<u32> {
        match self.get(variable) {
            Some(&Known::Later(frame, moves)) if frame == self.frame => Some(moves),
            _ => None,
        }
    }

    /// How many ids later than the current one the position of a variable is, if that is known, and where there is one.
    pub(super) fn neighbour(&self, variable: VariableId) -> Option<(i32, Truth)> {
        match self.get(variable) {
            Some(Known::Beside(frame, ids, there)) if *frame == self.frame => Some((*ids, there.clone())),
            _ => None,
        }
    }

    /// The men that a set variable is made of, if they are those that stand elsewhere some moves later, and how many moves.
    pub(super) fn moved_men(&self, variable: VariableId) -> Option<(ManSet, u32)> {
        match self.get(variable) {
            Some(&Known::Set(frame, _, Squares::Moved(men, moves))) if frame == self.frame => Some((men, moves)),
            _ => None,
        }
    }

    /// The squares of a set or piece variable in the current position.
    pub(super) fn squares(&mut self, variable: VariableId) -> SetBounds {
        match self.get(variable) {
            Some(Known::Set(frame, squares, _) | Known::Piece(frame, squares, ..)) if *frame == self.frame => {
                squares.clone()
            }
            Some(Known::Set(_, squares, _)) => squares.elsewhere(),
            Some(Known::Piece(frame, squares, men, _)) => {
                let way = self.way_from(*frame);
                let mut all = *men;
                let mut promotions = self.promotions;
                let stays = self
                    .pawns
                    .get(&self.frame)
                    .is_some_and(|pawns| pawns.contains(&variable));
                if promotions != Promotions::None && !stays {
                    all = sometime(*men, way.is_some_and(|way| way.is_later));
                    if all != *men {
                        promotions = Promotions::Needed;
                    }
                }
                let beside = man_beside(squares, *men, all, way.and_then(|way| way.ids));
                self.promotions = promotions;
                beside
            }
            _ => SetBounds::UNKNOWN,
        }
    }

    /// The squares where the man of a variable may stand in the current position, if it got its value there, and what it may
    /// be.
    pub(super) fn man_here(&self, variable: VariableId) -> Option<(SetBounds, ManSet)> {
        match self.get(variable) {
            Some(Known::Piece(frame, squares, men, _)) if *frame == self.frame => Some((squares.clone(), *men)),
            _ => None,
        }
    }

    /// What the man of a variable may be, if it got its value in the position of a frame.
    pub(super) fn men_in(&self, frame: Frame, variable: VariableId) -> Option<ManSet> {
        match self.get(variable) {
            Some(&Known::Piece(known, _, men, _)) if known == frame => Some(men),
            _ => None,
        }
    }

    /// What may stand in the current position on the square of a loop, or be the man of a variable that got its value there.
    pub(super) fn men_on(&self, variable: VariableId) -> ManSet {
        match self.get(variable) {
            Some(&Known::Piece(frame, _, men, _) | &Known::Set(frame, _, Squares::One(men))) if frame == self.frame => {
                men
            }
            _ => ManSet::ANYTHING,
        }
    }

    /// The piece variable whose square a set variable is, if it got its value from that in the position of a frame.
    pub(super) fn piece_on(&self, frame: Frame, variable: VariableId) -> Option<VariableId> {
        match self.get(variable) {
            Some(&Known::Set(known, _, Squares::OfPiece(piece))) if known == frame => Some(piece),
            _ => None,
        }
    }

    /// Whether a variable is a set that it was given in the position of a frame.
    pub(super) fn is_set_in(&self, frame: Frame, variable: VariableId) -> bool {
        matches!(self.get(variable), Some(&Known::Set(known, ..)) if known == frame)
    }

    /// Whether a variable is a set that had one square at most when it was given.
    pub(super) fn is_one_square_at_most(&self, variable: VariableId) -> bool {
        let few = |squares: &Squares| matches!(squares, Squares::One(_) | Squares::OfPiece(_) | Squares::OneAtMost);
        matches!(self.get(variable), Some(Known::Set(.., squares)) if few(squares))
    }

    /// Whether a variable is known to be a man.
    pub(super) fn is_piece(&self, variable: VariableId) -> bool {
        matches!(self.get(variable), Some(Known::Piece(..)))
    }

    /// The number of a variable in the current position.
    pub(super) fn number(&self, variable: VariableId) -> Option<NumberBounds> {
        match self.get(variable) {
            Some(Known::Number(frame, number, _) | Known::OfPositions(frame, number, _)) if *frame == self.frame => {
                Some(number.clone())
            }
            Some(Known::Number(_, number, _) | Known::OfPositions(_, number, _)) => Some(number.elsewhere()),
            _ => None,
        }
    }

    /// How the number of a variable comes from looking at positions, if it does that from the current one.
    pub(super) fn of_positions(&self, variable: VariableId) -> Option<&OfPositions> {
        match self.get(variable) {
            Some(Known::OfPositions(frame, _, number)) if *frame == self.frame => Some(number),
            _ => None,
        }
    }

    /// What the number of a variable says of the place of the current position, if it got its value there.
    pub(super) fn place(&self, variable: VariableId) -> Option<PlaceSum> {
        match self.get(variable) {
            Some(Known::Number(frame, number, place)) if *frame == self.frame => {
                place.or_else(|| number.constant_value().map(PlaceSum::constant))
            }
            _ => None,
        }
    }

    /// The variables that got their values in the current position: those that are positions, and numbers and sets.
    pub(super) fn given_here(&self) -> [Vec<VariableId>; 2] {
        let mut given = [Vec::new(), Vec::new()];
        for (&variable, known) in &self.known {
            match **known {
                Known::Position(frame) if frame == self.frame => given[0].push(variable),
                Known::Number(frame, ..) | Known::Set(frame, ..) if frame == self.frame => given[1].push(variable),
                _ => {}
            }
        }
        given
    }

    /// What is known of the text of a variable in the current position.
    pub(super) fn text(&self, variable: VariableId) -> Option<TextBounds> {
        match self.get(variable) {
            Some(Known::Text(frame, text)) if *frame == self.frame => Some(text.clone()),
            Some(Known::Text(_, text)) => Some(text.elsewhere()),
            _ => None,
        }
    }

    /// Some variables are numbers.
    pub(super) fn set_numbers(&mut self, numbers: Vec<(VariableId, NumberBounds)>) {
        for (variable, number) in numbers {
            let known = Known::Number(self.frame, number, None).affordable();
            self.known.insert(variable, Rc::new(known));
        }
    }

    /// A variable is the current position.
    pub(super) fn set_position(&mut self, variable: VariableId) {
        self.known.insert(variable, Rc::new(Known::Position(self.frame)));
    }

    /// Whether something is known of a variable that a condition on the current position can be added to.
    pub(super) fn is_known_here(&self, variable: VariableId) -> bool {
        matches!(
            self.get(variable),
            Some(Known::Set(..) | Known::Number(..) | Known::Text(..))
        )
    }

    /// A variable may have changed where a condition holds.
    pub(super) fn change(&mut self, variable: VariableId, reach: Truth, change: &Change) {
        if reach == Truth::Never {
            return;
        }
        let changed = match self.get(variable) {
            Some(Known::Set(..)) => Known::Set(self.frame, self.squares(variable).except(reach), Squares::Any),
            Some(Known::Text(..)) => match self.text(variable) {
                Some(text) => Known::Text(self.frame, text.except(reach)),
                None => return,
            },
            Some(Known::Number(..)) => {
                let Some(number) = self.number(variable) else { return };
                let number = match change {
                    Change::Once(by) => number.grown(*by, vec![Candidates::at_most(reach)]),
                    Change::OneOf(numbers) => {
                        let constant = |n: Option<&i32>| n.map(|n| NumberExpr::Constant(*n));
                        let (least, most) = (constant(numbers.iter().min()), constant(numbers.iter().max()));
                        let new = NumberBounds::between(least, most, Candidates::EVERYWHERE);
                        NumberBounds::chosen(&Candidates::at_most(reach), new, number)
                    }
                    Change::Anything => number.except(reach),
                };
                Known::Number(self.frame, number, None)
            }
            _ => {
                self.known.remove(&variable);
                return;
            }
        };
        self.known.insert(variable, Rc::new(changed.affordable()));
    }

    /// What is known behind two branches: what is known is that of the second, `then` that of the first, which is taken
    /// where a condition holds.
    pub(super) fn join(&mut self, holds: &Candidates, then: Saved) {
        let frame = self.frame;
        let mut then = then.0;
        self.known = std::mem::take(&mut self.known)
            .into_iter()
            .filter_map(|(variable, otherwise)| {
                let then = then.remove(&variable)?;
                if Rc::ptr_eq(&then, &otherwise) {
                    return Some((variable, then));
                }
                let known = match (Rc::unwrap_or_clone(then), Rc::unwrap_or_clone(otherwise)) {
                    (then, otherwise) if then == otherwise => then,
                    (Known::Set(a, then, _), Known::Set(b, otherwise, _)) if a == frame && b == frame => {
                        Known::Set(frame, SetBounds::chosen(holds, then, otherwise), Squares::Any)
                    }
                    (Known::Number(a, then, _), Known::Number(b, otherwise, _)) if a == frame && b == frame => {
                        Known::Number(frame, NumberBounds::chosen(holds, then, otherwise), None)
                    }
                    (Known::Text(a, then), Known::Text(b, otherwise)) if a == frame && b == frame => {
                        Known::Text(frame, TextBounds::chosen(holds, then, otherwise))
                    }
                    _ => return None,
                };
                Some((variable, Rc::new(known.affordable())))
            })
            .collect();
    }

    /// A variable is one of the men on some squares, or one of the squares.
    pub(super) fn set(&mut self, variable: VariableId, squares: SetBounds, is_piece: bool) {
        let men = possible_men(squares.may());
        self.set_one((variable, is_piece), squares, men);
    }

    /// The same where it is known what may stand there.
    pub(super) fn set_one(&mut self, (variable, is_piece): (VariableId, bool), squares: SetBounds, men: ManSet) {
        let known = match is_piece {
            true => {
                let men = men.intersection(ManSet::WHITE | ManSet::BLACK);
                self.forget_men_of(variable);
                let others = self.left_out.get(&variable).cloned().unwrap_or_default();
                Known::Piece(self.frame, squares, men, others)
            }
            false => Known::Set(self.frame, squares, Squares::One(men)),
        };
        self.known.insert(variable, Rc::new(known));
    }

    /// A piece variable is not that of these ones, as long as they have the values that they have now.
    pub(super) fn leave_out(&mut self, variable: VariableId, others: Vec<VariableId>) {
        self.left_out.insert(variable, others);
    }

    /// Whether the pieces of two variables are not the same one.
    pub(super) fn are_distinct(&self, a: VariableId, b: VariableId) -> bool {
        [(a, b), (b, a)].iter().any(|&(one, other)| match self.get(one) {
            Some(Known::Piece(.., others)) => others.contains(&other),
            _ => false,
        })
    }

    /// Forgets which squares are those of a piece variable, and which pieces are others, as it gets another value.
    fn forget_men_of(&mut self, variable: VariableId) {
        for known in self.known.values_mut() {
            match known.as_ref() {
                Known::Set(.., Squares::OfPiece(piece)) if *piece == variable => {
                    if let Known::Set(.., squares) = Rc::make_mut(known) {
                        *squares = Squares::Any;
                    }
                }
                Known::Piece(.., others) if others.contains(&variable) => {
                    if let Known::Piece(.., others) = Rc::make_mut(known) {
                        others.retain(|other| *other != variable);
                    }
                }
                _ => {}
            }
        }
    }

    /// Narrows the square of a variable that is known here, and not exactly. Of several squares one may do what the others
    /// don't.
    pub(super) fn narrow(&mut self, variable: VariableId, narrower: impl FnOnce(SetExpr) -> SetExpr) {
        if let Some(
            Known::Set(frame, SetBounds::Between { may, .. }, Squares::One(_) | Squares::OfPiece(_))
            | Known::Piece(frame, SetBounds::Between { may, .. }, ..),
        ) = self.known.get_mut(&variable).map(Rc::make_mut)
            && *frame == self.frame
        {
            let narrowed = narrower(may.clone());
            // A set that is narrowed by itself again and again would grow without end.
            if !Expr::Set(&narrowed).is_larger_than(MAX_SIZE) {
                *may = narrowed;
            }
        }
    }

    /// The variables that are one square here, or one man, of which it is not known which.
    pub(super) fn in_doubt_here(&self) -> Vec<VariableId> {
        let in_doubt = |known: &Known| match known {
            Known::Set(frame, SetBounds::Between { .. }, Squares::One(_) | Squares::OfPiece(_))
            | Known::Piece(frame, SetBounds::Between { .. }, ..) => *frame == self.frame,
            _ => false,
        };
        self.variables_where(in_doubt)
    }

    /// The variables that are men that were given at other positions.
    pub(super) fn men_elsewhere(&self) -> Vec<VariableId> {
        self.variables_where(|known| matches!(known, Known::Piece(frame, ..) if *frame != self.frame))
    }

    /// The variables of which something is known that is looked for, ascending.
    fn variables_where(&self, is_wanted: impl Fn(&Known) -> bool) -> Vec<VariableId> {
        let wanted = self.known.iter().filter(|(_, known)| is_wanted(known));
        let mut found: Vec<VariableId> = wanted.map(|(variable, _)| *variable).collect();
        found.sort_unstable();
        found
    }

    /// Takes the man of a variable, wherever it stands here, as given here.
    pub(super) fn give_here(&mut self, variable: VariableId) {
        let squares = self.squares(variable);
        if let Some(Known::Piece(frame, known, men, _)) = self.known.get_mut(&variable).map(Rc::make_mut) {
            *men = possible_men(squares.may());
            (*frame, *known) = (self.frame, squares);
        }
    }

    /// A variable has a value, as far as it is known; nothing is if there is none.
    pub(super) fn note(&mut self, variable: VariableId, known: Option<Known>) {
        match known {
            Some(known) => self.known.insert(variable, Rc::new(known)),
            None => self.known.remove(&variable),
        };
    }

    pub(super) fn forget(&mut self, variable: VariableId) {
        self.known.remove(&variable);
    }

    pub(super) fn save(&self) -> Saved {
        Saved(self.known.clone())
    }

    pub(super) fn restore(&mut self, saved: Saved) {
        self.known = saved.0;
    }

    /// Goes back to what was known of one variable.
    pub(super) fn restore_one(&mut self, variable: VariableId, saved: &Saved) {
        match saved.0.get(&variable) {
            Some(known) => self.known.insert(variable, Rc::clone(known)),
            None => self.known.remove(&variable),
        };
    }

    pub(super) fn is_empty(&self) -> bool {
        self.known.is_empty()
    }
}
