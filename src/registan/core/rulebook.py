"""The rules as players read them: `rules.<lang>.md` of a game, split by rule id."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from registan.core.game import Game
from registan.core.messages import LANGUAGES

_RULE = re.compile(r"^\*\*([A-Z]\d+)\.\*\* (.+?)$(?=\n\n|\n*\Z)", re.M | re.S)


_FIGURE = re.compile(r"^!\[[^\]]+\]\(figure:[\w-]+\)\n\n", re.M)


@cache
def rules_page(folder: Path, lang: str, figures: bool = False) -> str:
    """Return the whole page; figures are positions that only the web app can draw."""
    page = (folder / f"rules.{lang}.md").read_text("utf-8")
    return page if figures else _FIGURE.sub("", page)


@cache
def rules_by_id(folder: Path, lang: str) -> dict[str, str]:
    """Return the text of every rule by its id, each on one line."""
    page = rules_page(folder, lang)
    return {id_: " ".join(text.split("\n")) for id_, text in _RULE.findall(page)}


def rule_texts(game: Game, id_: str) -> dict[str, str]:
    """Return the text of a rule in every language, or just its id where a game has forgotten one."""
    return {lang: rules_by_id(game.file(f"rules.{lang}.md").parent, lang).get(id_, id_) for lang in LANGUAGES}
