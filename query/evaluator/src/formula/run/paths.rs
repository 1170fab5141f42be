//! Paths without a choice, in games without variations: there is one way at most.

use chess::MoveKind;
use shakmaty::Bitboard;

use super::super::{Id, NONE, PathOp, Step};
use super::{Runner, number, of_number};
use crate::filters::{Focused, next_move};

impl Runner<'_> {
    /// What a path gives that begins here.
    pub(super) fn path(&mut self, path: &PathOp) -> u64 {
        let (start, outer) = (self.node, self.path);
        let found = self.follow(path, start);
        (self.node, self.path) = (start, outer);
        found
    }

    fn follow(&mut self, path: &PathOp, start: u32) -> u64 {
        let focused = path.focus.map(|focus| {
            let squares = Bitboard(self.value(focus));
            Focused::of(self.game, start, squares, path.captures)
        });
        let mut count = 0;
        for step in &path.steps {
            if self.is_due() {
                return NONE;
            }
            self.path = Some((start, count));
            match *step {
                Step::Test(test) => {
                    if !self.holds(test) {
                        return NONE;
                    }
                }
                Step::Move {
                    from,
                    to,
                    capture,
                    promotion,
                    target,
                } => {
                    let Some(child) = next_move(self.game, focused, start, self.node) else {
                        return NONE;
                    };
                    let Some(edge) = self.game.edge(child) else { return NONE };
                    self.node = child - 1;
                    let (from, to) = (self.set(from), self.set(to));
                    let Some((from, _)) = edge.accepted(from, to, capture, promotion) else {
                        return NONE;
                    };
                    if edge.packed.kind() == MoveKind::Castle && !self.may_castle(focused, child, from, target) {
                        return NONE;
                    }
                    count += 1;
                    self.node = child;
                    self.path = Some((start, count));
                    if !self.holds(target) {
                        return NONE;
                    }
                }
            }
        }
        if count == 0 {
            return NONE;
        }
        self.path = Some((start, count));
        let value = match path.max {
            Some(max) => self.value(max),
            None => of_number(count),
        };
        let fits = number(value).is_some_and(|value| path.range.is_none_or(|(min, max)| min <= value && value <= max));
        match fits {
            true if path.gives_end => u64::from(self.node),
            true => value,
            false => NONE,
        }
    }

    /// Whether a castling move is accepted whose squares are these, as far as they are in focus. Where the target sees them, the
    /// formula is given up.
    fn may_castle(&mut self, focused: Option<Focused>, child: u32, from: Bitboard, target: Id) -> bool {
        self.given_up |= self.formulas.infos[target as usize].last_move;
        let focus = focused.and_then(|focused| focused.castling(self.game, child - 1, child));
        focus.is_none_or(|(focus, _)| (focus & from).any())
    }
}
