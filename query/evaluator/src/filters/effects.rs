//! Variables, loops, dictionaries and filters with effects (docs/language/control.md).

use language::facts::reads_before_its_argument;
use language::hir::{AssignOp, DictionaryId, Filter, Kind, Node, Regex, VariableId};
use language::span::Span;
use shakmaty::{Bitboard, Square};

use crate::answer::Want;
use crate::error::{Cause, Eval, RuntimeError};
use crate::machine::Machine;
use crate::text::first_match;
use crate::value::{Value, arithmetic};

/// How often a `while` or `loop` may run at one position: far more than any game has positions.
pub(crate) const MAX_ITERATIONS: u64 = 10_000_000;

impl<'a> Machine<'a, '_> {
    // --- variables

    /// The value of a filter of any kind; `None` if it has none.
    pub(crate) fn value(&mut self, filter: &'a Filter) -> Eval<Option<Value>> {
        Ok(match filter.kind {
            Kind::Logical => Some(Value::Logical(self.matches(filter)?)),
            Kind::Set => Some(Value::Set(self.set(filter)?)),
            Kind::Numeric => self.number(filter)?.map(Value::Number),
            Kind::String => self.text(filter)?.map(|text| Value::Text(text.into_owned())),
            Kind::Position => self.position(filter)?.map(Value::Position),
        })
    }

    /// The value of a variable.
    pub(crate) fn variable(&self, variable: VariableId, span: Span) -> Eval<Value> {
        match &self.state.variables[variable.0 as usize] {
            Some(value) => Ok(value.clone()),
            None => Err(self.unbound(variable, span)),
        }
    }

    /// The error of a variable without a value.
    #[cold]
    pub(crate) fn unbound(&self, variable: VariableId, span: Span) -> Box<RuntimeError> {
        self.error(Cause::Unbound(self.variable_name(variable)), span)
    }

    pub(crate) fn variable_name(&self, variable: VariableId) -> String {
        self.query.variables[variable.0 as usize].name.clone()
    }

    #[inline]
    pub(crate) fn set_variable(&mut self, variable: VariableId, value: Option<Value>) {
        self.state.variables[variable.0 as usize] = value;
    }

    /// Refuses a loop variable that is in use.
    pub(crate) fn require_unbound(&self, variable: VariableId, span: Span) -> Eval<()> {
        match &self.state.variables[variable.0 as usize] {
            None => Ok(()),
            Some(_) => Err(self.error(Cause::LoopVariableBound(self.variable_name(variable)), span)),
        }
    }

    fn assign(&mut self, variable: VariableId, op: AssignOp, argument: &'a Filter, span: Span) -> Eval<bool> {
        // The argument may change the variable. A number or a set is updated from the value before, a text from the one
        // behind.
        let before = match reads_before_its_argument(op) {
            true => Some(self.variable(variable, span)?),
            false => None,
        };
        let Some(new) = self.value(argument)? else {
            return Ok(false);
        };
        let value = match (op, before) {
            (AssignOp::SetIfAny, _) if matches!(&new, Value::Set(set) if set.is_empty()) => return Ok(false),
            (AssignOp::Append, _) => {
                let old = self.variable(variable, span)?;
                self.make_text(text_length(&old) + text_length(&new), span)?;
                update(op, old, new)
            }
            (_, Some(old)) => update(op, old, new),
            (_, None) => Some(new),
        };
        let Some(value) = value else { return Ok(false) };
        self.set_variable(variable, Some(value));
        Ok(true)
    }

    fn assign_piece(&mut self, variable: VariableId, argument: &'a Filter) -> Eval<bool> {
        let square = self.set(argument)?.single_square();
        let Some(id) = square.and_then(|square| self.game.identity(self.node, square)) else {
            return Ok(false);
        };
        self.set_variable(variable, Some(Value::Piece(id)));
        Ok(true)
    }

    // --- loops

    /// What a loop's variable is set to for a square: the square, or the piece on it.
    fn loop_value(&self, pieces: bool, square: Square) -> Option<Value> {
        if pieces {
            self.game.identity(self.node, square).map(Value::Piece)
        } else {
            Some(Value::Set(Bitboard::from_square(square)))
        }
    }

    /// `square x in S F`, `piece x in S F`: the squares for which F matches; if only the truth is wanted and nothing else
    /// can be seen, at most one of them.
    pub(crate) fn existential_loop(&mut self, filter: &'a Filter, want: Want) -> Eval<Bitboard> {
        let (variable, pieces, domain, body) = loop_parts(filter);
        let guard = self.guards.of_loop(filter);
        if let Some(guard) = guard
            && !self.has_first_move(&guard.before)?
        {
            return Ok(Bitboard::EMPTY);
        }
        let may_stop = want == Want::Truth && guard.is_some_and(|guard| guard.may_stop);
        let mut found = Bitboard::EMPTY;
        let mut squares = self.set(domain)?;
        // A variable that is in use is an error at the first square.
        if let Some(guard) = guard.filter(|guard| !guard.sides.is_empty())
            && self.state.variables[variable.0 as usize].is_none()
        {
            squares &= self.squares_of_moves(&guard.sides);
        }
        for square in squares {
            self.step(filter.span)?;
            let Some(value) = self.loop_value(pieces, square) else {
                continue;
            };
            self.require_unbound(variable, filter.span)?;
            self.set_variable(variable, Some(value));
            let allowed = match guard {
                Some(guard) => {
                    let path = guard.path.as_ref();
                    path.is_none_or(|(path, outline)| self.may_follow_path(path, outline))
                        && self.has_first_move(&guard.inside)?
                        && self.has_needed_moves(&guard.needed)
                }
                None => true,
            };
            if allowed && self.attempt(|machine| machine.matches(body))? {
                found.add(square);
            }
            self.set_variable(variable, None);
            if may_stop && found.any() {
                break;
            }
        }
        Ok(found)
    }

    /// `square all x in S F`: stops at the first square for which F does not match.
    pub(crate) fn universal_loop(&mut self, filter: &'a Filter) -> Eval<bool> {
        let (variable, pieces, domain, body) = loop_parts(filter);
        let mark = self.state.log.len();
        for square in self.set(domain)? {
            self.step(filter.span)?;
            let Some(value) = self.loop_value(pieces, square) else {
                continue;
            };
            self.require_unbound(variable, filter.span)?;
            self.set_variable(variable, Some(value));
            let matched = self.matches(body)?;
            self.set_variable(variable, None);
            if !matched {
                self.state.log.truncate(mark);
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Counts a turn of a `while` or `loop`.
    fn turn(&mut self, turns: &mut u64, span: Span) -> Eval<()> {
        *turns += 1;
        if *turns > MAX_ITERATIONS {
            return Err(self.error(Cause::EndlessLoop(MAX_ITERATIONS), span));
        }
        self.step(span)
    }

    /// True if there is a string, even if the expression never matches.
    fn while_regex(&mut self, text: &'a Filter, regex: &Regex, body: &'a Filter, span: Span) -> Eval<bool> {
        let Some(text) = self.text(text)? else { return Ok(false) };
        let (mut from, mut turns) = (0, 0);
        while from <= text.len()
            && let Some(groups) = first_match(regex, &text, from)
        {
            self.turn(&mut turns, span)?;
            let Some(Some((start, matched))) = groups.first().cloned() else {
                break;
            };
            // An empty match must not be found again at the same place.
            from = start + matched.len().max(1);
            self.state.groups = Some(groups);
            self.matches(body)?;
        }
        self.state.groups = None;
        Ok(true)
    }

    // --- dictionaries

    pub(crate) fn dictionary_get(&mut self, dictionary: DictionaryId, key: &'a Filter) -> Eval<Option<Value>> {
        // The text of a position takes time.
        if matches!(key.node, Node::Fen) && self.state.dictionaries[dictionary.0 as usize].is_empty() {
            return Ok(None);
        }
        let entries = &self.state.dictionaries[dictionary.0 as usize];
        if let Node::Variable(variable) = &key.node
            && let Some(text @ Value::Text(_)) = &self.state.variables[variable.0 as usize]
        {
            return Ok(entries.get(text).cloned());
        }
        let Some(key) = self.value(key)? else { return Ok(None) };
        Ok(self.state.dictionaries[dictionary.0 as usize].get(&key).cloned())
    }

    fn dictionary_loop(
        &mut self,
        variable: VariableId,
        dictionary: DictionaryId,
        body: &'a Filter,
        span: Span,
    ) -> Eval<()> {
        let entries = self.state.dictionaries[dictionary.0 as usize].in_order().into_iter();
        let keys: Vec<Value> = entries.map(|(key, _)| key.clone()).collect();
        for key in keys {
            self.step(span)?;
            self.require_unbound(variable, span)?;
            self.set_variable(variable, Some(key));
            self.matches(body)?;
            self.set_variable(variable, None);
        }
        Ok(())
    }

    // --- effects

    /// Filters that do something: their truth.
    pub(crate) fn perform(&mut self, filter: &'a Filter) -> Eval<bool> {
        let span = filter.span;
        match &filter.node {
            Node::While(condition, body) => {
                let mut turns = 0;
                while self.matches(condition)? {
                    self.turn(&mut turns, span)?;
                    self.matches(body)?;
                }
            }
            Node::WhileRegex(text, regex, body) => return self.while_regex(text, regex, body, span),
            Node::Loop(body) => {
                let mut turns = 0;
                while self.matches(body)? {
                    self.turn(&mut turns, span)?;
                }
                return Ok(turns > 0);
            }
            Node::Assert(body) => {
                if !self.matches(body)? {
                    return Err(self.error(Cause::Assertion, span));
                }
            }
            Node::AssertBound(variable) => {
                if self.state.variables[variable.0 as usize].is_none() {
                    return Err(self.error(Cause::Assertion, span));
                }
            }
            Node::Abort => return Err(self.error(Cause::Abort, span)),
            Node::Unbind(variable) => self.set_variable(*variable, None),
            Node::Assign(variable, op, argument) => return self.assign(*variable, *op, argument, span),
            Node::AssignPiece(variable, argument) => return self.assign_piece(*variable, argument),
            Node::AssignSlice(variable, slice, argument) => {
                let Some(new) = self.text(argument)? else {
                    return Ok(false);
                };
                let Value::Text(old) = self.variable(*variable, span)? else {
                    unreachable!("the parser slices string variables only")
                };
                let Some(text) = self.assign_slice(&old, slice, &new)? else {
                    return Ok(false);
                };
                self.make_text(text.len(), span)?;
                self.set_variable(*variable, Some(Value::Text(text)));
            }
            Node::DictionarySet(dictionary, key, value) => {
                let Some(key) = self.value(key)? else { return Ok(false) };
                let Some(value) = self.value(value)? else {
                    return Ok(false);
                };
                let index = dictionary.0 as usize;
                let size = |key: &Value, value: &Value| text_length(key) + text_length(value);
                // What was there goes. The entries of other dictionaries may be from an earlier game.
                if self.query.dictionaries[index].local
                    && let Some(old) = self.state.dictionaries[index].get(&key)
                {
                    let size = size(&key, old);
                    self.release(size);
                }
                self.keep(size(&key, &value), span)?;
                self.state.dictionaries[index].insert(key, value);
            }
            Node::DictionaryUnbind(dictionary, key) => match key {
                Some(key) => {
                    let Some(key) = self.value(key)? else { return Ok(false) };
                    self.state.dictionaries[dictionary.0 as usize].remove(&key);
                }
                None => self.state.dictionaries[dictionary.0 as usize].clear(),
            },
            Node::DictionaryLoop(variable, dictionary, body) => {
                self.dictionary_loop(*variable, *dictionary, body, span)?;
            }
            _ => return self.output(filter),
        }
        Ok(true)
    }
}

/// The bytes of a text; no other value takes memory of its own.
fn text_length(value: &Value) -> usize {
    match value {
        Value::Text(text) => text.len(),
        _ => 0,
    }
}

/// Variable, whether it runs over pieces, domain and body of a loop.
fn loop_parts(filter: &Filter) -> (VariableId, bool, &Filter, &Filter) {
    match &filter.node {
        Node::SquareLoop {
            variable, domain, body, ..
        } => (*variable, false, domain, body),
        Node::PieceLoop {
            variable, domain, body, ..
        } => (*variable, true, domain, body),
        _ => unreachable!("called with loops only"),
    }
}

/// The old value changed by the new one; `None` when divided by zero.
fn update(op: AssignOp, old: Value, new: Value) -> Option<Value> {
    match (op, old, new) {
        (AssignOp::Arithmetic(op), Value::Number(old), Value::Number(new)) => {
            arithmetic(op, old, new).map(Value::Number)
        }
        (AssignOp::Append, Value::Text(old), Value::Text(new)) => Some(Value::Text([old, new].concat())),
        (AssignOp::Union, Value::Set(old), Value::Set(new)) => Some(Value::Set(old | new)),
        (AssignOp::Intersection, Value::Set(old), Value::Set(new)) => Some(Value::Set(old & new)),
        (op, old, new) => unreachable!(
            "the parser checked {op:?} of {:?} and {:?}",
            Kind::from(&old),
            Kind::from(&new)
        ),
    }
}
