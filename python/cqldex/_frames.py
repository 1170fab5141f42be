"""Frames of other packages, made of a stream of Arrow."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

from cqldex._cqldex import Stream

#: The method of ours, by the package whose frame it makes.
_METHODS = {"pyarrow": "arrow", "polars": "pl", "pandas": "df"}


def taker(package: str) -> Callable[[Stream], Any]:
    """What makes a frame of a stream: `polars.DataFrame`, for example."""
    module = _imported(package, _METHODS[package])
    if package == "pyarrow":
        return lambda stream: module.table(stream)
    if package == "polars":
        return lambda stream: module.DataFrame(stream)
    # pandas reads Arrow with pyarrow.
    pyarrow = _imported("pyarrow", "df")
    return lambda stream: pyarrow.table(stream).to_pandas()


def _imported(package: str, method: str) -> Any:
    try:
        return importlib.import_module(package)
    except ImportError as error:
        raise ImportError(f"{method}() needs the package {package}: pip install {package}", name=package) from error
