//! The moves that are possible in a position, by the rules as CQL 6.2 applies them (cql6-games 4.3): castling rights
//! and en passant come from the moves of the game alone.

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};
use storage::{Board, Man, MoveKind, PackedMove};

use super::{GameView, Machine};
use crate::hir::Legality;

/// A possible move. A promotion is one move, to a queen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Possible {
    /// As it would be played.
    pub(super) packed: PackedMove,
    /// Where the king or the man leaves.
    pub(super) from: Square,
    /// Where the king or the man arrives.
    pub(super) to: Square,
}

/// What the history of a position allows beside its board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Rights {
    /// The square behind a pawn that has just made a double step.
    pub(crate) en_passant: Option<Square>,
    /// Castling, by color and side (king's side first): king and rook at home and no move has landed there.
    pub(crate) castling: [[bool; 2]; 2],
}

/// Home squares of king and rook, White first, by color and side.
const HOMES: [[(Square, Square); 2]; 2] = [
    [(Square::E1, Square::H1), (Square::E1, Square::A1)],
    [(Square::E8, Square::H8), (Square::E8, Square::A8)],
];

impl GameView {
    /// Castling and en passant as the game's moves allow them in a position.
    pub(crate) fn rights(&self, node: u32) -> Rights {
        let board = self.board(node);
        let mut rights = Rights {
            en_passant: self.double_step_square(node),
            ..Rights::default()
        };
        let mut open = false;
        for color in Color::ALL {
            for (side, &(king, rook)) in HOMES[color.fold_wb(0, 1)].iter().enumerate() {
                let at_home =
                    board.at(king) == Man::new(color, Role::King) && board.at(rook) == Man::new(color, Role::Rook);
                rights.castling[color.fold_wb(0, 1)][side] = at_home;
                open |= at_home;
            }
        }
        if !open {
            return rights;
        }
        let mut landed = Bitboard::EMPTY;
        let mut node = node;
        while let (Some(edge), Some(parent)) = (self.edge(node), self.parent(node)) {
            if !edge.is_null() {
                landed |= edge.to;
            }
            node = parent;
        }
        for color in Color::ALL {
            for (side, &(king, rook)) in HOMES[color.fold_wb(0, 1)].iter().enumerate() {
                rights.castling[color.fold_wb(0, 1)][side] &= !landed.contains(king) && !landed.contains(rook);
            }
        }
        rights
    }

    /// The square that the pawn which has just made a double step passed.
    fn double_step_square(&self, node: u32) -> Option<Square> {
        let m = self.last_move(node).filter(|m| m.kind() == MoveKind::DoubleStep)?;
        attacks::between(m.from(), m.to()).first()
    }
}

impl Rights {
    /// The position as `fen` prints it (cql6-positions 8.2).
    pub(crate) fn fen(self, board: &Board) -> String {
        let mut fen = String::with_capacity(80);
        for rank in Rank::ALL.into_iter().rev() {
            let mut gap = 0;
            for file in File::ALL {
                let man = board.at(Square::from_coords(file, rank));
                if man == Man::EMPTY {
                    gap += 1;
                    continue;
                }
                if gap > 0 {
                    fen.push(char::from(b'0' + gap));
                    gap = 0;
                }
                fen.push(man.letter());
            }
            if gap > 0 {
                fen.push(char::from(b'0' + gap));
            }
            fen.push(if rank == Rank::First { ' ' } else { '/' });
        }
        fen.push(board.turn().char());
        fen.push(' ');
        let letters = ['K', 'Q', 'k', 'q']
            .into_iter()
            .zip(self.castling.into_iter().flatten());
        let before = fen.len();
        fen.extend(letters.filter(|&(_, allowed)| allowed).map(|(letter, _)| letter));
        if fen.len() == before {
            fen.push('-');
        }
        fen.push(' ');
        match self.en_passant {
            Some(square) => square.append_to_string(&mut fen),
            None => fen.push('-'),
        }
        fen.push_str(" 0 1");
        fen
    }
}

