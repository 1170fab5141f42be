"""The answers of the original programs, given by the package: the same cases that tests/conformance.rs has for the program.

The cases are looked for where that test looks for them, and their absence is an error in CI only.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import pytest

import cqldex

from conftest import ROOT

GIVEN = os.environ.get("CQLDEX_CONFORMANCE")
FOLDER = Path(GIVEN) if GIVEN else ROOT.parent / "shared" / "conformance"
IS_THERE = (FOLDER / "games.pgn").exists()

pytestmark = pytest.mark.skipif(
    not IS_THERE and os.environ.get("CI") != "true", reason="there is no conformance folder"
)

#: How many games the cases of `relation.jsonl` were run on.
RELATION_GAMES = 600


@pytest.fixture(scope="module")
def games(tmp_path_factory: pytest.TempPathFactory) -> Iterator[cqldex.Database]:
    assert IS_THERE, f"there are no cases in {FOLDER}"
    path = tmp_path_factory.mktemp("conformance") / "db"
    cqldex.index(path, FOLDER / "games.pgn")
    with cqldex.open(path) as db:
        yield db


def cases(file: str) -> list[dict[str, Any]]:
    with open(FOLDER / file, encoding="utf-8") as lines:
        return [json.loads(line) for line in lines]


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@pytest.mark.parametrize(("file", "total"), [("positions", 899), ("games", 423), ("unicode", 291)])
def test_positions(games: cqldex.Database, file: str, total: int) -> None:
    def wrong(case: dict[str, Any]) -> str | None:
        result = games.query(case["query"], dialect="cql6", variations=case["variations"])
        lines = []
        for game, matches in groupby(result, key=lambda match: match.game):
            lines.append(f"{game}:{','.join(str(match.position) for match in matches)}\n")
        count = result.count()
        same = (digest("".join(lines)), count.games, count.positions)
        return None if same == (case["digest"], case["games"], case["positions"]) else case["id"]

    found = cases(f"{file}.jsonl")
    assert len(found) == total
    with ThreadPoolExecutor(2) as threads:
        assert [case for case in threads.map(wrong, found) if case] == []


def test_relations(games: cqldex.Database) -> None:
    def wrong(case: dict[str, Any]) -> str | None:
        result = games.query(case["query"], dialect="cql5", variations=case["variations"])
        matching = result.arrow(["game"]).column("game").unique().to_pylist()
        numbers = [str(game) for game in matching if game <= RELATION_GAMES]
        same = (digest(",".join(numbers) + "\n"), len(numbers))
        return None if same == (case["digest"], case["games"]) else case["id"]

    found = cases("relation.jsonl")
    assert len(found) == 150
    with ThreadPoolExecutor(2) as threads:
        assert [case for case in threads.map(wrong, found) if case] == []


def test_what_is_a_query() -> None:
    dialect: Literal["cql6"] = "cql6"
    found = cases("parse.jsonl")
    wrong = [case for case in found if (cqldex.check(case["query"], dialect=dialect) == []) != case["accepted"]]
    assert len(found) == 3913 and wrong == []
