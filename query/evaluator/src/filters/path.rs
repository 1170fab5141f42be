//! `path`: a chain of moves and what holds between them (docs/language/sequences.md#path).

mod comments;
mod focus;
mod outline;
mod straight;

use language::hir::{Dash, Path};
use language::span::Span;
use shakmaty::Bitboard;

pub(crate) use self::focus::{Focused, next_move};
use crate::error::Eval;
use crate::formula::number;
use crate::machine::Machine;
use crate::sequence::{Begin, Choice, Memory, Op, Place, Program};
use crate::state::{LogEntry, PathState};
use crate::value::Value;

/// A match.
struct Match {
    /// Its rank among the matches: the number of its moves in focus, or the value of `max`.
    value: i32,
    /// How many moves in focus it has.
    count: i32,
    end: u32,
    /// The comments that were made on the way.
    log: Vec<LogEntry>,
}

/// One search for matches of a path from one position.
struct Search<'s, 'a, 'g> {
    machine: &'s mut Machine<'a, 'g>,
    path: &'a Path,
    span: Span,
    program: &'s Program<'a>,
    memory: Box<Memory>,
    start: u32,
    /// The pieces in focus, if not every move is.
    focused: Option<Focused>,
    /// How many comments there were before.
    mark: usize,
    /// The variables that are restored when the search backs up.
    atomic: Vec<usize>,
    /// A buffer for the values to restore.
    values: Vec<Option<Value>>,
    /// The best matches; one, unless all are to be kept.
    best: Vec<Match>,
    /// The values of the atomic variables at the end of the first best match.
    best_values: Vec<Option<Value>>,
    /// Whether from each position one move goes on at most, and nothing is taken back behind it.
    is_straight: bool,
}

impl<'a, 'g> Machine<'a, 'g> {
    /// The value of the best match that starts here, and its last position. A path that fails takes the comments of its
    /// parameters back, too.
    pub(crate) fn path(&mut self, path: &'a Path, span: Span) -> Eval<Option<(i32, u32)>> {
        let mark = self.state.log.len();
        let found = self.best_path(path, span)?;
        if found.is_none() {
            self.state.log.truncate(mark);
        }
        Ok(found)
    }

    fn best_path(&mut self, path: &'a Path, span: Span) -> Eval<Option<(i32, u32)>> {
        let start = self.node;
        if path.nestban && self.state.is_banned(path.id, start) {
            return Ok(None);
        }
        let focused = self.focused(path)?;
        // This excludes most positions, before anything is evaluated.
        if let Some(outline) = self.guards.outline(path)
            && !self.may_follow(outline, focused)
        {
            return Ok(None);
        }
        let program = self.programs.of_sequence(path.id);
        // This excludes many more.
        if let Some(first) = program.first
            && !self.matches(first)?
        {
            return Ok(None);
        }
        // So do these, before any state is built.
        if let Some(begin) = program.begins
            && !self.may_begin(path, begin, focused, span)?
        {
            return Ok(None);
        }
        if !self.allows_focus(path, focused) || !self.has_needed_moves(self.guards.needed_moves(path)) {
            return Ok(None);
        }
        if let Some(entry) = self.formulas.path(path)
            && let Some(value) = self.by_entry(entry, entry.value)
        {
            // Its last position is not asked for.
            return Ok(number(value).map(|value| (value, start)));
        }
        if program.is_straight() && !self.has_atomic && !self.game.has_variations() {
            return match self.follow_straight(path, program, focused, span)? {
                Some(found) if self.within_range(found.value, path.range.as_ref(), span)?.is_some() => {
                    self.keep_matches(path, focused.as_ref(), start, vec![found])
                }
                _ => Ok(None),
            };
        }
        let mut memory = self.tables.take_memory();
        // Two visits of a state are enough to find out that there is another best match.
        let entries = if path.keep_all_best { 2 } else { 1 };
        memory.prepare(program, start, self.game.last_descendant(start), entries);
        let atomic = if self.has_atomic {
            let variables = self.query.variables.iter().enumerate();
            variables
                .filter(|(_, variable)| variable.atomic)
                .map(|(i, _)| i)
                .collect()
        } else {
            Vec::new()
        };
        let mark = self.state.log.len();
        self.state.paths.push(PathState {
            start,
            count: 0,
            last: None,
        });
        let is_straight = atomic.is_empty() && !self.game.has_variations() && !self.notes_comments();
        let mut search = Search {
            is_straight,
            machine: self,
            path,
            span,
            program,
            memory,
            start,
            focused,
            mark,
            values: vec![None; atomic.len()],
            atomic,
            best: Vec::new(),
            best_values: Vec::new(),
        };
        let before: Vec<Option<Value>> = search.atomic_values().collect();
        search.run()?;
        let Search {
            memory,
            best,
            best_values,
            focused,
            atomic,
            ..
        } = search;
        self.tables.keep_memory(memory);
        self.state.paths.pop();
        self.state.log.truncate(mark);
        let matched = match best.first() {
            Some(first) => self.within_range(first.value, path.range.as_ref(), span)?.is_some(),
            None => false,
        };
        for (variable, value) in atomic.into_iter().zip(if matched { best_values } else { before }) {
            self.state.variables[variable] = value;
        }
        if !matched {
            return Ok(None);
        }
        self.keep_matches(path, focused.as_ref(), start, best)
    }

