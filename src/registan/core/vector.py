"""`registan.Batch`: many games of one kind, stepped together in compiled code, for programs that learn."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np

from registan.core import batch, rows
from registan.core import chance as dice
from registan.core.box import find_box
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Game, Ints
from registan.core.match import checked_options
from registan.core.observation import layout_of, numbers_of
from registan.core.registry import find
from registan.core.rows import BOTS, CALLER, DEAL, STAY, Rows


class Batch:
    """Many games of one kind, played row by row in one array.

    `reset` and `step` fill these arrays in place, always the same ones, so that nothing is copied: `seats` (who acts
    in each row, -1 if its game is over), `observations` and `masks` (of that seat), `over` (whether a game ended in
    this step), `rewards` (by seat, 0 unless it did: they add up to 0, and winning alone is 1) and `points` (by seat, of
    the last game that ended). With `auto_reset`, the next game of a row is dealt at once. Game k of row i depends on
    `seeds[i]`, k and the actions only, not on the other rows or the number of threads.

    Actions are in the numbering for learners: the game's own, except where it has a compact one (`core.rules.compact`).
    `bots` names who plays each seat: "random" and "greedy" play in compiled code, None is the caller. `rotate` moves
    the line-up on by one seat from row to row. `observe=False` saves the time for observations.

    >>> import registan
    >>> batch = registan.Batch("khiva", players=4, n=100, seed=7)
    >>> batch.observations.shape, batch.masks.shape
    ((100, 553), (100, 633))
    >>> batch.step(batch.pick())
    >>> batch.seats[:3].tolist()
    [1, 1, 1]
    """

    def __init__(
        self,
        game: str | Game,
        players: int,
        n: int,
        *,
        seed: int = 0,
        box: str | Path | None = None,
        options: dict[str, Any] | None = None,
        bots: Sequence[str | None] | None = None,
        rotate: bool = False,
        auto_reset: bool = True,
        observe: bool = True,
        threads: int = 1,
    ) -> None:
        self.game = find(game) if isinstance(game, str) else game
        if players not in self.game.players:
            low, high = self.game.players[0], self.game.players[-1]
            raise BadInput("error.players", game=self.game.key, low=low, high=high, n=players)
        if n < 1 or threads < 1:
            raise BadInput("error.batch_size", n=n, threads=threads)
        self.players, self.n, self.auto_reset, self.threads = players, n, auto_reset, min(threads, n)
        self.box = find_box(self.game, box)
        self.engine = Engine(self.game, self.box, compiled=True)
        self.layout, self.numbers = layout_of(self.game, players), numbers_of(self.game, players)
        self._blank = batch.blank(self.game, 1, players, checked_options(self.game, options or {}))
        self._scratch = self._buffers()
        self.states = np.repeat(self._blank, n)
        self.rows = Rows(
            seeds=np.zeros(n, np.int64),
            games=np.zeros(n, np.int64),
            luck=np.zeros((n, dice.WORDS), np.uint64),
            kinds=self._kinds(bots, rotate),
            seats=np.full(n, -1, np.int8),
            over=np.zeros(n, np.bool_),
            rewards=np.zeros((n, players), np.float32),
            points=np.zeros((n, players), np.int32),
            observations=np.zeros((n, self.layout.size if observe else 0), np.float32),
            known=np.zeros(n, self.game.rules.STATE),
            masks=np.zeros((n, self.numbers), np.int8),
        )
        self._observations = read_only(self.rows.observations)
        self._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        self.reset(seed)

    def _kinds(self, bots: Sequence[str | None] | None, rotate: bool) -> Ints:
        names = [None] * self.players if bots is None else list(bots)
        if len(names) != self.players:
            raise BadInput("error.batch_bots", n=len(names), players=self.players)
        for name in names:
            if name is not None and name not in BOTS:
                raise BadInput("error.no_bot", bot=name, bots=", ".join(BOTS))
        if None not in names:
            raise BadInput("error.batch_caller")
        kinds = np.array([CALLER if name is None else BOTS[name] for name in names], np.int8)
        turns = [np.roll(kinds, i % self.players if rotate else 0) for i in range(min(self.n, self.players))]
        return np.array([turns[i % len(turns)] for i in range(self.n)])

    @property
    def seats(self) -> Ints:
        """Who acts in each row, -1 if its game is over."""
        return self.rows.seats

    @property
    def observations(self) -> Ints:
        """What the seat that acts observes, by row (`layout` says what is where).

        It is for reading: the next step may write only what has changed.
        """
        return self._observations

    @property
    def masks(self) -> Ints:
        """1 for each action that the seat may choose, by row."""
        return self.rows.masks

    @property
    def over(self) -> Ints:
        """Whether a game ended in the last step, by row."""
        return self.rows.over

    @property
    def rewards(self) -> Ints:
        """What the end of a game brought in the last step, by row and seat."""
        return self.rows.rewards

    @property
    def points(self) -> Ints:
        """The points of the last game that ended, by row and seat."""
        return self.rows.points

    @property
    def seeds(self) -> Ints:
        """The seed of each row."""
        return self.rows.seeds

    def reset(self, seed: int | Sequence[int] | Ints | None = None, where: Ints | None = None) -> None:
        """Deal a new game in each row, or in those where `where` is true.

        A number seeds row i with `seed + i`, a list seeds each row; without a seed the rows deal their next games.
        """
        which = np.ones(self.n, np.bool_) if where is None else np.asarray(where, np.bool_)
        if which.shape != (self.n,):
            raise BadInput("error.batch_rows", n=len(which), rows=self.n)
        if seed is not None:
            seeds = np.arange(seed, seed + self.n) if isinstance(seed, int) else np.asarray(seed, np.int64)
            if seeds.shape != (self.n,):
                raise BadInput("error.batch_rows", n=len(seeds), rows=self.n)
            self.rows.seeds[which] = seeds[which]
            self.rows.games[which] = 0
        else:
            self.rows.games[which & (self.states["over"] == 0)] += 1
        self._advance(np.where(which, DEAL, STAY))

    def step(self, actions: Any) -> None:
        """Play one action in each row; raise BadInput, before anything is played, if one is not legal.

        Rows whose game is over (without `auto_reset`) ignore theirs.
        """
        numbers = np.asarray(actions)
        if numbers.shape != (self.n,) or numbers.dtype.kind not in "iu":
            raise BadInput("error.batch_actions", rows=self.n, shape=numbers.shape, kind=numbers.dtype)
        wanted = numbers.astype(np.int64)
        row = int(self.engine.run(rows.refused, self.states, self.rows.seats, self.rows.masks, wanted))
        if row >= 0:
            legal = self.legal(row)
            shown = ", ".join(map(str, legal[:20].tolist())) + (", …" if len(legal) > 20 else "")
            seat = int(self.rows.seats[row])
            raise BadInput("error.batch_action", row=row, action=int(numbers[row]), seat=seat, legal=shown)
        self._advance(wanted)

    def legal(self, row: int) -> Ints:
        """Return the legal actions of a row, lowest first."""
        return np.flatnonzero(self.rows.masks[row])

    def pick(self) -> Ints:
        """Return an action of the random player for each row."""
        out = np.zeros(self.n, np.int64)

        def part(here: slice) -> None:
            seats, luck = self.rows.seats[here], self.rows.luck[here]
            self.engine.run(rows.pick, self.states[here], seats, luck, self.engine.actions(), out[here])

        self._spread(part)
        return out

    def observe(self, seat: int) -> tuple[Ints, Ints]:
        """Return what one seat observes in every row, and what it may do as far as it knows, in new arrays."""
        if not 0 <= seat < self.players:
            raise BadInput("error.seat", seat=seat, last=self.players - 1)
        out = np.zeros((self.n, self.layout.size), np.float32)
        masks = np.zeros((self.n, self.numbers), np.int8)
        seats = np.full(self.n, seat, np.int8)

        def part(here: slice) -> None:
            scratch, actions = np.zeros(1, self.states.dtype), self.engine.actions()
            self.engine.run(rows.observe, self.states[here], scratch, seats[here], out[here], masks[here], actions)

        self._spread(part)
        return out, masks

    def scores(self) -> Ints:
        """Return what each seat would score now, by row, seat and part of the score; part 0 is the total."""
        return self.engine.scores(self.states)[:, : self.players]

    def winners(self) -> Ints:
        """Return who would win now, by row and seat."""
        who = self.engine.winners(self.states)
        return (who[:, None] >> np.arange(self.players) & 1).astype(np.bool_)

    def copy(self) -> Batch:
        """Return an independent copy that goes on in the same way."""
        twin: Batch = object.__new__(Batch)
        twin.__dict__.update(self.__dict__)
        twin.states, twin._scratch = self.states.copy(), twin._buffers()
        twin.rows = Rows(*(array.copy() for array in self.rows))
        twin._observations = read_only(twin.rows.observations)
        twin._pool = ThreadPoolExecutor(self.threads) if self.threads > 1 else None
        return twin

    def __len__(self) -> int:
        return self.n

    def __repr__(self) -> str:
        return f"<Batch of {self.n} games of {self.game.key}, {self.players} players>"

    def _buffers(self) -> tuple[Any, Ints, Ints]:
        """Return what a step writes to and nobody reads: a state, and room for all legal actions and their worth."""
        return np.zeros(1, self._blank.dtype), self.engine.actions(), np.zeros(self.game.rules.MOST)

    def _advance(self, numbers: Ints) -> None:
        run, auto = self.engine.run, self.auto_reset
        if self._pool is None:  # without slices: this is how environments step a single game
            run(rows.advance, self.states, self.rows, self._blank, numbers, auto, *self._scratch)
            return

        def part(here: slice) -> None:
            mine = Rows(*(array[here] for array in self.rows))
            run(rows.advance, self.states[here], mine, self._blank, numbers[here], auto, *self._buffers())

        self._spread(part)

    def _spread(self, work: Callable[[slice], None]) -> None:
        """Do work on all rows, in equal parts on threads (compiled code releases the GIL)."""
        if self._pool is None:
            work(slice(0, self.n))
            return
        cuts = [self.n * k // self.threads for k in range(self.threads + 1)]
        for done in [self._pool.submit(work, slice(a, b)) for a, b in pairwise(cuts)]:
            done.result()


def read_only(array: Ints) -> Ints:
    """Return an array with the same numbers that cannot be written to."""
    shown = array.view()
    shown.flags.writeable = False
    return shown
