"""No byte made for a seat goes to anybody but its present owner, whatever people do with the seats of a table."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from registan.core.errors import RegistanError
from registan.server.identity import Person
from registan.server.live.house import House
from registan.server.live.table import LiveTable, Watcher
from registan.tables.creation import create
from registan.tables.fairness import commitment
from registan.tables.pace import Pace
from registan.tables.patch import apply
from registan.tables.requests import (
    AnyRequest,
    Back,
    Contribute,
    Mute,
    Place,
    Play,
    Propose,
    Resign,
    Reveal,
    Say,
    Sit,
    Stand,
    Start,
)  # fmt: skip
from registan.tables.seats import Seat
from registan.tables.sight import audience_of
from registan.tables.views import show
from tests.server.place import Place as OpenHouse

sorted_json = msgspec.json.Encoder(order="sorted").encode
PEOPLE = ("host", "bo", "cy")
SEATS = 3
WAYS = (
    "sit", "sit", "stand", "stand own", "remove", "place", "open", "start", "watch", "watch own", "watch own",
    "reconnect", "leave", "say", "mute", "play", "play", "resign", "back", "watch hands", "watch hands", "watch none",
)  # fmt: skip


class Forgetful:
    """A store that keeps nothing: these tables stay in memory."""

    async def append(self, *_: Any) -> None:
        await asyncio.sleep(0)

    keep_snapshot = append
    execute = append

    async def fetch(self, *_: Any) -> list[Any]:
        return []

    async def close(self) -> None:
        pass


class Screen:
    """A device of a person: what it was sent of each seat, checked against who owned the seat at that moment."""

    def __init__(self, who: str) -> None:
        self.who = who
        self.views: dict[int | None, Any] = {}
        self.watchers: dict[int | None, Watcher] = {}

    def read(self, live: LiveTable) -> None:
        """Take everything out of the outboxes."""
        for watcher in self.watchers.values():
            for data in watcher.outbox._waiting:
                assert data is not None
                message = msgspec.json.decode(data)
                if message["type"] == "chat":
                    audience_of(live.table, self.who, watcher.seat)  # raises if this is none of their business
                    continue
                seat = message["seat"]
                if message["type"] == "ended":
                    assert seat is None or seat not in live.table.seats_of(self.who)
                    self.views.pop(seat, None)
                    continue
                assert seat is None or seat in live.table.seats_of(self.who), "made for somebody else's seat"
                if message["type"] == "view":
                    self.views[seat] = message["view"]
                else:
                    assert self.views[seat]["seq"] == message["after"]
                    self.views[seat] = apply(self.views[seat], message["patch"])
            watcher.outbox._waiting.clear()


class Evening:
    """A table of a house without sockets, and the screens of the people around it."""

    def __init__(self, house: House, table: str, live: LiveTable) -> None:
        self.house, self.table, self.live = house, table, live
        self.screens = [Screen(who) for who in (*PEOPLE, "", "host")]  # a stranger, and a second device of the host

    async def ask(self, who: str, request: AnyRequest) -> None:
        """Make a request, and check everything that is sent because of it."""
        with suppress(RegistanError):
            await self.house.carry_out(self.table, request, Person(who, who.title()))
        self.check()

    async def start(self) -> None:
        """Let everybody contribute to the deal, and the host start."""
        table = self.live.table
        for seat, held in enumerate(table.seats):
            await self.ask(held.who, Contribute(seat=seat, commitment=commitment(bytes([seat] * 32))))
        await self.ask("host", Start())
        for seat, held in enumerate(table.seats):
            await self.ask(held.who, Reveal(seat=seat, contribution=bytes([seat] * 32).hex()))

    async def watch(self, screen: Screen, seat: int | None, again: bool) -> None:
        """Watch a seat on a screen: as a new page, or as one that reconnects with what it had."""
        known = screen.views.get(seat)
        watcher = Watcher(screen.who, seat)
        async with self.live.lock:
            try:
                self.live.watch(watcher, known["seq"] if again and known else None)
            except RegistanError:
                return
            old = screen.watchers.pop(seat, None)
            if old is not None:
                self.live.leave(old)
            screen.watchers[seat] = watcher
        self.check()

    async def leave(self, screen: Screen, seat: int | None) -> None:
        """Close a page; what it has seen stays on the screen, for when it reconnects."""
        watcher = screen.watchers.pop(seat, None)
        if watcher is not None:
            self.live.leave(watcher)

    def check(self) -> None:
        """Every screen has read what is for its owner only, and sees exactly what that person may see now."""
        for screen in self.screens:
            screen.read(self.live)
            for seat, watcher in screen.watchers.items():
                if watcher in self.live.watchers and not self.live.lock.locked():  # unless a bot is about to move
                    table = self.live.table
                    assert "hands" not in screen.views[seat] or not table.seats_of(screen.who) or table.ended
                    now = show(table, audience_of(table, screen.who, seat))
                    assert sorted_json(screen.views[seat]) == sorted_json(now)


async def evening(play: Callable[[Evening], Any], game: str = "khiva") -> None:
    """Let something happen at a fresh table."""
    house = House(Forgetful())  # type: ignore[arg-type]
    seats = [Seat(kind="person", who="host", name="Host"), Seat(), Seat()]
    table = await house.create(
        lambda name, at, secret: create(name, "host", at, secret, game, seats, {}, Pace(), stand_in="random")
    )
    try:
        await play(Evening(house, table, await house.table(table)))
    finally:
        await house.close()


steps = st.lists(
    st.tuples(
        st.sampled_from(WAYS),
        st.integers(0, 4),
        st.integers(0, SEATS - 1) | st.none(),
    ),
    min_size=15,  # lists are short otherwise, and hardly anybody who has watched a seat loses it
    max_size=40,
)


@given(steps=steps)
@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_what_is_made_for_a_seat_goes_to_its_present_owner_only(steps: list[tuple[str, int, int | None]]) -> None:
    async def play(table: Evening) -> None:
        for way, number, wanted in steps:
            screen = table.screens[number]
            mine = table.live.table.seats_of(screen.who)
            what = way.removesuffix(" own")  # by chance alone, people rarely choose their own seats
            seat = mine[(wanted or 0) % len(mine)] if what != way and mine else wanted
            who, at = screen.who or "nobody", seat or 0
            match = table.live.table.match
            if what in ("watch", "reconnect"):
                await table.watch(screen, seat, what == "reconnect")
            elif what == "leave":
                await table.leave(screen, seat)
            elif what == "play":
                legal = match.for_seat(at).legal(at) if match is not None else []
                if legal:
                    await table.ask(who, Play(seat=at, move=legal[number % len(legal)]))
            elif what == "start":
                for empty in range(1, SEATS):
                    await table.ask("host", Place(seat=empty, level="random"))
                await table.start()
            else:
                asked: dict[str, AnyRequest] = {
                    "sit": Sit(seat=seat),
                    "stand": Stand(seat=at),
                    "remove": Stand(seat=at),
                    "place": Place(seat=at, level="random"),
                    "open": Place(seat=at),
                    "say": Say(seat=at, phrase="hello"),
                    "mute": Mute(seat=at, whom=(at + 1) % SEATS),
                    "resign": Resign(seat=at),
                    "back": Back(seat=at),
                    "watch hands": Propose(seat=at, what="watch hands"),
                    "watch none": Propose(seat=at, what="watch none"),
                }
                await table.ask("host" if what in ("remove", "place", "open") else who, asked[what])

    asyncio.run(evening(play))


def test_a_host_who_has_sat_everywhere_reads_no_hand_but_the_last(place: OpenHouse) -> None:
    """Over real sockets: sit, watch, stand up, and see what the next owner of the seat is dealt."""
    ann, bo = place.guest("Ann"), place.guest("Bo")
    table = ann.new_table("khiva", ("",))
    with ann.socket(table) as line:
        ann.ask(table, do="sit", seat=1)
        assert line.ask(do="watch", seat=1)["type"] == "done"
        assert line.ask(do="watch", seat=0)["type"] == "done"
        ann.ask(table, do="stand", seat=1)
        bo.sit(table, 1)
        ann.start(table)
        line.until(lambda view: view["status"] == "running")
        assert [message["seat"] for message in line.heard if message["type"] == "ended"] == [1]
        ended = next(i for i, message in enumerate(line.heard) if message["type"] == "ended")
        assert all(message.get("seat") != 1 for message in line.heard[ended + 1 :])
        assert "hand" not in str(line.views[1].get("view"))


def test_the_next_owner_is_not_sent_what_the_former_one_missed() -> None:
    async def play(table: Evening) -> None:
        await table.ask("bo", Sit(seat=1))
        bo, cy = table.screens[1], table.screens[2]
        await table.watch(bo, 1, False)
        known = bo.views[1]["seq"]
        await table.ask("bo", Mute(seat=1, whom=0))  # told to the seat alone, and kept in case its owner reconnects
        await table.leave(bo, 1)
        await table.ask("bo", Stand(seat=1))
        await table.ask("cy", Sit(seat=1))
        cy.views[1] = {"seq": known}
        await table.watch(cy, 1, True)
        assert cy.views[1]["you"] == 1
        assert len(cy.views[1]) > 5, "the whole view"

    asyncio.run(evening(play))


@pytest.mark.parametrize("seat", [1, None])
def test_who_may_not_watch_is_refused_from_the_start(seat: int | None, place: OpenHouse) -> None:
    ann, eve = place.guest("Ann"), place.guest("Eve")
    table = ann.new_table("khiva", ("random",), watch="none")
    with eve.socket(table) as line:
        assert line.ask(do="watch", seat=seat)["type"] == "refused"
        assert not line.views


def test_spectators_who_are_no_longer_welcome_are_told_so(place: OpenHouse) -> None:
    ann, eve = place.guest("Ann"), place.guest("Eve")
    table = ann.new_table("khiva", ("random",))
    with eve.socket(table) as line:
        line.ask(do="watch")
        ann.ask(table, do="propose", seat=0, what="watch none")
        while (message := line.next())["type"] != "ended":
            pass
        assert (message["seat"], message["error"]) == (None, "error.house.no_spectators")


def test_a_player_who_looks_on_sees_no_hands_and_a_spectator_who_plays_loses_them(place: OpenHouse) -> None:
    ann, eve = place.guest("Ann"), place.guest("Eve")
    table = ann.new_table("khiva", ("random",))
    with ann.socket(table) as hers, eve.socket(table) as line:
        hers.ask(do="watch")
        line.ask(do="watch")
        ann.ask(table, do="propose", seat=0, what="watch hands 0")
        line.until(lambda view: "hands" in view, None)
        hers.until(lambda view: view["watch"] == "hands", None)
        ann.ask(table, do="say", seat=0, text="hello")
        hers.until_said("hello")
        assert "hands" not in hers.views[None]
        assert "hands" not in ann.view(table, None)
        assert "hands" in eve.view(table, None)


def test_who_is_asked_quietly_is_sent_nothing_later() -> None:
    """In Samarkand, where holders may sell a card: all see what they may, as players and as spectators."""
    checked = 0

    async def play(table: Evening) -> None:
        nonlocal checked
        rng = random.Random(1)
        await table.ask("bo", Sit(seat=1))
        await table.ask("cy", Sit(seat=2))
        await table.start()
        for number, screen in enumerate(table.screens[:3]):
            await table.watch(screen, number, False)
            await table.watch(screen, None, False)
        while checked < 3 and not table.live.table.finished:
            found = table.live.table
            free = [seat for seat in range(SEATS) if found.asked(seat)]
            asked = [seat for seat in free if found.question_of([seat]) is None] or free  # questions stay open for long
            before = {who: dict(screen.views) for who, screen in zip(PEOPLE, table.screens)}
            held = {PEOPLE[seat]: at for seat, at in found.playing.questions.items()}
            seat = rng.choice(asked)
            legal = found.playing.for_seat(seat).legal(seat)
            await table.ask(PEOPLE[seat], Play(seat=seat, move=rng.choice(legal)))
            found = table.live.table
            for screen in table.screens[:3]:
                if screen.who in held and found.question_of(found.seats_of(screen.who)) == held[screen.who]:
                    assert screen.views == before[screen.who]
                    checked += 1

    while checked < 3:
        asyncio.run(evening(play, "samarkand"))
