//! `echo` and `consecutivemoves`: two positions of one game compared (docs/language/games.md#echo).

mod targets;

use chess::Man;
use language::hir::{Filter, Kind, Node, Range, VariableId};
use language::span::Span;

use self::targets::Targets;
use crate::error::Eval;
use crate::machine::Machine;
use crate::state::{CommentSource, CommonMoves};
use crate::tables::{Echo, EchoParts};
use crate::value::{Value, number_of_count};

/// What there is to do for one source.
struct Pairs<'s, 'a> {
    variables: [VariableId; 2],
    in_all: bool,
    body: &'a Filter,
    parts: Option<&'s EchoParts<'a>>,
    quiet: bool,
    only_best: bool,
    one_is_enough: bool,
    span: Span,
}

impl<'a> Machine<'a, '_> {
    /// Whether the body of an echo matches for some target.
    pub(crate) fn echo_matches(&mut self, filter: &'a Filter) -> Eval<bool> {
        Ok(self.echo(filter, false)?.0)
    }

    /// The largest value that the body of an echo has for a target.
    pub(crate) fn echo_maximum(&mut self, filter: &'a Filter) -> Eval<Option<i32>> {
        Ok(self.echo(filter, true)?.1)
    }

    /// Whether there is a target for which the body matches, and if it is wanted the largest value of a numeric body.
    fn echo(&mut self, filter: &'a Filter, wants_value: bool) -> Eval<(bool, Option<i32>)> {
        let Node::Echo {
            quiet,
            source,
            target,
            in_all,
            body,
            ..
        } = &filter.node
        else {
            unreachable!("called with echoes only")
        };
        let quiet = *quiet || self.query.header.quiet || !self.notes_comments();
        let here = self.node;
        self.require_unbound(*source, filter.span)?;
        self.require_unbound(*target, filter.span)?;
        let query = self.query;
        let variables = [*source, *target];
        let bound = self.guards.bound_at_echo(filter);
        let place = self
            .tables
            .echoes
            .place_or_insert(filter.id(), || Echo::of(query, filter, body, variables, bound));
        let Echo {
            sorted,
            one_is_enough,
            ref mut parts,
        } = *self.tables.echoes.at(place);
        let one_is_enough = one_is_enough && !wants_value && !self.limits.results;
        // Inside the target of a castling move `from` and `to` may be halves.
        let mut parts = parts.take_if(|_| self.state.chosen_edge.is_none());
        self.step(filter.span)?;
        let likely = match &mut parts {
            Some(parts) => self.likely_targets(parts, here, *in_all)?,
            None => true,
        };
        let outcome = if likely {
            let pairs = Pairs {
                variables: [*source, *target],
                in_all: *in_all,
                body,
                parts: parts.as_deref(),
                quiet,
                only_best: sorted,
                one_is_enough,
                span: filter.span,
            };
            self.echo_pairs(&pairs)?
        } else {
            (false, None)
        };
        if parts.is_some() {
            self.tables.echoes.at(place).parts = parts;
        }
        Ok(outcome)
    }

    fn echo_pairs(&mut self, pairs: &Pairs<'_, 'a>) -> Eval<(bool, Option<i32>)> {
        let here = self.node;
        let [source, target] = pairs.variables;
        let body = pairs.body;
        let start = self.state.log.len();
        self.set_variable(source, Some(Value::Position(here)));
        let mut found = false;
        let mut best: Option<i32> = None;
        let mut targets = pairs.parts.map(|parts| Targets::new(parts, target));
        let positions = self.game.nodes().end;
        let mut from = 0;
        while let Some(node) = match &mut targets {
            Some(targets) => self.next_target(targets, from),
            None => (from < positions).then_some(from),
        } {
            from = node + 1;
            if node == here && !pairs.in_all {
                continue;
            }
            self.step(pairs.span)?;
            self.set_variable(target, Some(Value::Position(node)));
            let mark = self.state.log.len();
            let value = self.elsewhere(node, |machine| match (&targets, body.kind) {
                (Some(targets), kind) => machine.echo_rest(targets, kind == Kind::Numeric),
                (None, Kind::Numeric) => machine.number(body),
                (None, _) => Ok(machine.matches(body)?.then_some(1)),
            })?;
            let Some(value) = value else {
                self.state.log.truncate(mark);
                continue;
            };
            found = true;
            let better = best.is_none_or(|best| value > best);
            if better {
                best = Some(value);
            } else if pairs.only_best {
                self.state.log.truncate(mark);
                continue;
            }
            if pairs.only_best {
                self.state.log.drain(start..mark);
            }
            if !pairs.quiet {
                self.describe_echo([source, target], here, node);
            }
            if pairs.one_is_enough {
                break;
            }
        }
        self.set_variable(source, None);
        self.set_variable(target, None);
        if pairs.only_best && body.kind != Kind::Numeric {
            self.state.log.truncate(start);
        }
        Ok((found, best))
    }

    fn describe_echo(&mut self, [source, target]: [VariableId; 2], here: u32, there: u32) {
        let ancestor = self.game.common_ancestor(here, there);
        if ancestor != here && ancestor != there {
            self.comment(ancestor, "LCA".to_owned(), CommentSource::Automatic);
        }
        for (variable, node) in [(source, here), (target, there)] {
            self.comment(node, self.variable_name(variable), CommentSource::Automatic);
        }
        let place = self.place(here);
        self.comment(there, format!("-->{place}"), CommentSource::Automatic);
        let place = self.place(there);
        self.comment(here, format!("<--{place}"), CommentSource::Automatic);
    }

    /// How many consecutive moves the ways to two positions have in common.
    pub(crate) fn consecutive_moves(
        &mut self,
        quiet: bool,
        range: Option<&Range>,
        variables: [VariableId; 2],
        span: Span,
    ) -> Eval<Option<i32>> {
        let mut ends = [0; 2];
        for (end, variable) in ends.iter_mut().zip(variables) {
            let Value::Position(node) = self.variable(variable, span)? else {
                unreachable!("the parser takes position variables only")
            };
            *end = node;
        }
        let CommonRun { length, tails } = self.common_run(ends[0], ends[1]);
        if length == 0 || self.within_range(number_of_count(length), range, span)?.is_none() {
            return Ok(None);
        }
        if !quiet && !self.query.header.quiet {
            let names = variables.map(|variable| self.variable_name(variable));
            self.note_common_moves(CommonMoves { length, names, tails });
        }
        Ok(Some(number_of_count(length)))
    }

    /// The longest run of moves that the ways from the latest common ancestor to two positions have in common; none if
    /// one of them is the ancestor.
    pub(crate) fn common_run(&self, a: u32, b: u32) -> CommonRun {
        let ancestor = self.game.common_ancestor(a, b);
        if a == ancestor || b == ancestor {
            return CommonRun::default();
        }
        let ways = [a, b].map(|end| self.way(ancestor, end));
        let (length, last) = longest_common_run(&ways[0], &ways[1]);
        let tails = [0, 1].map(|side: usize| {
            let run = last[side] - length..last[side];
            ways[side][run].iter().map(|step| step.tail).collect()
        });
        CommonRun { length, tails }
    }

    /// Keeps the longest run, the first one among equals.
    fn note_common_moves(&mut self, common: CommonMoves) {
        match self
            .state
            .common_moves
            .iter_mut()
            .find(|known| known.names == common.names)
        {
            Some(known) if known.length >= common.length => {}
            Some(known) => *known = common,
            None => self.state.common_moves.push(common),
        }
    }

    /// The moves from a position down to one below it.
    fn way(&self, top: u32, bottom: u32) -> Vec<Step> {
        let nodes = self.positions_between(top, bottom).filter(|&node| node != top);
        let mut way: Vec<Step> = nodes
            .filter_map(|tail| {
                let (packed, head) = (self.game.last_move(tail)?, self.game.parent(tail)?);
                let man = self.game.board(head).at(packed.from());
                Some(Step {
                    tail,
                    man,
                    from_to: packed.to_bits() & 0xFFF,
                })
            })
            .collect();
        way.reverse();
        way
    }
}

