"""The registry: built-in games, and those of other packages."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path

import numpy as np
import pytest

from registan.core import batch, compiled, messages, registry, rules
from registan.core.box import blank
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Box, record_type
from registan.core.registry import find, keys
from registan.games.khiva import GAME

BUILT_IN = ("khiva", "samarkand", "souk")

ABOUT = """
from registan.core.game import Game

GAME = Game(
    package=__name__, key="tiny", name={"en": "Tiny", "fr": "Minuscule"}, players=range(2, 4), usual=2, minutes=1,
    credits="", letter="T", rule_count=1, box_names=("tiny",),
)
"""
RULES = """
from registan.core.compiled import compiled
from registan.core.game import record_type

STATE = record_type([
    ("rng", "u8", (4,)), ("players", "i1"), ("waiting", "i1"), ("due", "i1"), ("over", "i1"), ("left", "i1"),
])
MOST = 3
SCORES = ("total",)


@compiled
def setup(box, s):
    s.left = 10
    s.waiting = 1


@compiled
def legal(box, s, seat, out):
    for i in range(MOST):
        out[i] = 1 + i
    return MOST


@compiled
def act(box, s, seat, action):
    s.left = max(0, s.left - action)
    s.over = s.left == 0
    s.waiting = 0 if s.over else 3 - s.waiting
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install packages of others: `install({"file": "text"}, key="package")`."""

    def installed(files: dict[str, str], **games: str) -> None:
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        points = [EntryPoint(key, package, registry.GROUP) for key, package in games.items()]
        monkeypatch.setattr(registry, "entry_points", lambda group: points if group == registry.GROUP else [])
        forget()

    def forget() -> None:
        for cached in (registry.packages, registry.find, messages.catalogue):
            cached.cache_clear()

    before = set(sys.modules)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(messages, "_games", list(messages._games))
    monkeypatch.setattr(rules, "_games", dict(rules._games))
    yield installed
    monkeypatch.undo()
    forget()
    for name in set(sys.modules) - before:
        if name.partition(".")[0] in ("tiny", "broken"):
            del sys.modules[name]


def test_the_games_of_the_package_are_found_by_key() -> None:
    assert set(BUILT_IN) <= set(keys())
    assert find("khiva") is GAME
    assert all(find(key).key == key for key in BUILT_IN)


def test_a_key_that_no_game_has_is_refused_with_those_there_are(install: Install) -> None:
    install({})
    with pytest.raises(BadInput, match="There is no game “go”: choose one of khiva, samarkand, souk"):
        find("go")


def test_another_package_brings_a_game(install: Install, tmp_path: Path) -> None:
    install({"tiny/__init__.py": ABOUT, "tiny/rules.py": RULES}, tiny="tiny")
    assert keys() == (*BUILT_IN, "tiny")
    assert "tiny" not in sys.modules, "nothing is imported before it is asked for"
    assert registry.folders() == [tmp_path / "tiny"]
    assert tmp_path / "tiny" / "rules.py" in compiled.sources()
    assert "tiny" not in sys.modules
    assert find("tiny").name["fr"] == "Minuscule"
    assert find("tiny").folder == tmp_path / "tiny"


def test_the_messages_of_a_game_are_known_once_it_is_found(install: Install) -> None:
    texts = {f"tiny/messages/{lang}.json": f'{{"tiny.hello": "{lang}"}}' for lang in messages.LANGUAGES}
    install({"tiny/__init__.py": ABOUT, **texts}, tiny="tiny")
    assert "tiny.hello" not in messages.catalogue("en")
    find("tiny")
    assert [messages.say(lang, "tiny.hello") for lang in messages.LANGUAGES] == list(messages.LANGUAGES)


@pytest.mark.parametrize(
    ("files", "package", "why"),
    [
        ({}, "broken.game", "No module named 'broken'"),
        ({"broken/__init__.py": ""}, "broken", "no attribute 'GAME'"),
        ({"broken/__init__.py": "1 / 0"}, "broken", "division by zero"),
        ({"broken/__init__.py": "import nowhere"}, "broken", "No module named 'nowhere'"),
        ({"broken/__init__.py": "def"}, "broken", "SyntaxError"),
    ],
)
def test_a_broken_game_of_another_package_is_named_with_its_cause(
    install: Install, files: dict[str, str], package: str, why: str
) -> None:
    install(files, broken=package)
    with pytest.raises(BadInput) as error:
        find("broken")
    for lang in messages.LANGUAGES:
        said = error.value.text(lang)
        assert "broken" in said
        assert package in said
        assert why in said
    assert error.value.__cause__ is not None
    assert find("khiva").key == "khiva", "the others are as well as before"
    assert compiled.sources(), "and can be compiled"


def test_a_fault_of_our_own_is_not_hidden(install: Install, monkeypatch: pytest.MonkeyPatch) -> None:
    install({})

    def fails(package: str) -> None:
        raise ZeroDivisionError(package)

    assert keys() == BUILT_IN
    monkeypatch.setattr(registry, "import_module", fails)
    with pytest.raises(ZeroDivisionError, match=r"registan\.games\.khiva"):
        find("khiva")


def test_no_other_package_can_replace_a_game_that_comes_along(install: Install) -> None:
    install({"tiny/__init__.py": ABOUT}, khiva="tiny")
    assert keys() == BUILT_IN
    assert find("khiva").package == "registan.games.khiva"


def test_a_game_without_optional_parts_gets_the_plain_ones(install: Install) -> None:
    install({"tiny/__init__.py": ABOUT, "tiny/rules.py": RULES}, tiny="tiny")
    game = find("tiny")
    assert [game.part(name) for name in ("bot", "checks", "lab", "terminal", "cli", "orders", "web")] == [None] * 7
    box = Box("tiny", "", blank(record_type([("nothing", "i1")])))
    engine = Engine(game, box, compiled=False)
    states = batch.blank(game, 3, 2)
    engine.setup(states)
    assert engine.faults(states) == 0
    rng, worth = np.array([1, 2, 3, 4], np.uint64), np.full(game.rules.MOST, 7.0)
    rules.weigh(box.record, states[0], 0, np.array([1, 2, 3]), 3, worth)
    assert worth.tolist() == [0.0, 0.0, 0.0]
    assert {engine.pick(states, 0, rng) for _ in range(50)} == {1, 2, 3}
    tally = np.ones((5, 2), np.int32)
    rules.note(box.record, states[0], states[1], 0, tally)
    assert (tally == 1).all()
    before = states.tobytes()
    engine.hide(states, 0)
    engine.guess(states, 0, rng)
    rules.unseal(box.record, states[0], 0)
    assert states.tobytes() == before, "where nothing is secret nothing is hidden"


def test_a_part_that_every_game_needs_is_named_where_it_is_missing(install: Install) -> None:
    install({"tiny/__init__.py": ABOUT}, tiny="tiny")
    with pytest.raises(ModuleNotFoundError, match=r"the game 'tiny' has no moves\.py"):
        _ = find("tiny").moves
