"""The match at a table: it remembers every decision, can show earlier moments, and can take moves back.

In some games a seat is asked something that nobody else may know about (`Orders.quiet`). The match then continues at
once with an assumed answer, and the question stays open: its seat still sees the moment of the question, while the
others see the game as if there were none, and may move. If the real answer is different, it takes effect at that
earlier moment, and the moves since are played again after it. None of them can depend on the answer, since the seat
was asked first and has not moved since.
"""

from __future__ import annotations

import copy

import numpy as np

from registan.core.errors import BadInput
from registan.core.game import Json, Timed
from registan.core.match import Match, Written
from registan.tables.decisions import Counts, Decision, same
from registan.tables.reading import ReadMatch
from registan.tables.shelf import TOGETHER, Befores, Lines, put_away

OrdersBySeat = dict[int, Json]
"""By seat: its stored orders."""
NO_ORDERS: OrdersBySeat = {}


class TableMatch(ReadMatch):
    """A match with its decisions in order."""

    decisions: list[Decision]
    taken_back: list[Json]
    """As the record has it: where play went on (`at`), who asked (`seats`), and the lines taken back (`moves`)."""
    _before: Befores
    _counted: Counts | None = None
    _shelved: int = 0
    """The states before how many decisions are put away."""

    @property
    def setup(self) -> Json:
        """The setup of the game."""
        return self._setup

    def draw(self) -> None:
        """Carry out the chance events that are due."""
        while self._states["due"][0]:
            before = self._copy()
            self.engine.chance(self._states)
            line = self.game.moves.write_event(self.box, before, self.state)
            self.written.append(Written(line, None, self._copy()))

    def start(self, first: int | None = None) -> TableMatch:
        """Deal; `first` is the seat that begins, drawn by lot by default."""
        self.deal(first)
        self.decisions, self.taken_back = [], []
        self.begin_past()
        return self

    @classmethod
    def replayed(cls, match: Match) -> TableMatch:
        """Return a match that was replayed from a record, to show its moments and to play on from any of them."""
        then = cls.__new__(cls)
        then.__dict__.update(match.__dict__)
        then.decisions, then.taken_back = [], []
        then.begin_past()
        return then

    def begin_past(self) -> None:
        """Begin to keep what was played in lists that can be put away."""
        self._before, self.written = Befores(self._before), Lines(self.written)
        self.forget_log()

    def points(self) -> list[list[int]]:
        """Return everybody's points before the first line and after each, as if the game had ended there."""
        records = [self.moment(0).state if self.moves_played else self.state, *(w.after for w in self.written)]
        states = np.frombuffer(bytearray(b"".join(record.tobytes() for record in records)), self._states.dtype)
        points: list[list[int]] = self.engine.scores(states)[:, : self.players, 0].tolist()
        return points

    # Decisions.

    def decide(self, seat: int, action: int, orders: OrdersBySeat = NO_ORDERS) -> None:
        """Play an action and answer quiet questions as ordered; raise IllegalMove and change nothing if illegal."""
        question = self.question_of(seat)
        if question is not None:
            self._settle(question, seat, action)
            return
        self._play(Decision(seat, action))
        self.ask_quietly(orders)

    def _play(self, decision: Decision) -> None:
        self.play_action(decision.seat, decision.action)
        self._counts.add(len(self.decisions), decision)
        self.decisions.append(same(decision))
        self._put_away()

    def _put_away(self) -> None:
        """Keep the states of earlier moves small."""
        while (stop := put_away(self._states.dtype, self._before, self.written, self._shelved)) != self._shelved:
            self._shelved = stop
            # Those who read the log have these lines already.
            at_hand = self._before[stop][1]
            self._ways = {i: ways for i, ways in self._ways.items() if i >= at_hand}

    def ask_quietly(self, orders: OrdersBySeat = NO_ORDERS) -> None:
        """Answer quiet questions as ordered; without an order, continue with the assumed answer and leave them open."""
        rules = self.game.orders
        if rules is None:
            return
        while (assumed := rules.quiet(self.box, self.state)) is not None:
            (seat,) = self.waiting
            action = None
            if seat in orders:
                action = rules.answer(self.box, self.hidden(seat)[0], seat, orders[seat])
            if action is None:
                self._play(Decision(seat, assumed, open=True, quiet=True))
            else:
                self._play(Decision(seat, action, quiet=action == assumed))

    def _settle(self, at: int, seat: int, action: int) -> None:
        """Answer an open question: the assumed answer changes nothing, any other takes effect when it was asked."""
        self.moment(at).check(seat, action)
        assumed = self.decisions[at]
        if action == assumed.action:
            self.decisions[at] = assumed._replace(open=False)
            self._counted = None
            return
        since = self.decisions[at + 1 :]
        self.back_to(at)
        self._again([Decision(seat, action), *since])

    def _again(self, decisions: list[Decision]) -> None:
        for decision in decisions:
            self._play(decision)

    @property
    def _counts(self) -> Counts:
        if self._counted is None:
            self._counted = Counts(self.decisions)
        return self._counted

    def decisions_of(self, seat: int) -> int:
        """Return how many decisions a seat has made."""
        return self._counts.by_seat.get(seat, 0)

    def has_decided(self, seat: int) -> bool:
        """Whether a seat has made a decision that it could take back (`last_of`)."""
        return seat in self._counts.known

    # Questions.

    def question_of(self, seat: int) -> int | None:
        """Return the index of the decision that a seat is quietly asked for, None if there is none."""
        return self._counts.questions.get(seat)

    @property
    def questions(self) -> dict[int, int]:
        """The open quiet questions: by seat, the number of the decision."""
        return dict(self._counts.questions)

    @property
    def asked_quietly(self) -> set[int]:
        """The seats with an open quiet question."""
        return set(self._counts.questions)

    @property
    def settled(self) -> bool:
        """Whether no quiet question is open."""
        return not self._counts.questions

    @property
    def timed(self) -> Timed | None:
        """The current decision, if it can run against a real clock."""
        rules = self.game.orders
        return None if rules is None else rules.timed(self.box, self.state)

    def copy(self) -> TableMatch:
        """Return a match that can go on without changing this one; they share what never changes."""
        then = TableMatch.__new__(TableMatch)  # copy.copy takes four times as long
        then.__dict__.update(self.__dict__)
        then.restore(self._states.tobytes())
        then.written, then._before = self.written.copy(), self._before.copy()
        then._answers, then.decisions, then.taken_back = (
            self._answers.copy(), self.decisions.copy(), self.taken_back.copy(),
        )  # fmt: skip
        then._counted = None if self._counted is None else self._counted.copy()
        then._read, then._told = self._read.copy(), self._told.copy()
        then._ways, then._outcomes = self._ways.copy(), self._outcomes.copy()
        return then

    # Earlier moments.

    def moment(self, before: int) -> TableMatch:
        """Return the match as it was before a decision, for reading only."""
        data, lines, _, answers = self._before[before]
        then = copy.copy(self)
        then.restore(data)
        then.written = self.written.first(lines)
        then._answers = list(answers)
        then.forget_log()
        return then

    def after(self, lines: int) -> TableMatch:
        """Return the match as it was after that many lines of the record, for reading only."""
        then = copy.copy(self)
        if lines:
            then.restore(self.written[lines - 1].after.tobytes())
        elif self._before:
            then.restore(self._before[0][0])
        then.written = self.written.first(lines)
        then._answers, then._read, then._told, then._gone = [], {}, {}, None
        then._outcomes, then._open = [], 0  # this match knows fewer lines
        return then

    def for_seat(self, seat: int) -> TableMatch:
        """Return the match as a seat sees it: at its quiet question, if it has one."""
        question = self.question_of(seat)
        return self if question is None else self.moment(question)

    def back_to(self, count: int) -> None:
        """Take back all decisions but the first `count`."""
        while self.moves_played > count:
            self.undo()
        self._cuts += 1
        del self._outcomes[len(self.written) :]
        self._open &= (1 << len(self.written)) - 1
        self._ways = {i: ways for i, ways in self._ways.items() if i < len(self.written)}
        self._shelved = min(self._shelved, count // TOGETHER * TOGETHER)
        self._answers = self._answers.copy()  # a copy of the match may still have the list that is taken back to
        del self.decisions[count:]
        self._counted = None

    # Taking back.

    def last_of(self, seat: int) -> int | None:
        """Return the index of a seat's last decision that it could take back, which excludes quiet ones."""
        for i in range(len(self.decisions) - 1, -1, -1):
            if self.decisions[i].seat == seat and not self.decisions[i].quiet:
                return i
        return None

    def sealed(self, seat: int) -> bool:
        """Whether the seat has answered the open question and may still change its answer."""
        return any(other == seat for other, _ in self._answers)

    def free_to_undo(self, seat: int) -> bool:
        """Whether a seat may take back its last decision without asking: nobody acted since, and nothing was revealed.

        Quiet decisions of others do not count: the seat cannot know about them.
        """
        at = self._undoable(seat)
        if self.over:
            return False
        if self.sealed(seat):
            return True
        if any(not decision.quiet for decision in self.decisions[at + 1 :]):
            return False
        return not self.revealed(at)

    def take_back(self, seat: int) -> None:
        """Take back a seat's last decision and everything after it, except sealed answers of others."""
        at = self._undoable(seat)
        others = self.decisions[at + 1 :] if self.sealed(seat) else []
        lines = [written.line for written in self.written]
        self.back_to(at)
        if gone := lines[len(self.written) :]:
            self.taken_back.append({"at": len(self.written), "seats": [seat], "moves": gone})
        self.ask_quietly()  # a quiet answer that is taken back is a question again, whatever the orders
        self._again(others)

    def _undoable(self, seat: int) -> int:
        at = self.last_of(seat)
        if at is None:
            raise BadInput("error.nothing_to_undo")
        return at

    def revealed(self, at: int) -> bool:
        """Whether a decision showed its seat, or anybody, something that could not be foreseen.

        The rule is exact and looks at nothing that is still secret: the answer that closes a question of several, the
        end of the game and every chance event reveal something; for the rest, the game says what its actions show.
        """
        seat, action = self.decisions[at].seat, self.decisions[at].action
        data, lines, _, answers = self._before[at]
        before = np.frombuffer(bytearray(data), self.game.rules.STATE)
        closed = int(before["waiting"][0]) == 1 << seat
        upto = self._before[at + 1][1] if at + 1 < len(self._before) else len(self.written)
        if self.over or (closed and answers) or any("chance" in w.line for w in self.written[lines:upto]):
            return True
        self.engine.hide(before, seat)
        return self.engine.reveals(before, seat, action)
