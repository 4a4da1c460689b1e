"""Khiva in a real browser: by mouse, by keyboard, on a phone, and through a lost connection."""

from __future__ import annotations

import random
import re
import struct
import zlib
from contextlib import suppress
from typing import Any

from playwright.sync_api import Error, FloatRect, Locator, Page, expect

from tests.browser.conftest import LAPTOP, PHONE, SIZES, Guest, Guests, House, expect_legible

BOT = {"kind": "bot", "level": "greedy"}
QUICK = {"kind": "bot", "level": "random"}
OPEN_CARDS = "button.card.open"
UNTOUCHED = f"{OPEN_CARDS}[aria-pressed=false]"
MAIN = ".actions .main:enabled"
OFFERS = ".offer[aria-pressed=false]"
OVER = "dialog[open]"


def sit_together(ann: Guest, bo: Guest, *bots: dict[str, Any]) -> str:
    """Create a table for both, and open it in both browsers."""
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}, *bots], start=False)
    ann.start_with(bo, table)
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator(OPEN_CARDS).first).to_be_visible()
    return table


def first_of(page: Page, *selectors: str) -> str:
    """The first of the selectors that matches something on the page."""
    find = "selectors => selectors.find(one => document.querySelector(one)) ?? ''"
    return str(page.evaluate(find, list(selectors)))


def asked(page: Page) -> str:
    """What the page asks for just now."""
    states = {OVER: "over", OPEN_CARDS: "choose", ".offer .to": "move", ".offer": "take"}
    return states.get(first_of(page, *states), "wait")


def box_of(thing: Locator) -> FloatRect:
    """Where something is on the page."""
    box = thing.bounding_box()
    assert box
    return box


def press_on(page: Page) -> None:
    """Press the next thing: the main button, else a card, else one of the legal moves."""
    selector = first_of(page, OVER, MAIN, UNTOUCHED, OFFERS)
    if selector in ("", OVER):
        page.wait_for_timeout(20)
        return
    # The page makes forced moves itself: what was found may be gone before it is pressed.
    with suppress(Error):
        page.locator(selector).first.click(timeout=1000)


BOXES = """selector => [...document.querySelectorAll(selector)].map(one => {
  const { left, right, top, bottom } = one.getBoundingClientRect();
  return { left, right, top, bottom };
})"""


def covering(page: Page, one: str, other: str) -> list[tuple[Any, Any]]:
    """The boxes of one kind of thing on the page that cover some of another kind."""
    ones, others = page.evaluate(BOXES, one), page.evaluate(BOXES, other)
    assert ones
    assert others
    return [
        (a, b)
        for a in ones
        for b in others
        if a != b
        and a["left"] + 1 < b["right"]
        and b["left"] + 1 < a["right"]
        and a["top"] + 1 < b["bottom"]
        and b["top"] + 1 < a["bottom"]
    ]


CAMELS, TEAPOTS, BADGES = ".piece:not(.load)", ".load text", ".piece .badge"
FRONT = f"""() => [...document.querySelectorAll('{CAMELS}')].every(camel =>
  [...document.querySelectorAll('{TEAPOTS}')].every(pot => camel.compareDocumentPosition(pot) & 4))"""
"""Whether every teapot is drawn after every camel."""


