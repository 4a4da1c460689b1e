"""TOML that somebody else wrote is read like any other, and cannot exhaust memory or time."""

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


def test_an_outline_of_many_corners_is_read() -> None:
    text = "outline = [" + ", ".join(["[1.5, 2.25]"] * 200) + "]\n"
    assert toml.loads(text) == tomllib.loads(text)


@pytest.mark.parametrize(
    "text",
    [
        "a." * PARTS + "b = 1",
        "good = 1\n[" + "a." * PARTS + "b]",
        "[[" + "a . " * PARTS + "b]]",
        "x = [\n{ " + "'a'\t." * PARTS + "b = 1 }]",
        r'"\"" . ' * PARTS + "b = 1",
        '","."[]".' * PARTS + "b = 1",
    ],
)
def test_a_key_of_many_parts_is_refused_at_once(text: str) -> None:
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(ValueError, match=r"more than 500 dots in a line \(at line [12], column 1\)"):
        toml.loads(text)
    assert time.process_time() - start < 1
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()


def test_as_many_parts_as_are_allowed_take_little_time() -> None:
    """Every line has a key of as many parts as it may have."""
    text = "".join(f"k{i}." + "a." * (toml.MOST_DOTS - 1) + "b = 1\n" for i in range(20))
    start = time.process_time()
    toml.loads(text)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    "text", ['x="""' + r"\"" * 40_000, "x='''" + '"' * 80_000, '"' * 80_000, "a" * 80_000, "'.\"" * 160]
)
def test_no_text_takes_long(text: str) -> None:
    start = time.process_time()
    with pytest.raises(ValueError, match="at"):
        toml.loads(text)
    assert time.process_time() - start < 1


@pytest.mark.parametrize("game", keys())
def test_a_box_with_such_a_key_is_refused_with_its_line(game: str) -> None:
    text = next(iter(find(game).boxes.values())).read_text("utf-8")
    with pytest.raises(BadBox, match="500 dots"):
        find(game).load_box((text + "\n" + "a." * 501 + "b = 1\n").encode(), "mine.toml")
