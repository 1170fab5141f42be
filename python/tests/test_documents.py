"""The examples of the documents, run as they stand there."""

from __future__ import annotations

import doctest
import os
import runpy
import shutil
from pathlib import Path

import pytest

import cqldex
from cqldex import _pattern

from conftest import ROOT, SAMPLES


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the sample games, in which a reader tries the examples."""
    for name in ("games.pgn", "studies.pgn"):
        shutil.copy(SAMPLES / name, tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("name", ["python/README.md", "docs/python.md"])
def test_examples_show_what_they_do(folder: Path, name: str) -> None:
    assert os.listdir(folder)
    failed, tried = doctest.testfile(
        str(ROOT / name), module_relative=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    )
    assert tried > 5 and failed == 0


@pytest.mark.parametrize("module", [cqldex, _pattern])
def test_examples_in_docstrings(module: object) -> None:
    failed, tried = doctest.testmod(module)  # type: ignore[arg-type]
    assert tried > 0 and failed == 0


def test_everything_public_is_documented() -> None:
    for name in cqldex.__all__:
        thing = getattr(cqldex, name)
        assert thing.__doc__, name
        assert thing.__module__.startswith("cqldex") or not isinstance(thing, type), name
        if isinstance(thing, type):
            for attribute, value in vars(thing).items():
                if not attribute.startswith("_"):
                    assert value.__doc__, f"{name}.{attribute}"


def test_the_reference_names_everything_public() -> None:
    text = (ROOT / "docs/python.md").read_text(encoding="utf-8")
    assert [name for name in cqldex.__all__ if f"`{name}" not in text and f".{name}" not in text] == []


def test_strong_players_are_the_same_three_ways(folder: Path) -> None:
    source = ROOT / "docs/python/strong_players.py"
    example = runpy.run_path(str(source))
    pgn = folder / "players.pgn"
    ratings = [(2500, 2400), (2500, 2399), (2400, "?"), (2600, 2700)]
    game = '[WhiteElo "{}"]\n[BlackElo "{}"]\n\n1. e4 e5 2. Nf3 *\n\n'
    pgn.write_text("".join(game.format(*pair) for pair in ratings))
    cqldex.index("players.db", pgn)
    with cqldex.open("players.db") as db:
        answers = {example[way](pgn, 2400) for way in ("parsing_all", "skipping")} | {example["asking"](db, 2400)}
    assert answers == {(2, 6)}


def test_the_tutorial_runs(folder: Path) -> None:
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(ROOT / "docs/python/tutorial.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    NotebookClient(notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(folder)}}).execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    kinds = {kind for output in outputs for kind in output.get("data", {})}
    assert {"image/png", "image/svg+xml", "text/html"} <= kinds