def test_camels_stand_apart_and_the_preview_is_of_the_card_that_is_played(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, QUICK, QUICK, QUICK, QUICK])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.locator(OPEN_CARDS).first).to_be_visible()
    expect(page.locator(TEAPOTS).first).to_be_visible()  # what is made last of a board
    for width, height in ((size["width"], size["height"]) for size in SIZES):
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_function(f"() => document.querySelector('.stage').clientWidth === {width}")
        assert not covering(page, CAMELS, CAMELS), width
        assert not covering(page, TEAPOTS, BADGES), width
        assert not covering(page, TEAPOTS, TEAPOTS), width
        if height > 700:
            assert not covering(page, ".board .turn", ".board .name"), width
        expect_legible(page, width < 700)
        assert page.evaluate(FRONT)
        assert page.evaluate(f"parseFloat(getComputedStyle(document.querySelector('{TEAPOTS}')).fontSize)") >= 14
        expect(page.locator(".player.me")).to_be_in_viewport(ratio=1)
        expect(page.locator("aside.side")).to_have_count(0)

    page.set_viewport_size({"width": 1280, "height": 800})
    hand = ann.view(table, 0)["view"]["hand"]
    played = hand[0].split("-")[0]
    given = next(i for i, card in enumerate(hand) if not card.startswith(played))
    page.locator(OPEN_CARDS).first.click()
    page.locator(OPEN_CARDS).nth(given).hover()
    ghost = page.locator(".ghost > g")
    expect(ghost).to_have_class(re.compile(f"kv-{played}"))
    page.locator(OPEN_CARDS).nth(given).click()
    expect(ghost).to_have_class(re.compile(f"kv-{played}"))
    expect(page.locator(f"{OPEN_CARDS} .hint svg").first).to_be_visible()
    expect(page.locator(f"{OPEN_CARDS} .hint").first).to_have_text(re.compile(r"^\+"))
    expect(page.locator(OPEN_CARDS).nth(given).locator(".hint")).to_have_css("opacity", "0")