/// A run of moves that two lines have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommonRun {
    pub(crate) length: usize,
    /// Where the moves lead to, in both lines.
    pub(crate) tails: [Vec<u32>; 2],
}

/// A move as `consecutivemoves` compares it: what moves, from where, to where.
#[derive(Clone, Copy, Debug)]
struct Step {
    tail: u32,
    man: Man,
    from_to: u16,
}

impl PartialEq for Step {
    fn eq(&self, other: &Step) -> bool {
        self.man == other.man && self.from_to == other.from_to
    }
}

/// The length of the longest run that two sequences have in common, and where it ends in both; the first of equals.
fn longest_common_run<T: PartialEq>(a: &[T], b: &[T]) -> (usize, [usize; 2]) {
    let mut best = (0, [0; 2]);
    // runs[j]: how long the run is that ends before a[i] and b[j].
    let mut runs = vec![0; b.len() + 1];
    for (i, x) in a.iter().enumerate() {
        for (j, y) in b.iter().enumerate().rev() {
            runs[j + 1] = if x == y { runs[j] + 1 } else { 0 };
            let (length, [end, _]) = best;
            // Going backward, so an equal length in the same row comes from further left.
            if runs[j + 1] > length || (runs[j + 1] == length && length > 0 && end == i + 1) {
                best = (runs[j + 1], [i + 1, j + 1]);
            }
        }
    }
    best
}
