"""What notebooks show: boards as SVG, matches as HTML."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cqldex._cqldex import Matches

#: A notebook shows this many matches, and this many of them with a board.
SHOWN = 10
BOARDS = 3

_MEN = dict(zip("KQRBNPkqrbnp", "\u265a\u265b\u265c\u265d\u265e\u265f" * 2, strict=True))


def board_svg(fen: str, last_move: tuple[str, str] | None = None, size: int = 240) -> str:
    """A board, drawn by python-chess where that is installed."""
    try:
        import chess.svg
    except ImportError:
        return plain_board_svg(fen, last_move, size)
    from cqldex._chess import board

    move = chess.Move.from_uci("".join(last_move)) if last_move and last_move[0] != last_move[1] else None
    return str(chess.svg.board(board(fen), lastmove=move, size=size))


def plain_board_svg(fen: str, last_move: tuple[str, str] | None = None, size: int = 240) -> str:
    """A board with the chess characters of the reader's fonts."""
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8" width="{size}" height="{size}" role="img">',
        f"<title>{escape(fen)}</title>",
        '<rect width="8" height="8" fill="#f0d9b5"/>',
        '<path fill="#b58863" d="',
        "".join(f"M{x} {y}h1v1h-1z" for y in range(8) for x in range(8) if (x + y) % 2),
        '"/>',
    ]
    for square in last_move or ():
        x, y = "abcdefgh".index(square[0]), 8 - int(square[1])
        parts.append(f'<rect x="{x}" y="{y}" width="1" height="1" fill="#cdd26a" fill-opacity=".8"/>')
    for y, rank in enumerate(fen.split()[0].split("/")):
        x = 0
        for letter in rank:
            if letter.isdigit():
                x += int(letter)
                continue
            fill, stroke = ("#fff", "#000") if letter.isupper() else ("#000", "#fff")
            parts.append(
                f'<text x="{x + 0.5}" y="{y + 0.82}" font-size=".9" text-anchor="middle" fill="{fill}" '
                # The variation selector asks for a character of text, not a picture.
                f'stroke="{stroke}" stroke-width=".025">{_MEN[letter]}\ufe0e</text>'
            )
            x += 1
    parts.append("</svg>")
    return "".join(parts)


def matches_html(matches: Matches) -> str:
    """The first matches as a table, the first of them with boards, and the totals."""
    summary = matches.count()
    shown = matches.head(SHOWN)
    rows = []
    for match in shown:
        cells = [f"{match.game}", escape(match.move or ""), f"<code>{escape(match.fen)}</code>"]
        rows.append("<tr>" + "".join(f'<td style="text-align:left">{cell}</td>' for cell in cells) + "</tr>")
    boards = "".join(
        f'<figure style="display:inline-block;margin:0 1em 0 0">{board_svg(match.fen, match._squares, 180)}'
        f"<figcaption>game {match.game}, {escape(match.move or 'start')}</figcaption></figure>"
        for match in shown[:BOARDS]
    )
    head = "".join(f'<th style="text-align:left">{name}</th>' for name in ("game", "move", "fen"))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{''.join(rows)}</tbody></table>" if rows else ""
    return (
        f"<div><p>{_counted(summary.positions, 'position')} in {_counted(summary.games, 'game')} match "
        f"<code>{escape(matches.query.text)}</code></p>{boards}{table}"
        + (f"<p>the first {len(shown)} of {summary.positions:,}</p>" if summary.positions > len(shown) else "")
        + "</div>"
    )


def _counted(number: int, thing: str) -> str:
    return f"{number:,} {thing}{'' if number == 1 else 's'}"
