"""`registan bots` and `registan bot new`: which bots there are, and how to begin one's own."""

from __future__ import annotations

import re
from pathlib import Path

from cyclopts import App

from registan.bots import NAMES
from registan.bots.own import packaged
from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find, keys

app = App(name="bot", help="Write a bot of your own.")
SKELETON = Path(__file__).parent / "skeleton"


def bots(*, lang: str | None = None) -> None:
    """List the bots: those that are built in, and those of other packages.

    Parameters
    ----------
    lang
        en or fr.
    """
    tongue = language(lang)
    rows = [(name, say(tongue, f"cli.bots.{name}")) for name in NAMES]
    for name, point in packaged().items():
        package = point.dist.name if point.dist else point.value
        if name in NAMES:
            rows.append((name, say(tongue, "cli.bots.taken", package=package)))
            continue
        try:
            about = (point.load().__doc__ or "").strip().partition("\n")[0]
            rows.append((name, f"{about} ({package})".strip()))
        except Exception as error:
            rows.append((name, say(tongue, "cli.bots.broken", why=repr(error))))
    width = max(len(name) for name, _ in rows)
    for name, about in rows:
        print(f"{name:<{width}}  {about}")
    print(say(tongue, "cli.bots.more"))


@app.command
def new(name: str, /, *, folder: Path | None = None, game: str | None = None, lang: str | None = None) -> None:
    """Make a folder with a bot that works, and a test of it.

    Parameters
    ----------
    name
        What to call it: small letters, digits and _.
    folder
        The folder to make (default: the name).
    game
        The game it is for; `registan games` lists them.
    lang
        en or fr.
    """
    tongue = language(lang)
    if not re.fullmatch(r"[a-z][a-z0-9_]{0,39}", name):
        raise BadInput("cli.bot.bad_name", name=name)
    if name in NAMES:
        raise BadInput("error.bot_taken", bot=name, bots=", ".join(NAMES))
    found = find(game or keys()[0])
    where = folder or Path(name)
    words = {"NAME": name, "KIND": "".join(part.capitalize() for part in name.split("_")) + "Bot", "GAME": found.key}
    words["PLAYERS"] = str(min(4, found.players[-1]))
    try:
        where.mkdir(parents=True)
        for source in sorted(SKELETON.glob("*.txt")):
            text = source.read_text("utf-8")
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            (where / source.stem.replace("NAME", name)).write_text(text, "utf-8")
    except FileExistsError:
        raise BadInput("cli.bot.exists", folder=where) from None
    except OSError as error:
        raise BadInput("cli.cannot_write", file=where, why=error.strerror) from None
    bot = f"{name}.py:{words['KIND']}"
    print(say(tongue, "cli.bot.made", folder=where, bot=bot, game=found.key, players=words["PLAYERS"]))
