"""The arena: fair to every bot, the same on any number of workers, and never losing a game."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from registan.bots import find_bot
from registan.bots.random import RandomBot
from registan.core.errors import BadInput
from registan.lab.arena import Arena, Played, circles, line_ups, play_arena, play_seatings
from registan.lab.journal import Journal
from registan.lab.run import make_run
from registan.lab.simulate import one
from registan.lab.standings import standings, whole_deals
from tests.lab.command import run


class Named(RandomBot):
    """A bot of which only the name matters."""

    def __init__(self, name: str) -> None:
        self.name = name


def arena(*bots: str, games: int = 8, players: int = 4) -> Arena:
    return Arena(make_run("khiva", players, bots, games, seed=7))


def of_four(names: str, games: int) -> Arena:
    return Arena(replace(arena("random", games=games).run, bots=[Named(name) for name in names]))


def played(contest: Arena, workers: int = 1) -> list[Played]:
    games = [game for games in play_arena(contest, set(), workers) for game in games]
    return sorted(games, key=lambda game: game.number)


def test_who_sits_down_together() -> None:
    assert line_ups(["master", "greedy", "greedy", "greedy"], 4) == [("master", "greedy", "greedy", "greedy")]
    assert line_ups(["a", "b"], 4) == [("a", "b", "b", "b")]
    assert line_ups(["a"], 3) == [("a", "a", "a")]
    assert len(line_ups(["a", "b", "c", "d", "e"], 2)) == 10
    assert line_ups(["a", "b", "c"], 3, neighbours=True) == [("a", "b", "c")]


def test_groups_play_in_turns_each_with_deals_of_its_own() -> None:
    contest = of_four("abcde", games=24)
    groups = [{frozenset(game.bots) for game in contest.seatings() if game.deal == deal} for deal in range(6)]
    assert [len(group) for group in groups] == [1] * 6
    assert [set(*group) for group in groups] == [*map(set, ("abcd", "abce", "abde", "acde", "bcde")), set("abcd")]
    assert of_four("abcde", games=1).deals == 5, "no bot is left out"


def test_neighbours_alone_may_meet() -> None:
    contest = replace(of_four("abcdefg", games=16), neighbours=True)
    assert {"".join(sorted(game.bots)) for game in contest.seatings()} == {"abcd", "bcde", "cdef", "defg"}
    assert contest.head() != of_four("abcdefg", games=16).head()


@pytest.mark.parametrize("bots", ["abcd", "ab", "abcde"])
def test_every_bot_sits_in_every_seat_equally_often(bots: str) -> None:
    contest = of_four(bots, games=24)
    seats = Counter((bot, seat) for game in contest.seatings() for seat, bot in enumerate(game.bots))
    for bot in bots:
        assert len({seats[bot, seat] for seat in range(4)}) == 1
    assert [game.number for game in contest.seatings()] == list(range(contest.games))


def test_every_bot_has_every_deal_from_every_seat() -> None:
    contest = of_four("abcd", games=12)
    for deal in range(3):
        games = [game.bots for game in contest.seatings() if game.deal == deal]
        assert len(games) == 4
        assert all({game[seat] for game in games} == set("abcd") for seat in range(4))


def test_neighbours_change_from_deal_to_deal() -> None:
    contest = of_four("abcd", games=4 * len(circles("abcd")))
    left = Counter((game.bots[i], game.bots[(i + 1) % 4]) for game in contest.seatings() for i in range(4))
    assert len(left) == 12
    assert len(set(left.values())) == 1


def test_games_of_a_deal_begin_alike() -> None:
    contest = arena("greedy", "random")
    openings = set()
    for seating in contest.seatings():
        if seating.deal == 1:
            seated = replace(contest.run, bots=[find_bot(name) for name in seating.bots])
            match = one(seated, seating.number, seating.deal)
            openings.add(json.dumps(match.record()["setup"]))
            again = next(p for p in played(contest) if p.number == seating.number)
            assert tuple(score["total"] for score in match.scores()) == again.scores
    assert len(openings) == 1


def test_deals_are_whole_and_more_games_only_add_to_them() -> None:
    assert [arena("greedy", "random", games=n).games for n in (1, 4, 5, 9)] == [4, 4, 8, 12]
    few, many = (list(arena("greedy", "random", games=n).seatings()) for n in (8, 16))
    assert many[:8] == few


def test_results_do_not_depend_on_the_number_of_workers() -> None:
    quick = arena("greedy", "random", games=40)
    assert played(quick, 1) == played(quick, 3)
    thinking = arena("search:4", "greedy", games=8)
    assert played(thinking, 1) == played(thinking, 2)


def test_standings_say_who_is_stronger_and_how_sure_that_is() -> None:
    contest = arena("greedy", "random", games=400)
    found = standings(contest, played(contest))
    assert found is not None
    greedy, random = found.bots
    assert (greedy.name, greedy.games, random.games) == ("greedy", 400, 1200)
    assert greedy.wins.value + 3 * random.wins.value == pytest.approx(1)
    assert greedy.wins.low > 0.6
    assert random.rating.high < 1500 < greedy.rating.low
    assert greedy.score.low > random.score.high
    assert sum(seat.value for seat in found.seats) == pytest.approx(1)
    assert found.luck is not None
    assert sum(part.value for part in vars(found.luck).values()) == pytest.approx(1)
    written = json.loads(json.dumps(found.written()))
    assert written["standings"][0]["wins"].keys() == {"value", "low", "high"}


def test_deals_that_were_not_finished_do_not_count() -> None:
    contest = arena("greedy", "random", games=12)
    games = played(contest)
    assert len(whole_deals(contest, games[:7])) == 4
    assert standings(contest, games[:3]) is None


def test_an_arena_goes_on_where_it_stopped(tmp_path: Path) -> None:
    contest = arena("greedy", "random", games=12)
    whole = played(contest)
    file = tmp_path / "games.jsonl"
    with Journal(contest, file) as journal:
        journal.add(whole[3:8])
    with file.open("a") as cut:
        cut.write('{"number": 11, "dea')  # the power went off
    with Journal(contest, file) as journal:
        assert journal.done == {3, 4, 5, 6, 7}
        for games in play_arena(contest, journal.done):
            journal.add(games)
    with Journal(contest, file) as journal:
        assert sorted(journal.played, key=lambda game: game.number) == whole
    assert len(file.read_text().splitlines()) == 13


def test_a_file_of_another_arena_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.jsonl"
    Journal(arena("greedy", "random"), file).__exit__(None, None, None)
    Journal(arena("greedy", "random", games=80), file).__exit__(None, None, None)  # more games of it are welcome
    with pytest.raises(BadInput, match="another arena"):
        Journal(arena("random", "greedy"), file)
    file.write_text("no such thing\n")
    with pytest.raises(BadInput, match="not an arena file"):
        Journal(arena("greedy", "random"), file)


def test_compiled_and_thinking_bots_may_meet() -> None:
    contest = arena("random", "greedy", "search:2", games=6, players=2)
    assert [len(play_seatings(contest.run, [seating])) for seating in contest.seatings()] == [1] * 6


def test_an_arena_needs_bots() -> None:
    with pytest.raises(BadInput, match="at least one bot"):
        arena()


def test_the_command_sums_up_for_people_and_programs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "khiva", "--bots", "greedy,random", "--games", 40, "--seed", 7]
    code, out, _ = run(capsys, *words, "--lang", "fr", "--resume", tmp_path / "a.jsonl")
    assert code == 0
    assert out.startswith("Khiva à 4 joueurs\u00a0: 40 parties, 10 donnes")
    assert len((tmp_path / "a.jsonl").read_text().splitlines()) == 41
    code, out, _ = run(capsys, *words, "--json", "--workers", 2)
    assert json.loads(out)["deals"] == 10
    code, again, _ = run(capsys, *words, "--json", "--resume", tmp_path / "a.jsonl")
    assert again == out
    code, _, err = run(capsys, "arena", "khiva", "--bots", "greedy,genius")
    assert (code, "genius" in err) == (2, True)


def test_the_command_writes_ratings_as_a_game_brings_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "ratings.json"
    words = ["arena", "khiva", "--bots", "tuned,greedy,random", "--players", 2, "--seed", 7, "--ratings", file]
    assert run(capsys, *words, "--games", 60, "--neighbours")[0] == 0
    found = json.loads(file.read_text())
    assert list(found) == ["tuned", "greedy", "random"]
    assert all(low < value < high for value, low, high in found.values())
    file.unlink()
    code, _, err = run(capsys, "arena", "khiva", "--bots", "greedy,random", "--games", 4, "--ratings", file)
    assert (code, "two deals" in err, file.exists()) == (2, True, False)
    code, _, err = run(capsys, *words[:-1], tmp_path / "no" / "such", "--games", 60)
    assert (code, "Traceback" in err) == (2, False)


def test_a_single_deal_has_figures_but_no_intervals(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["arena", "khiva", "--bots", "random,greedy", "--games", 4, "--seed", 7]
    _, out, _ = run(capsys, *words)
    assert "inf" not in out
    _, out, _ = run(capsys, *words, "--json")
    found = json.loads(out, parse_constant=lambda word: pytest.fail(f"{word} is not JSON"))
    assert found["deals"] == 1
    assert found["standings"][0]["score"]["low"] is None
