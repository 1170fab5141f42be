"""Progress: a bar of tqdm, or a function of the caller's."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol


class Progress(NamedTuple):
    """How far a search or an indexing run is."""

    done: int
    """Games that are searched, or bytes that are read."""
    total: int | None
    """All games or bytes; `None` if that is not known."""
    games: int
    """Games that match, or that are indexed."""
    positions: int
    """Positions that match, or that are indexed."""


class Watcher(Protocol):
    """Who is told."""

    def tell(self, done: int, total: int | None, games: int, positions: int) -> None:
        """It is so far."""

    def end(self) -> None:
        """It has ended, well or not."""


def watcher(progress: bool | Callable[[Progress], object] | None, unit: str) -> Watcher | None:
    """Makes something to tell of an argument `progress`; `unit` is `games` or `bytes`."""
    if progress is None or progress is False:
        return None
    if callable(progress):
        return _Function(progress)
    if progress is not True:
        raise TypeError(f"progress is True, False or a function, not {progress!r}")
    try:
        from tqdm.auto import tqdm
    except ImportError:
        warnings.warn("progress=True shows a bar where tqdm is installed", stacklevel=3)
        return None
    return _Bar(tqdm, unit)


class _Function:
    def __init__(self, function: Callable[[Progress], object]) -> None:
        self.function = function

    def tell(self, done: int, total: int | None, games: int, positions: int) -> None:
        self.function(Progress(done, total, games, positions))

    def end(self) -> None:
        pass


class _Bar:
    def __init__(self, tqdm: Any, unit: str) -> None:
        self.tqdm = tqdm
        self.unit = unit
        self.bar: Any = None

    def tell(self, done: int, total: int | None, games: int, positions: int) -> None:
        # A bar that is there for a moment only is a flicker: it comes with the first news.
        if self.bar is None:
            is_bytes = self.unit == "bytes"
            self.bar = self.tqdm(total=total, unit="B" if is_bytes else " games", unit_scale=is_bytes)
        self.bar.total = total
        self.bar.set_postfix_str(f"{games:,} games, {positions:,} positions", refresh=False)
        self.bar.update(done - self.bar.n)

    def end(self) -> None:
        if self.bar is not None:
            self.bar.close()
