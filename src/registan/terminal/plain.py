"""A screen for any game: the view as a tree of names and values. The screens of games build on it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.rule import Rule
from rich.table import Table
from rich.text import Text
from rich.tree import Tree

from registan.core.brings import tell_brings
from registan.core.game import Box, Game, Json
from registan.core.match import Match
from registan.core.messages import field_name, part_name, say, say_optional
from registan.terminal.ask import Choice, Step


@dataclass(frozen=True)
class Order:
    """A standing order of the person: it answers questions as long as it can, then returns None."""

    text: str
    answer: Callable[[Match], Json | None]


ACT = "bold cyan"
"""The style of what the person can do; nothing else has it."""
CHOICE = "bold #0b2a33 on #6fe3ea"
"""The same in a picture, whose ground has colours of its own."""
NEWS = "yellow"
"""The style of what has just happened."""
FAINT = "dim"
ME = "bold"

USUAL = 24
"""The height of a usual terminal, in lines."""
ELSEWHERE = ("game", "seat", "players", "asked", "waiting", "legal", "brings", "seats")
"""The fields of a view that the question shows, or that the person knows."""
BY_SEAT = ("points", "scores")
"""The fields that are lists with a value for each seat."""


class Plain:
    """Shows the views of a game to one seat, in one language; made of the view alone."""

    sets: frozenset[str] = frozenset()
    """The fields of moves that are sets, asked element by element."""

    def __init__(
        self, game: Game, box: Box, lang: str, names: Sequence[str | None], seat: int, drawn: bool = False
    ) -> None:
        """`drawn`: whether to draw what can be drawn, for people who see it."""
        self.game, self.box, self.lang, self.names, self.seat, self.drawn = game, box, lang, names, seat, drawn

    def word(self, key: str, **values: object) -> str:
        """Return one of the terminal's messages."""
        return say(self.lang, f"terminal.{key}", **values)

    def own(self, key: str, **values: object) -> str | None:
        """Return one of the terminal's messages for this game, None if it has no such message."""
        return say_optional(self.lang, f"terminal.{self.game.key}.{key}", **values)

    def who(self, seat: int) -> str:
        """Return the name of a seat."""
        return self.names[seat] or self.word("you")

    def name(self, seat: int) -> Text:
        """Return the name of a seat as tables show it."""
        return Text(self.who(seat), ME if seat == self.seat else "")

    def table(self, view: Json, before: Json | None = None) -> RenderableType | None:
        """Return the table as the seat sees it; None if nothing relevant has changed since `before`."""
        tree = Tree(Text(self.game.name[self.lang], ME), guide_style=FAINT)
        for name, value in view.items():
            if name not in ELSEWHERE:
                self._branch(tree, field_name(self.lang, self.game.key, name), self._by_name(name, value))
        for seat, shown in enumerate(view.get("seats", ())):
            self._branch(tree, self.who(seat), shown)
        return tree

    def _by_name(self, name: str, value: Any) -> Any:
        """Return the values of seats under the names of the seats."""
        by_seat = name in BY_SEAT and isinstance(value, list)
        return {self.who(seat): part for seat, part in enumerate(value)} if by_seat else value

    def _branch(self, tree: Tree, name: str, value: Any) -> None:
        if isinstance(value, dict):
            branch = tree.add(Text(name, ME))
            for inner, part in value.items():
                self._branch(branch, field_name(self.lang, self.game.key, inner), part)
        else:
            tree.add(Text.assemble(f"{name}: ", written(value)))

    def picture(self, view: Json, step: Step) -> RenderableType | None:
        """Return a picture of what is offered, to be shown above the question."""
        return None

    def look_up(self, view: Json, text: str) -> RenderableType | None:
        """Return something of the table that the person asks for, if that is what was typed."""
        return None

    def turn(self, before: Json | None, line: Json, after: Json) -> str:
        """Return the turn that a line of the log belongs to, as a title; empty if the game has no turns."""
        return ""

    def question(self, view: Json, step: Step) -> str:
        """Return what is asked."""
        move = step.choices[0].moves[0]
        key = f"ask.{move['do']}.{step.field}" if step.field else f"ask.{move['do']}"
        return self.own(key) or (self.word("ask.field", field=step.field) if step.field else self.word("ask"))

    def numbered(self, step: Step) -> Step:
        """Return a question with the numbers by which its answers are chosen."""
        return step

    def counted(self, text: str, step: Step) -> str:
        """Return a question that asks for several things, with how many are chosen already."""
        if step.size is None or step.size == 1:
            return text
        return self.word("ask.counted", text=text, i=len(step.taken) + 1, n=step.size)

    def label(self, view: Json, step: Step, choice: Choice) -> Text:
        """Return an answer as it is offered."""
        if choice.closes:
            return Text(self.word("ask.none" if not step.taken else "ask.enough"))
        if step.field is None or (step.field == "do" and len(choice.moves) == 1):
            return self.move(view, choice.moves[0])
        if step.field == "do":
            return Text(self.own(f"do.{choice.value}") or str(choice.value))
        return self.value(view, step.field, choice.value)

    def move(self, view: Json, move: Json) -> Text:
        """Return a whole move as it is offered, with what it would bring."""
        text = Text(self.game.tell(self.box, move, self.lang, self.who))
        told = self.brings(view, move)
        return text.append(f" → {told}", FAINT) if told else text

    def brings(self, view: Json, move: Json) -> str:
        """Return what a legal move would bring, as text."""
        return tell_brings(self.game.key, brought(view, move), self.lang, self.who)

    def value(self, view: Json, field: str, value: Any) -> Text:
        """Return the value of a field as it is offered."""
        return Text(written(value))

    def names_of(self, view: Json, step: Step, choice: Choice) -> list[str]:
        """Return what the person can type for an answer, besides its number."""
        return [self.label(view, step, choice).plain]

    def example(self, view: Json, step: Step) -> str | None:
        """Return an example of what to type instead of a number."""
        return None

    def order(self, match: Match, text: str) -> Order | None:
        """Return an order for the next questions, if that is what was typed."""
        return None

    def tell(self, line: Json) -> str:
        """Return a line of the log as a sentence. The person's own moves read as they were offered: "You: wait"."""
        if line.get("seat") == self.seat:
            move = {name: value for name, value in line.items() if name != "seat"}
            return self.word("mine", did=self.game.tell(self.box, move, self.lang, self.who))
        return self.game.tell(self.box, line, self.lang, self.who)

    def effect(self, before: Json | None, line: Json, after: Json) -> str:
        """Return the effect of a line of the log, as far as the two views show it."""
        return ""

    def asides(self, before: Json | None, line: Json, after: Json) -> list[str]:
        """Return what else happened with a line of the log, one sentence each."""
        return []

    def story(self, before: Json | None, line: Json, after: Json) -> list[Text]:
        """Return a line of the log with its effects, in one sentence or several."""
        if not line:
            return []  # something hidden
        text = Text(self.tell(line), ME if line.get("seat") == self.seat else "")
        effect = self.effect(before, line, after)
        if effect:
            text.append(f" → {effect}", NEWS)
        return [text, *(Text(aside) for aside in self.asides(before, line, after))]

    def standing(self, view: Json) -> RenderableType:
        """Return who has what, as far as the person can see."""
        return self.table(view) or ""

    def result(self, scores: list[Json], winners: list[int]) -> RenderableType:
        """Return the score of every seat by part, best first."""
        parts = [part for part in scores[0] if part in self.game.rules.SCORES]
        grid = sheet("", *(part_name(self.lang, self.game.key, part) for part in parts))
        for seat in sorted(range(len(scores)), key=lambda seat: (seat not in winners, -scores[seat]["total"])):
            star = ("★ " if seat in winners else "  ", NEWS)
            cells = [Text(str(scores[seat][part]), ME if part == "total" else "") for part in parts]
            grid.add_row(Text.assemble(star, self.name(seat)), *cells)
        return grid


