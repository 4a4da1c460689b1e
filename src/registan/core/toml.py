"""Reading TOML that somebody else wrote."""

from __future__ import annotations

import re
import tomllib
from typing import Any

MOST_PARTS = 16
"""Parts of a dotted key."""
_PART = r"""(?:[A-Za-z0-9_-]++|"(?:\\.|[^"\\\n])*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"(?<![A-Za-z0-9_-]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{{MOST_PARTS}}}")


def loads(text: str) -> dict[str, Any]:
    """Return the values of a text; raise ValueError or RecursionError if it is not TOML, or has too long a key.

    `tomllib` keeps every beginning of a dotted key: a key of 30,000 parts would take gigabytes. A text in quotes that
    looks like such a key is refused too: whoever tells them apart must read TOML exactly as `tomllib` does.
    """
    found = _LONG_KEY.search(text)
    if found is not None:
        line = text.count("\n", 0, found.start()) + 1
        column = found.start() - text.rfind("\n", 0, found.start())
        raise ValueError(f"a key has more than {MOST_PARTS} parts (at line {line}, column {column})")
    return tomllib.loads(text)
