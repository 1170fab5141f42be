"""Opening, adding, removing."""

from __future__ import annotations

from pathlib import Path

import pytest

import cqldex

MATE = '[White "Foe"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n'


def test_indexing_says_what_was_added_and_what_was_not(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    pgn.write_text(MATE + '\n[White "Other"]\n\n1. e4 e5 2. Ke8 *\n')
    summary = cqldex.index(tmp_path / "db", str(pgn))
    assert (summary.games, summary.damaged_games) == (2, 1)
    assert len(summary.problems) == 1 and "Ke8" in summary.problems[0]
    assert cqldex.index(tmp_path / "db", [pgn]).known_games == 2
    assert cqldex.index(tmp_path / "db", [pgn], repeat=True, skip_duplicates=True).duplicates == 2


def test_a_database_has_games(db: cqldex.Database) -> None:
    assert len(db) == db.stats.games > 80
    assert 1 in db and len(db) + 1 not in db and 0 not in db
    assert db.stats.positions > db.stats.games
    assert str(db.stats).endswith("B") and db.stats.pgn_bytes > 0


def test_games_are_added_and_removed(own: cqldex.Database, tmp_path: Path) -> None:
    before = len(own)
    pgn = tmp_path / "more.pgn"
    pgn.write_text(MATE)
    old = own.query("true")
    counted = old.count().games
    assert own.add(pgn).games == 1
    assert len(own) == before + 1
    assert own.query('player "Foe" mate').count().games == 1
    assert own.remove([1, 2, 10_000]) == 2 and own.remove(3) == 1
    assert 1 not in own and len(own) == before - 2
    # A result keeps the database of its own time.
    assert len({match.game for match in old}) == counted


def test_changes_of_others_are_seen_after_refresh(own: cqldex.Database, tmp_path: Path) -> None:
    assert not own.refresh()
    with cqldex.open(own.path) as other:
        other.remove(1)
    assert 1 in own
    assert own.refresh()
    assert 1 not in own


def test_a_closed_database_says_so(samples: Path) -> None:
    with cqldex.open(samples) as db:
        result = db.query("mate")
    assert result.count().games > 0, "a result keeps what it needs"
    with pytest.raises(cqldex.DatabaseError, match="closed") as caught:
        db.query("mate")
    assert caught.value.code == "closed"
    assert "closed" in repr(db)
    db.close()


def test_what_is_no_database_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(cqldex.DatabaseError) as caught:
        cqldex.open(tmp_path / "none")
    assert caught.value.code == "not-a-database"
    with pytest.raises(cqldex.PgnError):
        cqldex.index(tmp_path / "db", tmp_path / "none.pgn")


def test_a_game_has_headers_moves_and_pgn(db: cqldex.Database) -> None:
    game = db.game(1)
    assert game.number == 1 and game.result == "1-0"
    assert list(game.headers)[:2] == ["Event", "Site"] and game.headers["White"] == "Greco, Gioachino"
    assert game.moves[:2] == ["e4", "b6"] and len(game) == len(game.moves) + 1
    assert game.fen(1).startswith("rnbqkbnr/pppppppp/8/8/4P3/")
    assert game.pgn() == str(game) and "Bg6#" in game.pgn()
    assert repr(game) == "<Game 1: Greco, Gioachino - NN, 1620.??.??, 1-0, 15 plies>"
    with pytest.raises(IndexError):
        game.fen(999)
    with pytest.raises(KeyError):
        db.game(10_000)


def test_a_game_is_one_of_python_chess(db: cqldex.Database) -> None:
    for number in (1, 20, len(db)):
        game = db.game(number)
        other = game.to_chess()
        board = other.board()
        sans = []
        for move in other.mainline_moves():
            sans.append(board.san(move))
            board.push(move)
        assert sans == game.moves


def test_sets_are_saved_combined_and_deleted(own: cqldex.Database) -> None:
    mates = own.query("mate").save("mates")
    assert own.query("wtm").save("white", live=True).positions > 0
    assert [info.name for info in own.sets] == ["mates", "white"]
    assert own.sets[0].positions == mates.positions and own.sets[1].live == "wtm"
    with pytest.raises(cqldex.SetError) as caught:
        own.query("mate").save("mates")
    assert caught.value.code == "set-exists"
    both = own.make_set("both = mates & white")
    assert both.positions == own.query("mate", within=["white"]).count().positions
    assert both.positions == own.query("true", within="both").count().positions
    own.delete_set("both")
    with pytest.raises(cqldex.SetError):
        own.query("true", within="both").count()
