//! The kinds of answers that a filter can give, and the control flow that is the same for all of them.
//!
//! A filter is asked whether it matches (`bool`), for its set (`Bitboard`), its number, its text or its position (an
//! `Option` of each). The constructs here pass that question on to a filter inside them. They are generic over the
//! [`Answer`], so that each is written once and compiled for each kind.
//!
//! The kinds differ on purpose in three points:
//!
//! * `if` without `else` holds as a condition if its test fails (docs/language/control.md#logic-and-control). It has no
//!   value then. The parser makes it a condition, so only its truth is ever asked for.
//! * A dash that is asked for its truth goes on to the next move until its target matches; for its value, until its target
//!   has one. [`Answer::WANT`] says which. An empty set is a value (docs/language/moves.md#the-move-operators).
//! * An entry of a dictionary matches if it is there, even if it is an empty set.
//!
//! Transforms are not here: how the answers of variants are combined is different for each kind
//! (docs/language/transforms.md#results). See `filters/transforms.rs`.

use language::hir::{Dash, DictionaryId, Filter, SortId, SortOrder, VariableId};
use shakmaty::Bitboard;

use crate::error::Eval;
use crate::formula::{Entry, Id, Runner};
use crate::machine::Machine;
use crate::text::Text;
use crate::value::Value;

/// What is asked of a dash filter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// Whether it matches.
    Truth,
    /// The value of its last target, from the first move for which there is one.
    Value,
}

/// The answer of a filter to one of the questions that can be asked of it.
pub(crate) trait Answer<'g>: Sized {
    /// What a dash is asked for.
    const WANT: Want;

    /// Asks a filter.
    fn of<'a>(machine: &mut Machine<'a, 'g>, filter: &'a Filter) -> Eval<Self>;

    /// The answer of a construct that fails.
    fn failure() -> Self;

    /// Whether a construct with this answer takes its comments back.
    fn takes_back(&self) -> bool;

    /// The answer for the value of a variable, an entry or a target.
    fn of_value(value: Option<Value>) -> Self;

    /// The answer of an `if` without `else` whose test fails.
    fn without_else() -> Self {
        Self::failure()
    }
}

/// Whether the filter matches.
impl Answer<'_> for bool {
    const WANT: Want = Want::Truth;

    #[inline]
    fn of<'a>(machine: &mut Machine<'a, '_>, filter: &'a Filter) -> Eval<bool> {
        machine.matches(filter)
    }

    fn failure() -> bool {
        false
    }

    fn takes_back(&self) -> bool {
        !self
    }

    fn of_value(value: Option<Value>) -> bool {
        value.is_some()
    }

    fn without_else() -> bool {
        true
    }
}

/// The set of squares: a set filter that fails gives the empty set. An empty set is a value, so its comments stay.
impl Answer<'_> for Bitboard {
    const WANT: Want = Want::Value;

    #[inline]
    fn of<'a>(machine: &mut Machine<'a, '_>, filter: &'a Filter) -> Eval<Bitboard> {
        machine.set(filter)
    }

    fn failure() -> Bitboard {
        Bitboard::EMPTY
    }

    fn takes_back(&self) -> bool {
        false
    }

    fn of_value(value: Option<Value>) -> Bitboard {
        match value {
            Some(Value::Set(set)) => set,
            _ => Bitboard::EMPTY,
        }
    }
}

/// The number.
impl Answer<'_> for Option<i32> {
    const WANT: Want = Want::Value;

    #[inline]
    fn of<'a>(machine: &mut Machine<'a, '_>, filter: &'a Filter) -> Eval<Option<i32>> {
        machine.number(filter)
    }

    fn failure() -> Option<i32> {
        None
    }

    fn takes_back(&self) -> bool {
        self.is_none()
    }

    fn of_value(value: Option<Value>) -> Option<i32> {
        match value {
            Some(Value::Number(number)) => Some(number),
            _ => None,
        }
    }
}

/// The text.
impl<'g> Answer<'g> for Option<Text<'g>> {
    const WANT: Want = Want::Value;

    #[inline]
    fn of<'a>(machine: &mut Machine<'a, 'g>, filter: &'a Filter) -> Eval<Option<Text<'g>>> {
        machine.text(filter)
    }

    fn failure() -> Option<Text<'g>> {
        None
    }

    fn takes_back(&self) -> bool {
        self.is_none()
    }

    fn of_value(value: Option<Value>) -> Option<Text<'g>> {
        match value {
            Some(Value::Text(text)) => Some(Text::Owned(text)),
            _ => None,
        }
    }
}

