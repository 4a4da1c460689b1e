"""A bot that is another program: `exec:perl mybot.pl`, or `exec:0.5s:perl mybot.pl` with another time limit."""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable
from typing import Any

from registan.bots.bot import Bot
from registan.bots.process import Fault, Program
from registan.bots.view_bot import action_of
from registan.core.engine import Engine
from registan.core.errors import BadInput
from registan.core.game import Ints, Json
from registan.core.views import view_of

PREFIX = "exec:"
PROTOCOL = 1
SECONDS = 2.0
"""How long a program may think about a move, unless its name says otherwise."""
HELLO_SECONDS = 20.0
"""How long a program may take to start."""
FAULTS = 3
"""After so many faults in a game the program is not asked again until the next one."""

_idle: dict[tuple[str, ...], list[Program]] = {}
"""Programs that have started and sit at no table: the next game need not wait for another one to start."""


class ProcessBot:
    """Plays what a program answers. A program sits in one seat at a time; a fault costs it a random move.

    At random, so that nobody gains by failing; and the game goes on, so that nobody else loses by it.
    """

    def __init__(self, name: str, command: tuple[str, ...], seconds: float) -> None:
        self.name, self.command, self.seconds = name, command, seconds
        self.faults: list[tuple[str, str]] = []
        """What went wrong in this game: late, crash, garbage or illegal, and what that was."""
        self._told = 0
        self._program: Program | None = None

    def choose(self, engine: Engine, hidden: Any, seat: int, rng: Ints) -> int:
        """Ask the program; play at random if it fails."""
        if len(self.faults) < FAULTS:
            try:
                return self._ask(engine, hidden, seat)
            except Fault as fault:
                self.faults.append((fault.kind, fault.why))
                self.close()
        return engine.pick(hidden, seat, rng)

    def _ask(self, engine: Engine, hidden: Any, seat: int) -> int:
        if self._program is None:
            self._program = idle.pop() if (idle := _idle.get(self.command)) else self.started()
            self._program.tell(_game(engine, hidden, seat))
        view = view_of(engine, hidden[:1].tobytes(), seat)
        answer = self._program.ask({"type": "choose", "seconds": self.seconds, "view": view}, self.seconds)
        if answer.get("type") != "play":
            raise Fault("garbage", f"the answer to “choose” must be of type “play”, not “{answer.get('type')}”")
        try:
            return action_of(engine, hidden, seat, answer.get("move"), self.name)
        except BadInput as error:
            raise Fault("illegal", error.text()) from None

    def new_faults(self) -> list[tuple[str, str]]:
        """Return what went wrong since this was last asked."""
        new, self._told = self.faults[self._told :], len(self.faults)
        return new

    def game_over(self, scores: list[Json], winners: list[int]) -> None:
        """Tell the program how the game ended, and keep it for the next one."""
        if self._program is not None:
            self._program.tell({"type": "result", "scores": scores, "winners": winners})
            _idle.setdefault(self.command, []).append(self._program)
            self._program = None

    def started(self) -> Program:
        """Start the program and wait for its hello; raise Fault if that does not come."""
        program = Program(self.command)
        try:
            answer = program.ask({"type": "hello", "protocol": PROTOCOL}, HELLO_SECONDS)
            if answer.get("type") != "hello":
                raise Fault("garbage", f"the answer to “hello” must be of type “hello”, not “{answer.get('type')}”")
        except Fault:
            program.close()
            raise
        return program

    def close(self) -> None:
        """End the program."""
        if self._program is not None:
            self._program.close()
            self._program = None

    def __deepcopy__(self, memo: dict[int, Any]) -> ProcessBot:
        return ProcessBot(self.name, self.command, self.seconds)

    def __reduce__(self) -> tuple[Callable[..., Bot], tuple[Any, ...]]:
        return ProcessBot, (self.name, self.command, self.seconds)


def _game(engine: Engine, hidden: Any, seat: int) -> Json:
    """Return the message that opens a game."""
    game, state = engine.game, hidden[0]
    options = {name: option.values[int(state[name])] for name, option in game.options.items()}
    box = {"key": engine.box.key, "sha256": engine.box.sha256}
    return {
        "type": "game", "game": game.key, "version": game.version, "players": int(state["players"]), "seat": seat,
        "options": options, "box": box,
    }  # fmt: skip


def program(name: str) -> Bot:
    """Return the bot of a command; start it once, so that one that does not work is refused before anything is played.

    Raise BadInput if there is no such command, or if it does not say hello.
    """
    found = re.fullmatch(r"(?:(\d+(?:\.\d+)?)s:)?(.*)", name.removeprefix(PREFIX), re.DOTALL)
    assert found is not None
    seconds = SECONDS if found[1] is None else float(found[1])
    try:
        words = shlex.split(found[2], posix=os.name != "nt")
    except ValueError as error:
        raise BadInput("error.bot_command", bot=name, why=str(error)) from None
    if not words or not seconds:
        raise BadInput("error.bot_command", bot=name, why="exec:0.5s:perl mybot.pl")
    if shutil.which(words[0]) is None:
        raise BadInput("error.bot_command", bot=name, why=words[0])
    bot = ProcessBot(name, tuple(words), seconds)
    if not _idle.get(bot.command):
        try:
            _idle[bot.command] = [bot.started()]
        except Fault as fault:
            raise BadInput("error.bot_hello", bot=name, why=fault.why) from None
    return bot
