//! What a `line` asks of the moves of one or two pieces: its constituents that say which piece moves, and those that say that
//! none of them does.
//!
//! A line says something of every position on its way, a maneuver only of the moves of its men. How many other moves lie
//! between them is left out.

use language::hir::{Constituent, Filter, Line, LineArrow, ManSet, MoveFilter, MoveValue, Node, Repeat, VariableId};
use shakmaty::{Bitboard, Color};

use super::builder::{Builder, Keeper};
use super::{Lowering, Sequence};
use crate::expr::{Action, Candidates, Check, MOST_MEN, MovePattern, Spot};
use crate::lower::from_to::Reach;
use crate::lower::possible_moves::asks_only_from;

/// What lists say of a line whose pieces are followed may cost this much, in plane operations for a block.
const BESIDE_A_MANEUVER: f64 = 1_000.0;

impl<'q> Lowering<'q> {
    /// Where a line can begin whose constituents can follow, as lists say.
    pub(in crate::lower) fn with_maneuver(&mut self, line: &'q Line, by_lists: Candidates) -> Candidates {
        match self.maneuver_of_line(line) {
            Some(maneuver) => {
                let cheap = Candidates::at_most(by_lists.truth.reduced(BESIDE_A_MANEUVER));
                Candidates::both(cheap, maneuver)
            }
            None => by_lists,
        }
    }

    /// Where the pieces of a line can make the moves that it asks for; `None` if nothing is known of that.
    fn maneuver_of_line(&mut self, line: &'q Line) -> Option<Candidates> {
        if !self.follows_men || line.arrow != LineArrow::Forward {
            return None;
        }
        let mut builder = Builder::new(self, self.scope.frame);
        builder.sequence = Some(Sequence::Line(line));
        builder.castling_counts = false;
        let mut movers = Vec::new();
        builder.movers(&line.constituents, &mut movers);
        // Moves of the other side are passed over, and one of the pieces might make them.
        let most = if line.single_color { 1 } else { MOST_MEN };
        for &mover in movers.iter().take(most) {
            if Sequence::Line(line).gives_value_to(mover) > 0 {
                return None;
            }
            builder.add_piece(mover)?;
        }
        let first = match line.constituents.first()? {
            Constituent::Filter {
                filter,
                repeat: Repeat::ONCE,
            } => builder.mover(builder.needed_move(filter)?)?,
            _ => return None,
        };
        builder.begin_with(Some(first))?;
        let (begin, rest) = line.constituents.split_at(1);
        builder.constituents(begin)?;
        builder.crossed_squares(line);
        builder.constituents(rest)?;
        builder.leave_out_last();
        if builder.pieces.len() > 1 && !builder.has_joined {
            return None;
        }
        let mut spots: Vec<VariableId> = builder.variables().collect();
        spots.extend(builder.pieces.iter().map(|(piece, _)| *piece));
        let found = builder.finish(false);
        if found.is_some() {
            self.spots.extend(spots);
        }
        found
    }
}

