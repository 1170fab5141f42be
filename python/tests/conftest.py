"""The sample games as a database, for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

import cqldex

ROOT = Path(__file__).resolve().parents[2]
SAMPLES = ROOT / "samples"


@pytest.fixture(scope="session")
def samples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The path of a database of all sample games, for tests that change nothing."""
    path = tmp_path_factory.mktemp("samples") / "samples.db"
    cqldex.index(path, [SAMPLES / "games.pgn", SAMPLES / "studies.pgn"])
    return path


@pytest.fixture
def db(samples: Path) -> Iterator[cqldex.Database]:
    """The same, open."""
    with cqldex.open(samples) as db:
        yield db


@pytest.fixture
def own(samples: Path, tmp_path: Path) -> Iterator[cqldex.Database]:
    """A copy that may be changed."""
    path = tmp_path / "own.db"
    shutil.copytree(samples, path)
    with cqldex.open(path) as db:
        yield db
