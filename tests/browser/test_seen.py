"""One sees what happens: moves one after the other, tips, alerts, unread lines, every seat, and who plays for whom."""

from __future__ import annotations

import re
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import FloatRect, Locator, expect
from tools.browsing import wait

from tests.browser.conftest import LAPTOP, PHONE, Guest, Guests

BOTS = [{"kind": "bot", "level": "greedy"}] * 3
TABLET = {"width": 820, "height": 1180}


def opened(guest: Guest, game: str, bots: int = 2, **more: Any) -> str:
    """Open a new table in the browser."""
    table = guest.new_table(game, [{"kind": "me"}, *(BOTS * 2)[:bots]], **more)
    guest.page.goto(f"/t/{table}")
    expect(guest.page.locator(".stage > .board")).to_be_visible()
    return table


def move(guest: Guest, table: str) -> None:
    """Make the first legal move when it is the guest's turn."""
    legal = wait(guest, table)["view"]["legal"]
    guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": legal[0]})


SKIP = """() => {
  const all = [".players", ".stage > .board", ".question .skip"].map((one) => document.querySelector(one));
  return all.every(Boolean) && all.map((one) => one.getBoundingClientRect().toJSON());
}"""
"""Where players, board and the button to skip are, once it is there."""


def test_moves_of_bots_are_shown_one_after_the_other_and_can_be_skipped(guests: Guests) -> None:
    ann = guests("Ann", calm=False)
    ann.context.add_init_script("localStorage['registan.speed'] = JSON.stringify('slow')")
    table = opened(ann, "samarkand", first=0)
    page = ann.page
    page.keyboard.press("l")
    lines = page.get_by_role("log").locator("li")
    skip = page.get_by_role("button", name=re.compile(r"^Skip \d+ moves? \(S\)$"))
    for by, size in (("key", PHONE), ("tap", LAPTOP)):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        before = lines.count()
        while not len(wait(ann, table)["log"]) > before + 3:
            move(ann, table)
        # It covers nobody: it is in the line of the question, below the board.
        players, board, button = page.wait_for_function(SKIP).json_value()
        assert players["bottom"] <= board["top"] + 1
        assert board["bottom"] <= button["top"]
        assert button["right"] <= size["width"]
        told = len(ann.view(table, 0)["log"])
        assert lines.count() < told, "not everything at once"
        if by == "key":
            page.keyboard.press("s")
        else:
            skip.click()
        expect(skip).to_have_count(0)
        expect(lines).to_have_count(len(ann.view(table, 0)["log"]))


def test_an_undo_shows_nothing_of_what_it_took_back(guests: Guests) -> None:
    ann = guests("Ann", calm=False)
    table = opened(ann, "samarkand", first=0)
    page = ann.page
    page.keyboard.press("l")
    while not (placed := [one for one in wait(ann, table)["view"]["legal"] if one["do"] == "place"]):
        move(ann, table)
    ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": placed[0]})
    line = page.get_by_role("log").locator("li.new", has_text="Ann places a camel")
    expect(line.first).to_be_visible()
    page.wait_for_function("() => !document.querySelector('[data-sky]')")
    page.evaluate("""() => {
      window.flights = 0;
      new MutationObserver((changes) => {
        window.flights += changes.flatMap((one) => [...one.addedNodes]).filter((one) => one.dataset?.sky === "").length;
      }).observe(document.body, { childList: true });
    }""")
    heard = page.get_by_test_id("heard").inner_text()
    page.get_by_role("button", name="Undo move").click()
    expect(line).to_have_count(0)
    page.wait_for_timeout(400)
    assert page.evaluate("() => window.flights") == 0
    expect(page.get_by_role("log").locator("li.new")).to_have_count(0)
    assert page.get_by_test_id("heard").inner_text() == heard


THINGS = {
    "khiva": "[data-camel], [data-place], [data-pile], button.card, .player .group",
    "samarkand": ".fan .card, .domain, .player .fact",
    "souk": ".stall, .offers button, .player .bit, .purse",
}
"""What is on the table; spaces of the map have a tag of their own."""


