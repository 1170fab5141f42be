"""Reads a table with DuckDB or polars, and prints the types of its columns, then one JSON object for each row.

Run by tests/python.rs: read_tables.py duckdb|polars FILE
"""

import json
import pathlib
import sys

import duckdb
import polars

READERS = {
    ".csv": lambda file: polars.read_csv(file, try_parse_dates=True, infer_schema_length=None),
    ".json": lambda file: polars.read_ndjson(file, infer_schema_length=None),
    ".parquet": polars.read_parquet,
    ".arrow": polars.read_ipc,
    ".arrows": polars.read_ipc_stream,
}


class Stream:
    """Rows in memory, as the interface of Arrow gives them, which needs no library that both readers share."""

    def __init__(self, frame):
        self.frame = frame

    def __arrow_c_stream__(self, requested_schema=None):
        return self.frame.__arrow_c_stream__(requested_schema)


def with_polars(file):
    frame = READERS[file.suffix](file)
    types = {name: str(kind) for name, kind in frame.schema.items()}
    return types, frame.columns, frame.rows()


def with_duckdb(file):
    connection = duckdb.connect()
    if file.suffix.startswith(".arrow"):
        # DuckDB reads Arrow from memory.
        stream = Stream(READERS[file.suffix](file))
        relation = connection.sql("from stream")
    elif file.suffix == ".json":
        relation = connection.sql(f"from read_json('{file}', format = 'newline_delimited', sample_size = -1)")
    elif file.suffix == ".csv":
        relation = connection.sql(f"from read_csv('{file}', header = true, sample_size = -1, strict_mode = true)")
    else:
        relation = connection.sql(f"from '{file}'")
    types = {name: str(kind) for name, kind in zip(relation.columns, relation.types)}
    return types, relation.columns, relation.fetchall()


reader, file = sys.argv[1], pathlib.Path(sys.argv[2])
types, columns, rows = {"duckdb": with_duckdb, "polars": with_polars}[reader](file)
print(json.dumps(types))
for row in rows:
    values = [value.isoformat() if hasattr(value, "isoformat") else value for value in row]
    print(json.dumps(dict(zip(columns, values))))
