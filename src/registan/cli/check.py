"""`registan check`: replay and verify records."""

from __future__ import annotations

import json
import sys
from functools import cache, partial
from typing import Annotated

from cyclopts import Parameter

from registan.cli.common import Stream, opened_file, progress
from registan.core import batch
from registan.core.engine import is_cached, use_compiled
from registan.core.errors import BadInput, BadRecord
from registan.core.game import Game
from registan.core.messages import language, say
from registan.core.record import Checked, read_lines, replay
from registan.core.registry import find

LARGE = 20_000_000
"""From this size in bytes, compiling the rules first is worth it."""


def check(
    file: Stream,
    /,
    *,
    box: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> int:
    """Replay the games of a file and verify every move, state and score.

    Reports the line, the move and the rule of the first fault in each bad game. The exit code is 1 if there is any.

    Parameters
    ----------
    file
        Records, one JSON object a line; - for standard input.
    box
        The box file of the games, if they were not played with a built-in box.
    json_
        Print one JSON object for each fault.
    lang
        en or fr.
    """
    tongue = language(lang)
    good = bad = 0
    with opened_file(file) as opened, progress(say(tongue, "cli.checking"), None) as more:
        large = opened is not sys.stdin.buffer and file.stat().st_size > LARGE
        find_fast = cache(partial(_find, large))
        for number, record in read_lines(opened):
            more(1)
            try:
                if isinstance(record, BadRecord):
                    raise record
                replay(record, find_fast, box, number, Checked)
                good += 1
            except BadRecord as fault:
                bad += 1
                print(_row(fault, tongue) if json_ else fault.text(tongue), flush=True)
    if good + bad == 0:
        raise BadInput("cli.no_game", file=file)
    print(say(tongue, "cli.checked", n=good + bad, bad=bad), file=sys.stderr if json_ else sys.stdout)
    return 1 if bad else 0


def _find(large: bool, key: str, version: int | None = None) -> Game:
    """Return a game, compiled if that costs less than it saves; other games of the file need not be loaded."""
    game = find(key, version)
    if large or is_cached(game, batch._play):
        use_compiled(game)
    return game


def _row(fault: BadRecord, lang: str) -> str:
    rule = getattr(fault.why, "rule", None)
    return json.dumps(
        {"line": fault.line, "move": fault.move, "rule": rule, "why": fault.text(lang)}, ensure_ascii=False
    )
