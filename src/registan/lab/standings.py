"""The outcome of an arena: win shares, scores, ratings and luck, each with its interval."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.core.game import Ints, Json
from registan.lab.arena import Arena, Played
from registan.lab.estimates import Estimate, ratio, share
from registan.lab.luck import Luck, luck_share
from registan.lab.ratings import ratings


@dataclass(frozen=True)
class Standing:
    """How a bot did. Copies of it count together, so that 1 / players is par."""

    name: str
    games: int
    wins: Estimate
    score: Estimate
    rating: Estimate
    faults: tuple[Json, ...] = ()
    """What the bot did wrong, if it is a program: `game`, `seat`, `kind` and `why`."""

    def faults_by_kind(self) -> dict[str, int]:
        """Return how often each kind of fault happened, most often first."""
        return dict(Counter(fault["kind"] for fault in self.faults).most_common())


@dataclass(frozen=True)
class Standings:
    """The outcome of an arena."""

    arena: Arena
    deals: int
    games: int
    bots: list[Standing]
    seats: list[Estimate]
    luck: Luck | None

    def written(self) -> dict[str, Any]:
        """Return it as plain data."""
        arena = self.arena
        return arena.run.named() | {
            "bots": list(arena.run.names),
            "line_ups": [list(line_up) for line_up in arena.line_ups],
            "deals": self.deals,
            "games": self.games,
            "par": round(1 / arena.run.players, 4),
            "standings": [
                {
                    "bot": bot.name,
                    "games": bot.games,
                    "wins": bot.wins.written(),
                    "score": bot.score.written(2),
                    "rating": bot.rating.written(1),
                }
                | ({"faults": bot.faults_by_kind(), "first_fault": bot.faults[0]} if bot.faults else {})
                for bot in self.bots
            ],
            "wins_by_seat": [seat.written() for seat in self.seats],
            "luck": self.luck.written() if self.luck else None,
        }


def whole_deals(arena: Arena, played: list[Played]) -> list[Played]:
    """Return the games of the deals that were played from every seat, in order; the others would favour somebody."""
    counts: dict[int, int] = {}
    for game in played:
        counts[game.deal] = counts.get(game.deal, 0) + 1
    whole = [game for game in played if counts[game.deal] == arena.run.players]
    return sorted(whole, key=lambda game: game.number)


def standings(arena: Arena, played: list[Played]) -> Standings | None:
    """Return the standings after the deals that were played from every seat; None if there is none yet."""
    games = whole_deals(arena, played)
    if not games:
        return None
    players = arena.run.players
    names = [name for name in arena.names if any(name in game.bots for game in games)]
    scores = np.array([game.scores for game in games], float)
    won = np.zeros_like(scores)
    for i, game in enumerate(games):
        won[i, list(game.winners)] = 1 / len(game.winners)
    bots = np.array([[names.index(name) for name in game.bots] for game in games])
    deals = np.unique([game.deal for game in games], return_inverse=True)[1]
    count = int(deals.max()) + 1
    rated = ratings(places(scores, won), bots, deals, len(names)) if len(names) > 1 else [Estimate(1500, 1500, 1500)]

    def by_deal(values: Ints) -> Ints:
        return np.bincount(deals, values.sum(axis=1), count)

    rows = []
    for b, name in enumerate(names):
        here = bots == b
        seats = by_deal(here.astype(float))
        wins = share(by_deal(won * here), seats)
        wrong = tuple(fault for game in games for fault in game.faults if game.bots[fault["seat"]] == name)
        rows.append(Standing(name, int(here.sum()), wins, ratio(by_deal(scores * here), seats), rated[b], wrong))
    by_seat = [share(by_deal(won[:, [seat]]) / players) for seat in range(players)]
    # By deal, the rotations one after the other: as `seatings` has them. A bot is another one in another line-up.
    groups = np.array([game.deal % len(arena.line_ups) for game in games]).reshape(-1, players, 1)[:, :1]
    who = bots.reshape(-1, players, players) + len(names) * groups
    luck = luck_share(scores.reshape(who.shape), who, len(names) * len(arena.line_ups)) if count > 1 else None
    return Standings(arena, count, len(games), rows, by_seat, luck)


def places(scores: Ints, won: Ints) -> Ints:
    """Return the rank of every seat from 0, winners first (rules break ties that scores do not), equal scores equal."""
    key = scores + np.where(won > 0, scores.max() - scores.min() + 1, 0)
    return np.asarray((key[:, None, :] > key[:, :, None]).sum(axis=2))
