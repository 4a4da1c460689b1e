"""The review of a game in a real browser: asked for, waited for, looked at by mouse, touch and keyboard."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LAPTOP, PHONE, Guests
from tests.browser.test_replay import record_of

Json = dict[str, Any]


def figure(value: float, reach: float = 0.03) -> Json:
    return {"value": value, "low": value - reach, "high": value + reach}


def made_up(record: Json, open_hands: bool) -> Json:
    """Return a review of a record: how the engine makes one is tested elsewhere."""
    moves, players = record["moves"], record["players"]
    mine = [(i, line) for i, line in enumerate(moves) if line.get("do") == "choose" or line.get("do") == "place"]
    (one, first), (_, other) = mine[4], next(pair for pair in mine[5:] if pair[1]["seat"] == mine[4][1]["seat"])
    plain = [{k: v for k, v in line.items() if k not in ("seat", "legal", "state")} for line in (first, other)]
    decision = {
        "line": one, "seat": first["seat"], "moves": 8, "played": plain[0], "best": plain[1],
        "before": [0.5] * players, "after": [0.38] * players, "cost": figure(0.12), "mistake": True,
        "why": [{"why": "denies", "seat": (first["seat"] + 1) % players, "points": 1.5}],
    }  # fmt: skip
    last = len(moves) - 1
    seats = [
        {
            "seat": seat, "result": float(seat == 0), "par": 1 / players, "luck": figure(0.1), "own": figure(0.2),
            "others": figure(-0.1), "adjusted": figure(0.6), "decisions": 20, "error_rate": figure(0.015, 0.005),
            "accuracy": figure(0.93), "mistakes": int(seat == first["seat"]),
            "curve": [[-1, 1 / players], [last // 2, 0.7 if seat == 0 else 0.2], [last, float(seat == 0)]],
        }
        for seat in range(players)
    ]  # fmt: skip
    luck = [figure(0.09 if seat == 0 else -0.03) for seat in range(players)]
    return {
        "format": "registan-review/1", "game": record["game"], "players": players, "open_hands": open_hands,
        "simulations": 400, "seats": seats, "decisions": [decision],
        "chance": [{"line": -1, "what": "setup", "luck": luck}],
    }  # fmt: skip


def answered(page: Page, record: Json) -> None:
    """Let the house answer at once: first that it works, then with the review."""

    def begin(route: Route) -> None:
        asked = json.loads(route.request.post_data or "{}")
        name = ("1" if asked["open_hands"] else "0") * 32
        route.fulfill(json={"id": name, "status": "working", "done": 3, "of": 12, "review": None})

    def done(route: Route) -> None:
        open_hands = route.request.url.endswith("1")
        made = made_up(record, open_hands)
        route.fulfill(json={"id": "0" * 32, "status": "done", "done": 0, "of": 0, "review": made})

    page.route("**/api/review", begin)
    page.route("**/api/reviews/*", done)


def opened(page: Page, record: Json, tmp_path: Path) -> None:
    (tmp_path / "game.json").write_text(json.dumps(record))
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(tmp_path / "game.json")
    expect(page.locator(".stage")).to_be_visible()
    if not page.locator(".beside").is_visible():
        page.keyboard.press("l")


@pytest.mark.parametrize(
    ("game", "lang", "size"), [("khiva", "en", LAPTOP), ("samarkand", "fr", PHONE)], ids=["khiva", "samarkand"]
)
def test_a_game_from_a_file_is_reviewed(
    guests: Guests, tmp_path: Path, game: str, lang: str, size: dict[str, int]
) -> None:
    ann, record = guests("Ann", lang=lang, size=size), record_of(game)
    page, last = ann.page, len(record["moves"])
    answered(page, record)
    opened(page, record, tmp_path)
    panel = page.get_by_role("region", name="Analyse" if lang == "fr" else "Review", exact=True)
    panel.get_by_role("button", name=re.compile("^(Analyser|Review)")).click()
    expect(panel.get_by_role("status")).to_contain_text("25")
    expect(panel.get_by_role("progressbar")).to_be_visible()
    curve = panel.locator("svg[role=img]").first
    expect(curve).to_have_attribute("aria-label", re.compile("100"))
    expect(panel.locator(".skill")).to_have_count(record["players"])
    expect(panel.locator(".skill").first).to_contain_text("93")
    panel.locator("summary").click()
    expect(panel.locator("details p").nth(2)).to_contain_text("90")
    assert ann.faults() == []

    box = curve.bounding_box()
    assert box is not None
    curve.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    expect(page.get_by_text(f"{last} / {last}", exact=True)).to_be_attached()
    panel.locator("ol button").first.click()
    judged = page.locator(".judged")
    expect(judged).to_contain_text("12")
    expect(judged).to_contain_text("1,5" if lang == "fr" else "1.5")
    line = made_up(record, False)["decisions"][0]["line"]
    expect(page.get_by_text(f"{line} / {last}", exact=True)).to_be_attached()
    if size is LAPTOP:
        expect(page.locator(".mark.best")).to_be_visible()
    assert ann.faults() == []
    page.keyboard.press("ArrowRight")
    expect(judged).to_have_count(0)
    page.keyboard.press("m")
    expect(judged).to_be_visible()


def test_open_hands_are_another_review_and_refusals_are_told(guests: Guests, tmp_path: Path) -> None:
    ann, record = guests("Ann"), record_of("khiva")
    page = ann.page
    refusal = {"type": "refused", "key": "", "error": "x", "text": "Three reviews are under way.", "rule": None}
    page.route("**/api/review", lambda route: route.fulfill(status=429, json=refusal))
    opened(page, record, tmp_path)
    ask = page.get_by_role("button", name="Review this game")
    ask.click()
    expect(page.get_by_role("alert")).to_contain_text("Three reviews are under way.")
    page.unroute("**/api/review")
    answered(page, record)
    ask.click()
    switch = page.get_by_label("Judge with all hands open")
    expect(switch).not_to_be_checked()
    switch.check()
    expect(page.get_by_text("As if every player had seen all hands.")).to_be_visible()
