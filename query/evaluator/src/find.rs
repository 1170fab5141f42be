//! `find`: positions below or above that match (cql6-games 5).
//!
//! Every position of a subtree is asked about from every position above it, so what can't have changed is remembered: a
//! game costs its length, not the square of it. What an argument gives may depend on variables of the query; then it is
//! remembered for each of their values.

use language::hir::{Filter, FindCount, Range, VariableId};
use language::span::Span;

use super::by_address::ByAddress;
use super::nodes::KnownTruth;
use super::sequence::known_by_variables;
use super::{CommentSource, Eval, Machine, Value};

/// An argument is remembered for so many values of its variables.
const MAX_TABLES: usize = 64;

/// What is known of the arguments of `find` in one game.
#[derive(Debug, Default)]
pub(super) struct Finds {
    arguments: ByAddress<Argument>,
}

/// What is known of one argument.
#[derive(Debug)]
struct Argument {
    /// The variables that decide beside the position; nothing if more does.
    variables: Option<Vec<VariableId>>,
    tables: Vec<Table>,
    /// How many of the tables are about this game.
    used: usize,
}

/// What is known for some values of the variables.
#[derive(Debug, Default)]
struct Table {
    values: Vec<Option<Value>>,
    truth: KnownTruth,
}

/// Where something is remembered: the numbers of argument and table.
#[derive(Clone, Copy, Debug)]
struct Place(usize, usize);

impl Finds {
    /// Forgets what belongs to one game.
    pub(super) fn start_game(&mut self) {
        self.arguments.items().for_each(|argument| argument.used = 0);
    }

    fn truth(&mut self, Place(argument, table): Place) -> &mut KnownTruth {
        &mut self.arguments.item(argument).tables[table].truth
    }
}

impl<'a> Machine<'a, '_> {
    /// The first position, the current one included, in the subtree or among the ancestors.
    pub(super) fn find_first(
        &mut self,
        backward: bool,
        quiet: bool,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<u32>> {
        let place = self.remembered(argument);
        let last = self.game.last_descendant(self.node);
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, place, node, span)? {
                if !quiet && self.notes_comments() {
                    self.comment(node, "Found", CommentSource::Automatic);
                }
                return Ok(Some(node));
            }
            next = self.find_next(backward, place, node).filter(|&node| node <= last);
        }
        Ok(None)
    }

    /// The position to ask about behind one: the parent, or the next in the game that may still match.
    fn find_next(&mut self, backward: bool, place: Option<Place>, node: u32) -> Option<u32> {
        match place {
            _ if backward => self.game.parent(node),
            Some(place) => self.sequences.finds.truth(place).next_possible(node + 1),
            None => Some(node + 1),
        }
    }

    /// How many positions match, if that is a number that the range allows.
    pub(super) fn find_count(
        &mut self,
        backward: bool,
        quiet: bool,
        count: FindCount,
        argument: &'a Filter,
        span: Span,
    ) -> Eval<Option<i32>> {
        let place = self.remembered(argument);
        let last = self.game.last_descendant(self.node);
        let notes = !quiet && self.notes_comments();
        let mut found = Vec::new();
        let mut total = 0;
        let mut next = Some(self.node);
        while let Some(node) = next {
            if self.find_matches(argument, place, node, span)? {
                total += 1;
                if notes {
                    found.push(node);
                }
            }
            next = self.find_next(backward, place, node).filter(|&node| node <= last);
        }
        let value = match count {
            FindCount::First => unreachable!("without a count `find` gives a position"),
            FindCount::All => (total > 0).then_some(total),
            FindCount::Range(Range::Count) => Some(total),
            FindCount::Range(range) => self.within_range(total, Some(&range), span)?,
        };
        // When the number is not right, the comments of the argument stay.
        if value.is_some() {
            for (index, node) in found.into_iter().enumerate() {
                self.comment(
                    node,
                    format!("Found {} of {total}", index + 1),
                    CommentSource::Automatic,
                );
            }
        }
        Ok(value)
    }

    /// Whether the argument matches at a position.
    fn find_matches(&mut self, argument: &'a Filter, place: Option<Place>, node: u32, span: Span) -> Eval<bool> {
        if let Some(place) = place
            && let Some(known) = self.sequences.finds.truth(place).at(node)
        {
            return Ok(known);
        }
        self.step(span)?;
        let found = self.elsewhere(node, |machine| machine.matches(argument))?;
        if let Some(place) = place {
            self.sequences.finds.truth(place).note(node, found);
        }
        Ok(found)
    }

    /// Where it is remembered what the argument gives with the variables as they are, if it can be.
    fn remembered(&mut self, argument: &'a Filter) -> Option<Place> {
        // Inside the target of a castling move `from` and `to` may be halves.
        if self.state.chosen_edge.is_some() {
            return None;
        }
        let arguments = &mut self.sequences.finds.arguments;
        let number = arguments.number(argument, || Argument {
            variables: known_by_variables(argument),
            tables: Vec::new(),
            used: 0,
        });
        let Argument {
            variables,
            tables,
            used,
        } = arguments.item(number);
        let variables = variables.as_ref()?;
        let value = |variable: &VariableId| &self.state.variables[variable.0 as usize];
        let known = tables[..*used]
            .iter()
            .position(|table| table.values.iter().eq(variables.iter().map(value)));
        if let Some(table) = known {
            return Some(Place(number, table));
        }
        if *used == MAX_TABLES {
            return None;
        }
        if *used == tables.len() {
            tables.push(Table::default());
        }
        let table = &mut tables[*used];
        table.values.clear();
        table.values.extend(variables.iter().map(value).cloned());
        table.truth.clear(self.game.len());
        *used += 1;
        Some(Place(number, *used - 1))
    }
}
