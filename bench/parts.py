"""The parts of a house with several processes, each of which can be killed, frozen, cut off and started again."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import httpx

from registan.server.limits import Caps

SERVE = """
import sys, time
import registan.server.limits as limits
limits.RATES.update(dict.fromkeys(limits.RATES, limits.Rate(1e9, 1e9)))
real = time.time_ns
def shifted():
    with open(sys.argv[1]) as file:
        return real() + int(file.read() or 0)
time.time_ns = shifted
from registan.cli import main
main(sys.argv[2:])
"""
"""Runs a command without the rate limits, which are for people, and with a clock that is wrong by what a file says."""


OPEN_SECONDS = 600.0
"""How long a part may take to open. It takes seconds, but a run may have the lowest priority of a busy machine."""


def free_port() -> int:
    """Return a port that nobody uses."""
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        return int(sock.getsockname()[1])


def descendants(process: int) -> list[int]:
    """Return the processes that a process has started, and theirs."""
    try:
        found = [int(word) for word in Path(f"/proc/{process}/task/{process}/children").read_text().split()]
    except OSError:
        return []
    return [*found, *(each for child in found for each in descendants(child))]


def send(sign: signal.Signals, *processes: int) -> None:
    """Send a signal to processes that may be gone."""
    for process in processes:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, sign)


def is_alive(process: int) -> bool:
    """Whether a process still runs."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


class Part:
    """A program with its output in a file."""

    def __init__(self, folder: Path, name: str, command: list[str], user: tuple[int, int] | None = None) -> None:
        self.folder, self.name, self._command, self._user = folder, name, command, user
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, unless it runs."""
        if self.runs:
            return
        who: dict[str, Any] = (
            {} if self._user is None else {"user": self._user[0], "group": self._user[1], "extra_groups": []}
        )
        with (self.folder / f"{self.name}.log").open("ab") as output:
            self._process = subprocess.Popen(self._command, stdout=output, stderr=output, cwd=self.folder, **who)

    @property
    def runs(self) -> bool:
        """Whether it is alive."""
        return self._process is not None and self._process.poll() is None

    @property
    def processes(self) -> list[int]:
        """All its processes."""
        return [self._process.pid, *descendants(self._process.pid)] if self.runs and self._process else []

    def kill(self) -> None:
        """Kill all of its processes, and wait until they are gone."""
        killed = self.processes
        send(signal.SIGKILL, *killed)
        if self._process is not None:
            self._process.wait()
        wait_for(lambda: not any(is_alive(process) for process in killed))

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Stop all of its processes for a while: it is there, and does not answer."""
        held = self.processes
        send(signal.SIGSTOP, *held)
        try:
            yield
        finally:
            send(signal.SIGCONT, *held)


