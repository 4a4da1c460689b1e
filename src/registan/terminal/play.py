"""Playing any game in a terminal: a new one, or the one that was left unfinished."""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console

import registan
from registan.bots import find_bot
from registan.core.chance import WORDS
from registan.core.errors import BadInput, BadRecord
from registan.core.game import Json
from registan.core.match import Match
from registan.core.messages import language, listing, say
from registan.core.registry import find
from registan.terminal import pages
from registan.terminal.letters import prepare_output
from registan.terminal.plain import FAINT, NEWS
from registan.terminal.saved import Saved
from registan.terminal.session import Choose, Leave, Session

NAMES = ("Zarina", "Timur", "Nodira", "Rustam")
"""The names of the bots, in the order of their seats."""
RECENT = 8
"""How many lines of the log to show when a game is continued."""


def bot_seat(name: str = "random", seed: int | None = None) -> Choose:
    """Return one of our bots as a player at the table; it sees only what its seat may know."""
    bot = find_bot(name)
    dice = random.Random(seed)

    def choose(match: Match, seat: int) -> Json:
        hidden = match.hidden(seat)
        rng = np.array([dice.getrandbits(64) for _ in range(WORDS)], np.uint64)
        action = bot.choose(match.engine, hidden, seat, rng)
        return match.game.moves.write(match.box, hidden[0], seat, action)

    return choose


def play(
    game_key: str,
    players: int | None = None,
    seat: int = 0,
    seed: int | None = None,
    lang: str | None = None,
    new: bool = False,
    options: Mapping[str, Any] | None = None,
    *,
    box: str | Path | None = None,
    first: int | None = None,
    bots: Callable[[int], Choose] | None = None,
    plain: bool = False,
    console: Console | None = None,
    read: pages.Read = input,
) -> int:
    """Play a game in the terminal, a new one or the one left unfinished; return the exit code.

    `bots` gives the player of each seat that is not the person's; without it all play at random. `plain` draws no
    pictures, as if the output were no terminal.
    Raise BadInput for an unknown game, number of players, seat or option.
    """
    game = find(game_key)
    count = players if players is not None else min(4, game.players[-1])
    fresh = registan.new(game.key, count, seed, box, first=first, **(options or {}))
    if type(seat) is not int or not 0 <= seat < count:
        raise BadInput("error.seat", seat=seat, last=count - 1)
    console = console or Console(highlight=False)
    _prepare(console, read)
    others = bots or (lambda other: bot_seat(seed=None if seed is None else seed * 10 + other))
    drawn = console.is_terminal and not console.is_dumb_terminal and not plain
    launcher = Launcher(Saved(game.key), others, language(lang), console, read, box, drawn)
    try:
        session = launcher.open(fresh, seat, new)
    except (Leave, EOFError, KeyboardInterrupt):
        console.print()
        return 0
    session.run()
    return 0


@dataclass(frozen=True)
class Launcher:
    """Starts a session with the unfinished game on disk, if the person wants to continue it, or else with a new one."""

    saved: Saved
    bots: Callable[[int], Choose]
    lang: str
    console: Console
    read: pages.Read
    box: str | Path | None
    drawn: bool

    def word(self, key: str, **values: object) -> str:
        """Return one of the terminal's messages."""
        return say(self.lang, f"terminal.{key}", **values)

    def open(self, fresh: Match, seat: int, new: bool) -> Session:
        """Return the game to play: the one left unfinished if the person wants it, else the fresh one."""
        found = self._found()
        if found is not None and not found[0].over and not new:
            session = self._session(*found)
            if self._goes_on(session):
                session.tell(session.match.readable(session.seat)[-RECENT:])
                return session
        # A deal without a move is there to be continued; it is not worth keeping beside a new game.
        kept = self._kept() if found is not None and found[0].moves_played > 0 else None
        if kept is not None and found is not None and not found[0].over:
            self.console.print(self.word("kept", file=kept), style=FAINT, soft_wrap=True)
        names = _names(fresh.players, seat)
        session = Session(fresh, self.saved, self.bots, names, seat, self.lang, self.console, self.read, self.drawn)
        self.console.print(self.word("welcome", game=fresh.game.name[self.lang], others=self._others(session)))
        intro = session.screen.own("intro")
        if intro:
            self.console.print(intro, style=FAINT)
        session.save()
        return session

    def _found(self) -> tuple[Match, Json] | None:
        """Return the game on disk; one that cannot be read is set aside."""
        try:
            return self.saved.load(self.box)
        except BadRecord as error:
            why = error.text(self.lang)
            try:
                self.console.print(self.word("save.bad", why=why, file=self.saved.set_aside()), style=NEWS)
            except OSError:
                self.console.print(self.word("save.bad", why=why, file=self.saved.path), style=NEWS)
            return None

    def _kept(self) -> Path | None:
        try:
            return self.saved.keep()
        except OSError:
            return None  # saving the new game will say so

    def _session(self, match: Match, record: Json) -> Session:
        """Return the session of a saved game; who sits where and what can be undone are extra fields of its record."""
        seat = record.get("seat")
        seat = seat if type(seat) is int and 0 <= seat < match.players else 0
        names, given = _names(match.players, seat), record.get("names")
        if isinstance(given, list) and len(given) == match.players:
            names = [n if other != seat and isinstance(n, str) else names[other] for other, n in enumerate(given)]
        session = Session(match, self.saved, self.bots, names, seat, self.lang, self.console, self.read, self.drawn)
        decided = record.get("decided")
        if isinstance(decided, list):
            session.decided = [n for n in decided if type(n) is int and 0 <= n < match.moves_played]
        return session

    def _goes_on(self, session: Session) -> bool:
        """Ask whether to continue the unfinished game."""
        name = session.match.game.name[self.lang]
        others, moves = self._others(session), session.match.moves_played
        self.console.print(self.word("resume", game=name, others=others, n=moves))
        while True:
            text = self.read(self.word("resume.ask")).strip()
            match text.casefold():
                case "" | "y" | "yes" | "o" | "oui":
                    return True
                case "n" | "no" | "non":
                    return False
                case "q":
                    raise Leave
            self.console.print(self.word("resume.again", text=text), style=NEWS)

    def _others(self, session: Session) -> str:
        return listing(self.lang, [name for name in session.names if name])


def _names(players: int, seat: int) -> list[str | None]:
    """Return the names at the table; the person has none, because each language says "you" in its own way."""
    names = iter(NAMES)
    return [None if other == seat else next(names) for other in range(players)]


def _prepare(console: Console, read: pages.Read) -> None:
    """Make outputs that lack some letters show similar ones, and terminals edit what is typed."""
    if console.file is sys.stdout:
        prepare_output()
    if read is input and console.is_terminal:
        with suppress(ImportError):
            import readline  # noqa: F401