impl Machine<'_> {
    /// Castling and en passant as the game's moves allow them here.
    pub(super) fn rights(&self) -> Rights {
        self.game.rights(self.node)
    }

    /// The square that the pawn which has just made a double step passed.
    pub(super) fn double_step_square(&self) -> Option<Square> {
        self.game.double_step_square(self.node)
    }

    /// All possible moves, sorted by nothing.
    pub(super) fn possible_moves(&self, legality: Legality) -> Vec<Possible> {
        let mut moves = Vec::new();
        generate(self.board(), self.rights(), &mut |possible| {
            moves.push(possible);
            true
        });
        if legality == Legality::Legal {
            moves.retain(|possible| is_legal(self.board(), possible.packed));
        }
        moves
    }

    fn has_legal_move(&self) -> bool {
        let board = self.board();
        // Who can castle can also move the king by one square, so castling rights don't matter here.
        let rights = Rights {
            en_passant: self.double_step_square(),
            ..Rights::default()
        };
        !generate(board, rights, &mut |possible| !is_legal(board, possible.packed))
    }

    /// The side to move is in check and can't move.
    pub(super) fn is_mate(&self) -> bool {
        self.board().is_attacked(self.board().turn()) && !self.has_legal_move()
    }

    /// The side to move is not in check, can't move, and the game does not go on (cql6-games 2.2).
    pub(super) fn is_stalemate(&self) -> bool {
        self.game.is_terminal(self.node) && !self.board().is_attacked(self.board().turn()) && !self.has_legal_move()
    }
}

/// Whether the side that moves leaves none of its kings attacked.
fn is_legal(board: &Board, m: PackedMove) -> bool {
    let mut after = board.clone();
    after.play(m);
    !after.is_attacked(board.turn())
}

/// Calls `take` with every pseudolegal move until it gives false; castling is fully legal. Says whether all were taken.
fn generate(board: &Board, rights: Rights, take: &mut dyn FnMut(Possible) -> bool) -> bool {
    let us = board.turn();
    let own = board.color(us);
    let mut emit = |from: Square, to: Square, kind: MoveKind| {
        take(Possible {
            packed: PackedMove::new(from, to, kind),
            from,
            to,
        })
    };
    for from in own {
        let Some(role) = board.at(from).role() else { continue };
        if role == Role::Pawn {
            if !pawn_moves(board, from, rights.en_passant, &mut emit) {
                return false;
            }
            continue;
        }
        for to in board.attacks_from(from) & !own {
            if !emit(from, to, MoveKind::Normal) {
                return false;
            }
        }
    }
    for (side, &(king, rook)) in HOMES[us.fold_wb(0, 1)].iter().enumerate() {
        if !rights.castling[us.fold_wb(0, 1)][side] || !can_castle(board, us, king, rook) {
            continue;
        }
        let (to, _) = storage::castling_targets(king, rook);
        if !take(Possible {
            packed: PackedMove::new(king, rook, MoveKind::Castle),
            from: king,
            to,
        }) {
            return false;
        }
    }
    true
}

fn pawn_moves(
    board: &Board,
    from: Square,
    en_passant: Option<Square>,
    emit: &mut dyn FnMut(Square, Square, MoveKind) -> bool,
) -> bool {
    let us = board.turn();
    let kind = |to: Square| {
        let last_rank = us.fold_wb(Rank::Eighth, Rank::First);
        if to.rank() == last_rank {
            MoveKind::Promotion(Role::Queen)
        } else {
            MoveKind::Normal
        }
    };
    let forward = us.fold_wb(8, -8);
    if let Some(to) = from.offset(forward).filter(|&to| board.at(to) == Man::EMPTY) {
        if !emit(from, to, kind(to)) {
            return false;
        }
        let home = us.fold_wb(Rank::Second, Rank::Seventh);
        if from.rank() == home
            && let Some(to) = to.offset(forward).filter(|&to| board.at(to) == Man::EMPTY)
            && !emit(from, to, MoveKind::DoubleStep)
        {
            return false;
        }
    }
    for to in attacks::pawn_attacks(us, from) {
        let taken = if board.color(!us).contains(to) {
            emit(from, to, kind(to))
        } else if en_passant == Some(to) && board.at(to) == Man::EMPTY {
            emit(from, to, MoveKind::EnPassant)
        } else {
            true
        };
        if !taken {
            return false;
        }
    }
    true
}

/// Nothing stands between king and rook, and the king neither is, passes nor lands in check.
fn can_castle(board: &Board, us: Color, king: Square, rook: Square) -> bool {
    let (to, _) = storage::castling_targets(king, rook);
    let way = attacks::between(king, to) | Bitboard::from_square(king) | Bitboard::from_square(to);
    (attacks::between(king, rook) & board.occupied()).is_empty()
        && way
            .into_iter()
            .all(|square| board.attackers(square, !us, board.occupied()).is_empty())
}
