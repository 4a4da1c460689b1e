"""Samarkand in the browser: by mouse, from the list of moves, by keyboard, on a phone, and after a lost connection."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.conftest import PHONE, Guest, Guests, House

expect.set_options(timeout=20_000)
BOT = {"kind": "bot", "level": "greedy"}
INDEX: Position = {"x": 12, "y": 14}
"""The corner of a card that is visible in the narrowest fan."""


def asked(guest: Guest, table: str, seat: int) -> Any:
    """Wait until the seat is asked and the page shows it, or the game is over; return the table as it is then."""
    while True:
        seen = guest.view(table, seat)
        if seen["status"] == "over":
            return seen
        if seen["view"]["legal"]:
            expect(guest.page.locator(".question.asked")).to_be_visible()
            expect(guest.page.locator("summary", has_text=f"({len(seen['view']['legal'])})")).to_be_attached()
            return seen


def best(view: Any) -> Any:
    """A move that brings the end closer: first meetings of families, then marriages, then other camels."""

    def rank(move: Any) -> int:
        if move["do"] == "place":
            here = view["camels"].get(move["space"], [])
            return 1 if set(here) - set(view["families"][move["family"]]["partners"]) else 4
        if move["do"] == "marry":
            return 3 if len(view["seats"][view["seat"]]["tiles"]) < 3 else 5
        return {"sell": 0, "keep": 2, "discard": 6, "end": 7, "pass": 8}[move["do"]]

    return min(view["legal"], key=rank)


def settled(guest: Guest, table: str, seat: int, before: int) -> None:
    """Wait until the house has the move."""
    while len(guest.view(table, seat)["log"]) <= before:
        pass


def by_mouse(page: Page, view: Any) -> None:
    """Answer what is asked with the mouse: cards, families and spaces are touched, and the main button pressed."""
    main = page.locator(".actions .main")
    if view["asked"] in ("turn", "second"):
        move = best(view)
        if move["do"] in ("place", "marry") and view["asked"] == "turn":
            page.locator(f".domain[data-family={move['family']}]").click()
        if move["do"] == "place":
            space = page.locator(f"#space-{move['space']}")
            space.dispatch_event("click")
            expect(space).to_have_attribute("aria-pressed", "true")
    elif view["asked"] == "discard":
        need = min((move["cards"] for move in view["legal"]), key=len)
        for card in need:
            page.locator(f".card[data-good='{card}']").click(position=INDEX)
    main.click()


def in_words(page: Page, view: Any) -> None:
    """Answer what is asked from the list of all moves."""
    move = best(view)
    moves = page.get_by_test_id("moves")
    if moves.get_attribute("open") is None:
        moves.locator("summary").click()
    moves.locator(f"button[data-move='{json.dumps(move, separators=(',', ':'))}']").click()
    if move["do"] in ("place", "marry", "discard"):
        expect(page.locator(".actions .main")).to_be_focused()
        page.keyboard.press("Enter")


def play_on(table: str, players: list[tuple[Guest, int, Callable[[Page, Any], None]]], turns: int = 10_000) -> None:
    """Let people play in turn until the game is over for all: one may still be asked whether to sell (S14)."""
    for _ in range(turns):
        over = 0
        for guest, seat, how in players:
            seen = guest.view(table, seat)
            if seen["status"] == "over":
                over += 1
            elif seen["view"]["legal"]:
                seen = asked(guest, table, seat)
                how(guest.page, seen["view"])
                settled(guest, table, seat, len(seen["log"]))
        if over == len(players):
            return


def test_two_people_and_bots_play_a_whole_game(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("samarkand", [{"kind": "me"}, {"kind": "open"}, BOT, BOT], start=False, box="oasis")
    ann.start_with(bo, table)
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.get_by_test_id("map")).to_be_visible()
    play_on(table, [(ann, 0, by_mouse), (bo, 1, in_words)], turns=2)
    for guest in (ann, bo):
        assert not guest.faults()
    play_on(table, [(ann, 0, by_mouse), (bo, 1, in_words)])
    over = ann.view(table, 0)
    scores = [here["score"]["total"] for here in over["view"]["seats"]]
    for guest in (ann, bo):
        expect(guest.page.get_by_role("dialog")).to_contain_text(f"{max(scores)} points")
        assert not guest.faults()
    ann.page.get_by_role("button", name="View the board").click()
    expect(ann.page.locator(".question")).to_contain_text("The game is over")
    assert not ann.faults()


def tab_to(page: Page, selector: str, key: str = "Tab") -> Locator:
    """Press Tab until the focus is on such a thing."""
    for _ in range(150):
        page.keyboard.press(key)
        if page.evaluate("selector => document.activeElement?.matches(selector) ?? false", selector):
            return page.locator(":focus")
    raise AssertionError(f"no way to {selector} with Tab")


def by_keyboard(page: Page, view: Any) -> None:
    """Answer what is asked with Tab, Enter, Space and the arrow keys."""
    move = best(view)
    if view["asked"] == "turn" and move["do"] in ("place", "marry"):
        tab_to(page, f".domain[data-family={move['family']}]", "Shift+Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".lit:focus, .actions .main:focus")).to_be_visible()
    if move["do"] == "place":
        if view["asked"] == "second":
            tab_to(page, ".lit", "Shift+Tab")
        while not page.evaluate("space => document.activeElement.id === space", f"space-{move['space']}"):
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        expect(page.locator(".lit[aria-pressed=true]")).to_be_focused()
        page.wait_for_timeout(380)
        page.keyboard.press("Enter")
        return
    if view["asked"] == "discard":
        for card in min((move["cards"] for move in view["legal"]), key=len):
            tab_to(page, f".card[data-good='{card}']")
            page.keyboard.press("Space")
    if not page.evaluate("document.activeElement.matches('.actions .main')"):
        tab_to(page, ".actions .main", "Shift+Tab" if view["asked"] == "discard" else "Tab")
    page.keyboard.press("Enter")


def test_a_whole_game_by_keyboard_alone(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT, BOT, BOT], box="oasis")
    ann.page.goto(f"/t/{table}")
    expect(ann.page.get_by_test_id("map")).to_be_visible()
    play_on(table, [(ann, 0, by_keyboard)])
    expect(ann.page.get_by_role("dialog")).to_be_visible()
    ann.page.keyboard.press("Escape")
    expect(ann.page.get_by_role("dialog")).not_to_be_visible()


def by_touch(page: Page, view: Any) -> None:
    """Answer what is asked with a finger: a second touch of the same space commits."""
    move = best(view)
    if view["asked"] == "turn" and move["do"] in ("place", "marry"):
        page.locator(f".domain[data-family={move['family']}]").tap()
    if move["do"] == "place":
        space = page.locator(f"#space-{move['space']}")
        space.dispatch_event("click")
        expect(page.locator(".brings")).to_be_visible()
        page.wait_for_timeout(400)
        space.dispatch_event("click")
    else:
        if view["asked"] == "discard":
            for card in min((move["cards"] for move in view["legal"]), key=len):
                page.locator(f".card[data-good='{card}']").tap(position=INDEX)
        page.locator(".actions .main").tap()


SMALL = """() => [...document.querySelectorAll('button, summary')].filter((button) => {
  const box = button.getBoundingClientRect();
  return box.width && (box.width < 44 || box.height < 44) && getComputedStyle(button).visibility === 'visible';
}).map((button) => button.outerHTML.slice(0, 120))"""
HIDDEN = """() => [...document.querySelectorAll('.fan .card')].filter((card) => {
  if (card.getBoundingClientRect().bottom > innerHeight + 1) return true;
  const index = card.querySelector('.number').getBoundingClientRect();
  const there = document.elementFromPoint(index.left + 8, index.top + index.height / 2);
  return there?.closest('.card') !== card || index.left < 0 || index.right > innerWidth || index.bottom > innerHeight;
}).map((card) => card.dataset.good)"""


def test_on_a_phone_in_french(guests: Guests) -> None:
    ann = guests("Anne", lang="fr", size=PHONE)
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.get_by_test_id("map")).to_be_visible()
    expect(page.locator("summary", has_text="La carte en mots")).to_be_attached()
    seen: set[str] = set()
    for _ in range(12):
        now = asked(ann, table, 0)
        if now["status"] == "over":
            break
        if now["view"]["asked"] not in seen:
            seen.add(now["view"]["asked"])
            assert not ann.faults(), now["view"]["asked"]
            assert page.evaluate(SMALL) == []
            assert page.evaluate(HIDDEN) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        by_touch(page, now["view"])
        settled(ann, table, 0, len(now["log"]))
    assert {"turn", "discard"} <= seen
    assert "web." not in page.locator("main").inner_text()


def test_cards_show_their_place_and_take_orders(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    good = ann.view(table, 0)["view"]["hand"][0]
    page.locator(f".card[data-good='{good}']").click(position=INDEX)
    expect(page.locator("polygon.shown")).to_have_count(1)
    page.get_by_label("sell for 3 dirhams").check()
    expect(page.locator(f".card[data-good='{good}'] .order")).to_be_visible()
    assert ann.view(table, 0)["orders"] == {str(good): "sell"}
    assert not ann.faults()
    page.keyboard.press("Escape")
    expect(page.locator("polygon.shown")).to_have_count(0)


def test_what_opens_is_sound_too(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    asked(ann, table, 0)
    page.locator(".domain.can").first.click()
    expect(page.locator("section.domain")).to_contain_text("Treasury")
    # Even calm transitions take a frame for each level of what is inherited.
    for fact in page.locator(".domain.open .facts > *").all():
        expect(fact).to_have_css("color", "rgb(255, 255, 255)")
    assert not ann.faults()
    for summary in page.locator(".words summary").all():
        summary.click()
        assert not ann.faults()


def test_a_move_made_while_the_line_is_broken_happens_once(guests: Guests, house: House) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT], box="oasis")
    page = ann.page
    page.goto(f"/t/{table}")
    before = len(asked(ann, table, 0)["log"])
    page.locator(".domain.can").first.click()
    main = page.locator(".actions .main")
    expect(main).to_be_enabled()
    house.close()
    expect(page.get_by_role("alert")).to_be_visible()
    main.click()
    house.open()
    expect(page.locator(".question")).to_contain_text("Discard")
    log = ann.view(table, 0)["log"]
    assert [line["do"] for line in log[before:]] == ["marry"]
