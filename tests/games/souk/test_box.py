"""The box: what it may hold, and how its faults are told."""

from __future__ import annotations

import pytest

from registan.core import batch
from registan.core.compiled import INTERPRET
from registan.core.errors import BadBox
from registan.games.souk import GAME
from registan.games.souk.box import load

TEXT = GAME.boxes["souk"].read_text("utf-8")


def test_the_box_of_the_rules_page() -> None:
    box = load(TEXT.encode(), "souk.toml").record
    assert box.values.tolist() == [1, 1, 1, 2, 2, 3, 3, 4, 5, 7]
    assert sorted(box.camels[:16].tolist()) == sorted([2, 3, 4, 5] * 4)
    assert box.dirhams[3:].tolist() == [25, 15, 15]
    assert (box.highest_price, box.fine, box.empty) == (10, 1, 2)
    assert box.riches[3:].tolist() == [[3, 1, 0, 0, 0], [5, 3, 1, 0, 0], [5, 3, 1, 0, 0]]
    assert box.harmony.tolist() == [[0, 0, 1, 2, 4, 8, 16], [0, 0, 2, 3, 4, 8, 16]]


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('"fruit", "jewels"', '"jewels", "fruit"', "souk.toml:5: types"),
        ("values = [1, 1, 1,", "values = [1, 1,", "souk.toml:8: values: must be a list of 10"),
        ("values = [1, 1, 1,", "values = [1, 1, 10,", "10 is not a whole number from 1 to 9"),
        ("camels = [2,", "camels = [0,", "souk.toml:11: camels"),
        ("dirhams = [25, 15, 15]", "dirhams = [25, 15]", "dirhams: must be a list of 3"),
        ("highest_price = 10", "highest_price = 0", "highest_price: 0"),
        ("riches_of_3 = [3, 1]", "riches_of_3 = [3, 1, 1, 1]", "riches_of_3"),
        ("empty = 2", "emptiness = 2", "emptiness: unknown"),
        ("empty = 2", "", "empty: missing"),
    ],
)
def test_faults_are_named_with_their_line(old: str, new: str, why: str) -> None:
    assert old in TEXT
    with pytest.raises(BadBox, match=why.replace("[", r"\[")):
        load(TEXT.replace(old, new).encode(), "souk.toml")


def test_another_box_can_be_played() -> None:
    """Few camels, ten different values, little money: every rule must still hold."""
    text = (
        TEXT.replace("values = [1, 1, 1, 2, 2, 3, 3, 4, 5, 7]", "values = [9, 8, 7, 6, 5, 4, 3, 2, 1, 9]")
        .replace("camels = [2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5]", "camels = [9, 1, 2]")
        .replace("dirhams = [25, 15, 15]", "dirhams = [3, 99, 0]")
        .replace("highest_price = 10", "highest_price = 15")
    )
    box = load(text.encode(), "other.toml")
    for players in (3, 4, 5):
        states = batch.blank(GAME, 1 if INTERPRET else 300, players)
        assert batch.play(GAME, box, states, check=True).min() > 0
