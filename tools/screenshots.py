"""Take the pictures of the README, and a contact sheet of every state that matters: `make screenshots`.

    make screenshots ARGS="souk end"      # only moments whose names have one of these words in them, and not the README
    make screenshots ARGS=--keep          # compare with the same older run again, not with the last one

The contact sheet is build/contact-sheet/index.html. Each moment is taken at all four sizes; languages and themes
alternate, so that each size has both of each across the moments.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, Request, WebSocketRoute

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from registan.advice.puzzles.puzzle import puzzles_of  # noqa: E402
from registan.core.registry import find  # noqa: E402
from registan.core.rulebook import rule_texts  # noqa: E402
from registan.server.identity import COOKIE  # noqa: E402
from tools.browsing import Guest, House, launched  # noqa: E402
from tools.contact_sheet import Picture, keep_older, write_sheet  # noqa: E402
from tools.moments import FRIEND, ME, cookie, furnish  # noqa: E402

PICTURES = ROOT / "docs" / "pictures"
SHEET = ROOT / "build" / "contact-sheet"
GAMES = ("samarkand", "khiva", "souk")
SIZES = {"laptop": (1280, 800), "tablet": (820, 1180), "phone": (390, 844), "small": (360, 640)}
STILL = """(quiet) => new Promise((resolve) => {
  let timer;
  const wait = () => { clearTimeout(timer); timer = setTimeout(done, quiet); };
  const changes = new MutationObserver(wait);
  const loads = new PerformanceObserver(wait);
  const done = async () => {
    changes.disconnect();
    loads.disconnect();
    await document.fonts.ready;
    for (const one of document.getAnimations()) if (one.effect.getComputedTiming().endTime < 1e6) one.finish();
    resolve();
  };
  changes.observe(document, { subtree: true, childList: true, attributes: true });
  loads.observe({ type: "resource" });
  wait();
})"""
"""Waits until the page has neither changed nor fetched anything for a while, and ends what moves only once."""
QUIET = 150


@dataclass(frozen=True)
class Shot:
    """A moment: whose page, and what is done there before the picture is taken."""

    name: str
    path: str
    game: str = ""
    act: Callable[[Page], object] | None = None
    who: str = ME


def variants(name: str) -> Iterator[tuple[str, str, str]]:
    """Size, language and theme of each picture of a moment; they depend on its name alone."""
    turn = zlib.crc32(name.encode())
    for i, size in enumerate(SIZES):
        yield size, ("en", "fr")[(i + turn) % 2], ("light", "dark")[(i // 2 + turn // 2) % 2]


def press(key: str) -> Callable[[Page], object]:
    """Press a key of the table."""
    return lambda page: page.keyboard.press(key)


def open_menu(page: Page) -> None:
    """Open the menu of a table."""
    page.locator(".bar button").last.click()
    page.locator("dialog[open]").wait_for()


def leave(page: Page) -> None:
    """Ask for a bot to take over, and be asked whether that is meant."""
    open_menu(page)
    page.locator("dialog[open] .menu > button", has_text=re.compile("Let a bot|Laisser un robot")).click()


def look_at_another(page: Page) -> None:
    """Unfold what another player has, where that is folded."""
    peek = page.locator(".player:not(.me) .peek").first
    if peek.is_visible():
        peek.click()


def ask_a_camel(page: Page) -> None:
    """Let a thing of the board say what it is."""
    page.locator("[data-camel]").first.dispatch_event("pointerover", {"pointerType": "mouse", "bubbles": True})
    page.get_by_test_id("tip").wait_for()


def open_preferences(page: Page) -> None:
    """Open the preferences in that menu."""
    open_menu(page)
    page.locator("dialog[open] summary").first.click()
    page.locator("dialog[open] fieldset, dialog[open] label").first.wait_for()


def choose_family(page: Page) -> None:
    """Samarkand: open a family."""
    page.locator(".domain.can").first.click()


def choose_space(page: Page) -> None:
    """Samarkand: choose where a camel goes."""
    page.locator("polygon.lit").last.dispatch_event("click")


def choose_cards(page: Page) -> None:
    """Khiva: choose a card to play and one to give."""
    for i in (0, 2):
        page.locator(".hand .card").nth(i).press("Enter")


def choose_discard(page: Page) -> None:
    """Samarkand: choose two cards to discard."""
    for i in (2, 7):
        page.locator(".fan .card").nth(i).press("Enter")


def choose_stall(page: Page) -> None:
    """Souk: choose what to buy."""
    page.locator("button.stall:not([disabled])").first.click()


def open_moves(page: Page) -> None:
    """Open the list of all moves."""
    page.get_by_test_id("moves").locator("summary").click()


def be_refused(page: Page) -> None:
    """Make a move that the house refuses."""
    choose_cards(page)
    page.locator(".actions .main").first.click()
    page.locator(".refusal").wait_for()


def scroll_end(page: Page) -> None:
    """Scroll to the end of the open dialog."""
    page.evaluate("""() => {
      for (const part of document.querySelectorAll('dialog[open], dialog[open] *, [role=dialog], [role=dialog] *'))
        if (part.scrollHeight > part.clientHeight + 8) part.scrollTop = part.scrollHeight;
    }""")


def to_the_middle(page: Page) -> None:
    """Go to a moment in the middle of a replay."""
    page.locator("input[type=range]").wait_for()
    page.locator("input[type=range]").evaluate("""(range) => {
      range.value = Math.floor(range.max / 2);
      range.dispatchEvent(new Event('input', { bubbles: true }));
    }""")


def give_up(page: Page) -> None:
    """Look at the solution of a puzzle."""
    page.locator("footer > button").last.click()
    page.locator(".answer").wait_for()


def first_puzzle(game: str) -> str:
    """The address of a puzzle."""
    return f"/puzzles/{game}/{next(iter(puzzles_of(find(game))))}"


SHOTS = (
    Shot("home of a newcomer", "/", who=""),
    Shot("home with tables", "/"),
    Shot("lessons", "/learn"),
    Shot("puzzles", "/puzzles"),
    Shot("puzzles of a game", "/puzzles/khiva", "khiva"),
    Shot("my page", "/me"),
    Shot("workshop", "/workshop/samarkand", "samarkand"),
    Shot("lobby, host", "/t/khiva-lobby", "khiva"),
    Shot("lobby, guest", "/t/samarkand-lobby", "samarkand", who=FRIEND),
    Shot("lobby, stranger", "/t/souk-lobby", "souk", who=""),
    *(
        shot
        for game in GAMES
        for shot in (
            Shot(f"{game}, new table", f"/new/{game}", game),
            Shot(f"{game}, question", f"/t/{game}-turn", game),
            Shot(f"{game}, waiting", f"/t/{game}-waiting", game),
            Shot(f"{game}, spectator", f"/t/{game}-waiting", game, who=""),
            Shot(f"{game}, five players", f"/t/{game}-five", game),
            Shot(f"{game}, player aid", f"/t/{game}-turn", game, press("r")),
            Shot(f"{game}, log and chat", f"/t/{game}-waiting", game, press("l")),
            Shot(f"{game}, end", f"/t/{game}-over", game),
            Shot(f"{game}, end scrolled", f"/t/{game}-over", game, scroll_end),
            Shot(f"{game}, replay", f"/t/{game}-over/replay", game, to_the_middle),
            Shot(f"{game}, rules", f"/rules/{game}", game),
            Shot(f"{game}, lesson", f"/learn/{game}", game),
            Shot(f"{game}, puzzle", first_puzzle(game), game),
            Shot(f"{game}, puzzle solved", first_puzzle(game), game, give_up),
        )
    ),
    Shot("samarkand, family chosen", "/t/samarkand-turn", "samarkand", choose_family),
    Shot("samarkand, preview", "/t/samarkand-turn", "samarkand", choose_space),
    Shot("samarkand, all moves", "/t/samarkand-turn", "samarkand", open_moves),
    Shot("samarkand, second camel", "/t/samarkand-second", "samarkand"),
    Shot("samarkand, sale", "/t/samarkand-sale", "samarkand"),
    Shot("samarkand, hand of 11", "/t/samarkand-discard", "samarkand"),
    Shot("samarkand, discard chosen", "/t/samarkand-discard", "samarkand", choose_discard),
    Shot("khiva, preview", "/t/khiva-turn", "khiva", choose_cards),
    Shot("khiva, camel moves", "/t/khiva-move", "khiva"),
    Shot("khiva, taking", "/t/khiva-take0", "khiva"),
    Shot("khiva, paused", "/t/khiva-paused", "khiva"),
    Shot("khiva, menu", "/t/khiva-turn", "khiva", open_menu),
    Shot("khiva, leaving", "/t/khiva-turn", "khiva", leave),
    Shot("khiva, a bot plays for me", "/t/khiva-left", "khiva"),
    Shot("khiva, another player", "/t/khiva-turn", "khiva", look_at_another),
    Shot("khiva, tip", "/t/khiva-turn", "khiva", ask_a_camel),
    Shot("khiva, refusal", "/t/khiva-turn", "khiva", be_refused),
    Shot("souk, offer", "/t/souk-offer", "souk"),
    Shot("souk, auction", "/t/souk-count", "souk"),
    Shot("souk, live auction", "/t/souk-live", "souk"),
    Shot("souk, naming", "/t/souk-name", "souk"),
    Shot("souk, preview", "/t/souk-name", "souk", choose_stall),
    Shot("souk, preferences", "/t/souk-turn", "souk", open_preferences),
)


class Studio:
    """A house, and a browser context for each person, size, language and theme."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self._guests: dict[tuple[Any, ...], Guest] = {}
        self._fetching: dict[Guest, set[Request]] = {}

    def guest(self, who: str, size: tuple[int, int], lang: str, theme: str, **more: Any) -> Guest:
        """Return somebody's browser."""
        key = (who, size, lang, theme, *more.items())
        if key not in self._guests:
            at = {"width": size[0], "height": size[1]}
            guest = Guest(self.browser, self.house, lang, at, color_scheme=theme, **more)
            if who:
                made = cookie(self.house.data, who, lang)
                guest.context.add_cookies([{"name": COOKIE, "value": made, "url": self.house.url}])
            guest.page.route_web_socket(re.compile("/live"), lambda route: _refuse_moves(route, lang))
            fetching: set[Request] = set()
            self._fetching[guest] = fetching
            # Playwright cannot call built-in methods, so these are lambdas.
            guest.page.on("request", lambda request: fetching.add(request))  # noqa: PLW0108
            guest.page.on("requestfinished", lambda request: fetching.discard(request))  # noqa: PLW0108
            guest.page.on("requestfailed", lambda request: fetching.discard(request))  # noqa: PLW0108
            self._guests[key] = guest
        return self._guests[key]

    def take(self, guest: Guest, shot: Shot, file: Path) -> None:
        """Take one picture."""
        page = guest.page
        page.goto(shot.path)
        page.locator("main h1, main h2, .stage > .board").first.wait_for()
        self._settle(guest)
        if shot.act:
            shot.act(page)
            if not page.get_by_test_id("tip").count():  # which goes when the mouse does
                page.mouse.move(0, 0)
            self._settle(guest)
        file.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=file, type="jpeg", quality=82)

    def _settle(self, guest: Guest) -> None:
        """Wait until everything has been fetched and shown."""
        while self._fetching[guest]:
            guest.page.wait_for_timeout(20)
        guest.page.evaluate(STILL, QUIET)


