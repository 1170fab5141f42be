"""The exceptions. All of them are an `Error`, and have a `code` that does not change between versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cqldex._cqldex import Diagnostic


class Error(Exception):
    """Something could not be done.

    `code` names the cause: lower case and hyphens, such as `not-a-database`; of a query it is that of its first
    diagnostic, such as `Q301`.
    """

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code)


class QueryError(Error, ValueError):
    """A text is not a query. `str()` shows each place with a caret, as the command line does.

    `text` is the query, `diagnostics` has all that is wrong with it, and `message` is the first of them.
    """

    def __init__(self, rendered: str, code: str, text: str, diagnostics: list[Diagnostic]) -> None:
        super().__init__(rendered, code)
        self.text = text
        self.diagnostics = diagnostics

    @property
    def message(self) -> str:
        """What is wrong first, in one line."""
        return self.diagnostics[0].message

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where it is wrong: characters of `text`, the end exclusive."""
        return [diagnostic.span for diagnostic in self.diagnostics]

    def __reduce__(self) -> tuple[object, ...]:
        return type(self), (str(self), self.code, self.text, self.diagnostics)


class EvaluationError(QueryError):
    """A query stopped with an error while it ran: an `assert` that failed, a loop that did not end."""


class DatabaseError(Error):
    """A database can't be opened, read or written; `code` says why."""


class LockedError(DatabaseError):
    """Another process writes to the database."""


class DamageError(DatabaseError):
    """Something stored is damaged or missing."""


class ForkError(DatabaseError):
    """The database was opened before the process was forked. Open it again in the new process."""


class PgnError(Error):
    """A file of games can't be read."""


class SetError(Error):
    """A named set is missing, there already, damaged, or can't be what was asked for."""


class ArgumentError(Error, ValueError):
    """There is no column, group, transform or dialect of that name, or queries can't be combined."""


class CancelledError(Error):
    """A search was stopped."""


class QueryTimeoutError(Error, TimeoutError):
    """A search took longer than its `timeout`."""


# Where users find them.
for _class in [Error, *Error.__subclasses__(), *QueryError.__subclasses__(), *DatabaseError.__subclasses__()]:
    _class.__module__ = "cqldex"
