"""Make the positions that the rules show: `python tools/figures.py` plays the moves to each and stores what is seen.

`positions.json` in a game's `figures` says how to get there, `views.json` what the page draws.
"""

from __future__ import annotations

import json
from pathlib import Path

import registan
from registan.core.game import Json
from registan.core.registry import keys

GAMES = Path(__file__).resolve().parent.parent / "web" / "src" / "games"


def positions(game: str) -> dict[str, Json]:
    """Return how to get to each position of a game, by name; none if the rules show none."""
    path = GAMES / game / "figures" / "positions.json"
    return json.loads(path.read_text("utf-8")) if path.exists() else {}


def view_of(game: str, position: Json) -> Json:
    """Return what the seat sees after the moves."""
    match = registan.new(game, players=position["players"], seed=position["seed"])
    for line in position["moves"]:
        match.play(line["seat"], {key: value for key, value in line.items() if key != "seat"})
    return match.view(position["seat"])


def stored(game: str) -> dict[str, Json]:
    """Return the views as the page has them."""
    views: dict[str, Json] = json.loads((GAMES / game / "figures" / "views.json").read_text("utf-8"))
    return views


def main() -> None:
    """Store the views of all games."""
    for game in keys():
        if views := {name: view_of(game, position) for name, position in positions(game).items()}:
            text = ",\n".join(f'  "{name}": {json.dumps(view)}' for name, view in views.items())
            (GAMES / game / "figures" / "views.json").write_text("{\n" + text + "\n}\n", "utf-8")


if __name__ == "__main__":
    main()