def _refuse_moves(route: WebSocketRoute, lang: str) -> None:
    """Let everything through but what would change a table: moves are refused, and a deal needs nothing of us."""
    server = route.connect_to_server()
    error, rule = "error.illegal", "K3"
    text = rule_texts(find("khiva"), rule)[lang]

    def heard(message: str | bytes) -> None:
        request = json.loads(message)
        if request["do"] == "play":
            refused = {"type": "refused", "key": request["key"], "error": error, "text": text, "rule": rule}
            route.send(json.dumps(refused))
        elif request["do"] == "contribute":
            route.send(json.dumps({"type": "done", "key": request["key"]}))
        else:
            server.send(message)

    route.on_message(heard)


def readme(studio: Studio) -> None:
    """Take the pictures of the README."""
    for size, lang, theme, suffix, scale in (
        ((1440, 900), "en", "light", "", 1),
        ((360, 640), "fr", "dark", "-phone", 2),
    ):
        guest = studio.guest(ME, size, lang, theme, device_scale_factor=scale)
        for game in GAMES:
            studio.take(guest, Shot(game, f"/t/{game}-turn"), PICTURES / f"web-{game}{suffix}.jpg")
        studio.take(studio.guest("", size, lang, theme), Shot("home", "/"), PICTURES / f"web-home{suffix}.jpg")
        if not suffix:
            studio.take(guest, Shot("new", "/new/khiva"), PICTURES / "web-new.jpg")


