"""Frames of other packages."""

from __future__ import annotations

import datetime

import duckdb
import pandas
import polars
import pyarrow
import pytest

import cqldex

COLUMNS = ["game", "white", "date", "move", "result", "tag:Round"]
EXPECTED = [
    (11, "Lasker, Emanuel", datetime.date(1889, 8, 26), "15.Bxh7+", "1-0", "?"),
    (22, "Nimzowitsch, Aron", datetime.date(1914, 4, 28), "19...Bxh2+", "0-1", "?"),
    (24, "Capablanca, Jose Raul", datetime.date(1918, 10, 23), "17...Bh2+", "1-0", "1"),
    (32, "Glucksberg", None, "9...Bxh2+", "0-1", "?"),
]


@pytest.fixture
def gift(db: cqldex.Database) -> cqldex.Matches:
    return db.query("flipcolor flipvertical { Bh7 kg8 Q }", columns=COLUMNS)


def test_polars_takes_matches(gift: cqldex.Matches) -> None:
    for frame in (gift.pl(), polars.DataFrame(gift)):
        assert isinstance(frame, polars.DataFrame)
        assert frame.columns == COLUMNS == gift.columns
        assert frame.rows() == EXPECTED


def test_pyarrow_takes_matches(gift: cqldex.Matches) -> None:
    for table in (gift.arrow(), pyarrow.table(gift), pyarrow.RecordBatchReader.from_stream(gift).read_all()):
        assert [tuple(row.values()) for row in table.to_pylist()] == EXPECTED
    schema = gift.arrow().schema
    assert (schema.field("game").type, schema.field("date").type) == (pyarrow.int64(), pyarrow.date32())


def test_pandas_takes_matches(gift: cqldex.Matches) -> None:
    frame = gift.df()
    assert isinstance(frame, pandas.DataFrame)
    assert list(frame["white"]) == [row[1] for row in EXPECTED]


def test_duckdb_takes_matches(gift: cqldex.Matches) -> None:
    with duckdb.connect() as connection:
        assert connection.execute("from gift order by game").fetchall() == EXPECTED
        assert connection.execute("select count(*) from gift where result = '1-0'").fetchall() == [(2,)]


def test_frames_have_other_columns_on_demand(db: cqldex.Database) -> None:
    result = db.query("mate")
    assert result.columns[:5] == ["game", "position", "ply", "move", "fen"]
    # These need no board, so that no game is opened.
    frame = result.pl(["game", "position", "year"])
    assert frame.rows() == result.pl().join(frame, on=["game", "position"]).select("game", "position", "year").rows()
    assert frame.height == len(result)


def test_no_match_is_a_frame_without_rows(db: cqldex.Database) -> None:
    result = db.query("false")
    assert result.pl().height == 0 == result.arrow().num_rows == len(result.df())
    assert result.pl().columns == result.columns


def test_tables_are_frames(db: cqldex.Database) -> None:
    table = db.query("mate").by("year", "result")
    for frame in (table.pl(), polars.DataFrame(table)):
        assert frame.columns == table.columns and frame["games"].to_list() == table["games"]
    assert table.arrow().num_rows == len(table) == len(table.df())
    with duckdb.connect() as connection:
        connection.register("groups", table)
        assert connection.execute("select sum(positions) from groups").fetchall() == [(sum(table["positions"]),)]


def test_a_stream_can_be_left_early(db: cqldex.Database) -> None:
    reader = pyarrow.RecordBatchReader.from_stream(db.query("true"))
    reader.read_next_batch()
    del reader
    db.query("true").__arrow_c_stream__()
    assert db.query("mate").count().games > 0
