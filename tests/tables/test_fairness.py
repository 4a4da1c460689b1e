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
from registan.tables import events as e
from registan.tables.fairness import Share, commitment, deal_key, salts_key, verify
from registan.tables.requests import Undo
from registan.tables.table import Table, replay
from registan.tables.views import show
from tests.tables.house import SECRET, any_move, begin, contribution, match_of, new_table


def played(game: str, players: int = 3, undo: bool = True) -> Json:
    table, _ = new_table(game, players)
    play(table, undo)
    return table.record()


def play(table: Table, undo: bool = True) -> None:
    """Play a game to its end."""
    rng = random.Random(5)
    while not table.finished:
        (moved,) = any_move(table, rng, 3000)
        seat = moved.seat  # type: ignore[attr-defined]
        match = match_of(table)
        if undo and rng.random() < 0.05 and match.last_of(seat) is not None and match.free_to_undo(seat):
            Undo(seat=seat).carry_out(table, f"p{seat}", 3000)


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
    begin(table, 2000)
    assert table.record()["fairness"]["secret"] is None
    assert played("khiva")["fairness"]["secret"] == SECRET.hex()


def test_the_key_is_made_as_it_is_written() -> None:
    hashed = [hashlib.sha256(text.encode()).hexdigest() for text in ("t", "Zoé", "greedy")]
    lines = ["registan/2", hashed[0], "khiva", f"person {hashed[1]} {contribution(0).hex()}", f"bot {hashed[2]} -"]
    shares = [Share("person", "Zoé", contribution(0).hex()), Share("bot", "greedy", "")]
    assert deal_key(SECRET, "t", "khiva", shares) == hmac.digest(SECRET, "\n".join(lines).encode(), "sha256")


def test_the_key_of_old_tables_is_made_as_it_was() -> None:
    lines = ["registan/1", hashlib.sha256(b"a").hexdigest(), hashlib.sha256("é".encode()).hexdigest()]
    assert salts_key(SECRET, ["a", "é"]) == hmac.digest(SECRET, "\n".join(lines).encode(), "sha256")
    assert salts_key(SECRET, ["a", "b"]) != salts_key(SECRET, ["b", "a"])


def test_a_table_of_scheme_1_is_replayed_and_verified() -> None:
    created = new_table("khiva", start=False)[0].created
    sat = [e.Sat(at=1500, seat=seat, who=f"p{seat}", name=f"Player {seat}", salt="same") for seat in range(3)]
    table = replay([created, *sat, e.Started(at=2000)])
    play(table)
    assert table.record()["fairness"] == {
        "commitment": commitment(SECRET),
        "contributions": ["same"] * 3,
        "secret": SECRET.hex(),
    }
    verify(table.record(), find)


def tamper_secret(record: Json) -> None:
    record["fairness"]["secret"] = "00" * 32


def tamper_contribution(record: Json) -> None:
    record["fairness"]["contributions"][1] = contribution(7).hex()


def tamper_with_what_was_committed_to(record: Json) -> None:
    tamper_contribution(record)
    record["fairness"]["commitments"][1] = commitment(contribution(7))


def write_a_contribution_otherwise(record: Json) -> None:
    record["fairness"]["contributions"][1] = record["fairness"]["contributions"][1].upper()


def drop_a_contribution(record: Json) -> None:
    record["fairness"]["contributions"][1] = ""


def rename(record: Json) -> None:
    record["names"][2] = "Somebody else"


def rename_the_table(record: Json) -> None:
    record["table"] = "another"


def swap_owners(record: Json) -> None:
    record["fairness"]["owners"][2] = "bot"


def invent_an_owner(record: Json) -> None:
    record["fairness"]["owners"][2] = "ghost"


def no_names(record: Json) -> None:
    del record["names"]


def no_table(record: Json) -> None:
    record["table"] = 7


def too_few_commitments(record: Json) -> None:
    record["fairness"]["commitments"].pop()


def another_scheme(record: Json) -> None:
    record["fairness"]["scheme"] = 3


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
        (tamper_secret, "committed to"),
        (tamper_contribution, "contribution of seat 1"),
        (tamper_with_what_was_committed_to, "setup"),
        (write_a_contribution_otherwise, "fairness.contributions"),
        (drop_a_contribution, "contribution of seat 1"),
        (rename, "setup"),
        (rename_the_table, "setup"),
        (swap_owners, "setup"),
        (invent_an_owner, "fairness.owners"),
        (no_names, "names"),
        (no_table, "table"),
        (too_few_commitments, "fairness.commitments"),
        (another_scheme, "scheme"),
        (tamper_both, "setup"),
        (hide_secret, "when the game is over"),
        (no_fairness, "fairness"),
        (no_hex, "fairness.secret"),
        (odd_salts, "fairness.contributions"),
        (other_chance, "A chance event differs"),
    ],
)
def test_what_does_not_fit_is_said(tamper: Any, said: str) -> None:
    record = played("khiva", undo=False)
    tamper(record)
    with pytest.raises(BadRecord, match=said):
        verify(record, find)
