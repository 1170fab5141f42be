//! Positions that one set has and another one does not, in one database or in two.

use std::collections::{HashMap, HashSet};

use chess::MoveTree;

use super::positions::PositionSet;
use crate::error::Result;
use crate::game::{Place, StoredGames};

/// A position of a game, by what makes it the same in another copy of the game.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum Key {
    /// In the main line, by its place.
    Main(u32),
    /// In a variation, by the moves that lead to it.
    Variation(Vec<u16>),
}

impl PositionSet {
    /// The positions that another set does not have.
    ///
    /// Two sets of the same state of a database are compared by the numbers of games and positions. Otherwise games are the
    /// same if they have the same players, date, result, start and main line, as with
    /// [`IndexOptions::skip_duplicates`](crate::IndexOptions::skip_duplicates); positions of the main line are the same if
    /// as many moves lead to them, those of variations if the same moves do.
    ///
    /// ```
    /// use cqldex::{Database, IndexOptions, Options};
    ///
    /// # let folder = tempfile::tempdir()?;
    /// # let (path, pgn) = (folder.path().join("games.db"), folder.path().join("games.pgn"));
    /// # std::fs::write(&pgn, "1. f3 e5 2. g4 Qh4# 0-1\n")?;
    /// let mut database = Database::create(&path, Options::default())?;
    /// database.index(&[&pgn], &IndexOptions::default(), &())?;
    /// let mut other = Database::create(folder.path().join("other.db"), Options::default())?;
    /// # std::fs::write(&pgn, "1. e4 *\n\n1. f3 e5 2. g4 Qh4# {the same game} 0-1\n")?;
    /// other.index(&[&pgn], &IndexOptions::default(), &())?;
    /// let (ours, theirs) = (database.sets().of([(1, 3), (1, 4)])?, other.sets().of([(1, 1), (2, 4)])?);
    /// assert_eq!(ours.without(&theirs)?.iter().collect::<Vec<_>>(), [(1, 3)]);
    /// assert_eq!(theirs.without(&ours)?.iter().collect::<Vec<_>>(), [(1, 1)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// When a database can't be read.
    pub fn without(&self, others: &PositionSet) -> Result<PositionSet> {
        match self.has_the_games_of(others) {
            true => Ok(self.minus(others)),
            false => self.minus_by_content(others),
        }
    }

    /// Whether both are of the same games in the same places.
    fn has_the_games_of(&self, others: &PositionSet) -> bool {
        let segments = |set: &'_ PositionSet| -> Vec<_> {
            let segments = set.snapshot().segments().iter();
            segments.map(|meta| (meta.key, meta.first_game)).collect()
        };
        segments(self) == segments(others)
    }

    fn minus_by_content(&self, others: &PositionSet) -> Result<PositionSet> {
        let mut their_games: HashMap<u64, Vec<Place>> = HashMap::new();
        others.games_by_identity(&mut |identity, place, _| {
            their_games.entry(identity).or_default().push(place);
            Ok(())
        })?;
        let (mut ours, mut theirs) = (Keys::new(self), Keys::new(others));
        let mut found = Vec::new();
        self.games_by_identity(&mut |identity, place, number| {
            let mut known = HashSet::new();
            for other in their_games.get(&identity).into_iter().flatten() {
                known.extend(theirs.of_game(*other)?.into_iter().map(|(_, key)| key));
            }
            let only = ours.of_game(place)?.into_iter().filter(|(_, key)| !known.contains(key));
            found.extend(only.map(|(node, _)| (number, node)));
            Ok(())
        })?;
        PositionSet::of(self.snapshot().clone(), found)
    }

    /// Visits the games that have a position: what makes each the same game elsewhere, where it is, and its number.
    fn games_by_identity(&self, visit: &mut dyn FnMut(u64, Place, u64) -> Result<()>) -> Result<()> {
        for (index, positions) in self.in_segments().enumerate() {
            if positions.len() == 0 {
                continue;
            }
            let identities = self.snapshot().segment(index).identities()?;
            for (number, _) in positions.counts() {
                let game = number - positions.first_game;
                let (Ok(at), Ok(game)) = (usize::try_from(game), u32::try_from(game)) else {
                    continue;
                };
                if let Some(identity) = identities.get(at) {
                    visit(*identity, Place { segment: index, game }, number)?;
                }
            }
        }
        Ok(())
    }
}

/// What makes the positions of a set the same in another database.
struct Keys<'s> {
    set: &'s PositionSet,
    games: StoredGames,
    tree: MoveTree,
    /// For each segment whether it has variations, as far as that was asked.
    branches: HashMap<usize, bool>,
}

impl Keys<'_> {
    fn new(set: &PositionSet) -> Keys<'_> {
        Keys {
            set,
            games: StoredGames::new(set.snapshot().clone()),
            tree: MoveTree::default(),
            branches: HashMap::new(),
        }
    }

    /// The positions of a game that are in the set.
    fn of_game(&mut self, place: Place) -> Result<Vec<(u32, Key)>> {
        let snapshot = self.set.snapshot();
        let number = snapshot.segments()[place.segment].first_game + u64::from(place.game) + 1;
        let nodes = self.set.of_game(number);
        let branches = match self.branches.get(&place.segment) {
            Some(known) => *known,
            None => {
                let branches = snapshot.segment(place.segment).has_variations()?;
                self.branches.insert(place.segment, branches);
                branches
            }
        };
        if !branches {
            return Ok(nodes.into_iter().map(|node| (node, Key::Main(node))).collect());
        }
        self.games.tree(place, &mut self.tree)?;
        Ok(nodes.into_iter().map(|node| (node, key(&self.tree, node))).collect())
    }
}

fn key(tree: &MoveTree, node: u32) -> Key {
    if (node as usize) < tree.mainline_len() {
        return Key::Main(node);
    }
    let mut moves = Vec::new();
    let mut at = node;
    while let Some(before) = at.checked_sub(1) {
        moves.extend(tree.moves.get(before as usize).map(|played| played.to_bits()));
        let branch = tree.branches.binary_search_by_key(&at, |branch| branch.node);
        at = branch.map_or(before, |branch| tree.branches[branch].parent);
    }
    moves.reverse();
    Key::Variation(moves)
}
