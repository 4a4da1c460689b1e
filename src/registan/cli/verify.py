"""`registan verify`: recompute the shuffles of a game from what the house has revealed."""

from __future__ import annotations

from registan.cli.common import Stream, opened_file
from registan.core.errors import BadInput, BadRecord
from registan.core.messages import language, say
from registan.core.record import dumps, read_lines
from registan.core.registry import find
from registan.tables.fairness import verify as recompute


def verify(file: Stream, /, *, box: str | None = None, lang: str | None = None) -> int:
    """Recompute every shuffle of the games in a file, and tell whether the house was honest.

    The house commits to a secret before anybody adds a contribution; together they are the key of all chance. The exit
    code is 1 if something does not match.

    Parameters
    ----------
    file
        Records of finished games, one JSON object per line; - for standard input.
    box
        The box file of the games, if they were not played with a built-in box.
    lang
        en or fr.
    """
    tongue = language(lang)
    good = bad = 0
    with opened_file(file) as opened:
        for number, record in read_lines(opened):
            try:
                if isinstance(record, BadRecord):
                    raise record
                board = recompute(record, find, box, number)
                shuffles = 1 + sum("chance" in written.line for written in board.written)
                print(say(tongue, "house.verified", line=number, n=shuffles), flush=True)
                if record["fairness"].get("scheme", 1) == 1:
                    print(say(tongue, "house.verified_older", line=number), flush=True)
                for back in board.taken_back:
                    lines = back["moves"]
                    seats, moves = ", ".join(map(str, back["seats"])), dumps(lines).decode()
                    text = say(
                        tongue,
                        "house.taken_back",
                        line=number,
                        at=back["at"] + 1,
                        seats=seats,
                        n=len(lines),
                        moves=moves,
                    )
                    print(text, flush=True)
                good += 1
            except BadRecord as fault:
                print(fault.text(tongue), flush=True)
                bad += 1
    if not good + bad:
        raise BadInput("error.house.empty", file=file)
    return 1 if bad else 0
