//! Keywords of CQL-S that CQL 6 says with several filters (docs/language/cql1.md#what-keywords-of-cql-s-ask-for).

use shakmaty::{Bitboard, Color, Role, Square};

use super::cursor::{Cursor, Parsed};
use super::list::Item;
use super::lower::somewhere;
use super::range::{self, Range};
use super::{game, make};
use crate::hir::{
    Arithmetic, Bound, Comparison, Dash, Designator, Directions, Filter, FindCount, Kind, ManSet, Metadata, Node,
};
use crate::span::Span;

/// The rights of castling that a text of letters names, as `:castling` writes them.
pub(super) fn rights(letters: &str) -> Option<Vec<char>> {
    let inside = letters.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let letters: Vec<char> = inside.unwrap_or(letters).chars().collect();
    let is_right = |letter: &char| matches!(letter, 'K' | 'Q' | 'k' | 'q');
    let count = if inside.is_some() { 1..=4 } else { 1..=1 };
    (count.contains(&letters.len()) && letters.iter().all(is_right)).then_some(letters)
}

/// One right of castling: king and rook stand at home, and no move so far began or ended there.
pub(super) fn right(letter: char, span: Span) -> Filter {
    let color = if letter.is_ascii_uppercase() {
        Color::White
    } else {
        Color::Black
    };
    let king = color.fold_wb(Square::E1, Square::E8);
    let rook = match letter.to_ascii_uppercase() {
        'K' => color.fold_wb(Square::H1, Square::H8),
        _ => color.fold_wb(Square::A1, Square::A8),
    };
    let man = |role, square: Square| make::designator(one(color, role), square.into(), span);
    let home = make::designator(ManSet::ANYTHING, Bitboard::from(king) | Bitboard::from(rook), span);
    let moved = make::set(
        Node::Union(vec![
            make::set(Node::FromSquares, span),
            make::set(Node::ToSquares, span),
        ]),
        span,
    );
    let touched = make::set(Node::Intersection(vec![moved, home]), span);
    let earlier = nearest_before(touched, span);
    make::all(
        vec![man(Role::King, king), man(Role::Rook, rook), make::not(earlier, span)],
        span,
    )
}

/// The number of half-moves since a pawn was moved or a man captured, or since the game began.
pub(super) fn half_move_clock(span: Span) -> Filter {
    let dash = |capture, left| {
        let dash = Dash {
            capture,
            left,
            right: None,
            promotion: None,
            target: Vec::new(),
        };
        make::logical(Node::CurrentMove(Box::new(dash)), span)
    };
    let pawns = make::designator(ManSet::from_role(Role::Pawn), Bitboard::FULL, span);
    let last = make::any(
        vec![
            make::logical(Node::Initial, span),
            dash(false, Some(pawns)),
            dash(true, None),
        ],
        span,
    );
    let here = make::position(Node::CurrentPosition, span);
    make::numeric(
        Node::Distance(Box::new(here), Box::new(nearest_before(last, span))),
        span,
    )
}

/// The side to move is in check, and nothing can be put between: by a knight, by a man beside the king, or by two men at
/// once. With a designator the man that gives check has to be one of its, and no knight's or neighbour's check is meant
/// that another man gives.
pub(super) fn contact_check(men: Option<Designator>, span: Span) -> Filter {
    let side = |color: Color| {
        let king = || Box::new(make::designator(one(color, Role::King), Bitboard::FULL, span));
        let others = color.fold_wb(ManSet::BLACK, ManSet::WHITE);
        let once = crate::hir::Range::Between(Bound::Literal(1), Bound::Literal(1));
        let beside = Node::Direction {
            directions: Directions::ALL,
            range: Some(once),
            argument: king(),
        };
        let knights = make::designator(one(!color, Role::Knight), Bitboard::FULL, span);
        let near = make::set(Node::Union(vec![knights, make::set(beside, span)]), span);
        let attackers = |men, squares| {
            let men = make::designator(others.intersection(men), squares, span);
            make::set(Node::Attacks(Box::new(men), king()), span)
        };
        let contact = |men, squares| make::set(Node::Intersection(vec![attackers(men, squares), near.clone()]), span);
        let gives = match men {
            Some(men) => contact(men.men, men.squares),
            None => {
                let two = Range {
                    min: Some(2),
                    max: None,
                };
                let double = make::within(attackers(others, Bitboard::FULL), two, span);
                make::any(vec![contact(others, Bitboard::FULL), double], span)
            }
        };
        make::all(vec![make::turn(color, span), gives], span)
    };
    make::any(vec![side(Color::White), side(Color::Black)], span)
}

/// Whether a range counts from the end: `end`, `end-3`.
pub(super) fn is_from_end(cursor: &Cursor<'_, '_>) -> bool {
    cursor.peek().and_then(Item::atom).and_then(end).is_some()
}

