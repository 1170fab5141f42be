//! Filters about the moves of the game and about possible moves (docs/language/moves.md).

use chess::MoveKind;
use language::hir::{CastleSide, Dash, Filter, Kind, Legality, MoveFilter, MoveValue, Node, Promotion};
use language::span::Span;
use shakmaty::{Bitboard, File, Role, Square};

use crate::answer::Want;
use crate::error::Eval;
use crate::game::{Edge, Manner, Moves};
use crate::machine::Machine;
use crate::state::CommentSource;
use crate::value::{Value, square_count};

/// The operands of a dash, evaluated at the head of the move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Operands {
    from: Bitboard,
    to: Bitboard,
}

impl<'a> Machine<'a, '_> {
    // --- the move just played

    /// From- and to-squares of the last move; inside a target only those that its dash has chosen.
    pub(crate) fn last_move_squares(&self) -> (Bitboard, Bitboard) {
        match self.state.chosen_edge {
            Some((node, from, to)) if node == self.node => (from, to),
            _ => self
                .game
                .edge(self.node)
                .map_or((Bitboard::EMPTY, Bitboard::EMPTY), |edge| (edge.from, edge.to)),
        }
    }

    /// The square of the pawn that the move which led here captured en passant.
    pub(crate) fn last_move_en_passant_square(&self) -> Bitboard {
        let edge = self
            .game
            .edge(self.node)
            .filter(|edge| edge.packed.kind() == MoveKind::EnPassant);
        edge.and_then(|edge| edge.capture)
            .map_or(Bitboard::EMPTY, Bitboard::from_square)
    }

    pub(crate) fn last_move_is_en_passant(&self) -> bool {
        self.game
            .edge(self.node)
            .is_some_and(|edge| edge.packed.kind() == MoveKind::EnPassant)
    }

    pub(crate) fn last_move_castles(&self, side: CastleSide) -> bool {
        self.game.edge(self.node).is_some_and(|edge| edge.castles(side))
    }

    // --- A--B, A[x]B

    /// The first move of the game that the dash accepts; its target's value if one is wanted.
    pub(crate) fn dash(&mut self, dash: &'a Dash, want: Want) -> Eval<Option<Value>> {
        let start = self.state.log.len();
        let mut next = self.game.primary_child(self.node);
        // Where the game ends the operands are not evaluated.
        if next.is_none() && self.game.is_terminal(self.node) {
            return Ok(None);
        }
        let operands = self.operands(dash)?;
        let mark = self.state.log.len();
        let mut variations = self.game.children(self.node).skip(usize::from(next.is_some()));
        while let Some(child) = next.take().or_else(|| variations.next()) {
            if let Some(value) = self.try_edge(dash, operands, child, want)? {
                return Ok(Some(value));
            }
            self.state.log.truncate(mark);
        }
        self.state.log.truncate(start);
        Ok(None)
    }

    /// `currentmove D`: the dash on the move that led here.
    pub(crate) fn current_move(&mut self, dash: &'a Dash, want: Want) -> Eval<Option<Value>> {
        let Some(parent) = self.game.parent(self.node) else {
            return Ok(None);
        };
        let (child, start) = (self.node, self.state.log.len());
        let found = self.at(parent, |machine| {
            let operands = machine.operands(dash)?;
            machine.try_edge(dash, operands, child, want)
        })?;
        if found.is_none() {
            self.state.log.truncate(start);
        }
        Ok(found)
    }

    /// How many moves of the game, or possible moves, the dash accepts. If there are more than `limit`, any number above
    /// `limit` may be given.
    pub(crate) fn count_moves(&mut self, legality: Option<Legality>, dash: &'a Dash, limit: i32) -> Eval<i32> {
        if let Some(legality) = legality {
            let mut count = 0;
            self.visit_legal_dash(legality, dash, |_, to, _| {
                count += square_count(to);
                count <= limit
            })?;
            return Ok(count);
        }
        let start = self.state.log.len();
        if self.game.is_terminal(self.node) {
            return Ok(0);
        }
        let operands = self.operands(dash)?;
        let mut count = 0;
        for child in self.game.children(self.node) {
            let mark = self.state.log.len();
            if self.try_edge(dash, operands, child, Want::Truth)?.is_some() {
                count += 1;
            } else {
                self.state.log.truncate(mark);
            }
        }
        if count == 0 {
            self.state.log.truncate(start);
        }
        Ok(count)
    }

    pub(super) fn operands(&mut self, dash: &'a Dash) -> Eval<Operands> {
        Ok(Operands {
            from: self.set_or(dash.left.as_ref(), Bitboard::FULL)?,
            to: self.set_or(dash.right.as_ref(), Bitboard::FULL)?,
        })
    }

    /// Whether operands of a dash may accept the move to a child: false only if they do not.
    pub(super) fn may_accept(&mut self, dash: &'a Dash, operands: Operands, child: u32) -> Eval<bool> {
        let Some(edge) = self.game.edge(child) else {
            return Ok(false);
        };
        let captured = edge.capture.map_or(Bitboard::EMPTY, Bitboard::from_square);
        let to = if dash.capture { captured } else { edge.to };
        let squares = (edge.from & operands.from).any() && (to & operands.to).any();
        // A castling move is no promotion, whichever of its squares are accepted.
        Ok(squares
            && (edge.packed.kind() == MoveKind::Castle || self.promotion_matches(dash.promotion.as_ref(), &edge)?))
    }

    /// Whether operands and promotion of a dash, evaluated here, accept the move to a child. `focus` restricts the
    /// squares of a castling move to those of the focused piece.
    pub(crate) fn edge_matches(
        &mut self,
        dash: &'a Dash,
        child: u32,
        focus: Option<(Bitboard, Bitboard)>,
    ) -> Eval<bool> {
        let operands = self.operands(dash)?;
        Ok(self.accepts(dash, operands, child, focus)?.is_some())
    }

    /// Whether the targets of a dash match after the move to a child.
    pub(crate) fn targets_match(&mut self, dash: &'a Dash, child: u32) -> Eval<bool> {
        self.at(child, |machine| machine.all_match(&dash.target))
    }

    /// The from- and to-squares of the move to a child that the operands accept; `None` if they do not.
    fn accepts(
        &mut self,
        dash: &'a Dash,
        operands: Operands,
        child: u32,
        focus: Option<(Bitboard, Bitboard)>,
    ) -> Eval<Option<(Bitboard, Bitboard)>> {
        let Some(edge) = self.game.edge(child) else {
            return Ok(None);
        };
        let (from, to) = if dash.capture {
            // A null move is not a capture, although CQL 6.2 treats it as one (docs/language/moves.md#what-a-move-is).
            let captured = edge.capture.map_or(Bitboard::EMPTY, Bitboard::from_square);
            if (captured & operands.to).is_empty() || (edge.from & operands.from).is_empty() {
                return Ok(None);
            }
            (edge.from, edge.to)
        } else {
            match accepted_squares(&edge, operands, focus) {
                Some(squares) => squares,
                None => return Ok(None),
            }
        };
        Ok(self
            .promotion_matches(dash.promotion.as_ref(), &edge)?
            .then_some((from, to)))
    }

    fn promotion_matches(&mut self, promotion: Option<&'a Promotion>, edge: &Edge) -> Eval<bool> {
        let promoted = match edge.packed.kind() {
            MoveKind::Promotion(role) => Some(role),
            _ => None,
        };
        Ok(match promotion {
            None => true,
            Some(Promotion::Roles(men)) => edge.promotes_to(*men),
            Some(Promotion::Text(text)) => {
                let Some(text) = self.text(text)? else { return Ok(false) };
                let any = text.is_empty() || *text == *b".";
                promoted.is_some_and(|role| {
                    any || text
                        .iter()
                        .any(|&letter| Role::from_char(char::from(letter)) == Some(role))
                })
            }
        })
    }

    fn try_edge(&mut self, dash: &'a Dash, operands: Operands, child: u32, want: Want) -> Eval<Option<Value>> {
        let Some((from, to)) = self.accepts(dash, operands, child, None)? else {
            return Ok(None);
        };
        let Some((last, before)) = dash.target.split_last() else {
            return Ok(Some(Value::Logical(true)));
        };
        let outer = self.state.chosen_edge.replace((child, from, to));
        let found = self.at(child, |machine| {
            for target in before {
                if !machine.matches(target)? {
                    return Ok(None);
                }
            }
            if want == Want::Value && last.kind != Kind::Logical {
                return machine.value(last);
            }
            Ok(machine.matches(last)?.then_some(Value::Logical(true)))
        });
        self.state.chosen_edge = outer;
        found
    }

    // --- possible moves

    /// `legal A--B`: the to-squares of the possible moves.
    pub(crate) fn legal_dash(&mut self, legality: Legality, dash: &'a Dash) -> Eval<Bitboard> {
        let mut squares = Bitboard::EMPTY;
        self.visit_legal_dash(legality, dash, |_, to, _| {
            squares |= to;
            true
        })?;
        Ok(squares)
    }

    fn visit_legal_dash(
        &mut self,
        legality: Legality,
        dash: &'a Dash,
        take: impl FnMut(Square, Bitboard, Manner) -> bool,
    ) -> Eval<()> {
        let operands = self.operands(dash)?;
        let mut special = Special::ANY;
        for target in &dash.target {
            special = match &target.node {
                Node::Castle(side) => special.castling(*side),
                Node::EnPassant => special.en_passant(Bitboard::FULL),
                _ => special,
            };
        }
        self.visit_possible(legality, operands, special, take);
        Ok(())
    }

    /// Calls `take` with men and the squares to which they can go, until it gives false.
    fn visit_possible(
        &self,
        legality: Legality,
        operands: Operands,
        special: Special,
        mut take: impl FnMut(Square, Bitboard, Manner) -> bool,
    ) {
        let moves = Moves::new(self.game, self.node, legality);
        moves.visit(operands.from, |from, to, manner| {
            let to = to & operands.to & special.targets(from, to, manner);
            to.is_empty() || take(from, to, manner)
        });
    }

    // --- move

    /// `move` used as a condition.
    pub(crate) fn move_matches(&mut self, m: &'a MoveFilter, _span: Span) -> Eval<bool> {
        match m.value {
            MoveValue::Count => Ok(true),
            _ if m.legality.is_some() => Ok(self.possible(m, |_, _, _| false)?),
            _ => self.edges(m, |_| ()),
        }
    }

    /// `move from ...`: the set that its first parameter names.
    pub(crate) fn move_squares(&mut self, m: &'a MoveFilter, _span: Span) -> Eval<Bitboard> {
        if m.legality.is_some() {
            let mut squares = Bitboard::EMPTY;
            self.possible(m, |from, to, _| {
                squares |= if m.value == MoveValue::From { from.into() } else { to };
                true
            })?;
            return Ok(squares);
        }
        let mut squares = Bitboard::EMPTY;
        self.edges(m, |edge| {
            squares.extend(match m.value {
                MoveValue::From => Some(edge.leader().0),
                MoveValue::Capture => edge.capture,
                _ => Some(edge.leader().1),
            });
        })?;
        Ok(squares)
    }

    /// `move legal count`. If there are more than `limit`, any number above `limit` may be given.
    pub(crate) fn move_count(&mut self, m: &'a MoveFilter, limit: i32) -> Eval<i32> {
        let mut count = 0;
        self.possible(m, |_, to, _| {
            count += square_count(to);
            count <= limit
        })?;
        Ok(count)
    }

    /// Calls `take` with men and the squares to which they can go by the moves that a filter allows, until it gives
    /// false. Says whether there are any.
    fn possible(&mut self, m: &'a MoveFilter, take: impl FnMut(Square, Bitboard, Manner) -> bool) -> Eval<bool> {
        self.possible_among(m, Bitboard::FULL, take)
    }

    /// The same for the moves of some men.
    pub(super) fn possible_among(
        &mut self,
        m: &'a MoveFilter,
        among: Bitboard,
        mut take: impl FnMut(Square, Bitboard, Manner) -> bool,
    ) -> Eval<bool> {
        let operands = Operands {
            from: self.set_or(m.from.as_ref(), Bitboard::FULL)? & among,
            to: self.set_or(m.to.as_ref(), Bitboard::FULL)?,
        };
        let mut special = Special::ANY;
        if m.en_passant {
            special = special.en_passant(Bitboard::FULL);
        }
        if let Some(filter) = &m.en_passant_square {
            special = special.en_passant(self.set(filter)?);
        }
        if let Some(side) = m.castle {
            special = special.castling(side);
        }
        let mut any = false;
        if operands.from.is_empty() {
            return Ok(false);
        }
        self.visit_possible(
            m.legality.unwrap_or(Legality::Legal),
            operands,
            special,
            |from, to, manner| {
                any = true;
                take(from, to, manner)
            },
        );
        Ok(any)
    }

    /// Calls `take` with the moves of the game that satisfy all parameters, and adds the comments of `move comment`. Says
    /// whether there are any.
    fn edges(&mut self, m: &'a MoveFilter, mut take: impl FnMut(&Edge)) -> Eval<bool> {
        if m.previous {
            return match self.game.parent(self.node) {
                Some(parent) => self.take_edge(m, parent, self.node, &mut take),
                None => Ok(false),
            };
        }
        let head = self.node;
        if let Some((_, child)) = self.state.bound_move.filter(|&(bound, _)| bound == head) {
            return self.take_edge(m, head, child, &mut take);
        }
        let mut any = false;
        let game = self.game;
        for child in game.children(head) {
            any |= self.take_edge(m, head, child, &mut take)?;
        }
        Ok(any)
    }

    fn take_edge(&mut self, m: &'a MoveFilter, head: u32, child: u32, take: &mut impl FnMut(&Edge)) -> Eval<bool> {
        let Some(edge) = self.game.edge(child) else {
            return Ok(false);
        };
        if !self.at(head, |machine| machine.satisfies(m, &edge, child))? {
            return Ok(false);
        }
        take(&edge);
        if let Some(parts) = &m.comment {
            let text = self.at(child, |machine| machine.concatenate(parts))?;
            self.comment(child, text, CommentSource::User);
        }
        Ok(true)
    }

    pub(super) fn satisfies(&mut self, m: &'a MoveFilter, edge: &Edge, child: u32) -> Eval<bool> {
        let kind = edge.packed.kind();
        let (from, to) = edge.leader();
        let is_en_passant = kind == MoveKind::EnPassant;
        let plain = m.primary.is_none_or(|primary| self.game.is_secondary(child) != primary)
            && (!m.en_passant || is_en_passant)
            && (!m.null || edge.is_null())
            && m.castle.is_none_or(|side| edge.castles(side))
            && m.promote.is_none_or(|men| edge.promotes_to(men));
        let captured = edge.capture;
        let conditions: [(&Option<Filter>, Option<Square>); 4] = [
            (&m.from, Some(from)),
            (&m.to, Some(to)),
            (&m.capture, captured),
            (&m.en_passant_square, captured.filter(|_| is_en_passant)),
        ];
        // All of them are evaluated that may leave something.
        let mut holds = plain;
        for (filter, square) in conditions {
            if let Some(filter) = filter {
                if !holds && self.guards.may_skip_parameter(filter) {
                    continue;
                }
                let set = self.set(filter)?;
                holds &= square.is_some_and(|square| set.contains(square));
            }
        }
        Ok(holds)
    }
}

