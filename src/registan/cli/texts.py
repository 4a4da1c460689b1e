"""`registan games` and `registan rules`."""

from __future__ import annotations

import json
import sys
from typing import Annotated

from cyclopts import Parameter
from rich.console import Console
from rich.markdown import Markdown

from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find, keys
from registan.core.rulebook import rules_by_id, rules_page


def games(*, json_: Annotated[bool, Parameter(name="--json", negative=())] = False, lang: str | None = None) -> None:
    """List the games.

    Parameters
    ----------
    json_
        Print JSON.
    lang
        The language of the names: en or fr.
    """
    found = [find(key) for key in keys()]
    if json_:
        rows = [
            {
                "game": game.key,
                "name": dict(game.name),
                "players": [game.players[0], game.players[-1]],
                "version": game.version,
                "options": {name: list(option.values) for name, option in game.options.items()},
                "boxes": list(game.boxes),
            }
            for game in found
        ]
        print(json.dumps(rows, ensure_ascii=False, indent=2))
        return
    tongue = language(lang)
    for game in found:
        players = say(tongue, "cli.players", low=game.players[0], high=game.players[-1])
        print(f"{game.key:<10} {game.name[tongue]} ({players})")


def rules(game: str, rule: str | None = None, /, *, lang: str | None = None) -> None:
    """Show the rules of a game, or one of them.

    Parameters
    ----------
    game
        A game; `registan games` lists them.
    rule
        The id of a rule, such as K5, to show only that one.
    lang
        en or fr.
    """
    found, tongue = find(game), language(lang)
    if rule is not None:
        texts = rules_by_id(found.folder, tongue)
        if rule.upper() not in texts:
            raise BadInput("cli.no_rule", game=game, rule=rule, first=f"{found.letter}1", last=list(texts)[-1])
        print(f"{rule.upper()}. {texts[rule.upper()]}")
        return
    page = rules_page(found.folder, tongue)
    if sys.stdout.isatty():
        console = Console()
        with console.pager(styles=True):
            console.print(Markdown(page))
    else:
        print(page, end="")
