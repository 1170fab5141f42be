//! Filters that are a single word.

use shakmaty::Color;

use crate::hir::{CastleSide, Kind, Node, PawnStructure, Purity};
use crate::span::Span;
use crate::syntax::Keyword;

/// The filter that a word alone stands for.
pub(super) fn leaf(keyword: Keyword, span: Span) -> Option<(Node, Kind)> {
    let initial_position = || crate::hir::Filter::new(Node::Number(0), Kind::Numeric, span);
    Some(match keyword {
        Keyword::Connectedpawns => (Node::PawnStructure(PawnStructure::Connected), Kind::Set),
        Keyword::Isolatedpawns => (Node::PawnStructure(PawnStructure::Isolated), Kind::Set),
        Keyword::Doubledpawns => (Node::PawnStructure(PawnStructure::Doubled), Kind::Set),
        Keyword::Passedpawns => (Node::PawnStructure(PawnStructure::Passed), Kind::Set),
        Keyword::Puremate => pure(Purity::Pure, false),
        Keyword::Modelmate => pure(Purity::Model, false),
        Keyword::Idealmate => pure(Purity::Ideal, false),
        Keyword::Purestalemate => pure(Purity::Pure, true),
        Keyword::Modelstalemate => pure(Purity::Model, true),
        Keyword::Idealstalemate => pure(Purity::Ideal, true),
        Keyword::From => (Node::FromSquares, Kind::Set),
        Keyword::To => (Node::ToSquares, Kind::Set),
        Keyword::Enpassantsquare => (Node::EnPassantSquare, Kind::Set),

        Keyword::Sidetomove => (Node::SideToMove, Kind::Numeric),
        Keyword::White => (Node::ColorValue(Color::White), Kind::Numeric),
        Keyword::Black => (Node::ColorValue(Color::Black), Kind::Numeric),
        Keyword::Movenumber => (Node::MoveNumber, Kind::Numeric),
        Keyword::Ply => (Node::Ply, Kind::Numeric),
        Keyword::Depth => (Node::Depth, Kind::Numeric),
        Keyword::Positionid => (Node::PositionId, Kind::Numeric),
        Keyword::Gamenumber => (Node::GameNumber, Kind::Numeric),
        Keyword::Lastgamenumber => (Node::LastGameNumber, Kind::Numeric),
        Keyword::Year => (Node::Year, Kind::Numeric),
        Keyword::Pathcount => (Node::PathCount, Kind::Numeric),
        Keyword::Pathcountunfocused => (Node::PathCountUnfocused, Kind::Numeric),
        Keyword::Try => (Node::Try, Kind::Numeric),

        // Expansion writes the name of the map in.
        Keyword::Currenttransform => (Node::CurrentTransform(String::new()), Kind::String),

        Keyword::Currentposition | Keyword::Curpos => (Node::CurrentPosition, Kind::Position),
        Keyword::Initialposition => (Node::PositionAt(Box::new(initial_position())), Kind::Position),
        Keyword::Parent => (Node::Parent, Kind::Position),
        Keyword::Pathstart => (Node::PathStart, Kind::Position),
        Keyword::Pathlastposition => (Node::PathLastPosition, Kind::Position),

        // The second one stands inside a path, and only helped to find errors in CQL 6.2 itself.
        Keyword::True | Keyword::Pathdebug => (Node::True, Kind::Logical),
        Keyword::False | Keyword::Extension => (Node::False, Kind::Logical),
        Keyword::Wtm => (Node::Turn(Color::White), Kind::Logical),
        Keyword::Btm => (Node::Turn(Color::Black), Kind::Logical),
        Keyword::Check => (Node::Check, Kind::Logical),
        Keyword::Mate => (Node::Mate, Kind::Logical),
        Keyword::Stalemate => (Node::Stalemate, Kind::Logical),
        Keyword::Initial => (Node::Initial, Kind::Logical),
        Keyword::Terminal => (Node::Terminal, Kind::Logical),
        Keyword::Mainline => (Node::Mainline(true), Kind::Logical),
        Keyword::Variation => (Node::Mainline(false), Kind::Logical),
        Keyword::Virtualmainline => (Node::VirtualMainline, Kind::Logical),
        Keyword::Primary => (Node::Primary(true), Kind::Logical),
        Keyword::Secondary => (Node::Primary(false), Kind::Logical),
        Keyword::Castle => (Node::Castle(CastleSide::Any), Kind::Logical),
        Keyword::CastleKing => (Node::Castle(CastleSide::King), Kind::Logical),
        Keyword::CastleQueen => (Node::Castle(CastleSide::Queen), Kind::Logical),
        Keyword::Enpassant => (Node::EnPassant, Kind::Logical),
        Keyword::Nullmove => (Node::NullMove, Kind::Logical),
        Keyword::Removecomment => (Node::RemoveComment, Kind::Logical),
        Keyword::CqlAbort => (Node::Abort, Kind::Logical),
        Keyword::CqlHhdbhascook => (Node::HhdbCooked, Kind::Logical),
        _ => return None,
    })
}

fn pure(purity: Purity, stalemate: bool) -> (Node, Kind) {
    (Node::PureMate { purity, stalemate }, Kind::Set)
}
