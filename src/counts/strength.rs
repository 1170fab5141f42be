//! How strong the players were, and how well they did.

use chess::Outcome;
use shakmaty::Color;

/// A performance is at most so far from the mean rating of the opponents, as FIDE has it (Handbook B.02, 8.1.1).
const FARTHEST: f64 = 800.0;

/// Ratings of players and of their opponents, with results.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Strength {
    /// The sum of the players' ratings, and how many are known.
    ratings: u64,
    rated: u64,
    /// The sum of the opponents' ratings in games with a result, how many these are, and half points of the players.
    opponents: u64,
    games: u64,
    points: u64,
}

impl Strength {
    /// Adds a game of a player of this color. Ratings are 0 if they are not known.
    pub(super) fn add_game(&mut self, player: Color, [white, black]: [u16; 2], outcome: Outcome) {
        let (own, other) = match player {
            Color::White => (white, black),
            Color::Black => (black, white),
        };
        if own > 0 {
            self.ratings += u64::from(own);
            self.rated += 1;
        }
        let points = match (outcome, player) {
            (Outcome::White, Color::White) | (Outcome::Black, Color::Black) => 2,
            (Outcome::White | Outcome::Black, _) => 0,
            (Outcome::Draw, _) => 1,
            (Outcome::Unknown, _) => return,
        };
        if other > 0 {
            self.opponents += u64::from(other);
            self.games += 1;
            self.points += points;
        }
    }

    /// Adds other games.
    pub(super) fn add(&mut self, other: &Strength) {
        self.ratings += other.ratings;
        self.rated += other.rated;
        self.opponents += other.opponents;
        self.games += other.games;
        self.points += other.points;
    }

    /// The mean rating.
    pub(super) fn rating(&self) -> Option<f64> {
        (self.rated > 0).then(|| self.ratings as f64 / self.rated as f64)
    }

    /// The rating of which this score against these opponents is to be expected.
    pub(super) fn performance(&self) -> Option<f64> {
        if self.games == 0 {
            return None;
        }
        let games = self.games as f64;
        let score = self.points as f64 / (2.0 * games);
        // Elo's formula turned round. A clean score gives infinity.
        let ahead = 400.0 * (score / (1.0 - score)).log10();
        Some(self.opponents as f64 / games + ahead.clamp(-FARTHEST, FARTHEST))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_performance_is_the_rating_that_the_score_is_expected_of() {
        let mut strength = Strength::default();
        strength.add_game(Color::White, [2000, 2400], Outcome::Draw);
        assert_eq!(
            (strength.rating(), strength.performance()),
            (Some(2000.0), Some(2400.0))
        );
        strength.add_game(Color::Black, [2400, 0], Outcome::Black);
        strength.add_game(Color::Black, [2400, 2200], Outcome::Black);
        strength.add_game(Color::Black, [2400, 2200], Outcome::White);
        assert_eq!(strength.rating(), Some((2000.0 + 2200.0 + 2200.0) / 3.0));
        // Five points of eight: 2400 + 400 * log10(5 / 3).
        assert!((strength.performance().unwrap() - 2488.74).abs() < 0.01);
    }

    #[test]
    fn a_clean_score_is_eight_hundred_points_away() {
        let mut strength = Strength::default();
        strength.add_game(Color::White, [0, 2400], Outcome::White);
        assert_eq!((strength.rating(), strength.performance()), (None, Some(3200.0)));
        let mut strength = Strength::default();
        strength.add_game(Color::White, [1500, 2400], Outcome::Black);
        assert_eq!(strength.performance(), Some(1600.0));
    }

    #[test]
    fn games_without_ratings_or_results_have_no_performance() {
        let mut strength = Strength::default();
        strength.add_game(Color::White, [2100, 0], Outcome::White);
        strength.add_game(Color::White, [0, 2100], Outcome::Unknown);
        assert_eq!((strength.rating(), strength.performance()), (Some(2100.0), None));
    }
}
