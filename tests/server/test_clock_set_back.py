"""A clock that is set back locks nobody out, and no table's time runs backwards."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from itsdangerous import TimestampSigner

from registan.server.identity import Person, Signer
from registan.server.limits import COOKIE_DAYS, HANDOVER_SECONDS
from registan.server.live.house import House
from registan.server.storage.store import open_store
from registan.tables.bots import release
from registan.tables.creation import create
from registan.tables.pace import DAY, Pace
from registan.tables.requests import Play
from registan.tables.seats import Seat
from tests.tables.house import begin

YEAR = 365 * 86_400


@pytest.fixture
def signer() -> Signer:
    return Signer(b"a key for tests")


def signed(seconds: float, sign: Callable[[], str]) -> str:
    """Return what was signed that many seconds ago, by the clock as it is now."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(TimestampSigner, "get_timestamp", lambda _: int(time.time() - seconds))
        return sign()


@pytest.mark.parametrize("seconds", [0, -60, -86_400, -20 * YEAR, (COOKIE_DAYS - 1) * 86_400])
def test_people_stay_who_they_are(signer: Signer, seconds: float) -> None:
    ann = Person("ann", "Ann", "fr", "s")
    assert signer.person(signed(seconds, lambda: signer.cookie(ann))) == ann


def test_a_cookie_that_is_too_old_is_not_accepted(signer: Signer) -> None:
    old = signed((COOKIE_DAYS + 1) * 86_400, lambda: signer.cookie(Person("ann", "Ann")))
    assert signer.person(old) is None


@pytest.mark.parametrize(
    ("seconds", "good"), [(0, True), (-60, True), (HANDOVER_SECONDS + 60, False), (-86_400, False)]
)
def test_a_hand_over_is_short_whatever_the_clock_does(signer: Signer, seconds: float, good: bool) -> None:
    token = signed(seconds, lambda: signer.handover(Person("ann", "Ann")))
    assert (signer.handed_over(token) is not None) == good


def test_the_time_of_a_table_does_not_run_backwards(tmp_path: Path) -> None:
    async def play() -> None:
        now = [10 * DAY]
        house = House(await open_store(str(tmp_path / "house.db")), now=lambda: now[0])
        seats = [Seat(kind="person", who="ann", name="Ann"), Seat(kind="person", who="bo", name="Bo")]
        pace = Pace(kind="live", bank=60)
        table = await house.create(lambda id_, at, secret: create(id_, "ann", at, secret, "khiva", seats, {}, pace))
        await house.act(table, begin)
        for back in (20_000, 60 * 60_000):
            now[0] -= back
            found = (await house.table(table)).table
            seat = found.playing.waiting[0]
            who, move = found.seats[seat].who, found.playing.legal(seat)[0]
            await house.act(table, lambda t, at: Play(seat=seat, move=move).carry_out(t, who, at))  # noqa: B023
            found = (await house.table(table)).table
            assert found.clock is not None
            assert found.clock.bank == [60_000, 60_000], "nobody gains time"
            assert found.latest == 10 * DAY
        now[0] -= 2 * DAY  # it was wrong all the time
        assert found.time(now[0]) == now[0]
        await house.close()

    asyncio.run(play())


def test_bots_do_not_wait_for_a_time_that_has_been() -> None:
    assert release(since=1000, now=1700, pace=500) == 2000
    assert release(since=3_600_000, now=1000, pace=500) == 1500