class Roomy:
    """Something that is shown only on a screen with room for it, here on one of twice the usual height."""

    def __init__(self, thing: RenderableType) -> None:
        self.thing = thing

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Show it if there is room."""
        if console.height >= 2 * USUAL:
            yield self.thing


def sheet(first: str, *columns: str) -> Table:
    """Return an empty table: a column of names, and columns of figures."""
    grid = Table(box=None, pad_edge=False, padding=(0, 1), header_style=FAINT)
    grid.add_column(first, no_wrap=True)
    for column in columns:
        grid.add_column(column, justify="right")
    return grid


def listed(rows: Iterable[tuple[str | Text, Text]]) -> Table:
    """Return lines with a mark or a number before each; long lines stay aligned."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, justify="right")
    grid.add_column()
    for mark, text in rows:
        grid.add_row(mark, text)
    return grid


def packed(parts: Iterable[Text], width: int) -> Text:
    """Return parts one after the other, as many on a line as fit on it whole."""
    lines: list[Text] = []
    for part in parts:
        if lines and lines[-1].cell_len + 3 + part.cell_len <= width:
            lines[-1].append("   ").append_text(part)
        else:
            lines.append(part.copy())
    return Text("\n").join(lines)


def joined(between: str, parts: Iterable[Text]) -> Text:
    """Return parts with something faint between them."""
    return Text.assemble((between, FAINT)).join(parts)


def heading(title: str, rest: str) -> RenderableType:
    """Return the line above a table."""
    return Rule(Text.assemble((title, ME), (f" · {rest}", "")), align="left", style=FAINT)


def stacked(parts: Sequence[RenderableType | None]) -> RenderableType:
    """Return parts one below the other, without the empty ones."""
    return Group(*(part for part in parts if part is not None))


def brought(view: Json, move: Json) -> Json | None:
    """Return what the view says that a legal move would bring."""
    entry: Json | None = view["brings"][view["legal"].index(move)]
    return entry


def written(value: Any) -> str:
    """Return a value as people read it."""
    if value is None:
        return "–"
    if isinstance(value, list):
        inner = " " if all(not isinstance(part, list | dict) for part in value) else ", "
        return inner.join(written(part) for part in value) or "–"
    if isinstance(value, dict):
        return ", ".join(f"{name} {written(part)}" for name, part in value.items())
    return str(value)
