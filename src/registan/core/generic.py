"""What every game can do, written once: each function finds the game's own by the type of the state.

Interpreted, the choice is a dictionary look-up; compiled, it is made by the compiler.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.compiled import chosen_by_record, compiled
from registan.core.game import Game, Ints, Record

_games: dict[Any, Game] = {}


def register(game: Game) -> Game:
    """Make a game known to the generic functions by the type of its state."""
    _games[game.rules.STATE] = game
    return game


def game_of(s: Record) -> Game:
    """Return the game a state belongs to."""
    return _games[s.dtype]


def _from(room: str, name: str) -> Callable[[Any], Callable[..., Any]]:
    """Return how the compiler finds a function: in which part of the game with that type of state."""

    def choose(state: Any) -> Callable[..., Any]:
        from numba import from_dtype

        game = next(g for dtype, g in _games.items() if from_dtype(dtype) == state)
        found: Callable[..., Any] = getattr(getattr(game, room), name)
        return found

    return choose


@chosen_by_record(_from("rules", "setup"))
def setup(box: Record, s: Record) -> None:
    """Lay out a game in a blank state."""
    game_of(s).rules.setup(box, s)


@compiled
def waiting(box: Record, s: Record) -> int:
    """Return the set of seats that are asked, as bits."""
    return int(s.waiting)


@chosen_by_record(_from("rules", "breaks"))
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that the action would break, 0 if it is legal."""
    return game_of(s).rules.breaks(box, s, seat, action)


@chosen_by_record(_from("rules", "legal"))
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    return game_of(s).rules.legal(box, s, seat, out)


@chosen_by_record(_from("rules", "pick"))
def pick(box: Record, s: Record, seat: int, words: Ints, out: Ints) -> int:
    """Return a legal action at random; `out` is room for a list of actions."""
    return game_of(s).rules.pick(box, s, seat, words, out)


@chosen_by_record(_from("rules", "act"))
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action, up to the next question or chance event."""
    game_of(s).rules.act(box, s, seat, action)


@chosen_by_record(_from("rules", "chance"))
def chance(box: Record, s: Record) -> None:
    """Carry out the event that is due."""
    game_of(s).rules.chance(box, s)


@compiled
def apply(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action and all chance that follows from it, up to the next question."""
    act(box, s, seat, action)
    while s.due != 0:
        chance(box, s)


@chosen_by_record(_from("rules", "scores"))
def scores(box: Record, s: Record, out: Ints) -> None:
    """Write what each seat would score now into `out[seat, part]`; part 0 is the total."""
    game_of(s).rules.scores(box, s, out)


@chosen_by_record(_from("rules", "winners"))
def winners(box: Record, s: Record) -> int:
    """Return the seats that would win now, as bits."""
    return game_of(s).rules.winners(box, s)


@chosen_by_record(_from("checks", "faults"))
def faults(box: Record, s: Record) -> int:
    """Return 0, or the number of the first check that does not hold."""
    return game_of(s).checks.faults(box, s)


@chosen_by_record(_from("secrets", "hide"))
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank out of a state whatever the seat cannot know."""
    game_of(s).secrets.hide(box, s, seat)


@chosen_by_record(_from("secrets", "guess"))
def guess(box: Record, s: Record, seat: int, words: Ints) -> None:
    """Deal what is hidden anew, as it might be for all the seat knows."""
    game_of(s).secrets.guess(box, s, seat, words)


@chosen_by_record(_from("secrets", "seen"))
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat learns at once when the actor acts, as a number."""
    return game_of(s).secrets.seen(box, s, seat, actor, action)
