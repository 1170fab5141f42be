//! What the men on the board say of an endgame (docs/language/cql1.md#what-keywords-of-cql-s-ask-for).

use shakmaty::{Bitboard, Color, Role};

use super::ast::Term;
use super::cursor::{Cursor, Parsed, error};
use super::designator::Piece;
use super::list::Item;
use super::make;
use super::range::{self, Range};
use super::reader::Reader;
use crate::diagnostic::Code;
use crate::hir::{Arithmetic, Comparison, Filter, ManSet, Node};
use crate::span::Span;

const WHITE: Color = Color::White;
const BLACK: Color = Color::Black;

fn men(color: Color, roles: &[Role]) -> ManSet {
    let one = |&role: &Role| ManSet::from_man(chess::Man::new(color, role));
    roles.iter().map(one).fold(ManSet::NONE, |all, man| all | man)
}

fn of_color(color: Color) -> ManSet {
    color.fold_wb(ManSet::WHITE, ManSet::BLACK)
}

/// As many squares with these men.
fn exactly(count: i32, men: ManSet, squares: Bitboard, span: Span) -> Filter {
    make::within(make::designator(men, squares, span), Range::exactly(count), span)
}

/// A side has more than a king, or a king and a minor piece, or two kings have more than one minor piece or two bishops on
/// squares of one color.
pub(super) fn can_mate(span: Span) -> Filter {
    let anything = |count| exactly(count, ManSet::WHITE | ManSet::BLACK, Bitboard::FULL, span);
    let both = |roles: &[Role]| men(WHITE, roles) | men(BLACK, roles);
    let minor = exactly(1, both(&[Role::Bishop, Role::Knight]), Bitboard::FULL, span);
    let bishops = |squares| exactly(2, both(&[Role::Bishop]), squares, span);
    let bare = [
        anything(2),
        make::all(vec![anything(3), minor], span),
        make::all(
            vec![
                anything(4),
                make::any(
                    vec![bishops(Bitboard::LIGHT_SQUARES), bishops(Bitboard::DARK_SQUARES)],
                    span,
                ),
            ],
            span,
        ),
    ];
    make::not(make::any(bare.into(), span), span)
}

/// A side has a king alone, or a king and a minor piece.
pub(super) fn cannot_win(color: Color, span: Span) -> Filter {
    let all = |count| exactly(count, of_color(color), Bitboard::FULL, span);
    let minor = exactly(1, men(color, &[Role::Bishop, Role::Knight]), Bitboard::FULL, span);
    make::any(vec![all(1), make::all(vec![all(2), minor], span)], span)
}

/// Mate, stalemate, or nobody can mate.
pub(super) fn is_over(span: Span) -> Filter {
    let parts = vec![
        make::logical(Node::Mate, span),
        make::logical(Node::Stalemate, span),
        make::not(can_mate(span), span),
    ];
    make::any(parts, span)
}

/// A number of pawns, or how many in a hundred.
#[derive(Clone, Debug)]
enum Part {
    Count(Range),
    Percent(Vec<(Comparison, i32)>),
}

impl Reader {
    /// `:goodbishop X R : S`: there is a bishop of X with a part R of the other side's pawns on squares of its color, and a
    /// part S of its own side's pawns on squares of the other color.
    pub(super) fn good_bishop<'t>(&mut self, span: Span, cursor: &mut Cursor<'_, 't>) -> Parsed<Term<'t>> {
        let name = "goodbishop";
        let piece = self.piece(name, span, cursor)?;
        let Piece::Plain(bishops) = piece.node else {
            return Err(error(Code::BadDesignator, piece.span, "`:goodbishop` takes no tag"));
        };
        let all = men(WHITE, &[Role::Bishop]) | men(BLACK, &[Role::Bishop]);
        if !all.is_superset(bishops.men) {
            let message = "the designator of `:goodbishop` has bishops only";
            return Err(error(Code::BadDesignator, piece.span, message));
        }
        let attacked = self.part(name, span, cursor)?;
        if cursor.next().and_then(Item::atom) != Some(":") {
            return Err(cursor.bad(span, "two ranges with ` : ` between them belong behind `:goodbishop`"));
        }
        let free = self.part(name, span, cursor)?;
        let span = cursor.covered(span);
        let mut ways = Vec::new();
        for color in [WHITE, BLACK] {
            let own = bishops.men.intersection(of_color(color));
            if own == ManSet::NONE {
                continue;
            }
            for squares in [Bitboard::LIGHT_SQUARES, Bitboard::DARK_SQUARES] {
                let pawns = |color, squares| make::designator(men(color, &[Role::Pawn]), squares, span);
                ways.push(make::all(
                    vec![
                        make::designator(own, bishops.squares & squares, span),
                        attacked.of(pawns(!color, squares), pawns(!color, Bitboard::FULL), span),
                        free.of(pawns(color, !squares), pawns(color, Bitboard::FULL), span),
                    ],
                    span,
                ));
            }
        }
        Ok(Term::Filter(make::any(ways, span)))
    }

    /// `>50%`, `30% 70%`, or a range.
    fn part(&mut self, name: &str, span: Span, cursor: &mut Cursor<'_, '_>) -> Parsed<Part> {
        let percent = |atom: &str| range::bound(atom.strip_suffix('%')?).flatten();
        let first = cursor.peek().and_then(Item::atom).unwrap_or_default();
        let digits = first.trim_start_matches(['<', '>', '=']);
        let sign = match &first[..first.len() - digits.len()] {
            "<" => Some(Comparison::Less),
            "<=" => Some(Comparison::LessEqual),
            ">" => Some(Comparison::Greater),
            ">=" => Some(Comparison::GreaterEqual),
            _ => None,
        };
        if let (Some(sign), Some(number)) = (sign, percent(digits)) {
            cursor.next();
            return Ok(Part::Percent(vec![(sign, number)]));
        }
        let Some(first) = percent(first) else {
            return self.range(name, span, cursor).map(Part::Count);
        };
        cursor.next();
        match cursor.next().and_then(Item::atom).and_then(percent) {
            Some(last) => Ok(Part::Percent(vec![
                (Comparison::GreaterEqual, first.min(last)),
                (Comparison::LessEqual, first.max(last)),
            ])),
            None => Err(cursor.bad(span, "one percentage has a comparison before it: `>50%`")),
        }
    }
}

impl Part {
    /// A set is this part of a set that holds it.
    fn of(&self, set: Filter, all: Filter, span: Span) -> Filter {
        let bounds = match self {
            Part::Count(range) => return make::within(set, *range, span),
            Part::Percent(bounds) => bounds,
        };
        let times = |number: i32, set: &Filter| {
            let count = make::numeric(Node::Cardinality(Box::new(set.clone())), span);
            let number = Box::new(make::number(number, span));
            Box::new(make::numeric(
                Node::Arithmetic(Arithmetic::Multiply, number, Box::new(count)),
                span,
            ))
        };
        let bound = |&(comparison, number): &(Comparison, i32)| {
            let node = Node::CompareNumbers(comparison, times(100, &set), times(number, &all));
            make::numeric(node, span)
        };
        make::all(bounds.iter().map(bound).collect(), span)
    }
}