/// Which special moves are wanted: castling, en passant.
#[derive(Clone, Copy, Debug)]
struct Special {
    /// Whether all other moves are, too.
    plain: bool,
    /// The squares of pawns that may be captured en passant.
    captured: Bitboard,
    /// The squares to which the king may castle.
    castled: Bitboard,
}

impl Special {
    const ANY: Special = Special {
        plain: true,
        captured: Bitboard::FULL,
        castled: Bitboard::FULL,
    };

    fn castling(self, side: CastleSide) -> Special {
        let squares = match side {
            CastleSide::Any => Bitboard::FULL,
            CastleSide::King => Bitboard::from_file(File::G),
            CastleSide::Queen => Bitboard::from_file(File::C),
        };
        Special {
            plain: false,
            captured: Bitboard::EMPTY,
            castled: self.castled & squares,
        }
    }

    fn en_passant(self, captured: Bitboard) -> Special {
        Special {
            plain: false,
            captured: self.captured & captured,
            castled: Bitboard::EMPTY,
        }
    }

    /// The squares to which a man may go that can go to `to` in this way.
    fn targets(self, from: Square, to: Bitboard, manner: Manner) -> Bitboard {
        match manner {
            Manner::Plain if self.plain => to,
            Manner::Plain => Bitboard::EMPTY,
            Manner::EnPassant => to
                .into_iter()
                .filter(|&to| self.captured.contains(chess::en_passant_square(from, to)))
                .collect(),
            Manner::Castling => to & self.castled,
        }
    }
}

/// The squares of a move that both operands accept. King and rook of a castling move are pairs: each is accepted with
/// its own from- and to-square.
fn accepted_squares(
    edge: &Edge,
    operands: Operands,
    focus: Option<(Bitboard, Bitboard)>,
) -> Option<(Bitboard, Bitboard)> {
    let mut pairs = [None; 2];
    if edge.packed.kind() == MoveKind::Castle {
        let (king, rook) = (edge.packed.from(), edge.packed.to());
        let (king_to, rook_to) = chess::castling_targets(king, rook);
        pairs = [Some((king, king_to)), Some((rook, rook_to))];
    } else {
        pairs[0] = Some((edge.packed.from(), edge.packed.to()));
    }
    let mut accepted = (Bitboard::EMPTY, Bitboard::EMPTY);
    for (from, to) in pairs.into_iter().flatten() {
        let focused = focus.is_none_or(|(focus_from, focus_to)| focus_from.contains(from) && focus_to.contains(to));
        if focused && operands.from.contains(from) && operands.to.contains(to) {
            accepted.0.add(from);
            accepted.1.add(to);
        }
    }
    accepted.0.any().then_some(accepted)
}
