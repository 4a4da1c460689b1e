"""The files of a house: for their owner only, and claimed by one process."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from registan.core.errors import BadInput
from registan.core.files import FILE, opener, private_folder
from registan.server.logs import log

OTHERS = stat.S_IRWXG | stat.S_IRWXO


def database_files(database: Path) -> list[Path]:
    """Return an SQLite file and its neighbours."""
    return [database.with_name(database.name + end) for end in ("", "-wal", "-shm", ".lock")]


def tighten(*paths: Path) -> None:
    """Take all permissions of others from files and folders that earlier versions or operators left open."""
    for path in paths:
        try:
            mode = stat.S_IMODE(path.stat().st_mode)
            if not mode & OTHERS or mode & stat.S_ISVTX:  # a sticky folder, such as /tmp, is for everybody
                continue
            path.chmod(mode & ~OTHERS)
            log.warning("others had access to this file; now they have not", path=path, before=f"{mode:o}")
        except FileNotFoundError:
            continue
        except OSError as error:
            log.warning("others may have access to this file", path=path, why=error.strerror)


def claim(database: Path, shared: bool = False) -> int | None:
    """Claim an SQLite file for this process until it ends; raise BadInput if another house has it.

    Houses that announce their moves to each other may share it. The system releases the claim of a process that was
    killed. Return the open lock, or None where the system has no such locks (Windows).
    """
    try:
        import fcntl
    except ImportError:
        return None
    path = database_files(database.resolve())[-1]
    try:
        private_folder(path.parent)
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, FILE)
    except OSError as error:
        raise BadInput("error.house.sqlite", path=database, why=error.strerror) from None
    try:
        fcntl.flock(lock, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
    except OSError:
        process = os.pread(lock, 20, 0).decode(errors="replace") or "?"
        os.close(lock)
        raise BadInput("error.house.claimed", path=database, process=process) from None
    os.ftruncate(lock, 0)
    os.pwrite(lock, str(os.getpid()).encode(), 0)
    return lock


def create_empty(path: Path) -> None:
    """Create a file for its owner only, unless it exists; SQLite gives its neighbours the same permissions."""
    with open(path, "ab", opener=opener):
        pass
