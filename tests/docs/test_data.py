"""The data that the pages show are what the programs read and write.

A comment above an example says what it is: `<!-- a: record -->`.
"""

from __future__ import annotations

import ast
import json
import re
import tomllib
from collections.abc import Callable
from functools import cache
from importlib.metadata import entry_points
from typing import Any

import msgspec
import pytest
from tools.environment import ROOT

import registan
from registan.core.game import Json
from registan.core.registry import find, keys
from registan.server.http.reviews import AskReview
from registan.server.http.study import Study
from registan.server.http.tables import Guidance, HintedMove
from registan.server.live.protocol import FromClient, ToClient
from registan.server.live.reviewing import Reviewed
from registan.server.notices.delivery import message
from registan.server.notices.preferences import Preferences
from registan.tables.lessons import Script
from tests.compiled import as_before, compiled_rules
from tests.docs.blocks import BLOCKS, Block
from tests.docs.examples import LEFT_OUT, bare, differences, values

__all__ = ["as_before", "compiled_rules"]


def blocks(kind: str) -> list[Block]:
    """Return the blocks of a kind, which may not be empty."""
    found = [block for block in BLOCKS if block.kind == kind]
    assert found
    return found


# What an example may be: a type that reads it, or a real one that it resembles.


def a_record() -> Json:
    """Return the record of a finished game."""
    match = registan.new("khiva", 2, seed=1)
    while not match.over:
        seat = match.waiting[0]
        match.play(seat, match.legal(seat)[0])
    return match.record()


def a_puzzle() -> Json:
    """Return a game with a puzzle that comes after answers which are in no line, as in the example."""
    texts = [(find(key).folder / "puzzles.jsonl").read_text("utf-8") for key in keys()]
    games: list[Json] = [json.loads(line) for text in texts for line in text.splitlines()]
    return next(game for game in games if "since" in game["puzzles"][0])


READ: dict[str, Any] = {
    "request": FromClient,
    "message": ToClient,
    "hint": list[HintedMove],
    "preferences": Preferences,
    "study": Study,
    "question for a review": AskReview,
    "review under way": Reviewed,
    "guidance": Guidance,
}
REAL: dict[str, Callable[[], Json]] = {"record": a_record, "puzzle": a_puzzle}


@cache
def real(name: str) -> Json:
    """Return a real value, made once."""
    return REAL[name]()


@pytest.mark.no_cover
@pytest.mark.parametrize(
    "block",
    [pytest.param(block, id=f"{block.page}: {n}") for n, block in enumerate(blocks("json")) if block.name != "review"],
)
def test_an_example_is_like_what_the_programs_read_and_write(block: Block) -> None:
    """That of a review is compared where reviews are made, in tests/advice."""
    name = block.name or ("request" if block.text.startswith('{"do"') else "message")
    for value in values(block.text):
        if name in READ:
            msgspec.json.decode(json.dumps(bare(value)), type=READ[name], strict=True)
        elif name == "notice":
            assert set(value) == set(ast.literal_eval(_returned(message)))
        else:
            assert not differences(value, real(name))


def _returned(function: Callable[..., Any]) -> str:
    """Return the keys of the dictionary that a function returns, as the source of a set."""
    import inspect

    tree = ast.parse(inspect.getsource(function))
    (found,) = [node.value for node in ast.walk(tree) if isinstance(node, ast.Return)]
    assert isinstance(found, ast.Dict)
    return ast.unparse(ast.Set([key for key in found.keys if key is not None]))


def test_the_check_of_examples_finds_what_is_wrong() -> None:
    (example,) = values('{"a": 1, "b": [{"c": "x", …}, …], …}')
    assert example == {"a": 1, "b": [{"c": "x", "…": "…"}, "…"], "…": "…"}
    assert bare(example) == {"a": 1, "b": [{"c": "x"}]}
    assert not differences(example, {"a": 2, "b": [{"c": "y", "d": 1}], "e": None})
    assert differences(example, {"a": "2", "b": [{"c": "y"}]}) == [".a: 1 instead of something like '2'"]
    assert differences({"a": 1}, {"b": 1}) == [": no field a", ": the field b is missing"]


def test_boards_on_the_pages_are_lines_of_real_ones() -> None:
    (block,) = [block for block in blocks("toml") if block.name == "board"]
    real_lines = {_line(line) for line in find("samarkand").boxes["silk-road"].read_text("utf-8").splitlines()}
    for line in map(_line, block.text.splitlines()):
        shown = line.partition(LEFT_OUT)[0].rstrip(" ,")
        assert line in real_lines or (LEFT_OUT in line and any(other.startswith(shown) for other in real_lines)), line


def _line(line: str) -> str:
    """Return a line of TOML without its comment; colours have a # of their own."""
    return re.sub(r"\s+#\s.*", "", line).strip()


def test_lessons_on_the_pages_can_be_read() -> None:
    (block,) = [block for block in blocks("toml") if block.name == "lesson"]
    script = msgspec.convert(tomllib.loads(block.text), Script)
    assert script.scenes[0].steps[0].ask == {"do": "lead", "camel": 5}


def test_entry_points_on_the_pages_are_those_we_look_for() -> None:
    shown = [block for block in blocks("toml") if block.name == "entry point"]
    assert shown
    known = {name for name in ("registan.bots", "registan.games") if entry_points(group=name) is not None}
    for block in shown:
        assert tomllib.loads(block.text)["project"]["entry-points"].keys() <= known


def test_every_toml_block_is_checked_by_one_of_these() -> None:
    assert {block.name for block in blocks("toml")} <= {"board", "lesson", "entry point", "box"}


def test_code_without_a_prompt_stands_in_a_file_of_ours() -> None:
    """Examples with `>>>` run as doctests."""
    sources = [path.read_text("utf-8") for folder in ("src", "examples") for path in (ROOT / folder).rglob("*.py")]
    for block in blocks("python"):
        if ">>>" not in block.text:
            assert any(block.text.strip() in source for source in sources), f"{block.page}:\n{block.text}"


def test_the_rights_that_a_page_grants_are_those_that_are_tested() -> None:
    tested = (ROOT / "tests" / "server" / "test_asking.py").read_text("utf-8")
    granted = [line for block in blocks("sql") for line in block.text.splitlines() if line.startswith("GRANT")]
    assert granted
    assert all(line.rpartition(" TO ")[0] in tested for line in granted)


def test_every_block_is_of_a_kind_that_is_checked() -> None:
    known = {"sh", "console", "python", "json", "toml", "sql", "text", "{toctree}", "{eval-rst}"}
    assert not [(block.page, block.kind) for block in BLOCKS if block.kind not in known]
    for path in {block.page for block in BLOCKS}:
        text = re.sub(r"```.*?```", "", (ROOT / path).read_text("utf-8"), flags=re.S)
        assert not re.search(r"\n\n {4}(?![ *\-0-9]).*\n", text), f"{path} has a block that is only indented"
