//! A game of a database.

use cqldex::Error;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A game with all its variations. `len()` is how many positions it has, `str()` its PGN.
#[pyclass(frozen, module = "cqldex")]
#[derive(Debug)]
pub(crate) struct Game {
    game: cqldex::Game,
}

impl Game {
    pub(crate) fn new(game: cqldex::Game) -> Game {
        Game { game }
    }
}

#[pymethods]
impl Game {
    /// Its number in the database, from 1.
    #[getter]
    fn number(&self) -> Option<u64> {
        self.game.number()
    }

    /// All tags as they stand in the PGN, in order.
    #[getter]
    fn headers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let headers = PyDict::new(py);
        for (name, value) in self.game.tags() {
            headers.set_item(name, value)?;
        }
        Ok(headers)
    }

    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    #[getter]
    fn result(&self) -> String {
        self.game.outcome().to_string()
    }

    /// The main line in standard algebraic notation.
    #[getter]
    fn moves(&self) -> Vec<String> {
        self.game.mainline().filter_map(cqldex::Position::san).collect()
    }

    /// A position by its `positionid`. Raises `IndexError` if there is none.
    fn fen(&self, position: u32) -> PyResult<String> {
        let found = self.game.position(position);
        found.map(cqldex::Position::fen).ok_or_else(|| {
            let message = format!(
                "the game has {} positions, and none with the number {position}",
                self.__len__()
            );
            PyIndexError::new_err(message)
        })
    }

    /// The game as PGN, with its variations and comments.
    fn pgn(&self) -> String {
        self.game.pgn()
    }

    /// The game as a `chess.pgn.Game` of python-chess. Raises `ImportError` without it.
    fn to_chess<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("cqldex._chess")?.call_method1("game", (self.pgn(),))
    }

    /// How many positions it has, those of variations included.
    fn __len__(&self) -> usize {
        self.game.positions().len()
    }

    fn __str__(&self) -> String {
        self.pgn()
    }

    fn __repr__(&self) -> String {
        let header = self.game.header();
        let number = self
            .game
            .number()
            .map(|number| format!(" {number}"))
            .unwrap_or_default();
        let (white, black) = (&header.white, &header.black);
        let moves = self.game.mainline().count() - 1;
        format!(
            "<Game{number}: {white} - {black}, {}, {}, {moves} plies>",
            header.date,
            self.game.outcome()
        )
    }
}

/// A result of the library about a game that may be absent.
pub(crate) fn found(game: Result<Option<cqldex::Game>, Error>) -> Result<Option<Game>, Error> {
    Ok(game?.map(Game::new))
}
