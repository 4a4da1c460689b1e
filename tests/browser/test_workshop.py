"""The workshop in a real browser: make a board, mend it, play it; and an own file at a new table."""

from __future__ import annotations

import json
import re
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Guests
from tests.games.samarkand.small import small_board


def opened(page: Page, players: int = 3) -> None:
    """Open the workshop with a new board."""
    page.goto("/workshop/samarkand")
    page.get_by_role("button", name="Open", exact=True).click()
    page.get_by_role("button", name=f"for {players} players").click()
    expect(page.get_by_test_id("faults")).to_contain_text("No faults")


def test_a_board_is_edited_and_played_at_once(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    opened(page)
    board = page.get_by_test_id("workshop-map")
    spaces = board.locator("[data-space]")
    count = spaces.count()
    assert count >= 30

    # Drag a space: its neighbours and outlines follow.
    here = board.locator("[data-space='place-10']")
    before = here.get_attribute("points")
    box = here.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2 + 25, box["y"] + box["height"] / 2 + 15, steps=4)
    page.mouse.up()
    expect(here).not_to_have_attribute("points", str(before))

    # Rename it in both languages, and take the good away: a fault is told, and marked on the map.
    panel = page.get_by_test_id("space-panel")
    panel.get_by_label("Name in English").fill("The <Inn>")
    panel.get_by_label("Name in French").fill("L’auberge")
    panel.get_by_label("What is here").select_option("")
    faults = page.get_by_test_id("faults")
    expect(faults).to_contain_text("1 fault")
    faults.get_by_role("button").first.click()
    expect(page.get_by_role("tab", selected=True)).to_have_text("Goods")
    page.get_by_role("button", name="Undo").click()
    expect(faults).to_contain_text("No faults")
    expect(board).to_contain_text("The <Inn>")

    # Join by keyboard, add a space, remove it again.
    here.focus()
    page.keyboard.press("Enter")
    neighbours = panel.get_by_role("group").filter(has_text="neighbour").get_by_role("listitem")
    had = neighbours.count()
    page.keyboard.press("j")
    board.locator("[data-space='place-30']").focus()
    page.keyboard.press("Enter")
    expect(neighbours).to_have_count(had + 1)
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Add a space").click()
    expect(spaces).to_have_count(count + 1)
    page.get_by_role("button", name="Remove this space").click()
    expect(spaces).to_have_count(count)
    assert ann.faults() == []

    # It is still there after a reload, and can be played.
    page.reload()
    expect(board).to_contain_text("The <Inn>")
    expect(faults).to_contain_text("No faults")
    page.get_by_role("button", name="Play it").click()
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_test_id("map")).to_be_visible(timeout=20_000)
    table = page.url.rsplit("/", 1)[1]
    view = ann.view(table, 0)
    assert (len(view["own_box"]), len(view["view"]["families"]), len(view["seats"])) == (64, 6, 3)


def test_a_board_is_saved_downloaded_and_shared(guests: Guests, tmp_path: Path) -> None:
    ann, bo = guests("Ann"), guests("Bo", lang="fr", size=PHONE)
    page = ann.page
    opened(page)
    page.get_by_role("button", name="Save").click()
    expect(page.get_by_text("is saved in this browser")).to_be_visible()
    with page.expect_download() as downloading:
        page.get_by_role("button", name="Download").click()
    file = tmp_path / "mine.toml"
    downloading.value.save_as(file)
    assert "players = 3" in file.read_text("utf-8")
    page.get_by_role("button", name="Share").click()
    expect(page.get_by_label("Link to this board")).to_have_value(re.compile("/workshop/samarkand#."))
    link = page.get_by_label("Link to this board").input_value()

    # On a phone, in French: the same board, what is wrong with it, and a game.
    phone = bo.page
    phone.goto(link)
    expect(phone.get_by_test_id("faults")).to_contain_text("Aucun défaut")
    expect(phone.get_by_role("button", name="Jouer")).to_be_enabled()
    assert phone.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert bo.faults() == []

    # A file with a fault is opened all the same, and its fault is told.
    broken = tmp_path / "broken.toml"
    broken.write_text(re.sub(r"dowry = \d+", "dowry = 77", file.read_text("utf-8"), count=1), "utf-8")
    phone.get_by_role("button", name="Ouvrir").click()
    phone.get_by_label("Un fichier").set_input_files(broken)
    expect(phone.get_by_test_id("faults")).to_contain_text("il faut un nombre entier de 1 à 20, et non 77")


def test_an_own_file_at_a_new_table(guests: Guests, tmp_path: Path) -> None:
    ann = guests("Ann")
    page = ann.page
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text(small_board(), "utf-8")
    bad.write_text(small_board().replace("dowry = 3", "dowry = 0", 1), "utf-8")
    page.goto("/new/samarkand")
    page.locator("summary", has_text="More options").click()
    page.get_by_label("Board").select_option(label="Your own file…")
    page.get_by_label("Box file").set_input_files(bad)
    expect(page.get_by_role("alert")).to_contain_text("must be a whole number from 1 to 20, not 0")
    page.get_by_label("Box file").set_input_files(good)
    expect(page.get_by_text("small: for 2 to 3 players")).to_be_visible()
    page.locator("#seat-1").select_option("novice")
    page.get_by_role("button", name="Start").click()
    page.wait_for_url("**/t/*")
    expect(page.get_by_test_id("map")).to_be_visible(timeout=20_000)
    table = page.url.rsplit("/", 1)[1]
    ann.ask("POST", f"/api/tables/{table}", {"do": "propose", "seat": 0, "what": "abandon"})
    record = ann.ask("GET", f"/api/tables/{table}/record")
    assert record["box_toml"] == small_board()

    # The record carries the board: it is shown again from the file.
    kept = tmp_path / "game.jsonl"
    kept.write_text(json.dumps(record), "utf-8")
    page.goto("/replay")
    page.locator("input[type=file]").set_input_files(kept)
    expect(page.get_by_test_id("map")).to_be_visible(timeout=20_000)