/// The position.
impl Answer<'_> for Option<u32> {
    const WANT: Want = Want::Value;

    #[inline]
    fn of<'a>(machine: &mut Machine<'a, '_>, filter: &'a Filter) -> Eval<Option<u32>> {
        machine.position(filter)
    }

    fn failure() -> Option<u32> {
        None
    }

    fn takes_back(&self) -> bool {
        self.is_none()
    }

    fn of_value(value: Option<Value>) -> Option<u32> {
        match value {
            Some(Value::Position(node)) => Some(node),
            _ => None,
        }
    }
}

impl<'a, 'g> Machine<'a, 'g> {
    /// The answer of a formula, if there is one that can be used; `choose` names what is asked for.
    #[inline]
    pub(crate) fn by_formula(&mut self, filter: &Filter, choose: impl FnOnce(&Entry) -> Option<Id>) -> Option<u64> {
        let entry = self.formulas.entry(filter)?;
        self.by_entry(entry, choose(entry))
    }

    /// The value of an operation of a formula, if it can be used.
    #[inline]
    pub(crate) fn by_entry(&mut self, entry: &Entry, id: Option<Id>) -> Option<u64> {
        let id = id?;
        self.run_formula(entry, None, |runner| runner.value(id))
    }

    /// Among the positions that the bits of a word name, counted from `first`: those at which a filter matches with a
    /// variable that is bound to the position; `None` if there is no formula for it that can be used.
    pub(crate) fn positions_by_formula(
        &mut self,
        filter: &Filter,
        variable: VariableId,
        first: u32,
        positions: u64,
    ) -> Option<u64> {
        let (entry, id) = self.steady_formula(filter)?;
        self.run_formula(entry, Some(variable), |runner| {
            runner.bound_move = None;
            runner.positions_among(id, variable, first, positions)
        })
    }

    /// Among the positions that `among` gives, bits of a word that are counted from `first`: those at which a filter matches with the
    /// variables as they are; both as words. `None` if there is no formula for it that can be used.
    pub(crate) fn matches_by_formula(
        &mut self,
        filter: &Filter,
        first: u32,
        among: impl FnOnce(&mut Self) -> u64,
    ) -> Option<(u64, u64)> {
        let (entry, id) = self.steady_formula(filter)?;
        let positions = among(self);
        let found = self.run_formula(entry, None, |runner| {
            runner.bound_move = None;
            runner.holding_among(id, first, positions)
        });
        Some((found?, positions))
    }

    /// The formula for whether a filter matches, if it has one that changes no variables.
    fn steady_formula(&self, filter: &Filter) -> Option<(&'g Entry, Id)> {
        let entry = self.formulas.entry(filter).filter(|entry| !entry.has_effects())?;
        Some((entry, entry.truth?))
    }

    /// Whether the first filters of a list match, and how many these are, if they have a formula together that can be used.
    #[inline]
    fn by_run(&mut self, list: &[Filter]) -> Option<(bool, usize)> {
        let run = self.formulas.run(list.first()?)?;
        let holds = self.by_entry(&run.entry, run.entry.truth)?;
        Some((holds != 0, run.count))
    }

    /// Whether all filters of a list match, up to the first that does not.
    pub(crate) fn all_match(&mut self, list: &'a [Filter]) -> Eval<bool> {
        let mut rest = list;
        while let Some((first, others)) = rest.split_first() {
            let (holds, count) = match self.by_run(rest) {
                Some(found) => found,
                None => (self.matches(first)?, 1),
            };
            if !holds {
                return Ok(false);
            }
            rest = match count {
                1 => others,
                _ => &rest[count..],
            };
        }
        Ok(true)
    }

    /// Runs a formula; `None` if it can't be used with the variables as they are, is given up, or the search is to be stopped.
    /// The variable `later` gets its values while it runs.
    #[inline]
    fn run_formula(
        &mut self,
        entry: &Entry,
        later: Option<VariableId>,
        run: impl FnOnce(&mut Runner<'_>) -> u64,
    ) -> Option<u64> {
        let path = self.current_path().map(|path| (path.start, path.count));
        let mut runner = Runner {
            formulas: self.formulas,
            memory: &mut self.tables.formulas,
            orbits: self.orbits,
            game: self.game,
            limits: self.limits,
            node: self.node,
            bound_move: self.state.bound_move,
            path,
            given_up: false,
        };
        if !runner.enter(entry, self.state, later) {
            return None;
        }
        let value = run(&mut runner);
        if runner.given_up {
            return None;
        }
        if entry.has_effects() {
            runner.leave(entry, self.state);
        }
        Some(value)
    }

    /// Evaluates a construct, and takes its comments back if it fails (docs/language/output.md#comments).
    #[inline]
    pub(crate) fn attempt<T: Answer<'g>>(&mut self, construct: impl FnOnce(&mut Self) -> Eval<T>) -> Eval<T> {
        let mark = self.state.log.len();
        let answer = construct(self)?;
        if answer.takes_back() {
            self.state.log.truncate(mark);
        }
        Ok(answer)
    }

