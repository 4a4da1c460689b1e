"""`registan serve --processes` and `registan think`: real processes on a real PostgreSQL, some of which are killed."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from registan.core.errors import BadInput
from registan.server.settings import settings
from registan.server.siblings import Siblings, letters_for
from tests.server.conftest import fresh_database
from tests.server.place import Guest, until
from tests.server.test_asking import asked, by_bots, rows
from tests.server.test_serve import ready, served


def children(process: int) -> list[int]:
    """Return the processes that a process has started."""
    return [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]


@contextmanager
def thinking(store: str) -> Iterator[subprocess.Popen[str]]:
    """Run `registan think` until it has loaded a game."""
    command = [sys.executable, "-m", "registan", "think", "--store", store]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    rest = threading.Thread(target=process.stderr.read)  # or it would wait for somebody who reads
    try:
        for line in process.stderr:
            if json.loads(line)["event"] == "rules are compiled":
                break
        rest.start()
        yield process
    finally:
        process.kill()
        process.wait()
        rest.join()
        process.stderr.close()


def served_by(url: str) -> set[str]:
    """Return which processes have open WebSockets."""
    text = httpx.get(f"{url}/metrics").text
    return {line for line in text.splitlines() if line.startswith("registan_sockets")}


def test_several_processes_serve_one_port_and_are_replaced(
    postgres: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("REGISTAN_UNLIMITED", "1")  # what a killed process had begun to think about takes a while
    store = fresh_database(postgres)
    with served(tmp_path, "--processes", "2", "--store", store) as (process, url):
        ready(url)
        ann = Guest(url, "Ann")
        try:
            table = ann.new_table("khiva", ("random", "random"))
            moves = asked(ann, table)
            with ann.socket(table) as one, ann.socket(table) as two, ann.socket(table) as three:
                for watching in (one, two, three):
                    watching.ask(do="watch", seat=0)
                assert one.ask(do="play", seat=0, move=moves[0])["type"] == "done"
                for watching in (two, three):
                    watching.until(lambda view: moves != view["view"]["legal"])
                assert served_by(url) == {"registan_sockets 3.0"}, "the processes count together"
            first, second = children(process.pid)
            for killed in (first, second):
                os.kill(killed, signal.SIGKILL)
                until(lambda killed=killed: len(set(children(process.pid)) - {killed}) == 2)  # type: ignore[misc]
                for _ in range(8):  # new connections, which the system divides among the two
                    assert httpx.get(f"{url}/health", timeout=20).text == "ok"
            ann.http.close()
            again = Guest(url, None)
            again.http.cookies.update(ann.http.cookies)
            ann = again
            ann.ask(table, do="play", seat=0, move=asked(ann, table)[0])
            assert by_bots(store) >= 2
            left = children(process.pid)
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
            assert not [pid for pid in left if Path(f"/proc/{pid}").exists()]
        finally:
            ann.http.close()


def test_the_processes_end_when_the_one_that_watches_over_them_is_gone(postgres: str, tmp_path: Path) -> None:
    with served(tmp_path, "--processes", "2", "--store", fresh_database(postgres)) as (process, url):
        ready(url)
        left = children(process.pid)
        process.kill()
        process.wait()
        until(lambda: not [pid for pid in left if Path(f"/proc/{pid}").exists()])


def test_a_thinker_that_is_killed_in_the_middle_of_a_thought_loses_nothing(postgres: str, tmp_path: Path) -> None:
    store = fresh_database(postgres)
    alone = ("--workers", "0", "--processes", "2", "--store", store)
    with served(tmp_path, *alone) as (_, url), thinking(store) as one, thinking(store) as two:
        ready(url)
        ann = Guest(url, "Ann")
        try:
            table = ann.new_table("khiva", ("master",))
            sql = "SELECT id, holder FROM thoughts WHERE answer IS NULL AND holder IS NOT NULL AND until > now()"
            killed: list[Any] = []

            def kill_the_thinker() -> bool:
                killed[:] = rows(store, sql)
                for _, holder in killed:
                    for thinker in (one, two):
                        if holder.split(":")[1] == str(thinker.pid):
                            thinker.kill()
                            return True
                return False

            ann.ask(table, do="play", seat=0, move=asked(ann, table)[0])
            until(kill_the_thinker)
            until(lambda: by_bots(store) > 0)
            after = rows(store, f"SELECT holder, answer FROM thoughts WHERE id = '\\x{killed[0][0].hex()}'")
            assert after[0]["answer"] is not None
            assert after[0]["holder"] != killed[0][1], "another one has thought about it"
            assert by_bots(store) == 1
        finally:
            ann.http.close()


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["serve", "--processes", "2"], "PostgreSQL"),
        (["serve", "--processes", "0"], "processes must be from 1 to 64"),
        (["serve", "--workers", "0"], "only with PostgreSQL"),
        (["think"], "PostgreSQL"),
        (["think", "--store", "postgresql://nobody@127.0.0.1:1/none"], "127.0.0.1"),
    ],
)
def test_what_cannot_work_is_said_in_one_line(options: list[str], said: str, tmp_path: Path) -> None:
    environment = {**os.environ, "LANG": "C", "REGISTAN_DATA": str(tmp_path / "data")}
    ended = subprocess.run(
        [sys.executable, "-m", "registan", *options], env=environment, capture_output=True, text=True, check=False
    )
    assert ended.returncode == 2
    assert said in ended.stderr
    assert ended.stderr.count("\n") == 1
    assert not (tmp_path / "data").exists()


def received(sibling: Siblings, client: socket.socket) -> list[bytes]:
    """Return the requests that have arrived, and see that they can be answered."""
    heads: list[bytes] = []

    def take(sock: socket.socket, head: bytes) -> None:
        heads.append(head)
        sock.send(b"!")
        assert client.recv(1) == b"!"
        sock.close()

    sibling.receive(take)
    return heads


def test_a_connection_goes_to_the_home_of_its_table_only_if_that_is_elsewhere() -> None:
    letters = letters_for(2)
    both = [Siblings(number, letters, 2) for number in range(2)]
    here, there = socket.socketpair()

    class Transport:
        def get_extra_info(self, _: str) -> socket.socket:
            return here

    transport: Any = Transport()
    homes = {f"t{i}": [sibling.home(f"t{i}") for sibling in both] for i in range(20)}
    assert all(sum(home) == 1 for home in homes.values())
    assert {home[0] for home in homes.values()} == {True, False}
    for table, home in homes.items():
        head = f"GET /api/tables/{table}/live HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        assert both[0].hand_over(head, transport) is home[1]
        assert not both[0].hand_over(head[:-2], transport), "only a whole head"
        assert not both[0].hand_over(head.replace(b"/live", b""), transport)
        assert received(both[1], there) == ([head] if home[1] else [])
    for each in (here, there, *letters[0], *letters[1]):
        each.close()


def test_settings_name_processes(tmp_path: Path) -> None:
    found = settings({"store": "postgresql://x", "processes": "3", "workers": 0, "data": str(tmp_path)})
    assert (found.processes, found.workers) == (3, 0)
    with pytest.raises(BadInput):
        settings({"processes": 65})
