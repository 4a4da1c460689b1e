"""The match at a table: it remembers every decision, can show earlier moments, and can take moves back.

In some games a seat is asked something that nobody else may know about (`Orders.quiet`). The match then continues at
once with an assumed answer, and the question stays open: its seat still sees the moment of the question, while the
others see the game as if there were none, and may move. If the real answer is different, it takes effect at that
earlier moment, and the moves since are played again after it. None of them can depend on the answer, since the seat
was asked first and has not moved since.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import cache, lru_cache
from operator import is_
from typing import Any, NamedTuple, Protocol, TypeVar

import numpy as np
from msgspec import Raw
from msgspec.json import encode

from registan.core.box import find_box
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Box, Json, Timed
from registan.core.match import Match, Written
from registan.core.registry import find
from registan.core.views import assembly
from registan.tables.shelf import TOGETHER, Befores, Lines, put_away

T = TypeVar("T")
OrdersBySeat = dict[int, Json]
"""By seat: its stored orders."""
NO_ORDERS: OrdersBySeat = {}
OWN_BOXES = 32
"""How many boxes that people brought along are remembered."""


@cache
def open_box(game: str, key: str | None = None, version: int | None = None) -> Box:
    """Return a box of a game, by default of its present version, loaded once for all tables."""
    return find_box(find(game, version), key)


@lru_cache(OWN_BOXES)
def own_box(game: str, contents: str, version: int | None = None) -> Box:
    """Return the box in the text of a file that people brought along; raise BadBox if there is a fault in it."""
    box = find(game, version).load_box(contents.encode("utf-8", "replace"), f"{game}.toml")
    return replace(box, contents=contents)


def box_of(made: HasBox) -> Box:
    """Return the box of a table, a match or a snapshot: its own, or one of the game."""
    if made.contents:
        return own_box(made.game, made.contents, made.version)
    return open_box(made.game, made.box, made.version)


class HasBox(Protocol):
    """What is stored with the key of its box and, if people brought it along, its file."""

    @property
    def game(self) -> str:
        """The key of the game."""
        ...

    @property
    def version(self) -> int:
        """The version of the game."""
        ...

    @property
    def box(self) -> str:
        """The key of the box."""
        ...

    @property
    def contents(self) -> str:
        """The file of the box, empty if it comes with the game."""
        ...


class Decision(NamedTuple):
    """A seat's action."""

    seat: int
    action: int
    open: bool = False
    """Whether the action is only assumed: the seat is asked quietly and has not answered yet."""
    quiet: bool = False
    """Whether nobody else knows about it: a quiet question was answered as assumed."""


class Read(NamedTuple):
    """What somebody has read of the log."""

    cuts: int
    """How often lines had been taken back before."""
    written: int
    """How many lines of the record were there."""
    gone: int
    """How many of them nobody may look up again."""
    lines: list[Any]


class Joined(NamedTuple):
    """Lines that somebody has read, those that were new, and both."""

    old: list[Any]
    new: list[Any]
    all: list[Any]


UNREAD = Read(0, 0, 0, [])


_kept = lru_cache(1 << 12)(Raw)
"""Many lines are the same at several tables, and those that were written lately are kept once."""


@lru_cache(1 << 14)
def same(decision: Decision) -> Decision:
    """Return one object for equal decisions, at all tables: there are only so many different ones."""
    return decision


class Counts:
    """Frequently needed counts of a list of decisions."""

    def __init__(self, decisions: list[Decision]) -> None:
        self.by_seat: dict[int, int] = {}
        self.known: set[int] = set()
        """The seats with a decision that is not quiet."""
        self.questions: dict[int, int] = {}
        """By seat: the index of its decision that is still open."""
        for i, decision in enumerate(decisions):
            self.add(i, decision)

    def copy(self) -> Counts:
        """Return the counts so far."""
        then = Counts.__new__(Counts)
        then.by_seat, then.known = self.by_seat.copy(), self.known.copy()
        then.questions = self.questions.copy()
        return then

    def add(self, i: int, decision: Decision) -> None:
        """Count one more decision, number i."""
        seat = decision.seat
        self.by_seat[seat] = self.by_seat.get(seat, 0) + 1
        if not decision.quiet:
            self.known.add(seat)
        if decision.open:
            self.questions.setdefault(decision.seat, i)


