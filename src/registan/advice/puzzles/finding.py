"""Finding puzzles: strong bots play, and every decision in which they see more than a glance does is looked into.

Most decisions fail at the first, cheap question; each further one costs more and is asked of fewer. The same seed finds
the same puzzles.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.advice.figures import WIDTH, Figure
from registan.advice.judge import Judge
from registan.advice.puzzles.puzzle import Judged, Puzzle, Source
from registan.advice.why import reasons
from registan.bots.greedy import GreedyBot
from registan.core import chance
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.game import Game, Ints, Json
from registan.core.match import Match

TABLES = (3, 4, 4, 3, 2, 3, 4, 5)
"""Numbers of players, by turns; a game skips those that it does not have."""
GLANCE, PLAY = 60, 240
"""Simulations of a decision in the game: where the first ones agree with a glance, and where they do not."""
AGREED = 0.75
"""The share of those first simulations that is enough for agreement."""
SEEMS = 0.03
"""How much more often a move must win than the obvious one before it is looked into."""
SEARCH = 1000
"""Simulations of the search that must find the move again."""
LONG = 20 * SEARCH
"""Simulations of the last search: what a short one sees may be wrong, however clearly it sees it."""
ROUNDS = (150, 350, 1000)
"""Simulations of the best move and of each other, in trees of their own; hopeless puzzles are dropped in between."""
CLEAR, CERTAIN = 0.04, 3.0
"""The best move wins so much more often than any other, by so many standard errors."""
PER_GAME = 3
"""So many puzzles are taken from one game."""
LADDER = (10, 30, 100, 300, 1000)
"""Lengths of the searches that rate a puzzle, and how many there are of each."""
CLIMBS = 6
EASIEST, STEP = 1000, 200
"""The rating of a puzzle that the shortest search finds, and what each longer one adds."""


@dataclass(frozen=True)
class Spot:
    """A decision in a game: what the seat knows, its moves, and which of them look best."""

    lines: int
    """How many lines of the record come before it."""
    since: tuple[Json, ...]
    seat: int
    hidden: Any
    actions: list[int]
    best: int
    obvious: int


@dataclass(frozen=True)
class Lead:
    """How much more often the best move wins than another."""

    by: Figure

    @property
    def is_clear(self) -> bool:
        """Whether nobody need doubt it."""
        return self.by.value >= max(CLEAR, CERTAIN * self.by.error)

    @property
    def may_be(self) -> bool:
        """Whether more simulations could still make it clear."""
        return self.by.value + self.by.error >= CLEAR


class Finder:
    """Finds the puzzles of a game; games of bots are numbered from 0."""

    def __init__(self, game: Game, seed: int = 0) -> None:
        self.game, self.seed = game, seed
        self.engine = Engine(game, find_box(game), compiled=True)
        self.tables = [players for players in TABLES if players in game.players] or list(game.players)

    def game_number(self, number: int) -> Source:
        """Return the puzzles of one game of the bots."""
        judge = Judge(self.engine, PLAY, salt=b"find")
        players = self.tables[number % len(self.tables)]
        stream = chance.Stream.from_seed(self.seed * 1_000_003 + number)
        match = Match(self.game, self.engine.box, players, stream=stream).deal()
        found: list[Puzzle] = []
        for spot in self._decisions(judge, match):
            if spot.best == spot.obvious or (len(spot.actions) == 2 and any(len(old.moves) == 2 for old in found)):
                continue  # of puzzles that a coin solves half of the time, one is enough
            if puzzle := self._checked(match, spot):
                found.append(puzzle)
                if len(found) == PER_GAME:
                    break
        whole = match.record()
        record = {name: whole[name] for name in ("format", "game", "players", "options", "box", "setup")}
        lines = whole["moves"][: found[-1].at] if found else []
        return Source({**record, "engine": self.game.version, "status": "running", "moves": lines}, found)

    def _decisions(self, judge: Judge, match: Match) -> Iterator[Spot]:
        """Play a game and yield its decisions that have a choice."""
        since: list[Json] = []
        while not match.over:
            lines, answers = len(match.written), []
            for seat in match.waiting:  # all of them before the first answers: nobody knows what others choose
                spot = self._decided(judge, match, seat, since)
                answers.append((seat, spot.actions[spot.best]))
                if len(spot.actions) > 1:
                    yield spot
            for seat, action in answers:
                since.append({"seat": seat, **self.game.moves.write(match.box, match.state, seat, action)})
                match.play_action(seat, action)
            if len(match.written) > lines:
                since = []

    def _decided(self, judge: Judge, match: Match, seat: int, since: list[Json]) -> Spot:
        """Return a decision, with the move that a strong bot plays."""
        hidden = match.hidden(seat)
        actions = self.engine.legal(hidden, seat)
        best = obvious = 0
        if len(actions) > 1:
            obvious = actions.index(glance(self.engine, hidden, seat))
            root = judge.search(hidden, seat, GLANCE)
            best = int(np.argmax(root[:, 0]))
            if best != obvious or root[best, 0] < AGREED * GLANCE:
                root = judge.search(hidden, seat, PLAY)
                best = int(np.argmax(root[:, 0]))
                wins = root[:, 2] / np.maximum(root[:, 0], 1)
                if best != obvious and wins[best] - wins[obvious] < SEEMS:
                    obvious = best  # not worth a closer look
        return Spot(len(match.written), tuple(since), seat, hidden, actions, best, obvious)

    def _checked(self, match: Match, spot: Spot) -> Puzzle | None:
        """Return the puzzle of a decision, None if the best move is not the best by far."""
        judge = Judge(self.engine, ROUNDS[0], salt=b"check")
        if not self._lead(judge, spot, spot.obvious).may_be:
            return None
        root = judge.search(spot.hidden, spot.seat, SEARCH)
        tried = np.argsort(-root[:, 0], kind="stable")
        if tried[0] != spot.best:
            return None
        means = root[:, 1] / np.maximum(root[:, 0], 1)
        rivals = {spot.obvious, int(tried[1]), max((int(i) for i in tried[1:]), key=lambda i: means[i])}
        for simulations in ROUNDS[1:]:
            if not all(self._lead(judge, spot, rival).may_be for rival in rivals):
                return None
            for only in (spot.best, *rivals):
                judge.look_again(spot.hidden, spot.seat, only, simulations)
        if not all(self._lead(judge, spot, rival).is_clear for rival in rivals):
            return None
        others = [i for i in range(len(spot.actions)) if i != spot.best and i not in rivals]
        if not all(self._ruled_out(judge, spot, other) for other in others):
            return None
        if Judge(self.engine, LONG, salt=b"long").best(spot.hidden, spot.seat) != spot.best:
            return None
        return self._puzzle(judge, match, spot, rivals)

    def _lead(self, judge: Judge, spot: Spot, rival: int) -> Lead:
        best, other = (judge.prospect(spot.hidden, spot.seat, only).chance(spot.seat) for only in (spot.best, rival))
        return Lead(best - other)

    def _ruled_out(self, judge: Judge, spot: Spot, other: int) -> bool:
        """Whether the best move is clearly better than one that nothing speaks for; look again if that is in doubt."""
        for simulations in ROUNDS[1:]:
            lead = self._lead(judge, spot, other)
            if lead.is_clear or not lead.may_be:
                return lead.is_clear
            judge.look_again(spot.hidden, spot.seat, other, simulations)
        return self._lead(judge, spot, other).is_clear

    def _puzzle(self, judge: Judge, match: Match, spot: Spot, rivals: set[int]) -> Puzzle:
        hidden, seat = spot.hidden, spot.seat
        write = self.game.moves.write
        prospects = {only: judge.prospect(hidden, seat, only).opinion for only in range(len(spot.actions))}
        chances = {only: judge.prospect(hidden, seat, only).chance(seat) for only in prospects}
        order = sorted(prospects, key=lambda only: (only != spot.best, -chances[only].value, only))
        told = [spot.best, *sorted(rivals, key=order.index)]
        opinions = [prospects[only] for only in told]
        why = {only: reasons(self.engine, match.players, seat, opinions, i) for i, only in enumerate(told)}
        moves = [
            Judged(
                write(match.box, hidden[0], seat, spot.actions[only]),
                round(chances[only].value, 3),
                round(WIDTH * chances[only].error, 3),
                why.get(only, []),
            )
            for only in order
        ]
        obvious = write(match.box, hidden[0], seat, spot.actions[spot.obvious])
        known = hashlib.sha256(b"%d %s" % (seat, hidden.tobytes())).hexdigest()
        rating = self.rating(hidden, seat, spot.best)
        return Puzzle(known[:8], spot.lines, seat, rating, SEARCH, obvious, moves, list(spot.since))

    def rating(self, hidden: Any, seat: int, best: int) -> int:
        """Return how hard a puzzle is: by the length of the searches that find its move most of the time."""
        judge, missed = Judge(self.engine, 0, salt=b"rate"), 0.0
        for simulations in LADDER:
            searches = [judge.search(hidden, seat, simulations, b"%d" % climb) for climb in range(CLIMBS)]
            found = sum(int(np.argmax(root[:, 0])) == best for root in searches)
            missed += 1 - found / CLIMBS
            if found == CLIMBS:
                break
        return EASIEST + round(STEP * missed)


def glance(engine: Engine, hidden: Any, seat: int) -> int:
    """Return the action that looks best at a glance; equally good ones are always decided alike."""
    rng: Ints = np.zeros(chance.WORDS, np.uint64)
    chance.seed(rng, 0, seat)
    return GreedyBot().choose(engine, hidden, seat, rng)
