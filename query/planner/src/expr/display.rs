//! Expressions as people read them, in words close to those of the language.

use std::fmt::{self, Display, Formatter, Write};
use std::ops::RangeInclusive;

use language::hir::{Comparison, Designator, Directions, PawnStructure, SquareNames};
use shakmaty::Bitboard;

use super::{
    Alike, Course, Maneuver, MovePattern, MovedMen, NumberExpr, RayLines, SetExpr, Temporal, TemporalOp, Truth, Turns,
    Wanted,
};

/// Writes items with a separator.
fn joined<T: Display>(f: &mut Formatter<'_>, list: &[T], between: &str) -> fmt::Result {
    for (index, item) in list.iter().enumerate() {
        if index > 0 {
            f.write_str(between)?;
        }
        write!(f, "{item}")?;
    }
    Ok(())
}

impl Display for Truth {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            Truth::Always => f.write_str("everywhere"),
            Truth::Never => f.write_str("nowhere"),
            Truth::Term(term) => write!(f, "{term}"),
            Truth::PositionSet(set) => write!(f, "positionset \"{}\"", set.name),
            Truth::Given(quantity) => write!(f, "{quantity} given"),
            Truth::Games(index) => write!(f, "games of header filter {}", index + 1),
            Truth::Not(inner) => write!(f, "not {inner}"),
            Truth::And(parts) => {
                f.write_char('(')?;
                joined(f, parts, " and ")?;
                f.write_char(')')
            }
            Truth::Or(parts) => {
                f.write_char('(')?;
                joined(f, parts, " or ")?;
                f.write_char(')')
            }
            Truth::PlyAtLeast(ply) => write!(f, "ply >= {ply}"),
            Truth::Any(set) => write!(f, "{set} not empty"),
            Truth::Compare(comparison, a, b) => write!(f, "{a} {} {b}", sign(*comparison)),
            Truth::Single(set) => write!(f, "{set} has one square"),
            Truth::After(ids, inner) => write_after(f, *ids, inner),
            Truth::Move(next) => match next.place() {
                Some(_) => write_course(f, next.pattern(), next.course_of_man()),
                None => write!(f, "{}", next.listed()),
            },
            Truth::Temporal(temporal) => write!(f, "{temporal}"),
        }
    }
}

fn write_course(f: &mut Formatter<'_>, first: &MovePattern, course: Option<&Course>) -> fmt::Result {
    match course {
        None => write!(f, "{first}"),
        Some(Course::Later(square)) => write!(f, "the man on {square} {first} now or later"),
        Some(Course::Maneuver(maneuver)) => write!(f, "{maneuver}"),
        Some(Course::Window(window)) => match window.moves.len() {
            1 => write!(f, "{first} between certain squares"),
            moves => write!(f, "{first}, the first of {moves} moves between certain squares"),
        },
        Some(Course::Moved(moved)) => write!(f, "{moved}"),
        Some(Course::InARow(next)) => {
            write!(f, "{first}")?;
            match next.len() {
                1 => write!(f, " and once more with the same man"),
                times => write!(f, " and {times} times more with the same man"),
            }
        }
    }
}

impl Display for Maneuver {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let men = match self.men.len() {
            1 => "a man that goes",
            _ => "two men that go",
        };
        match self.patterns().count() {
            0 => f.write_str("two men that come to certain squares of each other"),
            1 => write!(f, "{men} a certain way"),
            moves => write!(f, "{men} certain ways in {moves} kinds of moves"),
        }
    }
}

impl Display for MovedMen {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let squares = Bitboard::FULL;
        let (men, moves) = (Designator { men: self.men, squares }, self.moves);
        match (self.least, self.same_way) {
            (least, false) => write!(f, "{least} or more of {men} stand elsewhere {moves} moves later"),
            (0, true) => write!(
                f,
                "all of {men} that stand elsewhere {moves} moves later go the same way"
            ),
            (least, true) => write!(
                f,
                "{least} or more of {men} stand elsewhere {moves} moves later, and all of them go the same way"
            ),
        }
    }
}

impl Display for MovePattern {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let MovePattern {
            movers,
            from,
            to,
            onto,
            captured,
            ref reach,
            ref near,
        } = *self;
        let on = |men, squares| Designator { men, squares };
        write!(f, "moves {}--{}", on(movers, from), on(onto, to))?;
        if reach.is_some() {
            f.write_str(" on certain ways")?;
        }
        if let Some((men, _)) = near {
            write!(f, " near {}", on(*men, Bitboard::FULL))?;
        }
        match captured {
            Some((men, squares)) => write!(f, " that capture {}", on(men, squares)),
            None => Ok(()),
        }
    }
}