class Postgres(Part):
    """A private PostgreSQL; as root, on a small disk of its own that can be full."""

    DISK = 400
    """Megabytes."""

    def __init__(self, folder: Path) -> None:
        found = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not found:
            raise SystemExit("there is no PostgreSQL on this machine: sudo apt-get install postgresql")
        self.place, user = folder / "postgres", None
        self.place.mkdir()
        self._mounted = False
        if os.geteuid() == 0:  # it refuses to run as root
            import pwd

            entry = pwd.getpwnam("postgres")
            user = (entry.pw_uid, entry.pw_gid)
            folder.chmod(0o711)
            disk = ["mount", "-t", "tmpfs", "-o", f"size={self.DISK}m", "tmpfs", str(self.place)]
            self._mounted = subprocess.run(disk, check=False, capture_output=True).returncode == 0
            os.chown(self.place, *user)
        self.port, self.data = free_port(), self.place / "data"
        options = {
            "listen_addresses": "127.0.0.1",
            "max_wal_size": "64MB",
            "min_wal_size": "32MB",
            "wal_keep_size": "0",
        }
        more = [word for name, value in options.items() for word in ("-c", f"{name}={value}")]
        command = [str(found[-1]), "-D", str(self.data), "-p", str(self.port), "-k", str(self.place), *more]
        super().__init__(folder, "postgres", command, user)
        who: dict[str, Any] = {} if user is None else {"user": user[0], "group": user[1], "extra_groups": []}
        init = [str(found[-1].with_name("initdb")), "-A", "trust", "-U", "postgres", "-D", str(self.data)]
        subprocess.run(init, check=True, stdout=subprocess.DEVNULL, cwd=self.place, **who)
        self.url = f"postgresql://postgres@127.0.0.1:{self.port}/postgres"
        (folder / "postgres.log").touch()
        (folder / "postgres.log").chmod(0o666)

    def kill(self) -> None:
        """Kill all of its processes; the next start recovers."""
        super().kill()
        (self.data / "postmaster.pid").unlink(missing_ok=True)

    def answers(self) -> bool:
        """Whether it can be asked."""

        async def ask() -> None:
            db: Any = await asyncpg.connect(self.url, timeout=2)
            await db.close(timeout=2)

        try:
            asyncio.run(ask())
        except (OSError, asyncpg.PostgresError, TimeoutError):
            return False
        return True

    def cut(self) -> None:
        """End all connections."""

        async def end() -> None:
            db: Any = await asyncpg.connect(self.url, timeout=2)
            await db.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()")
            await db.close(timeout=2)

        with contextlib.suppress(OSError, asyncpg.PostgresError, TimeoutError):
            asyncio.run(end())

    @property
    def can_be_full(self) -> bool:
        """Whether its disk is its own."""
        return self._mounted

    @contextlib.contextmanager
    def full(self) -> Iterator[None]:
        """Fill its disk for a while."""
        ballast = self.place / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(bytes(1 << 20)):
                pass
        try:
            yield
        finally:
            ballast.unlink(missing_ok=True)

    def close(self) -> None:
        """Stop it for good."""
        self.kill()
        if self._mounted:
            subprocess.run(["umount", "-l", str(self.place)], check=False)


class Redis(Part):
    """A private Redis or Valkey."""

    def __init__(self, folder: Path) -> None:
        program = shutil.which("valkey-server") or shutil.which("redis-server")
        if program is None:
            raise SystemExit("there is no Valkey or Redis on this machine: sudo apt-get install redis-server")
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        options = {"port": self.port, "bind": "127.0.0.1", "save": "", "appendonly": "no", "dir": folder}
        super().__init__(folder, "redis", [program, *(w for k, v in options.items() for w in (f"--{k}", str(v)))])


class House(Part):
    """`registan serve`, with a clock that can be wrong."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.port, self._clock = free_port(), folder / "clock"
        self.url = f"http://127.0.0.1:{self.port}"
        self.set_clock(0)
        words = ["serve", "--port", str(self.port), "--data", str(folder / "data"), "--interpret", *options]
        super().__init__(folder, "house", [sys.executable, "-c", SERVE, str(self._clock), *words])
        os.environ.update({f"REGISTAN_{name.upper()}": "100000" for name in Caps.__struct_fields__})

    def set_clock(self, seconds: float) -> None:
        """Let the clock be wrong by so much."""
        draft = self._clock.with_suffix(".new")
        draft.write_text(str(int(seconds * 1e9)))
        draft.replace(self._clock)

    def answers(self) -> bool:
        """Whether it grants requests."""
        try:
            return httpx.get(f"{self.url}/ready", timeout=2).status_code == 200
        except httpx.HTTPError:
            return False


def thinker(folder: Path, store: str, number: int = 0) -> Part:
    """Return `registan think`."""
    return Part(folder, f"think{number}", [sys.executable, "-m", "registan", "think", "--store", store])


class Patience:
    """Seconds that may pass. A pause of the whole run (SIGSTOP) counts as one second: nobody could answer meanwhile."""

    PAUSE = 5.0
    """How many seconds between two looks are a pause."""

    def __init__(self, seconds: float) -> None:
        self._left, self._looked = seconds, time.monotonic()

    def lasts(self) -> bool:
        """Whether there is any left; look often."""
        now = time.monotonic()
        passed, self._looked = now - self._looked, now
        self._left -= passed if passed < self.PAUSE else 1.0
        return self._left > 0


def wait_for(met: Any, seconds: float = OPEN_SECONDS) -> None:
    """Wait until something is so; raise TimeoutError if it takes too long."""
    patience = Patience(seconds)
    while not met():
        if not patience.lasts():
            raise TimeoutError
        time.sleep(0.05)
