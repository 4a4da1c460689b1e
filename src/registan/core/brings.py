"""What a move brings (`brings` in a view) as text, for any game.

An entry has these fields, each left out if empty: `points`, what the mover `gets` and `pays` as `[n, item]`, what
`others` get as `[seat, n, item]`, what is still `open`, and whether the move `ends` the game. The game's messages name
its items (`<game>.item.<item>`) and what can be open (`<game>.open.<word>`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from registan.core.game import Json
from registan.core.messages import catalogue, listing, say


def tell_brings(key: str, entry: Json | None, lang: str, who: Callable[[int], str]) -> str:
    """Return what a move brings as a short phrase, empty if nothing is known."""
    if entry is None:
        return ""
    told = []
    if "gets" in entry:
        told.append(say(lang, "brings.gets", items=_items(key, entry["gets"], lang)))
    if "pays" in entry:
        told.append(say(lang, "brings.pays", items=_items(key, entry["pays"], lang)))
    for seat, *thing in entry.get("others", ()):
        told.append(say(lang, "brings.others", who=who(seat), items=_items(key, [thing], lang)))
    if "points" in entry:
        told.append(tell_points(entry["points"], lang))
    if "open" in entry:
        words = [_word(f"{key}.open.{word}", word, lang) for word in entry["open"]]
        told.append(say(lang, "brings.open", words=listing(lang, words)))
    if "ends" in entry:
        told.append(say(lang, "brings.ends"))
    return ", ".join(told)


def tell_points(points: int, lang: str) -> str:
    """Return points with their sign, such as "+2 points"."""
    return say(lang, "brings.points", sign="\N{MINUS SIGN}" if points < 0 else "+", n=abs(points))


def _items(key: str, things: Iterable[Any], lang: str) -> str:
    return listing(lang, [_word(f"{key}.item.{item}", f"{n} {item}", lang, n=n) for n, item in things])


def _word(key: str, plain: str, lang: str, **values: object) -> str:
    """Return a message of the game, or the plain word if there is none."""
    return say(lang, key, **values) if key in catalogue(lang) else plain