@pytest.mark.parametrize("game", THINGS)
def test_everything_on_the_table_says_what_it_is(guests: Guests, game: str) -> None:
    ann, bo = guests("Ann"), guests("Bo", size=PHONE)
    opened(ann, game, **({"first": 0} if game == "samarkand" else {}))
    page = ann.page
    tip = page.get_by_test_id("tip")
    things = page.locator(THINGS[game])
    expect(things.first).to_be_attached()
    silent = """(things) => things.filter((thing) => {
      for (let node = thing; node && !node.matches("main"); node = node.parentElement)
        if (node.matches("[data-tip], [title], [aria-label], :has(> .hidden-visually)")) return false;
      return true;
    }).map((thing) => thing.outerHTML.slice(0, 200))"""
    assert things.evaluate_all(silent) == []
    # Under the mouse, and away again.
    seen = page.locator({"khiva": "[data-pile=salt]", "samarkand": ".player .fact", "souk": ".player .bit"}[game]).first
    seen.hover()
    expect(tip).to_have_text(re.compile({"khiva": "salt", "samarkand": "dirhams", "souk": "Sells|doyen"}[game]))
    assert not ann.faults()
    page.mouse.move(2, 2)
    expect(tip).to_have_count(0)
    # With the focus.
    choice = {"khiva": "button.card.open", "samarkand": ".domain.can", "souk": ".offers button"}[game]
    page.locator(choice).first.focus()
    page.keyboard.press("Shift")
    page.keyboard.press("Tab")
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_have_count(0)
    # Under a long touch, which chooses nothing.
    opened(bo, game, **({"first": 0} if game == "samarkand" else {}))
    held = bo.page.locator(
        {"khiva": "button.card.open", "samarkand": ".domain.can", "souk": ".offers button"}[game]
    ).first
    touch(held, 700)
    expect(bo.page.get_by_test_id("tip")).to_be_visible()
    asked, said = box_of(bo.page.locator(".question")), box_of(bo.page.get_by_test_id("tip"))
    assert said["y"] + said["height"] <= asked["y"] or said["y"] >= asked["y"] + asked["height"]
    expect(held).not_to_have_attribute("aria-pressed", "true")
    touch(held, 40)
    expect(bo.page.get_by_test_id("tip")).to_have_count(0)


def box_of(thing: Locator) -> FloatRect:
    box = thing.bounding_box()
    assert box is not None
    return box


def touch(thing: Locator, held: int) -> None:
    """Touch the middle of a thing with a finger for some milliseconds."""
    box, page = box_of(thing), thing.page
    session = page.context.new_cdp_session(page)
    at = {"x": box["x"] + box["width"] / 2, "y": box["y"] + box["height"] / 2}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [at]})
    page.wait_for_timeout(held)
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    session.detach()


@pytest.mark.parametrize("game", THINGS)
def test_five_players_are_all_in_sight(guests: Guests, game: str) -> None:
    ann = guests("Ann", size=PHONE)
    opened(ann, game, bots=4)
    page = ann.page
    for size in (PHONE, {"width": 390, "height": 844}, TABLET, LAPTOP):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.wait_for_timeout(100)
        boxes = [box_of(one) for one in page.locator("article.player").all()]
        assert len(boxes) == 5
        assert all(box["x"] >= 0 and box["x"] + box["width"] <= size["width"] for box in boxes), (size, boxes)
        ordered = sorted(boxes, key=lambda box: box["x"])
        assert all(a["x"] + a["width"] <= b["x"] for a, b in pairwise(ordered)), (size, boxes)
        cut = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth + 1).map(node => node.textContent)"
        if size is LAPTOP:
            assert page.locator("article.me strong").evaluate_all(cut) == []
    # On a phone, a touch unfolds what a player has, and another one folds it again.
    page.set_viewport_size({"width": PHONE["width"], "height": PHONE["height"]})
    other = page.locator("article.player:not(.me)").first
    other.get_by_role("button", name=re.compile("^What .+ has$")).click()
    expect(other).to_have_class(re.compile("open"))
    box = box_of(other.locator(".before"))
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= PHONE["width"]
    assert not ann.faults()
    page.locator(".mine .question").click()
    expect(other).not_to_have_class(re.compile("open"))


