"""Chance that can be checked by anybody, when the game is over."""

from __future__ import annotations

import hashlib
import hmac
import random
from typing import Any

import pytest

from registan.core.errors import BadRecord
from registan.core.game import Json
from registan.core.registry import find
from registan.tables.fairness import commitment, stream_key, verify
from registan.tables.requests import Start, Undo
from registan.tables.views import show
from tests.tables.house import SECRET, any_move, match_of, new_table


def played(game: str, players: int = 3, undo: bool = True) -> Json:
    table, _ = new_table(game, players)
    rng = random.Random(5)
    while not table.finished:
        (moved,) = any_move(table, rng, 3000)
        seat = moved.seat  # type: ignore[attr-defined]
        match = match_of(table)
        if undo and rng.random() < 0.05 and match.last_of(seat) is not None and match.free_to_undo(seat):
            Undo(seat=seat).carry_out(table, f"p{seat}", 3000)
    return table.record()


@pytest.mark.parametrize(("game", "players"), [("khiva", 3), ("souk", 3), ("samarkand", 2), ("samarkand", 4)])
def test_every_shuffle_of_a_game_is_recomputed(game: str, players: int) -> None:
    record = played(game, players)
    match = verify(record, find)
    assert [line.line for line in match.written] == record["moves"]
    assert game == "souk" or any("chance" in line for line in record["moves"])


def test_the_commitment_stands_from_the_start_and_the_secret_is_shown_at_the_end() -> None:
    table, _ = new_table("khiva", start=False)
    fair = show(table, 0)["fairness"]
    assert fair["commitment"] == hashlib.sha256(SECRET).hexdigest() == commitment(SECRET)
    assert fair["secret"] is None
    assert SECRET.hex() not in str(show(table, 0))
    Start().carry_out(table, "p0", 2000)
    assert table.record()["fairness"]["secret"] is None
    assert played("khiva")["fairness"]["secret"] == SECRET.hex()


def test_the_key_is_made_as_it_is_written() -> None:
    lines = ["registan/1", hashlib.sha256(b"a").hexdigest(), hashlib.sha256("é".encode()).hexdigest()]
    assert stream_key(SECRET, ["a", "é"]) == hmac.digest(SECRET, "\n".join(lines).encode(), "sha256")
    assert stream_key(SECRET, ["a", "b"]) != stream_key(SECRET, ["b", "a"])


def tamper_secret(record: Json) -> None:
    record["fairness"]["secret"] = "00" * 32


def tamper_contribution(record: Json) -> None:
    record["fairness"]["contributions"][1] = "another"


def tamper_both(record: Json) -> None:
    record["fairness"] |= {"secret": "00" * 32, "commitment": commitment(bytes(32))}


def hide_secret(record: Json) -> None:
    record["fairness"]["secret"] = None


def no_fairness(record: Json) -> None:
    del record["fairness"]


def no_hex(record: Json) -> None:
    record["fairness"]["secret"] = "secret"


def odd_salts(record: Json) -> None:
    record["fairness"]["contributions"] = [1]


def other_chance(record: Json) -> None:
    """Deal the second hand otherwise than chance did, and leave out what was played with it."""
    at = next(i for i, line in enumerate(record["moves"]) if "chance" in line)
    record["moves"] = record["moves"][: at + 1]
    hands = record["moves"][at]["hands"]
    hands[0], hands[1] = hands[1], hands[0]
    record |= {"status": "running", "scores": None, "winners": None}


@pytest.mark.parametrize(
    ("tamper", "said"),
    [
        (tamper_secret, "committed itself"),
        (tamper_contribution, "set-up"),
        (tamper_both, "set-up"),
        (hide_secret, "when the game is over"),
        (no_fairness, "fairness"),
        (no_hex, "fairness.secret"),
        (odd_salts, "fairness.contributions"),
        (other_chance, "Chance came out otherwise"),
    ],
)
def test_what_does_not_fit_is_said(tamper: Any, said: str) -> None:
    record = played("khiva", undo=False)
    tamper(record)
    with pytest.raises(BadRecord, match=said):
        verify(record, find)
