"""Puzzles in a real browser: found, solved on the board of their game, explained and remembered, in both languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from registan.advice.puzzles.puzzle import Posed, Puzzle, puzzles_of
from registan.core.registry import find, keys
from registan.server.identity import COOKIE
from tests.browser.conftest import LAPTOP, PHONE, Guests


def puzzle_of(game: str, do: str, other: str = "") -> Puzzle:
    """Return a puzzle whose best move is of that kind, and perhaps with another move of some kind."""
    found: list[Posed] = list(puzzles_of(find(game)).values())
    return next(
        one.puzzle
        for one in found
        if one.puzzle.best["do"] == do and (not other or any(row.move["do"] == other for row in one.puzzle.moves))
    )


def answered(page: Page, lang: str) -> None:
    """See that the answer names the chances of the best moves, and why."""
    answer = page.get_by_role("region", name="La solution" if lang == "fr" else "The solution")
    expect(answer.locator("li").first).to_contain_text("le meilleur" if lang == "fr" else "best")
    expect(answer.locator("li").first).to_contain_text(re.compile(r"\d+\s% ± \d"))
    expect(answer).to_contain_text("Comparé aux autres" if lang == "fr" else "Compared with the other moves")


@pytest.mark.parametrize(("lang", "size"), [("en", PHONE), ("fr", LAPTOP)])
def test_a_right_answer_is_explained_counted_and_kept(guests: Guests, lang: str, size: dict[str, int]) -> None:
    ann = guests("Ann", lang=lang, size=size)
    page, puzzle = ann.page, puzzle_of("souk", "wait")
    page.goto(f"/puzzles/souk/{puzzle.id}")
    page.get_by_role("button", name="Attendre" if lang == "fr" else "Wait", exact=True).click()
    expect(page.locator(".answer h2")).to_contain_text("Exact" if lang == "fr" else "Right")
    answered(page, lang)
    assert ann.faults() == []
    page.keyboard.press("n")
    expect(page).not_to_have_url(re.compile(puzzle.id))
    page.goto("/puzzles/souk")
    expect(page.locator("li a.solved")).to_have_count(1)
    expect(page.locator("li a")).to_have_count(len(puzzles_of(find("souk"))))
    assert ann.faults() == []
    page.goto(f"/puzzles/souk/{puzzle.id}")
    page.get_by_role("button", name="Voir la solution" if lang == "fr" else "Show the solution").click()
    expect(page.get_by_role("status").last).to_contain_text("première" if lang == "fr" else "first answer counts")


def test_the_puzzle_of_the_day_and_a_wrong_answer(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/puzzles")
    expect(page.locator("article")).to_have_count(len(keys()))
    assert ann.faults() == []
    page.locator("article").first.get_by_role("link", name="Puzzle of the day").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Puzzle of the day")
    expect(page.locator(".stage")).to_be_visible()
    puzzle = puzzle_of("khiva", "move")
    page.goto(f"/puzzles/khiva/{puzzle.id}")
    expect(page.locator(".stage")).to_be_visible()
    told = ann.ask("POST", f"/api/puzzles/khiva/{puzzle.id}", {"move": puzzle.moves[-1].move})

    def wrong(route: Route) -> None:
        """Answer as if the worst move had been played: how each board is used is tested with that board."""
        route.fulfill(json=told) if route.request.method == "POST" else route.fallback()

    page.route(f"**/api/puzzles/khiva/{puzzle.id}", wrong)
    page.get_by_role("button", name="Show the solution").click()
    expect(page.locator(".answer h2")).to_contain_text("Not the best move")
    answered(page, "en")
    rows = page.locator(".answer li button")
    rows.last.click()
    expect(rows.last).to_have_attribute("aria-pressed", "true")
    assert ann.faults() == []
    page.get_by_role("link", name="All puzzles").last.click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Puzzles")


def test_what_was_tried_is_known_on_another_device(guests: Guests) -> None:
    ann, phone = guests("Ann"), guests("Ann", size=PHONE)
    puzzle = puzzle_of("khiva", "move")
    assert ann.ask("POST", f"/api/puzzles/khiva/{puzzle.id}", {"move": puzzle.best})["right"]
    phone.context.clear_cookies()
    (mine,) = (one for one in ann.context.cookies() if one["name"] == COOKIE)
    phone.context.add_cookies([{"name": COOKIE, "value": mine["value"], "url": ann.house.url}])
    phone.page.goto("/puzzles/khiva")
    expect(phone.page.locator("li a.solved")).to_have_count(1)
    phone.page.goto(f"/puzzles/khiva/{puzzle.id}")
    phone.page.get_by_role("button", name="Show the solution").click()
    expect(phone.page.get_by_role("status").last).to_contain_text("first answer counts")
    board = phone.page.locator(".stage .board").first.bounding_box()
    assert board is not None
    assert board["height"] > 100, "the board is still seen below the solution"


def test_all_families_are_seen_beside_a_puzzle(guests: Guests) -> None:
    page = guests("Ann", size=LAPTOP).page
    page.goto(f"/puzzles/samarkand/{puzzle_of('samarkand', 'place').id}")
    strip, last = page.locator(".strip"), page.locator(".strip .domain").last
    expect(last).to_be_visible()
    outer, inner = strip.bounding_box(), last.bounding_box()
    assert outer is not None
    assert inner is not None
    assert inner["y"] + inner["height"] <= outer["y"] + outer["height"]


def test_a_puzzle_that_does_not_exist(guests: Guests) -> None:
    page = guests("Ann", lang="fr").page
    page.goto("/puzzles/khiva/00000000")
    expect(page.get_by_role("heading")).to_have_text("Ce problème n’existe pas.")
    page.goto("/puzzles/chess")
    expect(page.get_by_role("heading")).to_have_text("Ce problème n’existe pas.")
