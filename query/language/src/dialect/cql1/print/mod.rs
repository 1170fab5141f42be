//! The typed tree of a match list as text of CQL 6.2, as far as that can say it (docs/language/cql1.md#translation).
//!
//! Filters are written side by side where all have to match. A filter that could run into its neighbour stands in braces
//! or parentheses. What has no equivalent is reported with its place, all of it at once.

mod copies;
mod counts;
mod header;
mod names;
mod pairs;

use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{
    AssignOp, Bound, CastleSide, Comparison, Constituent, Filter, FindCount, Kind, Line, Metadata, MoveFilter,
    MoveValue, Node, ParsedQuery, Range, Repeat, VariableId,
};
use crate::span::Span;
use shakmaty::Color;

/// How many characters stand on one line before every filter gets its own.
const WIDTH: usize = 100;

/// Writes a query.
///
/// # Errors
/// Every part that CQL 6.2 has no equivalent for.
pub(super) fn print(query: &ParsedQuery) -> Result<String, Vec<Diagnostic>> {
    let mut printer = Printer {
        query,
        names: 0,
        errors: Vec::new(),
    };
    let elements = printer.elements(&query.body);
    if !printer.errors.is_empty() {
        printer.errors.sort_by_key(|error| (error.span.start, error.span.end));
        printer.errors.dedup_by_key(|error| error.span);
        return Err(printer.errors);
    }
    let header = header::header(&query.header);
    let line = format!("{header} {}", elements.join(" "));
    Ok(if line.chars().count() <= WIDTH {
        line
    } else {
        std::iter::once(header).chain(elements).collect::<Vec<_>>().join("\n")
    })
}

/// Filters to text.
struct Printer<'q> {
    query: &'q ParsedQuery,
    /// How many variables have been made up.
    names: u32,
    errors: Vec<Diagnostic>,
}

