"""Tables for pictures, the same in every run: a fixed secret deals the cards, and a simple bot plays every seat.

They are written as `registan export` writes tables, and a house imports them before it opens.
"""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from registan.bots import find_bot
from registan.core.chance import WORDS, Stream
from registan.core.registry import find
from registan.server.identity import OLDER, Person, Signer
from registan.server.key import house_key
from registan.server.storage.store import Stored, open_store
from registan.server.storage.summary import summarize
from registan.server.storage.transfer import import_line
from registan.tables import events as e
from registan.tables import requests
from registan.tables.creation import create
from registan.tables.pace import Pace
from registan.tables.seats import Seat
from registan.tables.table import Table

ME, FRIEND = "zarina", "timur"
NAMES = {ME: "Zarina", FRIEND: "Timur"}
MOST_MOVES = 2000
HOARDING = ("marry", "keep", "place", "end", "pass", "discard", "sell")
"""What somebody does first who wants many cards in Samarkand."""
AHEAD = 86_400_000
"""A day: the clock of a live table starts that much later, so that no price falls while pictures are taken."""
Reached = Callable[[Any, int], bool]
"""Whether a moment is the wanted one, given a seat's view and the number of decisions so far."""


def cookie(folder: Path, who: str, lang: str) -> str:
    """The cookie that makes a browser one of the people at these tables."""
    return Signer(house_key(folder)).cookie(Person(who, NAMES[who], lang, OLDER))


class Playing:
    """A table that is played up to a moment: me, a friend, and up to three bots."""

    def __init__(
        self, name: str, game: str, *, players: int = 4, pace: Pace | None = None, ahead: int = 0, hoards: bool = False
    ) -> None:
        self.hoards = hoards
        self.at = int(time.time() * 1000) + ahead
        self.secret = hashlib.sha256(name.encode()).digest()
        people = [Seat(kind="person", who=who, name=NAMES[who]) for who in (ME, FRIEND)]
        bots = [Seat(kind="bot", level=level) for level in ("master", "merchant", "novice")]
        created = create(name, ME, self.at, self.secret, game, [*people, *bots][:players], {}, pace or Pace())
        self.table = Table(created)
        self.events: list[e.Event] = []
        self.add(created)

    def add(self, event: e.Event, parsed: Any = None) -> Playing:
        """Let an event happen."""
        self.table.add(event, parsed)
        self.events.append(event)
        return self

    def ask(self, who: str, request: requests.Request) -> Playing:
        """Carry out a person's request."""
        self.events += request.carry_out(self.table, who, self.at, NAMES[who])
        return self

    def start(self) -> Playing:
        """Deal the cards."""
        return self.add(e.Started(at=self.at, scheme=2))

    def play(self, seat: int | None, reached: Reached) -> Playing:
        """Play until only this seat is asked, at such a moment; None plays to the end."""
        for _ in range(MOST_MOVES):
            asked = [i for i in range(len(self.table.seats)) if self.table.asked(i)]
            if not asked or (asked == [seat] and seat is not None and reached(self.view(seat), len(self.events))):
                break
            if self.table.timed is not None:
                if seat is not None and reached(self.view(seat), len(self.events)):
                    break
                self._tick()
                continue
            # The wanted seat answers last, so that nobody else is asked when it is.
            self._move(next((i for i in reversed(asked) if i != seat), asked[0]))
        else:
            raise AssertionError(f"{self.table.created.table} never gets there")
        assert (seat is None) == self.table.finished, self.table.created.table
        return self

    def view(self, seat: int) -> Any:
        """The game as a seat sees it."""
        return self.table.playing.for_seat(seat).view(seat)

    def _choice(self, seat: int) -> int:
        if seat == 0 and self.hoards:
            best = min(self.view(0)["legal"], key=lambda one: (HOARDING.index(one["do"]), len(one.get("cards", []))))
            return self.table.read(0, best)
        match = self.table.playing
        rng = np.zeros(WORDS, np.uint64)
        Stream(self.secret).fill(rng, len(self.events))
        return find_bot("greedy").choose(match.engine, match.for_seat(seat).hidden(seat), seat, rng)

    def _tick(self) -> None:
        """Let a price pass, and whoever wants it stop the clock."""
        timed = self.table.timed
        assert timed is not None
        for seat in self.table.playing.waiting:
            if self._choice(seat) == timed.stop:
                self._move(seat)
        self.add(e.Ticked(at=self.at))

    def _move(self, seat: int) -> None:
        match, action = self.table.playing, self._choice(seat)
        move = match.game.moves.write(match.box, match.for_seat(seat).state, seat, action)
        by = "hand" if self.table.seats[seat].kind == "person" else "bot"
        self.add(e.Moved(at=self.at, seat=seat, move=move, by=by), action)

    def stored(self) -> bytes:
        """The table as a line of an export."""
        events = [e.dumps(event) for event in self.events]
        return msgspec.json.encode(Stored(summary=summarize(self.table), events=events))


