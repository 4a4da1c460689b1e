"""Records replay, today and after every change of the rules."""

from __future__ import annotations

import json
import os
from pathlib import Path

import numpy as np
import pytest

from registan.bots import find_bot
from registan.core.box import find_box
from registan.core.errors import BadRecord
from registan.core.game import SPECTATOR, Json
from registan.core.match import Match
from registan.core.record import dumps, read_lines, replay
from registan.core.registry import find, keys
from registan.lab.simulate import Run, one, simulate
from registan.tables.patch import diff
from tests.conformance.conftest import GAMES, Case

HERE = Path(__file__).resolve().parent
UPDATE = os.environ.get("REGISTAN_GOLDEN") == "update"


def run_of(case: Case, seed: int = 31, games: int = 2) -> Run:
    return Run(case.game, case.box, case.players, {}, [find_bot("random")] * case.players, games, seed)


def test_records_replay_with_every_state_and_legal_list(case: Case) -> None:
    match = one(run_of(case), 0)
    record = json.loads(dumps(match.record(legal=True, states=True)))
    again = replay(record, GAMES.__getitem__)
    assert again.state.over == match.state.over
    assert again.record(legal=True, states=True) == match.record(legal=True, states=True)


def test_a_game_can_be_replayed_up_to_any_moment(case: Case) -> None:
    match = one(run_of(case), 1)
    whole = match.record()
    for upto in range(0, len(whole["moves"]), 1 + len(whole["moves"]) // 10):
        before, after = match.written[max(upto - 1, 0)], match.written[upto]
        if upto and after.asked is before.asked and isinstance(after.asked, np.record):
            continue  # in the middle of a question that several were asked
        part = {**whole, "moves": whole["moves"][:upto], "status": "running", "scores": None, "winners": None}
        if upto and "seat" not in whole["moves"][upto]:
            continue  # cut off right before an event that was due
        assert not replay(part, GAMES.__getitem__).over


def test_recorded_and_counted_games_are_the_same(case: Case) -> None:
    """The lab plays at compiled speed; move by move the same games come out."""
    run = run_of(case)
    counted = simulate(run)
    for number in range(run.games):
        match = one(run, number)
        assert match.moves_played == counted.decisions[number]
        assert [score["total"] for score in match.scores()] == counted.scores[number].tolist()


@pytest.mark.parametrize("key", keys())
def test_stored_games_replay(key: str) -> None:
    """A change of the rules that alters a stored game must raise the game's version and keep the old behaviour."""
    path = HERE / "corpus" / f"{key}.jsonl"
    endings = set()
    with path.open("rb") as file:
        for number, record in read_lines(file):
            assert not isinstance(record, BadRecord)
            endings.add(int(replay(record, find, number=number).state.over))
    assert len(endings) >= (1 if key == "souk" else 2), "one stored game at least for each way a game can end"


def playthrough(match: Match) -> str:
    """Return a whole game as text: every question, every line, the whole state after it, and what everybody sees."""
    record = match.record(legal=True, states=True)
    lines = [json.dumps({k: v for k, v in record.items() if k != "moves"}, sort_keys=True)]
    views: dict[str, Json] = {}
    for i, line in enumerate(record["moves"]):
        state = line.pop("state")
        legal = line.pop("legal", None)
        lines.append(json.dumps(line, sort_keys=True))
        if legal is not None:
            lines.append(f"  legal {len(legal)}: " + json.dumps(legal[:3] + legal[-1:], sort_keys=True))
        lines += [f"  {name} {json.dumps(value, sort_keys=True)}" for name, value in state.items()]
        before, views = views, {name: seen(match, i, seat) for name, seat in audiences(match)}
        lines += changes(before, views) if before else whole(views)
    return "\n".join([*lines, *whole(views)]) + "\n"


def audiences(match: Match) -> list[tuple[str, int]]:
    return [("spectator", SPECTATOR), *((f"seat {seat}", seat) for seat in range(match.players))]


def seen(match: Match, i: int, seat: int) -> Json:
    """Return what an audience sees after a line: of its moves how many there are, and what one of them brings."""
    view = match.view_after(i, seat)
    told = [[move, entry] for move, entry in zip(view["legal"], view["brings"], strict=True) if entry]
    return view | {"legal": len(view["legal"]), "brings": told[len(told) // 2 :][:1]}


def whole(views: dict[str, Json]) -> list[str]:
    """Return all that everybody sees: the whole table, and where an audience sees something else."""
    return [f"  spectator sees {json.dumps(views['spectator'], sort_keys=True)}"] + [
        f"  {name} sees {json.dumps(change)}"
        for name, view in views.items()
        for change in diff(views["spectator"], view)
    ]


def changes(before: dict[str, Json], after: dict[str, Json]) -> list[str]:
    """Return what has changed for whom."""
    told: dict[str, list[str]] = {}
    for name, view in after.items():
        for change in diff(before[name], view):
            told.setdefault(json.dumps(change), []).append(name)
    everybody = list(after)
    return [f"  {'all' if who == everybody else ', '.join(who)} see {change}" for change, who in told.items()]


def test_the_golden_playthrough_is_unchanged(case: Case) -> None:
    """Reviewed like code: run with REGISTAN_GOLDEN=update to rewrite it after an intended change."""
    text = playthrough(one(run_of(case, seed=1), 0))
    path = HERE / "golden" / f"{case.game.key}-{case.players}.txt"
    if UPDATE:
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert text == path.read_text("utf-8")


def test_boxes_are_the_ones_that_come_along() -> None:
    for key in keys():
        game = find(key)
        for name in game.boxes:
            assert find_box(game, name).key == name
