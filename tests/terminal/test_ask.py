"""A decision in steps: whatever is legal can be reached, and nothing else."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import combinations

import registan
from registan.core.game import Json
from registan.terminal.ask import Choice, Decision, plain, understand

SETS = ("play", "give", "cards")


def reachable(moves: list[Json], path: tuple[int, ...] = ()) -> Iterator[Json]:
    """Yield every move to which some row of answers leads."""
    decision = Decision(moves, SETS)
    for i in path:
        step = decision.step()
        decision.take(step, step.choices[i])
    if decision.move is not None:
        yield decision.move
        return
    for i in range(len(decision.step().choices)):
        yield from reachable(moves, (*path, i))


def keys(moves: list[Json]) -> set[str]:
    return {json.dumps(move, sort_keys=True) for move in moves}


def test_every_choice_of_khiva_can_be_reached() -> None:
    legal = registan.new("khiva", 3, seed=1).legal(0)
    assert keys(list(reachable(legal))) == keys(legal)


def test_every_pair_of_sets_can_be_reached() -> None:
    pairs = [list(pair) for pair in combinations("abcde", 2)]
    moves: list[Json] = [{"do": "choose", "play": a, "give": b} for a in pairs for b in pairs if not set(a) & set(b)]
    assert keys(list(reachable(moves))) == keys(moves)


def test_sets_of_different_sizes_can_be_closed() -> None:
    moves: list[Json] = [{"do": "discard", "cards": cards} for cards in ([], [1], [2], [1, 2])]
    assert keys(list(reachable(moves))) == keys(moves)
    assert Decision(moves, SETS).step().choices[-1].closes


def test_kinds_of_moves_are_asked_before_their_fields() -> None:
    moves: list[Json] = [{"do": "marry", "family": family} for family in "abcdef"]
    moves += [{"do": "place", "family": "a", "space": space} for space in "rstuvw"]
    decision = Decision(moves)
    step = decision.step()
    assert (step.field, [choice.value for choice in step.choices]) == ("do", ["marry", "place"])
    assert keys(list(reachable(moves))) == keys(moves)


def test_few_moves_are_offered_whole() -> None:
    moves: list[Json] = [{"do": "move", "camel": "white", "gems": gems} for gems in range(3)]
    assert [choice.value for choice in Decision(moves).step().choices] == moves


def test_cards_keep_their_numbers_from_one_step_to_the_next() -> None:
    decision = Decision(registan.new("khiva", 3, seed=1).legal(0), SETS)
    first = decision.step()
    decision.take(first, first.choices[2])
    second = decision.step()
    assert {c.number: c.value for c in second.choices} == {c.number: c.value for c in first.choices if c.number != 3}


def test_answers_may_be_numbers_words_or_parts_of_words() -> None:
    names = {1: ["W4", "white 4"], 2: ["W5", "white 5"], 3: ["V4", "Égypte (dot 3)"]}
    choices = [Choice(number, number, ()) for number in names]

    def meant(text: str) -> list[int]:
        return [choice.number for choice in understand(text, choices, lambda choice: names[choice.number])]

    assert meant("2") == [2]
    assert meant(" w4 ") == [1]
    assert meant("White 5") == [2]
    assert meant("white") == [1, 2]
    assert meant("egypte") == [3]
    assert meant("5 white") == [2]
    assert meant("9") == meant("pink") == meant("…") == []


def test_plain_text_has_no_accents_capitals_or_signs() -> None:
    assert plain("Échoppe 4 : à Lola !") == "echoppe 4 a lola"
