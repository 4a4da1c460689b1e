"""Chance: unbiased, reproducible, and the same in both modes."""

from __future__ import annotations

import hashlib
import hmac
from itertools import permutations
from typing import Any

import numpy as np
import pytest

from registan.core import chance
from registan.core.chance import LabStream, Stream
from registan.core.compiled import jit
from tests.core import tallies

FAR = 5.5
"""No fair count is this many standard deviations off (in all but one of 25 million runs)."""


def seeded(number: int, stream: int = 0) -> Any:
    rng = np.zeros(4, np.uint64)
    chance.seed(rng, number, stream)
    return rng


def farthest(counts: Any, shares: int) -> float:
    """Return how many standard deviations the farthest count is away from one of so many equal shares."""
    total = counts.sum()
    expected = total / shares
    return float(np.abs(counts - expected).max() / np.sqrt(expected * (1 - 1 / shares)))


def chi_square(counts: Any) -> float:
    """Return how far the counts as a whole are from equal ones, in standard deviations (Wilson and Hilferty)."""
    expected = counts.sum() / len(counts)
    df = len(counts) - 1
    chi = ((counts - expected) ** 2 / expected).sum()
    return float(((chi / df) ** (1 / 3) - 1 + 2 / (9 * df)) / np.sqrt(2 / (9 * df)))


def test_the_generator_is_xoshiro256_plus_plus() -> None:
    rng = np.array([1, 2, 3, 4], np.uint64)
    published = [
        41943041,
        58720359,
        3588806011781223,
        3591011842654386,
        9228616714210784205,
        9973669472204895162,
        14011001112246962877,
        12406186145184390807,
        15849039046786891736,
        10450023813501588000,
    ]
    assert [int(chance.draw(rng)) for _ in published] == [word >> 32 for word in published]


@pytest.mark.parametrize("n", [2, 3, 5, 7, 10, 24, 25, 420])
def test_a_bounded_draw_is_fair(n: int) -> None:
    counts = np.zeros(n, np.int64)
    jit(tallies.draws)(seeded(1, n), n, 10_000_000, n, counts)
    assert abs(chi_square(counts)) < FAR
    assert farthest(counts, n) < FAR


def test_a_bounded_draw_is_fair_where_cutting_off_would_not_be() -> None:
    # Of 2**32 words 8 fall on every 3 numbers below 3 * 2**29: without drawing again one of three would be rarer.
    counts = np.zeros(3, np.int64)
    jit(tallies.draws)(seeded(2), 3 << 29, 3_000_000, 3, counts)
    assert farthest(counts, 3) < FAR


def test_a_bounded_draw_stays_below_its_bound() -> None:
    rng = seeded(3)
    for n in (1, 2, 3, 25, 2**31 - 1):
        assert all(0 <= chance.below(rng, n) < n for _ in range(300))
    assert {int(chance.below(rng, 1)) for _ in range(50)} == {0}


def test_drawing_again_happens_interpreted_too() -> None:
    n = 3 << 29
    fast, slow = seeded(4), seeded(4)
    assert [int(chance.below(slow, n)) for _ in range(500)] == [int(jit(chance.below)(fast, n)) for _ in range(500)]
    assert slow.tolist() == fast.tolist()


CARDS, TIMES = 25, 12_000_000


def test_a_shuffled_card_may_lie_anywhere() -> None:
    counts = np.zeros(CARDS * CARDS, np.int64)
    jit(tallies.places)(seeded(5), CARDS, TIMES, 0, counts)
    assert farthest(counts, CARDS * CARDS) < FAR
    assert abs(chi_square(counts)) < FAR


def test_a_shuffle_that_favours_a_card_by_one_percent_would_be_caught() -> None:
    counts = np.zeros(CARDS * CARDS, np.int64)
    jit(tallies.places)(seeded(5), CARDS, TIMES, 2400, counts)  # on top 1/25 + 24/25 of 1/2400: 1 % more often
    assert counts[0] / (TIMES / CARDS) == pytest.approx(1.01, abs=0.006)
    assert farthest(counts, CARDS * CARDS) > FAR


