//! The start of a game, from its tags FEN and Variant.

use chess::{Board, Man, Start};
use shakmaty::{Color, File, Rank, Role, Square};

use crate::{
    report::Reason,
    spelling::{CastlingHomes, Stage},
    tree::Root,
};

/// Reads the start position and the rules from the tags. Case does not matter in their names.
pub(crate) fn read(tags: &[(String, String)]) -> Result<Root, Reason> {
    let tag = |wanted: &str| {
        tags.iter()
            .rev()
            .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
            .map(|(_, value)| value.trim())
    };
    let rules = rules(tag("Variant").unwrap_or_default())?;
    match tag("FEN").filter(|fen| !fen.is_empty()) {
        Some(fen) => from_fen(fen, rules),
        None => Ok(Root::standard()),
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rules {
    Standard,
    Chess960,
}

/// The rules that a Variant tag names. Only standard chess and Chess960 are supported.
fn rules(variant: &str) -> Result<Rules, Reason> {
    let name: String = variant.chars().filter(char::is_ascii_alphanumeric).collect();
    match name.to_ascii_lowercase().as_str() {
        "" | "standard" | "regular" | "normal" | "chess" | "classical" | "orthodox" | "fromposition" => {
            Ok(Rules::Standard)
        }
        "chess960" | "960" | "fischerandom" | "fischerrandom" | "fischerandomchess" | "fischerrandomchess"
        | "freestyle" | "freestylechess" => Ok(Rules::Chess960),
        _ => Err(Reason::Variant {
            name: variant.to_owned(),
        }),
    }
}

fn from_fen(fen: &str, rules: Rules) -> Result<Root, Reason> {
    let unreadable = || Reason::Fen { fen: fen.to_owned() };
    let mut fields = fen.split_ascii_whitespace();
    let placement = fields.next().ok_or_else(unreadable)?;
    let pieces = shakmaty::Board::from_ascii_board_fen(placement.as_bytes()).map_err(|_| unreadable())?;
    let turn = match fields.next() {
        Some("w" | "W") => Color::White,
        Some("b" | "B") => Color::Black,
        _ => return Err(unreadable()),
    };
    let castling = fields.next().unwrap_or("-");
    let en_passant = fields.next().and_then(|field| field.parse().ok());
    let fullmoves = fields.nth(1).and_then(|field| field.parse().ok()).unwrap_or(1);
    let board = Board::from_pieces(pieces.iter(), turn);
    for color in Color::ALL {
        if board.piece(color, Role::King).count() != 1 {
            return Err(Reason::Kings { fen: fen.to_owned() });
        }
    }
    let homes = homes(&board, castling, rules);
    let en_passant = en_passant.filter(|&square| is_behind_double_step(&board, square));
    let is_standard = board == Board::initial() && homes == CastlingHomes::STANDARD && fullmoves == 1;
    let start = if is_standard {
        Start::Standard
    } else {
        Start::Setup {
            board: Box::new(board.clone()),
            fullmoves,
        }
    };
    Ok(Root {
        start,
        stage: Stage { board, en_passant },
        homes,
    })
}

/// Whether a pawn of the side that is not to move can have passed this square with a double step.
fn is_behind_double_step(board: &Board, square: Square) -> bool {
    let (rank, forward) = board.turn().fold_wb((Rank::Sixth, -8), (Rank::Third, 8));
    let pawn = square.offset(forward).map(|square| board.at(square));
    square.rank() == rank && board.at(square) == Man::EMPTY && pawn == Some(Man::new(!board.turn(), Role::Pawn))
}

/// The squares of the kings and rooks that castle. As in CQL, a king on e1 or e8 may castle with the rooks in the
/// corners, whatever the FEN says. Castling from other squares needs a castling right in the FEN, in the usual form, as
/// X-FEN or as Shredder-FEN.
fn homes(board: &Board, castling: &str, rules: Rules) -> CastlingHomes {
    let mut homes = CastlingHomes {
        kings: [None; 2],
        rooks: [[None; 2]; 2],
    };
    for (color, rank) in [(Color::White, Rank::First), (Color::Black, Rank::Eighth)] {
        let at = usize::from(color.is_black());
        let king = board
            .piece(color, Role::King)
            .first()
            .filter(|king| king.rank() == rank);
        let rooks = board.piece(color, Role::Rook);
        let Some(king) = king else {
            // CQL lets a king castle after it has returned to e1 or e8.
            homes.kings[at] = CastlingHomes::STANDARD.kings[at];
            homes.rooks[at] = CastlingHomes::STANDARD.rooks[at];
            continue;
        };
        let mut named = false;
        for letter in castling
            .chars()
            .filter(|letter| letter.is_ascii_uppercase() == color.is_white())
        {
            let on_rank = |file: File| Some(Square::from_coords(file, rank)).filter(|&square| rooks.contains(square));
            let rook = match letter.to_ascii_uppercase() {
                'K' => File::ALL
                    .into_iter()
                    .rev()
                    .filter_map(on_rank)
                    .find(|&rook| rook > king),
                'Q' => File::ALL.into_iter().filter_map(on_rank).find(|&rook| rook < king),
                letter => File::from_char(letter.to_ascii_lowercase()).and_then(on_rank),
            };
            if let Some(rook) = rook {
                homes.kings[at] = Some(king);
                homes.rooks[at][usize::from(rook < king)] = Some(rook);
                named = true;
            }
        }
        let is_usual = king.file() == File::E
            && homes.rooks[at]
                .iter()
                .zip(CastlingHomes::STANDARD.rooks[at])
                .all(|(rook, corner)| rook.is_none() || *rook == corner);
        if rules == Rules::Standard && (is_usual || !named) {
            homes.kings[at] = CastlingHomes::STANDARD.kings[at];
            homes.rooks[at] = CastlingHomes::STANDARD.rooks[at];
        }
    }
    homes
}
