"""What can be had of an answer."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import chess.pgn
import polars
import pytest

import cqldex

GIFT = "flipcolor flipvertical { Bh7 kg8 Q }"


def test_matches_are_those_of_the_command(db: cqldex.Database) -> None:
    rows = [(match.game, match.move, match.fen) for match in db.query(GIFT)]
    # As README.md shows them.
    assert rows == [
        (11, "15.Bxh7+", "r4rk1/1b2bppB/ppq1p3/2ppB2n/5P2/1P2P3/P1PPQ1PP/R4RK1 b - - 0 1"),
        (22, "19...Bxh2+", "3r1rk1/p3qp1p/2b3p1/2p5/3P4/1P6/PBQN1PPb/2R2RK1 w - - 0 1"),
        (24, "17...Bh2+", "r4rk1/2p2ppp/p7/1p6/3P2Pq/1BP2Q2/PP2RnPb/RNB3K1 w - - 0 1"),
        (32, "9...Bxh2+", "r1bq1rk1/pp1n2pp/2p1pn2/3p1pN1/2PP4/3BP3/PP2NPPb/R1BQ1RK1 w - - 0 1"),
    ]


def test_a_match_has_a_board(db: cqldex.Database) -> None:
    match = db.query(GIFT).head(1)[0]
    assert (match.ply, match.position, match.side) == (29, 29, "black")
    assert match.board().fen() == match.fen
    start = next(iter(db.query("ply == 0")))
    assert start.move is None and start.board() == chess.Board()
    assert match == db.query(GIFT).head(1)[0] != start
    assert len({match, db.query(GIFT).head(1)[0], start}) == 2
    assert repr(match).startswith("<Match game=11 position=29 15.Bxh7+ r4rk1/")


def test_an_answer_counts(db: cqldex.Database) -> None:
    result = db.query(GIFT)
    count = result.count()
    assert (count.games, count.positions, len(result)) == (4, 4, 4)
    assert count.games_searched == len(db) and count.elapsed > 0
    assert db.query(GIFT, threads=1).count().positions == 4
    assert db.query(GIFT) and not db.query("false") and not db.query(GIFT, limit=0)


def test_a_few_matches_are_the_first_ones(db: cqldex.Database) -> None:
    first = list(db.query("true"))[:2]
    asking: list[Callable[[], list[cqldex.Match]]] = [
        lambda: db.query("true").head(2),
        lambda: db.query("true", limit=2).head(),
        lambda: list(db.query("true", limit=2)),
        lambda: [match for _, match in zip(range(2), db.query("true"), strict=False)],
    ]
    assert [ask() for ask in asking] == [first] * 4
    assert db.query("true", limit=2).pl(["fen"])["fen"].to_list() == [match.fen for match in first]


def test_what_is_counted_is_not_searched_again(db: cqldex.Database) -> None:
    result = db.query("true", variations=True)
    first = list(result)
    assert len(result.by("side")) == 2
    assert list(result) == first and len(result) == len(first)
    assert [match.move for match in result.head(3)] == [match.move for match in first[:3]]


def test_a_limit_is_about_what_is_listed(db: cqldex.Database) -> None:
    result = db.query("btm", limit=7)
    assert len(result) == 7 == len(list(result)) == result.pl().height
    assert result.count().positions > 7
    assert len(result.head(3)) == 3 and len(result.head(30)) == 7
    assert [match.fen for match in result] == [match.fen for match in db.query("btm")][:7]


def test_variations_are_searched_on_demand(db: cqldex.Database) -> None:
    counts = [db.query("true", variations=variations).count().positions for variations in (None, False, True)]
    assert counts[0] == counts[1] < counts[2]
    assert db.query("cql(variations) true").count().positions == counts[2]


def test_a_query_that_sorts_has_its_order(db: cqldex.Database) -> None:
    result = db.query('terminal sort "men" #[Aa]', limit=5)
    by_board = [len(match.board().piece_map()) for match in result]
    assert by_board == sorted(by_board, reverse=True) and len(by_board) == 5
    frame = result.pl(["game", "sort:men"])
    assert frame["sort:men"].to_list() == by_board
    assert frame["game"].to_list() == [match.game for match in result]


def test_groups_are_a_table(db: cqldex.Database) -> None:
    table = db.query("mate").by("result")
    assert table.columns[:3] == ["result", "games", "positions"]
    assert len(table) == len(table["result"]) == len(list(table))
    assert sum(table["positions"]) == db.query("mate").count().positions
    assert set(table.to_dict()) == set(table.columns)
    assert str(table).splitlines()[0].split()[:2] == ["result", "games"]
    by_square = db.query("true", limit=1).by("side", square="N", order="positions", limit=5)
    assert len(by_square) == 5 and by_square.columns[:2] == ["side", "square"]
    assert by_square["positions"] == sorted(by_square["positions"], reverse=True)
    with pytest.raises(cqldex.ArgumentError, match="did you mean `year`"):
        db.query("mate").by("yaer")
    with pytest.raises(cqldex.ArgumentError):
        db.query("mate").by("year", order="size")  # type: ignore[arg-type]
    with pytest.raises(cqldex.ArgumentError):
        db.query("mate").by(square="mate")


def test_next_moves_are_a_table(db: cqldex.Database) -> None:
    table = db.query("ply == 0").next_moves(2, limit=3)
    first = next(iter(table))
    assert (first["depth"], first["move"], first["side"]) == (1, "e4", "white")
    assert first["games"] == max(table["games"])
    assert set(table["depth"]) == {1, 2}


def test_pgn_has_the_matching_games(db: cqldex.Database, tmp_path: Path) -> None:
    result = db.query(GIFT)
    text = result.pgn()
    assert text is not None
    games, stream = [], io.StringIO(text)
    while (game := chess.pgn.read_game(stream)) is not None:
        games.append(game.headers["White"].split(",")[0])
    assert games == ["Lasker", "Nimzowitsch", "Capablanca", "Glucksberg"]
    assert result.pgn(tmp_path / "found.pgn") is None
    assert (tmp_path / "found.pgn").read_text(encoding="utf-8") == text


def test_a_query_may_stop_with_an_error(db: cqldex.Database) -> None:
    query = "x = ply  assert x < 30"
    for ask in (
        lambda: db.query(query).count(),
        lambda: list(db.query(query)),
        lambda: db.query(query).pl(),
        lambda: db.query(query).arrow(),
        lambda: polars.DataFrame(db.query(query)),
        lambda: db.query(query).by("year"),
    ):
        with pytest.raises(cqldex.EvaluationError) as caught:
            ask()
        assert caught.value.code == "Q605"
        assert "assert x < 30" in str(caught.value)


def test_wrong_arguments_are_told_at_once(db: cqldex.Database) -> None:
    with pytest.raises(cqldex.ArgumentError, match="did you mean `white_rating`"):
        db.query("mate", columns=["rating"])
    with pytest.raises(cqldex.ArgumentError):
        db.query("mate", timeout=-1)
    with pytest.raises(OverflowError):
        db.query("mate", limit=-1)
    with pytest.raises(ValueError):
        db.query("mate", threads=0)
    with pytest.raises(TypeError):
        db.query(3)  # type: ignore[arg-type]
    with pytest.raises(cqldex.SetError):
        list(db.query("mate", within="none"))
