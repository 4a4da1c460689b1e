"""The key with which a house signs. All processes of a house share it; whoever has it can be anybody."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

from registan.core.errors import BadInput
from registan.core.files import create_private, private_folder

VARIABLE = "REGISTAN_KEY"
LEAST = 32
"""Characters of a key."""


def house_key(folder: Path) -> bytes:
    """Return the key of a house; the first start makes it."""
    key = known_key(folder)
    if key is None:
        keep_key(folder, secrets.token_hex(32).encode())
        key = known_key(folder)
        assert key is not None
    return key


def known_key(folder: Path) -> bytes | None:
    """Return the key from the environment or from the folder, None if there is none yet.

    Raise BadInput if it is empty or short: a key that can be guessed is worse than none.
    """
    given = os.environ.get(VARIABLE)
    if given is not None:
        return checked(given.encode(), VARIABLE)
    path = folder / "key"
    try:
        return checked(path.read_bytes(), str(path))
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise BadInput("error.house.folder", folder=folder, why=error.strerror) from None


def keep_key(folder: Path, key: bytes) -> None:
    """Write the key into the folder, unless there is one already."""
    try:
        private_folder(folder)
        create_private(folder / "key", key)
    except OSError as error:
        raise BadInput("error.house.folder", folder=folder, why=error.strerror) from None


def checked(key: bytes, place: str) -> bytes:
    """Return a key; raise BadInput if it is too short."""
    if len(key.strip()) < LEAST:
        raise BadInput("error.house.key", place=place, n=len(key.strip()), least=LEAST)
    return key
