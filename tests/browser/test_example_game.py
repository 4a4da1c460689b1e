"""A game of another package at a table in a real browser: on the plain board, which knows nothing of it."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import LAPTOP, PHONE, Guests, House
from tests.example_game import installed

OVER = "dialog[open]"
MOVES = "[data-plain] button[data-move]:enabled"
NIGHTS = 8

WORDS = {
    "en": {
        "game": "The Well", "rules": "Rules", "rule": "from the smallest thirst", "credits": "The Well: Registan.",
        "invite": "Invite friends", "table": "New table: The Well", "bot": "Bot: novice", "clock": "Live, fast",
        "start": "Start game", "night": "Night", "water": "Water", "hand": "Your camels", "move": "Lead a camel",
        "brings": "whether there is enough water", "log": "Log and chat", "led": "Ann leads a camel",
        "well": "to the well", "won": "wins!|share the win!", "replay": "Replay", "end": "Jump to end",
    },
    "fr": {
        "game": "Le Puits", "rules": "Règles", "rule": "de la plus petite soif", "credits": "Le Puits\u00a0: Registan.",
        "invite": "Inviter des amis", "table": "Nouvelle table\u00a0: Le Puits", "bot": "Robot\u00a0: novice",
        "clock": "En direct, rapide", "start": "Lancer la partie", "night": "Nuit", "water": "Eau",
        "hand": "Vos chameaux", "move": "Mener un chameau", "brings": "s’il y a assez d’eau",
        "log": "Journal et discussion", "led": "Ann mène au puits un chameau", "well": "au puits",
        "won": "gagne|Victoire partagée", "replay": "Revoir la partie", "end": "À la fin",
    },
}  # fmt: skip


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    """A house in whose environment the game is installed."""
    folder = tmp_path_factory.mktemp("well")
    # The game is small: interpreted it is quick enough.
    opened = House(folder, installed(folder / "site") | {"REGISTAN_INTERPRET": "1"})
    opened.open()
    yield opened
    opened.close()


def value_of(page: Page, field: str) -> str:
    """What the board shows as the value of a field."""
    row = page.locator("[data-plain] .table dl > div", has=page.get_by_text(field, exact=True))
    return row.locator("dd").first.inner_text()


@pytest.mark.parametrize(("lang", "size"), [("en", LAPTOP), ("fr", PHONE)])
def test_a_whole_game_on_the_plain_board(guests: Guests, lang: str, size: dict[str, int]) -> None:
    words = WORDS[lang]
    ann = guests("Ann", lang=lang, size=size)
    page = ann.page
    faults: dict[str, list[str]] = {}

    def look(what: str) -> None:
        faults[what] = ann.faults()
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"], what
        assert not re.search(r"web\.\w|well\.\w", page.locator("body").inner_text()), what

    page.goto("/")
    offered = page.locator("article", has=page.get_by_role("heading", name=words["game"], exact=True))
    expect(offered).to_be_visible()
    expect(page.locator("footer")).to_contain_text(words["credits"])
    look("home")
    offered.get_by_role("link", name=words["rules"]).click()
    expect(page.locator("#W3")).to_contain_text(words["rule"])
    look("rules")
    page.goto("/")
    offered.get_by_role("link", name=words["invite"]).click()
    expect(page.get_by_role("heading", name=words["table"])).to_be_visible()
    for seat in (1, 2):
        page.locator(f"#seat-{seat}").select_option(words["bot"])
    page.get_by_role("radio", name=words["clock"]).check()
    look("new table")
    page.get_by_role("button", name=words["start"]).click()

    expect(page.locator(MOVES).first).to_contain_text(words["move"])
    expect(page.locator(MOVES).first).to_contain_text(words["brings"])
    expect(page.locator("article.me time")).to_have_text(re.compile(r"^\d+:\d\d$"))
    look("table")
    for night in range(1, NIGHTS + 1):
        expect(page.locator("[data-plain]")).to_contain_text(words["water"])
        assert value_of(page, words["night"]) == str(night)
        camels = value_of(page, words["hand"])
        thirst = page.locator(MOVES).first.get_attribute("data-move")
        assert thirst
        assert re.findall(r"\d", thirst)[0] in camels
        page.locator(MOVES).first.click()
        if night < NIGHTS:
            shown = re.compile(rf"{words['night']}\s*{night + 1}")
            expect(page.locator("[data-plain] .table")).to_contain_text(shown, timeout=20_000)
            expect(page.locator(MOVES).first).to_be_visible()

    end = page.locator(OVER)
    expect(end).to_contain_text(re.compile(words["won"]))
    expect(end.locator(".total")).to_have_count(3)
    table = page.url.rpartition("/")[2]
    best = max(ann.view(table, 0)["view"]["points"])
    expect(end.locator(".total").first).to_have_text(re.compile(rf"^{best} point"))
    look("result")
    end.get_by_role("link", name=words["replay"]).click()
    expect(page.locator("[data-plain]")).to_be_visible()
    page.get_by_role("button", name=words["end"]).click()
    last = len(ann.view(table, 0)["log"])
    expect(page.get_by_text(f"{last} / {last}")).to_be_visible()
    expect(page.get_by_role("status").last).to_contain_text(words["well"])
    look("replay")

    page.goto(f"/t/{table}")
    page.locator(OVER).press("Escape")
    if not page.locator("aside.side").count():
        page.get_by_role("button", name=words["log"]).click()
    expect(page.locator("aside.side li", has_text=words["led"])).to_have_count(NIGHTS)
    look("log")
    assert not any(faults.values()), faults
