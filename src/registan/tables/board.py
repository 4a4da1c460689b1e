"""The game on a table: a match that knows who moved when, can show earlier moments, and can take moves back.

S14 says that nobody else is told while the holder of a card is asked whether to sell it. So the game goes on at once,
as if the card were kept, and the question stays open beside it: the holder still sees the moment of the question, all
others see what they would see if there were none, and may move on. A card that is sold after all is sold at that
moment, and what was played since is played again on top of it: nothing of it can have depended on the sale, since the
holder was asked first and has not moved meanwhile.
"""

from __future__ import annotations

import copy
from collections import Counter
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

import numpy as np

from registan.core import chance
from registan.core.box import find_box
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Box, Line
from registan.core.match import Match, Written
from registan.core.registry import find
from registan.games.samarkand import orders as sales
from registan.games.samarkand.state import SALE


@cache
def open_box(game: str, key: str | None = None) -> Box:
    """Return a box that comes with a game, opened once for all tables."""
    return find_box(find(game), key)


SAMPLES = 12
"""Worlds that are tried to see whether a move has revealed something."""


class Play(NamedTuple):
    """One decision. `open` marks a card taken as kept (S14) while its holder is still asked."""

    seat: int
    action: int
    open: bool = False
    quiet: bool = False
    """A card that was kept: nobody else knows of it."""


class Tally:
    """What is asked again and again of a list of decisions."""

    def __init__(self, plays: list[Play]) -> None:
        self.decisions: Counter[int] = Counter()
        self.questions: dict[int, int] = {}
        """By seat: which decision about a sale (S14) is still open."""
        for i, play in enumerate(plays):
            self.add(i, play)

    def add(self, i: int, play: Play) -> None:
        """Count one more decision, the one with number i."""
        self.decisions[play.seat] += 1
        if play.open:
            self.questions.setdefault(play.seat, i)


