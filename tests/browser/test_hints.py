"""Hints in a real browser: asked for, marked on the board, looked at one by one, and played."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import LAPTOP, PHONE, Guest, Guests

BOT = {"kind": "bot", "level": "random"}


def hint_at(guest: Guest, table: str, page: Page, part: str) -> None:
    """Let the house answer with three moves at once: how the search finds them is tested elsewhere."""
    for _ in range(100):  # until the bots have answered: a hint is for the moment at which it was asked
        if guest.view(table, 0)["view"]["waiting"] == [0]:
            break
        page.wait_for_timeout(100)
    legal = guest.view(table, 0)["view"]["legal"]
    moves = [legal[i * (len(legal) - 1) // 2] for i in range(3)]
    why: list[list[dict[str, Any]]] = [
        [{"why": "more", "part": part, "points": 2.4}, {"why": "denies", "seat": 1, "points": 1.1}],
        [{"why": "even"}],
        [],
    ]
    rows = [
        {"move": move, "wins": 0.5 - 0.1 * i, "sure": 0.02, "margin": 1.5 - 2 * i, "simulations": 900, "why": why[i]}
        for i, move in enumerate(moves)
    ]

    def answer(route: Route) -> None:
        route.fulfill(status=200, content_type="application/json", body=json.dumps(rows))

    page.route("**/hint", answer)


@pytest.mark.parametrize(
    ("game", "part", "lang", "size"),
    [("khiva", "salt", "en", LAPTOP), ("samarkand", "goods", "fr", LAPTOP), ("souk", "riches", "en", PHONE)],
)
def test_a_hint_is_marked_previewed_and_played(
    guests: Guests, game: str, part: str, lang: str, size: dict[str, int]
) -> None:
    ann = guests("Ann", lang=lang, size=size)
    first: dict[str, Any] = {} if game == "khiva" else {"first": 0}
    table = ann.new_table(game, [{"kind": "me"}, BOT, BOT], **first)
    page = ann.page
    page.goto(f"/t/{table}")
    ask = page.get_by_role("button", name="Conseil" if lang == "fr" else "Hint", exact=True)
    expect(ask).to_be_visible()
    hint_at(ann, table, page, part)
    page.keyboard.press("h")
    panel = page.get_by_role("region", name="Les meilleurs coups" if lang == "fr" else "The best moves")
    rows = panel.locator("li button")
    expect(rows).to_have_count(3)
    expect(rows.nth(0)).to_have_attribute("aria-pressed", "true")
    expect(rows.nth(0)).to_contain_text("50")
    expect(panel.get_by_role("status")).to_contain_text("2,4" if lang == "fr" else "2.4")
    expect(page.locator(".mark.chosen")).to_have_text("1")
    rows.nth(2).click()
    expect(rows.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".mark.chosen")).to_have_text("3")
    assert ann.faults() == []
    rows.nth(0).click()
    main = page.locator(".actions .main:enabled").first
    main.click()
    expect(panel).to_have_count(0)


def test_a_refusal_is_told_and_hints_are_agreed_on(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}, BOT], start=False)
    ann.start_with(bo, table)
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.locator("button.card.open").first).to_be_visible()
    expect(page.get_by_role("button", name="Hint", exact=True)).to_have_count(0)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Propose hints for everybody").click()
    expect(page.get_by_role("alertdialog")).to_contain_text("hints for everybody")
    bo.ask("POST", f"/api/tables/{table}", {"do": "answer", "seat": 1, "yes": True})
    ask = page.get_by_role("button", name="Hint", exact=True)
    expect(ask).to_be_visible()
    refusal = {"type": "refused", "key": "", "error": "x", "text": "Ask again in a minute.", "rule": None}
    page.route("**/hint", lambda route: route.fulfill(status=422, json=refusal))
    ask.click()
    expect(page.get_by_role("alert")).to_contain_text("Ask again in a minute.")


def test_there_is_room_for_the_guide_or_a_hint(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    hint, guide = page.locator(".hints"), page.locator("section.guide")
    expect(page.get_by_role("button", name="Hint", exact=True)).to_be_visible()
    hint_at(ann, table, page, "salt")
    page.keyboard.press("h")
    expect(hint).to_be_visible()
    page.get_by_role("button", name="Guide: what each move brings and risks").click()
    expect(guide).to_be_visible()
    expect(hint).to_have_count(0)
    page.keyboard.press("h")
    expect(hint).to_be_visible()
    expect(guide).to_have_count(0)
    hint.get_by_role("button", name="Close").click()
    expect(guide).to_be_visible()


def test_a_long_guide_scrolls_and_leaves_the_hand_whole(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    said = {"situation": {"en": [f"This is what matters, in {i} words." for i in range(40)]}, "moves": []}
    page.route("**/guide*", lambda route: route.fulfill(json=said))
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Guide: what each move brings and risks").click()
    expect(page.locator("section.guide .situation p").last).to_be_attached()
    hidden = "(part) => part.scrollHeight - part.clientHeight"
    assert page.locator("section.guide").evaluate(hidden) > 0
    assert page.locator(".stage > .mine").evaluate(hidden) == 0
    assert page.locator(".stage > .board").evaluate("(board) => board.clientHeight") > 200
