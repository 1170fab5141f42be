//! Position lists to filters: what holds at one position (docs/language/cql1.md#keywords-of-position-lists,
//! docs/language/cql1.md#counters, docs/language/cql1.md#transforms).

use std::collections::BTreeMap;

use shakmaty::Bitboard;

use super::ast::{Flavor, List, Match, Placed, Relation, Scope, Side, Term, squares};
use super::cursor::error;
use super::designator::Piece;
use super::range::Range;
use super::{game, make};
use crate::diagnostic::{Code, Diagnostic};
use crate::hir::{
    self, Arithmetic, Designator, DiagramRelation, DiagramScope, Filter, FindCount, Kind, ManSet, Node, NumberRange,
    Repeat, SequenceId, Variable, VariableId,
};
use crate::span::Span;
use crate::transform::{Sticky, Transform};

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// How many terms a text may come to; lists with counters are written out for each sum.
const MAX_TERMS: usize = 500_000;

/// A list that adds to a counter, below the transforms of the lists around it.
struct Counted<'a, 't> {
    outer: Vec<Sticky>,
    list: &'a List<'t>,
}

/// What is known while lists become filters.
pub(super) struct Lowering<'a, 't> {
    pub(super) found: &'a Match<'t>,
    /// Whether some list searches variations, so that the others have to stay on the main line.
    pub(super) mixed: bool,
    /// Whether the list at hand has to stay on the main line.
    pub(super) only_mainline: bool,
    /// Whether the list at hand is a step of a sequence, where the next move is fixed.
    pub(super) is_bound: bool,
    counters: BTreeMap<&'t str, Vec<Counted<'a, 't>>>,
    /// The squares that the list at hand names, each with its designator's place: the pattern of a `:relation`.
    pattern: Vec<(Bitboard, Span)>,
    /// The counters whose lists are being written out.
    open: Vec<&'t str>,
    /// Variables that the text has no name for.
    pub(super) variables: Vec<Variable>,
    /// How many variables come before them.
    pub(super) first_variable: usize,
    sequences: u32,
    terms: usize,
}

impl<'a, 't> Lowering<'a, 't> {
    /// Before the first list.
    pub(super) fn new(found: &'a Match<'t>) -> Parsed<Lowering<'a, 't>> {
        let mut lowering = Lowering {
            found,
            mixed: found.asks_variations || found.lists.iter().any(searches_variations),
            only_mainline: false,
            is_bound: false,
            counters: BTreeMap::new(),
            pattern: Vec::new(),
            open: Vec::new(),
            variables: Vec::new(),
            first_variable: match found.tags.len() {
                0 => 0,
                // Behind the tags, the position at hand.
                tags => tags + 1,
            },
            sequences: 0,
            terms: 0,
        };
        for list in &found.lists {
            lowering.collect_counters(list, &mut Vec::new(), false)?;
        }
        Ok(lowering)
    }

    /// How many sequences there are so far.
    pub(super) fn sequences(&self) -> u32 {
        self.sequences
    }

    pub(super) fn sequence(&mut self) -> SequenceId {
        self.sequences += 1;
        SequenceId(self.sequences - 1)
    }

    /// Finds the lists with `:accumulate`; `hidden` are those that may have none.
    fn collect_counters(&mut self, list: &'a List<'t>, outer: &mut Vec<Sticky>, hidden: bool) -> Parsed<()> {
        if let Some(counter) = list.counters.first()
            && (hidden || list.negated)
        {
            let message = "`:accumulate` cannot stand inside `:not`, `:sequence` and `:gappedsequence`";
            return Err(error(Code::MisplacedKeyword, counter.span, message));
        }
        for counter in &list.counters {
            let counted = Counted {
                outer: outer.clone(),
                list,
            };
            self.counters.entry(counter.node).or_default().push(counted);
        }
        outer.push(list.transforms);
        for term in &list.terms {
            let mut term = &term.node;
            let mut hidden = hidden || list.negated;
            while let Term::Not(inner) = term {
                (term, hidden) = (&inner.node, true);
            }
            let (lists, is_sequence) = match term {
                Term::And(lists) | Term::Or(lists) | Term::Xor(lists) | Term::Cond(lists) | Term::Somewhere(lists) => {
                    (lists, false)
                }
                Term::Sequence { lists, .. } => (lists, true),
                _ => continue,
            };
            for list in lists {
                self.collect_counters(list, outer, hidden || is_sequence)?;
            }
        }
        outer.pop();
        Ok(())
    }

