"""Private files: for their owner only, and complete whatever happens while they are written."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

FILE, FOLDER = 0o600, 0o700
"""Permissions: nobody but the owner."""


def private_folder(path: Path) -> None:
    """Make a folder for its owner only, unless it exists."""
    path.mkdir(FOLDER, parents=True, exist_ok=True)


def opener(path: str, flags: int) -> int:
    """Open a file for `open(…, opener=opener)`; one that does not exist yet is for its owner only."""
    return os.open(path, flags, FILE)


def write_private(path: Path, data: bytes) -> None:
    """Write a file, in place of an older one if there is one."""
    _draft(path, data).replace(path)
    sync_folder(path.parent)


def create_private(path: Path, data: bytes) -> bool:
    """Write a file unless it exists, and return whether it did not: of several writers at once, one wins."""
    draft = _draft(path, data)
    try:
        os.link(draft, path)
    except FileExistsError:
        return False
    finally:
        draft.unlink()
    sync_folder(path.parent)
    return True


def draft_of(path: Path) -> Path:
    """Return a name in the same folder, for a file that is renamed once it is complete."""
    return path.with_name(f".{path.name}.{secrets.token_hex(4)}")


def _draft(path: Path, data: bytes) -> Path:
    draft = draft_of(path)
    try:
        with open(draft, "xb", opener=opener) as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError:
        draft.unlink(missing_ok=True)
        raise
    return draft


def sync_folder(path: Path) -> None:
    """Make the names in a folder survive a power cut, where the system can do that."""
    if hasattr(os, "O_DIRECTORY"):  # Windows cannot
        folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
