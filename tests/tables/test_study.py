"""Studies: any moment of a game as a table shows it, and playing on from there."""

from __future__ import annotations

import hashlib
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec.json import decode

from registan.core.errors import BadInput, BadMove, BadRecord, IllegalMove
from registan.core.game import SPECTATOR
from registan.core.match import Match
from registan.core.record import dumps, read_lines
from registan.core.registry import find
from registan.tables.patch import apply
from registan.tables.snapshot import snapshot
from registan.tables.study import Branch, Moments, looked_back, moments, open_record, readable
from registan.tables.views import show
from tests.tables.house import any_move, match_of, new_table

GAMES = ["khiva", "samarkand", "souk"]
CORPUS = Path(__file__).resolve().parents[1] / "conformance" / "corpus"


def records(game: str) -> list[Any]:
    with (CORPUS / f"{game}.jsonl").open("rb") as file:
        return [record for _, record in read_lines(file)]


def decoded(sent: Any) -> Any:
    """Return something as a client reads it."""
    return msgspec.json.decode(msgspec.json.encode(sent))


def unrolled(made: Moments) -> list[Any]:
    """Return every moment whole, as a client reads it."""
    sent = decoded(made)
    shown = [sent["first"]]
    for patch in sent["patches"]:
        shown.append(apply(shown[-1], patch))
    return shown


def plain(log: list[Any]) -> list[Any]:
    """Return a log without what came of its lines: a table adds that once it is settled."""
    return [{key: value for key, value in line.items() if key != "brings"} for line in log]


@pytest.mark.parametrize("game", GAMES)
def test_a_study_of_a_record_shows_what_its_table_showed(game: str) -> None:
    table, _ = new_table(game, 3)
    rng = random.Random(5)
    seen: dict[tuple[int, int], Any] = {}
    for i in range(60):
        any_move(table, rng, 3000 + i)
        match = match_of(table)
        if match.settled and not match._answers and not match.over:
            for seat in range(SPECTATOR, 3):
                view = show(table, seat)
                seen.setdefault((len(match.written), seat), (view["view"], view["log"]))
    match = open_record(table.record())
    for seat in (SPECTATOR, 0, 2):
        shown = unrolled(moments(match, seat, 0, len(match.written)))
        assert len(shown) == len(match.written) + 1
        found = [at for at in range(len(shown)) if (at, seat) in seen]
        assert found
        for at in found:
            view, log = seen[at, seat]
            assert (shown[at]["view"], plain(shown[at]["log"])) == (view, plain(log)), (at, seat)


@pytest.mark.parametrize("game", GAMES)
def test_a_line_says_the_same_came_of_it_at_every_moment(game: str) -> None:
    for record in records(game)[:3]:
        told = decoded(open_record(record).told())
        match = open_record(record)
        shown = unrolled(moments(match, SPECTATOR, 0, len(match.written)))
        logs = [moment["log"] for moment in shown[-30:]]
        assert logs == [told[: len(log)] for log in logs]  # nothing is forgotten when the game is over
        assert decoded(match.told()) == told  # and what was looked at first makes no difference


@pytest.mark.parametrize("game", GAMES)
def test_every_line_of_the_corpus_is_the_moment_of_a_table(game: str) -> None:
    for record in records(game)[::7]:
        match = open_record(record)
        seat = record["players"] - 1
        for lines in range(0, len(record["moves"]) + 1, 3):
            (shown,) = unrolled(moments(match, seat, lines, lines))
            assert shown["view"] == (match.view_after(lines - 1, seat) if lines else match.moment(0).view(seat))
            assert len(shown["log"]) == sum(at <= lines for at in readable(match, seat))
        made = moments(match, seat, 0, 2)
        assert made.points == match.points()[:3]
        (end,) = unrolled(moments(match, seat, len(record["moves"]), len(record["moves"])))
        assert (end["status"], end["winners"]) == ("over", record["winners"])


@pytest.mark.parametrize("game", GAMES)
def test_looking_back_shows_the_moments_of_the_own_log_only(game: str) -> None:
    table, _ = new_table(game, 3)
    rng = random.Random(8)
    for i in range(50):
        any_move(table, rng, 3000 + i)
    kept, match = snapshot(table), match_of(table)
    for seat in range(SPECTATOR, 3):
        log = [decode(line) for line in match.told(seat)]
        shown = unrolled(looked_back(match, seat, 0, len(log)))
        for line, moment in enumerate(shown):
            assert moment["view"] == kept.moment(line, seat)
            assert moment["log"] == log[:line]
        with pytest.raises(BadInput):
            looked_back(match, seat, len(log) + 1, len(log) + 1)
        made = looked_back(match, seat, 0, 0)
        assert (made.points, made.read) == ([], list(range(1, len(log) + 1)))


def test_looking_back_tells_nothing_of_lines_that_others_keep_secret() -> None:
    table, _ = new_table("samarkand", 3)
    rng = random.Random(8)
    match = match_of(table)
    seat = None
    while seat is None:
        any_move(table, rng, 3000 + len(match.written))
        missing = [len(read) < max(read, default=0) for read in (readable(match, other) for other in range(3))]
        seat = missing.index(True) if match.settled and any(missing) else None
    made = looked_back(match, seat, 0, len(match.written))
    assert len(made.read) == len(made.patches) < len(match.written)
    assert made.read == list(range(1, len(made.read) + 1))


def play_out(branch: Branch, seat: int, rng: random.Random, most: int) -> None:
    """Let chance answer for all seats."""
    for _ in range(most):
        if branch.match.over:
            return
        mover = branch.match.waiting[0]
        branch.play([{"seat": mover, **rng.choice(branch.match.legal(mover))}])


