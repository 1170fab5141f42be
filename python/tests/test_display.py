"""What notebooks show."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest

import cqldex
from cqldex import _display

SVG = "{http://www.w3.org/2000/svg}"


def test_a_match_is_a_board(db: cqldex.Database) -> None:
    match = db.query("mate").head(1)[0]
    assert ElementTree.fromstring(match._repr_svg_()).tag == SVG + "svg"


def test_without_python_chess_there_is_a_board_too(
    db: cqldex.Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "chess", None)
    monkeypatch.setitem(sys.modules, "chess.svg", None)
    match = db.query("mate").head(1)[0]
    root = ElementTree.fromstring(match._repr_svg_())
    men = root.findall(SVG + "text")
    assert len(men) == sum(letter.isalpha() for letter in match.fen.split()[0])
    # The two squares of the last move, beside the board itself.
    assert len(root.findall(SVG + "rect")) == 3
    with pytest.raises(ImportError, match="pip install chess"):
        match.board()
    with pytest.raises(ImportError, match="pip install chess"):
        db.game(1).to_chess()


def test_a_man_stands_on_its_square() -> None:
    root = ElementTree.fromstring(_display.plain_board_svg("8/8/8/8/8/8/6k1/K7 w - - 0 1"))
    men = [(man.get("x"), man.get("y"), man.get("fill")) for man in root.findall(SVG + "text")]
    assert men == [("6.5", "6.82", "#000"), ("0.5", "7.82", "#fff")]


class Checked(HTMLParser):
    """Counts tags, and checks that they are closed."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.open.append(tag)
        self.tags.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def checked(html: str) -> list[str]:
    parser = Checked()
    parser.feed(html)
    assert parser.open == []
    return parser.tags


def test_an_answer_is_a_table_with_boards(db: cqldex.Database) -> None:
    html = db.query("flipcolor flipvertical { Bh7 kg8 Q }")._repr_html_()
    tags = checked(_without_svg(html))
    assert tags.count("tr") == 5
    assert html.count("<svg") == _display.BOARDS
    assert "4 positions in 4 games match <code>flipcolor" in html
    assert "15.Bxh7+" in html


def _without_svg(html: str) -> str:
    parts = html.split("<svg")
    return parts[0] + "".join(part.split("</svg>", 1)[1] for part in parts[1:])


def test_a_long_answer_says_how_long(db: cqldex.Database) -> None:
    html = db.query("true")._repr_html_()
    assert f"the first 10 of {db.query('true').count().positions:,}" in html
    assert "<table>" not in db.query("false")._repr_html_()


def test_texts_of_users_have_no_meaning_in_html(db: cqldex.Database) -> None:
    html = db.query('#[Aa] < 5 "<b>" < "<i>"')._repr_html_()
    assert "<b>" not in html and "&lt;b&gt;" in html


def test_a_table_is_html(db: cqldex.Database) -> None:
    table = db.query("mate").by("result", "side")
    tags = checked(table._repr_html_())
    assert tags.count("tr") == len(table) + 1
    long = db.query("true").by("player")
    assert f"the first 30 of {len(long)} rows" in long._repr_html_()
