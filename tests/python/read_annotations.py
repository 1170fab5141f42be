"""Reads the clocks and evaluations of a PGN file with python-chess, and prints one JSON array for each game: for each
position that has one of them, its number as CQL counts, clock and elapsed time in milliseconds, evaluation.

Run by tests/python.rs: read_annotations.py FILE
"""

import json
import sys

import chess.pgn

MATE, LARGEST = 32_000, 30_000


def milliseconds(seconds):
    # They come as floating-point numbers.
    return None if seconds is None else min(int(seconds * 1000 + 1e-6), 2**32 - 1)


def evaluation(score):
    if score is None:
        return None
    if score.is_mate():
        return score.white().score(mate_score=MATE)
    return max(-LARGEST, min(LARGEST, score.white().score()))


def in_order(node):
    """The positions as CQL numbers them: the continuation, then the variations."""
    yield node
    for child in node.variations:
        yield from in_order(child)


with open(sys.argv[1], encoding="utf-8") as file:
    while (game := chess.pgn.read_game(file)) is not None:
        read = []
        for number, node in enumerate(in_order(game)):
            values = [milliseconds(node.clock()), milliseconds(node.emt()), evaluation(node.eval())]
            if values != [None, None, None]:
                read.append([number, *values])
        print(json.dumps(read))