@pytest.mark.parametrize("game", GAMES)
def test_a_branch_is_the_same_whenever_it_is_played_again(game: str) -> None:
    record = records(game)[-1]
    match, before = open_record(record), dumps(open_record(record).record())
    at = len(record["moves"]) // 2
    first = Branch(match, at, 7)
    assert first.at <= at
    play_out(first, 0, random.Random(1), 40)
    again = Branch(match, at, 7)
    again.play(first.moves)
    assert again.match.state.tobytes() == first.match.state.tobytes()
    assert again.moves == first.moves
    shown = unrolled(again.moments(0))
    assert shown[-1]["view"] == first.match.view(0)
    assert shown[0]["view"] == open_record(record).after(first.at).view(0)
    assert dumps(match.record()) == before, "the game itself is as it was"


@pytest.mark.parametrize("game", GAMES)
def test_every_line_can_be_played_on_from(game: str) -> None:
    record = records(game)[0]
    match = open_record(record)
    for at in range(len(record["moves"])):
        branch = Branch(match, at, 0)
        assert branch.at <= at
        assert not branch.match._answers
        assert branch.match.state.tobytes() == match.after(branch.at).state.tobytes()
        mover = branch.match.waiting[0]
        branch.play([{"seat": mover, **branch.match.legal(mover)[0]}])
    with pytest.raises(BadMove, match="over"):
        Branch(match, len(record["moves"]), 0).play([{"seat": 0, "do": "pass"}])
    for wrong in (-1, len(record["moves"]) + 1):
        with pytest.raises(BadInput):
            Branch(match, wrong, 0)


def test_another_seed_is_another_chance() -> None:
    record = records("khiva")[-1]
    match = open_record(record)
    deals = set()
    for seed in (1, 1, 2):
        branch = Branch(match, 0, seed)
        play_out(branch, 0, random.Random(1), 60)
        deals.add(str(next(written.line for written in branch.match.written if "chance" in written.line)))
    assert len(deals) == 2


def test_moves_that_break_a_rule_are_refused_with_its_id() -> None:
    match = open_record(records("khiva")[-1])
    branch = Branch(match, 0, 0)
    legal = branch.match.legal(0)[0]
    with pytest.raises(IllegalMove, match="K3"):
        branch.play([{"seat": 0, **legal, "give": legal["play"]}])
    bad: list[Any] = [{"seat": 0}, {"seat": 9, **legal}, {"seat": None, **legal}, legal, [], None, {"seat": 0, "do": 3}]
    for move in bad:
        with pytest.raises((BadMove, BadInput)):
            branch.play([move])
    assert branch.moves == []


def test_a_person_is_asked_and_bots_answer_for_the_others() -> None:
    match = open_record(records("khiva")[-1])
    branch = Branch(match, 0, 3)
    assert branch.question(2, "greedy") is None, "all are asked, so the person decides first"
    branch.play([{"seat": 2, **branch.match.legal(2)[0]}])
    asked = []
    while (question := branch.question(2, "greedy")) is not None:
        asked.append(question.seat)
        branch.answer(question, question.think("greedy").action)
    assert set(asked[:4]) == {0, 1, 3, 4}
    assert branch.match.over or 2 in branch.match.waiting


def test_orders_answer_for_their_seat_as_long_as_they_can() -> None:
    record = next(record for record in records("souk") if record["players"] == 3)
    match = open_record(record)
    branch = Branch(match, 3, 0)  # after the offers
    assert branch.match.view(1)["asked"] == "count"
    branch.order(1, {"do": "wait", "down_to": 0})
    waits = branch.match.game.moves.read(branch.match.box, branch.match.state, {"do": "wait"})
    while (question := branch.question(1, "random")) is not None and branch.match.view(1)["asked"] == "count":
        branch.answer(question, waits)
    assert [move["do"] for move in branch.moves if move["seat"] == 1] == ["wait"] * 10, "down to the end of the round"
    with pytest.raises(BadMove):
        branch.order(1, {"do": "nothing"})
    with pytest.raises(BadInput):
        Branch(open_record(records("khiva")[0]), 0, 0).order(0, {})


def test_a_record_with_its_own_box_needs_the_file() -> None:
    box = find("samarkand").boxes["oasis"].read_text("utf-8")
    own = box.replace('key = "oasis"', 'key = "my-oasis"', 1)
    assert own != box
    loaded = find("samarkand").load_box(own.encode(), "my-oasis.toml")
    record = Match(find("samarkand"), loaded, 3).deal().record()
    assert record["box"]["sha256"] == hashlib.sha256(own.encode()).hexdigest()
    with pytest.raises(BadRecord, match="my-oasis"):
        open_record(record)
    assert open_record(record, own).view(0)["seat"] == 0
    with pytest.raises(BadRecord):
        open_record(record, box)
    with pytest.raises(BadRecord, match="not TOML"):
        open_record(record, "]")


def test_bad_records_are_reported_as_check_does() -> None:
    good = records("khiva")[0]
    bad: list[tuple[Any, str]] = [
        ({}, "format"),
        ({**good, "format": "registan/9"}, "registan/9"),
        ({**good, "players": 17}, "17"),
        ({**good, "moves": [{"seat": 0, "do": "choose", "play": [], "give": []}]}, "move 1"),
        ({**good, "moves": 7}, "moves"),
        ({**good, "game": "chess"}, "chess"),
    ]
    for record, why in bad:
        with pytest.raises(BadRecord, match=why):
            open_record(record)