    /// Leaves what the best matches leave behind. Gives the value of the first one, and its last position.
    fn keep_matches(
        &mut self,
        path: &'a Path,
        focused: Option<&Focused>,
        start: u32,
        best: Vec<Match>,
    ) -> Eval<Option<(i32, u32)>> {
        let Some(&Match { value, count, end, .. }) = best.first() else {
            return Ok(None);
        };
        self.state.last_path = Some(PathState {
            start,
            count,
            last: Some(end),
        });
        if path.nestban {
            let nodes: Vec<u32> = self.positions_between(start, end).skip(1).collect();
            self.state.ban(path.id, nodes);
        }
        // As CQL 6.2 has it: what the filters of the matches noted comes first, that of the last match foremost.
        for found in best.iter().rev() {
            self.state.log.extend_from_slice(&found.log);
        }
        for (index, mut found) in best.into_iter().enumerate() {
            // With `max`, CQL prints the length of the first best match for all of them.
            found.count = count;
            self.describe(path, focused, start, &found, index > 0)?;
        }
        Ok(Some((value, end)))
    }

    /// Whether as many moves in focus follow as a path needs.
    fn allows_focus(&self, path: &Path, focused: Option<Focused>) -> bool {
        let fewest = self.guards.fewest_moves(path);
        match focused {
            Some(focused) if fewest > 1 => focused.has_moves(self.game, self.node, fewest),
            _ => true,
        }
    }

    /// Whether the first dash accepts a move in focus from here: its operands, and its targets if these are plain.
    fn may_begin(&mut self, path: &'a Path, begin: Begin<'a>, focused: Option<Focused>, span: Span) -> Eval<bool> {
        self.step(span)?;
        let Begin {
            dash,
            has_plain_targets,
        } = begin;
        let (game, head) = (self.game, self.node);
        let mut operands = None;
        for child in game.children(head) {
            if path.primary && game.is_secondary(child) || focused.is_some_and(|focused| !focused.holds(game, child)) {
                continue;
            }
            let operands = match operands {
                Some(operands) => operands,
                None => *operands.insert(self.operands(dash)?),
            };
            if self.may_accept(dash, operands, child)? && (!has_plain_targets || self.may_arrive(dash, child)?) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether the targets of a dash match after the move to a child; true if it castles, as the targets may see the
    /// squares of the king or those of the rook.
    fn may_arrive(&mut self, dash: &'a Dash, child: u32) -> Eval<bool> {
        match self.game.edge(child) {
            Some(edge) if edge.packed.kind() != chess::MoveKind::Castle => {
                self.targets_match_after(dash, child, (edge.from, edge.to))
            }
            _ => Ok(true),
        }
    }

    /// Whether the targets of a dash match after a move that it accepts with these from- and to-squares.
    fn targets_match_after(&mut self, dash: &'a Dash, child: u32, (from, to): (Bitboard, Bitboard)) -> Eval<bool> {
        let outer = self.state.chosen_edge.replace((child, from, to));
        let matched = self.targets_match(dash, child);
        self.state.chosen_edge = outer;
        matched
    }

    /// The innermost path that is being matched, else the last one that matched in this game.
    pub(crate) fn current_path(&self) -> Option<PathState> {
        self.state.paths.last().copied().or(self.state.last_path)
    }

    /// The positions from the deeper one of two up to the other one.
    pub(crate) fn positions_between(&self, a: u32, b: u32) -> impl Iterator<Item = u32> + use<'g> {
        let game = self.game;
        let (top, bottom) = (a.min(b), a.max(b));
        let mut next = Some(bottom);
        std::iter::from_fn(move || {
            let node = next?;
            next = if node == top { None } else { game.parent(node) };
            Some(node)
        })
    }
}

impl<'a> Search<'_, 'a, '_> {
    fn run(&mut self) -> Eval<()> {
        self.push_done(0);
        // Its first condition was tested already.
        let begin = usize::from(self.program.first.is_some());
        note(&mut self.memory, begin, Place::Here(self.start), 0);
        while let Some(choice) = self.memory.pop(&mut self.values) {
            if let Some(log) = choice.log {
                self.machine.state.log.truncate(log);
                self.restore_values();
            }
            if choice.place == Place::Done {
                continue;
            }
            if !self.path.first_match || self.best.is_empty() {
                self.follow(choice)?;
            } else if self.program.pure {
                break;
            } else {
                self.look(choice)?;
            }
        }
        Ok(())
    }

