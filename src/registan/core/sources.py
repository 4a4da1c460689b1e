"""Which files machine code depends on: a change in any other leaves it valid.

They are the files with compiled functions, those whose functions the compiler picks by name, and whatever these import
from `registan`, however indirectly: a constant of any of them may be part of the machine code.
"""

from __future__ import annotations

import re
from collections.abc import Set
from pathlib import Path

ROOMS = ("core", "games", "bots", "lab")
"""The packages that have compiled functions; a test checks that no others do."""
PARTS = ("rules", "secrets", "checks", "view", "bot", "observe", "net", "policy", "lab")
"""The modules of a game that `core.rules` picks functions from."""
ENTRIES = ("entry_points", "warm")
"""The modules that say what is compiled in advance, and for which types."""
COMPILER = "registan.core.compiled"

_IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+import[ \t]+(\([^)]*\)|.*)|import[ \t]+(.*))", re.MULTILINE)


def ours(package: Path) -> list[Path]:
    """Return the files under the folder of `registan` that machine code depends on."""
    modules = {_name(package, path): path for path in package.rglob("*.py")}
    imported: dict[str, set[str]] = {}
    todo = []
    for name, path in modules.items():
        room, *rest = name.split(".")[1:] or [""]
        if room in ROOMS:
            imported[name] = imports(path.read_text("utf-8"), modules.keys())
            last = rest[-1] if rest else ""
            if last in (PARTS if room == "games" else ENTRIES) or COMPILER in imported[name]:
                todo.append(name)
    found: set[str] = set()
    while todo:
        name = todo.pop()
        if name not in found and name in modules:
            found.add(name)
            if name not in imported:
                imported[name] = imports(modules[name].read_text("utf-8"), modules.keys())
            todo += [*imported[name], name.rpartition(".")[0]]  # importing a module runs its package first
    return sorted(modules[name] for name in found)


def imports(text: str, modules: Set[str]) -> set[str]:
    """Return which of these modules a source imports anywhere, as its lines say."""
    found: set[str] = set()
    for source, names, plain in _IMPORT.findall(text):
        words = re.findall(r"[\w.]+", plain or names)
        found |= {source, *(f"{source}.{word}" for word in words)} if source else set(words)
    return found & modules


def _name(package: Path, path: Path) -> str:
    parts = [package.name, *path.relative_to(package).with_suffix("").parts]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
