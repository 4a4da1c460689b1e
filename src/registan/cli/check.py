"""`registan check`: replay and verify records."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter

from registan.cli.common import progress
from registan.core import batch
from registan.core.engine import is_cached, use_compiled
from registan.core.errors import BadInput, BadRecord
from registan.core.messages import language, say
from registan.core.record import read_lines, replay
from registan.core.registry import find, keys

LARGE = 20_000_000
"""Bytes from which compiling the rules first pays."""


def check(
    file: Path,
    *,
    box: str | None = None,
    json_: Annotated[bool, Parameter(name="--json", negative=())] = False,
    lang: str | None = None,
) -> int:
    """Replay the games of a file and verify every move, state and score.

    Says the line, the move and the rule of the first fault of each bad game. Exit code 1 if there is one.

    Parameters
    ----------
    file
        Records, one JSON object a line.
    box
        The box file the games were played with, if it is not one of ours.
    json_
        Print one JSON object a fault.
    lang
        en or fr.
    """
    tongue = language(lang)
    try:
        opened = sys.stdin.buffer if str(file) == "-" else file.open("rb")
        size = 0 if str(file) == "-" else file.stat().st_size
    except OSError as error:
        raise BadInput("cli.cannot_read", file=file, why=error.strerror) from None
    for key in keys():
        game = find(key)
        if is_cached(game, batch._play) or size > LARGE:
            use_compiled(game)
    good = bad = 0
    with opened, progress(say(tongue, "cli.checking"), None) as more:
        for number, record in read_lines(opened):
            more(1)
            try:
                if isinstance(record, BadRecord):
                    raise record
                replay(record, find, box, number)
                good += 1
            except BadRecord as fault:
                bad += 1
                print(_row(fault, tongue) if json_ else fault.text(tongue), flush=True)
    print(say(tongue, "cli.checked", n=good + bad, bad=bad), file=sys.stderr if json_ else sys.stdout)
    return 1 if bad else 0


def _row(fault: BadRecord, lang: str) -> str:
    rule = getattr(fault.why, "rule", None)
    return json.dumps(
        {"line": fault.line, "move": fault.move, "rule": rule, "why": fault.text(lang)}, ensure_ascii=False
    )
