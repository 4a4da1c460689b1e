"""Bots that are not ours: classes in files, of packages, objects; never under the name of a built-in."""

from __future__ import annotations

import copy
import pickle
import random
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from registan import new
from registan.bots import ViewBot, as_bot, find_bot, own
from registan.bots.greedy import GreedyBot
from registan.bots.random import RandomBot
from registan.core import chance
from registan.core.errors import BadInput, BadRecord, IllegalMove
from registan.core.match import Match
from registan.core.registry import keys

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "bots"
RULE_BOT = f"{EXAMPLES / 'rule_bot.py'}:RuleBot"


class Odd(ViewBot):
    """Plays what the test wants."""

    def __init__(self, move: Any = None) -> None:
        self.move = move

    def play(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: random.Random) -> Any:
        if isinstance(self.move, Exception):
            raise self.move
        return legal[-1] if self.move is None else self.move


class Namesake(GreedyBot):
    """Forgets to change its name."""


def rng(number: int = 1) -> Any:
    found = np.zeros(chance.WORDS, np.uint64)
    chance.seed(found, number, 0)
    return found


def choose(bot: Any, match: Match, number: int = 1) -> int:
    seat = match.waiting[0]
    return int(bot.choose(match.engine, match.hidden(seat), seat, rng(number)))


@pytest.mark.parametrize("key", keys())
def test_a_view_bot_plays_what_it_names(key: str) -> None:
    match = new(key, players=3, seed=5)
    for _ in range(12):
        assert choose(Odd(), match) == match.actions(match.waiting[0])[-1]
        match.play_action(match.waiting[0], choose(Odd(), match))


def test_a_view_bot_gets_its_view_and_may_change_it() -> None:
    match = new("khiva", players=3, seed=5)
    before = match.view(0)

    class Vandal(ViewBot):
        def play(self, view: dict[str, Any], legal: list[dict[str, Any]], rng: random.Random) -> Any:
            assert view == before
            assert legal == before["legal"]
            move = dict(legal[0])
            legal[0].clear()
            view.clear()
            return move

    for _ in range(2):
        assert choose(Vandal(), match) == match.actions(0)[0]


def test_chance_of_a_view_bot_can_be_repeated() -> None:
    match = new("souk", players=3, seed=5)
    bot = find_bot(RULE_BOT)
    choices = [choose(bot, match, number) for number in range(20)]
    assert choices == [choose(bot, match, number) for number in range(20)]
    assert len(set(choices)) > 1


def test_a_class_in_a_file_can_be_copied_and_sent() -> None:
    match = new("souk", players=3, seed=5)
    bot = find_bot(RULE_BOT)
    assert bot.name == RULE_BOT
    for other in (copy.deepcopy(bot), pickle.loads(pickle.dumps(bot))):
        assert other.name == bot.name
        assert choose(other, match) == choose(bot, match)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ({"do": "fly"}, "Odd played"),
        ("stop", "Odd played"),
        (ValueError("no idea"), "test_own_bots.py:"),
    ],
)
def test_what_goes_wrong_names_the_bot(move: Any, said: str) -> None:
    match = new("souk", players=3, seed=5)
    with pytest.raises(BadInput, match=said):
        choose(as_bot(Odd(move)), match)


def test_an_action_that_is_not_legal_is_refused() -> None:
    class Illegal:
        def choose(self, engine: Any, hidden: Any, seat: int, rng: Any) -> int:
            return int(engine.legal(hidden, seat)[-1]) + 1

    match = new("souk", players=3, seed=5)
    with pytest.raises(BadInput, match="Illegal played"):
        choose(as_bot(Illegal), match)


@pytest.mark.parametrize("bot", [Namesake, Namesake(), type("Other", (Odd,), {"name": "search:400"})])
def test_a_bot_named_like_a_built_in_is_refused(bot: Any) -> None:
    with pytest.raises(BadInput, match="name of a built-in bot"):
        as_bot(bot)


def test_built_in_bots_may_be_given_as_objects() -> None:
    assert as_bot(GreedyBot).name == "greedy"
    bot = RandomBot()
    assert as_bot(bot) is bot


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("nowhere.py:RuleBot", "There is no file"),
        (f"{EXAMPLES / 'rule_bot.py'}:Missing", "no class “Missing”"),
        (f"{EXAMPLES / 'rule_bot.py'}:random", "not a bot"),
        ("grandmaster", "choose one of random, greedy"),
    ],
)
def test_a_wrong_name_says_what_is_wrong(name: str, said: str) -> None:
    with pytest.raises(BadInput, match=said):
        find_bot(name)


def test_a_file_that_fails_says_where(tmp_path: Path) -> None:
    (tmp_path / "broken_bot.py").write_text("x = 1\nx.y\n")
    with pytest.raises(BadInput, match=r"broken_bot.py:2: AttributeError"):
        find_bot(f"{tmp_path / 'broken_bot.py'}:Bot")


def test_bots_of_other_packages_are_found_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    points = [
        EntryPoint("odd", f"{__name__}:Odd", own.GROUP),
        EntryPoint("greedy", f"{__name__}:Odd", own.GROUP),
        EntryPoint("gone", f"{__name__}:Gone", own.GROUP),
    ]
    monkeypatch.setattr(own, "entry_points", lambda group: points)
    assert find_bot("odd").name == "odd"
    assert pickle.loads(pickle.dumps(find_bot("odd"))).name == "odd"
    assert isinstance(find_bot("greedy"), GreedyBot)
    with pytest.raises(BadInput, match="gone failed"):
        find_bot("gone")
    with pytest.raises(BadInput, match=r"master@1, gone, odd\."):
        find_bot("nobody")


def test_errors_keep_what_they_know_on_their_way_from_a_worker() -> None:
    for error in (
        BadInput("error.no_bot", bot="x", bots="y"),
        IllegalMove("K5", {"en": "No.", "fr": "Non."}),
        BadRecord(3, 4, BadInput("error.no_bot", bot="x", bots="y")),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert type(again) is type(error)
        assert [again.text(lang) for lang in ("en", "fr")] == [error.text(lang) for lang in ("en", "fr")]
