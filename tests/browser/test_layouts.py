"""Home, header, tables on a tablet and lessons at every size: nothing is cut, covered, empty or too small to touch."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, SIZES, Guests

BOTS = [{"kind": "bot", "level": "greedy"}] * 2
TABLET = SIZES[1]
TARGETS = """(selector) => [...document.querySelectorAll(selector)].flatMap((one) => {
  if (!one.checkVisibility()) return [];
  const { left, right, top, bottom, width, height } = one.getBoundingClientRect();
  const over = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  const faults = [
    left < -0.5 || right > innerWidth + 0.5 ? "cut" : "",
    Math.min(width, height) < 43.5 ? "small" : "",
    top >= 0 && bottom <= innerHeight && over && !one.contains(over) ? `below ${over.outerHTML.slice(0, 80)}` : "",
  ].filter(Boolean);
  return faults.length ? [`${one.outerHTML.slice(0, 90)}: ${faults.join(", ")}`] : [];
})"""
"""What is wrong with things to touch: cut by the edge, smaller than a finger, or below something else."""
SMALL = """(least) => [...document.querySelectorAll('header, header *, main *')].filter((one) => {
  const said = [...one.childNodes].some((node) => node.nodeType === 3 && node.data.trim());
  if (!said || !one.checkVisibility() || one.closest('.hidden-visually, svg')) return false;
  return parseFloat(getComputedStyle(one).fontSize) < least;
}).map((one) => one.outerHTML.slice(0, 90))"""
"""Texts of a page whose letters are smaller than so many pixels."""
FILLED = """() => {
  const [map, room] = [".world", ".window"].map((one) => document.querySelector(one).getBoundingClientRect());
  return Math.min(room.width - map.width, room.height - map.height) < 4 && map.height > 0.7 * room.height;
}"""
"""Whether the map of Samarkand fills its room but for a little sand."""
BOX = """(selector) => {
  const { x, y, width, height } = document.querySelector(selector).getBoundingClientRect();
  return { x, y, width, height, right: x + width, bottom: y + height };
}"""


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_home_and_header_at_every_size(guests: Guests, lang: str) -> None:
    ann = guests("Ann", lang=lang, size=PHONE)
    ann.new_table("khiva", [{"kind": "me"}, *BOTS])  # so that there is a list too
    page = ann.page
    page.goto("/")
    expect(page.locator("main article")).to_have_count(3)
    expect(page.locator("main li").first).to_be_visible()
    for size in SIZES:
        width, height = size["width"], size["height"]
        page.set_viewport_size({"width": width, "height": height})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert page.evaluate(TARGETS, "body > * header :is(a, button), main :is(.button, button)") == [], size
        assert page.evaluate(SMALL, 14) == [], size
        # The header is one line, and the first sentence is read without scrolling.
        assert page.evaluate(BOX, "header")["height"] <= 72, size
        expect(page.locator("h1")).to_be_in_viewport(ratio=1)
        covers = [page.evaluate(BOX, f"article:nth-of-type({n}) .cover") for n in (1, 2, 3)]
        assert all(cover["width"] > 200 and cover["height"] > 80 for cover in covers), covers
        if width >= 1000:
            assert len({cover["y"] for cover in covers}) == 1, "three games side by side"


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_a_tablet_is_filled_and_nothing_covers_anything(guests: Guests, game: str) -> None:
    ann = guests("Ann", size=TABLET)
    page = ann.page
    page.goto(f"/t/{ann.new_table(game, [{'kind': 'me'}, *BOTS])}")
    expect(page.locator(".stage > .board")).to_be_visible()
    expect(page.locator(".mine .question")).to_be_visible()
    page.locator({"khiva": ".hand .card", "samarkand": ".fan .card", "souk": ".stall"}[game]).first.wait_for()
    for size in (TABLET, {"width": 1180, "height": 820}):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.wait_for_function(f"() => document.querySelector('.stage').clientWidth === {size['width']}")
        board, mine = page.evaluate(BOX, ".stage > .board"), page.evaluate(BOX, ".stage > .mine")
        assert page.evaluate(BOX, ".players")["bottom"] <= board["y"] + 1
        assert board["bottom"] <= mine["y"] + 1
        assert mine["bottom"] <= size["height"] + 1
        assert board["height"] >= 0.4 * size["height"], (size, board)
        assert page.evaluate(TARGETS, ".bar :is(a, button), .mine .button") == [], size
        assert page.locator(".stage > .mine").evaluate("(one) => one.scrollHeight <= one.clientHeight + 1"), (
            "no scrolling"
        )
        if game == "samarkand":
            page.wait_for_function(FILLED)


@pytest.mark.parametrize("game", ["khiva", "samarkand", "souk"])
def test_a_lesson_has_no_empty_line_and_shows_board_and_teacher(guests: Guests, game: str) -> None:
    ann = guests("Ann", size=PHONE, lang="fr" if game == "souk" else "en")
    page = ann.page
    page.goto(f"/learn/{game}")
    teacher, question = page.locator("section.teacher"), page.locator(".mine .question")
    expect(teacher).to_be_visible(timeout=60_000)
    onward = teacher.locator(".ways .button.main")
    expect(onward).to_be_visible()
    page.locator(".stage > .board").wait_for()
    for size in SIZES:
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        page.wait_for_timeout(100)
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        expect(onward).to_be_in_viewport(ratio=1)
        board, said = page.evaluate(BOX, ".stage > .board"), page.evaluate(BOX, "section.teacher")
        assert board["height"] >= 180, (size, board)
        # Beside or above the part of the page in which the board scrolls.
        room = page.evaluate(BOX, "main")
        assert said["bottom"] <= room["y"] + 1 or said["x"] >= room["right"] - 1, size
        # The teacher speaks: nobody is asked, nobody is waited for, and the line for it takes no room.
        expect(question).to_have_text("")
        assert page.evaluate(BOX, ".mine .question")["height"] <= 1, size


@pytest.mark.parametrize("lang", ["en", "fr"])
@pytest.mark.parametrize(
    ("game", "thing"), [("samarkand", "[data-family]"), ("khiva", ".card.open"), ("souk", ".hand button")]
)
def test_a_touch_on_a_phone_leaves_the_board_as_large_as_it_is(
    guests: Guests, game: str, thing: str, lang: str
) -> None:
    """A board of another size is drawn anew, which a phone takes a tenth of a second for."""
    ann = guests("Ann", lang=lang, size=PHONE)
    table = ann.new_table(game, [{"kind": "me"}, *BOTS])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.locator(thing).first).to_be_visible()
    page.wait_for_timeout(500)  # what is drawn later
    page.evaluate("""() => {
      window.sizes = [];
      const board = document.querySelector(".board");
      new ResizeObserver(() => window.sizes.push(board.clientHeight)).observe(board);
    }""")
    page.wait_for_function("() => window.sizes.length > 0")  # an observer begins with the size as it is
    for i in range(min(4, page.locator(thing).count())):
        page.locator(thing).nth(i).tap()
        page.wait_for_timeout(100)
        page.keyboard.press("Escape")
        page.wait_for_timeout(100)
    assert len(page.evaluate("window.sizes")) == 1, page.evaluate("window.sizes")


def test_the_menu_of_a_table_is_made_when_it_is_opened(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    ann.page.goto(f"/t/{table}")
    expect(ann.page.locator(".card.open").first).to_be_visible()
    assert ann.page.locator("dialog *").count() == 0
    ann.page.get_by_role("button", name="Menu").tap()
    assert ann.page.evaluate("document.activeElement.closest('dialog') !== null")
    expect(ann.page.get_by_role("link", name="Rules")).to_be_visible()
