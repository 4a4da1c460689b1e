"""Lessons in a real browser: played through in both languages, on a laptop and on a phone, up to the short game."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from playwright.sync_api import Page, Position, expect
from playwright.sync_api import TimeoutError as Late

from registan.core.registry import find
from registan.tables.lessons import Lesson, play_through
from tests.browser.conftest import LAPTOP, PHONE, Guests

INDEX: Position = {"x": 12, "y": 12}
"""The corner of a card that no other card covers."""
WORDS = {
    "en": {"next": "Next", "play": "Play", "again": "Go back and try again", "step": "Step {} of {}"},
    "fr": {"next": "Suite", "play": "Jouer", "again": "Revenir et réessayer", "step": "Étape {} sur {}"},
}
TEACHER = ".teacher"
STILL = ".teacher[aria-busy=false]"
NOBODY_ASKED = re.compile("^((The market|Le marché|The game is over|La partie est finie).*)?$")


def on_khiva(page: Page, move: Any) -> None:
    if move["do"] == "choose":
        for card in (move["play"][0], move["give"][0]):
            page.locator(f"button.card.open[data-card='{card}']").click()
        page.locator(".actions .main:enabled").click()
        return
    which = move["gems"] if move["do"] == "move" else ["salt", "carpet"].index(move["what"])
    offer = page.locator(".offer").nth(which)
    if offer.get_attribute("aria-pressed") != "true":
        offer.click()
    page.locator(".actions .main:enabled").click()


def on_samarkand(page: Page, move: Any) -> None:
    main = page.locator(".actions .main")
    match move["do"]:
        case "marry":
            page.locator(f".domain[data-family={move['family']}]").click()
            main.click()
        case "place":
            moves = page.get_by_test_id("moves")
            moves.locator("summary").click()
            moves.locator(f"button[data-move='{json.dumps(move, separators=(',', ':'))}']").click()
            main.click()
        case "discard":
            for card in move["cards"]:
                page.locator(f".card[data-good='{card}']").click(position=INDEX)
            main.click()
        case _:
            moves = page.get_by_test_id("moves")
            moves.locator("summary").click()
            moves.locator(f"button[data-move='{json.dumps(move, separators=(',', ':'))}']").click()


def on_souk(page: Page, move: Any) -> None:
    match move["do"]:
        case "offer":
            page.locator(f".offers button[aria-label*=' {move['value']}']").first.click()
            page.locator(".controls .main").click()
        case "name":
            kind = "camel" if move["item"] == "camel" else move["item"][0]
            stall = page.locator(f".stall.{kind}")
            if stall.get_attribute("aria-pressed") != "true":
                stall.click()
            page.locator(".controls .main").click()
        case do:
            page.locator(".answers button").nth(["stop", "wait"].index(do)).click()


BOARDS: dict[str, Callable[[Page, Any], None]] = {"khiva": on_khiva, "samarkand": on_samarkand, "souk": on_souk}


@pytest.mark.parametrize(
    ("game", "lang", "size"),
    [
        ("khiva", "en", LAPTOP), ("khiva", "fr", PHONE), ("samarkand", "fr", LAPTOP), ("samarkand", "en", PHONE),
        ("souk", "en", LAPTOP), ("souk", "fr", PHONE),
    ],
)  # fmt: skip
def test_a_lesson_is_played_through(guests: Guests, game: str, lang: str, size: dict[str, int]) -> None:
    words, lesson = WORDS[lang], play_through(find(game), "first")
    ann = guests("Ann", lang=lang, size=size)
    page = ann.page
    page.goto(f"/learn/{game}")
    walk(page, lesson, lang, words, BOARDS[game], wrong=size is LAPTOP)
    expect(page.locator(f"{TEACHER} button", has_text=words["next"])).to_have_count(0)
    # The short game: the guide speaks about the first decision, and what it asks for is there to be answered.
    guide = page.locator("section.guide")
    expect(guide.locator(".situation p").first).to_be_visible()
    expect(page.locator(".question.asked")).to_be_visible()
    assert not re.search(r"\b(web|learn|core)\.\w", page.locator("body").inner_text())
    assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
    assert ann.faults() == []
    # The lesson is done, and says so.
    page.goto("/learn")
    expect(page.locator("article", has=page.locator(f"a[href='/learn/{game}/first']"))).to_contain_text(
        "terminée" if lang == "fr" else "done"
    )


def walk(
    page: Page, lesson: Lesson, lang: str, words: dict[str, str], make: Callable[[Page, Any], None], wrong: bool
) -> None:
    """Play all steps: read them, err where there is something to learn from it, go back, and make the move."""
    pages = [step for scene in lesson.scenes for step in scene.steps]
    for number, step in enumerate(pages, 1):
        # The house plays a lesson through when it is asked for the first time.
        expect(page.locator(STILL)).to_contain_text(words["step"].format(number, len(pages)), timeout=20_000)
        expect(page.locator(TEACHER)).to_contain_text(getattr(step.text, lang)[:60])
        expect(page.locator(".player.me")).to_contain_text("Ann")  # verbs fit a name, not "you"
        for stops in page.locator(".book .who").all_inner_texts():
            assert stops.startswith("Ann"), f"who has stopped? {stops}"
        if step.ask is None:
            # While one reads, nobody is asked: at most, the market stands still or all is over.
            expect(page.locator(".question [role=status]")).to_have_text(NOBODY_ASKED)
            page.get_by_role("button", name=words["play" if number == len(pages) else "next"], exact=True).click()
            continue
        for one in step.tries if wrong else ():
            page.get_by_role("button", name=getattr(one.text, lang)).click()
            expect(page.locator(".erred")).to_contain_text(one.rule)
            expect(page.locator(".erred")).to_contain_text(getattr(one.refusal, lang)[:40])
        for other in step.others if wrong else ():
            make(page, other.move)
            # What comes of it is shown step by step, which takes longer on a busy machine.
            expect(page.locator(STILL)).to_contain_text(getattr(other.text, lang)[:60], timeout=20_000)
            page.get_by_role("button", name=words["again"]).click()
            expect(page.locator(STILL)).to_contain_text(getattr(step.text, lang)[:60])
        make(page, step.ask)


def test_back_strayed_shown_and_continued(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/")
    page.get_by_role("link", name="New here? Learn by playing").click()
    page.locator("a[href='/learn/khiva/first']").click()
    status = page.locator(f"{TEACHER} [role=status]")
    for _ in range(2):
        page.get_by_role("button", name="Next", exact=True).click()
    expect(page.locator(TEACHER)).to_contain_text("Step 3 of")
    # A legal move that the lesson has no words for is told what it brings, and not made.
    for card in ("blue-2", "pink-4"):
        page.locator(f"button.card.open[data-card='{card}']").click()
    page.locator(".actions .main:enabled").click()
    expect(status).to_contain_text("is allowed, too")
    # Somebody shows the move, and one can go back to where one was.
    page.get_by_role("button", name="Show me").click()
    expect(page.locator(STILL)).to_contain_text("Step 4 of")
    page.get_by_role("button", name="Back", exact=True).click()
    expect(page.locator(TEACHER)).to_contain_text("Step 3 of")
    expect(page.locator("button.card.open")).to_have_count(5)
    # The next visit goes on there, in another language too.
    page.goto("/learn")
    expect(page.locator("article", has=page.locator("a[href='/learn/khiva/first']"))).to_contain_text("Continue")
    page.locator("a[href='/learn/khiva/first']").click()
    expect(page.locator(TEACHER)).to_contain_text("Step 3 of")


def test_a_lesson_by_keyboard_alone(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/learn/souk")
    expect(page.locator(TEACHER)).to_contain_text("Step 1 of", timeout=20_000)
    page.get_by_role("button", name="Next", exact=True).focus()
    page.keyboard.press("Enter")
    expect(page.locator(TEACHER)).to_contain_text("Step 2 of")
    page.locator(".offers button[aria-label*=' 5']").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Enter")
    expect(page.locator(STILL)).to_contain_text("Step 3 of")
    assert page.evaluate("document.activeElement !== document.body")


def test_the_short_game_is_played_to_its_end(guests: Guests) -> None:
    ann = guests("Ann")
    page = ann.page
    page.goto("/")
    page.evaluate("localStorage['registan.learn.khiva.first'] = JSON.stringify({ step: 12, done: false })")
    page.goto("/learn/khiva")
    page.get_by_role("button", name="Play", exact=True).click()
    over = page.get_by_role("button", name="A whole game with bots")
    for _ in range(60):
        if over.count():
            break
        for selector in (".actions .main:enabled", "button.card.open[aria-pressed=false]", ".offer"):
            if page.locator(selector).count():
                with suppress(Late):  # bots may have played on meanwhile
                    page.locator(selector).first.click(timeout=3000)
                break
        page.wait_for_timeout(60)
    expect(page.locator(TEACHER)).to_contain_text(re.compile("wins!|share the win!"))
    over.click()
    expect(page).to_have_url(re.compile("/t/"))
    expect(page.locator("button.card.open").first).to_be_visible()
    # The guide is on at the new table, where all others are bots; a switch turns it off.
    guide = page.locator("section.guide")
    expect(guide.locator(".situation p").first).to_contain_text("You play one card")
    page.get_by_role("button", name="Guide: what each move brings and risks").click()
    expect(guide).to_have_count(0)