fn sign(comparison: Comparison) -> &'static str {
    match comparison {
        Comparison::Equal => "==",
        Comparison::Less => "<",
        Comparison::LessEqual => "<=",
        Comparison::Greater => ">",
        Comparison::GreaterEqual => ">=",
        Comparison::Ancestor => "[<]",
        Comparison::AncestorOrEqual => "[<=]",
        Comparison::Descendant => "[>]",
        Comparison::DescendantOrEqual => "[>=]",
    }
}

impl Display for SetExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            SetExpr::Constant(squares) => write!(f, "{}", SquareNames(*squares)),
            SetExpr::Contents(men, squares) => {
                let designator = Designator {
                    men: *men,
                    squares: *squares,
                };
                write!(f, "{designator}")
            }
            SetExpr::Union(parts) => {
                f.write_char('(')?;
                joined(f, parts, " | ")?;
                f.write_char(')')
            }
            SetExpr::Intersection(parts) => {
                f.write_char('(')?;
                joined(f, parts, " & ")?;
                f.write_char(')')
            }
            SetExpr::Complement(inner) => write!(f, "~{inner}"),
            SetExpr::Attacks(a, b) => write!(f, "({a} attacks {b})"),
            SetExpr::AttackedBy(a, b) => write!(f, "({a} attackedby {b})"),
            SetExpr::Steps {
                directions,
                min,
                max,
                from,
            } => {
                write_directions(f, *directions)?;
                write!(f, " {min} {max} {from}")
            }
            SetExpr::Rays { lines, arguments, .. } => {
                f.write_str(if *lines == RayLines::OfPiece { "xray(" } else { "ray(" })?;
                joined(f, arguments, " ")?;
                f.write_char(')')
            }
            SetExpr::Pins(arguments, _) => {
                f.write_str("pin(")?;
                joined(f, &arguments[..], " ")?;
                f.write_char(')')
            }
            SetExpr::Pinned(color) => write!(f, "pinned {}", color.fold_wb('A', 'a')),
            SetExpr::Pawns(structure, color) => {
                let kind = match structure {
                    PawnStructure::Connected => "connected",
                    PawnStructure::Doubled => "doubled",
                    PawnStructure::Isolated => "isolated",
                    PawnStructure::Passed => "passed",
                };
                write!(f, "{kind} {}", color.fold_wb('P', 'p'))
            }
            SetExpr::Between { ends, .. } => write!(f, "between({} {})", ends[0], ends[1]),
            SetExpr::Choose(condition, a, b) => write!(f, "(if {condition} then {a} else {b})"),
            SetExpr::Squares(parts) => {
                f.write_char('{')?;
                for (index, (square, truth)) in parts.iter().enumerate() {
                    let comma = if index > 0 { ", " } else { "" };
                    write!(f, "{comma}{square} if {truth}")?;
                }
                f.write_char('}')
            }
            SetExpr::Added(inner) => write!(f, "new {inner}"),
            SetExpr::After(ids, inner) => write_after(f, *ids, inner),
            SetExpr::Nth(number, inner) => write!(f, "square {} of {inner}", number + 1),
        }
    }
}

impl Display for Alike {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let mut said: Vec<String> = Vec::new();
        match (self.before, self.after) {
            (true, false) => said.push("before this one".into()),
            (false, true) => said.push("after this one".into()),
            _ => {}
        }
        if self.distance != (0..=u32::MAX) {
            said.push(format!("{} plies away", least_to_most(&self.distance, u32::MAX)));
        }
        match self.turns {
            Some(Turns::Same) => said.push("with the same side to move".into()),
            Some(Turns::Different) => said.push("with the other side to move".into()),
            None => {}
        }
        let same = |there: &dyn Display, here: &dyn Display| {
            let (there, here) = (there.to_string(), here.to_string());
            match there == here {
                true => format!("with the same {there}"),
                false => format!("with {there} as {here} here"),
            }
        };
        said.extend(self.sets.iter().map(|[there, here]| same(there, here)));
        said.extend(self.numbers.iter().map(|[there, here]| same(there, here)));
        let compared = |(comparison, [there, here]): &(Comparison, [NumberExpr; 2])| {
            format!("with {there} {} {here} here", sign(*comparison))
        };
        said.extend(self.compared.iter().map(compared));
        if self.same_contents != (0..=64) {
            said.push(format!(
                "with {} squares as here",
                least_to_most(&self.same_contents, 64)
            ));
        }
        if !self.names.is_empty() {
            said.push(format!(
                "with the same names of men on {} pairs of squares",
                self.names.len()
            ));
        }
        if self.shape.is_some() {
            said.push("with the same board, shifted".into());
        }
        f.write_str(&said.join(", "))
    }
}

