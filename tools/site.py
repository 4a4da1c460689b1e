"""Build the documentation site into build/site: `make docs`.

Its pages are those of `docs/`, and others made from what there is already: the rules of the games, the commands, the
description of the house, CONTRIBUTING.md and its neighbours. Links are written as they work in a checkout, and changed
here.
"""

from __future__ import annotations

import os
import re
import shutil
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import msgspec
from sphinx.cmd.build import build_main

from registan.cli import make_app
from registan.core.box import find_box
from registan.core.game import Game
from registan.core.messages import LANGUAGES
from registan.core.picture import picture
from registan.core.registry import find, keys
from tools.figures import positions, stored
from tools.openapi import description
from tools.rest_page import rest_page

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
OUT = ROOT / "build" / "site"
PAGES = OUT / "pages"
HTML = OUT / "html"
OTHERS = {"CONTRIBUTING.md": "contributing.md", "SECURITY.md": "security.md", "CHANGELOG.md": "changelog.md"}
LINK = re.compile(r'(\]\(|src=")([^)"#\s]+)')
FIGURE = re.compile(r"^!\[([^\]]*)\]\(figure:(\w+)\)$", re.MULTILINE)
LANGUAGE_NAMES = {"en": "English", "fr": "français"}


def games() -> list[Game]:
    """Return the games of this repository."""
    return [game for key in keys() if (game := find(key)).folder.is_relative_to(ROOT / "src")]


def examples() -> list[Path]:
    """Return the single files among the examples: the package lacks them, and the site offers them."""
    return sorted(path for folder in ("boards", "bots") for path in (ROOT / "examples" / folder).glob("*.*"))


def rules_page(game: Game, lang: str) -> str:
    """Return where the rules of a game are on the site."""
    return f"rules/{game.key}.{lang}.md"


def places() -> dict[Path, str]:
    """Return where on the site the files and folders of the repository are."""
    found = {path: path.relative_to(DOCS).as_posix() for path in DOCS.rglob("*") if path.is_file()}
    found |= {ROOT / name: page for name, page in OTHERS.items()}
    found |= {path: path.relative_to(ROOT).as_posix() for path in examples()}
    found |= {game.folder / f"rules.{lang}.md": rules_page(game, lang) for game in games() for lang in LANGUAGES}
    return found | {DOCS / "games": "environments.md", ROOT / "README.md": "index.md"}


def relinked(text: str, file: Path, page: str, known: dict[Path, str], source: str) -> str:
    """Return the text of a file with links that work on its page; what is not on the site is in the repository."""

    def link(match: re.Match[str]) -> str:
        before, to = match.groups()
        path = (file.parent / to).resolve()
        if ":" in to or not path.exists():
            return match[0]
        if path in known:
            return before + Path(os.path.relpath(PAGES / known[path], (PAGES / page).parent)).as_posix()
        return f"{before}{source}/{path.relative_to(ROOT).as_posix()}"

    return LINK.sub(link, text)


def write(page: str, text: str) -> None:
    """Write a page."""
    path = PAGES / page
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def draw_figures(game: Game) -> None:
    """Draw the positions that the rules of a game show."""
    for name, view in stored(game.key).items() if positions(game.key) else ():
        write(f"rules/{game.key}-{name}.svg", picture(game, find_box(game, view.get("box")), view))


def rules_text(game: Game, lang: str) -> str:
    """Return the rules of a game with their figures."""

    def figure(match: re.Match[str]) -> str:
        caption, name = match.groups()
        return f":::{{figure}} {game.key}-{name}.svg\n:alt: {caption}\n\n{caption}\n:::"

    return FIGURE.sub(figure, (game.folder / f"rules.{lang}.md").read_text("utf-8"))


def rules_index() -> Iterator[str]:
    """Yield the lines of the page that lists the rules."""
    yield "# Rules\n\nThe rules of the games as they are played here, in our own words. Every paragraph has an id; a"
    yield "refusal names the one that a move would break, and `registan rules` shows it.\n"
    for game in games():
        yield f"- *{game.name['en']}*: " + ", ".join(
            f"[{LANGUAGE_NAMES[lang]}]({rules_page(game, lang)})" for lang in LANGUAGES
        )
    yield "\n```{toctree}\n:hidden:\n"
    for game in games():
        yield from (f"{game.name[lang]} ({LANGUAGE_NAMES[lang]}) <{rules_page(game, lang)}>" for lang in LANGUAGES)
    yield "```\n"


def commands_text() -> str:
    """Return the page of all commands, from their help."""
    text = make_app().generate_docs().replace("# registan\n", "# Commands\n", 1)
    return re.sub(r"^## Table of Contents\n.*?(?=^\*\*Commands)", "", text, flags=re.MULTILINE | re.DOTALL)


def put_together() -> None:
    """Write all pages."""
    shutil.rmtree(PAGES, ignore_errors=True)
    shutil.copytree(DOCS, PAGES, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "web" / "public" / "icon.svg", PAGES / "favicon.svg")
    for path in examples():
        write(path.relative_to(ROOT).as_posix(), path.read_text("utf-8"))
    for game in games():
        draw_figures(game)
        for lang in LANGUAGES:
            write(rules_page(game, lang), rules_text(game, lang))
    write("rules.md", "\n".join(rules_index()))
    write("commands.md", commands_text())
    house = description()
    write("openapi.json", msgspec.json.format(msgspec.json.encode(house, order="deterministic")).decode())
    write("rest.md", rest_page(house))
    with (ROOT / "pyproject.toml").open("rb") as file:
        source = tomllib.load(file)["project"]["urls"]["Source"]
    known = places()
    for path in [*DOCS.rglob("*.md"), *(ROOT / name for name in OTHERS)]:
        page = known[path]
        write(page, relinked(path.read_text("utf-8"), path, page, known, source))


def main() -> int:
    """Build the site; any warning is an error."""
    put_together()
    options = ("-n", "-W", "--keep-going", "-q", "-E", "-b", "html", "-d", OUT / "doctrees")
    failed: int = build_main([*map(str, options), str(PAGES), str(HTML)])
    if failed:
        return failed
    print(f"the site: {(HTML / 'index.html').relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
