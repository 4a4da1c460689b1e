"""Compiling the rules, which are plain Python functions, to machine code that is cached on disk.

A function marked `@compiled` stays an ordinary function: called from Python, it runs interpreted. `jit(f)` returns its
machine-code twin, compiled together with every marked function that `f` calls. So both modes work in one process: the
server answers interpreted while the compiler is busy, and tests compare the two.
With REGISTAN_INTERPRET=1, `jit` returns the function itself.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import time
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])

INTERPRET = os.environ.get("REGISTAN_INTERPRET", "") not in ("", "0")
ALONE = False
"""Whether nobody else needs Numba in this process, so that how it links may be changed (`core.linking`).

A program that imports Registan may compile functions of its own; the `registan` command does not, and says so here."""

_marked: list[Callable[..., Any]] = []
_jitted: dict[Callable[..., Any], Callable[..., Any]] = {}


def compiled(f: F) -> F:
    """Mark a function as compilable and return it unchanged."""
    _marked.append(f)
    return f


def chosen_by_record(choose: Callable[[Any], Callable[..., Any]]) -> Callable[[F], F]:
    """Mark a generic function: compiled code calls `choose(record type)` instead, chosen at compile time.

    Numba caches this across processes, unlike compiled functions passed as arguments.
    """

    def mark(f: F) -> F:
        f.__registan_choose__ = choose  # type: ignore[attr-defined]
        _marked.append(f)
        return f

    return mark


def compiled_as(make: Callable[[], Callable[..., Any]]) -> Callable[[F], F]:
    """Mark a function for which compiled code runs what `make` returns, which must give the same results."""

    def mark(f: F) -> F:
        f.__registan_make__ = make  # type: ignore[attr-defined]
        _marked.append(f)
        return f

    return mark


def sources() -> list[Path]:
    """Return every file that machine code depends on; of games from other packages, that is all they have."""
    from registan.core import registry, sources

    others = (path for folder in registry.folders() for path in folder.rglob("*.py"))
    return sorted([*sources.ours(Path(__file__).resolve().parent.parent), *others])


@cache
def cache_folder() -> Path:
    """Return the folder for machine code of exactly these sources.

    Numba checks only the file of the compiled function, not those of its callees, so the folder's name contains a
    digest of all sources. It also contains where they are, as Numba finds only code that was compiled there.
    """
    here = Path(__file__).resolve().parent
    digest = hashlib.sha256(f"{sys.version} {version('numba')} {here}".encode())  # importing Numba takes a second
    for path in sources():
        digest.update(path.read_bytes())
    home = Path(os.environ.get("REGISTAN_CACHE") or Path(os.environ.get("XDG_CACHE_HOME") or "~/.cache") / "registan")
    folder = home.expanduser() / f"numba-{digest.hexdigest()[:16]}"
    if not folder.exists():
        _forget_old(folder.parent)
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _forget_old(home: Path, days: float = 14) -> None:
    """Remove machine code that has not been used for a while."""
    for old in home.glob("numba-*"):
        if time.time() - old.stat().st_mtime > days * 86400:
            shutil.rmtree(old, ignore_errors=True)


def jit(f: F) -> F:
    """Return the machine-code twin of a marked function, compiled or loaded from disk on its first call."""
    if INTERPRET:
        return f
    if f not in _jitted:
        import numba

        if ALONE:
            from registan.core.linking import link_once

            link_once()
        numba.config.CACHE_DIR = str(cache_folder())  # type: ignore[attr-defined]
        _teach_numba()
        _jitted[f] = numba.njit(cache=True, nogil=True, error_model="numpy")(f)
    return _jitted[f]  # type: ignore[return-value]


def _teach_numba() -> None:
    """Register every function marked so far with Numba, so that compiled code can call it."""
    from registan.core.calls import teach

    while _marked:
        f = _marked.pop()
        choose, make = getattr(f, "__registan_choose__", None), getattr(f, "__registan_make__", None)
        teach(f, _chooser(choose) if choose is not None else _always(f if make is None else make()))


def _always(made: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *types: made


def _chooser(choose: Callable[[Any], Callable[..., Any]]) -> Callable[..., Any]:
    """Return the function that Numba calls, with types instead of values, for what to compile."""

    def pick(box: Any, s: Any, *rest: Any) -> Callable[..., Any]:
        found = choose(s)
        _teach_numba()  # choosing may have loaded a part of the game
        return found

    return pick
