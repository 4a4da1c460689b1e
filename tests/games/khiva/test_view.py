"""What a seat of Khiva sees."""

from __future__ import annotations

import random

import pytest

import registan
from registan.core.match import Match


def random_turns(players: int, seed: int) -> Match:
    """Play a game at random, checking on the way what the views promise."""
    match, dice = registan.new("khiva", players, seed=seed), random.Random(seed)
    while not match.over:
        seat = match.waiting[0]
        before = match.view(seat)
        move = dice.choice(match.legal(seat))
        match.play(seat, move)
        after = match.view(seat)
        if before["asked"] == "move":
            assert len(before["lands"]) == len(before["legal"])
            assert after["camels"][move["camel"]]["place"] == before["lands"][move["gems"]]  # K5 to K7
            if after["deal"] == before["deal"]:
                assert set(before["discarded"]) <= set(after["discarded"])  # K11: they stay until the next deal
        else:
            assert before["lands"] is None
        if before["asked"] == "choose":
            assert set(before["reach"]) == set(before["hand"])
            if after["asked"] == "move" and after["waiting"] == [seat]:  # the first camel, so nothing has changed
                card = next(card for card in move["play"] if card.startswith(after["camel"]))
                assert after["lands"][0] == before["reach"][card]["place"]  # K6, K7
        else:
            assert before["reach"] is None
    return match


@pytest.mark.parametrize("players", [2, 4])
def test_k11_k18_views_say_where_camels_would_stop_and_keep_the_discards(players: int) -> None:
    match = random_turns(players, seed=3)
    for i in range(len(match.written)):
        assert match.view_after(i, 0)["seat"] == 0
    assert match.view_after(len(match.written) - 1, 1) == match.view(1)
