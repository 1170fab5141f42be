"""Queries: errors, compiling, combining."""

from __future__ import annotations

import copy
import pickle

import pytest

import cqldex
from cqldex import ArgumentError, Query, QueryError


def found(db: cqldex.Database, query: str | Query, variations: bool | None = None) -> set[tuple[int, int]]:
    return {(match.game, match.position) for match in db.query(query, variations=variations)}


def test_errors_have_codes_and_places() -> None:
    text = "Kg1 \u265a chek"
    (diagnostic,) = cqldex.check(text)
    assert diagnostic.code == "Q301"
    assert text[slice(*diagnostic.span)] == "chek", "characters, not bytes"
    assert cqldex.check("Kg1 chek")[0].label == "did you mean `check`?"
    assert "^^^^" in str(diagnostic)
    assert cqldex.check("mate") == []
    assert cqldex.check("(match (position Rc3 qg3))", dialect="cql1") == []


def test_an_exception_looks_like_the_command_line() -> None:
    with pytest.raises(QueryError) as caught:
        Query("Kg1 chek")
    error = caught.value
    assert isinstance(error, ValueError) and isinstance(error, cqldex.Error)
    assert (error.code, error.spans, error.text) == ("Q301", [(4, 8)], "Kg1 chek")
    assert error.message == cqldex.check("Kg1 chek")[0].message
    lines = str(error).splitlines()
    assert lines[0].startswith("error[Q301]") and any(line.strip(" |").startswith("^^^^") for line in lines)


def test_a_query_says_what_it_is() -> None:
    query = Query('sort "men" #[Aa]')
    assert (query.kind, query.sort_keys, query.dialect) == ("numeric", ["men"], "cql6")
    assert Query("(match (position Rc3 qg3))").dialect == "cql1"
    assert Query("mate") == Query("mate") != Query("check")
    assert len({Query("mate"), Query("mate"), Query("check")}) == 2
    for other in (copy.copy(query), pickle.loads(pickle.dumps(query))):
        assert other == query
    assert (str(query), repr(Query("mate"))) == ('sort "men" #[Aa]', 'Query("mate")')
    with pytest.raises(ArgumentError):
        Query("mate", dialect="cql7")  # type: ignore[arg-type]


PARTS = [
    "mate",
    "check wtm",
    "N attacks k",
    "x = k  A attacks x",
    "piece x = N  x attacks q",
    "function f(it) { it attacks k }  f(B)",
    "flipcolor { Kg1 kg8 }",
    "#[Aa] < 8 // few men",
    "cql(variations) find 2 mate",
    "(match (position :shift Kg1 Ph2))",
    "ply > 20 or check",
    "year > 1900",
]


@pytest.mark.parametrize("a", PARTS)
@pytest.mark.parametrize("b", PARTS)
def test_combinations_are_those_of_sets(db: cqldex.Database, a: str, b: str) -> None:
    first, second = Query(a), Query(b)
    of_first, of_second = found(db, first, True), found(db, second, True)
    assert found(db, first & second, True) == of_first & of_second
    assert found(db, first | second, True) == of_first | of_second


@pytest.mark.parametrize("a", PARTS)
def test_a_negation_is_the_rest(db: cqldex.Database, a: str) -> None:
    everything = found(db, "true", True)
    assert found(db, ~Query(a), True) == everything - found(db, a, True)


def test_texts_can_be_combined_with_queries(db: cqldex.Database) -> None:
    mate = Query("mate")
    assert ("wtm" & mate).text == "{ wtm }\n{ mate }"
    assert (mate | "stalemate").text == "{ mate }\nor { stalemate }"
    assert (mate & "wtm" & ~Query("Q")).text == "{ { mate }\n{ wtm } }\n{ not { Q } }"
    with pytest.raises(TypeError):
        mate & 3  # type: ignore[operator]


def test_headers_stay_or_are_refused() -> None:
    variations = Query("cql(variations) mate")
    assert (variations & "K").text.startswith("cql(variations)\n")
    assert (~variations).text == "cql(variations)\nnot { mate }"
    with pytest.raises(ArgumentError, match="headers differ"):
        variations & Query("cql(quiet) K")
    with pytest.raises(ArgumentError, match="`result`.*chooses whole games"):
        Query("cql(result 1-0) mate") | "K"
    with pytest.raises(ArgumentError, match="matchcount"):
        Query("cql(matchcount 2) mate") & "K"


def test_transforms_stand_around_the_query(db: cqldex.Database) -> None:
    pattern = cqldex.pattern(white_bishop="h7", black_king="g8", white_queen="a-h1-8")
    assert pattern.text == "Bh7 kg8 Qa-h1-8"
    both = pattern.flipvertical().flipcolor()
    assert found(db, both) == found(db, "flipcolor flipvertical { Bh7 kg8 Q }")
    assert pattern.transform("rotate90").text == "rotate90 { Bh7 kg8 Qa-h1-8 }"
    with pytest.raises(ArgumentError, match="rotate45"):
        pattern.transform("turn")


def test_a_pattern_is_a_diagram(db: cqldex.Database) -> None:
    assert cqldex.pattern(white_pawn=["e4", "d4"], turn="black").text == "Pe4 Pd4 btm"
    with pytest.raises(ArgumentError, match="white_horse"):
        cqldex.pattern(white_horse="e4")
    for square in ("e9", "e4 mate", ""):
        with pytest.raises(ArgumentError):
            cqldex.pattern(white_pawn=square)
    with pytest.raises(ArgumentError):
        cqldex.pattern()
    with pytest.raises(ArgumentError):
        cqldex.pattern(turn="red")
