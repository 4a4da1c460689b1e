"""A table: what its log gives when it is replayed. `requests` says what may be added to it."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import msgspec

from registan.core.chance import Stream
from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Line
from registan.core.registry import find
from registan.games.souk import orders as souk_orders
from registan.games.souk.state import COUNT, STOP, WAIT
from registan.tables import events as e
from registan.tables import plans
from registan.tables.board import Board, open_box
from registan.tables.fairness import shown, stream_key
from registan.tables.pace import SECOND, Clock
from registan.tables.seats import Seat

KEYS_KEPT = 200
"""How many of the latest requests are remembered, so that none is carried out twice."""
CHAT_KEPT = 200


class Table:
    """A table in memory. Everything in it comes from `add`, event by event."""

    created: e.Created

    def __init__(self, log: Iterable[e.Event]) -> None:
        self.seq = 0
        self.seats: list[Seat] = []
        self.board: Board | None = None
        self.status = "open"
        self.proposal: e.Proposed | None = None
        self.agreed: set[str] = set()
        self.sales: dict[int, dict[int, str]] = {}
        """S14: standing orders for sales by seat."""
        self.sealed_orders: dict[int, souk_orders.Order] = {}
        self.plans: dict[int, list[plans.Given]] = {}
        """By seat: what it plays next, if nothing unforeseen happens."""
        self.stops: set[int] = set()
        """M15: who has stopped at the running price of a live souk; it is opened when the price's time is over."""
        self.counting: int | None = None
        """M15: since when the running price has been asked."""
        self.asked_sales: dict[int, int] = {}
        """S14: by seat, since when it has been asked."""
        self.turns: dict[int, int] = {}
        """By seat that is asked: with which event that began."""
        self.chat: list[tuple[int, e.Said]] = []
        self.muted: set[tuple[int, int]] = set()
        self.keys: dict[str, int] = {}
        self.told: dict[int, int] = {}
        """By seat and SPECTATOR: how many events it was told of. What is not told to it leaves no trace."""
        self.touched = 0
        """When something happened last that everybody may know of."""
        for event in log:
            self.add(event)

    def add(self, event: e.Event) -> None:
        """Let an event happen."""
        happen: Callable[[Any], set[int] | None] = getattr(self, f"_{type(event).__name__.lower()}")
        told = happen(event)
        self.seq += 1
        if told is None or SPECTATOR in told:
            self.touched = max(self.touched, event.at)
        if event.key:
            self.remember(event.key)
        self._run_clocks(event.at)
        for seat in self.audiences if told is None else told:
            self.told[seat] = self.told.get(seat, 0) + 1

    def remember(self, key: str) -> None:
        """Keep in mind that the request with this key was carried out."""
        self.keys[key] = self.seq
        while len(self.keys) > KEYS_KEPT:
            del self.keys[next(iter(self.keys))]

    @property
    def audiences(self) -> range:
        """All who may be told something: the spectators and every seat."""
        return range(SPECTATOR, len(self.seats))

    @property
    def finished(self) -> bool:
        """Whether nothing can happen any more in the game."""
        return self.status in ("over", "abandoned")

    @property
    def ticking(self) -> bool:
        """M15: whether a real clock counts the price down now."""
        return bool(self.created.pace.tick) and self.in_count

    @property
    def in_count(self) -> bool:
        """Whether the price of a souk is counted down now."""
        return (
            self.board is not None
            and self.board.game.key == "souk"
            and not self.board.over
            and int(self.board.state["phase"]) == COUNT
        )

    def seats_of(self, who: str) -> list[int]:
        """Return the seats of a person."""
        return [i for i, seat in enumerate(self.seats) if seat.kind == "person" and seat.who == who]

    def people(self) -> set[str]:
        """Return those whose consent counts: the people who play now."""
        return {seat.who for seat in self.seats if seat.by_hand}

    def asked(self, seat: int) -> bool:
        """Whether a decision of this seat is wanted now, of which others may know nothing (S14)."""
        if self.board is None or self.finished:
            return False
        if self.ticking:
            return seat in self.board.waiting and seat not in self.stops
        return seat in self.board.sight(seat).waiting

    def record(self) -> Line:
        """Return the game record, with the fairness fields; the secret only when the game is over."""
        if self.board is None:
            raise BadInput("error.house.not_started")
        more: Line = {
            "table": self.created.table,
            "names": [seat.name or seat.level for seat in self.seats],
            "engine": self.created.version,
            "fairness": self.fairness,
        }
        if self.status == "abandoned":
            more["status"] = "abandoned"
        return self.board.record(**more)

    @property
    def fairness(self) -> Line:
        """What everybody may know of the table's chance; the secret only when the game is over."""
        if self.board is None or self.finished:
            return shown(self.created.secret, self.salts, self.finished)
        if self._fairness is None:  # while the game runs it does not change
            self._fairness = shown(self.created.secret, self.salts, over=False)
        return self._fairness

    _fairness: Line | None = None

    @property
    def salts(self) -> list[str]:
        """The contributions of the seats to chance."""
        return [seat.salt for seat in self.seats]

    # What each event does. A handler returns the audiences that are told of it, None for all.

    def _created(self, event: e.Created) -> None:
        game = find(event.game)
        if event.version != game.version:
            raise BadInput("error.house.version", game=event.game, version=event.version, ours=game.version)
        self.created = event
        self.seats = [Seat(kind=s.kind, who=s.who, name=s.name, level=s.level, salt=s.salt) for s in event.seats]
        self.watch = event.watch

    def _sat(self, event: e.Sat) -> None:
        self.seats[event.seat] = Seat(kind="person", who=event.who, name=event.name, salt=event.salt)

    def _stood(self, event: e.Stood) -> None:
        self.seats[event.seat] = Seat()

    def _placed(self, event: e.Placed) -> None:
        self.seats[event.seat] = Seat() if event.level is None else Seat(kind="bot", level=event.level)

    def _started(self, event: e.Started) -> None:
        made = self.created
        game = find(made.game)
        box = open_box(made.game, made.box)
        if box.sha256 != made.sha256:
            raise BadInput("error.house.box", box=made.box)
        stream = Stream(stream_key(made.secret, self.salts))
        self.board = Board(game, box, len(self.seats), made.options, stream).start(made.first)
        self.clock = Clock(made.pace, len(self.seats))
        self.status = "running"

    def _moved(self, event: e.Moved) -> set[int] | None:
        assert self.board is not None
        if self.ticking:
            self.stops.add(event.seat)
            return {event.seat}
        action = self.read(event.seat, event.move)
        asked = self.board.question_of(event.seat)
        if asked is None:
            self.clock.moved(event.seat, event.at)
        quiet = asked is not None and action == self.board.plays[asked].action
        self.board.put(event.seat, action, self.sales)
        self._after()
        if quiet and not self.finished:  # the end of the game is everybody's business
            return {event.seat}
        if self.proposal is not None and self.proposal.what == "undo":
            self.proposal = None  # it was about another move
        return None

    def read(self, seat: int, move: Line) -> int:
        """Return the number of a move, as the seat sees the board."""
        assert self.board is not None
        return self.board.game.moves.read(self.board.box, self.board.sight(seat).state, move)

    def _ticked(self, event: e.Ticked) -> None:
        assert self.board is not None
        for seat in self.board.waiting:
            self.board.put(seat, STOP if seat in self.stops else WAIT, {})
        self._after()

    def _after(self) -> None:
        """Let sealed orders of the souk answer as far as they reach, and see whether the game is over."""
        assert self.board is not None
        board = self.board
        going = True
        while going and self.sealed_orders:
            going = False
            for seat, order in sorted(self.sealed_orders.items()):
                action = souk_orders.answer(board.box, order, board.state)
                if action is not None:
                    board.put(seat, action, {})
                    going = True
                elif souk_orders.status(board.box, order, board.state) != souk_orders.STANDS:
                    del self.sealed_orders[seat]
        if self.plans:
            plans.carry_out(board, self.plans, lambda seat, action: board.put(seat, action, self.sales))
        # A question about a sale (S14) may still be open when the last camel has ended the game.
        if board.over and board.settled:
            self.status = "over"
            self.proposal = None

    def _undone(self, event: e.Undone) -> set[int] | None:
        assert self.board is not None
        if event.seat in self.stops:
            self.stops.remove(event.seat)
            return {event.seat}
        # Sealed orders were given for what is taken back; those of others stand if it was only a sealed answer.
        gone = [event.seat] if self.board.sealed(event.seat) else list(self.sealed_orders)
        for seat in gone:
            self.sealed_orders.pop(seat, None)
        self.board.take_back(event.seat)
        self.plans.pop(event.seat, None)
        plans.prune(self.board, self.plans)
        self.status = "running"
        self.proposal = None
        self.clock.since = {}
        self.counting = None
        return None

    def _proposed(self, event: e.Proposed) -> None:
        self.proposal, self.agreed = msgspec.structs.replace(event, key=""), {self.seats[event.seat].who}
        self._decide(event.at)

    def _answered(self, event: e.Answered) -> None:
        if not event.yes:
            self.proposal = None
            return
        self.agreed.add(self.seats[event.seat].who)
        self._decide(event.at)

    def _decide(self, at: int) -> None:
        """Carry out what was proposed if all who play now agree."""
        if self.proposal is None or not self.people() <= self.agreed:
            return
        what, seat = self.proposal.what, self.proposal.seat
        self.proposal = None
        if what == "undo":
            self._undone(e.Undone(at=at, seat=seat))
        elif what == "pause":
            self.status = "paused"
            self.clock.pause(at)
        elif what == "abandon":
            self.status = "abandoned"
        else:
            self.watch = what.removeprefix("watch ")

    def _resumed(self, event: e.Resumed) -> None:
        slept = event.at - (self.clock.paused or event.at)
        self.clock.resume(event.at)
        self.status = "running"
        self.asked_sales = {seat: since + slept for seat, since in self.asked_sales.items()}
        if self.counting is not None:
            self.counting += slept

    def _resigned(self, event: e.Resigned) -> None:
        self.seats[event.seat].resigned = True
        self.plans.pop(event.seat, None)
        self._decide(event.at)

    def _lapsed(self, event: e.Lapsed) -> None:
        self.seats[event.seat].away = True
        self.plans.pop(event.seat, None)
        self._decide(event.at)

    def _returned(self, event: e.Returned) -> None:
        self.seats[event.seat].away = False
        self.clock.back(event.seat, event.at)

    def _ordered(self, event: e.Ordered) -> set[int] | None:
        assert self.board is not None
        before = self.board.moves_played
        self.plans.pop(event.seat, None)
        if "next" in event.orders:
            known = self.board.log(event.seat)
            made = [plans.Given(plan, known) for plan in plans.read(self.board, event.seat, event.orders["next"])]
            if made:
                self.plans[event.seat] = made
        elif self.board.game.key == "souk":
            self.sealed_orders.pop(event.seat, None)
            if event.orders:
                order = souk_orders.give(self.board.box, self.board.state, event.seat, event.orders)
                self.sealed_orders[event.seat] = order
                self._after()
        else:
            self.sales[event.seat] = {int(good): order for good, order in event.orders.items()}
        return {event.seat} if self.board.moves_played == before else None

    def _said(self, event: e.Said) -> set[int]:
        self.chat.append((self.seq, msgspec.structs.replace(event, key="")))
        del self.chat[:-CHAT_KEPT]
        return {seat for seat in self.audiences if (seat, event.seat) not in self.muted}

    def _muted(self, event: e.Muted) -> set[int]:
        (self.muted.add if event.on else self.muted.discard)((event.seat, event.whom))
        return {event.seat}

    # Time.

    def _run_clocks(self, at: int) -> None:
        """Let the clocks of those run who are asked, as everybody may see it: of sales (S14) no clock tells."""
        board = self.board
        if board is None or self.finished or self.status == "paused":
            return
        if self.ticking:
            now = (int(board.state.rounds), int(board.state.price))
            if self.counting is None or now != self._price:
                self.counting, self._price = at, now
                self.stops = set()
            self.clock.ask({}, at)
            return
        self.counting, self.stops = None, set()
        self.clock.ask({seat: board.decisions(seat) for seat in board.waiting}, at)
        open_ = board.asked_for_sale
        self.asked_sales = {seat: self.asked_sales.get(seat, at) for seat in sorted(open_)}
        self.turns = {seat: self.turns.get(seat, self.seq) for seat in sorted(open_ | self.clock.since.keys())}

    _price: tuple[int, int] = (0, 0)

    def next_deadline(self) -> int | None:
        """Return when something happens at the table by itself: a price's end, a time that is up."""
        if self.board is None or self.finished or self.status == "paused":
            return None
        if self.counting is not None:
            return self.counting + round(self.created.pace.tick * SECOND)
        times = [self.clock.deadline(seat) for seat, held in enumerate(self.seats) if held.by_hand]
        return min([t for t in (*times, *self.sale_deadlines().values()) if t is not None], default=None)

    def sale_deadlines(self) -> dict[int, int]:
        """S14: when a card that nobody says anything about is kept, by the seat of its holder."""
        span = self.created.pace.sale()
        if span is None:
            return {}
        return {seat: since + span for seat, since in self.asked_sales.items() if self.seats[seat].by_hand}
