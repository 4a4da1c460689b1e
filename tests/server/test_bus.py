"""Several processes of one house talk over a real Redis, and hear of each other even while it is down."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from registan.core.errors import BadInput
from registan.server.storage.bus import RedisBus, check_bus
from tests.server.conftest import free_port
from tests.server.place import Place, until


class Redis:
    """A private Redis (or Valkey) on loopback, to be switched off and on."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("redis-server") or shutil.which("valkey-server")
        if found is None:
            pytest.fail("the tests need redis-server or valkey-server: apt-get install redis-server")
        self.program, self.folder, self.port = found, folder, free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": self.folder}
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self.process = subprocess.Popen([self.program, *words], stdout=subprocess.DEVNULL)
        until(lambda: asyncio.run(self._answers()))

    async def _answers(self) -> bool:
        try:
            await check_bus(self.url)
        except BadInput:
            return False
        return True

    def stop(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.wait()
            self.process = None


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    server = Redis(tmp_path)
    server.start()
    yield server
    server.stop()


def test_two_processes_share_a_table_over_redis(redis: Redis, tmp_path: Path) -> None:
    store = str(tmp_path / "house.db")
    east, west = Place(store, bus=redis.url), Place(store, bus=redis.url.replace("redis", "valkey", 1))
    try:
        ann, bo = east.guest("Ann"), west.guest("Bo")
        table = ann.new_table("khiva", ("",))
        bo.sit(table)
        with ann.socket(table) as one, bo.socket(table) as two:
            one.ask(do="watch", seat=0)
            two.ask(do="watch", seat=1)
            for n, (socket, other, seat) in enumerate(((one, two, 0), (two, one, 1)), 1):
                socket.ask(do="say", seat=seat, text="hello")
                while len(other.chat) < n:
                    other.next()
            redis.stop()
            one.ask(do="say", seat=0, text="are you there?")  # nobody waits for the bus
            two.until_said("are you there?")  # it takes a little longer, as each process looks for itself
            redis.start()
            one.ask(do="say", seat=0, text="and now?")
            two.until_said("and now?")
            assert two.chat == ann.chat(table)
    finally:
        east.close()
        west.close()


def test_only_the_name_and_the_length_of_a_log_are_said(redis: Redis) -> None:
    async def run() -> list[bytes]:
        from redis import asyncio as aioredis

        heard: list[tuple[str, int]] = []
        client = aioredis.from_url(redis.url)
        bus = RedisBus(redis.url, lambda table, seq: heard.append((table, seq)), print)
        async with client.pubsub(ignore_subscribe_messages=True) as channel:
            await channel.subscribe("registan")
            while not heard:  # it tells that it listens now
                await asyncio.sleep(0.01)
            bus.announce("table-1", 7)
            said: list[bytes] = []
            while not said:
                message = await channel.get_message(timeout=5)
                said += [message["data"]] if message else []
        while len(heard) < 2:
            await asyncio.sleep(0.01)
        await bus.close()
        await client.aclose()
        assert heard == [("", 0), ("table-1", 7)]
        return said

    assert asyncio.run(run()) == [b"table-1 7"]


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("http://127.0.0.1", "begins with redis"),
        ("redis://:sesame@127.0.0.1:1/0", "cannot be used"),
        ("redis://127.0.0.1:port/0", "begins with redis"),
    ],
)
def test_a_bus_that_cannot_be_used_is_said_in_one_line(url: str, said: str) -> None:
    with pytest.raises(BadInput, match=said) as error:
        asyncio.run(check_bus(url))
    assert "\n" not in str(error.value)
    assert "sesame" not in str(error.value)


def test_without_a_bus_one_process_needs_none(tmp_path: Path) -> None:
    place = Place(str(tmp_path / "house.db"))
    assert not place.house.shared
    place.close()