/// How many half-moves follow, as `end-3` or `end-3 end` says it.
pub(super) fn from_end(cursor: &mut Cursor<'_, '_>) -> Range {
    let mut next = || {
        let number = cursor.peek().and_then(Item::atom).and_then(end);
        if number.is_some() {
            cursor.next();
        }
        number
    };
    let first = next();
    let second = next().or(first);
    range::between(first, second)
}

/// `end` is 0, `end-3` is 3.
fn end(word: &str) -> Option<i32> {
    let rest = word.strip_prefix("end")?;
    match rest.strip_prefix('-') {
        None => rest.is_empty().then_some(0),
        Some(number) => range::bound(number).flatten().filter(|number| *number >= 0),
    }
}

/// A number of half-moves in this range follows on the main line.
pub(super) fn before_end(range: Range, span: Span) -> Filter {
    let end = make::all(
        vec![
            make::logical(Node::Mainline(true), span),
            make::logical(Node::Terminal, span),
        ],
        span,
    );
    let find = Node::Find {
        backward: false,
        quiet: true,
        count: FindCount::First,
        argument: Box::new(end),
    };
    let here = Box::new(make::position(Node::CurrentPosition, span));
    let far = Node::Distance(here, Box::new(make::position(find, span)));
    let parts = vec![
        make::logical(Node::Mainline(true), span),
        make::within(make::numeric(far, span), range, span),
    ];
    make::all(parts, span)
}

/// An endgame by its men: no queens and three other pieces at most on each side; queen against queen without rooks and with
/// one minor piece at most on each side; a queen, with one minor piece at most, against pieces worth 16 without a queen.
pub(super) fn endgame(span: Span) -> Filter {
    let men = |color: Color, roles: &[Role]| {
        let men = roles.iter().fold(ManSet::NONE, |all, &role| all | one(color, role));
        make::designator(men, Bitboard::FULL, span)
    };
    let none_or = |most, filter| {
        let range = Range {
            min: None,
            max: Some(most),
        };
        make::within(filter, range, span)
    };
    let one_queen = |color| make::within(men(color, &[Role::Queen]), Range::exactly(1), span);
    let pieces = [Role::Rook, Role::Bishop, Role::Knight];
    let both = |make_part: &dyn Fn(Color) -> Filter| vec![make_part(Color::White), make_part(Color::Black)];
    let mut without_queens = both(&|color| none_or(0, men(color, &[Role::Queen])));
    without_queens.extend(both(&|color| none_or(3, men(color, &pieces))));
    let mut queens = both(&one_queen);
    queens.extend(both(&|color| none_or(0, men(color, &[Role::Rook]))));
    queens.extend(both(&|color| none_or(1, men(color, &[Role::Bishop, Role::Knight]))));
    let lone = |color: Color| {
        let power = Node::Power(Box::new(men(color.other(), &pieces)));
        let parts = vec![
            one_queen(color),
            none_or(0, men(color, &[Role::Rook])),
            none_or(1, men(color, &[Role::Bishop, Role::Knight])),
            none_or(0, men(color.other(), &[Role::Queen])),
            none_or(16, make::numeric(power, span)),
        ];
        make::all(parts, span)
    };
    make::any(
        vec![
            make::all(without_queens, span),
            make::all(queens, span),
            lone(Color::White),
            lone(Color::Black),
        ],
        span,
    )
}

/// The number of half-moves of the game, on its main line.
pub(super) fn ply_count(range: Range, span: Span) -> Filter {
    let parts = vec![
        make::logical(Node::Mainline(true), span),
        make::logical(Node::Terminal, span),
        make::within(make::numeric(Node::Ply, span), range, span),
    ];
    somewhere(FindCount::First, make::all(parts, span), span)
}

/// Some position has a comment.
pub(super) fn has_comments(span: Span) -> Filter {
    let comment = make::text(Node::Metadata(Metadata::Comment), span);
    somewhere(FindCount::First, comment, span)
}

/// Some comment has a part that is like a pattern.
pub(super) fn comment(pattern: &str, span: Span) -> Filter {
    let comment = make::text(Node::Metadata(Metadata::Comment), span);
    let found = game::matches(comment, &game::pattern(pattern), span);
    somewhere(FindCount::First, found, span)
}

/// The average of both ratings; the one that is known, if the other is not and `both` don't have to be.
pub(super) fn average_rating(range: Range, both: bool, span: Span) -> Filter {
    let elo = |color| Box::new(make::numeric(Node::Elo(Some(color)), span));
    let sum = Node::Arithmetic(Arithmetic::Add, elo(Color::White), elo(Color::Black));
    // Half a point is dropped.
    let twice = Range {
        min: range.min.map(|min| min.saturating_mul(2)),
        max: range.max.map(|max| max.saturating_mul(2).saturating_add(1)),
    };
    let average = make::within(make::numeric(sum, span), twice, span);
    if both {
        return average;
    }
    let lone = |color: Color| {
        let other = make::not(*elo(!color), span);
        make::all(vec![other, make::within(*elo(color), range, span)], span)
    };
    make::any(vec![average, lone(Color::White), lone(Color::Black)], span)
}

