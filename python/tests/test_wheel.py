"""The wheel, installed into an environment with nothing else."""

from __future__ import annotations

import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

from conftest import SAMPLES

WHEEL = os.environ.get("CQLDEX_WHEEL")

pytestmark = pytest.mark.skipif(WHEEL is None, reason="CQLDEX_WHEEL names no wheel; `python/test` does")


def test_there_is_one_wheel_for_all_versions() -> None:
    wheel = Path(WHEEL or "")
    _, _, python, abi, _ = wheel.stem.split("-")
    assert (python, abi) == ("cp310", "abi3")
    names = zipfile.ZipFile(wheel).namelist()
    assert {"cqldex/__init__.py", "cqldex/py.typed", "cqldex/_cqldex.pyi", "cqldex/_cqldex.abi3.so"} <= set(names)
    assert "LICENSE" in {Path(name).name for name in names}
    assert not any("test" in name or "sbom" in name for name in names)


def test_it_runs_in_an_empty_environment(tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=True)
    python = tmp_path / "venv/bin/python"
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--no-index", "--no-deps", str(WHEEL)], check=True)
    program = f"""
import cqldex, sys
cqldex.index("games.db", {str(SAMPLES / "games.pgn")!r})
with cqldex.open("games.db") as db:
    matches = db.query("mate")
    print(len(matches), matches.head(1)[0].move, "<svg" in matches._repr_html_(), cqldex.__version__)
    try:
        matches.pl()
    except ImportError as error:
        print(error)
"""
    ran = subprocess.run([python, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True)
    first, second = ran.stdout.splitlines()
    assert first.split()[1:] == ["8.Bg6#", "True", "0.1.0"] and int(first.split()[0]) > 5
    assert second == "pl() needs the package polars: pip install polars"
    assert sys.version_info >= (3, 10)
