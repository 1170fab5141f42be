//! Visiting the children of a filter, in the order of the text.

use super::{Constituent, Dash, Filter, Node, PathStep, Promotion, RelationParameter, Slice};

/// Writes the visitor once for shared and once for exclusive references.
macro_rules! walker {
    ($(#[$doc:meta])* $name:ident, $constituent:ident, $step:ident, $dash:ident, $slice:ident, $iter:ident, $as:ident $(, $mut:tt)?) => {
        $(#[$doc])*
        pub fn $name(&$($mut)? self, f: &mut dyn FnMut(&$($mut)? Filter)) {
            match &$($mut)? self.node {
                Node::Union(list)
                | Node::Intersection(list)
                | Node::Extremum(_, list)
                | Node::Str(list)
                | Node::Compound(list)
                | Node::Comment(list)
                | Node::Ray { arguments: list, .. }
                | Node::RayCount { arguments: list, .. }
                | Node::Xray { arguments: list, .. }
                | Node::Message { parts: list, .. }
                | Node::Orbit { variants: list, .. } => list.$iter().for_each(|child| f(child)),

                Node::Complement(a)
                | Node::Direction { argument: a, .. }
                | Node::SquareColor(_, a)
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
                | Node::Echo { body: a, .. } => f(a),

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
                    f(a);
                    f(b);
                }

                Node::Pin { from, through, to, .. } => {
                    [from, through, to].into_iter().filter_map(|child| child.$as()).for_each(|child| f(child));
                }
                Node::If(condition, then, otherwise) => {
                    f(condition);
                    f(then);
                    otherwise.$iter().for_each(|child| f(child));
                }
                Node::Child(index) => index.$iter().for_each(|child| f(child)),
                Node::DictionaryUnbind(_, key) => key.$iter().for_each(|child| f(child)),
                Node::Slice(text, slice) => {
                    f(text);
                    $slice(slice, f);
                }
                Node::AssignSlice(_, slice, text) => {
                    $slice(slice, f);
                    f(text);
                }
                Node::Call { arguments, body } => {
                    arguments.$iter().for_each(|(_, argument)| f(argument));
                    f(body);
                }
                Node::Move(m) => {
                    let m = &$($mut)? **m;
                    [&$($mut)? m.from, &$($mut)? m.to, &$($mut)? m.capture, &$($mut)? m.en_passant_square]
                        .into_iter()
                        .flatten()
                        .for_each(|child| f(child));
                    m.comment.$iter().flatten().for_each(|child| f(child));
                }
                Node::Dash(dash)
                | Node::LegalDash(_, dash)
                | Node::CountMoves(_, dash)
                | Node::CurrentMove(dash) => $dash(dash, f),
                Node::Relation(relation) => {
                    let relation = &$($mut)? **relation;
                    relation.targets.$iter().for_each(|child| f(child));
                    for parameter in relation.parameters.$iter() {
                        if let RelationParameter::Squares(squares) = parameter {
                            [&$($mut)? squares.source, &$($mut)? squares.target]
                                .into_iter()
                                .flatten()
                                .for_each(|child| f(child));
                        }
                    }
                }
                Node::DiagramRelation(relation) => relation.area.$iter().flatten().for_each(|child| f(child)),
                Node::Line(line) => line.constituents.$iter().for_each(|part| $constituent(part, f)),
                Node::Path(path) => {
                    let path = &$($mut)? **path;
                    if let Some(focus) = &$($mut)? path.focus {
                        f(&$($mut)? focus.pieces);
                    }
                    [&$($mut)? path.max, &$($mut)? path.title].into_iter().flatten().for_each(|child| f(child));
                    path.steps.$iter().for_each(|step| $step(step, f));
                }

                Node::Designator(_)
                | Node::AllSquares
                | Node::NoSquares
                | Node::PawnStructure(_)
                | Node::PureMate { .. }
                | Node::Number(_)
                | Node::Dictionary(_)
                | Node::DictionarySize(_)
                | Node::HhdbAward(_)
                | Node::PieceIdOf(_)
                | Node::SideToMove
                | Node::ColorValue(_)
                | Node::MoveNumber
                | Node::Ply
                | Node::Depth
                | Node::PositionId
                | Node::GameNumber
                | Node::LastGameNumber
                | Node::Year
                | Node::Elo(_)
                | Node::ConsecutiveMoves { .. }
                | Node::PathCount
                | Node::PathCountUnfocused
                | Node::Try
                | Node::GroupStart(_)
                | Node::String(_)
                | Node::Metadata(_)
                | Node::Fen
                | Node::Group(_)
                | Node::CurrentTransform(_)
                | Node::Hhdb(_)
                | Node::CurrentPosition
                | Node::Parent
                | Node::PathStart
                | Node::PathLastPosition
                | Node::True
                | Node::False
                | Node::Turn(_)
                | Node::Check
                | Node::Mate
                | Node::Stalemate
                | Node::Initial
                | Node::Terminal
                | Node::Mainline(_)
                | Node::VirtualMainline
                | Node::Primary(_)
                | Node::Result(_)
                | Node::Nag(_)
                | Node::IsBound(..)
                | Node::Unbind(_)
                | Node::FenBoard(_)
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
                | Node::SimilarPosition(_)
                | Node::AssertVariations(_)
                | Node::HhdbCooked => {}
            }
        }
    };
}

impl Filter {
    walker!(
        /// Calls `f` with every child, in the order of the text.
        for_each_child, constituent, step, dash, slice, iter, as_deref
    );
    walker!(
        /// Calls `f` with every child, in the order of the text, so that it can be changed.
        for_each_child_mut, constituent_mut, step_mut, dash_mut, slice_mut, iter_mut, as_deref_mut, mut
    );

    /// Whether `test` holds for this filter or one below it.
    pub fn any(&self, test: &mut dyn FnMut(&Filter) -> bool) -> bool {
        let mut found = test(self);
        if !found {
            self.for_each_child(&mut |child| found = found || child.any(test));
        }
        found
    }
}

/// The same for the parts that are no filters themselves, for both kinds of reference.
macro_rules! parts {
    ($constituent:ident, $step:ident, $dash:ident, $slice:ident, $iter:ident $(, $mut:tt)?) => {
        fn $constituent(part: &$($mut)? Constituent, f: &mut dyn FnMut(&$($mut)? Filter)) {
            match part {
                Constituent::Filter { filter, .. } => f(filter),
                Constituent::Group { constituents, .. } => {
                    constituents.$iter().for_each(|part| $constituent(part, f));
                }
            }
        }

        fn $step(part: &$($mut)? PathStep, f: &mut dyn FnMut(&$($mut)? Filter)) {
            match part {
                PathStep::Filter(filter) => f(filter),
                PathStep::Dash { dash, .. } => $dash(dash, f),
                PathStep::Chain { steps, .. } => steps.$iter().for_each(|part| $step(part, f)),
            }
        }

        fn $dash(dash: &$($mut)? Dash, f: &mut dyn FnMut(&$($mut)? Filter)) {
            [&$($mut)? dash.left, &$($mut)? dash.right].into_iter().flatten().for_each(|child| f(child));
            if let Some(Promotion::Text(text)) = &$($mut)? dash.promotion {
                f(text);
            }
            dash.target.$iter().for_each(|child| f(child));
        }

        fn $slice(slice: &$($mut)? Slice, f: &mut dyn FnMut(&$($mut)? Filter)) {
            match slice {
                Slice::Index(index) => f(index),
                Slice::Range(start, end) => {
                    [start, end].into_iter().flatten().for_each(|bound| f(bound));
                }
            }
        }
    };
}

parts!(constituent, step, dash, slice, iter);
parts!(constituent_mut, step_mut, dash_mut, slice_mut, iter_mut, mut);
