"""`registan board`: Check, draw and measure a board of Samarkand."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Annotated

from cyclopts import App, Parameter

from registan.core.errors import BadInput
from registan.core.messages import language, number, say
from registan.games.samarkand import GAME
from registan.games.samarkand.map import atlas
from registan.games.samarkand.map.board import Board, faults, load

app = App(name="board", help="Check, draw and measure a board of Samarkand.")


def _path(file: str) -> Path:
    """Return the path of a board: one that comes with the game by its key, or a file."""
    return GAME.boxes.get(file, Path(file))


def _load(file: str) -> Board:
    path = _path(file)
    return load(path, path.name)


@app.command
def check(file: str, /, *, lang: str | None = None) -> int:
    """Name every fault of a board file with its place. Exit code 1 if there is one.

    Parameters
    ----------
    file
        A TOML file, or the key of a board that comes with the game.
    lang
        en or fr.
    """
    tongue = language(lang)
    path = _path(file)
    try:
        text = path.read_bytes().decode("utf-8", "replace")
    except OSError as error:
        raise BadInput("cli.cannot_read", file=file, why=error.strerror) from None
    found = faults(text, path.name)
    for fault in found:
        print(f"{path.name}: {fault.text(tongue)}")
    print(say(tongue, "cli.board.checked", n=len(found)))
    return 1 if found else 0


@app.command
def show(file: str, /, *, svg: Path, lang: str | None = None) -> None:
    """Draw a board as a picture.

    Parameters
    ----------
    file
        A TOML file, or the key of a board that comes with the game.
    svg
        The file to write.
    lang
        Language of the names: en or fr.
    """
    picture = atlas.svg(_load(file), language(lang))
    try:
        svg.write_text(picture, "utf-8")
    except OSError as error:
        raise BadInput("cli.cannot_write", file=svg, why=error.strerror) from None


@app.command
def stats(
    file: str, /, *, json_: Annotated[bool, Parameter(name="--json", negative=())] = False, lang: str | None = None
) -> None:
    """Print degrees, distances between families and centrality.

    Parameters
    ----------
    file
        A TOML file, or the key of a board that comes with the game.
    json_
        Print JSON.
    lang
        en or fr.
    """
    tongue = language(lang)
    board = _load(file)
    figures = atlas.stats(board)
    if json_:
        print(json.dumps(asdict(figures), ensure_ascii=False))
        return
    print(say(tongue, "cli.board.spaces", n=figures.spaces, land=figures.land, water=figures.water))
    print(
        say(
            tongue,
            "cli.board.degrees",
            mean=number(tongue, figures.mean_degree),
            least=min(figures.degrees.values()),
            most=max(figures.degrees.values()),
            diameter=figures.diameter,
        )
    )
    names = {family.key: family.name.text(tongue) for family in board.families}
    # The most central first: a small mean distance to the other families.
    for family in sorted(figures.families, key=lambda f: f.mean_to_families):
        row = say(
            tongue,
            "cli.board.family",
            mean=number(tongue, family.mean_to_families, 2),
            nearest=names[family.nearest[0]],
            n=family.nearest[1],
            degree=family.degree,
            goods=family.goods_within[2],
        )
        print(f"{names[family.key]:<12} {row}")
    keys = list(names)
    print(" " * 12, *(f"{names[key][:5]:>5}" for key in keys))
    for family in figures.families:
        cells = (f"{family.distances.get(key, 0) or '·':>5}" for key in keys)
        print(f"{names[family.key]:<12}", *cells)
