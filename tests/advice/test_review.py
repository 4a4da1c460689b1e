"""The review of a finished game: what adds up, what depends on what, and what it finds."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from registan.advice import review as module
from registan.advice.figures import WIDTH, Figure, total
from registan.advice.judge import Judge
from registan.advice.review import CERTAIN, Review, review_game
from registan.advice.steps import Steps, replay_steps
from registan.bots import find_bot
from registan.cli import main
from registan.core import chance
from registan.core.box import find_box
from registan.core.engine import use_compiled
from registan.core.game import Game, Ints, Json
from registan.core.match import Match
from registan.core.record import dumps
from registan.core.registry import find
from registan_well import GAME as WELL
from tests.docs.blocks import BLOCKS
from tests.docs.examples import differences, values

GAMES: dict[str, Game] = {"well": WELL, "khiva": find("khiva"), "samarkand": find("samarkand")}
SIMULATIONS = 3000
LONG = 400
"""Simulations of the longer looks here: what holds for them holds for more of them."""


@pytest.fixture(autouse=True, scope="module")
def shorter() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(module, "LONG", LONG)
        yield


@cache
def record_of(key: str, *bots: str) -> bytes:
    """Return the record of a game between these bots."""
    game = GAMES[key]
    use_compiled(game)
    match = Match(game, find_box(game), len(bots), stream=chance.Stream.from_seed(5)).deal()
    players = [find_bot(bot) for bot in bots]
    for number in itertools.count():
        if match.over:
            return dumps(match.record())
        seat, rng = match.waiting[0], np.zeros(chance.WORDS, np.uint64)
        chance.seed(rng, number, 1)
        match.play_action(seat, players[seat].choose(match.engine, match.hidden(seat), seat, rng))
    raise AssertionError


def replayed(key: str, *bots: str) -> Steps:
    return replay_steps(json.loads(record_of(key, *bots)), lambda *_: GAMES[key])


@cache
def reviewed(key: str, *bots: str) -> bytes:
    return dumps(review_game(replayed(key, *bots), SIMULATIONS))


def review_of(key: str, *bots: str) -> Json:
    found: Json = json.loads(reviewed(key, *bots))
    return found


PLAYED = [
    ("well", "greedy", "random", "greedy"),
    ("khiva", "greedy", "random", "greedy"),
    ("samarkand", "greedy", "novice"),
]


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played[0])
def test_luck_own_moves_and_those_of_others_add_up_to_the_result(played: tuple[str, ...]) -> None:
    for row in review_of(*played)["seats"]:
        causes = sum(row[cause]["value"] for cause in ("luck", "own", "others"))
        assert row["par"] + causes == pytest.approx(row["result"], abs=0.001)
        assert row["adjusted"]["value"] == pytest.approx(row["result"] - row["luck"]["value"], abs=0.001)
        assert row["curve"][-1][1] == row["result"]


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played[0])
def test_the_chances_of_all_sum_to_one_before_and_after_every_decision(played: tuple[str, ...]) -> None:
    found = review_of(*played)
    decisions = found["decisions"]
    assert decisions
    for row in decisions:
        assert sum(row["before"]) == pytest.approx(1.0, abs=0.001)
        assert sum(row["after"]) == pytest.approx(1.0, abs=0.001)
        assert row["moves"] > 1, "a forced move is no decision"
        assert row["best"] != row["played"] or row["cost"] == {"value": 0.0, "low": 0.0, "high": 0.0}
    for seat in found["seats"]:
        assert seat["decisions"] == sum(row["seat"] == seat["seat"] for row in decisions)


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played[0])
def test_every_chance_event_has_its_luck_for_every_seat(played: tuple[str, ...]) -> None:
    found = review_of(*played)
    lines = [line for line, row in enumerate(json.loads(record_of(*played))["moves"]) if "chance" in row]
    told = {row["line"] for row in found["chance"]}
    assert {-1, *lines} <= told
    for seat in found["seats"]:
        sums = sum(row["luck"][seat["seat"]]["value"] for row in found["chance"])
        assert sums == pytest.approx(seat["luck"]["value"], abs=0.01)


@pytest.mark.parametrize("played", PLAYED, ids=lambda played: played[0])
def test_a_stored_game_reviewed_twice_gives_the_same_bytes_and_reports_its_progress(played: tuple[str, ...]) -> None:
    told: list[tuple[int, int]] = []
    again = review_game(replayed(*played), SIMULATIONS, lambda done, of: told.append((done, of)))
    assert dumps(again) == reviewed(*played)
    assert [done for done, _ in told] == list(range(1, told[-1][1] + 1))


def test_with_open_hands_it_is_another_review_and_still_the_same_every_time() -> None:
    first, again = (dumps(review_game(replayed(*PLAYED[0]), SIMULATIONS, open_hands=True)) for _ in range(2))
    assert first == again
    found, plain = json.loads(first), review_of(*PLAYED[0])
    assert (found["open_hands"], plain["open_hands"]) == (True, False)
    assert [row["played"] for row in found["decisions"]] == [row["played"] for row in plain["decisions"]]
    assert [row["before"] for row in found["decisions"]] != [row["before"] for row in plain["decisions"]]
    for row in found["seats"]:
        causes = sum(row[cause]["value"] for cause in ("luck", "own", "others"))
        assert row["par"] + causes == pytest.approx(row["result"], abs=0.001)


def test_who_plays_at_random_loses_more_by_it() -> None:
    master, random, _ = review_of("well", "search:400", "random", "search:400")["seats"]
    assert random["error_rate"]["value"] > master["error_rate"]["value"]
    assert random["mistakes"] > master["mistakes"]
    assert master["accuracy"]["value"] > 0.9


def test_a_mistake_is_called_one_only_after_two_longer_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    played = "well", "greedy", "random", "greedy"
    review = Review(replayed(*played), SIMULATIONS)
    found = list(review.mistakes())
    assert found
    for row, hidden, action in found:
        pair = review.judge.best(hidden, row["seat"]), action
        looks = [review.judge.prospect(hidden, row["seat"], only).opinion.visits for only in pair]
        assert looks in ([LONG, LONG], [2 * LONG, 2 * LONG]), "what the short look saw does not count any more"
        width = row["cost"]["value"] - row["cost"]["low"]
        assert looks[0] > LONG or row["cost"]["value"] > 2 * CERTAIN * width / WIDTH - 0.001

    def prefers_what_was_played(judge: Judge, hidden: Ints, seat: int, played: int, simulations: int) -> Iterator[None]:
        judge._best[seat, hidden.tobytes()] = played
        yield

    monkeypatch.setattr(Judge, "think_longer", prefers_what_was_played)
    assert not list(Review(replayed(*played), SIMULATIONS).mistakes())
    monkeypatch.undo()
    monkeypatch.setattr(Judge, "look_again", lambda judge, hidden, seat, *_: judge.prospect(hidden, seat, 0))
    for row, _, _ in Review(replayed(*played), SIMULATIONS).mistakes():
        assert row["cost"]["value"] > 2 * CERTAIN * (row["cost"]["value"] - row["cost"]["low"]) / WIDTH - 0.001


def test_a_longer_look_draws_its_own_random_numbers_and_keeps_what_identifies_an_estimate() -> None:
    match = replayed("khiva", "greedy", "random", "greedy")
    step = next(step for step in match.steps if step.seat == 1)
    hidden = np.frombuffer(bytearray(step.before), match.game.rules.STATE)
    match.engine.hide(hidden, 1)
    judge = Judge(match.engine, 60)
    before = judge.prospect(hidden, 1, 0)
    number, first = before.number, before.opinion
    chances = before.chances(3)
    list(judge.think_longer(hidden, 1, 0, 60))
    after = judge.prospect(hidden, 1, 0)
    assert after.number == number
    assert after.opinion.visits == first.visits
    assert after.chances(3) != chances


def test_what_a_seat_cannot_know_does_not_change_how_it_is_judged() -> None:
    """K3: the same choice with other cards in the hands of others."""
    match = replayed("khiva", "greedy", "random", "greedy")
    step = next(step for step in match.steps if step.seat == 1)
    assert step.seat is not None
    engine, judged = match.engine, []
    for number in range(2):
        state = np.frombuffer(bytearray(step.before), match.game.rules.STATE)
        if number:
            engine.hide(state, 1)
            engine.guess(state, 1, np.arange(1, 5, dtype=np.uint64))
            assert state.tobytes() != step.before
        engine.hide(state, 1)
        judge = Judge(engine, 80)
        best = judge.best(state, 1)
        judged.append((best, judge.prospect(state, 1, best).chances(3), judge.prospect(state, 1, 0).chances(3)))
    assert judged[0] == judged[1]


def test_only_the_move_in_question_is_simulated() -> None:
    match = replayed("khiva", "greedy", "random", "greedy")
    step = next(step for step in match.steps if step.seat == 1)
    hidden = np.frombuffer(bytearray(step.before), match.game.rules.STATE)
    match.engine.hide(hidden, 1)
    grown = Judge(match.engine, 50)._run(hidden, 1, 7, len(match.engine.legal(hidden, 1)), 50, b"test")
    assert list(np.flatnonzero(grown.root[:, 0])) == [7]
    assert grown.root[7, 0] == 50


def test_an_estimate_that_is_added_and_subtracted_leaves_no_uncertainty() -> None:
    one, other = Figure.estimate(1, 0.4, 0.01), Figure.estimate(2, 0.3, 0.04)
    assert (one - one).written() == {"value": 0.0, "low": 0.0, "high": 0.0}
    both = total([one, other.times(2.0), Figure(0.5)])
    assert both.value == pytest.approx(1.5)
    assert both.error == pytest.approx((0.01 + 4 * 0.04) ** 0.5)
    assert (both - other.times(2.0)).error == pytest.approx(0.1)


@pytest.mark.parametrize(("lang", "says"), [("en", "own moves"), ("fr", "ses coups")])
def test_the_command_tells_it_in_words(
    lang: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(record_of(*PLAYED[1]))
    with pytest.raises(SystemExit) as left:
        main(["review", str(path), "--simulations", "2000", "--open", "--lang", lang])
    assert left.value.code == 0
    out = capsys.readouterr().out
    assert out.count(says) == 3, "one line for each player"


def test_only_a_finished_game_is_reviewed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "game.jsonl"
    game = json.loads(record_of(*PLAYED[1]))
    half = next(i for i, move in enumerate(game["moves"]) if i > 20 and move.get("do") == "choose")
    cut = {"moves": game["moves"][:half], "status": "running", "scores": None, "winners": None}
    path.write_text(json.dumps(game | cut))
    with pytest.raises(SystemExit) as left:
        main(["review", str(path), "--lang", "en"])
    assert left.value.code == 2
    assert "only finished games" in capsys.readouterr().err


def test_the_example_on_the_page_is_like_a_review() -> None:
    (example,) = [value for block in BLOCKS if block.name == "review" for value in values(block.text)]
    assert not differences(example, review_of(*PLAYED[0]))
