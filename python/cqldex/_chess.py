"""Boards and games of python-chess."""

from __future__ import annotations

import io
from typing import Any


def board(fen: str) -> Any:
    """A `chess.Board`."""
    chess = _chess("board")
    # Rooks are named by their files where they may stand anywhere.
    is_chess960 = not set(fen.split()[2]) <= set("KQkq-")
    return chess.Board(fen, chess960=is_chess960)


def game(pgn: str) -> Any:
    """A `chess.pgn.Game`."""
    _chess("to_chess")
    import chess.pgn

    return chess.pgn.read_game(io.StringIO(pgn))


def _chess(method: str) -> Any:
    try:
        import chess
    except ImportError as error:
        raise ImportError(f"{method}() needs python-chess: pip install chess", name="chess") from error
    return chess
