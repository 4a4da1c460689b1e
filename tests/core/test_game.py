"""The contract: what a state is."""

from __future__ import annotations

import numpy as np
import pytest

from registan.core.game import record_type
from registan.games.khiva import GAME
from registan.games.khiva.state import STATE


def test_every_byte_of_a_record_belongs_to_a_field() -> None:
    kind = record_type([("a", "u1"), ("b", "i4"), ("c", "u1", (3,)), ("d", "i8"), ("e", "u1")])
    size = sum(kind.fields[name][0].itemsize for name in kind.names or () if kind.fields)
    assert size == kind.itemsize == 32
    assert kind.isalignedstruct


def test_copies_are_equal_byte_for_byte() -> None:
    kind = record_type([("a", "u1"), ("b", "i4"), ("c", "u1")])
    full = np.frombuffer(bytes(range(1, 13)), kind)
    assert full[0].copy().tobytes() == full.copy()[0].tobytes() == bytes(range(1, 13))


def test_a_record_without_gaps_stays_as_it_is() -> None:
    assert record_type([("a", "i4"), ("b", "i4")]).names == ("a", "b")


def test_a_state_is_small() -> None:
    assert STATE.itemsize <= 512


@pytest.mark.parametrize("field", ["players", "waiting", "due", "over", "rng", *GAME.options])
def test_a_state_has_what_every_game_needs(field: str) -> None:
    assert field in (STATE.names or ())


def test_rules_are_named_by_letter_and_number() -> None:
    assert GAME.rule_id(5) == "K5"
