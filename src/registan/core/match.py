"""A match: one game between people, bots or both.

Moves are dictionaries, as in the game record. Chance comes from a keyed stream, refilled for every move.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from registan.core.chance import Source, Stream
from registan.core.engine import Engine
from registan.core.errors import BadInput, BadMove, IllegalMove, RegistanError
from registan.core.game import SEATS, SPECTATOR, Box, Game, Json, Record, check_players, name_first
from registan.core.picture import picture
from registan.core.rulebook import rule_texts
from registan.core.views import Views, view_of

FORMAT = "registan/1"
CARRIED = "box_toml"
"""The field of a record with the file of a box that did not come with the game."""


@dataclass(frozen=True, slots=True)
class Written:
    """One line of the record, with what `--legal` and `--states` can add to it."""

    line: Json
    asked: Any  # the state before the decision, what `--legal` adds, or None for an event
    after: Any


class Match:
    """One game in progress. `registan.new` makes one.

    >>> import registan
    >>> match = registan.new("khiva", players=4, seed=7)
    >>> match.waiting
    [0, 1, 2, 3]
    >>> move = match.legal(0)[0]
    >>> match.play(0, move)
    >>> match.waiting
    [1, 2, 3]
    """

    players: int
    """The number of seats."""

    def __init__(
        self,
        game: Game,
        box: Box,
        players: int,
        options: Mapping[str, Any] | None = None,
        stream: Source | None = None,
        compiled: bool | None = None,
    ) -> None:
        self.game, self.box, self.players = game, box, players
        self.options = checked_options(game, options or {})
        check_players(game, box, players)
        self.engine = Engine(game, box, compiled)
        self._stream: Source = stream or Stream(os.urandom(32))
        self._states = np.zeros(1, game.rules.STATE)
        self._states["players"][0] = players
        for name, option in game.options.items():
            self.state[name] = option.values.index(self.options.get(name, option.default))
        self._opened: Any = None
        self._answers: list[tuple[int, int]] = []
        self._before: list[tuple[bytes, int, Any, list[tuple[int, int]]]] = []
        self.written: list[Written] = []
        self._setup: Json = {}

    def __repr__(self) -> str:
        seats = ", ".join(map(str, self.waiting))
        now = f"over, won by {', '.join(map(str, self.winners()))}" if self.over else f"waiting for {seats}"
        mode = "compiled" if self.engine.compiled else f"interpreted; registan warm {self.game.key} compiles it"
        return f"<Match of {self.game.key}: {self.players} players, {self.moves_played} moves, {now} ({mode})>"

    def _repr_svg_(self) -> str:
        """Return a picture of the open table, for notebooks."""
        return picture(self.game, self.box, self.view())

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__ | {"engine": self.engine._mode}
        return state | {"_states": self._states.tobytes()}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__ |= state
        self.engine = Engine(self.game, self.box, state["engine"])
        self.restore(state["_states"])

    def copy(self) -> Match:
        """Return an independent copy, which goes on with the same chance as long as the same moves are played."""
        twin: Match = object.__new__(Match)
        twin.__dict__ |= self.__dict__
        twin._answers, twin._before, twin.written = list(self._answers), list(self._before), list(self.written)
        twin.restore(self.state.tobytes())
        return twin

    def deal(self, first: int | None = None) -> Match:
        """Set up the game at random; `first` is the seat that begins, drawn by lot by default."""
        name_first(self.game, self._states, first)
        self._stream.fill(self.state.rng, 0)
        self.engine.setup(self._states)
        self._setup = self.game.moves.write_setup(self.box, self.state)
        return self

    def apply_setup(self, setup: Json) -> Match:
        """Set up the game as written in a record."""
        self.game.moves.apply_setup(self.box, self.state, setup)
        self._setup = self.game.moves.write_setup(self.box, self.state)
        return self

    @property
    def state(self) -> Record:
        """The whole state, secrets included: for the engine, never for a player."""
        return self._states[0]

    @property
    def waiting(self) -> list[int]:
        """The seats to move now, all at once."""
        waiting = int(self._states["waiting"][0])
        return [seat for seat in range(SEATS) if waiting >> seat & 1]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._states["over"][0])

    @property
    def due(self) -> bool:
        """Whether a chance event is to be carried out before anybody moves."""
        return bool(self._states["due"][0])

    @property
    def moves_played(self) -> int:
        """How many decisions have been made."""
        return len(self._before)

    def actions(self, seat: int) -> list[int]:
        """Return the numbers of the legal actions of a seat."""
        return self.engine.legal(self._states, self._seat(seat))

    def legal(self, seat: int) -> list[Json]:
        """Return the legal moves of a seat."""
        return [self.game.moves.write(self.box, self.state, seat, action) for action in self.actions(seat)]

    def play(self, seat: int, move: Json) -> None:
        """Play a move; raise IllegalMove with the rule that it breaks, or BadMove if it cannot be read."""
        if not isinstance(move, dict):
            raise BadMove("error.record.line")
        self.play_action(seat, self.game.moves.read(self.box, self.state, move))

    def play_action(self, seat: int, action: int) -> None:
        """Play an action by its number."""
        self.act(seat, action)
        while self.due:
            before = self._copy()
            self.engine.chance(self._states)
            line = self.game.moves.write_event(self.box, before, self.state)
            self.written.append(Written(line, None, self._copy()))

    def act(self, seat: int, action: int) -> None:
        """Play an action, but leave the chance events that follow to the caller (`apply_event`)."""
        before = (self._states.tobytes(), len(self.written), self._opened, list(self._answers))
        rng = self._states["rng"][0]
        kept = rng.copy()
        self._stream.fill(rng, len(self._before) + 1)
        opened = self._opened if self._answers else self._copy()
        try:
            self._carry_out(seat, action, opened)
        except RegistanError:
            rng[:] = kept
            raise
        self._before.append(before)

    def _carry_out(self, seat: int, action: int, opened: Any) -> None:
        """Play an action in the decision that began in the state `opened`; change nothing if it is not legal."""
        closing = int(self._states["waiting"][0]) == 1 << self._seat(seat)
        self._refuse(self.engine.act(self._states, seat, action))
        self._opened = opened
        self._answers.append((seat, action))
        if closing:
            self._write(sorted(self._answers))
            self._answers = []

    def check(self, seat: int, action: int) -> None:
        """Raise IllegalMove if the seat may not play the action."""
        self._refuse(self.engine.breaks(self._states, self._seat(seat), action))

    def _refuse(self, rule: int) -> None:
        """Raise IllegalMove if an action breaks a rule."""
        if rule:
            id_ = self.game.rule_id(rule)
            raise IllegalMove(id_, rule_texts(self.game, id_))

    def apply_event(self, line: Json) -> None:
        """Carry out the event that is due as written in a record."""
        self.game.moves.apply_event(self.box, self.state, line)
        self.written.append(Written({k: v for k, v in line.items() if k != "state"}, None, self._copy()))

    def undo(self) -> None:
        """Take back the last move."""
        if not self._before:
            raise BadInput("error.nothing_to_undo")
        data, lines, self._opened, self._answers = self._before.pop()
        self.restore(data)
        del self.written[lines:]

    def restore(self, snapshot: bytes) -> None:
        """Restore a state from its bytes (`state.tobytes()`); the lines of the record stay."""
        self._states = np.frombuffer(bytearray(snapshot), self.game.rules.STATE)

    def hidden(self, seat: int = SPECTATOR) -> Any:
        """Return the state as the seat, or a spectator, may know it, as an array of one.

        Everything that leaves the engine is made from this.
        """
        hidden = self._states.copy()
        self.engine.hide(hidden, self._audience(seat))
        return hidden

    def view(self, seat: int = SPECTATOR) -> Json:
        """Return the table as the seat, or a spectator, sees it."""
        return view_of(self.engine, self.state.tobytes(), self._audience(seat))

    def views(self) -> Views:
        """Return the current views of everybody."""
        return Views(self.engine, self._states.tobytes(), self.players)

    def view_after(self, i: int, seat: int = SPECTATOR) -> Json:
        """Return the table as the seat, or a spectator, saw it after line i of the record."""
        return view_of(self.engine, self.written[i].after.tobytes(), self._audience(seat))

    def log(self, seat: int = SPECTATOR) -> list[Json]:
        """Return the lines of the record as far as the seat, or a spectator, may read them."""
        return [line for _, line in self.readable(seat)]

    def readable(self, seat: int = SPECTATOR) -> list[tuple[int, Json]]:
        """Return the lines that the seat, or a spectator, may read, each with its number in the record."""
        self._audience(seat)
        gone = self.game.moves.forgotten(self.state, (w.line for w in self.written))
        lines = ((i, self.line_for(i, seat)) for i in range(len(self.written)) if i not in gone)
        return [(i, line) for i, line in lines if line]

    def line_for(self, i: int, seat: int = SPECTATOR) -> Json:
        """Return line i of the record as the seat may read it, empty if it may not know of it."""
        return self.game.moves.redact(self.written[i].line, seat, self.players)

    def scores(self) -> list[Json]:
        """Return what each seat would score if the game ended now."""
        parts = self.game.rules.SCORES
        out = self.engine.scores(self._states)[0]
        total_last = (*range(1, len(parts)), 0)
        score_details = self.game.moves.score_details
        return [
            {**{parts[i]: int(out[seat, i]) for i in total_last}, **score_details(self.box, self.state, seat)}
            for seat in range(self.players)
        ]

    def winners(self) -> list[int]:
        """Return the seats that would win if the game ended now."""
        who = int(self.engine.winners(self._states)[0])
        return [seat for seat in range(self.players) if who >> seat & 1]

    def record(self, legal: bool = False, states: bool = False, **more: Any) -> Json:
        """Return the game record; `legal` and `states` add the legal moves and the resulting state to every line."""
        record: Json = {
            "format": FORMAT,
            "game": self.game.key,
            "players": self.players,
            "options": self.options,
            "box": {"key": self.box.key, "sha256": self.box.sha256},
            "status": "finished" if self.over else "running",
            "setup": self._setup,
            "moves": [self.line(i, legal, states) for i in range(len(self.written))],
            "scores": self.scores() if self.over else None,
            "winners": self.winners() if self.over else None,
        }
        if self.box.contents:
            record[CARRIED] = self.box.contents
        if self._answers:
            record["sealed"] = sorted(seat for seat, _ in self._answers)
        return record | more

    def line(self, i: int, legal: bool, states: bool) -> Json:
        """Return a line of the record, optionally with the legal moves and the resulting state."""
        written = self.written[i]
        line = dict(written.line)
        if legal and isinstance(written.asked, dict):
            line |= written.asked
        elif legal and written.asked is not None:
            seat = line["seat"]
            asked = np.frombuffer(bytearray(written.asked.tobytes()), self._states.dtype)
            actions, moves = self.engine.legal(asked, seat), self.game.moves
            line["legal"] = [moves.write(self.box, written.asked, seat, action) for action in actions]
        if states:
            line["state"] = self.game.moves.write_state(self.box, written.after)
        return line

    def _write(self, answers: list[tuple[int, int]]) -> None:
        """Write the lines of a decision that all have answered; it takes effect with the last line."""
        opened, after = self._opened, self._copy()
        lines = self.game.moves.question(self.box, opened, answers)
        if lines is not None:
            self.written += [Written(line, extra, after) for line, extra in lines]
            return
        for seat, action in answers:
            line = {"seat": seat, **self.game.moves.write(self.box, opened, seat, action)}
            self.written.append(Written(line, opened, after if seat == answers[-1][0] else opened))

    def _copy(self) -> Record:
        # Copy bytes: NumPy would copy field by field.
        return np.frombuffer(bytearray(self._states.tobytes()), self._states.dtype)[0]

    def _seat(self, seat: Any) -> int:
        if isinstance(seat, bool) or not isinstance(seat, int | np.integer) or not 0 <= seat < self.players:
            raise BadInput("error.seat", seat=seat, last=self.players - 1)
        return int(seat)

    def _audience(self, seat: int) -> int:
        return SPECTATOR if seat == SPECTATOR else self._seat(seat)


def checked_options(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options that differ from their default; raise BadInput for unknown options or values."""
    for name, value in options.items():
        if name not in game.options:
            known = ", ".join(game.options)
            raise BadInput("error.option", game=game.key, option=name, options=known)
        values = game.options[name].values
        if not any(value is v or (isinstance(v, str) and value == v) for v in values):
            raise BadInput("error.option_value", option=name, value=value, values=", ".join(str(v) for v in values))
    return {name: value for name, value in options.items() if value != game.options[name].default}
