"""What you can look up during a game: rules, help, the log."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from rich.console import Console, Group, RenderableType
from rich.text import Text

from registan.core.game import Game
from registan.core.messages import say
from registan.core.rulebook import rules_by_id, rules_page
from registan.terminal.ask import plain
from registan.terminal.plain import ACT, FAINT, ME, NEWS, listed

Read = Callable[[str], str]
"""Asks for a line of input, as `input` does."""
ASKED = 8
"""The lines of a screen that a question needs, after a page."""


def rules(console: Console, read: Read, game: Game, lang: str, asked: str) -> None:
    """Show the whole page of rules, one rule by its id, or the rules that mention some words."""
    asked = asked.strip()
    if not asked:
        from rich.markdown import Markdown

        pages(console, read, lang, Markdown(rules_page(game.folder, lang)))
        return
    texts = rules_by_id(game.folder, lang)
    wanted = {plain(word) for word in asked.split()}
    found = [id_ for id_ in texts if id_.casefold() == asked.casefold()]
    found = found or [id_ for id_, text in texts.items() if all(word in plain(text) for word in wanted)]
    for id_ in found:
        console.print(Text.assemble((f"{id_}. ", ME), texts[id_].replace("**", "")))
    if not found:
        last = list(texts)[-1]
        console.print(say(lang, "terminal.rules.none", asked=asked, first=f"{game.letter}1", last=last), style=FAINT)


def pages(console: Console, read: Read, lang: str, what: RenderableType) -> None:
    """Print something long; on a terminal page by page, so that its beginning can be read."""
    if not console.is_terminal:
        console.print(what)
        return
    lines = console.render_lines(what, pad=False)
    room = max(5, console.height - 2)
    for start in range(0, len(lines), room):
        for line in lines[start : start + room]:
            console.print(*(Text(segment.text, segment.style or "") for segment in line), sep="", soft_wrap=True)
        if start + room < len(lines) and read(say(lang, "terminal.more")).strip():
            return


def help_text(game: Game, lang: str, more: str | None) -> Text:
    """Return what you can type; `more` is what the game adds."""
    rows = [("1 2 3", "numbers"), ("?", "rules"), *((command, command) for command in ("h", "u", "s", "l", "q"))]
    rows += [(say(lang, "terminal.enter"), "enter"), (say(lang, "terminal.command.help"), "help")]
    text = Text()
    for typed, key in rows:
        text.append(f"  {typed:<8}", ACT)
        text.append(say(lang, f"terminal.help.{key}", letter=game.letter) + "\n")
    text.append(more or "")
    text.rstrip()
    return text


class Turn(NamedTuple):
    """A turn of the log: its title, empty if the game has no turns, and what happened."""

    title: str
    lines: list[Text]


def log(console: Console, read: Read, lang: str, turns: Sequence[Turn], asked: str = "") -> None:
    """Show the latest turns, as many as fit; `asked` may be the number of the turn to begin with."""
    if not turns:
        console.print(say(lang, "terminal.log.empty"), style=FAINT)
        return
    if asked and not (asked.isdecimal() and 1 <= int(asked) <= len(turns)):
        console.print(say(lang, "terminal.log.none", asked=asked, last=len(turns)), style=NEWS)
        return
    shown = [_turn(number, turn) for number, turn in enumerate(turns, 1)]
    first = int(asked) - 1 if asked else _fitting(console, shown)
    pages(console, read, lang, Group(*shown[first:]))
    if not asked and first > 0:
        console.print(say(lang, "terminal.log.earlier", n=first), style=FAINT)


def _turn(number: int, turn: Turn) -> RenderableType:
    """Return a turn with its number above it."""
    title = [Text(f"{number}. {turn.title}", ME)] if turn.title else []
    return Group(*title, listed([(Text("•", NEWS), line) for line in turn.lines]))


def _fitting(console: Console, shown: Sequence[RenderableType]) -> int:
    """Return the turn to begin with so that the latest turns fill a screen without its question."""
    room = console.height - ASKED
    for first in range(len(shown) - 1, -1, -1):
        room -= len(console.render_lines(shown[first]))
        if room < 0:
            return min(first + 1, len(shown) - 1)
    return 0