impl Printer<'_> {
    /// Notes that something can't be written, and gives a placeholder.
    fn missing(&mut self, what: &str, span: Span) -> String {
        let message = format!("CQL 6.2 has no equivalent for {what}");
        self.errors.push(Diagnostic::new(Code::NoTranslation, span, message));
        String::new()
    }

    /// A new variable.
    fn name(&mut self, word: &str) -> String {
        self.names += 1;
        format!("{word}{}", self.names)
    }

    /// The filters that all have to match, each as it can stand beside others.
    fn elements(&mut self, filter: &Filter) -> Vec<String> {
        match &filter.node {
            Node::Compound(list) => list.iter().flat_map(|filter| self.elements(filter)).collect(),
            Node::And(a, b) => [self.elements(a), self.elements(b)].concat(),
            _ => vec![self.element(filter)],
        }
    }

    /// One filter with a bracket around it if it needs one.
    fn block(&mut self, filter: &Filter) -> String {
        let elements = self.elements(filter);
        match &elements[..] {
            [only] if is_closed(only) => only.clone(),
            _ => format!("{{{}}}", elements.join(" ")),
        }
    }

    /// A condition that can stand beside others.
    fn element(&mut self, filter: &Filter) -> String {
        let span = filter.span;
        match &filter.node {
            Node::Compound(_) | Node::And(..) => self.block(filter),
            Node::Or(..) => {
                let mut parts = Vec::new();
                self.alternatives(filter, &mut parts);
                format!("{{{}}}", parts.join(" or "))
            }
            Node::Not(inner) => self.negation(inner),
            Node::If(condition, then, otherwise) => {
                let (condition, then) = (self.block(condition), self.block(then));
                let otherwise = otherwise
                    .as_ref()
                    .map_or_else(String::new, |filter| format!(" else {}", self.block(filter)));
                format!("{{if {condition} then {then}{otherwise}}}")
            }
            Node::True => "true".to_owned(),
            Node::False => "false".to_owned(),
            Node::Turn(color) => color.fold_wb("wtm", "btm").to_owned(),
            Node::Check => "check".to_owned(),
            Node::Mate => "mate".to_owned(),
            Node::Stalemate => "stalemate".to_owned(),
            Node::Initial => "initial".to_owned(),
            Node::Terminal => "terminal".to_owned(),
            Node::Mainline(true) => "mainline".to_owned(),
            Node::Mainline(false) => "variation".to_owned(),
            Node::Result(outcome) => match header::outcome(*outcome) {
                Some(outcome) => format!("result {outcome}"),
                None => self.missing("a game without a result", span),
            },
            Node::FenBoard(board) => format!("fen \"{}\"", names::board(board)),
            Node::Move(m) if m.value == MoveValue::Logical => self.move_filter(m),
            Node::Line(line) => self.line(line),
            Node::At(place, inner) => {
                let place = self.position(place);
                format!("{place}:{}", self.block(inner))
            }
            Node::Find { .. } => self.find(filter),
            Node::Assign(variable, AssignOp::Set, argument) => {
                format!("{} = {}", self.variable(*variable), self.position(argument))
            }
            Node::ComparePositions(Comparison::Ancestor, a, b) => {
                format!("{} [<] {}", self.position(a), self.position(b))
            }
            Node::Echo {
                source, target, body, ..
            } => {
                let (source, target) = (self.variable(*source), self.variable(*target));
                format!("echo quiet ({source} {target}) {}", self.block(body))
            }
            Node::EnPassant => "enpassant".to_owned(),
            Node::Nag(glyph) => format!("originalcomment \"${glyph}\""),
            Node::SameSet(a, b) => format!("{} == {}", self.set(a), self.set(b)),
            Node::Substring(needle, text) => format!("{} in {}", self.text(needle), self.text(text)),
            Node::RegexMatch(text, regex) => format!("{} ~~ \"{}\"", self.text(text), regex.source),
            Node::CompareStrings(comparison, a, b) => {
                format!("{} {} {}", self.text(a), names::sign(*comparison), self.text(b))
            }
            Node::CompareNumbers(..) => self.comparison(filter),
            Node::Transform { .. } | Node::Orbit { .. } => self.copies(filter),
            Node::NoTransform(inner) => format!("notransform {}", self.block(inner)),
            Node::DiagramRelation(relation) => self.relation(relation, span),
            Node::CurrentMove(dash) => {
                let left = dash.left.as_ref().map_or_else(String::new, |left| self.set(left));
                let operator = if dash.capture { "[x]" } else { "--" };
                format!("currentmove {left}{operator}")
            }
            _ if filter.kind == Kind::Set => self.set(filter),
            _ if filter.kind == Kind::Numeric => self.number(filter),
            _ if filter.kind == Kind::String => self.text(filter),
            _ => self.missing("this", span),
        }
    }

    /// What stands between `or`.
    fn alternatives(&mut self, filter: &Filter, parts: &mut Vec<String>) {
        if let Node::Or(a, b) = &filter.node {
            self.alternatives(a, parts);
            self.alternatives(b, parts);
        } else {
            let block = self.block(filter);
            parts.push(block);
        }
    }

    fn negation(&mut self, inner: &Filter) -> String {
        match &inner.node {
            // `not A attacks B` would take the words apart differently.
            Node::Not(_) => format!("not {{{}}}", self.element(inner)),
            _ => format!("not {}", self.block(inner)),
        }
    }

    fn variable(&self, variable: VariableId) -> String {
        let name = &self.query.variables[variable.0 as usize].name;
        // The variable for the position at hand has a name that no text can have.
        if name.contains(' ') {
            "Here".to_owned()
        } else {
            name.clone()
        }
    }

    fn position(&mut self, filter: &Filter) -> String {
        match &filter.node {
            Node::CurrentPosition => "currentposition".to_owned(),
            Node::PositionAt(number) => format!("position {}", self.number(number)),
            Node::Variable(variable) => self.variable(*variable),
            Node::Find { .. } => format!("{{{}}}", self.find(filter)),
            _ => self.missing("this position", filter.span),
        }
    }

    fn find(&mut self, filter: &Filter) -> String {
        let Node::Find {
            count,
            argument,
            backward,
            ..
        } = &filter.node
        else {
            return String::new();
        };
        let way = if *backward { "<-- " } else { "" };
        let range = match count {
            FindCount::Range(Range::Between(Bound::Literal(min), Bound::Literal(max))) => {
                format!("{min} {} ", (*max).min(1_000_000))
            }
            _ => String::new(),
        };
        format!("find {way}{range}{}", self.block(argument))
    }

    fn line(&mut self, line: &Line) -> String {
        let mut text = "line".to_owned();
        if line.primary == Some(true) {
            text.push_str(" primary");
        }
        for constituent in &line.constituents {
            let Constituent::Filter { filter, repeat } = constituent else {
                continue;
            };
            let any = if *repeat == Repeat::ONCE { "" } else { "*" };
            text += &format!(" --> {}{any}", self.block(filter));
        }
        format!("{{{text}}}")
    }

    fn move_filter(&mut self, m: &MoveFilter) -> String {
        let mut parts = Vec::new();
        for (word, set) in [("from", &m.from), ("to", &m.to)] {
            if let Some(set) = set {
                parts.push(format!("{word} {}", self.set(set)));
            }
        }
        parts.extend(m.promote.map(|men| format!("promote {}", names::roles(men))));
        for (word, wanted) in [
            ("enpassant", m.en_passant),
            ("null", m.null),
            ("castle", m.castle == Some(CastleSide::Any)),
            ("o-o", m.castle == Some(CastleSide::King)),
            ("o-o-o", m.castle == Some(CastleSide::Queen)),
        ] {
            parts.extend(wanted.then(|| word.to_owned()));
        }
        if parts.is_empty() {
            return "not terminal".to_owned();
        }
        format!("{{move {}}}", parts.join(" "))
    }

    /// A set with parentheses if it has operators.
    fn set(&mut self, filter: &Filter) -> String {
        let joined = |printer: &mut Self, list: &[Filter], operator: &str| {
            let parts: Vec<String> = list.iter().map(|filter| printer.set(filter)).collect();
            format!("({})", parts.join(operator))
        };
        match &filter.node {
            Node::Designator(designator) => names::designator(*designator),
            Node::AllSquares => ".".to_owned(),
            Node::NoSquares => "[]".to_owned(),
            Node::FromSquares => "from".to_owned(),
            Node::ToSquares => "to".to_owned(),
            // The one that keywords are defined by.
            Node::Direction { argument, .. } => format!("(anydirection 1 {})", self.set(argument)),
            Node::Union(list) => joined(self, list, " | "),
            Node::Intersection(list) => joined(self, list, " & "),
            Node::SameContents(a, b) => format!("({} & {})", self.position(a), self.position(b)),
            // The one that keywords are defined by.
            Node::LegalDash(..) => "(legal --(enpassant))".to_owned(),
            Node::Attacks(a, b) => format!("({} attacks {})", self.set(a), self.set(b)),
            Node::Variable(variable) => self.variable(*variable),
            Node::PieceLoop {
                variable, domain, body, ..
            } => {
                let (variable, domain) = (self.variable(*variable), self.set(domain));
                format!("{{piece {variable} in {domain} {}}}", self.block(body))
            }
            _ => self.missing("this set", filter.span),
        }
    }

    fn text(&mut self, filter: &Filter) -> String {
        match &filter.node {
            Node::String(text) => format!("\"{text}\""),
            Node::Case(false, inner) => format!("lowercase {}", self.text(inner)),
            Node::Metadata(Metadata::Player(color)) => format!("player {}", color_name(*color)),
            Node::Metadata(Metadata::Event) => "event".to_owned(),
            Node::Metadata(Metadata::Site) => "site".to_owned(),
            Node::Metadata(Metadata::Eco) => "eco".to_owned(),
            Node::Metadata(Metadata::Date) => "date".to_owned(),
            Node::Metadata(Metadata::EventDate) => "eventdate".to_owned(),
            Node::Metadata(Metadata::Comment) => "originalcomment".to_owned(),
            Node::Metadata(Metadata::Tag(name)) => format!("tag \"{name}\""),
            _ => self.missing("this text", filter.span),
        }
    }
}

fn color_name(color: Color) -> &'static str {
    color.fold_wb("white", "black")
}

/// Whether a text is one filter in every context: a word, or something in brackets.
fn is_closed(text: &str) -> bool {
    let mut depth = 0;
    let mut closed = 0;
    for (index, c) in text.char_indices() {
        match c {
            '{' | '(' => depth += 1,
            '}' | ')' => {
                depth -= 1;
                if depth == 0 && index + 1 < text.len() {
                    closed += 1;
                }
            }
            ' ' if depth == 0 => return false,
            _ => {}
        }
    }
    closed == 0
}

/// Whether numbers are compared as a chain: `1 <= x <= 3`.
fn is_chain(filter: &Filter) -> bool {
    matches!(filter.node, Node::CompareNumbers(Comparison::LessEqual, _, ref right)
        if matches!(right.node, Node::CompareNumbers(..)))
}
