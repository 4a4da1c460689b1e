"""The `registan` command."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from cyclopts import App
from cyclopts.exceptions import CycloptsError

from registan import __version__
from registan.cli.errors import in_words
from registan.core.errors import BadInput, RegistanError
from registan.core.messages import LANGUAGES, language

app = App(
    name="registan",
    help="Play, study and script Silk-Road games; `registan games` lists them.",
    version=__version__,
    help_epilogue="Messages are in English or French, as the environment (LANG) or --lang says.",
)
# Named, not imported: a command loads only what it needs.
for name, help_ in {
    "play": "Play against bots in the terminal.",
    "serve": "Open the house: tables for people and bots, over HTTP and WebSocket.",
    "games": "List the games.",
    "rules": "Show the rules of a game, or one of them.",
    "simulate": "Let bots play many games; count or record them.",
    "arena": "Let bots play against each other, every deal from every seat.",
    "hint": "Show the best moves in an unfinished game.",
    "review": "Look back on a finished game: what each move cost, and how much was luck.",
    "check": "Replay and verify game records.",
    "verify": "Recompute the shuffles of finished games: was the house honest?",
    "migrate": "Bring the database of a house up to date, or check what would differ.",
    "bench": "Measure the engine's speed.",
    "warm": "Compile the games now, so that nothing has to wait later.",
}.items():
    module = {"games": "texts", "rules": "texts", "warm": "bench"}.get(name, name)
    app.command(f"registan.cli.{module}:{name}", help=help_)
for name, function, help_ in (
    ("export", "export", "Write all tables of a house to a file."),
    ("import", "import_", "Add exported tables to a house."),
    ("backup", "backup", "Copy a house while it is open: its database and its key."),
    ("restore", "restore", "Restore a house from a backup."),
):
    app.command(f"registan.cli.keep:{function}", name=name, help=help_)
app.command(
    "registan.cli.lab:app",
    name="lab",
    help="Write a report on a game: who wins, with what, and how much is luck.",
)
# A game may add a command; the first line of its `cli.py` names it: """`registan name`: Help."""
for path in sorted((Path(__file__).parent.parent / "games").glob("*/cli.py")):
    with path.open(encoding="utf-8") as file:
        _, name, help_ = file.readline().rstrip('"\n').split("`", 2)
    name, help_ = name.removeprefix("registan "), help_.removeprefix(": ")
    app.command(f"registan.games.{path.parent.name}.cli:app", name=name, help=help_)


def main(args: list[str] | None = None) -> None:
    """Run a command line; bad input ends with one clear line and exit code 2."""
    asked = _asked_language(sys.argv[1:] if args is None else args)
    lang = language(asked)
    try:
        if asked is not None and asked not in LANGUAGES:
            raise BadInput("cli.no_language", lang=asked, langs=", ".join(LANGUAGES))
        sys.exit(app(args, exit_on_error=False, print_error=False, result_action="return_int_as_exit_code_else_zero"))
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
