"""What helps at a table: the rules beside the board, the player aid, and where refusals lead."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import WebSocketRoute, expect

from tests.browser.conftest import LAPTOP, PHONE, Guest, Guests

BOTS = [{"kind": "bot", "level": "greedy"}] * 2
PANEL = "aside.panel"
WIDE = {"width": 1600, "height": 900}


def opened(guest: Guest, game: str) -> str:
    """Open a new table in the browser."""
    begins: dict[str, Any] = {"first": 0} if game == "samarkand" else {}
    table = guest.new_table(game, [{"kind": "me"}, *BOTS], **begins)
    guest.page.goto(f"/t/{table}")
    expect(guest.page.locator(".stage > .board")).to_be_visible()
    return table


def test_rules_open_beside_the_board_and_can_be_searched(guests: Guests) -> None:
    ann = guests("Ann")
    opened(ann, "khiva")
    page = ann.page
    card = page.locator("button.card.open").first
    card.focus()
    page.keyboard.press("r")
    panel = page.locator(PANEL)
    expect(panel.locator("#K5")).to_be_attached()
    assert not ann.faults()
    panel.get_by_role("searchbox").fill("TEAPOT k9")
    expect(panel.locator(".rule")).to_have_count(1)
    expect(panel.locator("#K9 mark").first).to_have_text(re.compile("teapot", re.IGNORECASE))
    assert not ann.faults()
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(card).to_be_focused()

    page.get_by_role("button", name="Player aid and rules (R)").click()
    expect(panel).to_be_visible()
    card.click()
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(panel).to_have_count(0)
    expect(card).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("Escape")
    expect(card).to_have_attribute("aria-pressed", "false")


def test_the_rules_are_a_sheet_on_a_phone(guests: Guests) -> None:
    ann = guests("Ann", lang="fr", size=PHONE)
    opened(ann, "souk")
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("link", name="Règles", exact=True).click()
    panel = ann.page.locator(PANEL)
    expect(panel.locator("#M6")).to_be_attached()
    box = panel.bounding_box()
    assert box
    assert box["width"] == PHONE["width"]
    assert box["y"] > 100
    assert not ann.faults()
    panel.get_by_role("button", name="Fermer").click()
    expect(panel).to_have_count(0)
    expect(ann.page.get_by_role("button", name="Menu")).to_be_focused()


@pytest.mark.parametrize(
    ("game", "drawn"), [("khiva", "[data-camel]"), ("samarkand", "[data-camel]"), ("souk", ".card")]
)
def test_the_rules_show_real_positions(guests: Guests, game: str, drawn: str) -> None:
    ann = guests("Ann")
    ann.page.goto(f"/rules/{game}")
    figures = ann.page.locator("figure")
    expect(figures).to_have_count(3)
    for i in range(2):
        figures.nth(i).scroll_into_view_if_needed()
        expect(figures.nth(i).locator(drawn).first).to_be_visible()
    figures.nth(2).scroll_into_view_if_needed()
    expect(figures.nth(2).get_by_role("img").first).to_be_visible()
    assert not ann.faults()


@pytest.mark.parametrize(
    ("game", "lang", "size"), [("khiva", "en", LAPTOP), ("samarkand", "fr", PHONE), ("souk", "en", WIDE)]
)
def test_the_player_aid_leads_to_the_rules(guests: Guests, game: str, lang: str, size: dict[str, int]) -> None:
    ann = guests("Ann", lang=lang, size=size)
    opened(ann, game)
    if size is WIDE:
        folded = ann.page.locator("aside.side details", has=ann.page.locator(".aid"))
        folded.locator("summary").first.click()
        aid = folded.locator(".aid")
    else:
        ann.page.keyboard.press("r")
        aid = ann.page.locator(f"{PANEL} .aid")
    expect(aid.locator(".picture > svg")).to_have_count(4)
    # Every drawing that the pictures use exists.
    broken = "nodes => nodes.map(use => use.getAttribute('href')).filter(id => !document.querySelector(id))"
    assert aid.locator(".picture use").evaluate_all(broken) == []
    assert not ann.faults()
    link = aid.get_by_role("link").last
    rule = link.inner_text()
    link.click()
    expect(ann.page.locator(f"{PANEL} #{rule}")).to_be_in_viewport()
    expect(ann.page.locator(f"{PANEL} .at")).to_have_attribute("id", rule)


@pytest.mark.parametrize(
    ("game", "wrong", "rule"),
    [
        ("khiva", {"do": "take", "what": "salt"}, "K3"),
        ("samarkand", {"do": "pass"}, "S5"),
        ("souk", {"do": "stop"}, "M5"),
    ],
)
def test_a_refusal_leads_to_its_rule(guests: Guests, game: str, wrong: dict[str, object], rule: str) -> None:
    ann = guests("Ann")

    def cheat(socket: WebSocketRoute) -> None:
        """Send a wrong move in place of every move."""
        house = socket.connect_to_server()

        def sent(text: str | bytes) -> None:
            request = json.loads(text)
            house.send(json.dumps({**request, "move": wrong}) if request["do"] == "play" else text)

        socket.on_message(sent)

    ann.page.route_web_socket(re.compile("/live$"), cheat)
    opened(ann, game)
    play(ann, game)
    link = ann.page.get_by_role("alert").get_by_role("link", name=re.compile(r"^Rule [A-Z]\d+$"))
    assert link.inner_text() == f"Rule {rule}"
    assert not ann.faults()
    link.click()
    expect(ann.page.locator(f"{PANEL} #{rule}")).to_be_in_viewport()
    expect(ann.page.locator(f"{PANEL} .at")).to_have_attribute("id", rule)
    expect(ann.page.locator(f"{PANEL} #{rule}")).to_be_focused()


def play(guest: Guest, game: str) -> None:
    """Make some move with the mouse."""
    page = guest.page
    if game == "khiva":
        for i in range(2):
            page.locator("button.card.open").nth(i).click()
        page.locator(".actions .main:enabled").click()
    elif game == "samarkand":
        page.locator(".domain.can").first.click()
        page.locator(".actions .main:enabled").click()
    else:
        page.locator(".offers button").first.click()
        page.locator(".actions .main:enabled").click()
