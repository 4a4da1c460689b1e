"""Ratings of puzzles that learn from the first answers of people."""

from __future__ import annotations

import random

from registan.advice.puzzles.learning import START, learned

SHIPPED = {f"{n:04x}": 1000 + 40 * n for n in range(20)}


def test_without_answers_nothing_changes() -> None:
    assert learned(SHIPPED, []) == SHIPPED
    assert learned(SHIPPED, [("ann", "of another house", True)]) == SHIPPED


def test_one_answer_changes_little_and_in_the_right_direction() -> None:
    solved, missed = (learned(SHIPPED, [("ann", "0005", right)])["0005"] for right in (True, False))
    assert SHIPPED["0005"] - 30 < solved < SHIPPED["0005"] < missed < SHIPPED["0005"] + 30


def test_a_wrong_rating_is_found_from_many_answers() -> None:
    dice = random.Random(3)
    true = {**SHIPPED, "0004": 1500, "000f": 1250}  # shipped as 1160 and 1600
    answers = []
    for n in range(150):
        mine = dice.gauss(START + 100, 200)
        answers += [(f"p{n}", id_, dice.random() < 1 / (1 + 10 ** ((r - mine) / 400))) for id_, r in true.items()]
    found = learned(SHIPPED, answers)
    assert all(abs(found[id_] - true[id_]) < 130 for id_ in true)
    assert found["0004"] > found["000f"], "unlike the ratings they ship with"


def test_who_gives_up_on_everything_hardly_makes_puzzles_harder() -> None:
    honest = [(f"p{n}", id_, (n + i) % 2 == 0) for n in range(20) for i, id_ in enumerate(SHIPPED)]
    lazy = [("lazy", id_, False) for id_ in SHIPPED]
    before, after = learned(SHIPPED, honest), learned(SHIPPED, honest + lazy)
    assert max(abs(after[id_] - before[id_]) for id_ in SHIPPED) < 12
