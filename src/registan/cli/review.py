"""`registan review`: a finished game looked back on."""

from __future__ import annotations

import json
from typing import Annotated

from cyclopts import Parameter

from registan.advice.review import SIMULATIONS, review_game
from registan.advice.steps import Steps, replay_steps
from registan.advice.why import tell_why
from registan.bots.search import simulate
from registan.cli.common import Stream, compiling, last_record, positive, progress
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.game import Json
from registan.core.messages import language, listing, number, say
from registan.core.registry import find

WORST = 8
"""So many mistakes are told, and so many strokes of luck."""
LUCKY = 0.02
"""Luck that changed less for everybody is not told."""


def review(
    file: Stream,
    /,
    *,
    simulations: int = SIMULATIONS,
    open_hands: Annotated[bool, Parameter(name="--open", negative=())] = False,
    box: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> None:
    """Look back on a finished game: what each move cost, what was better and why, and how much was luck.

    Every move is judged by what its player could know. The same record gives the same review.

    Parameters
    ----------
    file
        The record of the game (its last line, if there are several); - for standard input.
    simulations
        How many games to play out, over all decisions.
    open_hands
        Judge every move with all hands open, not by what its player could know.
    box
        The box file the game was played with, if it is not one of ours.
    json_
        Print JSON (docs/review.md).
    lang
        en or fr.
    """
    tongue = language(lang)
    positive("--simulations", simulations)
    line, record = last_record(file)
    match = replay_steps(record, find, box, line)
    if not match.over or not match.steps:
        raise BadInput("cli.review.running")
    with compiling(tongue, match.game, simulate):
        use_compiled(match.game)
        match.engine.legal(match.hidden(0), 0)
    with progress(say(tongue, "cli.review.looking"), None) as more:
        found = review_game(match, simulations, lambda done, of: more(1), open_hands)
    if json_:
        print(json.dumps(found, ensure_ascii=False))
        return
    names = record.get("names")
    told = _Told(match, names if isinstance(names, list) and len(names) == match.players else None, tongue)
    for row in found["seats"]:
        print(told.seat(row))
    _section(say(tongue, "cli.review.mistakes"), [told.mistake(row) for row in told.worst(found["decisions"])])
    _section(say(tongue, "cli.review.luck"), [told.luck(row) for row in told.luckiest(found["chance"])])


def _section(title: str, lines: list[str]) -> None:
    if lines:
        print(f"\n{title}")
        print("\n".join(lines))


class _Told:
    """A review in words."""

    def __init__(self, match: Steps, names: list[str] | None, lang: str) -> None:
        self.match, self.names, self.lang = match, names, lang

    def who(self, seat: int) -> str:
        return str(self.names[seat]) if self.names else say(self.lang, "cli.hint.seat", seat=seat)

    def told(self, line: Json) -> str:
        """Return a move or a line of the record as text."""
        return self.match.game.tell(self.match.box, line, self.lang, self.who)

    def percent(self, value: float, signed: bool = False) -> str:
        sign = "\N{MINUS SIGN}" if round(100 * value, 1) < 0 else "+" if signed else ""
        return sign + number(self.lang, abs(100 * value))

    def figure(self, figure: Json, signed: bool = False) -> str:
        reach = number(self.lang, 100 * (figure["high"] - figure["value"]))
        return f"{self.percent(figure['value'], signed)} ± {reach}"

    def seat(self, row: Json) -> str:
        """Return what is said about a player."""
        parts = {name: self.figure(row[name], signed=True) for name in ("luck", "own", "others")}
        told = say(
            self.lang,
            "cli.review.seat",
            who=self.who(row["seat"]),
            result=self.percent(row["result"]),
            adjusted=self.figure(row["adjusted"]),
            **parts,
        )
        if not row["decisions"]:
            return told
        figures = {name: self.figure(row[name]) for name in ("accuracy", "error_rate")}
        return f"{told}\n  " + say(
            self.lang, "cli.review.play", n=row["decisions"], mistakes=row["mistakes"], **figures
        )

    def worst(self, decisions: list[Json]) -> list[Json]:
        """Return the mistakes that cost most."""
        mistakes = [row for row in decisions if row["mistake"]]
        return sorted(mistakes, key=lambda row: (-row["cost"]["value"], row["line"]))[:WORST]

    def mistake(self, row: Json) -> str:
        """Return a mistake, what was better, and why."""
        told = say(
            self.lang,
            "cli.review.mistake",
            line=row["line"] + 1,
            who=self.who(row["seat"]),
            played=self.told(row["played"]),
            best=self.told(row["best"]),
            cost=self.figure(row["cost"]),
        )
        why = tell_why(self.match.game, self.match.box, row["why"], "played", self.lang, self.who)
        return f"{told} {why}".rstrip()

    def luckiest(self, events: list[Json]) -> list[Json]:
        """Return the strokes of luck that changed most."""
        large = [row for row in events if self._size(row) >= LUCKY]
        return sorted(large, key=lambda row: (-self._size(row), row["line"]))[:WORST]

    def _size(self, row: Json) -> float:
        return max(abs(float(figure["value"])) for figure in row["luck"])

    def luck(self, row: Json) -> str:
        """Return a stroke of luck: for whom it was good, and for whom bad."""
        changed = [
            f"{self.who(seat)} {self.figure(figure, signed=True)}"
            for seat, figure in enumerate(row["luck"])
            if abs(figure["value"]) >= LUCKY
        ]
        what = say(self.lang, "cli.review.deal")
        if row["line"] >= 0:
            what = self.told(self.match.written[row["line"]].line).rstrip(".")
        return say(self.lang, "cli.review.event", line=row["line"] + 1, what=what, who=listing(self.lang, changed))
