"""The box as a file: other numbers need no other rules, and faults are named with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest

import registan
from registan.core.errors import BadBox
from registan.games.khiva import GAME
from tests.games.khiva.table import BOX, TEAPOTS

TEXT = GAME.boxes["khiva"].read_text("utf-8")


def line_of(start: str) -> int:
    return 1 + [line.startswith(start) for line in TEXT.splitlines()].index(True)


def test_k5_k8_the_box_holds_what_the_rules_page_says() -> None:
    box = BOX.record
    assert box.icons.tolist() == [2, 2, 1, 1, 0]
    assert sorted(box.teapots[: box.teapot_count].tolist()) == list(TEAPOTS)
    assert box.carpets.tolist() == [3, 4, 5]
    assert box.salt.tolist() == [10, 9, 8, 7, 6]
    assert (box.shop_1_gems, box.shop_3_gems, box.salt_price) == (1, 2, 3)


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ('camels = ["white", "blue"', 'camels = ["blue", "white"', "camels"),
        ("icons = [2, 2, 1, 1, 0]", "icons = [2, 2, 1, 1]", "5 whole numbers"),
        ("icons = [2, 2, 1, 1, 0]", "icons = [2, 2, 1, 1, 5]", "5 is not a whole number from 0 to 4"),
        ("icons = [2, 2, 1, 1, 0]", "icons = 2", "icons"),
        ("teapots = [2, 2, 2,", "teapots = [2, 2, 10,", "10 is not a whole number from 1 to 9"),
        ("teapots = [2, 2, 2,", "teapots = [2, 2, true,", "True is not a whole number"),
        ("carpets = [3, 4, 5]", 'carpets = [3, 4, "5"]', "'5' is not a whole number"),
        ("salt = [10, 9, 8, 7, 6]", "salt = [10, 9, 8, 7, 6, 5]", "5 whole numbers"),
        ("salt_price = 3", "salt_price = 3.5", "3.5 is not a whole number"),
        ("shop_1_gems = 1", "shop_1_gems = -1", "-1 is not a whole number"),
        ('key = "khiva"', 'key = ""', "must be a text"),
        ('key = "khiva"', "key = 7", "must be a text"),
    ],
)
def test_a_wrong_value_is_named_with_its_line(old: str, new: str, why: str) -> None:
    with pytest.raises(BadBox) as error:
        GAME.load_box(TEXT.replace(old, new).encode(), "my.toml")
    assert error.value.file == "my.toml"
    assert error.value.line == line_of(old.split(" = ", maxsplit=1)[0] + " =")
    assert why in str(error.value.why)
    assert error.value.text().startswith(f"my.toml:{error.value.line}: ")


def test_a_missing_value_is_named() -> None:
    with pytest.raises(BadBox, match=r"^my\.toml: salt_price: missing$"):
        GAME.load_box(TEXT.replace("salt_price = 3", "").encode(), "my.toml")


def test_a_misspelt_key_is_named_with_its_line() -> None:
    with pytest.raises(BadBox, match=r"salt_prize: unknown; known are .*salt_price") as error:
        GAME.load_box(TEXT.replace("salt_price", "salt_prize").encode(), "my.toml")
    assert error.value.line == line_of("salt_price")


def test_another_box_plays_by_its_own_numbers(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    text = TEXT.replace('key = "khiva"', 'key = "mine"').replace("shop_1_gems = 1", "shop_1_gems = 4")
    mine.write_text(text.replace("icons = [2, 2, 1, 1, 0]", "icons = [0, 0, 0, 0, 4]"), "utf-8")
    match = registan.new("khiva", 3, seed=1, box=mine)
    while not (match.state.phase == 0 and match.state.turn):
        seat = match.waiting[0]
        assert all(move["gems"] == 0 for move in match.legal(seat) if move["do"] == "move")
        match.play(seat, match.legal(seat)[0])
    assert match.record()["box"]["key"] == "mine"
    assert registan.replay(match.record(legal=True, states=True), box=mine).state.tobytes()
