"""Where chance comes from: generator words kept in the state, and those who fill them.

The rules draw from four 64-bit words (xoshiro256++) that stand in the state. Who owns the game fills them: a table
before each move from a keyed cryptographic stream (`Stream`), the lab from a number (`seed`), a search from its own.
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
    """Return the next 32 random bits and move the generator on."""
    # int() gives Python's unbounded integers when interpreted and leaves unsigned words as they are when compiled,
    # so that the masks do the wrapping in both.
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
    """Return a number from 0 to n - 1, each exactly as likely as the others (n below 2**31)."""
    product = draw(rng) * n
    if product & 0xFFFFFFFF < n:
        # The lowest few products are one too many for some results: draw again (Lemire's method).
        surplus = (0x100000000 - n) % n
        while product & 0xFFFFFFFF < surplus:
            product = draw(rng) * n
    return product >> 32


@compiled
def shuffle(rng: Any, pile: Any, n: int) -> None:
    """Shuffle the first n of a pile (Fisher and Yates)."""
    for i in range(n - 1, 0, -1):
        j = below(rng, i + 1)
        pile[i], pile[j] = pile[j], pile[i]


@compiled
def seed(rng: Any, number: int, stream: int) -> None:
    """Fill the words from a number and a stream's number, well mixed (SplitMix64): for the lab, not for tables."""
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
    """Who fills the words of a match before each move; move 0 is the set-up."""

    def fill(self, rng: Any, move: int) -> None:
        """Put the words for the move with that number into a state."""
        ...


class Stream:
    """A keyed stream of generator words: HMAC-SHA-256 of the number of the move.

    Who does not know the key cannot tell the words of a move from those of all others; who learns it afterwards can
    recompute every one.
    """

    def __init__(self, key: bytes) -> None:
        self.key = key

    @classmethod
    def from_seed(cls, seed: int) -> Stream:
        """Return the stream of a plain number, for games that must come out the same again."""
        return cls(hashlib.sha256(f"registan seed {seed}".encode()).digest())

    def fill(self, rng: Any, move: int) -> None:
        """Put the words for the move with that number into a state."""
        digest = hmac.digest(self.key, b"registan/1 move %d" % move, "sha256")
        rng[:] = np.frombuffer(digest, "<u8")


class LabStream:
    """The words of game number `game` in a run of the lab: seeded once, never refilled."""

    def __init__(self, seed: int, game: int) -> None:
        self.seed, self.game = seed, game

    def fill(self, rng: Any, move: int) -> None:
        """Seed the words before the set-up."""
        if move == 0:
            seed(rng, self.seed, 2 * self.game)