def test_what_was_said_while_the_panel_is_folded_is_marked(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.page.goto(f"/t/{table}")
    bo.page.goto(f"/t/{table}")
    bo.page.get_by_role("button", name="Take this seat").click()
    bo.page.get_by_role("textbox", name="Message").fill("Here I am")
    bo.page.keyboard.press("Enter")
    expect(ann.page.get_by_text("Here I am")).to_be_visible()
    ann.page.get_by_role("button", name="Start game").click()
    log = ann.page.get_by_role("button", name="Log and chat")
    expect(log).to_have_attribute("aria-label", "Log and chat (L)")  # it was read in the lobby
    say = {"do": "say", "seat": 1, "text": "Your turn!"}
    bo.ask("POST", f"/api/tables/{table}", say)
    expect(log).to_have_attribute("aria-label", "Log and chat, 1 unread message (L)")
    # The rules in place of the chat do not make it read.
    log.click()
    expect(log).to_have_attribute("aria-label", "Log and chat (L)")
    ann.page.keyboard.press("r")
    expect(ann.page.get_by_role("complementary", name="Rules: Khiva")).to_be_visible()  # it is fetched first
    bo.ask("POST", f"/api/tables/{table}", say)
    expect(log).to_have_attribute("aria-label", "Log and chat, 1 unread message (L)")
    ann.page.keyboard.press("Escape")
    expect(log).to_have_attribute("aria-label", "Log and chat (L)")


HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
  document.dispatchEvent(new Event("visibilitychange"));
}"""
ALERTS = """
  window.alerts = [];
  window.Notification = class { static permission = "granted"; static requestPermission = async () => "granted";
    constructor(title) { window.alerts.push(title); } close() {} };
  window.tones = 0;
  const create = AudioContext.prototype.createOscillator;
  AudioContext.prototype.createOscillator = function () { window.tones += 1; return create.call(this); };
"""


def test_my_turn_is_told_and_heard_while_the_page_is_hidden(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    ann.context.add_init_script(ALERTS)
    table = ann.new_table("samarkand", [{"kind": "me"}, {"kind": "open"}], start=False, first=1)
    ann.start_with(bo, table)
    page = ann.page
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_text("Preferences").click()
    page.get_by_label("When it’s my turn", exact=True).check()
    page.get_by_label("Desktop alert").check()
    assert not ann.faults()
    page.get_by_role("button", name="Close").last.click()
    page.evaluate(HIDE, True)
    while not (seen := ann.view(table, 0))["view"]["legal"]:
        legal = bo.view(table, 1)["view"]["legal"]
        bo.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 1, "move": legal[-1]})
    assert seen["status"] == "running"
    page.wait_for_function("() => window.alerts.length === 1")
    assert page.evaluate("() => window.alerts") == ["Your turn – Samarkand: Routes to Riches"]
    assert page.evaluate("() => window.tones") == 2  # a bell has two; moves and chat are not asked for


def test_who_left_is_told_so_and_comes_back_with_a_touch(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    opened(ann, "khiva")
    page = ann.page
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("button", name="Let a bot take over").click()
    expect(page.get_by_text("A bot plays your seat until you come back.")).to_be_visible()
    page.get_by_role("button", name="No").click()
    page.get_by_role("button", name="Let a bot take over").click()
    page.get_by_role("button", name="Yes, let a bot take over").click()
    strip = page.get_by_role("status").filter(has_text="A bot is playing your seat.")
    expect(strip).to_be_visible()
    assert not ann.faults()
    strip.get_by_role("button", name="Take over from the bot").click()
    expect(strip).to_have_count(0)
