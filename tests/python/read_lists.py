"""Reads roaring bitmaps with pyroaring, and prints for each how many ids it has and the SHA-256 of them.

Run by tests/python.rs: read_lists.py FOLDER
"""

import array
import hashlib
import pathlib
import sys

from pyroaring import BitMap

for path in sorted(pathlib.Path(sys.argv[1]).iterdir()):
    ids = array.array("I", BitMap.deserialize(path.read_bytes()))
    if sys.byteorder == "big":
        ids.byteswap()
    print(path.name, len(ids), hashlib.sha256(ids.tobytes()).hexdigest())