impl<'q> Builder<'_, 'q> {
    /// The variables of the pieces that move, in order.
    fn movers(&self, list: &'q [Constituent], found: &mut Vec<VariableId>) {
        for constituent in list {
            match constituent {
                Constituent::Filter { filter, .. } => {
                    let mover = self.needed_move(filter).and_then(|m| self.mover(m));
                    found.extend(mover.filter(|mover| !found.contains(mover)));
                }
                Constituent::Group { constituents, .. } => self.movers(constituents, found),
            }
        }
    }

    /// A move of one piece that is made where a filter matches.
    fn needed_move(&self, filter: &'q Filter) -> Option<&'q MoveFilter> {
        match &filter.node {
            Node::Move(m) if is_of_game(m) && self.mover(m).is_some() => Some(m),
            Node::Compound(list) => list.iter().find_map(|part| self.needed_move(part)),
            Node::And(a, b) => self.needed_move(a).or_else(|| self.needed_move(b)),
            Node::Call { body: inner, .. } | Node::NoTransform(inner) => self.needed_move(inner),
            _ => None,
        }
    }

    fn mover(&self, m: &MoveFilter) -> Option<VariableId> {
        self.lowering.piece_variable(m.from.as_ref()?)
    }

    fn constituents(&mut self, list: &'q [Constituent]) -> Option<()> {
        for constituent in list {
            match constituent {
                Constituent::Filter { filter, repeat } => {
                    let turn = match *repeat {
                        Repeat::ONCE => self.turn_after(filter),
                        _ => None,
                    };
                    self.constituent(filter, *repeat)?;
                    self.turn = turn;
                }
                Constituent::Group { constituents, repeat } if *repeat == Repeat::ONCE => {
                    self.constituents(constituents)?;
                }
                Constituent::Group { constituents, repeat } => {
                    self.turn = None;
                    match constituents.iter().any(|part| self.certainly_moves(part)) {
                        true => self.repeated(*repeat, |builder| builder.constituents(constituents))?,
                        false => self.any_moves()?,
                    }
                    self.turn = None;
                }
            }
        }
        self.is_short()
    }

    fn constituent(&mut self, filter: &'q Filter, repeat: Repeat) -> Option<()> {
        if self.moving_piece(filter).is_some() {
            return match repeat {
                Repeat::ONCE => self.move_of(filter),
                repeat => self.repeated(repeat, |builder| builder.move_of(filter)),
            };
        }
        if repeat == Repeat::ONCE {
            self.test(filter);
        }
        let still = self.that_stay(filter);
        if (0..self.pieces.len()).all(|piece| still >> piece & 1 != 0) {
            return Some(());
        }
        match repeat {
            // The other side moves.
            Repeat::ONCE if self.turn.is_some_and(|turn| !self.has_men_of(turn)) => {}
            Repeat::ONCE => self.optional_move(),
            _ => self.any_moves()?,
        }
        Some(())
    }

    fn has_men_of(&self, color: Color) -> bool {
        let mut men = self.pieces.iter().flat_map(|(_, men)| men.iter());
        men.any(|man| man.color() == Some(color))
    }

    /// Whose turn it is behind a constituent, if that is known.
    fn turn_after(&self, filter: &'q Filter) -> Option<Color> {
        if matches!(self.sequence, Some(Sequence::Line(line)) if line.single_color) {
            return None;
        }
        let turn = match self.moving_piece(filter) {
            Some(piece) => {
                let men = self.pieces[piece].1;
                Color::ALL
                    .into_iter()
                    .find(|color| men.iter().all(|man| man.color() == Some(*color)))
            }
            None => self.turn,
        };
        turn.map(|color| !color)
    }

    /// The squares of loops around the line that the first move crosses: `square S in between (X move to . from X)`.
    fn crossed_squares(&mut self, line: &'q Line) {
        let lowering = self.lowering;
        if lowering.filters_giving(Keeper::Variable(self.pieces[0].0)) > 1 {
            return;
        }
        let mut crossed = Vec::new();
        lowering.query.body.any(&mut |part| {
            if let Node::SquareLoop { variable, domain, .. } = &part.node
                && self.is_crossed(domain)
                && lowering.scope.is_set_in(self.start, *variable)
                && Sequence::Line(line).gives_value_to(*variable) == 0
            {
                crossed.push(*variable);
            }
            false
        });
        for variable in crossed {
            if lowering.is_one_square(variable)
                && let Some(number) = self.variable(variable)
            {
                let spots = vec![Spot::First(0), Spot::Variable(number), Spot::Now(0)];
                self.actions.push(Action::Test(Check::Line(spots)));
                self.asks_more = true;
            }
        }
    }

    /// Whether a set lies between the square of the first piece and where its next move goes.
    fn is_crossed(&self, set: &Filter) -> bool {
        let first = |set: &Filter| self.lowering.piece_variable(set) == Some(self.pieces[0].0);
        let target = |set: &Filter| match &set.node {
            Node::Move(m) => m.value == MoveValue::To && is_of_game(m) && m.from.as_ref().is_some_and(first),
            _ => false,
        };
        match &set.node {
            Node::Between(a, b) => first(a) && target(b) || target(a) && first(b),
            Node::Intersection(parts) => parts.iter().any(|part| self.is_crossed(part)),
            Node::NoTransform(inner) => self.is_crossed(inner),
            _ => false,
        }
    }

    /// The piece of the maneuver that moves where a filter matches.
    fn moving_piece(&self, filter: &'q Filter) -> Option<usize> {
        let mover = self.mover(self.needed_move(filter)?)?;
        self.pieces.iter().position(|(piece, _)| *piece == mover)
    }

    fn certainly_moves(&self, constituent: &'q Constituent) -> bool {
        match constituent {
            Constituent::Filter { filter, repeat } => repeat.min > 0 && self.moving_piece(filter).is_some(),
            Constituent::Group { constituents, repeat } => {
                repeat.min > 0 && constituents.iter().any(|part| self.certainly_moves(part))
            }
        }
    }

    /// The conditions of a filter on the position before a move, and the move.
    fn move_of(&mut self, filter: &'q Filter) -> Option<()> {
        let m = self.needed_move(filter)?;
        let (mover, man) = (self.mover(m)?, self.moving_piece(filter)?);
        self.test(filter);
        let to = m.to.as_ref().and_then(|to| self.spot(to));
        let mut pattern = MovePattern::of(ManSet::WHITE | ManSet::BLACK);
        if to.is_none()
            && let Some(target) = &m.to
        {
            match Reach::of(Some(mover), Some(target)) {
                Some(reach) => pattern.reach = Some(reach.by_origin()),
                None => pattern.to = Reach::fixed(mover, target),
            }
        }
        self.asks_more |= to.is_some() || pattern.reach.is_some() || pattern.to != Bitboard::FULL;
        self.makes(Some(man), pattern, to);
        Some(())
    }

    /// The pieces that do not move where a filter matches, a bit for each.
    fn that_stay(&self, filter: &'q Filter) -> u32 {
        match &filter.node {
            Node::Not(inner) => match &inner.node {
                Node::Move(m) if is_of_game(m) && asks_only_from(m) => self.pieces_in(m.from.as_ref()),
                _ => 0,
            },
            Node::Move(m) if is_of_game(m) => match m.from.as_ref().map(|from| &from.node) {
                Some(Node::Complement(inner)) => self.pieces_in(Some(inner)),
                _ => 0,
            },
            Node::Compound(list) => list.iter().fold(0, |all, part| all | self.that_stay(part)),
            Node::And(a, b) => self.that_stay(a) | self.that_stay(b),
            Node::Call { body: inner, .. } | Node::NoTransform(inner) => self.that_stay(inner),
            _ => 0,
        }
    }

    /// The pieces whose squares a set has certainly, a bit for each.
    fn pieces_in(&self, set: Option<&Filter>) -> u32 {
        let Some(set) = set else { return u32::MAX };
        match &set.node {
            Node::Union(parts) => parts.iter().fold(0, |all, part| all | self.pieces_in(Some(part))),
            Node::NoTransform(inner) => self.pieces_in(Some(inner)),
            _ => match self.lowering.piece_variable(set) {
                Some(variable) => (0..)
                    .zip(&self.pieces)
                    .filter(|(_, (piece, _))| *piece == variable)
                    .fold(0, |all, (number, _)| all | 1 << number),
                None => 0,
            },
        }
    }

    /// Leaves out that a piece may move behind all that is asked.
    fn leave_out_last(&mut self) {
        let end = self.actions.len();
        if let [
            ..,
            Action::Either(a, b),
            Action::Move {
                man: None, to: None, ..
            },
        ] = self.actions[..]
            && a.max(b) == end
        {
            self.actions.truncate(end - 2);
        }
    }

    /// One of the pieces may move.
    fn optional_move(&mut self) {
        self.join();
        let branch = self.branch();
        self.any_move();
        self.leads_here(branch);
    }

    /// The pieces may move any number of times.
    fn any_moves(&mut self) -> Option<()> {
        self.repeated(Repeat { min: 0, max: None }, |builder| {
            builder.any_move();
            Some(())
        })
    }

    /// One of the pieces moves.
    fn any_move(&mut self) {
        self.makes(None, MovePattern::of(ManSet::WHITE | ManSet::BLACK), None);
    }
}

/// Whether the move is the next one of the game.
fn is_of_game(m: &MoveFilter) -> bool {
    !m.previous && m.legality.is_none() && m.value != MoveValue::Count
}
