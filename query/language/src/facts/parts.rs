//! What a filter consists of: its children, and the attributes that a transform changes.

use shakmaty::Color;

use crate::hir::{
    Change, Constituent, Dash, Designator, Directions, Filter, ManSet, Metadata, Node, PathStep, Promotion,
    RelationParameter, Slice,
};

/// A part of a filter.
#[derive(Clone, Copy, Debug)]
pub enum Part<'f> {
    /// A filter inside it.
    Child(&'f Filter),
    /// Men on squares.
    Designator(&'f Designator),
    /// Directions on the board.
    Directions(&'f Directions),
    /// A side.
    Color(&'f Color),
    /// The side whose name is asked for.
    PlayerColor(&'f Color),
    /// How a game ended.
    Outcome(&'f chess::Outcome),
    /// The color of squares: light (true) or dark.
    SquareColor(&'f bool),
    /// The men that a pawn may become.
    Promotion(&'f ManSet),
    /// The name of the maps that led to this variant.
    TransformName(&'f String),
    /// Something that no transform may be applied to.
    Untransformable,
}

/// A part of a filter that may be changed.
#[derive(Debug)]
pub enum PartMut<'f> {
    /// A filter inside it.
    Child(&'f mut Filter),
    /// Men on squares.
    Designator(&'f mut Designator),
    /// Directions on the board.
    Directions(&'f mut Directions),
    /// A side.
    Color(&'f mut Color),
    /// The side whose name is asked for.
    PlayerColor(&'f mut Color),
    /// How a game ended.
    Outcome(&'f mut chess::Outcome),
    /// The color of squares: light (true) or dark.
    SquareColor(&'f mut bool),
    /// The men that a pawn may become.
    Promotion(&'f mut ManSet),
    /// The name of the maps that led to this variant.
    TransformName(&'f mut String),
    /// Something that no transform may be applied to.
    Untransformable,
}

/// Writes the visitor once for shared and once for exclusive references.
///
/// There is no wildcard in this match: a new filter has to be taken apart here.
macro_rules! visitor {
    ($(#[$doc:meta])* $name:ident, $part:ident, $constituent:ident, $step:ident, $promotions:ident, $dash:ident,
     $slice:ident, $iter:ident, $as:ident, ($($life:lifetime)?) $part_life:lifetime $(, $mut:tt)?) => {
        $(#[$doc])*
        pub fn $name$(<$life>)?(&$($life)? $($mut)? self, f: &mut dyn FnMut($part<$part_life>)) {
            match &$($mut)? self.node {
                Node::Designator(designator) => f($part::Designator(designator)),
                Node::FenBoard(board) => board.$iter().for_each(|designator| f($part::Designator(designator))),
                Node::Turn(color) | Node::ColorValue(color) | Node::Elo(Some(color)) => f($part::Color(color)),
                Node::Clock(Some(color)) | Node::Evaluation(color) => f($part::Color(color)),
                Node::Metadata(Metadata::Player(color)) => f($part::PlayerColor(color)),
                Node::Result(outcome) => f($part::Outcome(outcome)),
                Node::CurrentTransform(name) => f($part::TransformName(name)),
                Node::SimilarPosition(_) => f($part::Untransformable),
                Node::SquareColor(light, argument) => {
                    f($part::SquareColor(light));
                    f($part::Child(argument));
                }
                Node::Direction { directions, argument, .. } => {
                    f($part::Directions(directions));
                    f($part::Child(argument));
                }
                Node::Ray { directions, arguments, .. }
                | Node::RayCount { directions: Some(directions), arguments } => {
                    f($part::Directions(directions));
                    arguments.$iter().for_each(|child| f($part::Child(child)));
                }

                Node::Union(list)
                | Node::Intersection(list)
                | Node::Extremum(_, list)
                | Node::Str(list)
                | Node::Compound(list)
                | Node::Comment(list)
                | Node::RayCount { directions: None, arguments: list }
                | Node::Xray { arguments: list, .. }
                | Node::Message { parts: list, .. }
                | Node::Orbit { variants: list, .. } => list.$iter().for_each(|child| f($part::Child(child))),

                Node::Complement(a)
                | Node::MakeSquareNamed(a)
                | Node::Cardinality(a)
                | Node::Length(a)
                | Node::Power(a)
                | Node::File(a)
                | Node::Rank(a)
                | Node::Type(a)
                | Node::ColorType(a)
                | Node::PieceId(a)
                | Node::Negate(a)
                | Node::Abs(a)
                | Node::Sqrt(a)
                | Node::Int(a)
                | Node::AsciiCode(a)
                | Node::TypeName(a)
                | Node::PieceName(a)
                | Node::Case(_, a)
                | Node::AsciiChar(a)
                | Node::RegexMatch(a, _)
                | Node::ReadFile(a)
                | Node::PositionAt(a)
                | Node::Find { argument: a, .. }
                | Node::Not(a)
                | Node::Loop(a)
                | Node::Assert(a)
                | Node::Assign(_, _, a)
                | Node::AssignPiece(_, a)
                | Node::DictionaryGet(_, a)
                | Node::DictionaryLoop(_, _, a)
                | Node::Transform { argument: a, .. }
                | Node::NoTransform(a)
                | Node::Sort { argument: a, .. }
                | Node::SetTag(_, a)
                | Node::Echo { body: a, .. } => f($part::Child(a)),

                Node::Attacks(a, b)
                | Node::AttackedBy(a, b)
                | Node::AttackPairs(a, b)
                | Node::Between(a, b)
                | Node::MakeSquare(a, b)
                | Node::SquareLoop { domain: a, body: b, .. }
                | Node::PieceLoop { domain: a, body: b, .. }
                | Node::SameContents(a, b)
                | Node::Arithmetic(_, a, b)
                | Node::IndexOf(a, b)
                | Node::Distance(a, b)
                | Node::Ancestor(a, b)
                | Node::Descendant(a, b)
                | Node::CompareNumbers(_, a, b)
                | Node::CompareStrings(_, a, b)
                | Node::ComparePositions(_, a, b)
                | Node::SameSet(a, b)
                | Node::Subset(a, b)
                | Node::Substring(a, b)
                | Node::Equal(a, b)
                | Node::Concatenation(a, b)
                | Node::Lca(a, b)
                | Node::At(a, b)
                | Node::And(a, b)
                | Node::Or(a, b)
                | Node::While(a, b)
                | Node::WhileRegex(a, _, b)
                | Node::DictionarySet(_, a, b)
                | Node::WriteFile(a, b) => {
                    f($part::Child(a));
                    f($part::Child(b));
                }

                Node::Pin { from, through, to, .. } => {
                    let given = [from, through, to].into_iter().filter_map(|child| child.$as());
                    given.for_each(|child| f($part::Child(child)));
                }
                Node::If(condition, then, otherwise) => {
                    f($part::Child(condition));
                    f($part::Child(then));
                    otherwise.$iter().for_each(|child| f($part::Child(child)));
                }
                Node::Child(index) => index.$iter().for_each(|child| f($part::Child(child))),
                Node::DictionaryUnbind(_, key) => key.$iter().for_each(|child| f($part::Child(child))),
                Node::Slice(text, slice) => {
                    f($part::Child(text));
                    $slice(slice, f);
                }
                Node::AssignSlice(_, slice, text) => {
                    $slice(slice, f);
                    f($part::Child(text));
                }
                Node::Call { arguments, body } => {
                    arguments.$iter().for_each(|(_, argument)| f($part::Child(argument)));
                    f($part::Child(body));
                }
                Node::Move(m) => {
                    let m = &$($mut)? **m;
                    m.promote.$iter().for_each(|men| f($part::Promotion(men)));
                    [&$($mut)? m.from, &$($mut)? m.to, &$($mut)? m.capture, &$($mut)? m.en_passant_square]
                        .into_iter()
                        .flatten()
                        .for_each(|child| f($part::Child(child)));
                    m.comment.$iter().flatten().for_each(|child| f($part::Child(child)));
                }
                Node::Dash(dash)
                | Node::LegalDash(_, dash)
                | Node::CountMoves(_, dash)
                | Node::CurrentMove(dash) => {
                    if let Some(Promotion::Roles(men)) = &$($mut)? dash.promotion {
                        f($part::Promotion(men));
                    }
                    $dash(dash, f);
                }
                Node::AfterMove { moves, target, .. } => {
                    f($part::Child(moves));
                    f($part::Child(target));
                }
                Node::Imagine { changes, target } => {
                    for change in changes.$iter() {
                        match change {
                            Change::Remove(squares) => f($part::Child(squares)),
                            Change::Add { man, squares } => {
                                f($part::Designator(man));
                                squares.$iter().for_each(|child| f($part::Child(child)));
                            }
                            Change::Move(from, to) => {
                                f($part::Child(from));
                                f($part::Child(to));
                            }
                            Change::Turn(color) => f($part::Color(color)),
                            Change::OtherTurn => {}
                        }
                    }
                    f($part::Child(target));
                }
                Node::Relation(relation) => {
                    let relation = &$($mut)? **relation;
                    relation.targets.$iter().for_each(|child| f($part::Child(child)));
                    for parameter in relation.parameters.$iter() {
                        if let RelationParameter::Squares(squares) = parameter {
                            [&$($mut)? squares.source, &$($mut)? squares.target]
                                .into_iter()
                                .flatten()
                                .for_each(|child| f($part::Child(child)));
                        }
                    }
                }
                Node::DiagramRelation(relation) => {
                    relation.area.$iter().flatten().for_each(|child| f($part::Child(child)));
                }
                Node::Line(line) => line.constituents.$iter().for_each(|part| $constituent(part, f)),
                Node::Path(path) => {
                    let path = &$($mut)? **path;
                    path.steps.$iter().for_each(|step| $promotions(step, f));
                    if let Some(focus) = &$($mut)? path.focus {
                        f($part::Child(&$($mut)? focus.pieces));
                    }
                    let values = [&$($mut)? path.max, &$($mut)? path.title];
                    values.into_iter().flatten().for_each(|child| f($part::Child(child)));
                    path.steps.$iter().for_each(|step| $step(step, f));
                }

                Node::AllSquares
                | Node::NoSquares
                | Node::PawnStructure(_)
                | Node::PureMate { .. }
                | Node::Number(_)
                | Node::Dictionary(_)
                | Node::DictionarySize(_)
                | Node::HhdbAward(_)
                | Node::PieceIdOf(_)
                | Node::SideToMove
                | Node::MoveNumber
                | Node::Ply
                | Node::Depth
                | Node::PositionId
                | Node::GameNumber
                | Node::LastGameNumber
                | Node::Year
                | Node::Elo(None)
                | Node::ConsecutiveMoves { .. }
                | Node::PathCount
                | Node::PathCountUnfocused
                | Node::Try
                | Node::GroupStart(_)
                | Node::String(_)
                | Node::Metadata(
                    Metadata::BothPlayers
                    | Metadata::Event
                    | Metadata::Site
                    | Metadata::Date
                    | Metadata::EventDate
                    | Metadata::Eco
                    | Metadata::Fen
                    | Metadata::Tag(_)
                    | Metadata::Comment,
                )
                | Node::Fen
                | Node::Group(_)
                | Node::Hhdb(_)
                | Node::CurrentPosition
                | Node::Parent
                | Node::PathStart
                | Node::PathLastPosition
                | Node::True
                | Node::False
                | Node::Check
                | Node::Mate
                | Node::Stalemate
                | Node::Initial
                | Node::Terminal
                | Node::Mainline(_)
                | Node::VirtualMainline
                | Node::Primary(_)
                | Node::Nag(_)
                | Node::IsBound(..)
                | Node::Unbind(_)
                | Node::FromSquares
                | Node::ToSquares
                | Node::EnPassantSquare
                | Node::Castle(_)
                | Node::EnPassant
                | Node::NullMove
                | Node::AssertBound(_)
                | Node::Abort
                | Node::Variable(_)
                | Node::RemoveComment
                | Node::AssertVariations(_)
                | Node::HhdbCooked
                | Node::PositionSet(_)
                | Node::LegalPosition
                | Node::Clock(None)
                | Node::MoveTime => {}
            }
        }
    };
}

impl Filter {
    visitor!(
        /// Calls `f` with every part: attributes first, then children in the order of the text.
        for_each_part, Part, constituent, step, promotions, dash, slice, iter, as_deref, ('f) 'f
    );
    visitor!(
        /// Calls `f` with every part, so that it can be changed: attributes first, then children in the order of the
        /// text.
        for_each_part_mut, PartMut, constituent_mut, step_mut, promotions_mut, dash_mut, slice_mut, iter_mut,
        as_deref_mut, () '_, mut
    );

    /// Calls `f` with every child, in the order of the text.
    pub fn for_each_child<'f>(&'f self, f: &mut dyn FnMut(&'f Filter)) {
        self.for_each_part(&mut |part| {
            if let Part::Child(child) = part {
                f(child);
            }
        });
    }

    /// Calls `f` with every child, in the order of the text, so that it can be changed.
    pub fn for_each_child_mut(&mut self, f: &mut dyn FnMut(&mut Filter)) {
        self.for_each_part_mut(&mut |part| {
            if let PartMut::Child(child) = part {
                f(child);
            }
        });
    }
}

/// The same for the parts of a filter that are structures of their own, for both kinds of reference.
macro_rules! nested {
    ($part:ident, $constituent:ident, $step:ident, $promotions:ident, $dash:ident, $slice:ident, $iter:ident,
     ($($life:lifetime)?) $part_life:lifetime $(, $mut:tt)?) => {
        fn $constituent$(<$life>)?(part: &$($life)? $($mut)? Constituent, f: &mut dyn FnMut($part<$part_life>)) {
            match part {
                Constituent::Filter { filter, .. } => f($part::Child(filter)),
                Constituent::Group { constituents, .. } => {
                    constituents.$iter().for_each(|part| $constituent(part, f));
                }
            }
        }

        fn $step$(<$life>)?(part: &$($life)? $($mut)? PathStep, f: &mut dyn FnMut($part<$part_life>)) {
            match part {
                PathStep::Filter(filter) => f($part::Child(filter)),
                PathStep::Dash { dash, .. } => $dash(dash, f),
                PathStep::Chain { steps, .. } => steps.$iter().for_each(|part| $step(part, f)),
            }
        }

        fn $promotions$(<$life>)?(step: &$($life)? $($mut)? PathStep, f: &mut dyn FnMut($part<$part_life>)) {
            match step {
                PathStep::Filter(_) => {}
                PathStep::Dash { dash, .. } => {
                    if let Some(Promotion::Roles(men)) = &$($mut)? dash.promotion {
                        f($part::Promotion(men));
                    }
                }
                PathStep::Chain { steps, .. } => steps.$iter().for_each(|part| $promotions(part, f)),
            }
        }

        fn $dash$(<$life>)?(dash: &$($life)? $($mut)? Dash, f: &mut dyn FnMut($part<$part_life>)) {
            [&$($mut)? dash.left, &$($mut)? dash.right].into_iter().flatten().for_each(|child| f($part::Child(child)));
            if let Some(Promotion::Text(text)) = &$($mut)? dash.promotion {
                f($part::Child(text));
            }
            dash.target.$iter().for_each(|child| f($part::Child(child)));
        }

        fn $slice$(<$life>)?(slice: &$($life)? $($mut)? Slice, f: &mut dyn FnMut($part<$part_life>)) {
            match slice {
                Slice::Index(index) => f($part::Child(index)),
                Slice::Range(start, end) => {
                    [start, end].into_iter().flatten().for_each(|bound| f($part::Child(bound)));
                }
            }
        }
    };
}

nested!(Part, constituent, step, promotions, dash, slice, iter, ('f) 'f);
nested!(
    PartMut,
    constituent_mut,
    step_mut,
    promotions_mut,
    dash_mut,
    slice_mut,
    iter_mut,
    () '_,
    mut
);
