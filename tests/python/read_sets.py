"""Reads an exported set with pyroaring, and prints one JSON object for each segment.

Run by tests/python.rs: read_sets.py FOLDER
"""

import csv
import json
import pathlib
import sys

from pyroaring import BitMap

folder = pathlib.Path(sys.argv[1])
with open(folder / "segments.tsv", newline="") as table:
    for segment in csv.DictReader(table, delimiter="\t"):
        bitmap = BitMap.deserialize((folder / segment["file"]).read_bytes())
        assert len(bitmap) == int(segment["in_set"]), segment
        print(json.dumps({"firstGame": int(segment["first_game"]), "ids": list(bitmap)}))