def test_every_order_is_as_likely() -> None:
    counts = np.zeros(64, np.int64)
    jit(tallies.orders_of_four)(seeded(6), 12_000_000, counts)
    orders = [16 * a + 4 * b + c for a, b, c, _ in permutations(range(4))]
    assert counts.sum() == counts[orders].sum()
    assert farthest(counts[orders], 24) < FAR  # one percent would be 7 standard deviations
    assert abs(chi_square(counts[orders])) < FAR


def test_a_shuffle_keeps_what_lies_below() -> None:
    pile = np.arange(10)
    chance.shuffle(seeded(7), pile, 6)
    assert sorted(pile[:6].tolist()) == list(range(6))
    assert pile[6:].tolist() == [6, 7, 8, 9]


def test_seeds_give_streams_that_differ_and_come_again() -> None:
    streams = {tuple(seeded(number, stream).tolist()) for number in range(30) for stream in range(30)}
    assert len(streams) == 900
    assert seeded(7, 3).tolist() == seeded(7, 3).tolist()
    assert seeded(7, 3).tolist() != seeded(3, 7).tolist()


@pytest.mark.parametrize(("number", "stream"), [(0, 0), (7, 1), (2**40 + 3, 2**41), (2**63 - 1, 2**62)])
def test_seeds_give_the_same_words_in_both_modes(number: int, stream: int) -> None:
    rng = np.zeros(4, np.uint64)
    jit(chance.seed)(rng, number, stream)
    assert rng.tolist() == seeded(number, stream).tolist()
    again = seeded(number, stream)
    assert [int(jit(chance.draw)(rng)) for _ in range(5)] == [int(chance.draw(again)) for _ in range(5)]


def test_neighbouring_seeds_have_nothing_in_common() -> None:
    bits = [bin(int(a) ^ int(b)).count("1") for n in range(200) for a, b in zip(seeded(n), seeded(n + 1))]
    assert np.mean(bits) == pytest.approx(32, abs=0.5)
    assert 10 < min(bits) <= max(bits) < 54


def words_of(stream: Stream, move: int) -> list[int]:
    rng = np.zeros(4, np.uint64)
    stream.fill(rng, move)
    return [int(word) for word in rng]


def test_a_keyed_stream_comes_again_and_differs_by_move_and_key() -> None:
    keys = [b"", b"a", b"b" * 32, hashlib.sha256(b"c").digest()]
    seen = {tuple(words_of(Stream(key), move)) for key in keys for move in range(100)}
    assert len(seen) == 400
    assert words_of(Stream(b"a"), 5) == words_of(Stream(b"a"), 5)


def test_who_learns_the_key_can_recompute_every_word() -> None:
    digest = hmac.new(b"secret", b"registan/1 move 12", hashlib.sha256).digest()
    assert words_of(Stream(b"secret"), 12) == [int.from_bytes(digest[i : i + 8], "little") for i in (0, 8, 16, 24)]


def test_a_stream_from_a_number_comes_again() -> None:
    assert words_of(Stream.from_seed(7), 0) == words_of(Stream.from_seed(7), 0)
    assert words_of(Stream.from_seed(7), 0) != words_of(Stream.from_seed(8), 0)
    assert Stream.from_seed(7).key == hashlib.sha256(b"registan seed 7").digest()


def test_the_lab_seeds_a_game_once_and_never_again() -> None:
    rng = np.zeros(4, np.uint64)
    LabStream(9, 4).fill(rng, 0)
    assert rng.tolist() == seeded(9, 8).tolist()
    chance.draw(rng)
    moved = rng.tolist()
    LabStream(9, 4).fill(rng, 1)
    assert rng.tolist() == moved
