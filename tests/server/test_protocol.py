"""docs/protocol.md describes every message, and its examples are real ones."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import msgspec

from registan.server.live import protocol as p

PAGE = Path(__file__).parents[2] / "docs" / "protocol.md"


def examples() -> list[bytes]:
    """The examples of messages; those of other data are marked, and `tests/docs` reads them."""
    messages = re.findall(r"(?<!-->\n)```json\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)
    return [block.encode() for block in messages]


def test_every_example_is_a_message() -> None:
    seen = set()
    for example in examples():
        for line in example.splitlines():
            said = msgspec.json.decode(line)
            message = msgspec.json.decode(line, type=p.FromClient if "do" in said else p.ToClient)
            seen.add(type(message))
    assert seen == {*get_args(p.FromClient), *get_args(p.ToClient)}


def test_every_field_is_described() -> None:
    text = PAGE.read_text("utf-8")
    for kind in (*get_args(p.FromClient), *get_args(p.ToClient)):
        tag = kind.__struct_config__.tag
        section = re.search(rf"^### `{tag}`\n(.*?)(?=^##|\Z)", text, re.DOTALL | re.MULTILINE)
        assert section, tag
        for field in kind.__struct_fields__:
            assert f'"{field}"' in section[1] or f"`{field}`" in section[1] or field == "key", (tag, field)