class Board(Match):
    """A match with its decisions in order."""

    plays: list[Play]
    _counted: Tally | None = None
    _read: dict[int, tuple[Written, int, int, list[Line]]]
    """By seat: the last line that was read, how many there were and were forgotten, and what the seat may know."""
    _ways: dict[int, list[Line]]
    """By line: the ways in which it may be read."""

    @property
    def setup(self) -> Line:
        """How the game was laid out."""
        return self._setup

    def draw(self) -> None:
        """Carry out the chance events that are due."""
        while self._states["due"][0]:
            before = self._copy()
            self.engine.chance(self._states)
            line = self.game.moves.happened(self.box, before, self.state)
            self.written.append(Written(line, None, self._copy()))

    def start(self, first: int | None = None) -> Board:
        """Deal, with no decision made yet; `first` is the seat that begins, by lot if none is named."""
        self.deal(first)
        self.plays = []
        self._read, self._ways = {}, {}
        return self

    def log(self, seat: int = SPECTATOR) -> list[Line]:
        """Return the lines of the record as far as the seat may read them; the same lines are the same objects."""
        last, count, missing, lines = self._read.get(seat, (None, 0, 0, []))
        gone = self.game.moves.forgotten(self.state, (w.line for w in self.written))
        # Lines are only added or taken away at the end, so where one is still in its place, so are those before it.
        if count and (count > len(self.written) or self.written[count - 1] is not last or missing != len(gone)):
            count, lines = 0, []
        if count < len(self.written):
            new = (self._redacted(i, seat) for i in range(count, len(self.written)) if i not in gone)
            lines = [*lines, *(line for line in new if line)]
            self._read[seat] = self.written[-1], len(self.written), len(gone), lines
        return lines

    def _redacted(self, i: int, seat: int) -> Line:
        """Return what a seat may read of a line; what is the same for others is the same object."""
        line = self.line_for(i, seat)
        ways = self._ways.setdefault(i, [])
        for known in ways:
            if known == line:
                return known
        ways.append(line)
        return line

    def put(self, seat: int, action: int, orders: Mapping[int, Mapping[int, str]]) -> None:
        """Play an action, and whatever standing orders for sales (S14) say to it."""
        question = self.question_of(seat)
        if question is not None:
            self._answer(question, seat, action)
            return
        self._play(Play(seat, action))
        self._ask_holder(orders)

    def _play(self, play: Play) -> None:
        self.play_action(play.seat, play.action)
        self._tally.add(len(self.plays), play)
        self.plays.append(play)

    def _ask_holder(self, orders: Mapping[int, Mapping[int, str]]) -> None:
        """S14: sell or keep as ordered; without an order go on as if the card were kept, with the question open."""
        while self._on_sale():
            holder = self.waiting[0]
            move = sales.answer(self.hidden(holder)[0], holder, orders.get(holder, {}))
            asked = move is None
            if move is None:
                move = {"do": "keep", "good": int(self.state.good) + 1}
            action = self.game.moves.read(self.box, self.state, move)
            self._play(Play(holder, action, asked, move["do"] == "keep"))

    def _on_sale(self) -> bool:
        return self.game.key == "samarkand" and int(self._states["phase"][0]) == SALE

    def _answer(self, at: int, seat: int, action: int) -> None:
        """Settle an open question: a card that is kept changes nothing, one that is sold is sold then."""
        self.moment(at).check(seat, action)
        kept = self.plays[at]
        if action == kept.action:
            self.plays[at] = kept._replace(open=False)
            self._counted = None
            return
        since = self.plays[at + 1 :]
        self.back_to(at)
        self._again([Play(seat, action), *since])

    def _again(self, plays: list[Play]) -> None:
        for play in plays:
            self._play(play)

    @property
    def asked_for_sale(self) -> set[int]:
        """The seats that are still asked whether to sell a card (S14)."""
        return set(self._tally.questions)

    def question_of(self, seat: int) -> int | None:
        """Return which decision of a seat about a sale (S14) is still open."""
        return self._tally.questions.get(seat)

    @property
    def _tally(self) -> Tally:
        """What is asked of the decisions again and again; counted anew when they have changed."""
        if self._counted is None:
            self._counted = Tally(self.plays)
        return self._counted

    @property
    def settled(self) -> bool:
        """Whether no question about a sale is open."""
        return not self._tally.questions

    def back_to(self, count: int) -> None:
        """Take back all decisions but the first so many."""
        while self.moves_played > count:
            self.undo()
        del self.plays[count:]
        self._counted = None

    def moment(self, before: int) -> Board:
        """Return the board as it was before a decision: to look at, not to play on."""
        data, lines, _, answers = self._before[before]
        then = copy.copy(self)
        then.restore(data)
        then.written = self.written[:lines]
        then._answers = list(answers)
        then._read, then._ways = {}, {}
        return then

    def sight(self, seat: int) -> Board:
        """Return the board as far as it has come for a seat: at the question, if the seat is asked for a sale."""
        question = self.question_of(seat)
        return self if question is None else self.moment(question)

    def decisions(self, seat: int) -> int:
        """Return how many decisions a seat has made."""
        return self._tally.decisions[seat]

    def last_of(self, seat: int) -> int | None:
        """Return the last decision of a seat that could be taken back: of a card that was kept nobody is told."""
        for i in range(len(self.plays) - 1, -1, -1):
            if self.plays[i].seat == seat and not self.plays[i].quiet:
                return i
        return None

    def sealed(self, seat: int) -> bool:
        """Whether the seat has answered the open question, and may change its mind."""
        return any(other == seat for other, _ in self._answers)

    def free_to_undo(self, seat: int) -> bool:
        """Whether a seat may take its last decision back without asking: nobody acted since, and nothing was revealed.

        Cards that others kept (S14) are no actions: the seat cannot know of them.
        """
        at = self.last_of(seat)
        if at is None:
            raise BadInput("error.nothing_to_undo")
        if self.sealed(seat):
            return True
        if any(not play.quiet for play in self.plays[at + 1 :]):
            return False
        return not self.revealed(at)

    def take_back(self, seat: int) -> None:
        """Take a seat's last decision back with what came after; sealed answers of others stay where they are."""
        at = self.last_of(seat)
        if at is None:
            raise BadInput("error.nothing_to_undo")
        others = self.plays[at + 1 :] if self.sealed(seat) else []
        self.back_to(at)
        self._ask_holder({})  # a sale that is taken back is a question again
        self._again(others)

    def revealed(self, at: int) -> bool:
        """Whether a decision told the seat that made it something it could not have foreseen.

        What it knew is dealt out anew several times; where it then sees something else than it did, it has learnt.
        """
        run, seat, action = self.engine, self.plays[at].seat, self.plays[at].action
        before = np.frombuffer(bytearray(self._before[at][0]), self.game.rules.STATE)
        after = self._before[at + 1][0] if at + 1 < len(self._before) else self.state.tobytes()
        saw = np.frombuffer(bytearray(after), self.game.rules.STATE)
        run.hide(saw, seat)
        words = np.zeros(chance.WORDS, np.uint64)
        chance.seed(words, at, seat)
        for _ in range(SAMPLES):
            world = before.copy()
            run.hide(world, seat)
            run.guess(world, seat, words)
            run.apply(world, seat, action)
            run.hide(world, seat)
            if world.tobytes() != saw.tobytes():
                return True
        return False
