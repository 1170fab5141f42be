//! A matching position.

use cqldex::Color;
use pyo3::prelude::*;

/// A position that matches.
#[pyclass(frozen, module = "cqldex")]
#[derive(Debug)]
pub(crate) struct Match {
    /// The number of the game, from 1.
    #[pyo3(get)]
    game: u64,
    found: cqldex::Match,
}

impl Match {
    pub(crate) fn new(game: u64, found: cqldex::Match) -> Match {
        Match { game, found }
    }

    fn text(&self) -> String {
        self.r#move().unwrap_or_else(|| "the start".to_owned())
    }
}

#[pymethods]
impl Match {
    /// CQL's `positionid`: 0 for the start of the game.
    #[getter]
    fn position(&self) -> u32 {
        self.found.node
    }

    /// Half-moves from the start of the game.
    #[getter]
    fn ply(&self) -> u32 {
        self.found.ply
    }

    /// The move that led here, such as `15.Bxh7+`, in parentheses in a variation; `None` at the start.
    #[getter]
    fn r#move(&self) -> Option<String> {
        let last = self.found.last_move.as_ref()?;
        Some(last.numbered_san(&self.found.board))
    }

    /// The side to move: `white` or `black`.
    #[getter]
    fn side(&self) -> &'static str {
        match self.found.board.turn() {
            Color::White => "white",
            Color::Black => "black",
        }
    }

    /// The position, as CQL's filter `fen` gives it; its counters are always `0 1`.
    #[getter]
    fn fen(&self) -> String {
        self.found.fen()
    }

    /// From and to, where a move led here.
    #[getter]
    fn _squares(&self) -> Option<(String, String)> {
        let last = self.found.last_move.as_ref()?;
        Some((last.packed.from().to_string(), last.packed.to().to_string()))
    }

    /// The position as a `chess.Board` of python-chess. Raises `ImportError` without it.
    fn board<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        py.import("cqldex._chess")?.call_method1("board", (self.fen(),))
    }

    fn _repr_svg_<'py>(slf: PyRef<'py, Self>, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let squares = slf._squares();
        py.import("cqldex._display")?
            .call_method1("board_svg", (slf.fen(), squares))
    }

    fn __eq__(&self, other: &Match) -> bool {
        self.game == other.game && self.found == other.found
    }

    fn __hash__(&self) -> u64 {
        (self.game << 20) ^ u64::from(self.found.node)
    }

    fn __repr__(&self) -> String {
        let Match { game, found } = self;
        format!(
            "<Match game={game} position={} {} {}>",
            found.node,
            self.text(),
            self.fen()
        )
    }
}