    /// Tests a move after the path was found: with `firstmatch`, CQL stops only after it has tested the other moves from
    /// every position on the way, and a test can have an effect.
    fn look(&mut self, choice: Choice) -> Eval<()> {
        let Choice { pc, place, count, .. } = choice;
        let (Place::Toward(head, child), &Op::Move(dash)) = (place, &self.program.ops[pc]) else {
            return Ok(());
        };
        let holds = |focused: &Focused| focused.holds(self.machine.game, child);
        if self.focused.as_ref().is_none_or(holds) {
            self.machine.makes(dash, head, child, count, self.focused.as_ref())?;
        } else if head != self.start {
            self.push_moves(pc, child, count);
        }
        Ok(())
    }

    fn restore_values(&mut self) {
        for (&variable, value) in self.atomic.iter().zip(&mut self.values) {
            self.machine.state.variables[variable] = value.take();
        }
    }

    fn atomic_values(&self) -> impl Iterator<Item = Option<Value>> {
        self.atomic
            .iter()
            .map(|&variable| self.machine.state.variables[variable].clone())
    }

    /// Notes a move to try.
    fn push_move(&mut self, pc: usize, head: u32, child: u32, count: i32) {
        let log = Some(self.machine.state.log.len());
        let choice = Choice {
            pc,
            place: Place::Toward(head, child),
            count,
            log,
        };
        self.remember(choice);
    }

    /// Records the state before moves are tried, to restore it afterwards.
    fn push_done(&mut self, count: i32) {
        let log = Some(self.machine.state.log.len());
        let choice = Choice {
            pc: 0,
            place: Place::Done,
            count,
            log,
        };
        self.remember(choice);
    }

    /// Puts a choice on the stack, with the values of the variables that are restored.
    fn remember(&mut self, choice: Choice) {
        let Search {
            memory,
            machine,
            atomic,
            ..
        } = self;
        memory.push(
            choice,
            atomic.iter().map(|&variable| machine.state.variables[variable].clone()),
        );
    }

    /// Runs the program until it fails, succeeds, or has to choose between moves.
    fn follow(&mut self, choice: Choice) -> Eval<()> {
        let program = self.program;
        // With `keepallbest`, ways to the same end are different matches.
        let alike = program.pure && !self.path.keep_all_best;
        let Choice {
            mut pc,
            mut place,
            mut count,
            ..
        } = choice;
        loop {
            self.machine.step(self.span)?;
            match program.ops[pc] {
                Op::Test { filter, .. } => {
                    let node = node_of(place);
                    if !self.memory.enter(program, pc, node) {
                        return Ok(());
                    }
                    self.machine.set_count(count);
                    if !self.machine.at(node, |machine| machine.matches(filter))? {
                        return Ok(());
                    }
                    pc += 1;
                }
                Op::Move(dash) => match place {
                    Place::Here(node) => {
                        if !self.memory.enter(program, pc, node) {
                            return Ok(());
                        }
                        if !self.is_straight {
                            self.push_moves(pc, node, count);
                            return Ok(());
                        }
                        match next_move(self.machine.game, self.focused, self.start, node) {
                            Some(child) => place = Place::Toward(child - 1, child),
                            None => return Ok(()),
                        }
                    }
                    Place::Toward(head, child) => {
                        if self
                            .focused
                            .as_ref()
                            .is_some_and(|focused| !focused.holds(self.machine.game, child))
                        {
                            // The first move has to be in focus; before later ones, other moves are skipped.
                            if head != self.start {
                                self.push_moves(pc, child, count);
                            }
                            return Ok(());
                        }
                        if !self.machine.makes(dash, head, child, count, self.focused.as_ref())? {
                            return Ok(());
                        }
                        count += 1;
                        place = Place::Here(child);
                        self.memory.advance();
                        pc += 1;
                    }
                    other => unreachable!("a path is never {other:?}"),
                },
                Op::Jump(jump) => {
                    let choose = |memory: &mut Memory, pc| note(memory, pc, place, count);
                    match self.memory.jump(jump, pc, alike, choose) {
                        Some(next) => pc = next,
                        None => return Ok(()),
                    }
                }
                Op::Accept => return self.accept(node_of(place), count),
            }
        }
    }

