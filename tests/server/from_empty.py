"""Run by test_ready: a house whose cache is empty, with a table for bots of each level, while games are compiled.

Prints the longest answer of each level, in seconds of the processor: other work on the machine does not change them.
"""

from __future__ import annotations

import asyncio
import sys
import time
from collections import defaultdict
from functools import partial
from pathlib import Path

import msgspec

from registan.bots import LEVELS
from registan.core.compiled import _jitted
from registan.core.registry import keys
from registan.server import warming
from registan.server.live.thinking import Thinking
from registan.tables.bots import Choice, Question
from tests.server.place import Guest, Place, until

ANSWERS = 4
"""How often each bot of a table answers."""
longest: dict[str, float] = defaultdict(float)
answers: dict[str, int] = defaultdict(int)
reasons: dict[str, set[str]] = defaultdict(set)
answer = Thinking.answer


async def timed(self: Thinking, question: Question, person: str, table: str) -> Choice:
    """Answer, and keep how long it took."""
    start = time.process_time()
    choice = await answer(self, question, person, table)
    name = f"{question.engine.game.key} {question.level}"
    longest[name] = max(longest[name], time.process_time() - start)
    answers[table] += 1
    reasons[name].add(choice.why)
    return choice


def play(ann: Guest, table: str) -> bool:
    """Make a move if it is the person's turn, and return whether the bots have answered often enough."""
    view = ann.view(table)
    if view["view"]["legal"]:
        ann.ask(table, do="play", seat=0, move=view["view"]["legal"][0])
    return answers[table] >= 2 * ANSWERS or view["status"] == "over"


def main(store: Path) -> None:
    """Play at a table of each level at once, game by game."""
    Thinking.answer = timed  # type: ignore[method-assign]
    place = Place(str(store))
    compiling = asyncio.run_coroutine_threadsafe(warming.warm(), place.loop)
    ann = place.guest("Ann")
    for game in keys():
        tables = [ann.new_table(game, (level, level)) for level in LEVELS]
        for table in tables:
            until(partial(play, ann, table))
    done = compiling.done()
    compiling.cancel()
    until(compiling.done)
    place.close()
    found = {"longest": longest, "reasons": {name: sorted(why) for name, why in reasons.items()}}
    sys.stdout.buffer.write(msgspec.json.encode({**found, "compiled": len(_jitted), "done": done}))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
