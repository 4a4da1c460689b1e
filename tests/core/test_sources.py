"""Machine code is kept when nothing has changed that it depends on, and only then."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import pytest

import registan
from registan.core import rules, sources

PACKAGE = Path(registan.__file__).parent
FILES = sorted(PACKAGE.rglob("*.py"))
EVERY = {sources._name(PACKAGE, path) for path in FILES}
MARK = "from registan.core.compiled import compiled\n"
OURS = {path.relative_to(PACKAGE).as_posix() for path in sources.ours(PACKAGE)}


def test_imports_are_those_that_python_sees() -> None:
    for path in FILES:
        text = path.read_text("utf-8")
        seen: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Import):
                seen |= {name.name for name in node.names}
            elif isinstance(node, ast.ImportFrom):
                seen |= {str(node.module), *(f"{node.module}.{name.name}" for name in node.names)}
        # A docstring may show an import: that is one file too many, never one too few.
        assert seen & EVERY <= sources.imports(text, EVERY), path


def test_every_room_with_compiled_functions_is_known() -> None:
    marked = re.compile(r"^@(compiled|chosen_by_record|by_game)", re.MULTILINE)
    found = {path.relative_to(PACKAGE).as_posix() for path in FILES if marked.search(path.read_text("utf-8"))}
    assert len(found) > 30
    # Nobody calls what the measurements of `cli` compile, and Numba itself notices a change of their file.
    assert {path for path in found if not path.startswith("cli/")} <= OURS


def test_every_part_that_the_compiler_picks_from_is_known() -> None:
    assert set(re.findall(r'@by_game\("(\w+)"', inspect.getsource(rules))) == set(sources.PARTS)


def test_what_only_tells_and_draws_is_left_out() -> None:
    for game in ("khiva", "samarkand", "souk"):
        assert {
            f"games/{game}/{part}.py" for part in ("__init__", "rules", "secrets", "view", "bot", "observe")
        } <= OURS
        assert not {f"games/{game}/{part}.py" for part in ("text", "terminal", "picture", "guide")} & OURS
    assert {"__init__.py", "core/game.py", "core/warm.py", "bots/entry_points.py", "lab/warm.py"} <= OURS


@pytest.mark.parametrize(
    ("rules_py", "depends"),
    [
        (f"{MARK}from registan.games.chess.values import KING\n", True),
        (f"{MARK}from registan.games.chess import (\n    board,\n    values,\n)\n", True),
        (f"{MARK}def late():\n    import registan.games.chess.values as v\n", True),
        ("from registan.games.chess.values import KING\n", True),  # picked by name
        (MARK, False),
    ],
)
def test_a_constant_elsewhere_counts_if_it_is_imported(tmp_path: Path, rules_py: str, depends: bool) -> None:
    package = tmp_path / "registan"
    chess = package / "games" / "chess"
    (package / "core").mkdir(parents=True)
    chess.mkdir(parents=True)
    for name in ("__init__.py", "core/__init__.py", "core/compiled.py", "games/__init__.py", "games/chess/__init__.py"):
        (package / name).write_text("")
    (chess / "rules.py").write_text(rules_py)
    (chess / "values.py").write_text("from registan.games.chess.deep import KING\n")
    (chess / "deep.py").write_text("KING = 9\n")
    found = {path.name for path in sources.ours(package)}
    assert {"rules.py", "__init__.py"} <= found
    assert ("values.py" in found) == ("deep.py" in found) == depends
