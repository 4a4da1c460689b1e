"""Make the terminal pictures of the README: `python tools/pictures.py`, after `make setup`."""

from __future__ import annotations

from pathlib import Path

from rich.console import Console

import registan
from registan.core.registry import find
from registan.games.samarkand.map import atlas
from registan.games.samarkand.map.board import load
from registan.terminal.ask import Decision
from registan.terminal.play import bot_seat
from registan.terminal.saved import Saved
from registan.terminal.session import Session

PICTURES = Path(__file__).resolve().parent.parent / "docs" / "pictures"
QUESTIONS = ("do", "family")
NAMES = [None, "Zarina", "Timur", "Nodira"]


def terminal(game: str, lang: str, moves: int) -> str:
    """Return a table in the terminal after some moves of greedy bots, as seat 0 sees it, and what it is asked."""
    match = registan.new(game, players=4, seed=7)
    players = [bot_seat("greedy", seat) for seat in range(4)]
    while not match.over and (match.moves_played < moves or 0 not in match.waiting):
        seat = match.waiting[0]
        match.play(seat, players[seat](match, seat))
    file = open("/dev/null", "w")  # noqa: SIM115, PTH123
    console = Console(record=True, width=80, height=24, file=file, force_terminal=True, color_system="truecolor")
    session = Session(match, Saved(game), lambda seat: players[seat], NAMES, 0, lang, console, input, drawn=True)
    screen, view, decision = session.screen, match.view(0), Decision(match.legal(0), session.screen.sets)
    step = decision.step()
    while step.field in QUESTIONS:  # on to the one with a picture
        decision.take(step, max(step.choices, key=lambda choice: len(choice.moves)))
        step = decision.step()
    if screen.picture(view, step) is None:
        console.print(screen.table(view))
    session.offer(view, screen.numbered(step))
    return console.export_svg(title=f"registan play {game}")


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    for game, lang in (("khiva", "en"), ("souk", "fr"), ("samarkand", "en")):
        (PICTURES / f"terminal-{game}.svg").write_text(terminal(game, lang, 60), "utf-8")
    for key in ("silk-road", "oasis"):
        board = load(find("samarkand").boxes[key])
        (PICTURES / f"{key}.svg").write_text(atlas.svg(board, "en"), "utf-8")


if __name__ == "__main__":
    main()
