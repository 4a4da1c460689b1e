"""Programs as bots: whatever they do, the game goes on, in time, and what they did is told."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from registan import new
from registan.bots import find_bot, process, process_bot
from registan.bots.process_bot import FAULTS, ProcessBot
from registan.core.errors import BadInput
from tests.bots.test_own_bots import EXAMPLES, choose

START = """
import json, os, sys, time
def read():
    line = sys.stdin.readline()
    if not line: sys.exit()
    return json.loads(line)
def write(**message):
    print(json.dumps(message), flush=True)
read(); write(type="hello")
"""


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    """End all programs after a test."""
    yield
    process.close_all()
    process_bot._idle.clear()


def program(folder: Path, code: str, seconds: float = 5, start: str = START) -> str:
    """Write a program and return its name as a bot."""
    file = folder / "bot.py"
    file.write_text(start + code)
    return f"exec:{seconds}s:{sys.executable} {file}"


def faults(name: str, decisions: int = 1) -> list[tuple[str, str]]:
    """Let a program decide a few times; return what it did wrong. Every move is legal all the same."""
    match = new("souk", players=3, seed=5)
    bot: Any = find_bot(name)
    for _ in range(decisions):
        assert choose(bot, match) in match.actions(match.waiting[0])
    found: list[tuple[str, str]] = bot.faults
    return found


@pytest.mark.parametrize(
    "command", [f"{sys.executable} {EXAMPLES / 'line_bot.py'}", f"perl {EXAMPLES / 'line_bot.pl'}"]
)
@pytest.mark.parametrize("key", ["khiva", "samarkand", "souk"])
def test_the_examples_play(command: str, key: str) -> None:
    match = new(key, players=3, seed=5)
    bot = find_bot(f"exec:20s:{command}")
    assert isinstance(bot, ProcessBot)
    for _ in range(10):
        match.play_action(match.waiting[0], choose(bot, match))
    bot.game_over(match.scores(), match.winners())
    assert bot.faults == []


def test_a_program_hears_everything_in_order(tmp_path: Path) -> None:
    log = tmp_path / "log"
    code = f"""
with open({str(log)!r}, "w") as log:
    while True:
        message = read()
        print(message["type"], message.get("seat", ""), message.get("players", ""), file=log, flush=True)
        if message["type"] == "choose":
            write(type="play", move=message["view"]["legal"][0])
"""
    match = new("souk", players=3, seed=5)
    bot: Any = find_bot(program(tmp_path, code))
    for _ in range(2):  # games: the program stays
        choose(bot, match)
        choose(bot, match)
        bot.game_over(match.scores(), [1])
    heard = ["game 0 3", "choose  ", "choose  ", "result  "] * 2
    deadline = time.monotonic() + 10
    while log.read_text().splitlines() != heard and time.monotonic() < deadline:
        time.sleep(0.01)
    assert log.read_text().splitlines() == heard
    assert bot.faults == []


@pytest.mark.parametrize(
    ("code", "kind", "why"),
    [
        ("read(); read(); time.sleep(60)", "late", "within 0.5 s"),
        ("time.sleep(60)", "late", "within 0.5 s"),
        ("read(); read(); sys.exit(3)", "crash", "exit code 3"),
        ("read(); read(); 1 / 0", "crash", "ZeroDivisionError"),
        ("read(); read(); os.kill(os.getpid(), 9)", "crash", "exit code -9"),
        ("read(); read(); print('my move: stop', flush=True); read()", "garbage", "my move: stop"),
        ("read(); read(); print('[' * 50000, flush=True); read()", "garbage", r"\[\["),
        ("read(); read(); print('x' * 10**6, flush=True); read()", "garbage", "xxx"),
        ("read(); read(); sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); read()", "garbage", "not a JSON"),
        ("read(); read(); write(type='hello'); read()", "garbage", "“play”, not “hello”"),
        ("read(); read(); write(type='play', move=7); read()", "illegal", "is not legal"),
        ("read(); read(); write(type='play', move={'do': 'fly'}); read()", "illegal", "fly"),
        ("read(); read(); write(type='play'); read()", "illegal", "null"),
    ],
)
def test_a_fault_is_told_and_costs_a_random_move(tmp_path: Path, code: str, kind: str, why: str) -> None:
    seconds = 0.5 if kind == "late" else 20
    before = time.monotonic()
    [(found, told)] = faults(program(tmp_path, code, seconds))
    assert found == kind
    assert re.search(why, told), told
    assert time.monotonic() - before < 30


def test_a_program_that_fails_on_and_on_is_not_asked_again_in_this_game(tmp_path: Path) -> None:
    assert len(faults(program(tmp_path, "read(); read(); sys.exit(3)", 20), FAULTS + 2)) == FAULTS


def test_a_program_is_started_again_after_a_crash(tmp_path: Path) -> None:
    once = tmp_path / "once"
    code = f"""
while True:
    message = read()
    if message["type"] == "choose":
        if not os.path.exists({str(once)!r}):
            open({str(once)!r}, "w").close()
            sys.exit(1)
        write(type="play", move=message["view"]["legal"][0])
"""
    assert [kind for kind, _ in faults(program(tmp_path, code, 20), 4)] == ["crash"]


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("exec:", "cannot be run"),
        ("exec:./there-is-no-such-bot", "there-is-no-such-bot"),
        ("exec:0s:perl", "cannot be run"),
        ("exec:perl 'x", "No closing quotation"),
    ],
)
def test_a_command_that_cannot_be_run_is_refused(name: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        find_bot(name)


@pytest.mark.parametrize(("start", "said"), [("raise SystemExit('sorry')", "sorry"), ("print('hi')", "hi")])
def test_a_program_that_does_not_say_hello_is_refused(tmp_path: Path, start: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        find_bot(program(tmp_path, "", start=start))


def test_what_a_program_has_started_ends_with_it(tmp_path: Path) -> None:
    code = f"""
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
open({str(tmp_path / "pid")!r}, "w").write(str(child.pid))
read(); read(); time.sleep(60)
"""
    bot: Any = find_bot(program(tmp_path, code, 0.5))
    deadline = time.monotonic() + 20
    while not (tmp_path / "pid").exists() or not (tmp_path / "pid").read_text():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    choose(bot, new("souk", players=3, seed=5))
    pid = int((tmp_path / "pid").read_text())
    while _alive(pid):
        assert time.monotonic() < deadline
        time.sleep(0.01)


def _alive(pid: int) -> bool:
    """Whether a process runs: one that has ended and waits to be collected does not."""
    try:
        os.kill(pid, signal.SIG_DFL)
    except ProcessLookupError:
        return False
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