/// How far apart the ratings are, which have to be known.
pub(super) fn rating_difference(range: Range, span: Span) -> Filter {
    let elo = |color| Box::new(make::numeric(Node::Elo(Some(color)), span));
    let difference = Node::Arithmetic(Arithmetic::Subtract, elo(Color::White), elo(Color::Black));
    let difference = Node::Abs(Box::new(make::numeric(difference, span)));
    make::within(make::numeric(difference, span), range, span)
}

/// Some position has a glyph, such as `!` or `$14`.
pub(super) fn has_annotation(span: Span) -> Filter {
    let glyphs = (1..=u8::MAX).map(|glyph| make::logical(Node::Nag(glyph), span));
    somewhere(FindCount::First, make::any(glyphs.collect(), span), span)
}

/// Some position is in a variation.
pub(super) fn has_variations(span: Span) -> Filter {
    somewhere(FindCount::First, make::logical(Node::Mainline(false), span), span)
}

/// `:date D`, `:date D1 .. D2` (without D2), `:date >=D`: a date that is known to the day.
pub(super) fn date(text: &Metadata, name: &str, cursor: &mut Cursor<'_, '_>, span: Span) -> Parsed<Filter> {
    let (word, _) = cursor.word(name, span)?;
    let sign = word.len() - word.trim_start_matches(['<', '>', '=']).len();
    let (sign, first) = word.split_at(sign);
    let wrong = |cursor: &Cursor<'_, '_>, word: &str| {
        let message = format!("`{word}` is no date; it is a year, month and day: `2019-03-02`");
        cursor.bad(span, &message)
    };
    let first = day(first).ok_or_else(|| wrong(cursor, first))?;
    let mut bounds = match sign {
        "" => vec![(Comparison::Equal, first)],
        "<" => vec![(Comparison::Less, first)],
        "<=" => vec![(Comparison::LessEqual, first)],
        ">" => vec![(Comparison::Greater, first)],
        ">=" => vec![(Comparison::GreaterEqual, first)],
        _ => return Err(wrong(cursor, word)),
    };
    if sign.is_empty() && cursor.peek().and_then(Item::atom) == Some("..") {
        cursor.next();
        let (last, _) = cursor.word(name, span)?;
        bounds[0].0 = Comparison::GreaterEqual;
        bounds.push((Comparison::Less, day(last).ok_or_else(|| wrong(cursor, last))?));
    }
    let span = cursor.covered(span);
    let date = || Box::new(make::text(Node::Metadata(text.clone()), span));
    let unknown = Box::new(make::text(Node::String("?".to_owned()), span));
    let unknown = make::logical(Node::Substring(unknown, date()), span);
    let mut parts = vec![make::not(unknown, span)];
    parts.extend(bounds.into_iter().map(|(comparison, day)| {
        let day = Box::new(make::text(Node::String(day), span));
        Filter::new(Node::CompareStrings(comparison, date(), day), Kind::String, span)
    }));
    Ok(make::all(parts, span))
}

/// `2019-03-02` as dates are kept: `2019.03.02`.
fn day(word: &str) -> Option<String> {
    let parts: Vec<&str> = word.split('-').collect();
    let is_number = |part: &&str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
    let [year, month, day] = &parts[..] else { return None };
    (is_number(year, 4) && is_number(month, 2) && is_number(day, 2)).then(|| parts.join("."))
}

fn one(color: Color, role: Role) -> ManSet {
    ManSet::from_man(chess::Man::new(color, role))
}

/// The nearest position, this one or one before it, where a filter matches.
fn nearest_before(filter: Filter, span: Span) -> Filter {
    let node = Node::Find {
        backward: true,
        quiet: true,
        count: FindCount::First,
        argument: Box::new(filter),
    };
    make::position(node, span)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_a_year_a_month_and_a_day() {
        assert_eq!(day("2019-03-02").as_deref(), Some("2019.03.02"));
        for word in ["2019", "2019-03", "19-03-02", "2019-3-2", "2019.03.02", "+1m-3d"] {
            assert_eq!(day(word), None, "{word}");
        }
    }

    #[test]
    fn rights_are_letters() {
        assert_eq!(rights("K"), Some(vec!['K']));
        assert_eq!(rights("[Kq]"), Some(vec!['K', 'q']));
        for word in ["", "KQ", "[]", "R", "[KR]"] {
            assert_eq!(rights(word), None, "{word}");
        }
    }
}
