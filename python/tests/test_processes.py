"""Threads, signals, and processes that are forked."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import cqldex

#: It looks at every position of every game, for longer than anybody waits.
SLOW = "x = 0  while (x < 3000) { x += 1  y = 0  while (y < 3000) { y += 1 } }  x < 0"

ASKING: list[Callable[[cqldex.Matches], object]] = [
    lambda result: result.count(),
    lambda result: list(result),
    lambda result: result.pl(),
    lambda result: result.arrow(),
    lambda result: result.df(),
    lambda result: result.by("year"),
    lambda result: result.pgn(),
]


@pytest.mark.parametrize("ask", ASKING)
def test_ctrl_c_ends_a_search_at_once(db: cqldex.Database, ask: Callable[[cqldex.Matches], object]) -> None:
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        ask(db.query(SLOW))
    assert 0.25 < time.monotonic() - started < 1.5
    timer.join()
    assert db.query("mate").count().games > 0


def test_ctrl_c_ends_a_stream_of_another_package(db: cqldex.Database) -> None:
    import polars

    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        try:
            polars.DataFrame(db.query(SLOW))
        finally:
            # The signal comes after the error of the other package.
            time.sleep(0.2)
    assert time.monotonic() - started < 2
    timer.join()


@pytest.mark.parametrize("ask", ASKING)
def test_a_search_ends_when_its_time_is_over(
    db: cqldex.Database, ask: Callable[[cqldex.Matches], object]
) -> None:
    started = time.monotonic()
    with pytest.raises(cqldex.QueryTimeoutError) as caught:
        ask(db.query(SLOW, timeout=0.2))
    assert isinstance(caught.value, TimeoutError)
    assert 0.15 < time.monotonic() - started < 1.5


def test_the_interpreter_is_free_while_a_query_runs(db: cqldex.Database) -> None:
    ticks = 0
    is_over = threading.Event()

    def ask() -> None:
        with pytest.raises(cqldex.QueryTimeoutError):
            db.query(SLOW, timeout=0.5).count()
        is_over.set()

    thread = threading.Thread(target=ask)
    thread.start()
    while not is_over.is_set():
        ticks += 1
        time.sleep(0.005)
    thread.join()
    assert ticks > 20


def test_threads_share_a_database_and_an_iterator(db: cqldex.Database) -> None:
    expected = [(match.game, match.position) for match in db.query("true")]
    shared = iter(db.query("true"))
    taken: list[tuple[int, int]] = []
    counts: list[int] = []

    def work() -> None:
        taken.extend((match.game, match.position) for match in shared)
        counts.append(db.query("mate").count().positions)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(taken) == sorted(expected)
    assert len(counts) == 8 and len(set(counts)) == 1


def test_a_forked_process_gets_a_clear_error(samples: Path) -> None:
    """In a process of its own, because a test program has threads of other packages."""
    program = f"""
import os, sys
import cqldex
db = cqldex.open({str(samples)!r})
result, matches = db.query("mate"), iter(db.query("true"))
next(matches)
result.count()
child = os.fork()
if child == 0:
    told = 0
    for ask in (
        lambda: db.query("mate"), lambda: result.by("year"), lambda: result.pl(), lambda: len(db),
        lambda: next(iter(result)), lambda: result.count(),
        lambda: [None for _ in matches],
    ):
        try:
            ask()
        except cqldex.ForkError as error:
            told += error.code == "forked" and "open it again" in str(error)
    # What the parent has opened can be dropped, and the same database opened again.
    del db, result, matches
    with cqldex.open({str(samples)!r}) as own:
        told += own.query("mate").count().games > 0
    sys.exit(told)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), result.count().games > 0, next(matches).game)
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.stdout.split(), ran.returncode) == (["8", "True", "1"], 0), ran.stderr


def test_parent_and_child_write_after_a_fork(samples: Path, tmp_path: Path) -> None:
    program = f"""
import os, sys
import cqldex
from conftest import SAMPLES
db = cqldex.open({str(samples)!r})
child = os.fork()
name = "parent.db" if child else "child.db"
games = cqldex.index(name, SAMPLES / "games.pgn").games
with cqldex.open(name) as own:
    own.remove(1)
    assert len(own) == games - 1 > 50 and own.query("mate").count().games > 0
if child == 0:
    sys.exit(7)
_, status = os.waitpid(child, 0)
print(os.waitstatus_to_exitcode(status), db.query("mate").count().games > 0)
"""
    ran = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([*sys.path])},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.stdout.split(), ran.returncode) == (["7", "True"], 0), ran.stderr


def test_a_database_can_be_left_open_at_the_end(samples: Path) -> None:
    program = f"""
import cqldex
db = cqldex.open({str(samples)!r})
matches = iter(db.query("true"))
next(matches)
stream = db.query("true").__arrow_c_stream__()
"""
    ran = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60)
    assert (ran.stderr, ran.returncode) == ("", 0)
