"""What the browser says that a move would bring is tested there against what the rules do: the fixture comes from here.

After a change of the rules or of the boards: `python -m tests.games.samarkand.test_brings` writes it anew.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

import registan
from registan.core.match import Match
from registan.games.samarkand.turns import ending

FIXTURE = Path(__file__).resolve().parents[3] / "web" / "tests" / "fixtures" / "samarkand.json"
MOMENTS = ((2, "oasis", 24), (2, "silk-road", 70), (3, "oasis", 50), (3, "silk-road", 64), (4, "silk-road", 90),
           (5, "oasis", 84), (3, "oasis", 999))  # fmt: skip


def outcome(match: Match, seat: int, move: dict[str, Any]) -> dict[str, Any]:
    """Return what a move brings, as the rules carry it out; the match stays where it is."""
    before, hand, points = match.view(seat), int(match.state.hand[seat]), match.scores()[seat]
    match.play(seat, move)
    after, drawn = match.view(seat), int(match.state.held[seat])
    asked = match.view(match.waiting[0]) if match.waiting else None
    match.state.hand[seat] = hand
    changed = {
        "move": move,
        "goods": after["seats"][seat]["goods"] - before["seats"][seat]["goods"],
        "relations": after["seats"][seat]["relations"] - before["seats"][seat]["relations"],
        "dirhams": [now["dirhams"] - then["dirhams"]
                    for now, then in zip(after["seats"], before["seats"], strict=True)],
        "cards": match.scores()[seat]["cards"] - points["cards"],
        "points": match.scores()[seat]["total"] - points["total"],
        "drawn": drawn - before["seats"][seat]["cards"],
        "sale": asked is not None and asked["asked"] == "sale" and match.waiting == [seat],
        "ends": bool(ending(match.state)),
    }  # fmt: skip
    match.undo()
    return changed


def near_the_end(match: Match) -> bool:
    """Return whether one meeting of two families could be the last (S19)."""
    partners = [len(family["partners"]) for family in match.view()["families"].values()]
    return partners.count(0) <= 2 or max(partners) >= 4


def moment(players: int, board: str, moves: int) -> dict[str, Any]:
    """Return a moment of a random game, after so many moves or before its last one, and what each move would bring."""
    chance = random.Random(f"{players} {board} {moves}")
    match = registan.new("samarkand", players=players, seed=moves, box=board)
    while True:
        (seat,) = match.waiting
        offered = [move for move in match.legal(seat) if move["do"] in ("place", "marry")]
        if moves <= 0 or near_the_end(match):
            outcomes = [outcome(match, seat, move) for move in offered]
            if any(moves <= 0 or one["ends"] for one in outcomes):
                return {"seat": seat, "view": {**match.view(seat), "legal": []}, "moves": outcomes}
        moves -= 1
        legal = match.legal(seat)
        match.play(seat, chance.choice([move for move in legal if move["do"] == "place"] or legal)
                   if chance.random() < 0.6 else chance.choice(legal))  # fmt: skip


def fixture() -> str:
    """Return the whole fixture as text."""
    boards = {}
    for board in ("silk-road", "oasis"):
        told = registan.new("samarkand", players=2, seed=1, box=board).box.names.board
        boards[board] = {
            "goods": [{"number": good.number, "space": good.space} for good in told.goods],
            "spaces": [{"key": space.key, "kind": space.kind} for space in told.spaces],
        }
    moments = [moment(*one) for one in MOMENTS]
    return json.dumps({"boards": boards, "moments": moments}, ensure_ascii=False, separators=(",", ":")) + "\n"


def test_the_fixture_is_what_the_rules_do() -> None:
    assert FIXTURE.read_text("utf-8") == fixture()


if __name__ == "__main__":
    FIXTURE.write_text(fixture(), "utf-8")
