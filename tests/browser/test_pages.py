"""The pages around the boards: home, a new table, the invitation, rules, replay, hot seat, other languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect
from tools.browsing import wait

from tests.browser.conftest import PHONE, Guest, Guests, House

BOTS = [{"kind": "bot", "level": "greedy"}] * 2


def offered(guest: Guest, game: str) -> Locator:
    """Return what the home page says of a game."""
    return guest.page.locator("article", has=guest.page.get_by_role("heading", name=game, exact=True))


@pytest.mark.parametrize("lang", ["en", "fr"])
def test_one_click_and_one_plays(guests: Guests, lang: str) -> None:
    ann = guests("Ann", lang=lang)
    ann.page.goto("/")
    expect(offered(ann, "Khiva")).to_be_visible()
    assert not ann.faults()
    offered(ann, "Khiva").get_by_role("button").first.click()
    ann.page.wait_for_url(re.compile("/t/"))
    expect(ann.page.locator(".stage")).to_be_visible()
    expect(ann.page.locator("article", has_text="Ann")).to_be_visible()


def test_a_newcomer_without_a_name_plays_too(guests: Guests) -> None:
    nobody = guests("x")
    nobody.context.clear_cookies()
    nobody.page.goto("/")
    offered(nobody, "Khiva").get_by_role("button", name="Play now with bots").click()
    expect(nobody.page.locator(".stage")).to_be_visible()
    expect(nobody.page.locator("article", has_text="Guest")).to_be_visible()


def test_friends_are_invited_by_link(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("x", size=PHONE)
    bo.context.clear_cookies()
    ann.page.goto("/")
    offered(ann, "Khiva").get_by_role("link", name="Invite friends").click()
    expect(ann.page.get_by_role("heading", name="New table: Khiva")).to_be_visible()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Create table and invite").click()
    ann.page.wait_for_url(re.compile("/t/"))
    expect(ann.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    start = ann.page.get_by_role("button", name="Waiting for 1 player")
    expect(start).to_be_disabled()
    assert not ann.faults()

    bo.page.goto(ann.page.url)
    bo.page.get_by_role("textbox", name="Your name").fill("Bo")
    assert not bo.faults()
    bo.page.get_by_role("button", name="Take this seat").click()
    expect(ann.page.get_by_text("Bo", exact=True)).to_be_visible()
    expect(bo.page.get_by_text("--host")).to_have_count(0)
    bo.page.get_by_role("textbox", name="Message").fill("Here I am")
    bo.page.get_by_role("button", name="Send").click()
    expect(ann.page.get_by_text("Here I am")).to_be_visible()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Start game").click()
    for guest in (ann, bo):
        expect(guest.page.locator(".stage")).to_be_visible()


def test_language_and_theme_change_at_any_time(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    ann.page.goto(f"/t/{table}")
    expect(ann.page.locator(".stage")).to_be_visible()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_text("Preferences").click()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Français").click()
    expect(ann.page.get_by_role("button", name="Thème sombre")).to_be_visible()
    ann.page.get_by_role("button", name="Thème sombre").click()
    assert ann.page.evaluate("document.documentElement.dataset.theme") == "dark"
    ann.page.get_by_role("button", name="130 %").click()
    ann.page.get_by_role("button", name="Lente").click()
    assert not ann.faults()
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Menu")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.lang") == "fr"
    assert ann.page.evaluate("getComputedStyle(document.documentElement).fontSize") == "20.8px"
    assert ann.page.evaluate("localStorage['registan.speed']") == '"slow"'


def test_the_log_says_what_moves_brought(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    for _ in range(4):
        move = wait(ann, table)["view"]["legal"][0]
        ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
    ann.page.goto(f"/t/{table}")
    expect(ann.page.locator(".stage")).to_be_visible()
    ann.page.keyboard.press("l")
    log = ann.page.get_by_role("log")
    expect(log.get_by_text("Turn 1", exact=True)).to_be_visible()
    went = log.locator("li", has_text="moves the").locator("em")
    expect(went.first).to_contain_text(re.compile("→ .*(shop|counter)"))
    assert not ann.faults()


PLACES = {
    "samarkand": ("places a camel", "polygon[data-space]", "[data-camel]"),
    "khiva": ("plays", "[data-place$=counter]", ".player"),
    "souk": ("offers", ".stall", ".player"),
}
"""A line of the log, and what it lights up."""


@pytest.mark.parametrize("game", PLACES)
def test_a_line_of_the_log_lights_up_its_place(guests: Guests, game: str) -> None:
    said, *places = PLACES[game]
    ann, bo = guests("Ann"), guests("Bo", size=PHONE)
    for guest in (ann, bo):
        table = guest.new_table(game, [{"kind": "me"}, *BOTS])
        for _ in range(12):
            shown = wait(guest, table)
            if any(line.get("do") in ("place", "choose", "offer") for line in shown["log"]):
                break
            guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": shown["view"]["legal"][-1]})
        page = guest.page
        page.goto(f"/t/{table}")
        for place in places:
            page.locator(place).first.wait_for(state="attached")
        page.keyboard.press("l")
        line = page.get_by_role("log").locator("li", has_text=said).first
        expect(page.locator("[data-lit]")).to_have_count(0)
        if guest is ann:
            line.hover()
            for place in places:
                expect(page.locator(f"{place}[data-lit]").first).to_be_visible()
            page.get_by_role("heading", name="Chat").hover()
            expect(page.locator("[data-lit]")).to_have_count(0)
            line.focus()
        else:
            line.tap()
            expect(page.get_by_role("log")).to_be_hidden()
            assert not guest.faults()
        # The map flies there.
        page.wait_for_function(
            """([place, width, height]) => {
                const { left, top, right, bottom } = document.querySelector(place).getBoundingClientRect();
                const [x, y] = [(left + right) / 2, (top + bottom) / 2];
                return x > 0 && y > 0 && x < width && y < height;
            }""",
            arg=[f"{places[0]}[data-lit]", *(guest.page.viewport_size or {}).values()],
        )
    bo.page.get_by_role("button", name="Back to the log").tap()
    expect(bo.page.get_by_role("log")).to_be_visible()
    expect(bo.page.locator("[data-lit]")).to_have_count(0)


TOUCHES = {
    "khiva": ["button.card.open", "button.card.open[aria-pressed=false]"],
    "souk": [".offers button"],
    "samarkand": ["polygon.lit"],
}


def test_the_first_touch_plays_for_those_who_want_it(guests: Guests) -> None:
    ann = guests("Ann")
    ann.page.goto(f"/t/{ann.new_table('khiva', [{'kind': 'me'}, *BOTS])}")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_text("Preferences").click()
    ann.page.get_by_label("Confirm moves").uncheck()
    ann.page.get_by_label("Colour-blind marks").check()
    assert not ann.faults()
    for game, touches in TOUCHES.items():
        table = ann.new_table(game, [{"kind": "me"}, *BOTS])
        wait(ann, table)
        ann.page.goto(f"/t/{table}")
        for touch in touches:
            ann.page.locator(touch).first.dispatch_event("click")
        for _ in range(300):
            shown = ann.view(table, 0)
            secret = shown["view"].get("chosen") or shown["view"].get("sealed")
            if secret or any(line.get("seat") == 0 for line in shown["log"]):
                break
        else:
            raise AssertionError(f"{game}: nothing was played")
    # A letter besides the colour, and two where families begin with the same one.
    expect(ann.page.locator("[data-camel] .strong text", has_text="So").first).to_be_attached()


def test_chat_and_phrases_are_read_in_ones_own_language(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo", lang="fr")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.start_with(bo, table)
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator(".stage")).to_be_visible()
        guest.page.keyboard.press("l")
        expect(guest.page.locator("aside.side")).to_be_visible()
    ann.page.get_by_label("Quick phrases").select_option("well_played")
    expect(bo.page.locator("aside.side")).to_contain_text("Bien joué")
    bo.page.get_by_role("textbox", name="Message").fill("Salut <b>Ann</b>")
    bo.page.keyboard.press("Enter")
    expect(ann.page.locator("aside.side")).to_contain_text("Salut <b>Ann</b>")


def test_hot_seat_covers_the_hands(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me", "name": "Ann"}, {"kind": "me", "name": "Bo"}, BOTS[0]])
    ann.page.goto(f"/t/{table}")
    expect(ann.page.locator(".stage")).to_be_visible()
    legal = ann.view(table, 0)["view"]["legal"][0]
    ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": legal})
    expect(ann.page.get_by_role("heading", name="Pass the device to Bo")).to_be_visible()
    assert ann.page.locator(".stage").count() == 0
    assert not ann.faults()
    ann.page.get_by_role("button", name="I’m Bo").press("Enter")
    expect(ann.page.locator(".stage")).to_be_visible()
    expect(ann.page.locator("article.me")).to_contain_text("Bo")


def test_a_proposal_is_answered(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.start_with(bo, table)
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator(".stage")).to_be_visible()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Propose a pause").click()
    expect(bo.page.get_by_text("Ann proposes a pause.")).to_be_visible()
    assert not bo.faults()
    bo.page.get_by_role("button", name="Yes").click()
    # A paused table says so, and nothing else: no board, no question, no clock, nobody to wait for.
    for guest in (ann, bo):
        expect(guest.page.get_by_role("heading", name="Paused by Ann")).to_be_visible()
        expect(guest.page.locator(".stage, article, time")).to_have_count(0)
        expect(guest.page.get_by_text("Waiting for")).to_have_count(0)
    assert not bo.faults()
    ann.page.get_by_role("button", name="Resume").click()
    expect(bo.page.locator(".stage")).to_be_visible()
    expect(bo.page.get_by_role("heading", name="Paused by Ann")).to_have_count(0)


def test_a_bot_takes_over_only_if_that_is_confirmed_and_gives_the_seat_back(guests: Guests) -> None:
    """Somebody else is waited for meanwhile: bots alone would have played the game to its end."""
    ann, bo = guests("Ann", size=PHONE), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}, *BOTS], start=False)
    ann.start_with(bo, table)
    ann.page.goto(f"/t/{table}")
    mine = ann.page.locator("article", has_text="Ann")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Let a bot take over").click()
    expect(mine.get_by_text("left")).to_have_count(0)
    ann.page.get_by_role("button", name="Yes, let a bot take over").click()
    expect(mine.get_by_text("left")).to_be_visible()
    # The seat stays with the bot until its owner comes back, also from elsewhere.
    ann.page.reload()
    ann.page.get_by_role("button", name="Take over from the bot").click()
    expect(mine.get_by_text("left")).to_have_count(0)


def test_a_finished_game_is_seen_again(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    for _ in range(3):
        move = wait(ann, table)["view"]["legal"][0]
        ann.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": 0, "move": move})
    ann.page.goto(f"/t/{table}")
    ann.ask("POST", f"/api/tables/{table}", {"do": "propose", "seat": 0, "what": "abandon"})
    ann.page.get_by_role("link", name="Replay").click()
    expect(ann.page.locator(".stage")).to_be_visible()
    last = len(ann.view(table, 0)["log"])
    expect(ann.page.get_by_text(f"0 / {last}")).to_be_visible()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Next", exact=True).click()
    expect(ann.page.get_by_text(f"1 / {last}")).to_be_visible()
    ann.page.keyboard.press("End")
    expect(ann.page.get_by_text(f"{last} / {last}")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Next", exact=True)).to_be_disabled()


def test_without_a_line_the_app_opens_and_says_so(browser: Browser, house: House) -> None:
    page = browser.new_context(base_url=house.url).new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()  # now through the worker, which keeps what it fetches
    expect(page.locator("article").first).to_be_visible()
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("Can’t reach the server.")
    page.context.close()


def test_rules_have_their_own_addresses(guests: Guests) -> None:
    ann = guests("Ann", lang="fr")
    ann.page.goto("/rules/khiva#K5")
    expect(ann.page.locator("#K5")).to_be_visible()
    assert not ann.faults()


def test_a_second_device_takes_the_seats_over(guests: Guests) -> None:
    ann, phone = guests("Ann"), guests("x", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    ann.page.goto("/handover")
    ann.page.get_by_role("button", name="Create link").click()
    link = ann.page.locator(".link").inner_text()
    phone.page.goto(link)
    expect(phone.page.get_by_role("alert")).to_contain_text("you are currently x")
    assert phone.ask("GET", "/api/me")["name"] == "x", "a visit alone changes nothing"
    phone.page.get_by_role("button", name="Yes, play as Ann").click()
    expect(phone.page.get_by_text("Welcome, Ann.")).to_be_visible()
    phone.page.goto(f"/t/{table}")
    expect(phone.page.locator("article.me")).to_contain_text("Ann")
    phone.page.goto("/")
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Yes, play as Ann").click()
    expect(phone.page.get_by_role("status")).to_contain_text("was used already")


def test_devices_are_listed_and_signed_out(guests: Guests) -> None:
    ann, phone = guests("Ann"), guests("x", size=PHONE)
    token = ann.ask("POST", "/api/me/handover")["token"]
    phone.ask("POST", "/api/handover", {"token": token, "replace": True})
    ann.page.goto("/handover")
    rows = ann.page.locator("main li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("this device, since")
    assert not ann.faults()
    rows.last.get_by_role("button").click()
    expect(rows).to_have_count(1)
    assert phone.ask("GET", "/api/me") is None
    # Signing out here loses the seats: that takes two presses.
    rows.first.get_by_role("button").click()
    expect(rows.first.get_by_role("alert")).to_contain_text("Your seats will be lost")
    assert not ann.faults()
    ann.page.get_by_role("button", name="Stay signed in").click()
    assert ann.ask("GET", "/api/me")["name"] == "Ann"
    for _ in range(2):
        rows.first.get_by_role("button", name="Sign out").click()
    expect(ann.page.get_by_role("status")).to_contain_text("signed out")
    assert ann.ask("GET", "/api/me") is None


def test_what_is_not_there_says_so(guests: Guests) -> None:
    ann = guests("Ann")
    ann.page.goto("/t/nothing")
    expect(ann.page.get_by_role("heading", name="There is no such table.")).to_be_visible()
    ann.page.goto("/elsewhere")
    expect(ann.page.get_by_role("heading", name="Nothing here.")).to_be_visible()
    assert not ann.faults()


@pytest.mark.parametrize("path", ["/", "/new/souk", "/new/samarkand", "/rules/souk", "/handover", "/notices"])
def test_no_page_scrolls_sideways_on_a_phone(guests: Guests, path: str) -> None:
    ann = guests("Ann", lang="fr", size=PHONE)
    ann.page.goto(path)
    expect(ann.page.locator("main h1").first).to_be_visible()
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert not ann.faults()
    # Nor with letters of twice the size.
    ann.page.evaluate("document.documentElement.style.fontSize = '200%'")
    assert ann.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
