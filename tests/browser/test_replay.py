"""Looking at a game again: any moment by keys, links, the log and a file; and looking back in a running game."""

from __future__ import annotations

import json
import re
from contextlib import suppress
from pathlib import Path
from typing import Any

from playwright.sync_api import Error, Page, expect

from tests.browser.conftest import PHONE, Guest, Guests

CORPUS = Path(__file__).resolve().parents[1] / "conformance" / "corpus"


def played(guest: Guest, game: str = "khiva", lines: int = 12) -> str:
    """Return a running table where the guest has both seats and has played until the log has some lines.

    Then there is a choice: pages make forced moves by themselves.
    """
    table = guest.new_table(game, [{"kind": "me"}, {"kind": "me"}])
    while True:
        views = [guest.view(table, seat) for seat in (0, 1)]
        asked = [(seat, view["view"]["legal"]) for seat, view in enumerate(views) if view["view"]["legal"]]
        if len(views[0]["log"]) >= lines and all(len(legal) > 1 for _, legal in asked):
            return table
        seat, legal = asked[0]
        guest.ask("POST", f"/api/tables/{table}", {"do": "play", "seat": seat, "move": legal[0]})


def finished(guest: Guest, **more: Any) -> str:
    """Return such a table whose game was given up."""
    table = played(guest, **more)
    guest.ask("POST", f"/api/tables/{table}", {"do": "propose", "seat": 0, "what": "abandon"})
    return table


def record_of(game: str) -> dict[str, Any]:
    with (CORPUS / f"{game}.jsonl").open(encoding="utf-8") as file:
        return dict(json.loads(file.readline()))