def asks(*questions: str, after: int = 0) -> Reached:
    """Whether one of these questions is asked, after some decisions, with a choice: pages play forced moves."""
    return lambda view, decisions: decisions >= after and view["asked"] in questions and len(view["legal"]) > 1


def _overfull(view: Any, decisions: int) -> bool:
    return view["asked"] == "discard" and len(view["hand"]) >= 11


def _talk(playing: Playing) -> Playing:
    """Let people say something."""
    playing.ask(FRIEND, requests.Say(seat=1, text="Good luck, everybody!"))
    playing.ask(ME, requests.Say(seat=0, phrase="well_played"))
    return playing.ask(FRIEND, requests.Say(seat=1, text="Wait until you see my next caravan…"))


def lobby(name: str, game: str) -> Playing:
    """A table that has not begun, with an open seat."""
    playing = Playing(name, game)
    playing.add(e.Placed(at=playing.at, seat=2))
    return playing.ask(FRIEND, requests.Say(seat=1, text="Who else is coming?"))


def tables() -> Iterable[Playing]:
    """Every table that is in a picture; its name says what is to be seen."""
    middle = {"samarkand": 40, "khiva": 60, "souk": 40}
    turns = {"samarkand": ("turn",), "khiva": ("choose",), "souk": ("offer", "count", "name")}
    for game, after in middle.items():
        yield lobby(f"{game}-lobby", game)
        yield Playing(f"{game}-turn", game).start().play(0, asks(*turns[game], after=after))
        yield _talk(Playing(f"{game}-waiting", game).start().play(1, asks(*turns[game], after=after)))
        paused = Playing(f"{game}-paused", game).start().play(0, asks(*turns[game], after=after))
        paused.ask(ME, requests.Propose(seat=0, what="pause"))
        yield paused.ask(FRIEND, requests.Answer(seat=1, yes=True))
        yield Playing(f"{game}-over", game).start().play(None, asks())
        yield Playing(f"{game}-five", game, players=5).start().play(0, asks(*turns[game], after=after))
    left = Playing("khiva-left", "khiva").start().play(0, asks("choose", after=60))
    yield left.ask(ME, requests.Resign(seat=0))
    yield Playing("samarkand-second", "samarkand").start().play(0, asks("second", after=20))
    yield Playing("samarkand-sale", "samarkand").start().play(0, asks("sale", after=20))
    yield Playing("samarkand-discard", "samarkand", hoards=True, players=3).start().play(0, _overfull)
    yield Playing("khiva-move", "khiva").start().play(0, asks("move", after=40))
    yield Playing("khiva-take0", "khiva").start().play(0, asks("take", after=10))
    yield Playing("souk-offer", "souk").start().play(0, asks("offer", after=40))
    yield Playing("souk-count", "souk").start().play(0, asks("count", after=40))
    live = Playing("souk-live", "souk", pace=Pace("live", bank=600, increment=10, tick=1), ahead=AHEAD).start()
    yield live.play(0, asks("count", after=40))
    yield Playing("souk-name", "souk").start().play(0, asks("name", after=40))


def furnish(folder: Path) -> None:
    """Write the tables into the store of a house that is closed."""

    async def run() -> None:
        store = await open_store(str(folder / "house.db"))
        try:
            for playing in tables():
                assert await import_line(store, playing.stored())
        finally:
            await store.close()

    house_key(folder)
    for game in ("samarkand", "khiva", "souk"):
        find(game)
    asyncio.run(run())
