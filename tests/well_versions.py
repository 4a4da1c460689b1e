"""The example game before and after a change of its rules: the new package keeps the old rules as its version 1."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from registan.core import engine, game, messages, registry, rules
from registan.tables.boxes import open_box

OLD = "registan_well"
"""The package of version 1, as it is in `examples`."""
NEW = "newer_well"
SOURCE = Path(__file__).resolve().parent.parent / "examples" / "well" / OLD
FROM_LEAST, FROM_MOST = (
    "    for action in range(THIRSTS):\n        thirsty = 0",
    ("    for action in range(THIRSTS - 1, -1, -1):\n        thirsty = 0"),
)
"""W3 before and after: who drinks first."""


def make_newer(site: Path, keep_old: bool = True, same_state: bool = False, version: int = 2) -> None:
    """Write the package with the new rules into a folder, with version 1 in it unless it forgets that."""
    package = site / NEW
    shutil.copytree(SOURCE, package, ignore=shutil.ignore_patterns("__pycache__"))
    for path in package.glob("*.py"):
        path.write_text(path.read_text().replace(OLD, NEW))
    init = package / "__init__.py"
    init.write_text(init.read_text().replace('    key="well",\n', f'    key="well",\n    version={version},\n'))
    changed = package / "rules.py"
    assert FROM_LEAST in changed.read_text()
    changed.write_text(changed.read_text().replace(FROM_LEAST, FROM_MOST))
    if keep_old:
        (package / "v1").mkdir()
        about = f"from {NEW} import GAME as PRESENT\n\nGAME = PRESENT.older(__name__, 1)\n"
        (package / "v1" / "__init__.py").write_text(about)
        text = (SOURCE / "rules.py").read_text()
        last = '        ("points", "i2", (SEATS,)),\n    ]'
        marked = text.replace(last, f"{last},\n    version=1,")
        assert marked != text
        (package / "v1" / "rules.py").write_text(text if same_state else marked)


@contextmanager
def installed(package: str, site: Path | None = None) -> Iterator[None]:
    """Install the game from one of the packages for a while."""

    def forget() -> None:
        for cached in (registry.packages, registry.find, messages.catalogue, open_box, game._exists):
            cached.cache_clear()
        for name in list(sys.modules):
            if name.partition(".")[0] == NEW:
                del sys.modules[name]

    with pytest.MonkeyPatch.context() as patched:
        points = [EntryPoint("well", package, registry.GROUP)]
        patched.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
        patched.setattr(messages, "_games", list(messages._games))
        patched.setattr(rules, "_games", dict(rules._games))
        # A process tells machine code apart by the key of its game, so with two packages of one key nothing may use it.
        patched.setattr(engine, "is_compiled", lambda game: False)
        patched.setattr(engine, "_compiled", set(engine._compiled))
        patched.setattr(engine, "_loaded", set())
        if site is not None:
            patched.syspath_prepend(str(site))
        forget()
        yield
    forget()
