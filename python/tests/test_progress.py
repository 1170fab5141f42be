"""Bars and functions that are told how far something is."""

from __future__ import annotations

import sys
import time
from pathlib import Path

import pytest

import cqldex
from cqldex import _progress

from test_processes import SLOW


def test_a_function_is_told_of_indexing(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    pgn.write_text('[White "Foe"]\n\n1. e4 e5 *\n\n' * 3000)
    told: list[cqldex.Progress] = []
    summary = cqldex.index(tmp_path / "db", pgn, progress=told.append)
    assert summary.games == 3000
    last = told[-1]
    assert (last.games, last.positions) == (3000, 9000)
    assert last.done == last.total == pgn.stat().st_size


def test_an_exception_of_the_function_ends_indexing(tmp_path: Path) -> None:
    pgn = tmp_path / "games.pgn"
    line = " ".join(f"{number}. Nf3 Nf6 {number + 1}. Ng1 Ng8" for number in range(1, 60, 2))
    pgn.write_text(f'[White "Foe"]\n\n{line} *\n\n' * 50_000)

    def enough(progress: cqldex.Progress) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        cqldex.index(tmp_path / "db", pgn, progress=enough)
    # What was committed before is there, and the rest can be added.
    cqldex.index(tmp_path / "db", pgn)
    with cqldex.open(tmp_path / "db") as db:
        assert len(db) == 50_000


def test_a_function_is_told_of_a_search(db: cqldex.Database) -> None:
    told: list[cqldex.Progress] = []
    with pytest.raises(cqldex.QueryTimeoutError):
        db.query(SLOW, timeout=0.3, progress=told.append).count()
    assert told and all(progress.total == len(db) for progress in told[1:])


def test_an_exception_of_the_function_ends_a_search(db: cqldex.Database) -> None:
    def enough(_: cqldex.Progress) -> None:
        raise RuntimeError("enough")

    started = time.monotonic()
    for ask in (lambda result: result.count(), lambda result: list(result)):
        with pytest.raises(RuntimeError, match="enough"):
            ask(db.query(SLOW, progress=enough))
    assert time.monotonic() - started < 2


def test_true_is_a_bar_of_tqdm(db: cqldex.Database, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(cqldex.QueryTimeoutError):
        db.query(SLOW, timeout=0.3, progress=True).count()
    assert "games" in capsys.readouterr().err


def test_without_tqdm_there_is_a_warning(
    db: cqldex.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    with pytest.warns(UserWarning, match="tqdm"):
        db.query("mate", progress=True).count()


def test_other_values_are_refused(db: cqldex.Database) -> None:
    with pytest.raises(TypeError, match="True, False or a function"):
        db.query("mate", progress=3).count()  # type: ignore[arg-type]
    assert _progress.watcher(None, "games") is None and _progress.watcher(False, "games") is None
