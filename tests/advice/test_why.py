"""Why a move is good: what the simulations say, compared between moves."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from registan import new
from registan.advice.hint import advise
from registan.advice.why import reasons, tell_why, than
from registan.bots.ladder import adviser
from registan.bots.search_bot import Opinion, Outlook, Reply, SearchBot
from registan.core import chance
from registan.core.box import find_box
from registan.core.engine import use_compiled
from registan.core.game import SEATS, Game, Json
from registan.core.match import Match
from registan.core.messages import LANGUAGES
from registan.core.registry import find, keys
from registan_well import GAME as WELL

KHIVA, SOUK = find("khiva"), find("souk")


def rng(number: int) -> np.ndarray:
    words = np.zeros(chance.WORDS, np.uint64)
    chance.seed(words, number, 0)
    return words


def opinion(means: dict[tuple[int, int], float], n: int = 1000, spread: float = 4.0, **more: Any) -> Opinion:
    """Return an opinion of a move after which simulations had these means, by seat and part (part 0 is the win)."""
    sums = np.zeros((SEATS, 6, 2))
    for seat in range(4):
        for part in range(6):
            mean, deviation = means.get((seat, part), 0.25 if part == 0 else 10.0), 0.4 if part == 0 else spread
            sums[seat, part] = n * mean, n * (mean**2 + deviation**2)
    return Opinion(0, n, 0.25, 0.0, 0.03, Outlook(n, sums), **more)


def why(best: Opinion, *others: Opinion, place: int = 0) -> list[Json]:
    match = new("khiva", players=4, seed=1)
    return reasons(match.engine, 4, 1, [best, *others], place)


PLAIN: dict[tuple[int, int], float] = {}
TEAPOTS, GEMS, TOTAL = 2, 5, 1


def test_parts_of_the_own_score_that_differ_are_named_the_largest_gain_first() -> None:
    best = opinion({(1, TEAPOTS): 12.0, (1, GEMS): 9.0})
    assert why(best, opinion(PLAIN)) == [
        {"why": "more", "part": "teapots", "points": 2.0},
        {"why": "less", "part": "gems", "points": 1.0},
    ]


def test_what_a_move_denies_others_and_what_it_lets_them_have() -> None:
    best = opinion({(0, TOTAL): 7.0, (2, TOTAL): 9.0, (3, TOTAL): 10.75})
    assert why(best, opinion(PLAIN)) == [
        {"why": "denies", "seat": 0, "points": 3.0},
        {"why": "helps", "seat": 3, "points": 0.75},
    ]


def test_the_best_move_is_not_only_run_down() -> None:
    worse = {(1, GEMS): 9.0}
    assert [one["why"] for one in why(opinion(worse), opinion(PLAIN))] == ["less", "still"]
    assert [one["why"] for one in why(opinion({**worse, (1, 0): 0.4}), opinion(PLAIN))] == ["less", "often"]
    assert [one["why"] for one in why(opinion(PLAIN), opinion(worse), place=1)] == ["less"]


@pytest.mark.parametrize("key", keys())
def test_the_moves_of_a_hint_are_tried_equally_often_and_the_best_chance_comes_first(key: str) -> None:
    match = new(key, players=3, seed=4)
    use_compiled(match.game)
    seat = match.waiting[0]
    hidden = match.hidden(seat)
    bot = SearchBot(simulations=300, seconds=None, tuning=adviser(match.game, 1.0).tuning)
    rows, again = (advise(bot, match.engine, hidden, seat, rng(2)) for _ in range(2))
    assert len({row["simulations"] for row in rows}) == 1
    shown = [(round(row["wins"], 2), row["margin"]) for row in rows]
    assert shown == sorted(shown, reverse=True)
    assert any(row["margin"] for row in rows), "games are played to their end, also where a net may judge"
    found = bot.think(match.engine, hidden, seat, rng(2))[:3]
    written = [match.game.moves.write(match.box, hidden[0], seat, one.action) for one in found]
    assert all(row["move"] in written for row in rows)
    assert rows == again


def test_nothing_is_said_of_what_chance_may_explain() -> None:
    assert why(opinion({(1, TEAPOTS): 10.5}, n=60), opinion(PLAIN, n=60)) == [{"why": "even"}]
    assert why(opinion({(1, TEAPOTS): 10.5}, n=9000), opinion(PLAIN, n=9000))[0]["part"] == "teapots"
    assert why(opinion({(1, TEAPOTS): 90.0}, n=5), opinion(PLAIN, n=900)) == [], "hardly tried"


def test_a_move_may_win_more_often_without_more_points() -> None:
    assert why(opinion({(1, 0): 0.4}), opinion(PLAIN)) == [{"why": "often"}]
    assert why(opinion(PLAIN), opinion({(1, 0): 0.1}), place=1) == [{"why": "rarely"}]


def test_the_best_is_compared_with_all_others_and_they_with_the_best() -> None:
    best, second, third = opinion(PLAIN), opinion({(1, TEAPOTS): 9.0}), opinion({(1, TEAPOTS): 4.0})
    assert why(best, second, third) == [{"why": "more", "part": "teapots", "points": 3.5}]
    assert why(best, second, third, place=2) == [{"why": "less", "part": "teapots", "points": 6.0}]


def test_a_reply_is_named_if_it_is_given_more_often_than_after_other_moves() -> None:
    match = new("samarkand", players=4, seed=1)
    (seat,) = match.waiting
    me = (seat + 1) % 4
    first, second = (Reply(seat, action, 60, match.state) for action in match.actions(seat)[:2])
    best, other = opinion(PLAIN, replies=(first, first, second)), opinion(PLAIN, replies=(second,))
    line = {"seat": seat, **match.legal(seat)[0]}
    assert reasons(match.engine, 4, me, [best, other], 0)[1:] == [{"why": "reply", "line": line, "share": 0.67}]
    assert reasons(match.engine, 4, me, [best, best], 0)[1:] == [], "whatever one does"


def test_a_reply_is_told_as_far_as_the_seat_may_read_it() -> None:
    """K3: what others choose stays secret, even where it is only imagined."""
    match = new("khiva", players=4, seed=1)
    lines = [match.game.moves.redact({"seat": 2, **move}, 1, 4) for move in match.legal(2)]
    alike = [action for action, line in zip(match.actions(2), lines) if line == lines[0]]
    replies = tuple(Reply(2, action, 60, match.state) for action in alike)
    assert len(replies) > 1
    assert why(opinion(PLAIN, replies=replies), opinion(PLAIN))[1:] == [
        {"why": "reply", "line": lines[0], "share": 1.0}
    ]


@pytest.mark.parametrize("game", [*map(find, keys()), WELL], ids=lambda game: game.key)
def test_the_search_explains_itself_in_every_game_and_both_languages(game: Game) -> None:
    use_compiled(game)
    match = Match(game, find_box(game), 4, stream=chance.Stream.from_seed(3)).deal()
    named = said = 0
    for number in range(12):
        seat = match.waiting[0]
        opinions = think(match, seat, number)
        again = think(match, seat, number)
        for place, opinion in enumerate(opinions[:3]):
            found = reasons(match.engine, 4, seat, opinions, place)
            assert found == reasons(match.engine, 4, seat, again, place)
            named += len(found)
            told = {tell_why(game, match.box, found, than(place), lang, "P{}".format) for lang in LANGUAGES}
            said += len(told - {""})
            if opinion.outlook is not None and opinion.outlook.n:
                assert opinion.outlook.n == opinion.visits
                assert opinion.outlook.means[:, 0].sum() == pytest.approx(1.0), "somebody wins"
                assert opinion.outlook.means[seat, 0] == pytest.approx(opinion.wins)
        match.play_action(seat, opinions[-1].action)
    assert named > 5
    assert said > 5


def think(match: Match, seat: int, number: int) -> list[Opinion]:
    return SearchBot(simulations=400, seconds=None).think(match.engine, match.hidden(seat), seat, rng(number))


def test_a_game_says_what_empty_places_cost_in_its_own_words() -> None:
    less = [{"why": "less", "part": "empty", "points": 2.0}]
    text = tell_why(SOUK, find_box(SOUK), less, "others", "en", str)
    assert text == "Compared with the other moves, it loses 2.0 more for empty places."


def test_reasons_are_one_sentence_and_the_reply_another() -> None:
    found: list[Json] = [
        {"why": "more", "part": "salt", "points": 1.25},
        {"why": "less", "part": "gems", "points": 0.5},
        {"why": "denies", "seat": 2, "points": 3.0},
        {"why": "reply", "line": {"seat": 2, "do": "take", "what": "salt"}, "share": 0.62},
    ]
    assert tell_why(KHIVA, find_box(KHIVA), found, "best", "en", "Bo{}".format) == (
        "Compared with the first choice, it brings 1.2 more from salt and 0.5 less from gems "
        "and leaves 3.0 less to Bo2. "
        "Often then (62 %): Bo2 buys the top sack of salt."
    )
    french = tell_why(KHIVA, find_box(KHIVA), found[:1], "played", "fr", "Bo{}".format)
    assert french == "Comparé au coup joué, le meilleur rapporte 1,2 de plus en sel."
