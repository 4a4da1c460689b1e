"""The pages as a whole: commands with their options, targets, extras, links, contents, pictures.

`test_commands` runs the commands, `test_data` reads the data, and examples with `>>>` run as doctests.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from cyclopts.exceptions import CycloptsError
from tools.environment import ROOT
from tools.rest_page import rest_page
from tools.site import relinked

from registan.cli import make_app
from tests.docs.blocks import BLOCKS, PAGES

COMMANDS = [(block.page, shlex.split(command)) for block in BLOCKS for command in block.commands()]


def test_every_command_of_ours_exists_with_its_options() -> None:
    ours = [(page, words[1:]) for page, words in COMMANDS if words[0] == "registan"]
    assert len(ours) >= 20
    for page, words in ours:
        if "--help" in words:
            assert words[0] in make_app(), f"{page}: registan {' '.join(words)}"
            continue
        try:
            make_app(words).parse_args(words, exit_on_error=False, print_error=False)
        except CycloptsError as error:
            pytest.fail(f"{page}: registan {' '.join(words)}: {error}")


def test_every_target_of_make_exists() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    shown = [(page, words[1]) for page, words in COMMANDS if words[0] == "make"]
    assert len(shown) >= 3
    assert not [(page, target) for page, target in shown if target not in targets]


def test_what_is_installed_is_an_extra_of_ours() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    shown = [name for path in PAGES for names in re.findall(r"registan\[([\w,]+)\]", path.read_text("utf-8"))
             for name in names.split(",")]  # fmt: skip
    assert len(shown) >= 8
    assert set(shown) <= set(extras)


def test_links_lead_to_pages_or_else_to_the_repository() -> None:
    known = {ROOT / "docs" / "lab.md": "lab.md", ROOT / "LICENSE": "deep/licence.md"}
    text = "[a](../lab.md#x) [b](../../LICENSE) [c](../../examples/well) [d](https://e.example) [e](none.md)"
    made = relinked(text, ROOT / "docs" / "games" / "khiva.md", "games/khiva.md", known, "https://src.example")
    assert made == (
        "[a](../lab.md#x) [b](../deep/licence.md) [c](https://src.example/examples/well) [d](https://e.example) "
        "[e](none.md)"
    )


def test_the_page_of_the_routes_shows_parameters_types_and_defaults() -> None:
    text = {"type": "string"}
    answer = {"description": "", "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Seat"}}}}
    route = {
        "description": "Sit\n  down.",
        "parameters": [{"name": "table", "in": "path", "required": True, "schema": text}],
        "responses": {"201": answer, "404": {"description": "Not found."}},
    }
    fields = {"names": {"type": "array", "items": text}, "open": {"type": "boolean", "default": False}}
    page = rest_page({
        "paths": {"/api/tables/{table}": {"post": route}},
        "components": {"schemas": {"Seat": {"properties": fields, "required": ["names"]}}},
    })  # fmt: skip
    for line in (
        "### `POST /api/tables/{table}`",
        "Sit down.",
        "- `table` (in the path): string",
        "- answers 201 with [`Seat`](#seat)",
        "| 404 | Not found. |",
        "| `names` | list of string |  |",
        "| `open` | boolean | default `false` |",
    ):
        assert line in page.splitlines()


def test_every_page_is_in_the_contents() -> None:
    listed = [line for block in BLOCKS if block.kind == "{toctree}" for line in block.text.splitlines()]
    for path in sorted((ROOT / "docs").rglob("*.md")):
        name = path.relative_to(ROOT / "docs").with_suffix("").as_posix()
        assert name == "index" or any(fnmatch(name, line) for line in listed), f"{name} is not in docs/index.md"


def test_the_pictures_of_the_pages_are_there() -> None:
    for path in PAGES:
        for link in re.findall(r"!\[[^\]]*\]\(([^):]+)\)", path.read_text("utf-8")):
            assert Path(path.parent / link).is_file(), f"{path.name}: {link}"
