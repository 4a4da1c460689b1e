"""Looking back on a finished game: what each decision cost, and how much was luck.

For each seat, the game is a path of its chance to win, from 1/players before the deal to its result. Every stretch of
the path has one of three causes: luck (chance events, and what a move of one's own turned up), one's own moves, and
those of others. They add up to the result. All chances are judged from what the seat knew then (docs/review.md).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from registan.advice.figures import Figure, total
from registan.advice.judge import Judge
from registan.advice.steps import Step, Steps
from registan.advice.why import reasons
from registan.core.engine import Engine
from registan.core.game import Json

FORMAT = "registan-review/1"
SIMULATIONS = 150_000
"""For a whole game, shared by its decisions."""
FEWEST, MOST = 60, 1200
"""Simulations of one position."""
AGAIN = 3
"""A decision that seems to cost something gets so many times the simulations of others."""
SEEMS = 0.01
CLOSELY = 1000
"""What still looks like a mistake gets so many simulations more: of many decisions, some look bad by accident."""
MISTAKE, CERTAIN = 0.02, 2.6
"""A mistake costs at least this chance to win, and so many standard errors."""

Progress = Callable[[int, int], None]


def no_progress(done: int, of: int) -> None:
    """Report to nobody."""


def review_game(
    match: Steps, simulations: int = SIMULATIONS, progress: Progress = no_progress, open_hands: bool = False
) -> Json:
    """Return the review of a finished game (docs/review.md); `progress` gets the steps done and their number.

    With open hands, every move is judged by somebody who sees all hands.
    """
    review, told = Review(match, simulations, open_hands), 0
    for _ in review.work():
        if review.done > told:
            told = review.done
            progress(told, review.of)
    return review.written()


class Review:
    """A game under review: `work` through it, then it can be `written`."""

    def __init__(self, match: Steps, simulations: int = SIMULATIONS, open_hands: bool = False) -> None:
        self.match, self.players, self.open_hands = match, match.players, open_hands
        self.engine = Engine(match.game, match.box, compiled=True)
        self.choices = {k: actions for k, step in enumerate(match.steps) if len(actions := self._choice(step)) > 1}
        share = simulations // max(1, 4 * len(self.choices))
        self.judge = Judge(self.engine, min(MOST, max(FEWEST, share)), open_hands)
        winners = match.winners()
        self.results = [1 / len(winners) if seat in winners else 0.0 for seat in range(self.players)]

        self.of = len(self.choices) + self.players
        """How many steps the work has, and how many are `done`."""
        self.done = 0
        self._looked: set[int] = set()
        self._decisions: list[Json] = []
        self._paths: list[Path] = []

    def work(self) -> Iterator[None]:
        """Judge everything, in pieces of a fraction of a second: whoever iterates may do other things in between."""
        for k in self.choices:
            yield from self._judged(k)
            self._decisions.append(self._decision(k))
            self.done += 1
            yield
        for seat in range(self.players):
            path = Path(self, seat)
            yield from path.walk()
            self._paths.append(path)
            self.done += 1
            yield

    def written(self) -> Json:
        """Return the whole review."""
        seats = []
        luck: dict[tuple[int, str], list[Json]] = {}
        for path in self._paths:
            mine = [row for row in self._decisions if row["seat"] == path.seat]
            seats.append({"seat": path.seat, **path.written(), "mistakes": sum(row["mistake"] for row in mine)})
            for event, figure in path.luck.items():
                luck.setdefault(event, [Figure().written()] * self.players)[path.seat] = figure.written()
        return {
            "format": FORMAT,
            "game": self.match.game.key,
            "players": self.players,
            "open_hands": self.open_hands,
            "simulations": self.judge.simulations,
            "seats": seats,
            "decisions": self._decisions,
            "chance": [{"line": line, "what": what, "luck": rows} for (line, what), rows in sorted(luck.items())],
        }

    def mistakes(self) -> Iterator[tuple[Json, Any, int]]:
        """Yield every mistake: what is said about it, what the seat knew, and the index of what it played."""
        for k, actions in self.choices.items():
            step, row = self.match.steps[k], self._decision(k)
            if row["mistake"]:
                yield row, self.hidden(step.before, row["seat"]), actions.index(step.action)

    def _choice(self, step: Step) -> list[int]:
        return [] if step.seat is None else self.engine.legal(self.hidden(step.before, step.seat), step.seat)

    def state(self, data: bytes) -> Any:
        """Return a state from its bytes, as an array of one."""
        return np.frombuffer(bytearray(data), self.match.game.rules.STATE)

    def hidden(self, data: bytes, seat: int) -> Any:
        """Return a state as the seat knew it, or with open hands."""
        hidden = self.state(data)
        if self.open_hands:
            hidden["rng"] = 0
        else:
            self.engine.hide(hidden, seat)
        return hidden

    def chance(self, data: bytes, seat: int) -> Figure:
        """Return a seat's chance to win in a state, as far as it knew, if everybody plays on at a glance."""
        if self.state(data)["over"][0]:
            return Figure(self.results[seat])
        return self.judge.value(self.hidden(data, seat), seat).chance(seat)

    def compared(self, k: int) -> tuple[Figure, Figure]:
        """Return the chance of the seat that made step k, with the best move and with the one it played."""
        step = self.match.steps[k]
        assert step.seat is not None
        hidden = self.hidden(step.before, step.seat)
        best, played = self.judge.best(hidden, step.seat), self.choices[k].index(step.action)
        pair = [self.judge.prospect(hidden, step.seat, only).chance(step.seat) for only in (best, played)]
        return pair[0], pair[1]

    def _judged(self, k: int) -> Iterator[None]:
        """Judge one decision; look again where it seems to have cost something."""
        step, judge = self.match.steps[k], self.judge
        assert step.seat is not None
        hidden = self.hidden(step.before, step.seat)
        best, played = judge.best(hidden, step.seat), self.choices[k].index(step.action)
        yield
        for only in (best, played):
            judge.prospect(hidden, step.seat, only)
            yield
        with_best, with_played = self.compared(k)
        if k not in self._looked and best != played and (with_best - with_played).value > SEEMS:
            self._looked.add(k)
            for only in (best, played):
                judge.look_again(hidden, step.seat, only, AGAIN * judge.simulations)
                yield
            with_best, with_played = self.compared(k)
            if _is_mistake(with_best - with_played):
                for only in (best, played):
                    judge.look_again(hidden, step.seat, only, CLOSELY)
                    yield

    def _decision(self, k: int) -> Json:
        """Return what is said about one decision."""
        for _ in self._judged(k):
            pass
        step, judge, actions = self.match.steps[k], self.judge, self.choices[k]
        seat = step.seat
        assert seat is not None
        hidden = self.hidden(step.before, seat)
        best, played = judge.best(hidden, seat), actions.index(step.action)
        with_best, with_played = self.compared(k)
        cost = with_best - with_played
        prospects = [judge.prospect(hidden, seat, only) for only in (best, played)]
        mistake = _is_mistake(cost)
        pair = [prospect.opinion for prospect in prospects]
        write = self.match.game.moves.write
        return {
            "line": step.line,
            "seat": seat,
            "moves": len(actions),
            "played": write(self.match.box, hidden[0], seat, step.action),
            "best": write(self.match.box, hidden[0], seat, actions[best]),
            "before": prospects[0].chances(self.players),
            "after": prospects[1].chances(self.players),
            "cost": cost.written(),
            "mistake": mistake,
            "why": reasons(self.engine, self.players, seat, pair, 0) if mistake else [],
        }