    /// `{f1 ... fn}`: the answer of the last filter, if the others match.
    #[inline]
    pub(crate) fn compound<T: Answer<'g>>(&mut self, list: &'a [Filter]) -> Eval<T> {
        let Some((last, before)) = list.split_last() else {
            // CQL 5 has lists without a filter. They are conditions that hold.
            return Ok(T::of_value(Some(Value::Logical(true))));
        };
        self.attempt(|machine| {
            if T::WANT == Want::Truth {
                let holds = machine.all_match(list)?;
                return Ok(if holds {
                    T::of_value(Some(Value::Logical(true)))
                } else {
                    T::failure()
                });
            }
            match machine.all_match(before)? {
                true => T::of(machine, last),
                false => Ok(T::failure()),
            }
        })
    }

    /// `if C then T else E`. The comments of the test stay (docs/language/output.md#comments).
    pub(crate) fn conditional<T: Answer<'g>>(
        &mut self,
        condition: &'a Filter,
        then: &'a Filter,
        otherwise: Option<&'a Filter>,
    ) -> Eval<T> {
        if self.matches(condition)? {
            return T::of(self, then);
        }
        match otherwise {
            Some(otherwise) => T::of(self, otherwise),
            None => Ok(T::without_else()),
        }
    }

    /// A function's body with its arguments; it fails if an argument has no value.
    pub(crate) fn call<T: Answer<'g>>(&mut self, arguments: &'a [(VariableId, Filter)], body: &'a Filter) -> Eval<T> {
        for (variable, argument) in arguments {
            let Some(value) = self.value(argument)? else {
                return Ok(T::failure());
            };
            self.set_variable(*variable, Some(value));
        }
        T::of(self, body)
    }

    /// `P : F`
    pub(crate) fn at_place<T: Answer<'g>>(&mut self, place: &'a Filter, inner: &'a Filter) -> Eval<T> {
        match self.position(place)? {
            Some(node) => self.elsewhere(node, |machine| T::of(machine, inner)),
            None => Ok(T::failure()),
        }
    }

    /// `A--B (F)`
    pub(crate) fn answer_of_dash<T: Answer<'g>>(&mut self, dash: &'a Dash) -> Eval<T> {
        Ok(T::of_value(self.dash(dash, T::WANT)?))
    }

    /// `currentmove A--B (F)`
    pub(crate) fn answer_of_current_move<T: Answer<'g>>(&mut self, dash: &'a Dash) -> Eval<T> {
        Ok(T::of_value(self.current_move(dash, T::WANT)?))
    }

    /// `D[k]`
    pub(crate) fn answer_of_entry<T: Answer<'g>>(&mut self, dictionary: DictionaryId, key: &'a Filter) -> Eval<T> {
        Ok(T::of_value(self.dictionary_get(dictionary, key)?))
    }

    /// `sort F`: keeps the key, if there is one, with the comments that were made on the way
    /// (docs/language/output.md#comments).
    pub(crate) fn sorted<T: Answer<'g>>(
        &mut self,
        id: SortId,
        order: SortOrder,
        argument: &'a Filter,
        key: impl FnOnce(&T) -> Option<Value>,
    ) -> Eval<T> {
        let mark = self.state.log.len();
        let answer = T::of(self, argument)?;
        if let Some(key) = key(&answer) {
            self.record_sort(id, order, key, mark);
        }
        Ok(answer)
    }

    /// `max (a b ...)`, `min (a b ...)`: of the arguments that have a value, the first one of equals. Comments of arguments
    /// that another one surpasses are taken back.
    pub(crate) fn extremum<T: PartialOrd>(&mut self, largest: bool, arguments: &'a [Filter]) -> Eval<Option<T>>
    where
        Option<T>: Answer<'g>,
    {
        let start = self.state.log.len();
        let mut best: Option<T> = None;
        for argument in arguments {
            let mark = self.state.log.len();
            if let Some(value) = Answer::of(self, argument)? {
                let better = |best: &T| if largest { value > *best } else { value < *best };
                if best.as_ref().is_none_or(better) {
                    best = Some(value);
                    self.state.log.drain(start..mark);
                } else if best.as_ref() != Some(&value) {
                    self.state.log.truncate(mark);
                }
            }
        }
        Ok(best)
    }
}