    /// Whether a list matches at the current position: some transformed copy of it does.
    pub(super) fn list(&mut self, list: &'a List<'t>) -> Parsed<Filter> {
        let content = self.content(list)?;
        let copies = transformed(list.transforms, None, content, list.span);
        self.in_run(list, copies)
    }

    /// What a list asks for, without its transforms.
    pub(super) fn content(&mut self, list: &'a List<'t>) -> Parsed<Filter> {
        let content = self.conditions(list)?;
        self.copy_in_run(list, content)
    }

    /// What a list asks for here, without its transforms and without the positions around this one.
    pub(super) fn conditions(&mut self, list: &'a List<'t>) -> Parsed<Filter> {
        let named = list.terms.iter().filter_map(|term| match &term.node {
            Term::Piece(piece) => Some((squares(piece), term.span)),
            _ => None,
        });
        let outer = std::mem::replace(&mut self.pattern, named.collect());
        let mut parts = Vec::new();
        let mut next = Vec::new();
        for term in &list.terms {
            match &term.node {
                Term::Next(wanted) => next.push((wanted, term.span)),
                node => parts.push(self.term(node, term.span)?),
            }
        }
        if !next.is_empty() {
            parts.push(self.next_move(&next, list.span)?);
        }
        self.pattern = outer;
        let content = make::all(parts, list.span);
        Ok(if list.negated {
            make::not(content, list.span)
        } else {
            content
        })
    }

    fn term(&mut self, term: &'a Term<'t>, span: Span) -> Parsed<Filter> {
        self.terms += 1;
        if self.terms > MAX_TERMS {
            let message = format!("the counters of this query come to more than {MAX_TERMS} conditions");
            return Err(error(Code::TooMuchExpansion, span, &message));
        }
        Ok(match term {
            Term::Piece(piece) => self.set(piece, span)?,
            Term::Filter(filter) => filter.clone(),
            Term::Not(inner) => match &inner.node {
                Term::Next(next) => make::not(self.next_move(&[(next, inner.span)], span)?, span),
                node => make::not(self.term(node, inner.span)?, span),
            },
            Term::Next(next) => self.next_move(&[(next, span)], span)?,
            Term::AttackCount(attacker, target, range) => {
                let (attacker, target) = (self.boxed(attacker)?, self.boxed(target)?);
                make::within(make::numeric(Node::AttackPairs(attacker, target), span), *range, span)
            }
            Term::PieceCount(piece, range) => make::within(self.set(&piece.node, piece.span)?, *range, span),
            Term::Power(piece, range) => {
                let power = make::numeric(Node::Power(self.boxed(piece)?), span);
                make::within(power, *range, span)
            }
            Term::PowerDifference(piece, less, range) => {
                let power = |set: Filter| make::numeric(Node::Power(Box::new(set)), span);
                self.difference(piece, less.as_ref(), *range, span, &power)?
            }
            Term::PieceCountDifference(piece, less, range) => {
                let count = |set: Filter| make::numeric(Node::Cardinality(Box::new(set)), span);
                self.difference(piece, less.as_ref(), *range, span, &count)?
            }
            Term::Ray {
                directions,
                pieces,
                range,
            } => {
                let arguments = pieces.iter().map(|piece| self.set(&piece.node, piece.span));
                let rays = Node::RayCount {
                    directions: *directions,
                    arguments: arguments.collect::<Parsed<_>>()?,
                };
                make::within(make::numeric(rays, span), *range, span)
            }
            Term::And(lists) => make::all(self.lists(lists)?, span),
            Term::Or(lists) => make::any(self.lists(lists)?, span),
            Term::Xor(lists) => game::combined("xor", self.lists(lists)?, span),
            Term::Cond(lists) => game::combined("cond", self.lists(lists)?, span),
            Term::Sequence { gapped, lists } => self.steps(*gapped, lists, span)?,
            Term::Somewhere(lists) => {
                let mut parts = Vec::new();
                for filter in self.lists(lists)? {
                    let mut guarded = self.guards(Scope::Mainline, span);
                    guarded.push(filter);
                    parts.push(somewhere(FindCount::First, make::all(guarded, span), span));
                }
                make::all(parts, span)
            }
            Term::Occurrence(times) => self.occurrence(*times, span),
            Term::Relation(relation) => self.relation(relation, span)?,
            Term::Sum(counter, range) => self.sum(counter, *range, span)?,
            Term::TagMatch(tag, designator) => {
                let piece = make::set(Node::Variable(self.tag(tag, span)?), span);
                let kind = make::designator(designator.men, designator.squares, span);
                make::set(Node::Intersection(vec![piece, kind]), span)
            }
        })
    }

