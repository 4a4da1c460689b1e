"""Examples of data: … stands for what is left out, and the rest is like something real.

The fields of an example are those of a real one, with values of the same kind, and none is missing without a …
"""

from __future__ import annotations

import json
import re
from typing import Any

LEFT_OUT = "…"


def values(text: str) -> list[Any]:
    """Return the values of an example, one after the other; … is kept where it stands for fields or elements."""
    whole = re.sub(r'"[^"]*"|…', lambda found: '"…": "…"' if found[0] == LEFT_OUT else found[0], text)
    whole = re.sub(r'\[([^\[\]{}]*)"…": "…"', r'[\1"…"', whole)
    whole = re.sub(r'(\]|\}), "…": "…"(\s*\])', r'\1, "…"\2', whole)
    decoder, found, rest = json.JSONDecoder(), [], whole.strip()
    while rest:
        value, end = decoder.raw_decode(rest)
        found.append(value)
        rest = rest[end:].strip()
    return found


def bare(value: Any) -> Any:
    """Return a value without what stands for something left out."""
    if isinstance(value, dict):
        return {key: bare(part) for key, part in value.items() if key != LEFT_OUT}
    return [bare(part) for part in value if part != LEFT_OUT] if isinstance(value, list) else value


def differences(example: Any, real: Any, where: str = "") -> list[str]:
    """Return where an example is not like a real value."""
    if isinstance(example, dict) and isinstance(real, dict):
        found = [f"{where}: no field {key}" for key in example if key not in real and key != LEFT_OUT]
        if example and LEFT_OUT not in example:
            found += [f"{where}: the field {key} is missing" for key in real if key not in example]
        for key in example.keys() & real.keys():
            found += differences(example[key], real[key], f"{where}.{key}")
        return found
    if isinstance(example, list) and isinstance(real, list):
        shown = [part for part in example if part != LEFT_OUT]
        return differences(shown[0], real[0], f"{where}[0]") if shown and real else []
    number = (int, float)
    same = isinstance(example, type(real)) or (isinstance(example, number) and isinstance(real, number))
    return [] if same or real is None else [f"{where}: {example!r} instead of something like {real!r}"]
