"""TOML that somebody else wrote is read like any other, and cannot exhaust memory."""

from __future__ import annotations

import time
import tomllib
import tracemalloc

import pytest

from registan.core import toml
from registan.core.errors import BadBox
from registan.core.registry import find, keys

PARTS = 20_000


@pytest.mark.parametrize("game", keys())
def test_the_boxes_of_the_games_are_read_as_ever(game: str) -> None:
    for path in find(game).boxes.values():
        text = path.read_text("utf-8")
        assert toml.loads(text) == tomllib.loads(text)


def test_strings_numbers_and_keys_with_dots_are_read() -> None:
    dotted = ".".join("abcdefghijklmnop")
    text = f'x = [1.5, 2.25]\n{dotted} = 1\n[t."a.b.c.d.e.f"]\nname = "wait ... what?"\n'
    assert toml.loads(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a." * PARTS + "b = 1",
        "[" + "a." * PARTS + "b]",
        "[[" + "a . " * PARTS + "b]]",
        "x = { " + "'a'\t." * PARTS + "b = 1 }",
        "good = 1\n" + r'"\"" . ' * PARTS + "b = 1",
        r'"a\\".' * PARTS + "b = 1",
    ],
)
def test_a_key_of_many_parts_is_refused_at_once(text: str) -> None:
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(ValueError, match=r"more than 16 parts \(at line [12], column \d+\)"):
        toml.loads(text)
    assert time.process_time() - start < 1
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


@pytest.mark.parametrize("game", keys())
def test_a_box_with_such_a_key_is_refused_with_its_line(game: str) -> None:
    text = next(iter(find(game).boxes.values())).read_text("utf-8")
    with pytest.raises(BadBox, match="16 parts"):
        find(game).load_box((text + "\n" + "a." * 30 + "b = 1\n").encode(), "mine.toml")
