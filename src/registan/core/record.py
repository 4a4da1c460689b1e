"""The game record: reading, replaying and checking it, whoever wrote it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from registan.core.box import find_box
from registan.core.errors import BadInput, BadMove, BadRecord, RegistanError
from registan.core.game import Box, Game, Json
from registan.core.match import CARRIED, FORMAT, Match

Find = Callable[..., Game]
STATUSES = ("finished", "running", "abandoned")


class Checked(Match):
    """A match that is only replayed: nothing can be taken back, and all chance is written in the record."""

    def act(self, seat: int, action: int) -> None:
        """Play an action, but keep nothing for undoing it and draw no chance for it."""
        self._carry_out(seat, action, self._opened if self._answers else self._copy())


def dumps(record: Json | list[Json]) -> bytes:
    """Return a record as one line of JSON."""
    return msgspec.json.encode(record)


def read_lines(file: BinaryIO) -> Iterator[tuple[int, Json | BadRecord]]:
    """Yield the records of a JSON Lines file with their line numbers; anything else is yielded as a BadRecord."""
    for number, data in enumerate(file, 1):
        if not data.strip():
            continue
        try:
            record = msgspec.json.decode(data)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            yield number, BadRecord(number, None, BadMove("error.json", why=error))
            continue
        if isinstance(record, dict):
            yield number, record
        else:
            yield number, BadRecord(number, None, BadMove("error.record.object"))


def replay(
    record: Json,
    find: Find,
    box: str | Path | bytes | None = None,
    number: int | None = None,
    kind: type[Match] = Match,
) -> Match:
    """Replay a record and check its lines, states and scores; raise BadRecord at the first fault.

    `find` returns a game by its key, and optionally its version; `box` is the file of a box that is not built in, or
    its contents; `number` is the line of the file, for the message; `kind` is the class of match to replay it in.
    """
    at: int | None = None
    try:
        match = _start(record, find, box, kind)
        moves = record.get("moves")
        if not isinstance(moves, list):
            raise BadMove("error.record.field", field="moves", want="list")
        compared = 0
        for upto, line in enumerate(moves, 1):
            at = upto
            _replay_line(match, line)
            # Simultaneous answers are written, by us too, when the last one is given.
            for i in range(compared, min(upto, len(match.written))):
                at = i + 1
                _compare(match, i, moves[i])
            compared = len(match.written)
        at = None
        _finish(match, record)
    except RegistanError as error:
        raise BadRecord(number, at, error) from None
    return match


def taken_back(record: Json) -> list[Json]:
    """Return what a record says was taken back at the table; raise BadMove if it is not as the format has it.

    Replaying ignores it: `moves` alone is the game.
    """
    entries = record.get("taken_back", [])
    good = isinstance(entries, list) and all(
        isinstance(entry, dict)
        and type(entry.get("at")) is int
        and entry["at"] >= 0
        and isinstance(entry.get("seats"), list)
        and all(type(seat) is int for seat in entry["seats"])
        and isinstance(entry.get("moves"), list)
        and all(isinstance(line, dict) for line in entry["moves"])
        for entry in entries
    )
    if not good:
        raise BadMove("error.record.field", field="taken_back", want="list")
    return entries  # type: ignore[no-any-return]


def game_of(record: Json, find: Find) -> Game:
    """Return the game of a record, in the version with which it was played if we know that one."""
    game = find(record["game"])
    version = record.get("engine")
    if type(version) is int and version != game.version:
        with suppress(BadInput):  # other programs may use the field for something else
            return find(record["game"], version)
    return game


def _start(record: Json, find: Find, box: str | Path | bytes | None, kind: type[Match]) -> Match:
    """Check the head of a record and set up the game."""
    if not isinstance(record, dict):
        raise BadMove("error.record.object")
    if record.get("format") != FORMAT:
        raise BadMove("error.record.format", found=record.get("format"), want=FORMAT)
    kinds = {"game": str, "players": int, "options": dict, "box": dict, "status": str, "setup": dict}
    for name, want in kinds.items():
        if type(record.get(name)) is not want:
            raise BadMove("error.record.field", field=name, want=want.__name__)
    if record["status"] not in STATUSES:
        raise BadMove("error.record.status", found=record["status"], want=", ".join(STATUSES))
    game = game_of(record, find)
    match = kind(game, _box(game, record, box), record["players"], record["options"])
    return match.apply_setup(record["setup"])


def _box(game: Game, record: Json, given: str | Path | bytes | None) -> Box:
    """Return the box that the record was played with, which it may carry; raise BadMove if ours is different."""
    wanted, carried = record["box"], record.get(CARRIED)
    key = wanted.get("key")
    if given is None and isinstance(carried, str):
        return _carried(game, wanted, carried)
    if not isinstance(key, str) or (given is None and key not in game.boxes):
        raise BadMove("error.record.box", box=key, boxes=", ".join(game.boxes))
    if isinstance(given, bytes):
        box = game.load_box(given, f"{key}.toml")
    else:
        box = find_box(game, given if given is not None else key)
    if (box.key, box.sha256) != (key, wanted.get("sha256")):
        raise BadMove("error.record.other_box", box=key)
    return box


def _carried(game: Game, wanted: Json, contents: str) -> Box:
    """Return the box whose file the record carries; raise BadMove if it is not the one that it names."""
    data = contents.encode("utf-8", "replace")
    if hashlib.sha256(data).hexdigest() != wanted.get("sha256"):
        raise BadMove("error.record.carried", box=wanted.get("key"))
    box = game.load_box(data, f"{game.key}.toml")
    if box.key != wanted.get("key"):
        raise BadMove("error.record.carried", box=wanted.get("key"))
    return replace(box, contents=contents)


def _replay_line(match: Match, line: Any) -> None:
    """Play a line."""
    if not isinstance(line, dict):
        raise BadMove("error.record.line")
    if match.over:
        raise BadMove("error.record.over")
    if "seat" in line:
        if match.due:
            raise BadMove("error.record.due")
        seat = line["seat"]
        match.act(seat, match.game.moves.read(match.box, match.state, line))
        return
    if not match.due:
        match.game.moves.replay(match.box, match.state, line, match.act)
    if match.due:
        match.apply_event(line)


def _compare(match: Match, i: int, given: Json) -> None:
    """Compare our line with the given one."""
    written = match.written[i]
    if given.get("seat") != written.line.get("seat"):
        raise BadMove("error.record.order")
    if "legal" in given:
        _compare_legal(match, i, given["legal"])
    if isinstance(written.asked, dict):
        for name, ours in written.asked.items():
            if name in given and _tidy([given[name]]) != _tidy([ours]):
                raise BadMove("error.record.state", field=name, found=_key(given[name]), want=_key(ours))
    if "state" in given:
        _compare_state(match, i, given["state"])


def _compare_legal(match: Match, i: int, legal: Any) -> None:
    asked = match.written[i].asked
    if not isinstance(legal, list) or asked is None or isinstance(asked, dict):
        raise BadMove("error.record.field", field="legal", want="list")
    ours = {_key(move) for move in match.line(i, True, False)["legal"]}
    moves = match.game.moves
    seat = match.written[i].line["seat"]
    theirs = set()
    for move in legal:
        if not isinstance(move, dict):
            raise BadMove("error.record.line")
        theirs.add(_key(moves.write(match.box, asked, seat, moves.read(match.box, asked, move))))
    if ours != theirs or len(legal) != len(ours):
        raise BadMove("error.record.legal", more=_first(theirs - ours), less=_first(ours - theirs))


def _first(keys: set[str]) -> str:
    return min(keys, default="–")


def _key(value: Any) -> str:
    return json.dumps(value, sort_keys=True)


def _compare_state(match: Match, i: int, state: Any) -> None:
    ours = match.line(i, False, True)["state"]
    moves = match.game.moves
    if not isinstance(state, dict):
        raise BadMove("error.record.field", field="state", want="dict")
    for name in sorted(ours.keys() | state.keys()):
        a, b = ours.get(name), state.get(name)
        if name in moves.UNORDERED:
            a, b = _tidy(a), _tidy(b)
        elif name in moves.FREE and isinstance(b, list):
            a, b = _tidy([a]), _tidy([b])
        if a != b:
            raise BadMove("error.record.state", field=name, found=_key(state.get(name)), want=_key(ours.get(name)))


def _tidy(value: Any) -> Any:
    """Return a list or dict of lists with the inner lists sorted, as their order has no meaning."""
    if isinstance(value, dict):
        return {k: sorted(v, key=_key) if isinstance(v, list) else v for k, v in value.items()}
    if isinstance(value, list):
        return [sorted(v, key=_key) if isinstance(v, list) else v for v in value]
    return value


def _finish(match: Match, record: Json) -> None:
    """Check the end of a record: status, scores, winners."""
    if match.due:
        raise BadMove("error.record.due")
    if len(match.written) < len(record["moves"]):
        raise BadMove("error.record.open")
    finished = record["status"] == "finished"
    if finished != match.over:
        raise BadMove("error.record.unfinished" if finished else "error.record.finished")
    if not finished:
        if record.get("scores") is not None or record.get("winners") is not None:
            raise BadMove("error.record.field", field="scores", want="null")
        return
    scores, ours = record.get("scores"), match.scores()
    if not isinstance(scores, list) or not all(isinstance(score, dict) for score in scores):
        raise BadMove("error.record.field", field="scores", want="list")
    comparable = match.game.moves.comparable
    if [comparable(score) for score in scores] != [comparable(score) for score in ours]:
        raise BadMove("error.record.scores", found=_key(scores), want=_key(ours))
    winners = record.get("winners")
    if not isinstance(winners, list) or sorted(winners, key=_key) != match.winners():
        raise BadMove("error.record.winners", found=_key(winners), want=_key(match.winners()))
