"""The state of a table: the result of its log so far, and what follows from it."""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR, Json, Timed
from registan.tables import events as e
from registan.tables.fairness import Share, shown, shown_salts
from registan.tables.match import OrdersBySeat, TableMatch
from registan.tables.pace import DAY, DEAL, SECOND, Clock
from registan.tables.plans import Given
from registan.tables.seats import Seat

HINTS = 4
"""From this version of the rules of the house on, people may take hints."""
KEYS_KEPT = 100
"""How many of the latest requests are remembered, so that none is carried out twice."""


class TableState(msgspec.Struct, eq=False):
    """Everything in a table. `save` encodes it as it is."""

    created: e.Created
    seats: list[Seat] = []
    status: str = "open"
    """open, dealing, running, paused, over or abandoned."""
    watch: str = "open"
    """What spectators see: none, open or hands."""
    delay: int = 0
    """By how many moves of each seat spectators who see all hands are behind."""
    seq: int = 0
    """The number of events."""
    seqs: dict[int, int] = {}
    """By seat and SPECTATOR: how many events it has learnt of. Others leave no trace."""
    touched: int = 0
    """When something last happened that everybody may know about."""
    latest: int = 0
    """The time of the latest event."""
    commitments: dict[int, str] = {}
    """By seat: the SHA-256 of its contribution to chance."""
    contributions: dict[int, str] = {}
    """By seat: its contribution to chance, in hexadecimal; nobody else sees it before the cards are dealt."""
    dealing: int = 0
    """When the deal began."""
    scheme: int = 2
    """How the key of the deal is made (`fairness`)."""
    match: TableMatch | None = None
    clock: Clock | None = None
    proposal: e.Proposed | None = None
    agreed: set[str] = set()
    """The people who agree to the proposal."""
    orders: OrdersBySeat = {}
    plans: dict[int, list[Given]] = {}
    """By seat: its planned moves."""
    counting: int | None = None
    """Since when the current decision has been running against the clock."""
    timed_question: tuple[int, ...] = ()
    """Identifies that decision."""
    stops: set[int] = set()
    """The seats that stopped that clock; revealed when the time is up."""
    quiet_since: dict[int, int] = {}
    """By seat: since when it has been asked quietly."""
    quiet_clocks: dict[int, Clock] = {}
    """By seat that is asked quietly: the clocks at that moment, which are all it sees of them."""
    hints: list[tuple[int, int]] = []
    """The hints that were taken: the number of the line of the record for which, and the seat."""
    hinters: set[str] = set()
    """The people who agreed to hints."""
    lowered: dict[int, tuple[str, str]] = {}
    """By seat: the level at which its bot plays if that is not its own, and why."""
    turns: dict[int, int] = {}
    """By seat to move: the event with which its turn began."""
    chat: list[tuple[int, e.Said]] = []
    """The latest lines, each with its number, counted from 1."""
    muted: set[tuple[int, int]] = set()
    """Pairs of seats: the first does not want to read what the second says."""
    paused_by: int | None = None
    """The seat that proposed the pause."""
    ended_at: int = 0
    """When the game was over for all who are not asked quietly."""
    rematch: tuple[int, str] | None = None
    """The next table of the same people, and the seat that created it."""
    keys: dict[str, None] = {}
    """The keys of the latest requests, the oldest first."""

    @property
    def audiences(self) -> range:
        """The spectators and every seat."""
        return range(SPECTATOR, len(self.seats))

    def seq_of(self, audience: int) -> int:
        """Return how many events an audience has learnt of."""
        return self.seqs.get(audience, 0)

    @property
    def finished(self) -> bool:
        """Whether the match is over or abandoned."""
        return self.status in ("over", "abandoned")

    @property
    def ended(self) -> bool:
        """Whether the game is over for all who are not asked quietly: an open question must not be told by it."""
        return self.ended_for(())

    def ended_for(self, seats: Iterable[int]) -> bool:
        """Whether the game is over for the owner of these seats, who may have to answer a quiet question first."""
        if self.finished or self.match is None:
            return self.finished
        return bool(self.match.over) and self.question_of(seats) is None

    def question_of(self, seats: Iterable[int]) -> int | None:
        """Return the number of the first decision that one of these seats is quietly asked for, None without one."""
        if self.match is None or self.match.settled:
            return None
        open_ = (self.match.question_of(seat) for seat in seats)
        return min((number for number in open_ if number is not None), default=None)

    @property
    def playing(self) -> TableMatch:
        """The match; raise BadInput if it has not begun."""
        if self.match is None:
            raise BadInput("error.house.not_started")
        return self.match

    @property
    def timed(self) -> Timed | None:
        """The current decision if it runs against the clock at this table."""
        return self.match.timed if self.match is not None and self.created.pace.tick else None

    def seats_of(self, who: str) -> list[int]:
        """Return the seats of a person."""
        return [i for i, seat in enumerate(self.seats) if seat.kind == "person" and seat.who == who]

    def owns(self, who: str, seat: int) -> bool:
        """Whether a seat is a person's."""
        return 0 <= seat < len(self.seats) and self.seats[seat].kind == "person" and self.seats[seat].who == who

    def people(self, what: str) -> set[str]:
        """Return those whose consent to a proposal counts: all who have a seat and have not resigned.

        Absence is not consent, except to a pause, which takes nothing from anybody.
        """
        if what == "pause" or not self.created.house:
            return {seat.who for seat in self.seats if seat.by_hand}
        return {seat.who for seat in self.seats if seat.kind == "person" and not seat.resigned}

    def may_hint(self, who: str) -> bool:
        """Whether a person may take hints: never in a rated game, else if all others are bots or all have agreed."""
        others = self.people("hints") - {who}
        return self.created.house >= HINTS and not self.created.rated and (not others or others | {who} <= self.hinters)

    @property
    def awaited(self) -> list[int]:
        """The seats that the deal waits for: to commit once all seats are taken, then to reveal.

        Only the host may leave out a contribution: everybody else takes part in the deal.
        """
        if self.status == "dealing":
            return [seat for seat in sorted(self.commitments) if seat not in self.contributions]
        if self.status != "open" or any(seat.kind == "open" for seat in self.seats):
            return []
        others = (i for i, seat in enumerate(self.seats) if seat.kind == "person" and seat.who != self.created.host)
        return [seat for seat in others if seat not in self.commitments]

    @property
    def call_off(self) -> int | None:
        """When the host may call off the deal, None if the table is not dealing."""
        return self.dealing + DEAL if self.status == "dealing" else None

    def asked(self, seat: int) -> bool:
        """Whether this seat has something to decide now, even if others may not know."""
        if self.match is None or self.finished:
            return False
        if self.timed is not None:
            return seat in self.match.waiting and seat not in self.stops
        return seat in self.match.for_seat(seat).waiting

    @property
    def all_asked(self) -> list[int]:
        """The seats that have something to decide now, even if others may not know."""
        if self.match is None or self.finished:
            return []
        if self.match.settled and not self.created.pace.tick:
            return self.match.waiting
        return [seat for seat in range(len(self.seats)) if self.asked(seat)]

    def read(self, seat: int, move: Json) -> int:
        """Return the action of a written move, for the match as the seat sees it."""
        match = self.playing
        return match.game.moves.read(match.box, match.for_seat(seat).state, move)

    def record(self) -> Json:
        """Return the game record, with the fairness fields; the secret only when the game is over."""
        more: Json = {
            "table": self.created.table,
            "names": [seat.name or seat.level for seat in self.seats],
            "engine": self.created.version,
            "fairness": self.fairness,
        }
        if self.playing.taken_back:
            more["taken_back"] = self.playing.taken_back
        if self.hints:
            more["hints"] = [{"at": line, "seat": seat} for line, seat in self.hints]
        if self.status == "abandoned":
            more["status"] = "abandoned"
        return self.playing.record(**more)

    @property
    def fairness(self) -> Json:
        """What everybody may know of the table's chance; the secret only when the game is over."""
        return self.fairness_if(self.ended)

    def fairness_if(self, ended: bool) -> Json:
        """Return what those may know of the table's chance for whom the game is over, or is not."""
        secret, dealt = self.created.secret, self.match is not None
        over = ended and dealt  # the secret of a deal that was called off is never shown
        if self.scheme == 1:
            return shown_salts(secret, self.salts, over, self.created.first)
        commitments = [self.commitments.get(seat, "") for seat in range(len(self.seats))]
        return shown(secret, self.shares, commitments, dealt, over, self.created.first)

    @property
    def shares(self) -> list[Share]:
        """What each seat adds to the key of the deal."""
        told = self.contributions
        return [Share(seat.kind, seat.name or seat.level, told.get(i, "")) for i, seat in enumerate(self.seats)]

    @property
    def salts(self) -> list[str]:
        """The seats' contributions to chance in scheme 1."""
        return [seat.salt for seat in self.seats]

    def remember(self, key: str) -> None:
        """Remember that the request with this key was carried out."""
        self.keys[key] = None
        while len(self.keys) > KEYS_KEPT:
            del self.keys[next(iter(self.keys))]

    # Time.

    def time(self, now: int) -> int:
        """Return the time of the next event: the clock of the house, but never earlier than the latest event.

        So no clock runs backwards when that of the house is set back. After more than a day it counts as corrected.
        """
        return now if self.latest - now > DAY else max(now, self.latest)

    def next_deadline(self) -> int | None:
        """Return when time is next up for something, None if never."""
        if self.clock is None or self.finished or self.status == "paused":
            return None
        if self.counting is not None:
            return self.counting + round(self.created.pace.tick * SECOND)
        if self.created.pace.kind == "free" and not self.quiet_since:
            return None
        times = [*self.deadlines().values(), *self.quiet_deadlines().values()]
        return min(times, default=None)

    def deadlines(self) -> dict[int, int]:
        """Return when the time of each seat is up, if it has one; after the end no clock runs."""
        if self.clock is None or self.match is None or self.match.over:
            return {}
        times = {seat: self.clock.deadline(seat) for seat, held in enumerate(self.seats) if held.by_hand}
        return {seat: time for seat, time in times.items() if time is not None}

    def quiet_deadlines(self) -> dict[int, int]:
        """Return when the assumed answers to quiet questions become final, by seat."""
        if not self.created.house and self.created.pace.kind == "free":
            return {}
        span = self.created.pace.quiet()
        return {seat: since + span for seat, since in self.quiet_since.items() if self.seats[seat].by_hand}

    def run_clocks(self, at: int) -> None:
        """Run the clocks of the seats to move, as everybody may see them: none reveals a quiet question."""
        match, clock = self.match, self.clock
        if match is None or clock is None or self.finished or self.status == "paused":
            return
        timed = self.timed
        if timed is not None:
            if self.counting is None or timed.question != self.timed_question:
                self.counting, self.timed_question = at, timed.question
                self.stops = set()
            clock.ask({}, at)
            return
        self.counting = None
        if self.stops:
            self.stops = set()
        over = match.over
        if not over:  # after the end clocks stand still, whether somebody is asked quietly or not
            clock.ask({seat: match.decisions_of(seat) for seat in match.waiting}, at)
        if match.settled and not self.quiet_since:
            self.turns = {} if over else {seat: self.turns.get(seat, self.seq) for seat in clock.since}
            return
        quiet = match.asked_quietly
        self.quiet_clocks = {seat: self.quiet_clocks.get(seat) or clock.copy() for seat in sorted(quiet)}
        self.quiet_since = {seat: self.quiet_since.get(seat, at) for seat in sorted(quiet)}
        asked = quiet if over else quiet | clock.since.keys()
        self.turns = {seat: self.turns.get(seat, self.seq) for seat in sorted(asked)}
