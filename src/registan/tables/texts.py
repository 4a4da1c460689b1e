"""Checks for what people type, choose and send: names, faces, chat, moves."""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from registan.core.errors import BadInput

NAME_LENGTH, TEXT_LENGTH, KEY_LENGTH = 30, 500, 64
DEPTH = 12
"""How deep the JSON of a move or an order may be nested. What is stored is compared and written at every depth."""
PHRASES = ("hello", "luck", "well_played", "thinking", "sorry", "thanks", "your_turn", "oops", "good_game", "bye")
"""Phrases that everybody reads in their own language."""


FACES = (
    "turban", "cap", "veil", "fur", "cone", "crown", "hood", "felt", "braids", "scarf", "scholar", "feather", "band",
    "pearls",
)  # fmt: skip
"""The drawings that people choose from."""


PROGRAM = "program"
"""The face of a program that plays as a guest. Nobody can choose it, and nobody who has it can change it."""


@lru_cache(maxsize=10_000)
def face_of(who: str) -> str:
    """Return the drawing of somebody who has not chosen one."""
    return FACES[hashlib.sha256(f"face {who}".encode()).digest()[0] % len(FACES)]


def clean(text: str, most: int) -> str:
    """Return a text on one line and without control characters; raise BadInput if it is empty or too long."""
    tidy = "".join(c if unicodedata.category(c)[0] != "C" else " " for c in unicodedata.normalize("NFC", text))
    tidy = " ".join(tidy.split())
    if not 0 < len(tidy) <= most:
        raise BadInput("error.house.text", most=most)
    return tidy


def one_of(word: str, words: Sequence[str]) -> str:
    """Return a word if it is one of `words`; raise BadInput otherwise."""
    if word not in words:
        raise BadInput("error.house.word", word=word, words=", ".join(words))
    return word


def flat(value: Any, depth: int = DEPTH) -> None:
    """Raise BadInput if JSON is nested too deeply."""
    if isinstance(value, (dict, list)):
        if not depth:
            raise BadInput("error.house.deep", most=DEPTH)
        for each in value.values() if isinstance(value, dict) else value:
            if type(each) in (dict, list):
                flat(each, depth - 1)
