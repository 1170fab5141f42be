//! Plans as people read them: expressions as text, the tree of a plan, and what each filter gives the index.

use std::fmt::{self, Display, Formatter, Write};

use language::hir::{Comparison, Designator, Directions, Node, PawnStructure, Query, SquareNames};
use language::span::Span;

use super::expr::{Candidates, Lines, NumberExpr, SetExpr, Truth};
use super::games::{Step, Tree};
use super::lower::plan;

/// An expression of a plan with those inside it.
#[derive(Clone, Debug)]
pub struct PlanNode<'t> {
    /// The expression.
    pub truth: &'t Truth,
    /// It in words, without those inside.
    pub text: String,
    /// Those inside, in the order in which they are asked.
    pub children: Vec<PlanNode<'t>>,
    /// How many there are inside that are left out here.
    pub hidden: usize,
}

impl<'t> PlanNode<'t> {
    /// How many expressions of a conjunction or disjunction are told.
    const CHILDREN: usize = 10;

    /// The tree of an expression, with about so many lines at most.
    pub fn of(truth: &'t Truth, lines: usize) -> PlanNode<'t> {
        PlanNode::within(truth, &mut { lines }, false)
    }

    fn within(truth: &'t Truth, lines: &mut usize, in_choice: bool) -> PlanNode<'t> {
        *lines = lines.saturating_sub(1);
        let (text, parts): (String, &[Truth]) = match truth {
            Truth::And(parts) if in_choice && is_short(parts) => (truth.to_string(), &[]),
            Truth::And(parts) => ("all of".to_owned(), parts),
            Truth::Or(parts) => (format!("any of {}", parts.len()), parts),
            Truth::Not(inner) if matches!(**inner, Truth::And(_) | Truth::Or(_)) => {
                ("not".to_owned(), std::slice::from_ref(inner))
            }
            other => (cut(other.to_string()), &[]),
        };
        let mut children = Vec::new();
        for part in parts.iter().take(PlanNode::CHILDREN) {
            if *lines == 0 && !children.is_empty() {
                break;
            }
            children.push(PlanNode::within(part, lines, matches!(truth, Truth::Or(_))));
        }
        PlanNode {
            truth,
            text,
            hidden: parts.len() - children.len(),
            children,
        }
    }
}

/// Whether a conjunction is told in one line: a variant of a transform, most often.
fn is_short(parts: &[Truth]) -> bool {
    parts.len() <= 4
        && parts
            .iter()
            .all(|part| matches!(part, Truth::Term(_) | Truth::Not(_) | Truth::Games(_)))
}

/// The start of a text that is too long for a line.
fn cut(text: String) -> String {
    const WIDTH: usize = 100;
    if text.len() <= WIDTH {
        return text;
    }
    let start: String = text.chars().take(WIDTH - 4).collect();
    format!("{start} ...")
}

/// What the index does for one filter of a query's body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// It finds exactly where the filter matches.
    Exact,
    /// It finds at least where the filter matches; the evaluator has to look at what it finds.
    AtMost,
    /// Nothing: the evaluator has to look at whatever the other filters leave.
    Nothing,
    /// Nothing, because a filter before it may stop the query with an error, and would have to be asked first.
    Behind,
}

/// What the index does for each filter of the body, in order.
pub fn shares(query: &Query, variations: bool) -> Vec<(Span, Share)> {
    let Node::Compound(elements) = &query.body.node else {
        return Vec::new();
    };
    let with = |elements| plan(&query.with_elements(elements), variations).candidates;
    let mut before = Candidates::exactly(Truth::Always);
    let mut shares = Vec::new();
    for (index, element) in elements.iter().enumerate() {
        let alone = with(index..index + 1);
        let together = with(0..index + 1);
        let is_used = together != before || alone.truth == Truth::Always || contains(&before.truth, &alone.truth);
        let share = match alone {
            Candidates {
                exact: false,
                truth: Truth::Always,
            } => Share::Nothing,
            _ if !is_used => Share::Behind,
            Candidates { exact: true, .. } => Share::Exact,
            Candidates { exact: false, .. } => Share::AtMost,
        };
        shares.push((element.span, share));
        before = together;
    }
    shares
}

/// Whether an expression is one of those of a conjunction, or all of its own are.
fn contains(whole: &Truth, part: &Truth) -> bool {
    let parts = match part {
        Truth::And(parts) => parts.as_slice(),
        other => std::slice::from_ref(other),
    };
    match whole {
        Truth::And(all) => parts.iter().all(|part| all.contains(part)),
        other => parts.iter().all(|part| part == other),
    }
}

/// Writes things with something between them.
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
            Truth::Tree(tree) => write!(f, "{tree}"),
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
                f.write_str(if *lines == Lines::OfPiece { "xray(" } else { "ray(" })?;
                joined(f, arguments, " ")?;
                f.write_char(')')
            }
            SetExpr::Pins(arguments, _) => {
                f.write_str("pin(")?;
                joined(f, &arguments[..], " ")?;
                f.write_char(')')
            }
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
            SetExpr::After(ids, inner) => write_after(f, *ids, inner),
        }
    }
}

