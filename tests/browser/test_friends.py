"""Friends at one table: who is there, pauses, the next game, and leaving."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Guest, Guests


def together(ann: Guest, bo: Guest, game: str = "khiva") -> str:
    """Begin a game of two people, and open it in both browsers."""
    table = ann.new_table(game, [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.start_with(bo, table)
    for guest in (ann, bo):
        guest.page.goto(f"/t/{table}")
        expect(guest.page.locator("article[data-seat]").first).to_be_visible()
    return table


def test_a_seat_whose_connection_is_gone_is_marked(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = together(ann, bo)
    mark = ann.page.locator("article", has_text="Bo").get_by_role("img", name="connection lost")
    bo.page.reload()
    expect(bo.page.locator(".stage")).to_be_visible()
    expect(mark).to_have_count(0)
    bo.page.goto("/rules/khiva")
    expect(mark).to_be_visible()
    expect(ann.page.get_by_test_id("heard")).to_have_text("Bo: connection lost.")
    expect(ann.page.locator("article", has_text="Ann").get_by_role("img", name="connection lost")).to_have_count(0)
    assert not ann.faults()
    bo.page.goto(f"/t/{table}")
    expect(mark).to_have_count(0)
    expect(ann.page.get_by_test_id("heard")).to_have_text("Bo is back.")


def test_a_rematch_is_offered_and_a_table_deleted(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    first = together(ann, bo)
    ann.ask("POST", f"/api/tables/{first}", {"do": "propose", "seat": 0, "what": "abandon"})
    bo.ask("POST", f"/api/tables/{first}", {"do": "answer", "seat": 1, "yes": True})
    ann.page.get_by_role("button", name="Rematch").click()
    ann.page.wait_for_url(lambda url: first not in url)
    expect(bo.page.get_by_text("Ann offers a rematch.")).to_be_visible()
    assert not bo.faults()
    bo.page.get_by_role("button", name="Go to the rematch").click()
    bo.page.wait_for_url(ann.page.url)
    expect(ann.page.get_by_role("button", name="Start game")).to_be_enabled()
    # The host changes her mind: the others are told, and the link says so.
    ann.page.get_by_role("button", name="Menu").click()
    ann.page.get_by_role("button", name="Delete table").click()
    ann.page.get_by_role("button", name="Delete permanently").click()
    expect(bo.page.get_by_role("heading", name="The host has deleted this table.")).to_be_visible()
    answer = bo.page.reload()
    assert answer is not None
    assert answer.status == 410
    expect(bo.page.get_by_role("heading", name="The host has deleted this table.")).to_be_visible()
    # From the list at home, after confirming it.
    expect(ann.page.get_by_role("heading", level=1)).to_be_visible()
    second = ann.new_table("khiva", [{"kind": "me"}, {"kind": "open"}], start=False)
    ann.page.reload()
    card = ann.page.locator("li", has=ann.page.locator(f"a[href='/t/{second}']"))
    card.get_by_role("button", name="Delete table: Khiva").click()
    assert not ann.faults()
    card.get_by_role("button", name="No").click()
    card.get_by_role("button", name="Delete table: Khiva").click()
    card.get_by_role("button", name="Delete permanently").click()
    expect(card).to_have_count(0)
    assert ann.context.request.get(f"{ann.house.url}/api/tables/{second}").status == 410


def test_newcomers_are_asked_once_for_name_and_face(guests: Guests) -> None:
    ann, bo = guests("Guest"), guests("Bo", size=PHONE)
    ann.page.goto("/")
    ann.page.get_by_role("button", name="Choose name and face").click()
    dialog = ann.page.get_by_role("dialog", name="Preferences")
    dialog.get_by_label("Your name").fill("Ann")
    dialog.get_by_role("radio", name="Straw hat").check()
    assert not ann.faults()
    dialog.get_by_role("button", name="Save").click()
    expect(dialog.get_by_text("Saved.")).to_be_visible()
    ann.page.reload()
    expect(ann.page.get_by_role("button", name="Preferences")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Choose name and face")).to_have_count(0)
    assert ann.ask("GET", "/api/me")["face"] == "cone"
    # In the lobby, on the seats, in the chat: the same face; bots have names of their own, and their level is told.
    seats = [{"kind": "me"}, {"kind": "open"}, {"kind": "bot", "level": "novice"}, {"kind": "bot", "level": "novice"}]
    table = ann.new_table("khiva", seats, start=False)
    bo.page.goto(f"/t/{table}")
    bo.page.get_by_role("radio", name="Crown", exact=True).check()
    assert not bo.faults()
    bo.page.get_by_role("button", name="Take this seat").click()
    expect(bo.page.get_by_text("You have a seat.")).to_be_visible()
    assert [seat["face"] for seat in ann.view(table)["seats"]] == ["cone", "crown", "", ""]
    ann.page.goto(f"/t/{table}")
    ann.page.get_by_role("button", name="Start game").click()
    expect(ann.page.locator("article svg.face")).to_have_count(4)
    names = ann.page.locator("article strong").all_inner_texts()
    assert len(set(names)) == 4
    assert not any("novice" in name for name in names)
    expect(ann.page.locator("article .word", has_text="novice")).to_have_count(2)
    assert not ann.faults()
