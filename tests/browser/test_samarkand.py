"""Samarkand in the browser: by mouse, from the list of moves, by keyboard, on a phone, and after a lost connection."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import pairwise
from typing import Any

from playwright.sync_api import Locator, Page, Position, expect

from tests.browser.conftest import PHONE, SIZES, SMALL_LETTERS, Guest, Guests, House

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
        guest.page.wait_for_timeout(30)


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
        guest.page.wait_for_timeout(20)


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
        players[0][0].page.wait_for_timeout(20)


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


HIDDEN = """() => [...document.querySelectorAll('.fan .card')].filter((card) => {
  if (card.getBoundingClientRect().bottom > innerHeight + 1) return true;
  const index = card.querySelector('.number').getBoundingClientRect();
  const there = document.elementFromPoint(index.left + 8, index.top + index.height / 2);
  return there?.closest('.card') !== card || index.left < 0 || index.right > innerWidth || index.bottom > innerHeight;
}).map((card) => card.dataset.good)"""

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
        page.wait_for_function(f"least => ({SMALL_LETTERS})(least).length === 0", arg=12 if phone else 11)
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
    assert page.locator(".lit").count() >= len(places)


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
    page.wait_for_function("flown.some((symbol) => symbol.startsWith('#sk-good-'))")
    expect(page.locator("[data-sky]")).to_have_count(0)
    page.evaluate("flown.length = 0")
    ann.ask("POST", f"/api/tables/{table}", {"do": "undo", "seat": 0})
    expect(camel).to_have_count(0)
    assert page.evaluate("flown") == []
