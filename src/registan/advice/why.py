"""Why the search prefers a move: what its simulations say, compared with those of the other moves.

A reason is a difference that chance does not explain: a part of one's own score, what another player ends up with, or
what others do next. It is a JSON object, so that the browser can say it too. Games may have words of their own for a
part of the score (`<game>.why.<part>.more`, `<game>.why.<part>.less`); otherwise the part's name is used.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from registan.bots.search_bot import Opinion, Reply
from registan.core.engine import Engine
from registan.core.game import Box, Game, Ints, Json
from registan.core.messages import listing, number, part_name, say, say_optional

CERTAIN = 2.6
"""A difference is no accident if it is this many standard errors: 1 % for each of several comparisons."""
LEAST = 0.25
"""Smaller differences, in points, are not worth a word."""
OFTEN, MORE_OFTEN = 0.3, 0.1
"""A reply is named if it has this share of all replies, and so much more than after other moves."""
ENOUGH = 30
"""How many simulations a move needs before anything is said about it."""


def reasons(engine: Engine, players: int, seat: int, opinions: Sequence[Opinion], place: int) -> list[Json]:
    """Return why the move in that place is good: compared with all others for the best, with the best for the rest.

    Each reason has `why`: `more` or `less` of a part of the seat's score, `denies` or `helps` another seat, a `reply`,
    `often` (it wins more often, not by more points), `rarely`, `even` (nothing tells the moves apart), or `still` (what
    speaks against the best move does not outweigh the rest).
    """
    mine = opinions[place]
    others = [o for i, o in enumerate(opinions) if (i != place if place == 0 else i == 0)]
    known = [o.outlook for o in others if o.outlook is not None]
    if mine.outlook is None or not known:
        return []
    rest = sum(known[1:], known[0])
    if min(mine.outlook.n, rest.n) < ENOUGH:
        return []
    differs = partial(_differs, mine.outlook.means - rest.means, np.sqrt(mine.outlook.errors + rest.errors))
    found = _own(engine.game, seat, differs) + _of_others(seat, players, differs)
    wins = differs(seat, 0, 0.0)
    if not found:
        found = [{"why": "even" if not wins else "often" if wins > 0 else "rarely"}]
    elif place == 0 and not any(reason["why"] in ("more", "denies") for reason in found):
        found.append({"why": "often" if wins > 0 else "still"})
    return found + _reply(engine, seat, players, mine, others)


def _differs(difference: Ints, error: Ints, seat: int, part: int, least: float = LEAST) -> float:
    """Return a difference, 0 if it may be an accident or is too small."""
    value = float(difference[seat, part])
    return value if abs(value) >= least and abs(value) > CERTAIN * float(error[seat, part]) else 0.0


def _own(game: Game, seat: int, differs: Callable[[int, int], float]) -> list[Json]:
    """Return the parts of the seat's score that differ: the two that gain most, and the one that loses most."""
    names = game.rules.SCORES
    parts = range(1, len(names)) if len(names) > 1 else range(1)
    changes = sorted(((differs(seat, 1 + part), names[part]) for part in parts), reverse=True)
    gains = [{"why": "more", "part": part, "points": round(n, 2)} for n, part in changes[:2] if n > 0]
    losses = [{"why": "less", "part": part, "points": round(-n, 2)} for n, part in changes[-1:] if n < 0]
    return gains + losses


def _of_others(seat: int, players: int, differs: Callable[[int, int], float]) -> list[Json]:
    """Return who loses most by the move, and who gains most."""
    changes = sorted((differs(other, 1), other) for other in range(players) if other != seat)
    (worst, loser), (best, gainer) = changes[0], changes[-1]
    found: list[Json] = []
    if worst < 0:
        found.append({"why": "denies", "seat": loser, "points": round(-worst, 2)})
    if best > 0:
        found.append({"why": "helps", "seat": gainer, "points": round(best, 2)})
    return found


def _reply(engine: Engine, seat: int, players: int, mine: Opinion, others: Sequence[Opinion]) -> list[Json]:
    """Return the reply that others often give to this move, and less often to the others."""
    here = _shares(engine, seat, players, mine.replies)
    there = _shares(engine, seat, players, [reply for other in others for reply in other.replies])
    if not here:
        return []
    line = max(here, key=lambda key: (here[key], key))
    if here[line] < OFTEN or here[line] - there.get(line, 0.0) < MORE_OFTEN:
        return []
    return [{"why": "reply", "line": json.loads(line), "share": round(here[line], 2)}]


def _shares(engine: Engine, seat: int, players: int, replies: Sequence[Reply]) -> dict[str, float]:
    """Return how often each reply is given, as a line that the seat could read."""
    moves, counts = engine.game.moves, dict[str, int]()
    total = sum(reply.times for reply in replies)
    for reply in replies if total >= ENOUGH else ():
        move = moves.write(engine.box, reply.world, reply.seat, reply.action)
        line = moves.redact({"seat": reply.seat, **move}, seat, players)
        if line:
            key = json.dumps(line, sort_keys=True)
            counts[key] = counts.get(key, 0) + reply.times
    return {key: count / total for key, count in counts.items()}


def tell_why(game: Game, box: Box, found: Sequence[Json], than: str, lang: str, who: Callable[[int], str]) -> str:
    """Return reasons as one or two sentences, empty if there are none; `who` names seats.

    `than` is what the move is compared with: `others`, `best` or `played`.
    """
    clauses = _clauses(game, found, lang, who)
    told = [say(lang, f"why.than.{than}", reasons=listing(lang, clauses))] if clauses else []
    for reason in found:
        if reason["why"] == "reply":
            share = number(lang, 100 * reason["share"], 0)
            told.append(say(lang, "why.reply", line=game.tell(box, reason["line"], lang, who), share=share))
    return " ".join(told)


def _clauses(game: Game, found: Sequence[Json], lang: str, who: Callable[[int], str]) -> list[str]:
    """Return what is different, as parts of a sentence; what a move brings is one of them."""
    brings: list[str] = []
    clauses: list[str] = []
    for reason in found:
        why, n = reason["why"], number(lang, reason.get("points", 0.0))
        if why in ("more", "less"):
            part = reason["part"]
            own = say_optional(lang, f"{game.key}.why.{part}.{why}", n=n)
            if own is not None:
                clauses.append(own)
            elif part == "total":
                brings.append(say(lang, f"why.total.{why}", n=n))
            else:
                brings.append(say(lang, f"why.{why}", n=n, part=part_name(lang, game.key, part)))
        elif why in ("denies", "helps"):
            clauses.append(say(lang, f"why.{why}", who=who(reason["seat"]), n=n))
        elif why != "reply":
            clauses.append(say(lang, f"why.{why}"))
    return ([say(lang, "why.brings", parts=listing(lang, brings))] if brings else []) + clauses


def than(place: int) -> str:
    """Return what the move in that place is compared with (`reasons`)."""
    return "others" if place == 0 else "best"
