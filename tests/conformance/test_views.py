"""Views are made of parts: equal keys give the same JSON, and cached values equal fresh ones."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from msgspec.json import encode

from registan.core import batch
from registan.core.brings import tell_brings
from registan.core.engine import Known
from registan.core.game import SPECTATOR
from registan.core.messages import LANGUAGES, catalogue
from registan.core.views import Assembly, Views, assembly
from registan_well import GAME as WELL
from tests.conformance.conftest import Case


def known(case: Case, n: int, seed: int) -> Iterator[list[Known]]:
    """Yield random moments as everybody knows them, one half with the default options, one half with all others."""
    for last in (0, -1):
        options = {name: option.values[last] for name, option in case.game.options.items()}
        states = batch.blank(case.game, n // 2, case.players, options)
        for s in batch.sample(case.game, case.box, states, seed):
            yield case.fast.look(s.tobytes(), range(SPECTATOR, case.players))


def test_views_that_were_kept_are_those_that_would_be_made_again(case: Case) -> None:
    kept, fresh = Assembly(case.game, case.box), Assembly(case.game, case.box, kept=0)
    for moment in known(case, 120, seed=61):
        for audience, s in enumerate(moment, SPECTATOR):
            assert encode(kept.sight(s, audience).json()) == encode(fresh.sight(s, audience).json())


def test_what_all_see_alike_is_taken_over_from_spectators(case: Case) -> None:
    fresh = Assembly(case.game, case.box, kept=0)
    for last in (0, -1):
        options = {name: option.values[last] for name, option in case.game.options.items()}
        states = batch.blank(case.game, 70, case.players, options)
        for s in batch.sample(case.game, case.box, states, seed=66):
            views = Views(case.fast, s.tobytes(), case.players)
            for audience, alone in enumerate(case.fast.look(s.tobytes(), range(SPECTATOR, case.players)), SPECTATOR):
                assert encode(views(audience)) == encode(fresh.sight(alone, audience).json())


def test_points_are_told_one_by_one_at_the_end_and_add_up(case: Case) -> None:
    for last in (0, -1):
        options = {name: option.values[last] for name, option in case.game.options.items()}
        states = batch.blank(case.game, 20, case.players, options)
        running = batch.sample(case.game, case.box, states[:5].copy(), seed=67)
        batch.play(case.game, case.box, states, seed=67)
        scores = case.fast.scores(states)
        for s, points in zip(states, scores):
            views = Views(case.fast, s.tobytes(), case.players)
            shown = [views(audience) for audience in range(SPECTATOR, case.players)]
            for seat in range(case.players):
                tally = told(shown[0], seat)
                assert all(told(view, seat) == tally for view in shown), "everybody sees everything"
                if tally is None:
                    assert case.game.key == WELL.key, "only a game whose score has no parts may leave it out"
                    continue
                parts = dict(zip(case.game.rules.SCORES, points[seat].tolist()))
                found = dict.fromkeys(parts, 0) | {"total": sum(one["points"] for one in tally)}
                for one in tally:
                    found[one["part"]] = found.get(one["part"], 0) + one["points"]
                assert {part: found[part] for part in parts} == parts
                assert all(found[part] == 0 for part in found.keys() - parts), "nothing else brings points"
        for s in running:
            for audience in range(SPECTATOR, case.players):
                view = Views(case.fast, s.tobytes(), case.players)(audience)
                assert all(told(view, seat) is None for seat in range(case.players)), "not before the end"


def told(view: Any, seat: int) -> Any:
    """Where the points of a seat come from, None if nobody says."""
    return view["seats"][seat].get("tally") if "seats" in view else None


def test_equal_keys_mean_equal_json(case: Case) -> None:
    fresh = Assembly(case.game, case.box, kept=0)
    made: dict[tuple[str, Any], bytes] = {}
    for moment in known(case, 120, seed=62):
        for audience, s in enumerate(moment, SPECTATOR):
            for name, key, make, *_ in fresh.parts:
                found = key(case.box, s, audience)
                value = encode(make(found))
                if not isinstance(found, list):  # legal moves of a game that writes them every time
                    assert plain(found), f"{name}: {found!r}"
                    assert made.setdefault((name, found), value) == value, name


def plain(key: Any) -> bool:
    """Whether a key is made of integers, None and tuples."""
    if isinstance(key, tuple):
        return all(map(plain, key))
    return key is None or type(key) is int


def test_equal_values_are_the_same_object_for_every_audience(case: Case) -> None:
    parts = assembly(case.game, case.box).parts
    for s in case.states(20, seed=63):
        views = Views(case.fast, s.tobytes(), case.players)
        again = Views(case.fast, s.tobytes(), case.players)
        moment = case.fast.look(s.tobytes(), range(SPECTATOR, case.players))
        for seat in range(case.players):
            for name, key, *_ in parts:
                mine, table = (key(case.box, moment[who - SPECTATOR], who) for who in (seat, SPECTATOR))
                if not isinstance(mine, list):
                    assert views(seat)[name] is again(seat)[name], name
                    assert mine != table or views(seat)[name] is views()[name], name


def test_what_moves_bring_is_said_of_each_and_has_words(case: Case) -> None:
    views = assembly(case.game, case.box)
    for moment in known(case, 60, seed=64):
        for audience, s in enumerate(moment, SPECTATOR):
            view = views.sight(s, audience).json()
            assert len(view["brings"]) == len(view["legal"])
            for entry in filter(None, view["brings"]):
                things = [item for n, item in (*entry.get("gets", ()), *entry.get("pays", ())) if n > 0]
                things += [item for _, n, item in entry.get("others", ()) if n > 0]
                messages = {f"{case.game.key}.item.{item}" for item in things}
                messages |= {f"{case.game.key}.open.{word}" for word in entry.get("open", ())}
                assert all(messages <= catalogue(lang).keys() for lang in LANGUAGES), messages
                assert entry.get("points") != 0
                assert all(tell_brings(case.game.key, entry, lang, str) or "points" not in entry for lang in LANGUAGES)


def test_what_moves_bring_is_the_same_compiled_and_interpreted(case: Case) -> None:
    for s in case.states(15, seed=65):
        seats = range(case.players)
        for fast, slow in zip(case.fast.look(s.tobytes(), seats), case.slow.look(s.tobytes(), seats)):
            assert fast.brings == slow.brings


@pytest.mark.parametrize("seat", [SPECTATOR, 0])
def test_who_is_not_asked_has_no_moves(case: Case, seat: int) -> None:
    for s in case.states(40, seed=66):
        if seat == SPECTATOR or not int(s.waiting) >> seat & 1:
            view = Views(case.fast, s.tobytes(), case.players)(seat)
            assert view["legal"] == view["brings"] == []