class TableMatch(Match):
    """A match with its decisions in order."""

    decisions: list[Decision]
    taken_back: list[Json]
    """As the record has it: where play went on (`at`), who asked (`seats`), and the lines taken back (`moves`)."""
    _before: Befores
    written: Lines
    _counted: Counts | None = None
    _shelved: int = 0
    """The states before how many decisions are put away."""
    _cuts: int = 0
    """How often decisions were taken back."""
    _gone: tuple[int, int, Collection[int]] | None = None
    """The lines that are forgotten, found after how many moves and cuts."""
    _read: dict[int, Read]
    _told: dict[int, Read]
    """By seat: its log so far, without and with what moves brought."""
    _ways: dict[int, list[tuple[Json, Raw]]]
    """By line that is not the same for all: the different versions that seats read; not of lines that are put away."""
    _outcomes: list[Raw | None]
    """By line that is the same for all: what was written with what the move brought, if somebody has read it."""
    _open: int = 0
    """The set of lines of those that hide nothing from spectators, and so from nobody."""
    _joined: Joined

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

    def forget_log(self) -> None:
        """Start without any cached lines."""
        self._read, self._told, self._ways, self._outcomes, self._open = {}, {}, {}, [], 0
        self._gone, self._joined = None, Joined(UNREAD.lines, UNREAD.lines, UNREAD.lines)

    def log(self, seat: int = SPECTATOR) -> list[Json]:
        """Return the lines of the record as the seat may read them."""
        return self._lines(self._read, seat, self.line_for)

    def told(self, seat: int = SPECTATOR) -> list[Raw]:
        """Return the same lines, each with what the move brought (`brings`) if everybody has seen it.

        They are encoded: that takes a third of the memory, and the log is the longest part of a table.
        """
        return self._lines(self._told, seat, self._with_outcome)

    def told_at(self, moments: Sequence[TableMatch], seat: int = SPECTATOR) -> list[list[Raw]]:
        """Return the log at each of some earlier moments (`after`), where every line tells what came of it in the end.

        Several answers to one question are lines of their own, but what came of them depends on all of them.
        """
        lines = [self._with_outcome(i, seat) for i in range(max(len(then.written) for then in moments))]
        logs = []
        for then in moments:
            gone = then._forgotten()
            known = enumerate(lines[: len(then.written)])
            logs.append([line for i, line in known if line and i not in gone])
        return logs

    def _lines(self, reads: dict[int, Read], seat: int, line_for: Callable[[int, int], T | None]) -> list[T]:
        read = reads.get(seat, UNREAD)
        gone, written = self._forgotten(), len(self.written)
        count, lines = read.written, read.lines
        if count and (read.cuts != self._cuts or read.gone != len(gone)):
            count, lines = 0, UNREAD.lines
        if count < written:
            new = [line for i in range(count, written) if i not in gone and (line := line_for(i, seat))]
            lines = self._join(lines, new)
            reads[seat] = Read(self._cuts, written, len(gone), lines)
        return lines

    def _join(self, old: list[T], new: list[T]) -> list[T]:
        """Return both; whoever reads the same lines as somebody before gets the same list."""
        known = self._joined
        if known.old is not old or len(known.new) != len(new) or not all(map(is_, known.new, new)):
            known = self._joined = Joined(old, new, [*old, *new])
        return known.all

    def _forgotten(self) -> Collection[int]:
        """Return the lines that nobody may look up again, found once for all who read them now."""
        now = len(self._before), self._cuts
        if self._gone is None or self._gone[:2] != now:
            self._gone = *now, self.game.moves.forgotten(self.state, (w.line for w in self.written))
        return self._gone[2]

    def _with_outcome(self, i: int, seat: int) -> Raw | None:
        """Return a line as a seat may read it, with what the move brought as far as spectators knew."""
        if self._open >> i & 1:
            return self._outcomes[i]
        whole = self.written[i].line
        line = self.game.moves.redact(whole, seat, self.players)
        if not line:
            return None
        has_outcome = line.get("do") in getattr(self.game.view, "TOLD", ())
        if line is not whole and not has_outcome:
            return self._way(i, line)
        outcomes = self._outcomes
        outcomes += [None] * (i + 1 - len(outcomes))
        told = outcomes[i]
        if told is None:
            brings = None
            if has_outcome:
                brings = self._settled(i) if hasattr(self.game.view, "settled") else self._brought(i)
            told = outcomes[i] = _kept(encode({**line, "brings": brings} if brings else line))
            if line is whole and self.game.moves.redact(whole, SPECTATOR, self.players) is whole:
                self._open |= 1 << i
        return told

    def _way(self, i: int, line: Json) -> Raw:
        """Return a version of a line; equal versions are the same object."""
        ways = self._ways.setdefault(i, [])
        for known, told in ways:
            if known == line:
                return told
        ways.append((line, _kept(encode(line))))
        return ways[-1][1]

    def _brought(self, i: int) -> Json | None:
        """Return what a move was sure to bring."""
        written = self.written[i]
        move = {k: v for k, v in written.line.items() if k != "seat"}
        action = self.game.moves.read(self.box, written.asked, move)
        row = self.engine.brings(self._as_spectators_saw(written.asked), written.line["seat"], action)
        brings: Json | None = assembly(self.game, self.box).brought(row)
        return brings

    def _settled(self, i: int) -> Json | None:
        """Return what came of an answer to a question that several were asked, when all had answered it."""
        line = self.written[i].line
        first, last = i, i
        while first and self.written[first - 1].line.get("do") == line["do"]:
            first -= 1
        while last + 1 < len(self.written) and self.written[last + 1].line.get("do") == line["do"]:
            last += 1
        answers = [w.line for w in self.written[first : last + 1]]
        states = (self._as_spectators_saw(state)[0] for state in (self.written[i].asked, self.written[last].after))
        settled: Json | None = self.game.view.settled(self.box, *states, answers, line)  # type: ignore[attr-defined]
        return settled

    def _as_spectators_saw(self, state: Any) -> Any:
        hidden = np.frombuffer(bytearray(state.tobytes()), self._states.dtype)
        self.engine.hide(hidden, SPECTATOR)
        return hidden

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