/// Something so many plies later or earlier.
fn write_after(f: &mut Formatter<'_>, ids: i32, inner: &dyn Display) -> fmt::Result {
    match ids {
        1 => write!(f, "next {inner}"),
        -1 => write!(f, "before {inner}"),
        2.. => write!(f, "{ids} plies on {inner}"),
        _ => write!(f, "{} plies ago {inner}", -ids),
    }
}

impl Display for Tree {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let every = |stride: u32| match stride {
            1 => String::new(),
            stride => format!("every {stride} plies "),
        };
        match &self.step {
            Step::Next(inner) => write!(f, "next {inner}"),
            Step::Previous(inner) => write!(f, "before {inner}"),
            Step::Game(inner) => write!(f, "somewhere in the game {inner}"),
            Step::Until { while_, then, stride } if *while_ == Truth::Always => {
                write!(f, "{}from here on {then}", every(*stride))
            }
            Step::Since { while_, then, stride } if *while_ == Truth::Always => {
                write!(f, "{}up to here {then}", every(*stride))
            }
            Step::Until { while_, then, stride } => write!(f, "{}{while_} until {then}", every(*stride)),
            Step::Since { while_, then, stride } => write!(f, "{}{while_} since {then}", every(*stride)),
            Step::Run(inner, count) => write!(f, "{count} times in a row {inner}"),
            Step::Count { of, backward, min, max } => {
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
            NumberExpr::Count(set) => write!(f, "#{set}"),
            NumberExpr::CountTrue(parts) => write!(f, "how many of {} hold", parts.len()),
            NumberExpr::Power(set) => write!(f, "power {set}"),
            NumberExpr::Sum(a, b) => write!(f, "({a} + {b})"),
            NumberExpr::Difference(a, b) => write!(f, "({a} - {b})"),
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

#[cfg(test)]
mod tests {
    use super::*;
    use language::{Dialect, ParseOptions, compile};

    fn lowered(text: &str) -> String {
        let query = compile(text, Dialect::Cql6, &ParseOptions::default()).unwrap();
        plan(&query, false).candidates.truth.to_string()
    }

    #[test]
    fn expressions_read_like_the_language() {
        assert_eq!(lowered("Kg1 btm"), "(Kg1 and not white to move)");
        assert_eq!(lowered("check not mate"), "(check and not mate)");
        assert_eq!(lowered("{Kg1 or qd8} check"), "((Kg1 or qd8) and check)");
    }

    #[test]
    fn every_filter_is_told_what_the_index_does_for_it() {
        let query = compile("Kg1 btm modelmate legal K--", Dialect::Cql6, &ParseOptions::default()).unwrap();
        let shares: Vec<Share> = shares(&query, false).into_iter().map(|(_, share)| share).collect();
        assert_eq!(shares, [Share::Exact, Share::Exact, Share::AtMost, Share::Nothing]);
    }
}