    /// Notes the moves from a position as choices.
    fn push_moves(&mut self, pc: usize, mut node: u32, count: i32) {
        let game = self.machine.game;
        // Where there is no other way, moves that are out of focus are passed over.
        if let Some(focused) = self.focused
            && node != self.start
            && !game.has_variations()
        {
            let last = game.last_node();
            node = focused.next(game, node + 1, last).map_or(last, |child| child - 1);
        }
        self.push_done(count);
        let depth = self.memory.depth();
        for child in game.children(node) {
            if !self.path.primary || !game.is_secondary(child) {
                self.push_move(pc, node, child, count);
            }
        }
        self.memory.reverse_above(depth);
    }

    fn accept(&mut self, end: u32, count: i32) -> Eval<()> {
        if count == 0 {
            return Ok(());
        }
        let value = match &self.path.max {
            None => Some(count),
            Some(max) => {
                self.machine.set_count(count);
                self.machine.at(end, |machine| machine.number(max))?
            }
        };
        let Some(value) = value else { return Ok(()) };
        let best = self.best.first().map(|best| best.value);
        let better = best.is_none_or(|best| value > best);
        let equal = best == Some(value) && self.path.keep_all_best;
        if !better && !equal {
            return Ok(());
        }
        if better {
            self.best.clear();
            let variables = &self.machine.state.variables;
            self.best_values = self
                .atomic
                .iter()
                .map(|&variable| variables[variable].clone())
                .collect();
            if let Some(current) = self.machine.state.paths.last_mut() {
                current.last = Some(end);
            }
        }
        let found = Match {
            value,
            count,
            end,
            log: self.machine.state.log[self.mark..].to_vec(),
        };
        // A second match with the same end and comments is printed as an alternative; a third adds nothing.
        if better
            || self
                .best
                .iter()
                .filter(|best| best.end == end && best.log == found.log)
                .count()
                < 2
        {
            self.best.push(found);
        }
        Ok(())
    }
}

impl<'a> Machine<'a, '_> {
    /// Notes how many moves in focus the path that is being matched has so far.
    fn set_count(&mut self, count: i32) {
        if let Some(current) = self.state.paths.last_mut() {
            current.count = count;
        }
    }

    /// Whether a dash accepts a move: its operands before it, with `count` moves in focus, its targets after it.
    fn makes(&mut self, dash: &'a Dash, head: u32, child: u32, count: i32, focused: Option<&Focused>) -> Eval<bool> {
        self.set_count(count);
        let focus = focused.and_then(|focused| focused.castling(self.game, head, child));
        let Some(edge) = self.game.edge(child) else {
            return Ok(false);
        };
        let chosen = self.at(head, |machine| {
            if edge.packed.kind() != chess::MoveKind::Castle {
                return Ok(machine.edge_matches(dash, child, None)?.then_some((edge.from, edge.to)));
            }
            machine.castling_squares(dash, child, focus)
        })?;
        let Some(squares) = chosen else { return Ok(false) };
        self.set_count(count + 1);
        self.targets_match_after(dash, child, squares)
    }

    /// The squares of a castling move that a dash accepts: those of the king, of the rook, or both.
    fn castling_squares(
        &mut self,
        dash: &'a Dash,
        child: u32,
        focus: Option<(Bitboard, Bitboard)>,
    ) -> Eval<Option<(Bitboard, Bitboard)>> {
        let Some(edge) = self.game.edge(child) else {
            return Ok(None);
        };
        let (king, rook) = (edge.packed.from(), edge.packed.to());
        let (king_to, rook_to) = chess::castling_targets(king, rook);
        let mut chosen = (Bitboard::EMPTY, Bitboard::EMPTY);
        for (from, to) in [(king, king_to), (rook, rook_to)] {
            let half = (Bitboard::from_square(from), Bitboard::from_square(to));
            let focused = focus.is_none_or(|(focus_from, _)| focus_from.contains(from));
            if focused && self.edge_matches(dash, child, Some(half))? {
                chosen.0.add(from);
                chosen.1.add(to);
            }
        }
        Ok(chosen.0.any().then_some(chosen))
    }
}

/// Notes another way to continue from a position. What was done there is kept: CQL 6.2 takes comments and atomic variables
/// back only when it backs up over a move.
fn note(memory: &mut Memory, pc: usize, place: Place, count: i32) {
    let choice = Choice {
        pc,
        place,
        count,
        log: None,
    };
    memory.push(choice, []);
}

/// The position that a path has reached.
fn node_of(place: Place) -> u32 {
    match place {
        Place::Here(node) => node,
        other => unreachable!("a path is never {other:?}"),
    }
}
