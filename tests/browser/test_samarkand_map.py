"""The map, the hand and the families of Samarkand in the browser: what is seen of them, at every size."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, SIZES, Guest, Guests, expect_legible
from tests.browser.test_samarkand import BOT, HIDDEN, asked, settled

LOOK = """() => {
  const window = document.querySelector('[data-testid=map]').getBoundingClientRect();
  const world = document.querySelector('.world').getBoundingClientRect();
  const spare = Math.min(window.width - world.width, window.height - world.height);
  return {
    width: world.width,
    left: world.left,
    top: world.top,
    whole: Math.abs(spare) < 1 && world.left >= window.left - 1 && world.top >= window.top - 1,
    covers: world.left <= window.left + 1 && world.top <= window.top + 1,
  };
}"""


def becomes(page: Page, condition: str, then: Any = None) -> Any:
    """Wait until the map looks like that, `now` compared with `then`; return how it looks now."""
    page.wait_for_function(f"then => {{ const now = ({LOOK})(); return {condition}; }}", arg=then)
    return page.evaluate(LOOK)


def test_the_map_is_looked_at_from_near_and_far_and_never_lost(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    asked(ann, table, 0)
    fitted = becomes(page, "now.whole")
    box = page.get_by_test_id("map").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.mouse.move(x, y)
    page.mouse.wheel(0, -400)
    near = becomes(page, "now.width > then.width * 1.2", fitted)
    page.mouse.down()
    page.mouse.move(x - 80, y - 30, steps=4)
    page.mouse.up()
    becomes(page, "Math.abs(now.left - then.left + 80) < 2 && Math.abs(now.top - then.top + 30) < 2", near)
    assert page.locator("[aria-pressed=true].lit").count() == 0
    for _ in range(5):
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(x + 400, y + 300, steps=3)
        page.mouse.up()
    becomes(page, "now.covers")
    page.keyboard.press("0")
    fitted = becomes(page, "now.whole")
    page.keyboard.press("+")
    becomes(page, "now.width > then.width * 1.2", fitted)
    page.keyboard.press("-")
    becomes(page, "now.whole")
    page.mouse.dblclick(box["x"] + box["width"] / 2, box["y"] + box["height"] - 12)
    becomes(page, "now.width > then.width * 1.2", fitted)
    page.get_by_role("button", name="Show the whole map (0)").click()
    becomes(page, "now.whole")


def test_two_fingers_zoom_on_a_phone(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    asked(ann, table, 0)
    box = page.get_by_test_id("map").bounding_box()
    assert box
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    before = page.evaluate(LOOK)
    fingers = ann.context.new_cdp_session(page)

    def touch(kind: str, apart: float) -> None:
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}] if apart else []
        fingers.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    touch("touchStart", 20)
    for apart in (30, 45, 60, 80):
        touch("touchMove", apart)
    touch("touchEnd", 0)
    becomes(page, "now.width > then.width * 2 && now.covers", before)


COVERED = """() => {
  const box = (node) => node.getBoundingClientRect();
  const marks = [...document.querySelectorAll('.emblems .number, .emblems .name:not(.water)')];
  const across = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left);
  const down = (a, b) => Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  return [...document.querySelectorAll('[data-camel]')].flatMap((node) => {
    const camel = box(node.querySelector('use'));
    const hidden = marks.filter((mark) => Math.min(across(camel, box(mark)), down(camel, box(mark))) > 5);
    return hidden.map((mark) => [node.dataset.camel, mark.textContent]);
  });
}"""


def has_many_cards(guest: Guest, table: str) -> Any:
    """Marry until there are more cards in hand than allowed."""
    for _ in range(40):
        seen = asked(guest, table, 0)
        view = seen["view"]
        if view["asked"] == "discard" and len(view["hand"]) > view["limit"]:
            return view
        order = {"marry": 0, "keep": 1, "place": 2, "end": 3, "pass": 3, "discard": 4, "sell": 5}
        move = min(view["legal"], key=lambda one: (order[one["do"]], len(one.get("cards", []))))
        guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
        settled(guest, table, 0, len(seen["log"]))
    raise AssertionError("never too many cards")


def test_hand_letters_and_camels_are_seen_at_every_size(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    expect(page.get_by_test_id("map")).to_be_visible()
    assert len(has_many_cards(ann, table)["hand"]) == 11
    if page.locator("aside.side").is_visible():
        page.keyboard.press("l")  # on a small screen it is in front of the table
    for size in SIZES:
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        phone = size["width"] <= 700
        expect(page.locator(".fan .card")).to_have_count(11)
        page.wait_for_function(f"() => ({HIDDEN})().length === 0")
        if size["width"] > 1000:
            families = page.locator(".strip .domain")
            assert families.count() == 10
            for family in families.all():
                expect(family).to_be_in_viewport(ratio=1)
        # Letters follow the zoom when the map rests.
        expect_legible(page, phone)
        assert page.locator(".emblems .good .number").count() == 33
        assert page.evaluate(COVERED) == []
    # The open card is seen whole.
    card = page.locator(".fan .card").nth(4)
    card.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    whole = """(card) => {
      const { right, top, height } = card.getBoundingClientRect();
      return document.elementFromPoint(right - 8, top + height / 2)?.closest('.card') === card;
    }"""
    page.wait_for_function(whole, arg=card.element_handle())
    assert not ann.faults()


def test_a_family_is_married_at_its_home_on_the_map(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    before = asked(ann, table, 0)
    box = page.get_by_test_id("map").bounding_box()
    # The list of all moves is a drawer over the map, which keeps its place.
    page.get_by_test_id("moves").locator("summary").click()
    expect(page.get_by_test_id("moves").locator(".move").first).to_be_visible()
    assert page.get_by_test_id("map").bounding_box() == box
    page.keyboard.press("Escape")
    expect(page.get_by_test_id("moves").locator(".move")).to_have_count(0)
    home = page.locator("#space-baghdad")
    expect(home).to_have_accessible_name("Baghdad, home of Tigris. You may marry into it for 5 dirhams.")
    home.click()
    expect(page.locator(".question")).to_contain_text("Marry into the Tigris family")
    expect(page.locator(".tag .brings")).to_have_text("you pay 5 dirhams you draw 3 cards")
    assert not ann.faults()
    page.wait_for_timeout(400)
    home.click()
    settled(ann, table, 0, len(before["log"]))
    made = ann.view(table, 0)["log"][len(before["log"])]
    assert (made["do"], made["family"]) == ("marry", "tigris")


def test_five_players_are_seen_and_a_family_lights_up_its_own_spaces(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("samarkand", [{"kind": "me"}, BOT, BOT, BOT, BOT])
    page = ann.page
    page.goto(f"/t/{table}")
    for _ in range(20):
        view = asked(ann, table, 0)["view"]
        mine = {move["family"] for move in view["legal"] if move["do"] == "place"}
        if mine and view["asked"] == "turn":
            break
        order = {"marry": 0, "keep": 1, "end": 2, "pass": 3, "discard": 4, "sell": 5, "place": 6}
        dowries = {key: family["dowry"] for key, family in view["families"].items()}
        move = min(view["legal"], key=lambda one: (order[one["do"]], dowries.get(one.get("family"), 0), len(str(one))))
        before = len(ann.view(table, 0)["log"])
        ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
        settled(ann, table, 0, before)
    # Whole, side by side: what each of them has can be read without scrolling.
    seats = sorted(page.locator(".player").evaluate_all(RECTANGLES), key=lambda one: one["left"])
    assert len(seats) == 5
    assert all(one["right"] <= other["left"] + 1 for one, other in pairwise(seats))
    assert seats[-1]["right"] <= 1280
    for things in page.locator(".player .before").all():
        assert things.evaluate("(one) => one.scrollWidth <= one.closest('.player').clientWidth")
    # A family that can be married, and none of whose camels may go anywhere: only its home is lit.
    homes = [move["family"] for move in view["legal"] if move["do"] == "marry" and move["family"] not in mine]
    page.locator(f".domain[data-family={homes[0]}]").click()
    expect(page.locator(".lit")).to_have_count(1)
    expect(page.locator(".lit.home")).to_have_count(1)
    page.keyboard.press("Escape")
    places = {move["space"] for move in view["legal"] if move["do"] == "place"}
    # What was touched answers first, the map follows a frame later.
    page.wait_for_function("n => document.querySelectorAll('.lit').length >= n", arg=len(places))


RECTANGLES = """(all) => all.map((one) => {
  const { left, right } = one.getBoundingClientRect();
  return { left, right };
})"""
WATCH = """() => {
    window.flown = [];
    const drawn = (node) => [...(node.querySelectorAll?.("use") ?? [])].map((use) => use.getAttribute("href"));
    const seen = (change) => change.target.closest?.("[data-sky]") && [...change.addedNodes].flatMap(drawn);
    new MutationObserver((changes) => window.flown.push(...changes.flatMap((change) => seen(change) || [])))
        .observe(document.body, { childList: true, subtree: true });
}"""


def test_a_marker_flies_to_its_owner_and_undo_replays_nothing(guests: Guests) -> None:
    ann = guests("Ann", calm=False)
    ann.context.add_init_script("localStorage['registan.speed'] = JSON.stringify('fast')")
    table = ann.new_table("samarkand", [{"kind": "me"}, *[{"kind": "bot", "level": "random"}] * 2])
    page = ann.page
    page.goto(f"/t/{table}")
    page.locator("[data-camel]").first.wait_for()
    page.evaluate(WATCH)
    taken: dict[str, Any] | None = None
    while taken is None:
        view = asked(ann, table, 0)["view"]
        moves = list(zip(view["legal"], view["brings"]))
        taken = next((move for move, brings in moves if move["do"] == "place" and (brings or {}).get("good")), None)
        move = taken or next((move for move, _ in moves if move["do"] == "marry"), moves[0][0])
        ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
    camel = page.locator(f"[data-camel='{taken['space']}/{taken['family']}']")
    expect(camel).to_be_attached()
    page.wait_for_function("() => flown.some((symbol) => symbol.startsWith('#sk-good-'))")
    expect(page.locator("[data-sky]")).to_have_count(0)
    page.evaluate("flown.length = 0")
    ann.ask("POST", f"/api/tables/{table}", {"do": "undo", "seat": 0})
    expect(camel).to_have_count(0)
    assert page.evaluate("flown") == []