/// The numbers of a range that ends at `most` if it has no end.
fn least_to_most(range: &RangeInclusive<u32>, most: u32) -> String {
    match (*range.start(), *range.end()) {
        (least, end) if end == most => format!("at least {least}"),
        (least, end) => format!("{least} to {end}"),
    }
}

/// An expression a number of plies later or earlier.
fn write_after(f: &mut Formatter<'_>, ids: i32, inner: &dyn Display) -> fmt::Result {
    match ids {
        1 => write!(f, "next {inner}"),
        -1 => write!(f, "before {inner}"),
        2.. => write!(f, "{ids} plies on {inner}"),
        _ => write!(f, "{} plies ago {inner}", -ids),
    }
}

impl Display for Temporal {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let every = |stride: u32| match stride {
            1 => String::new(),
            stride => format!("every {stride} plies "),
        };
        match &self.op {
            TemporalOp::Next(inner) => write!(f, "next {inner}"),
            TemporalOp::Previous(inner) => write!(f, "before {inner}"),
            TemporalOp::InGame(inner) => write!(f, "somewhere in the game {inner}"),
            TemporalOp::Until { through, then, stride } if *through == Truth::Always => {
                write!(f, "{}from here on {then}", every(*stride))
            }
            TemporalOp::Since { through, then, stride } if *through == Truth::Always => {
                write!(f, "{}up to here {then}", every(*stride))
            }
            TemporalOp::Until { through, then, stride } => write!(f, "{}{through} until {then}", every(*stride)),
            TemporalOp::Since { through, then, stride } => write!(f, "{}{through} since {then}", every(*stride)),
            TemporalOp::InARow(inner, count) => write!(f, "{count} times in a row {inner}"),
            TemporalOp::Alike { target, alike } => match target {
                Truth::Always => write!(f, "a position of the game {alike}"),
                target => write!(f, "a position of the game {alike}, where {target}"),
            },
            TemporalOp::Accepted { conditions, automaton } => {
                let way = if automaton.backward {
                    "up to here"
                } else {
                    "from here on"
                };
                let length = match &automaton.wanted {
                    Wanted::Any => String::new(),
                    Wanted::Longest(range) => {
                        format!(" (the longest has {} positions)", least_to_most(range, u32::MAX))
                    }
                    Wanted::First(range) => format!(" (the first has {} positions)", least_to_most(range, u32::MAX)),
                };
                write!(f, "{way} a line of {} states{length}: ", automaton.conditions.len())?;
                joined(f, conditions, ", ")
            }
            TemporalOp::Count { of, backward, min, max } => {
                let where_ = if *backward { "up to here" } else { "from here on" };
                match *max {
                    u32::MAX => write!(f, "{where_} at least {min} times {of}"),
                    max => write!(f, "{where_} {min} to {max} times {of}"),
                }
            }
        }
    }
}

impl Display for NumberExpr {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        match self {
            NumberExpr::Constant(number) => write!(f, "{number}"),
            NumberExpr::Quantity(quantity) => write!(f, "{quantity}"),
            NumberExpr::Count(set) => write!(f, "#{set}"),
            NumberExpr::CountTrue(parts) => write!(f, "how many of {} hold", parts.len()),
            NumberExpr::Power(set) => write!(f, "power {set}"),
            NumberExpr::Sum(a, b) => write!(f, "({a} + {b})"),
            NumberExpr::Difference(a, b) => write!(f, "({a} - {b})"),
            NumberExpr::Scaled(by, inner) => write!(f, "({by} * {inner})"),
            NumberExpr::Table(inner, least, values) => {
                write!(f, "(by table, from {least} on: ")?;
                joined(f, values, " ")?;
                write!(f, "; of {inner})")
            }
            NumberExpr::Max(parts) => {
                f.write_str("max(")?;
                joined(f, parts, " ")?;
                f.write_char(')')
            }
            NumberExpr::Coordinate(true, set) => write!(f, "file {set}"),
            NumberExpr::Coordinate(false, set) => write!(f, "rank {set}"),
            NumberExpr::Choose(condition, a, b) => write!(f, "(if {condition} then {a} else {b})"),
            NumberExpr::After(ids, inner) => write_after(f, *ids, inner),
        }
    }
}

fn write_directions(f: &mut Formatter<'_>, directions: Directions) -> fmt::Result {
    for (index, direction) in directions.iter().enumerate() {
        let space = if index > 0 { " " } else { "" };
        write!(f, "{space}{}", format!("{direction:?}").to_lowercase())?;
    }
    Ok(())
}
