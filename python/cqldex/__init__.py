"""Index chess games once, then ask CQL queries in milliseconds.

>>> import cqldex
>>> _ = cqldex.index("games.db", "games.pgn")          # doctest: +SKIP
>>> with cqldex.open("games.db") as db:                # doctest: +SKIP
...     for match in db.query("mate N attacks k"):
...         print(match.game, match.move, match.fen)

| to | use |
|---|---|
| make a database of PGN files, or add to one | `index`, `Database.add` |
| open a database | `open` |
| ask | `Database.query`, which gives `Matches` |
| list, count, group, draw, export what matches | `Matches` |
| check, compile and combine queries | `check`, `Query`, `pattern` |
| look at a game | `Database.game` |
| know what went wrong | `Error` and the classes below it |
"""

import os as _os
from importlib.metadata import version as _version

from cqldex._cqldex import (
    Database,
    Diagnostic,
    Game,
    IndexSummary,
    Match,
    Matches,
    MatchIterator,
    Query,
    SetInfo,
    Stats,
    Summary,
    Table,
    check,
    index,
    open,
)
from cqldex._cqldex import before_fork as _before_fork
from cqldex._errors import (
    ArgumentError,
    CancelledError,
    DamageError,
    DatabaseError,
    Error,
    EvaluationError,
    ForkError,
    LockedError,
    PgnError,
    QueryError,
    QueryTimeoutError,
    SetError,
)
from cqldex._pattern import pattern
from cqldex._progress import Progress

# Where processes can be forked, RocksDB has to be told before.
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(before=_before_fork)

__version__: str = _version("cqldex")

__all__ = [
    "ArgumentError",
    "CancelledError",
    "DamageError",
    "Database",
    "DatabaseError",
    "Diagnostic",
    "Error",
    "EvaluationError",
    "ForkError",
    "Game",
    "IndexSummary",
    "LockedError",
    "Match",
    "MatchIterator",
    "Matches",
    "PgnError",
    "Progress",
    "Query",
    "QueryError",
    "QueryTimeoutError",
    "SetError",
    "SetInfo",
    "Stats",
    "Summary",
    "Table",
    "check",
    "index",
    "open",
    "pattern",
]
