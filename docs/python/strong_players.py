"""Games in which both players are strong, three ways.

Issue 1010 of python-chess (https://github.com/niklasf/python-chess/issues/1010) asks for games whose players both have
2400 or more, in a month of Lichess: 101,706,224 games, of which a hundredth is wanted. To parse them all takes about 97
hours there. What follows reads one file of games in three ways, and counts the games and half-moves that are wanted:

1. python-chess parses every game, and looks at its headers.
2. python-chess skips the moves of games whose headers will not do: the way that the issue arrives at.
3. cqldex indexes the file once, and asks for them; then for something that headers don't say.

    python strong_players.py games.pgn [--rating 2400]
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import chess.pgn

import cqldex


def is_strong(headers: chess.pgn.Headers, rating: int) -> bool:
    """Whether both players have this rating."""
    ratings = [headers.get("WhiteElo", ""), headers.get("BlackElo", "")]
    return all(value.isdecimal() and int(value) >= rating for value in ratings)


def parsing_all(path: Path, rating: int) -> tuple[int, int]:
    """Parses every game."""
    games = plies = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            if is_strong(game.headers, rating):
                games += 1
                plies += sum(1 for _ in game.mainline_moves())
    return games, plies


def skipping(path: Path, rating: int) -> tuple[int, int]:
    """Parses the games whose headers will do."""

    class Builder(chess.pgn.GameBuilder[chess.pgn.Game]):
        def end_headers(self) -> chess.pgn.SkipType | None:
            return None if is_strong(self.game.headers, rating) else chess.pgn.SKIP

    games = plies = 0
    with open(path, encoding="utf-8", errors="replace") as file:
        while (game := chess.pgn.read_game(file, Visitor=Builder)) is not None:
            if is_strong(game.headers, rating):
                games += 1
                plies += sum(1 for _ in game.mainline_moves())
    return games, plies


def asking(db: cqldex.Database, rating: int) -> tuple[int, int]:
    """Asks the index: the start and each half-move are a position."""
    count = db.query(f"elo white >= {rating} elo black >= {rating}").count()
    return count.games, count.positions - count.games


def timed(what: str, work: Callable[[], object]) -> object:
    """Prints a result and its time."""
    started = time.perf_counter()
    result = work()
    print(f"{what:<52} {time.perf_counter() - started:10.4f} s  {result}")
    return result


def main() -> None:
    parser = argparse.ArgumentParser(description="Counts games of strong players, three ways.")
    parser.add_argument("pgn", type=Path)
    parser.add_argument("--rating", type=int, default=2400)
    arguments = parser.parse_args()
    path, rating = arguments.pgn, arguments.rating

    with tempfile.TemporaryDirectory() as folder:
        timed("python-chess, parsing every game", lambda: parsing_all(path, rating))
        timed("python-chess, skipping moves", lambda: skipping(path, rating))
        timed("cqldex, indexing once", lambda: cqldex.index(Path(folder) / "db", path).games)
        with cqldex.open(Path(folder) / "db") as db:
            timed("cqldex, games of strong players", lambda: asking(db, rating))
            sacrifice = f"elo white >= {rating} elo black >= {rating} flipcolor flipvertical {{ Bh7 kg8 Q }}"
            timed("cqldex, and a bishop on h7 before the king", lambda: len(db.query(sacrifice)))


if __name__ == "__main__":
    main()
