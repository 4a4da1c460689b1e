"""The `registan` command."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from registan import __version__
from registan.cli.errors import in_words
from registan.core import compiled
from registan.core.errors import BadInput, RegistanError
from registan.core.messages import LANGUAGES, language

COMMANDS = {
    "play": ("play:play", "Play against bots in the terminal."),
    "serve": ("serve:serve", "Open the house: tables for people and bots, over HTTP and WebSocket."),
    "think": ("think:think", "Think for the bots of a house, on this machine or another."),
    "games": ("texts:games", "List the games."),
    "rules": ("texts:rules", "Show the rules of a game, or one of them."),
    "simulate": ("simulate:simulate", "Let bots play many games; count or record them."),
    "arena": ("arena:arena", "Let bots play against each other, every deal from every seat."),
    "bots": ("bot:bots", "List the bots."),
    "bot": ("bot:app", "Write a bot of your own: `bot new` makes one that works."),
    "hint": ("hint:hint", "Show the best moves in an unfinished game."),
    "review": ("review:review", "Look back on a finished game: what each move cost, and how much was luck."),
    "check": ("check:check", "Replay and verify game records."),
    "verify": ("verify:verify", "Recompute the shuffles of finished games: was the house honest?"),
    "migrate": ("migrate:migrate", "Bring the database of a house up to date, or check what would differ."),
    "bench": ("bench:bench", "Measure the engine's speed."),
    "loadtest": ("loadtest:loadtest", "Open many tables at a house, and measure what they cost."),
    "warm": ("bench:warm", "Compile the games now, so that nothing has to wait later."),
    "export": ("keep:export", "Write all tables of a house to a file."),
    "import": ("keep:import_", "Add exported tables to a house."),
    "backup": ("keep:backup", "Copy a house while it is open: its database and its key."),
    "restore": ("keep:restore", "Restore a house from a backup."),
    "train": ("train:app", "Let a net learn a game by playing against itself."),
    "lab": ("lab:app", "Report on a game, compare variants of it, find puzzles: bots play thousands of games."),
    "completion": ("completion:completion", "Print the script that completes commands in your shell."),
}
"""Where each command is, and its line in the list. Named, not imported: a command loads only what it needs."""


def make_app(words: Sequence[str] = (), lang: str = "en") -> App:
    """Return the command line; `words` are what follows `registan` on it."""
    app = App(
        name="registan",
        help="Play, study and script Silk-Road games; `registan games` lists them.",
        version=__version__,
        help_epilogue="Messages are in English or French, as the environment (LANG) or --lang says.",
    )
    if lang != "en":
        from registan.cli.help import Translated

        app.help_formatter = Translated(lang, [word for word in words if not word.startswith("-")])
        app.help_epilogue = None
    commands = {name: (f"registan.cli.{where}", help_) for name, (where, help_) in COMMANDS.items()}
    # A game may add a command; the first line of its `cli.py` names it: """`registan name`: Help."""
    for path in sorted((Path(__file__).parent.parent / "games").glob("*/cli.py")):
        with path.open(encoding="utf-8") as file:
            _, name, help_ = file.readline().rstrip('"\n').split("`", 2)
        where = f"registan.games.{path.parent.name}.cli:app"
        commands[name.removeprefix("registan ")] = (where, help_.removeprefix(": "))
    for name, (where, help_) in commands.items():
        # The page of a command itself shows its whole docstring.
        app.command(where, name=name, help=None if words[:1] == [name] else help_)
    return app


def main(args: list[str] | None = None) -> None:
    """Run a command line; bad input ends with one clear line and exit code 2."""
    words = sys.argv[1:] if args is None else args
    compiled.ALONE = True
    asked = _asked_language(words)
    lang = language(asked)
    try:
        if asked is not None and asked not in LANGUAGES:
            raise BadInput("cli.no_language", lang=asked, langs=", ".join(LANGUAGES))
        app = make_app(words, lang)
        code = app(words, exit_on_error=False, print_error=False, result_action="return_int_as_exit_code_else_zero")
        sys.stdout.flush()  # here, where it is noticed if nobody reads it
        sys.exit(code)
    except CycloptsError as error:
        print(f"registan: {in_words(error, lang)}", file=sys.stderr)
        sys.exit(2)
    except RegistanError as error:
        print(f"registan: {error.text(lang)}", file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
    except BrokenPipeError:
        # Nobody reads our output any more; keep Python from complaining about it again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(141)


def _asked_language(args: list[str]) -> str | None:
    """Return what follows --lang, before the command line is parsed: its errors are in that language too."""
    for i, arg in enumerate(args):
        if arg == "--lang" and i + 1 < len(args):
            return args[i + 1]
        if arg.startswith("--lang="):
            return arg.removeprefix("--lang=")
    return None