def _is_mistake(cost: Figure) -> bool:
    return cost.value >= MISTAKE and cost.value > CERTAIN * cost.error


class Path:
    """The chance to win of one seat through the game, and what changed it."""

    def __init__(self, game: Review, seat: int) -> None:
        self.game, self.seat = game, seat
        self.luck: dict[tuple[int, str], Figure] = {}
        """By line and event; the deal before the first move has the line -1."""
        self.own, self.others = Figure(), Figure()
        self.offered: list[Figure] = []
        self.kept: list[Figure] = []
        self.curve: list[tuple[int, Figure]] = []
        self.now = Figure(1 / game.players)
        self._acted = False  # whether others have acted since `now`

    def walk(self) -> Iterator[None]:
        """Follow the seat through the game, step by step."""
        game, seat, steps = self.game, self.seat, self.game.match.steps
        self._lucky(-1, "setup", game.chance(steps[0].before, seat))
        for k, step in enumerate(steps):
            if step.seat is None:
                self._settle(step.before, step.line - 1)
                self._lucky(step.line, self._event(step), game.chance(step.after, seat))
            elif step.seat == seat:
                self._act(k, step)
            else:
                self._acted = True
                continue
            yield
        self._settle(steps[-1].after, len(game.match.written) - 1)
        self._go(len(game.match.written) - 1, Figure(game.results[seat]))

    def _event(self, step: Step) -> str:
        return str(self.game.match.written[step.line].line.get("chance", "event"))

    def _go(self, line: int, then: Figure) -> Figure:
        """Go to a chance, and return by how much it differs from the last one."""
        change, self.now = then - self.now, then
        self.curve.append((line, then))
        return change

    def _lucky(self, line: int, what: str, then: Figure) -> None:
        self.luck[line, what] = self.luck.get((line, what), Figure()) + self._go(line, then)

    def _settle(self, data: bytes, line: int) -> None:
        """Count what others did since the last look, up to a line."""
        if self._acted:
            self.others += self._go(max(line, self.curve[-1][0]), self.game.chance(data, self.seat))
            self._acted = False

    def _act(self, k: int, step: Step) -> None:
        game, seat = self.game, self.seat
        hidden = game.hidden(step.before, seat)
        over = bool(game.state(step.after)["over"][0])
        turned_up = over or game.engine.reveals(hidden, seat, step.action)
        if k in game.choices:
            best, played = game.compared(k)
            self.offered.append(best)
            self.kept.append(played)
            self._settle(step.before, step.line - 1)
            then = game.judge.value(hidden, seat, game.choices[k].index(step.action))
            self.own += self._go(step.line, then.chance(seat))
        elif turned_up:
            self._settle(step.before, step.line - 1)
        if not turned_up:
            return
        if step.together or over:  # what others answered at the same time, or had in their hands
            self.others += self._go(step.line, game.chance(step.after, seat))
        else:
            self._lucky(step.line, "reveal", game.chance(step.after, seat))

    def written(self) -> Json:
        """Return the figures of the seat."""
        result, n = Figure(self.game.results[self.seat]), len(self.kept)
        luck, offered, kept = total(list(self.luck.values())), total(self.offered), total(self.kept)
        accuracy = None
        if offered.value > 0:
            share = kept.value / offered.value
            around = (kept - offered.times(share)).times(1 / offered.value)
            accuracy = (around + Figure(share)).written()
        return {
            "result": self.game.results[self.seat],
            "par": round(1 / self.game.players, 4),
            "luck": luck.written(),
            "own": self.own.written(),
            "others": self.others.written(),
            "adjusted": (result - luck).written(),
            "decisions": n,
            "error_rate": (offered - kept).times(1 / n).written() if n else None,
            "accuracy": accuracy,
            "curve": [[line, round(figure.value, 4)] for line, figure in self.curve],
        }
