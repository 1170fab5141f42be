//! `:movefrom`, `:moveto`, `:promote` and their like: all of a list speak of one move, the next one.

use chess::Man;
use shakmaty::{Color, Role};

use super::ast::Next;
use super::lower::{Lowering, Parsed};
use super::make;
use crate::hir::{
    CastleSide, Constituent, Designator, Filter, Line, LineArrow, ManSet, MoveFilter, Node, Repeat, SequenceEnd,
};
use crate::span::Span;

/// What the terms of a list say about the next move.
#[derive(Debug, Default)]
struct Wanted {
    from: Vec<Filter>,
    to: Vec<Filter>,
    promote: Option<Designator>,
    is_en_passant: bool,
    castles: Option<Vec<(Option<Color>, CastleSide)>>,
    is_null: bool,
    /// Whether it must not promote.
    no_promotion: bool,
    /// Whether it must not capture en passant.
    no_en_passant: bool,
    /// What the position after it is.
    after: Vec<Filter>,
}

impl<'t> Lowering<'_, 't> {
    /// The filter for all that a list says about the next move.
    pub(super) fn next_move(&mut self, terms: &[(&Next<'t>, Span)], span: Span) -> Parsed<Filter> {
        let mut wanted = Wanted::default();
        for &(next, place) in terms {
            match next {
                Next::From(piece) => wanted.from.push(self.set(&piece.node, piece.span)?),
                Next::To(piece) => wanted.to.push(self.set(&piece.node, piece.span)?),
                Next::Promote(Some(piece)) => {
                    let so_far = wanted.promote.unwrap_or(Designator::anywhere(ManSet::ANYTHING));
                    wanted.promote = Some(Designator {
                        men: so_far.men.intersection(piece.men),
                        squares: so_far.squares & piece.squares,
                    });
                }
                Next::Promote(None) => wanted.no_promotion = true,
                Next::EnPassant(true) => wanted.is_en_passant = true,
                Next::EnPassant(false) => wanted.no_en_passant = true,
                Next::Castles(letters) => wanted.castles = Some(castlings(letters)),
                Next::Null => wanted.is_null = true,
                Next::After(filter) => wanted.after.push(Filter {
                    span: place,
                    ..filter.clone()
                }),
            }
        }
        Ok(self.wanted(wanted, span))
    }

    fn wanted(&mut self, wanted: Wanted, span: Span) -> Filter {
        let all_promotions = ManSet::from_role(Role::Queen)
            | ManSet::from_role(Role::Rook)
            | ManSet::from_role(Role::Bishop)
            | ManSet::from_role(Role::Knight);
        let this = |m: MoveFilter| make::logical(Node::Move(Box::new(m)), span);
        let mut parts = vec![make::any(moves(&wanted, span).into_iter().map(this).collect(), span)];
        if wanted.no_promotion {
            let promotes = MoveFilter {
                promote: Some(all_promotions),
                ..MoveFilter::ANY
            };
            parts.push(make::not(this(promotes), span));
        }
        if wanted.no_en_passant {
            let captures = MoveFilter {
                en_passant: true,
                ..MoveFilter::ANY
            };
            parts.push(make::not(this(captures), span));
        }
        let is_one_move = parts.len() == 1 && wanted.after.is_empty();
        let here = make::all(parts, span);
        if is_one_move || self.is_bound && wanted.after.is_empty() {
            return here;
        }
        // In a line, all move filters of a position are about the same move.
        self.line(
            vec![(here, Repeat::ONCE), (make::all(wanted.after, span), Repeat::ONCE)],
            span,
        )
    }

    /// Consecutive positions that match one filter after the other.
    pub(super) fn line(&mut self, steps: Vec<(Filter, Repeat)>, span: Span) -> Filter {
        let constituents = steps
            .into_iter()
            .map(|(filter, repeat)| Constituent::Filter { filter, repeat });
        make::numeric(
            Node::Line(Box::new(Line {
                id: self.sequence(),
                arrow: LineArrow::Forward,
                range: None,
                single_color: false,
                nestban: false,
                first_match: true,
                end: SequenceEnd::Count,
                primary: self.only_mainline.then_some(true),
                quiet: true,
                constituents: constituents.collect(),
            })),
            span,
        )
    }
}

/// The moves that are wanted: two where White and Black have to promote to different pieces.
fn moves(wanted: &Wanted, span: Span) -> Vec<MoveFilter> {
    let intersection = |sets: &[Filter]| match sets {
        [] => None,
        [only] => Some(only.clone()),
        sets => Some(make::set(Node::Intersection(sets.to_vec()), span)),
    };
    let base = MoveFilter {
        from: intersection(&wanted.from),
        to: intersection(&wanted.to),
        en_passant: wanted.is_en_passant,
        null: wanted.is_null,
        ..MoveFilter::ANY
    };
    if let Some(castles) = &wanted.castles {
        let castling = |&(color, side): &(Option<Color>, CastleSide)| {
            let king = color.map(|color| ManSet::from_man(Man::new(color, Role::King)));
            let king = king.map(|king| make::designator(king, shakmaty::Bitboard::FULL, span));
            let from: Vec<Filter> = wanted.from.iter().cloned().chain(king).collect();
            MoveFilter {
                from: intersection(&from),
                castle: Some(side),
                ..base.clone()
            }
        };
        return castles.iter().map(castling).collect();
    }
    let Some(Designator { men, squares }) = wanted.promote else {
        return vec![base];
    };
    let mut to = wanted.to.clone();
    if squares != shakmaty::Bitboard::FULL {
        to.push(make::designator(ManSet::ANYTHING, squares, span));
    }
    let of = |color: Color| -> ManSet {
        let men = men.iter().filter(|man| man.color() == Some(color));
        men.fold(ManSet::NONE, |all, man: Man| all | ManSet::from_man(man))
    };
    let (white, black) = (of(Color::White), of(Color::Black));
    let promotion = |men: ManSet, mover: Option<ManSet>| {
        let mut from = wanted.from.clone();
        from.extend(mover.map(|mover| make::designator(mover, shakmaty::Bitboard::FULL, span)));
        MoveFilter {
            from: intersection(&from),
            to: intersection(&to),
            promote: Some(men),
            ..base.clone()
        }
    };
    if white == black.swap_colors() {
        return vec![promotion(men, None)];
    }
    [(white, ManSet::WHITE), (black, ManSet::BLACK)]
        .into_iter()
        .filter(|(men, _)| *men != ManSet::NONE)
        .map(|(men, mover)| promotion(men, Some(mover)))
        .collect()
}

/// Which castlings letters of rights stand for; no letters for all.
fn castlings(letters: &[char]) -> Vec<(Option<Color>, CastleSide)> {
    let one = |letter: &char| {
        let color = if letter.is_ascii_uppercase() {
            Color::White
        } else {
            Color::Black
        };
        let side = match letter.to_ascii_uppercase() {
            'K' => CastleSide::King,
            _ => CastleSide::Queen,
        };
        (Some(color), side)
    };
    match letters {
        [] => vec![(None, CastleSide::Any)],
        _ => letters.iter().map(one).collect(),
    }
}
