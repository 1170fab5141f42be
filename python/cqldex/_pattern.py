"""Queries that are diagrams."""

from __future__ import annotations

import re
from collections.abc import Iterable

from cqldex._cqldex import Query

_LETTERS = {"king": "k", "queen": "q", "rook": "r", "bishop": "b", "knight": "n", "pawn": "p"}
_SQUARE = re.compile(r"[a-h](-[a-h])?[1-8](-[1-8])?")


def pattern(*, turn: str | None = None, **men: str | Iterable[str]) -> Query:
    """A query that says where men stand.

    Each keyword is a color and a kind of man, and its value a square, or several: then there is such a man on each of
    them. Squares can be ranges as in CQL: `f1-8` is the file, `a-h7` the rank. `turn` is `"white"` or `"black"`. All
    symmetries of `Query` can be asked for: `.flipcolor()`, `.flipvertical()`, `.shift()`.

    >>> pattern(white_knight="f5", black_pawn=["g7", "h6"], turn="white")
    Query("Nf5 pg7 ph6 wtm")
    >>> pattern(white_bishop="h7", black_king="g8").flipcolor()
    Query("flipcolor { Bh7 kg8 }")

    Raises `ArgumentError` for other keywords and squares.
    """
    from cqldex._errors import ArgumentError

    filters = []
    for name, squares in men.items():
        color, _, kind = name.partition("_")
        letter = _LETTERS.get(kind)
        if letter is None or color not in ("white", "black"):
            raise ArgumentError(f"there is no man `{name}`; write white_knight or black_pawn, for example", "no-such-man")
        for square in [squares] if isinstance(squares, str) else squares:
            if not _SQUARE.fullmatch(square):
                raise ArgumentError(f"`{square}` is no square such as f5, and no range such as f1-8", "no-such-square")
            filters.append((letter.upper() if color == "white" else letter) + square)
    if turn not in (None, "white", "black"):
        raise ArgumentError(f"turn is white or black, not `{turn}`", "no-such-side")
    if turn is not None:
        filters.append("wtm" if turn == "white" else "btm")
    if not filters:
        raise ArgumentError("a pattern has at least one man, or a turn", "empty-pattern")
    return Query(" ".join(filters), dialect="cql6")
