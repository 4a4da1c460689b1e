"""What a report is made of: games that are counted, deals that are played from every seat, and bots that compete."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass

from registan.lab.arena import Arena, Played, make_arena, play_arena
from registan.lab.order import Order
from registan.lab.sample import Sample, Wanted, take_sample
from registan.lab.standings import Standings, standings
from registan.lab.warm import warm

LUCK_GAMES = 2000

Progress = Callable[[str, int], AbstractContextManager[Callable[[int], None]]]
"""Shows how far something is: with its name and the number of games, yields how to say that n more are done."""


@dataclass(frozen=True)
class Plan:
    """What is to be found out, and of which box, as it was asked for."""

    order: Order
    bots: tuple[str, ...]
    games: int
    ladder: tuple[str, ...]
    ladder_games: int
    box: str | None = None
    out: str = "report.html"

    def commands(self, games: int) -> dict[str, str]:
        """Return the command for each part, with as many games as were played."""
        order = self.order
        options = [f"--option={name}={value}" for name, value in order.options]
        more = [*([] if self.box is None else ["--box", self.box]), *options]

        def words(command: str, bots: tuple[str, ...], n: int, *extra: str) -> str:
            who = bots[:1] if len(set(bots)) == 1 else bots
            shared = ["--players", order.players, "--seed", order.seed, "--bots", ",".join(who), "--games", n]
            return shlex.join(["registan", *command.split(), order.game, *map(str, shared), *more, *extra])

        last = ["--out", self.out]
        rivals = ["--ladder", ",".join(self.ladder), "--ladder-games", str(self.ladder_games)]
        return {
            "sample": words("simulate", self.bots, games),
            "luck": words("arena", half_and_half(order.players), LUCK_GAMES),
            "ladder": words("arena", self.ladder, self.ladder_games),
            "winning": words("lab report", self.bots, games, "--ladder-games", "0", *last),
            "page": words("lab report", self.bots, games, *rivals, *last),
        }


@dataclass
class Findings:
    """What was found out; what is missing was not waited for."""

    plan: Plan
    sample: Sample | None = None
    luck: Standings | None = None
    ladder: Standings | None = None
    stopped: bool = False


def half_and_half(players: int) -> tuple[str, ...]:
    """Return who plays for the share of luck: bots that differ, and that are quick enough for thousands of games."""
    return ("greedy",) * -(-players // 2) + ("random",) * (players // 2)


def find_out(plan: Plan, workers: int, progress: Progress) -> Findings:
    """Play all that is needed; who stops it gets what was found out until then."""
    found = Findings(plan)
    try:
        with progress("sample", plan.games) as more:
            wanted = Wanted(plan.order, plan.bots, 0, plan.games)
            found.sample, found.stopped = take_sample(wanted, workers, more)
        if not found.stopped:
            found.luck = compete(
                found, make_arena(plan.order, half_and_half(plan.order.players), LUCK_GAMES), 1, progress
            )
        if not found.stopped and plan.ladder_games > 0:
            warm(plan.order, plan.ladder)
            arena = make_arena(plan.order, plan.ladder, plan.ladder_games)
            found.ladder = compete(found, arena, workers, progress)
    except KeyboardInterrupt:
        found.stopped = True
    return found


def compete(found: Findings, arena: Arena, workers: int, progress: Progress) -> Standings | None:
    """Play an arena, or as much of it as somebody waits for."""
    played: list[Played] = []
    try:
        with progress("arena", arena.games) as more:
            for games in play_arena(arena, set(), workers):
                played += games
                more(len(games))
    except KeyboardInterrupt:
        found.stopped = True
    return standings(arena, played)