    /// What is counted of one designator less that of another; of one alone, White's less Black's.
    fn difference(
        &mut self,
        piece: &Placed<Piece<'t>>,
        less: Option<&Placed<Piece<'t>>>,
        range: Range,
        span: Span,
        count: &dyn Fn(Filter) -> Filter,
    ) -> Parsed<Filter> {
        let of_color = |lowering: &mut Self, men: ManSet| -> Parsed<Filter> {
            Ok(match piece.node {
                Piece::Plain(designator) => {
                    make::designator(designator.men.intersection(men), designator.squares, piece.span)
                }
                Piece::Tagged(..) => {
                    let set = lowering.set(&piece.node, piece.span)?;
                    let color = make::designator(men, Bitboard::FULL, piece.span);
                    make::set(Node::Intersection(vec![set, color]), piece.span)
                }
            })
        };
        let (first, second) = match less {
            Some(less) => (self.set(&piece.node, piece.span)?, self.set(&less.node, less.span)?),
            None => (of_color(self, ManSet::WHITE)?, of_color(self, ManSet::BLACK)?),
        };
        let difference = Node::Arithmetic(Arithmetic::Subtract, Box::new(count(first)), Box::new(count(second)));
        Ok(make::within(make::numeric(difference, span), range, span))
    }

    fn lists(&mut self, lists: &'a [List<'t>]) -> Parsed<Vec<Filter>> {
        lists.iter().map(|list| self.list(list)).collect()
    }

    fn boxed(&mut self, piece: &Placed<Piece<'t>>) -> Parsed<Box<Filter>> {
        Ok(Box::new(self.set(&piece.node, piece.span)?))
    }

    /// The squares of a designator.
    pub(super) fn set(&mut self, piece: &Piece<'t>, span: Span) -> Parsed<Filter> {
        match piece {
            Piece::Plain(designator) => Ok(make::set(Node::Designator(*designator), span)),
            Piece::Tagged(name, squares) => {
                let piece = make::set(Node::Variable(self.tag(name, span)?), span);
                if *squares == Bitboard::FULL {
                    return Ok(piece);
                }
                let squares = make::designator(ManSet::ANYTHING, *squares, span);
                Ok(make::set(Node::Intersection(vec![piece, squares]), span))
            }
        }
    }

    /// The variable of a tag.
    fn tag(&self, name: &str, span: Span) -> Parsed<VariableId> {
        let index = self.found.tags.iter().position(|tag| tag.name == name);
        index.map(VariableId::at).ok_or_else(|| {
            let mut diagnostic = error(Code::UnknownTag, span, &format!("no tag is called `{name}`"));
            diagnostic.help = Some(format!("declare it in the match list: `:forany {name} [Aa]`"));
            diagnostic
        })
    }

    /// `:sequence`, `:gappedsequence`
    fn steps(&mut self, gapped: bool, lists: &'a [List<'t>], span: Span) -> Parsed<Filter> {
        let any_number = Repeat { min: 0, max: None };
        let mut steps = Vec::new();
        let outer = std::mem::replace(&mut self.is_bound, true);
        for list in lists {
            if gapped {
                steps.push((make::set(Node::AllSquares, span), any_number));
            }
            steps.push((self.list(list)?, Repeat::ONCE));
        }
        self.is_bound = outer;
        Ok(self.line(steps, span))
    }

    /// The conditions under which a list looks at a position at all.
    pub(super) fn guards(&self, scope: Scope, span: Span) -> Vec<Filter> {
        let mut guards = Vec::new();
        if self.found.flavor == Flavor::Classic {
            guards.push(make::not(make::logical(Node::Initial, span), span));
        }
        match scope {
            Scope::Mainline if self.mixed => guards.push(make::logical(Node::Mainline(true), span)),
            Scope::VariationsOnly => guards.push(make::logical(Node::Mainline(false), span)),
            _ => {}
        }
        guards
    }

    /// `:sumrange`: how many transformed copies of the lists with this counter match here.
    fn sum(&mut self, counter: &'t str, range: Range, span: Span) -> Parsed<Filter> {
        if self.open.contains(&counter) {
            let message = format!("the counter `{counter}` counts itself");
            return Err(error(Code::UnknownTag, span, &message));
        }
        let Some(lists) = self.counters.remove(counter) else {
            let mut diagnostic = error(
                Code::UnknownTag,
                span,
                &format!("no list adds to the counter `{counter}`"),
            );
            diagnostic.help = Some(format!(
                "write `:accumulate {counter}` into a position list with a transform"
            ));
            return Err(diagnostic);
        };
        self.open.push(counter);
        let bound = std::mem::replace(&mut self.is_bound, false);
        let mut total: Option<Filter> = None;
        for counted in &lists {
            let content = self.content(counted.list)?;
            let mut copies = transform_node(counted.list.transforms, Some(hir::Range::Count), content, span);
            for &outer in counted.outer.iter().rev().filter(|outer| **outer != Sticky::NONE) {
                copies = transform_node(outer, None, copies, span);
            }
            copies.kind = Kind::Numeric;
            total = Some(match total {
                None => copies,
                Some(total) => {
                    let sum = Node::Arithmetic(Arithmetic::Add, Box::new(total), Box::new(copies));
                    make::numeric(sum, span)
                }
            });
        }
        self.is_bound = bound;
        self.open.pop();
        self.counters.insert(counter, lists);
        // A counter is not touched by the transforms of the list that asks for it.
        let total = total.unwrap_or_else(|| make::number(0, span));
        let total = make::numeric(Node::NoTransform(Box::new(total)), span);
        Ok(make::within(total, range, span))
    }

    /// `:relation`
    fn relation(&mut self, relation: &Relation<'t>, span: Span) -> Parsed<Filter> {
        let count = |(piece, range): &(Placed<Piece<'t>>, Range)| -> Parsed<(Designator, NumberRange)> {
            let Piece::Plain(designator) = piece.node else {
                let message = "a tag cannot stand inside `:relation`";
                return Err(error(Code::UnknownTag, piece.span, message));
            };
            Ok((designator, number_range(*range)))
        };
        let (missing, missing_range) = count(&relation.missing)?;
        let (new, new_range) = count(&relation.new)?;
        let named = |&(squares, span): &(Bitboard, Span)| make::designator(ManSet::ANYTHING, squares, span);
        let node = DiagramRelation {
            area: relation.pattern.then(|| self.pattern.iter().map(named).collect()),
            shift: relation.shift,
            flip: relation.flip,
            missing,
            missing_range,
            new,
            new_range,
            same: relation.same.map(number_range),
            different: relation.different.map(number_range),
            same_side: match relation.side {
                Side::Same => Some(true),
                Side::Changed => Some(false),
                Side::Any => None,
            },
            scope: match relation.scope {
                Scope::Mainline => DiagramScope::Mainline,
                Scope::Variations => DiagramScope::All,
                Scope::VariationsOnly => DiagramScope::Variations,
            },
        };
        Ok(make::logical(Node::DiagramRelation(Box::new(node)), span))
    }
}

