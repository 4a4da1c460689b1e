"""The blocks of code on the pages of the documentation, and what the pages say about running them.

A comment above a block of commands says what its test leaves out or makes smaller:

    <!-- not run: make play, make test -->
    <!-- run with: --games 1000 instead of --games 1000000 -->

The first names the beginnings of commands, several with commas between them; the second may stand there several times.
Above a block of data, `<!-- a: record -->` says what it is an example of.
"""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

from tools.environment import ROOT

PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(
    r"(?P<notes>(?:^ *<!--[^>]*-->\n)*)^(?P<indent> *)```(?P<kind>[^`\n]*)\n(?P<text>.*?)^(?P=indent)```", re.M | re.S
)
NOT_RUN = re.compile(r"<!-- not run: (.*?) -->", re.S)
RUN_WITH = re.compile(r"<!-- run with: (.*?) instead of (.*?) -->", re.S)
NAME = re.compile(r"<!-- a: (.*?) -->")
SHELL = ("sh", "console")


class Block(NamedTuple):
    """A block of code on a page."""

    page: str
    kind: str
    text: str
    not_run: tuple[str, ...]
    """The beginnings of the commands that the test leaves out."""
    run_with: tuple[tuple[str, str], ...]
    """What the test writes, and instead of what."""
    name: str
    """What data are an example of; empty if the page does not say."""

    def commands(self) -> list[str]:
        """Return the commands that the block shows, without prompts and comments; only shells have any."""
        if self.kind not in SHELL:
            return []
        joined = self.text.replace("\\\n", " ")
        lines = [line.removeprefix("$ ") for line in joined.splitlines() if self.kind == "sh" or line.startswith("$ ")]
        return [re.sub(r"(^|\s+)#.*", "", line).strip() for line in lines if re.sub(r"(^|\s+)#.*", "", line).strip()]

    def left_out(self, command: str) -> bool:
        """Whether the page says that a command is not run."""
        return command.startswith(self.not_run) if self.not_run else False

    def as_run(self, command: str) -> str:
        """Return a command as the test runs it."""
        for new, old in self.run_with:
            command = command.replace(old, new)
        return command


def _blocks() -> list[Block]:
    found = []
    for path in PAGES:
        for match in BLOCK.finditer(path.read_text("utf-8")):
            notes = match["notes"]
            not_run = tuple(start.strip() for names in NOT_RUN.findall(notes) for start in names.split(","))
            page, text = path.relative_to(ROOT).as_posix(), textwrap.dedent(match["text"])
            name = "".join(NAME.findall(notes))
            found.append(Block(page, match["kind"], text, not_run, tuple(RUN_WITH.findall(notes)), name))
    return found


BLOCKS = _blocks()
