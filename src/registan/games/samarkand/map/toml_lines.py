"""The lines of the values in a TOML text, which `tomllib` does not tell, for messages about faults."""

from __future__ import annotations

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:\\.|[^\\])*?"{3,5}|\'\'\'.*?\'{3,5}'  # multi-line strings
    r'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\''  # single-line strings
    r"|#[^\n]*|\n|[\[\]{}]|[^\s\"'#\[\]{}]+|.",
    re.DOTALL,
)
_PART = re.compile(r"\"((?:\\.|[^\"\\])*)\"|'([^']*)'|([A-Za-z0-9_-]+)")


def _statements(text: str) -> Iterator[tuple[int, str]]:
    """Yield every header and assignment: the line where it starts, and its text without comments."""
    line, depth, start, parts = 1, 0, 1, list[str]()
    for match in _TOKEN.finditer(text):
        token = match.group()
        if token == "\n" and depth == 0:
            if parts:
                yield start, "".join(parts)
                parts = []
        elif not token.startswith("#") and (parts or not token.isspace()):
            if not parts:
                start = line
            parts.append(token)
            depth += (token in "[{") - (token in "]}")
        line += token.count("\n")
    if parts:
        yield start, "".join(parts)


def _keys(dotted: str) -> Path:
    """Return the parts of a key such as `name.en` or `"a b".c`."""
    return tuple(a or b or c for a, b, c in _PART.findall(dotted))


def _before(statement: str) -> str:
    """Return what precedes the first equals sign outside quotes."""
    match = re.match(r"(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|[^=\"'])*", statement)
    return match.group() if match else ""


def lines(text: str) -> dict[Path, int]:
    """Return the line of every table and key of a valid TOML text.

    Paths index the loaded data: ("spaces", 3, "outline"). Values inside arrays have no line of their own; use
    `line_of`.
    """
    found: dict[Path, int] = {}
    counts: dict[Path, int] = {}
    table: Path = ()
    for line, statement in _statements(text):
        if statement.startswith("["):
            twice = statement.startswith("[[")
            names = _keys(statement)
            table = ()
            for i, part in enumerate(names):
                table += (part,)
                last = i == len(names) - 1
                if last and twice:
                    counts[table] = counts.get(table, 0) + 1
                    found.setdefault(table, line)
                if table in counts:
                    table += (counts[table] - 1,)
            found.setdefault(table, line)
        else:
            path = table
            for part in _keys(_before(statement)):
                path += (part,)
                found.setdefault(path, line)
    return found


def line_of(found: dict[Path, int], path: Path) -> int | None:
    """Return the line of a path, or of the closest enclosing value that has one."""
    for end in range(len(path), 0, -1):
        if path[:end] in found:
            return found[path[:end]]
    return None