def sheet(studio: Studio, words: list[str]) -> list[str]:
    """Take the pictures of the contact sheet, write it, and return what went wrong."""
    taken, failed = [], []
    for shot in SHOTS:
        if words and not any(word in shot.name for word in words):
            continue
        for size, lang, theme in variants(shot.name):
            picture = Picture(shot.name, shot.game, size, lang, theme)
            try:
                studio.take(studio.guest(shot.who, SIZES[size], lang, theme), shot, SHEET / "now" / picture.file)
                taken.append(picture)
            except Exception as error:  # the other pictures are still worth taking
                failed.append(f"{picture.file}: {str(error).splitlines()[0]}")
    write_sheet(SHEET, taken)
    return failed


def main() -> int:
    """Open a house with prepared tables and take all pictures."""
    words = [arg for arg in sys.argv[1:] if not arg.startswith("--")]
    start = time.monotonic()
    keep_older(SHEET, again=bool(words) or "--keep" in sys.argv)
    with tempfile.TemporaryDirectory() as folder:
        furnish(Path(folder))
        house = House(Path(folder))
        house.open()
        try:
            with launched() as browser:
                studio = Studio(browser, house)
                failed = sheet(studio, words)
                if not words:
                    readme(studio)
        finally:
            house.close()
    print(f"{SHEET / 'index.html'} after {time.monotonic() - start:.0f} s")
    print("\n".join(failed))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
