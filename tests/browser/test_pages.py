"""The pages around the boards: home, a new table, the invitation, rules, replay, hot seat, other languages."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, Locator, expect

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
    offered(nobody, "Khiva").get_by_role("button", name="Play now against bots").click()
    expect(nobody.page.locator(".stage")).to_be_visible()
    expect(nobody.page.locator("article", has_text="Guest")).to_be_visible()


def test_friends_are_invited_by_link(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("x", size=PHONE)
    bo.context.clear_cookies()
    ann.page.goto("/")
    offered(ann, "Khiva").get_by_role("link", name="Invite friends").click()
    expect(ann.page.get_by_role("heading", name="A table of Khiva")).to_be_visible()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Lay the table and invite").click()
    ann.page.wait_for_url(re.compile("/t/"))
    expect(ann.page.get_by_role("img", name="QR code of the link")).to_be_visible()
    start = ann.page.get_by_role("button", name="Waiting for 1 friend")
    expect(start).to_be_disabled()
    assert not ann.faults()

    bo.page.goto(ann.page.url)
    bo.page.get_by_label("Your name").fill("Bo")
    assert not bo.faults()
    bo.page.get_by_role("button", name="Sit here").click()
    expect(ann.page.get_by_text("Bo", exact=True)).to_be_visible()
    ann.page.get_by_role("button", name="Start the game").click()
    for guest in (ann, bo):
        expect(guest.page.locator(".stage")).to_be_visible()


def test_language_and_theme_change_at_any_time(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS])
    ann.page.goto(f"/t/{table}")
    expect(ann.page.locator(".stage")).to_be_visible()
    ann.page.get_by_role("button", name="Menu").click()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Français").click()
    expect(ann.page.get_by_role("button", name="Thème sombre")).to_be_visible()
    ann.page.get_by_role("button", name="Thème sombre").click()
    assert ann.page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert not ann.faults()
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Menu")).to_be_visible()
    assert ann.page.evaluate("document.documentElement.lang") == "fr"


def test_chat_and_phrases_are_read_in_ones_own_language(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo", lang="fr")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    bo.ask("POST", f"/api/tables/{table}", {"do": "sit"})
    ann.ask("POST", f"/api/tables/{table}", {"do": "start"})
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator("aside.side")).to_be_visible()
    ann.page.get_by_label("Ready-made phrases").select_option("well_played")
    expect(bo.page.locator("aside.side")).to_contain_text("Bien joué")
    bo.page.get_by_label("Dites quelque chose").fill("Salut <b>Ann</b>")
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
    ann.page.get_by_role("button", name="I am Bo").press("Enter")
    expect(ann.page.locator(".stage")).to_be_visible()
    expect(ann.page.locator("article.me")).to_contain_text("Bo")


def test_a_proposal_is_answered(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    bo.ask("POST", f"/api/tables/{table}", {"do": "sit"})
    ann.ask("POST", f"/api/tables/{table}", {"do": "start"})
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator(".stage")).to_be_visible()
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Propose a pause").click()
    expect(bo.page.get_by_text("Ann proposes a pause.")).to_be_visible()
    assert not bo.faults()
    bo.page.get_by_role("button", name="Yes").click()
    expect(ann.page.get_by_text("The game is paused.")).to_be_visible()
    ann.page.get_by_role("button", name="Go on").click()
    expect(bo.page.get_by_text("The game is paused.")).to_have_count(0)


def test_a_finished_game_is_seen_again(guests: Guests) -> None:
    ann = guests("Ann", size=PHONE)
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS], stand_in="greedy")
    ann.ask("POST", f"/api/tables/{table}", {"do": "resign", "seat": 0})  # bots play it to the end
    ann.page.goto(f"/t/{table}")
    ann.page.get_by_role("link", name="Replay").click(timeout=60_000)
    expect(ann.page.locator(".stage")).to_be_visible()
    last = len(ann.view(table, 0)["log"])
    expect(ann.page.get_by_text(f"0 / {last}")).to_be_visible()
    assert not ann.faults()
    ann.page.get_by_role("button", name="Forward").click()
    expect(ann.page.get_by_text(f"1 / {last}")).to_be_visible()
    ann.page.keyboard.press("End")
    expect(ann.page.get_by_text(f"{last} / {last}")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Forward")).to_be_disabled()


def test_without_a_line_the_app_opens_and_says_so(browser: Browser, house: House) -> None:
    page = browser.new_context(base_url=house.url).new_page()
    page.goto("/")
    page.evaluate("navigator.serviceWorker.ready")
    page.reload()  # now through the worker, which keeps what it fetches
    expect(page.locator("article").first).to_be_visible()
    page.context.set_offline(True)
    page.reload()
    expect(page.get_by_role("alert")).to_contain_text("The house cannot be reached.")
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
    ann.page.get_by_role("button", name="Make the link").click()
    link = ann.page.locator(".link").inner_text()
    phone.page.goto(link)
    expect(phone.page.get_by_role("alert")).to_contain_text("you are x now")
    phone.page.get_by_role("button", name="Yes, play as Ann").click()
    expect(phone.page.get_by_text("Welcome, Ann.")).to_be_visible()
    phone.page.goto(f"/t/{table}")
    expect(phone.page.locator("article.me")).to_contain_text("Ann")


def test_what_is_not_there_says_so(guests: Guests) -> None:
    ann = guests("Ann")
    ann.page.goto("/t/nothing")
    expect(ann.page.get_by_role("heading", name="There is no such table.")).to_be_visible()
    ann.page.goto("/elsewhere")
    expect(ann.page.get_by_role("heading", name="There is nothing here.")).to_be_visible()
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
