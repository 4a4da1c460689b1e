"""Tests in a real browser need a separate pytest run: Playwright's event loop conflicts with others."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page
from tools.browsing import LAPTOP, PHONE, Guest, House, launched

__all__ = ["LAPTOP", "PHONE", "SIZES", "Guest", "Guests", "House", "expect_legible"]

SIZES = (LAPTOP, {"width": 820, "height": 1180}, {"width": 390, "height": 844}, PHONE)
SMALL_LETTERS = """(least) => [...document.querySelectorAll('.stage *')].filter((node) => {
  const said = [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
  if (!said || node.closest('.hidden-visually, .said') || !node.checkVisibility()) return false;
  // A thing that clips itself to nothing is for screen readers.
  for (let one = node; one; one = one.parentElement) if (getComputedStyle(one).clipPath === 'inset(50%)') return false;
  const turned = node.getScreenCTM?.();
  const scale = turned ? Math.hypot(turned.a, turned.b) : 1;
  return parseFloat(getComputedStyle(node).fontSize) * scale < least - 0.05;
}).map((node) => `${node.textContent} ${getComputedStyle(node).fontSize}`)"""
"""The texts on a table whose letters are smaller on the screen than so many pixels."""


def expect_legible(page: Page, phone: bool) -> None:
    """Wait until no letter on a table is too small: a resized board is laid out one frame later."""
    page.wait_for_function(f"least => ({SMALL_LETTERS})(least).length === 0", arg=12 if phone else 11)


@pytest.fixture(scope="session")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    opened = House(tmp_path_factory.mktemp("house"))
    opened.open()
    yield opened
    opened.close()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with launched() as started:
        yield started


class Guests:
    """Creates guests, and checks at the end that no page had an error."""

    def __init__(self, browser: Browser, house: House) -> None:
        self.browser, self.house = browser, house
        self.made: list[Guest] = []

    def __call__(self, name: str, *, lang: str = "en", size: dict[str, int] | None = None, calm: bool = True) -> Guest:
        guest = Guest(self.browser, self.house, lang, size or LAPTOP, calm).named(name, lang)
        self.made.append(guest)
        return guest


@pytest.fixture
def guests(browser: Browser, house: House) -> Iterator[Guests]:
    made = Guests(browser, house)
    yield made
    errors = [error for guest in made.made for error in guest.errors]
    for guest in made.made:
        guest.context.close()
    assert not errors, errors