def test_a_small_phone_sees_a_move_from_close_by(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    dice = random.Random(3)
    table = ann.new_table("khiva", [{"kind": "me", "name": name} for name in ("Ann", "Bo", "Cy")])
    while True:
        seat = ann.view(table, 0)["view"]["waiting"][0]
        shown = ann.view(table, seat)["view"]
        if shown["asked"] == "move" and len(shown["legal"]) > 1:
            break
        ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": seat, "move": dice.choice(shown["legal"])})
    page = ann.page
    page.goto(f"/t/{table}")
    ready = page.get_by_role("button", name=re.compile("^I’m "))
    expect(page.locator(".offer").or_(ready).first).to_be_visible()
    if ready.count():
        ready.click()
    expect(page.locator(".view.close")).to_be_visible()
    board = box_of(page.locator("section.board"))
    for target in page.locator(".target").all():
        box = box_of(target)
        assert box["width"] >= 40
        assert board["y"] <= box["y"] + box["height"] / 2 <= board["y"] + board["height"]
        assert 0 <= box["x"] + box["width"] / 2 <= PHONE["width"]
    expect(page.locator(".offer").first).to_contain_text("Free")
    expect(page.locator(".offer").nth(1)).to_contain_text("For 1 gem")
    assert not ann.faults()


def test_two_people_and_bots_play_a_whole_game(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo", lang="fr")
    table = sit_together(ann, bo, BOT, QUICK, QUICK)
    found: dict[str, list[str]] = {}
    for _ in range(2000):
        for guest in (ann, bo):
            press_on(guest.page)
        state = asked(ann.page)
        if state in ("choose", "move", "take") and state not in found:
            found[state] = ann.faults()
        if asked(ann.page) == asked(bo.page) == "over":
            break
    found["over"] = ann.faults()
    assert {"choose", "over"} <= set(found)
    assert not any(found.values()), found

    seats = ann.view(table, 0)["view"]["seats"]
    best = max(seats, key=lambda seat: seat["points"])
    for guest in (ann, bo):
        dialog = guest.page.locator(OVER)
        expect(dialog.locator(".total").first).to_have_text(f"{best['points']} points")
        expect(dialog.locator(".total")).to_have_count(5)
    expect(ann.page.locator(OVER)).to_contain_text("Teapots")
    expect(bo.page.locator(OVER)).to_contain_text("Théières")
    for first in ann.page.locator(f"{OVER} ol > li").all():
        parts = [int(text) for text in first.locator(".parts > li > b").all_text_contents()]
        assert f"{sum(parts)} point" in first.locator(".total").inner_text()
    for guest, words in ((ann, "Share picture"), (bo, "Partager l’image")):
        with guest.page.expect_download() as download:
            guest.page.get_by_role("button", name=words).click()
        assert download.value.suggested_filename.endswith(".png")
        assert size_of(download.value.path().read_bytes()) == (1080, 1350)


def size_of(png: bytes) -> tuple[int, int]:
    """Return width and height of a PNG, which must not be blank."""
    assert png.startswith(b"\x89PNG\r\n\x1a\n")
    width, height = struct.unpack(">II", png[16:24])
    data, at = b"", 8
    while at < len(png):
        (length,) = struct.unpack(">I", png[at : at + 4])
        if png[at + 4 : at + 8] == b"IDAT":
            data += png[at + 8 : at + 8 + length]
        at += length + 12
    rows = zlib.decompress(data)
    assert len(rows) == height * (1 + width * (len(rows) // height // width)), "every row has its filter and its pixels"
    assert len(set(rows)) > 100, "of one colour, nearly all bytes would be equal"
    return width, height


def tab_to(page: Page, selector: str) -> bool:
    """Press Tab until something has the focus; False if it is not there."""
    look = "one => [document.activeElement?.matches(one) ?? false, !document.querySelector(one)]"
    for _ in range(80):
        there, gone = page.evaluate(look, selector)
        if there or gone:
            return bool(there)
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} cannot be reached by Tab")


def test_a_whole_game_by_keyboard_alone(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, QUICK, QUICK, QUICK, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.locator(OPEN_CARDS).first).to_be_visible()

    assert tab_to(page, UNTOUCHED)
    page.keyboard.press("Space")
    expect(page.locator(f"{OPEN_CARDS}[aria-pressed=true]")).to_have_count(1)
    page.keyboard.press("Escape")
    expect(page.locator(f"{OPEN_CARDS}[aria-pressed=true]")).to_have_count(0)

    for _ in range(6000):
        if asked(page) == "over":
            break
        selector = first_of(page, MAIN, UNTOUCHED, OFFERS)
        if selector and tab_to(page, selector):
            page.keyboard.press("Enter")
        else:
            page.wait_for_timeout(20)
    expect(page.locator(OVER)).to_be_visible()
    assert ann.view(table, 0)["status"] == "over"


def test_moves_can_be_chosen_in_words(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    bo = guests("Bo")
    ann.start_with(bo, table)
    page = ann.page
    page.goto(f"/t/{table}")
    page.get_by_text("All my moves").click()
    play, give = page.get_by_role("group", name="Play 2 cards"), page.get_by_role("group", name="Give 2 cards to Bo")
    for i in (0, 1):
        play.get_by_role("checkbox").nth(i).check()
        give.get_by_role("checkbox").nth(i + 2).check()
    assert not ann.faults()
    page.locator("details").get_by_role("button", name="Play cards").click()
    expect(page.get_by_role("button", name="Change my mind")).to_be_visible()
    view = ann.view(table, 0)["view"]
    assert view["chosen"] == {"play": view["hand"][:2], "give": view["hand"][2:4]}

    page.get_by_role("button", name="Change my mind").click()
    expect(page.locator(OPEN_CARDS)).to_have_count(8)
    assert ann.view(table, 0)["view"]["chosen"] is None


def test_cards_can_be_dragged(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    cards = page.locator(OPEN_CARDS)
    for card, zone in ((3, "give"), (1, "play")):
        box = box_of(cards.nth(card))
        page.mouse.move(box["x"] + 20, box["y"] + 30)
        page.mouse.down()
        page.mouse.move(box["x"] + 20, box["y"] - 30, steps=4)
        goal = box_of(page.locator(f"[data-zone={zone}]"))
        page.mouse.move(goal["x"] + goal["width"] / 2, goal["y"] + goal["height"] / 2, steps=4)
        page.mouse.up()
    expect(cards.nth(1)).to_contain_text("Play")
    expect(cards.nth(3)).to_contain_text("Give")
    expect(page.get_by_role("button", name="Play cards")).to_be_enabled()


def reach_a_choice_at_shop_four(ann: Guest, dice: random.Random) -> tuple[str, int]:
    """Play on own seats until one of them must choose between salt and a carpet."""
    for _ in range(6):
        table = ann.new_table("khiva", [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bo"}])
        while (views := [ann.view(table, seat)["view"] for seat in (0, 1)])[0]["asked"] != "over":
            seat = views[0]["waiting"][0]
            legal = views[seat]["legal"]
            if legal[0]["do"] == "take" and len(legal) == 2:
                return table, seat
            move = legal[0] if legal[0]["do"] == "move" else dice.choice(legal)
            ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": seat, "move": move})
    raise AssertionError("six games without a choice at shop 4")


def test_salt_or_a_carpet(guests: Guests) -> None:
    ann = guests("Ann")
    table, seat = reach_a_choice_at_shop_four(ann, random.Random(7))
    before = ann.view(table, seat)["view"]
    page = ann.page
    page.goto(f"/t/{table}")
    ready = page.get_by_role("button", name=re.compile("^I’m "))
    expect(page.locator(".offer").or_(ready).first).to_be_visible()
    if ready.count():
        ready.click()
    expect(page.get_by_role("status")).to_have_text("What do you take from shop 4?")
    assert not ann.faults()
    expect(page.locator(".actions .main")).to_be_disabled()
    page.locator(".offer").first.click()
    page.locator(MAIN).click()
    # Whatever is asked next, perhaps of the same player, it is not this.
    expect(page.get_by_text("What do you take from shop 4?")).to_have_count(0)
    after = ann.view(table, seat)["view"]
    assert after["seats"][seat]["salt"] == [*before["seats"][seat]["salt"], before["piles"]["salt"][0]]
    assert len(after["piles"]["salt"]) == len(before["piles"]["salt"]) - 1


def test_a_whole_game_on_a_phone_in_french(guests: Guests) -> None:
    ann = guests("Ann", lang="fr", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, QUICK, QUICK, QUICK])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.get_by_role("status")).to_have_text("Quelle carte jouez-vous ?")
    found: dict[str, list[str]] = {}
    for _ in range(1500):
        state = asked(page)
        if state != "wait" and state not in found:
            found[state] = ann.faults()
            assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
            assert not re.search(r"web\.\w|khiva\.\w", page.locator("body").inner_text())
            for button in page.locator(f"{OPEN_CARDS}, .actions button").all():
                box = box_of(button)
                assert min(box["width"], box["height"]) >= 44
                assert 0 <= box["x"] <= PHONE["width"] - box["width"]
                assert 0 <= box["y"] <= PHONE["height"] - box["height"]
        if state == "over":
            break
        press_on(page)
    assert {"choose", "over"} <= set(found)
    assert not any(found.values()), found
    expect(page.locator(OVER)).to_contain_text("Tapis")


def test_a_phone_held_sideways_shows_board_and_hand(guests: Guests) -> None:
    ann = guests("Ann", size={"width": 640, "height": 360})
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, BOT])
    ann.page.goto(f"/t/{table}")
    card = ann.page.locator(OPEN_CARDS).first
    expect(card).to_be_in_viewport(ratio=1)
    board = box_of(ann.page.locator("section.board"))
    assert board["height"] >= 150
    assert board["width"] >= 250
    assert not ann.faults()


def test_the_connection_is_lost_in_mid_move_and_heals(guests: Guests, house: House) -> None:
    ann = guests("Ann", size=LAPTOP)
    table = ann.new_table("khiva", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    page.locator(UNTOUCHED).first.click()
    house.close()
    try:
        expect(page.get_by_text("connection", exact=False).first).to_be_visible()
        expect(page.locator(f"{OPEN_CARDS}[aria-pressed=true]")).to_have_count(1)
        page.locator(UNTOUCHED).first.click()
        page.locator(MAIN).click()
        expect(page.locator(MAIN)).to_have_count(0)
    finally:
        house.open()
    expect(page.locator(".lost")).to_have_count(0, timeout=20_000)
    expect(page.get_by_text("Turn 2 of 4").or_(page.locator(".offer").first).first).to_be_visible(timeout=20_000)
    played = [line for line in ann.view(table, 0)["log"] if line.get("do") == "choose" and line["seat"] == 0]
    assert len(played) == 1


def test_choosing_cards_on_a_phone_leaves_the_board_as_it_is(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "bot", "level": "greedy"}])
    page = ann.page
    page.goto(f"/t/{table}")
    camels = page.locator(".piece:not(.load)")
    expect(camels).to_have_count(5)
    page.wait_for_timeout(500)
    before = [camel.get_attribute("style") for camel in camels.all()]
    for i in range(4):
        page.locator("button.card").nth(i).tap()
    expect(page.locator(".actions .main")).to_be_visible()
    page.wait_for_timeout(300)
    assert [camel.get_attribute("style") for camel in camels.all()] == before
    ghost = page.locator(".ghost")
    expect(ghost).to_have_css("opacity", "0.6")
