"""Chance: random generators, which are part of the state, and the sources that fill them.

The rules draw from four 64-bit words (xoshiro256++) in the state. Whoever runs the game fills them: a table before
each move from a keyed cryptographic stream (`Stream`), the lab from a number (`seed`), a search from its own generator.
"""

from __future__ import annotations

import hashlib
import hmac
from typing import Any, Protocol

import numpy as np

from registan.core.compiled import compiled

MASK = 0xFFFFFFFFFFFFFFFF
WORDS = 4


@compiled
def _turn(x: Any, by: int) -> Any:
    """Rotate a 64-bit word to the left."""
    return ((x << by) | (x >> (64 - by))) & MASK


@compiled
def draw(rng: Any) -> Any:
    """Return the next 32 random bits and advance the generator."""
    # int() gives unbounded integers when interpreted and leaves unsigned words alone when compiled, so the masks wrap
    # both.
    a, b, c, d = int(rng[0]), int(rng[1]), int(rng[2]), int(rng[3])
    out = (_turn((a + d) & MASK, 23) + a) & MASK
    kept = (b << 17) & MASK
    c ^= a
    d ^= b
    b ^= c
    a ^= d
    c ^= kept
    rng[0], rng[1], rng[2], rng[3] = a, b, c, _turn(d, 45)
    return np.int64(out >> 32)


@compiled
def below(rng: Any, n: int) -> Any:
    """Return a number from 0 to n - 1, all equally likely (n below 2**31)."""
    product = draw(rng) * n
    if product & 0xFFFFFFFF < n:
        # Some results would get one product too many: reject the lowest and draw again (Lemire's method).
        surplus = (0x100000000 - n) % n
        while product & 0xFFFFFFFF < surplus:
            product = draw(rng) * n
    return product >> 32


@compiled
def shuffle(rng: Any, pile: Any, n: int) -> None:
    """Shuffle the first n of a pile (Fisher-Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        pile[i], pile[j] = pile[j], pile[i]


@compiled
def seed(rng: Any, number: int, stream: int) -> None:
    """Seed a generator from a number and the number of a stream (SplitMix64): for the lab, not for tables."""
    rng[0] = number
    rng[1] = stream
    x = int(rng[0])
    y = int(rng[1])
    x = (_mix(x) + y) & MASK
    for i in range(WORDS):
        x = (x + 0x9E3779B97F4A7C15) & MASK
        rng[i] = _mix(x)


@compiled
def _mix(x: Any) -> Any:
    """Return a word in which every bit depends on every bit of x."""
    x = ((x ^ (x >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    x = ((x ^ (x >> 27)) * 0x94D049BB133111EB) & MASK
    return x ^ (x >> 31)


class Source(Protocol):
    """Fills the generator of a match before each move; move 0 is the setup."""

    def fill(self, rng: Any, move: int) -> None:
        """Put the words for the move with that number into a state."""
        ...


class Stream:
    """A keyed stream: the generator of a move is HMAC-SHA-256 of its number.

    Without the key, nobody can predict a move from all others; with it, everybody can recompute each of them.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key

    @classmethod
    def from_seed(cls, seed: int) -> Stream:
        """Return the stream of a seed, for reproducible games."""
        return cls(hashlib.sha256(f"registan seed {seed}".encode()).digest())

    def fill(self, rng: Any, move: int) -> None:
        """Put the words for the move with that number into a state."""
        digest = hmac.digest(self.key, b"registan/1 move %d" % move, "sha256")
        rng[:] = np.frombuffer(digest, "<u8")


class LabStream:
    """The generator of game number `game` in a run of the lab: seeded once, never refilled."""

    def __init__(self, seed: int, game: int) -> None:
        self.seed, self.game = seed, game

    def fill(self, rng: Any, move: int) -> None:
        """Seed the generator before the setup."""
        if move == 0:
            seed(rng, self.seed, 2 * self.game)
