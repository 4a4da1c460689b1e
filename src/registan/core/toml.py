"""Reading TOML that somebody else wrote."""

from __future__ import annotations

import tomllib
from typing import Any

MOST_DOTS = 500
"""Dots in a line: more than in a list of many numbers."""


def loads(text: str) -> dict[str, Any]:
    """Return the values of a text; raise ValueError or RecursionError if it is not TOML, or a line has too many dots.

    `tomllib` keeps every beginning of a dotted key, and a key is always within a line: one of 30,000 parts would take
    gigabytes.
    """
    for number, line in enumerate(text.split("\n"), 1):
        if line.count(".") > MOST_DOTS:
            raise ValueError(f"more than {MOST_DOTS} dots in a line (at line {number}, column 1)")
    return tomllib.loads(text)