def test_a_finished_game_by_keyboard_and_a_link_to_a_moment(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = finished(ann)
    last = len(ann.view(table, 0)["log"])
    page = ann.page
    page.goto(f"/t/{table}/replay")
    expect(page.locator(".stage")).to_be_visible()

    def at(moment: int) -> None:
        expect(page.get_by_text(f"{moment} / {last}", exact=True)).to_be_visible()

    at(0)
    for key, moment in [("ArrowRight", 1), ("ArrowRight", 2), ("End", last), ("ArrowLeft", last - 1), ("Home", 0)]:
        page.keyboard.press(key)
        at(moment)
    expect(page.locator(".beside li")).to_have_count(last)
    page.keyboard.press("]")
    expect(page.locator(".count")).not_to_have_text(re.compile("^[01] /"))  # a turn has several lines
    page.keyboard.press("[")
    at(0)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    at(1)
    page.keyboard.press(" ")
    expect(page.get_by_role("button", name="Play", exact=True)).to_be_visible()
    page.locator(".beside li").nth(4).click()
    at(5)
    expect(page.locator(".beside [aria-current=step]")).to_have_count(1)
    page.get_by_label("All hands").check()
    expect(page.locator(".beside dd").first).to_contain_text(re.compile(r"\d"))
    curve = page.locator(".beside figure svg[role=img]")
    box = curve.bounding_box()
    assert box is not None
    curve.click(position={"x": box["width"] - 2, "y": box["height"] / 2})
    at(last)
    page.keyboard.press("ArrowLeft")
    expect(page).to_have_url(re.compile(rf"\?at={last - 1}&seat=0$"))
    assert not ann.faults()

    page.get_by_label("View", exact=True).select_option("1")
    expect(page).to_have_url(re.compile(rf"\?at={last - 1}&seat=1$"))
    bo.page.goto(page.url)
    expect(bo.page.get_by_text(f"{last - 1} / {last}", exact=True)).to_be_visible()
    expect(bo.page.get_by_label("View", exact=True)).to_have_value("1")
    shown = [one.page.locator(".stage .hand").first.inner_text() for one in (ann, bo)]
    assert shown[0] == shown[1]


def test_a_record_from_a_file_on_a_phone_in_french(guests: Guests, tmp_path: Path) -> None:
    zoe = guests("Zoé", lang="fr", size=PHONE)
    record = record_of("khiva")
    last = len(record["moves"])
    (tmp_path / "game.json").write_text(json.dumps(record))
    (tmp_path / "bad.json").write_text(json.dumps({**record, "moves": record["moves"][1:]}))
    (tmp_path / "none.json").write_text("[1")
    page = zoe.page
    page.goto("/replay")
    for name, why in [("none", "pas une partie"), ("bad", "coup 2")]:
        page.locator("input[type=file]").set_input_files(tmp_path / f"{name}.json")
        expect(page.get_by_role("alert")).to_contain_text(why)
    assert not zoe.faults()
    page.locator("input[type=file]").set_input_files(tmp_path / "game.json")
    expect(page.locator(".stage")).to_be_visible()

    def swipe(left: bool) -> None:
        page.locator(".stage .question").evaluate(
            """(node, [from, to]) => {
              const touch = (x) => new Touch({ identifier: 1, target: node, clientX: x, clientY: 400 });
              const send = (type, x, down) => node.dispatchEvent(new TouchEvent(type, {
                bubbles: true, touches: down ? [touch(x)] : [], changedTouches: [touch(x)] }));
              send("touchstart", from, true);
              send("touchend", to, false);
            }""",
            [250, 100] if left else [100, 250],
        )

    swipe(left=True)
    expect(page.get_by_text(f"1 / {last}", exact=True)).to_be_visible()
    swipe(left=True)
    expect(page.get_by_text(f"2 / {last}", exact=True)).to_be_visible()
    swipe(left=False)
    expect(page.get_by_text(f"1 / {last}", exact=True)).to_be_visible()
    page.get_by_role("button", name="Journal").click()
    page.locator(".beside li").nth(9).click()
    expect(page.locator(".beside")).to_have_count(0)  # it makes way for the board
    expect(page.get_by_text(f"10 / {last}", exact=True)).to_be_visible()
    assert not zoe.faults()
    for button in page.locator("footer button").all():
        size = button.bounding_box()
        assert size is not None
        assert min(size["width"], size["height"]) >= 44
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_looking_back_in_a_running_game_and_returning_with_escape(guests: Guests) -> None:
    ann = guests("Ann")
    table = played(ann)
    last = len(ann.view(table, 0)["log"])
    page = ann.page
    page.goto(f"/t/{table}")
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Look back").click()
    expect(page.get_by_text(f"{last} / {last}", exact=True)).to_be_visible()
    page.keyboard.press("Home")
    expect(page.get_by_text(f"0 / {last}", exact=True)).to_be_visible()
    expect(page.locator(".beside figure")).to_have_count(0)
    expect(page.get_by_label("All hands")).to_have_count(0)
    page.keyboard.press("Escape")
    expect(page).to_have_url(re.compile(f"/t/{table}$"))


CHOICE = ".card.open, .offer + .offer"
"""The board asks for a choice: pages make forced moves by themselves."""
PARTS = (".actions .main", ".card.open:not(.play, .give)", ".offer")
NEXT = """([key, variation, count, parts]) => {
  const moves = JSON.parse(localStorage.getItem(key) ?? '[]')[variation]?.moves ?? [];
  if (moves.filter(({ seat }) => seat === 0).length >= count) return null;
  return parts.find((one) => document.querySelector(one)) ?? '';
}"""
"""What to press next, or null once seat 0 has decided that often: a move is kept as the next choice opens."""


def kept(page: Page, table: str) -> Any:
    """Return the variations of a game that a browser keeps."""
    return page.evaluate("key => JSON.parse(localStorage.getItem(key) ?? '[]')", f"registan.variations.{table}")


def decisions(page: Page, table: str) -> int:
    """Return how often seat 0 has decided in the first variation."""
    return sum(move["seat"] == 0 for move in kept(page, table)[0]["moves"])


def position(page: Page) -> list[str]:
    """Return what the seat is asked, once it has a choice, and its cards."""
    page.locator(".whatif[aria-busy=false]").wait_for()
    page.locator(CHOICE).first.wait_for()
    return page.locator(".stage .question > p, .stage .hand .card").all_inner_texts()


def play_until(page: Page, table: str, count: int, variation: int = 0) -> list[str]:
    """Press what the board asks for until seat 0 has decided that often and is asked again."""
    for _ in range(500):
        part = page.evaluate(NEXT, [f"registan.variations.{table}", variation, count, list(PARTS)])
        if part is None:
            return position(page)
        if part:
            with suppress(Error):  # it may be gone before it is pressed
                page.locator(part).first.click(timeout=1000)
        else:
            page.wait_for_timeout(20)
    raise AssertionError(kept(page, table))


def test_what_if_three_moves_deep_and_back_and_shared_with_a_friend(guests: Guests) -> None:
    ann, bo = guests("Ann"), guests("Bo")
    table = finished(ann)
    last = len(ann.view(table, 0)["log"])
    page = ann.page
    ann.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/t/{table}/replay?at=0&seat=0")  # where cards are chosen
    page.get_by_role("button", name="Play from here").click()
    page.get_by_label("Bots").select_option("random")
    page.get_by_label("Name of this variation").fill("My way")
    page.get_by_label("Name of this variation").blur()
    mine = play_until(page, table, 3)
    assert [one["name"] for one in kept(page, table)] == ["My way"]
    assert not ann.faults()
    page.get_by_role("button", name="Copy link").click()
    expect(page.get_by_text("Link copied")).to_be_visible()
    link = page.evaluate("navigator.clipboard.readText()")

    page.keyboard.press("Escape")
    expect(page.get_by_text(f"0 / {last}", exact=True)).to_be_visible()
    page.get_by_role("button", name="My way", exact=False).first.click()
    expect(page.locator(".whatif")).to_be_visible()
    assert position(page) == mine

    page.get_by_role("button", name="Take back").click()
    position(page)
    while not page.locator(".card.open").count():
        page.get_by_role("button", name="Take back").click()
        position(page)
    for _ in range(4):
        page.locator(".card.open:not(.play, .give)").last.click()
    page.locator(".actions .main").click()
    play_until(page, table, 1, variation=1)
    first, second = kept(page, table)
    assert second["parent"] == first["id"], "another way from there is a variation of its own"
    assert decisions(page, table) >= 3, "the first one is as it was"
    page.keyboard.press("Backspace")
    expect(page.get_by_text(f"0 / {last}", exact=True)).to_be_visible()
    page.get_by_role("button", name="Delete “My way”").first.click()
    assert len(kept(page, table)) == 1

    bo.page.goto(link)
    expect(bo.page.locator(".whatif")).to_be_visible()
    assert position(bo.page) == mine
    expect(bo.page.get_by_label("Name of this variation")).to_have_value("My way")
    play_until(bo.page, table, decisions(page, table) + 1)


def test_nothing_is_played_on_from_a_running_game(guests: Guests) -> None:
    ann = guests("Ann")
    table = played(ann, lines=5)
    ann.page.goto(f"/t/{table}/replay?at=1")
    expect(ann.page.locator(".stage")).to_be_visible()
    expect(ann.page.get_by_role("button", name="Play from here")).to_have_count(0)
