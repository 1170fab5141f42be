//! What makes two games the same game, as a number.

use chess::{Game, Start};
use sha2::{Digest, Sha256};

use crate::{header::Header, tags::TagColumn};

/// The identity of a game: players, date and outcome as filters read them, the start, and the moves of the main line.
/// Comments, glyphs, variations, ratings, event and place do not count. Two other games have the same number once in
/// 2^64.
pub fn identity(game: &Game) -> u64 {
    let header = Header::from_text(&game.text);
    let mut hash = Sha256::new();
    for column in [TagColumn::White, TagColumn::Black, TagColumn::Date] {
        let value = header.get(column);
        hash.update((value.len() as u64).to_le_bytes());
        hash.update(value);
    }
    hash.update([crate::texts::outcome_code(header.outcome())]);
    if let Start::Setup { board, .. } = &game.tree.start {
        #[expect(clippy::cast_possible_truncation, reason = "the number of a man is up to 12")]
        let men: Vec<u8> = shakmaty::Square::ALL
            .map(|square| board.at(square).index() as u8)
            .into();
        hash.update(men);
        hash.update([u8::from(board.turn().is_white())]);
    }
    let moves: Vec<u8> = game.tree.moves[..game.tree.mainline_len() - 1]
        .iter()
        .flat_map(|m| m.to_bits().to_le_bytes())
        .collect();
    hash.update(moves);
    let digest: [u8; 32] = hash.finalize().into();
    let (first, _) = digest.split_first_chunk().expect("a digest has 32 bytes");
    u64::from_le_bytes(*first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::{GameText, Outcome, testing::random_game};

    fn game(tags: &[(&str, &str)], seed: u64) -> Game {
        let text = GameText {
            tags: tags
                .iter()
                .map(|&(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            ..GameText::default()
        };
        Game {
            tree: random_game(seed).0,
            text,
            ..Game::default()
        }
    }

    #[test]
    fn notes_do_not_make_another_game() {
        let tags = [("White", "A"), ("Black", "B"), ("Date", "2000.01.01")];
        let plain = game(&tags, 4);
        let mut noted = game(&[tags[0], tags[1], tags[2], ("Event", "Open"), ("WhiteElo", "2500")], 4);
        noted.text.comments.push((1, "a comment".to_owned()));
        let end = noted.tree.mainline_len() - 1;
        noted.tree.moves.truncate(end);
        noted.tree.branches.clear();
        assert_eq!(identity(&plain), identity(&noted));
    }

    #[test]
    fn players_date_outcome_and_moves_make_a_game() {
        let tags = [("White", "A"), ("Black", "B"), ("Date", "2000.01.01")];
        let one = game(&tags, 4);
        let mut won = one.clone();
        won.text.outcome = Outcome::White;
        let others = [
            game(&tags, 5),
            game(&[("White", "A"), ("Black", "C"), tags[2]], 4),
            game(&[("White", "AB"), ("Black", ""), tags[2]], 4),
            game(&[tags[0], tags[1]], 4),
            won,
        ];
        let mut all: Vec<u64> = others.iter().map(identity).collect();
        all.push(identity(&one));
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), 6);
    }
}