/// Whether a list, or a relation in it, looks at variations.
fn searches_variations(list: &List<'_>) -> bool {
    let in_relation = |term: &Placed<Term<'_>>| {
        let mut term = &term.node;
        while let Term::Not(inner) = term {
            term = &inner.node;
        }
        match term {
            Term::Relation(relation) => relation.scope != Scope::Mainline,
            Term::And(lists)
            | Term::Or(lists)
            | Term::Xor(lists)
            | Term::Cond(lists)
            | Term::Somewhere(lists)
            | Term::Sequence { lists, .. } => lists.iter().any(searches_variations),
            _ => false,
        }
    };
    list.scope.is_some() || list.terms.iter().any(in_relation)
}

/// Bounds with the largest numbers for none.
fn number_range(range: Range) -> NumberRange {
    NumberRange {
        min: range.min.unwrap_or(i32::MIN),
        max: range.max.unwrap_or(i32::MAX),
    }
}

/// A filter below the transforms of a list; itself if there are none.
pub(super) fn transformed(transforms: Sticky, range: Option<hir::Range>, filter: Filter, span: Span) -> Filter {
    if transforms == Sticky::NONE && range.is_none() {
        return filter;
    }
    transform_node(transforms, range, filter, span)
}

fn transform_node(transforms: Sticky, range: Option<hir::Range>, filter: Filter, span: Span) -> Filter {
    let node = Node::Transform {
        transform: Transform::Sticky(transforms),
        range,
        distinct: true,
        argument: Box::new(filter),
    };
    make::logical(node, span)
}

/// The filter holds somewhere in the game, or as often as is asked for.
pub(super) fn somewhere(count: FindCount, filter: Filter, span: Span) -> Filter {
    let node = Node::Find {
        backward: false,
        quiet: true,
        count,
        argument: Box::new(filter),
    };
    let kind = if count == FindCount::First {
        Kind::Position
    } else {
        Kind::Numeric
    };
    make::at_root(Filter::new(node, kind, span), span)
}
