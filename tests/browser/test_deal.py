"""Pages take part in the deal by themselves, and check it when the game is over."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser.conftest import Guest, Guests

GOOD = "Your browser checked the deal: it is the one that was fixed before the start."
BOTS = [{"kind": "bot", "level": "greedy"}] * 2


def table_of(page: Page) -> str:
    return page.url.rpartition("/")[2]


def give_up(guest: Guest) -> Any:
    """End the game at once; return what the house reveals about its chance."""
    table = table_of(guest.page)
    guest.ask("POST", f"/api/tables/{table}", {"do": "propose", "seat": guest_seat(guest, table), "what": "abandon"})
    return guest.view(table)["fairness"]


def guest_seat(guest: Guest, table: str) -> int:
    seat: int = guest.ask("GET", f"/api/tables/{table}/seats")["seats"][0]
    return seat


def test_the_page_checks_the_deal_in_a_rematch_too(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/")
    khiva = page.locator("article", has=page.get_by_role("heading", name="Khiva", exact=True))
    khiva.get_by_role("button").first.click()
    page.wait_for_url(re.compile("/t/"))
    first = table_of(page)
    for rematch in (False, True):
        if rematch:
            page.get_by_role("button", name="Rematch").click()
            expect(page).not_to_have_url(re.compile(first))
        expect(page.locator(".stage")).to_be_visible()
        fair = give_up(ann)
        assert [bool(told) for told in fair["contributions"]] == [owner == "person" for owner in fair["owners"]]
        expect(page.get_by_text(GOOD)).to_be_visible()
        page.get_by_role("button", name="Verify the shuffles").click()
        expect(page.get_by_text("Every shuffle checks out.")).to_be_visible()
        expect(page.get_by_text("Your browser computed the key of the deal itself")).to_be_visible()
        expect(page.get_by_text("Your browser’s contribution is in the deal.")).to_be_visible()
        assert not ann.faults()


def test_a_house_that_changes_its_word_is_found_out(guests: Guests) -> None:
    ann = guests("Ann")
    table = ann.new_table("khiva", [{"kind": "me"}, *BOTS], start=False)
    ann.page.goto(f"/t/{table}")
    ann.page.get_by_role("button", name="Start game").click()
    expect(ann.page.locator(".stage")).to_be_visible()
    # As if the house had shown something else when the page was first opened.
    ann.page.evaluate(
        """name => {
            const kept = JSON.parse(localStorage.getItem(name));
            localStorage.setItem(name, JSON.stringify({ ...kept, house: "0".repeat(64) }));
        }""",
        f"registan.deal.{table}",
    )
    ann.page.reload()
    expect(ann.page.locator(".stage")).to_be_visible()
    give_up(ann)
    expect(ann.page.get_by_role("alert")).to_have_text("The deal is not the one that was fixed before the start.")


def test_a_deal_waits_for_a_page_that_was_closed_and_says_so(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.page.clock.install()
    ann.page.goto(f"/t/{table}")
    bo.page.goto(f"/t/{table}")
    bo.page.get_by_role("button", name="Take this seat").click()
    start = ann.page.get_by_role("button", name="Start game")
    expect(start).to_be_enabled()
    bo.page.goto("/")
    start.click()
    expect(ann.page.get_by_text("The cards are being dealt")).to_be_visible()
    ann.page.clock.fast_forward(21_000)
    expect(ann.page.get_by_text("Waiting for a contribution to chance from Bo.")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Cancel the deal")).to_be_visible()
    assert not ann.faults()
    bo.page.goto(f"/t/{table}")
    for guest in (ann, bo):
        expect(guest.page.locator(".stage")).to_be_visible()
    assert all(ann.view(table)["fairness"]["contributions"])
