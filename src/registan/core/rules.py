"""The rules of any game, for compiled code to call. Python code calls `core.engine`.

Each function dispatches on the type of the state to the function of the same name in a part of the game: by a
dictionary when interpreted, by the compiler when compiled. Its body is the default for games without that function.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

from registan.core import chance as dice
from registan.core.compiled import chosen_by_record, compiled
from registan.core.game import SEATS, Game, Ints, Record
from registan.core.observation import plain_observe

F = TypeVar("F", bound=Callable[..., Any])
PARTS = 16
"""The most parts a score can have."""
TRAITS = 23
"""How many numbers say what an action is, where a game has none of its own: three, and the first actions one by one."""

_games: dict[Any, Game] = {}


def register(game: Game) -> None:
    """Register a game by the type of its state."""
    _games[game.rules.STATE] = game


def game_of(s: Record) -> Game:
    """Return the game a state belongs to."""
    return _games[s.dtype]


def by_game(part: str, default: Callable[[Game], Callable[..., Any]] | None = None) -> Callable[[F], F]:
    """Mark a function that games may define in one of their parts; its body is the default, or what `default` makes."""

    def mark(plain: F) -> F:
        def of(game: Game) -> Any:
            own = getattr(game.part(part), plain.__name__, None)
            return own or (plain if default is None else default(game))

        def choose(state: Any) -> Callable[..., Any]:
            from numba import from_dtype

            # To the compiler, the states of an older version, which is never compiled, may look the same.
            games = (g for dtype, g in _games.items() if not g.present and from_dtype(dtype) == state)
            found: Callable[..., Any] = of(next(games))
            return found

        @functools.wraps(plain)
        def call(box: Record, s: Record, *rest: Any) -> Any:
            return of(_games[s.dtype])(box, s, *rest)

        return chosen_by_record(choose)(call)  # type: ignore[return-value]

    return mark


@by_game("rules")
def setup(box: Record, s: Record) -> None:
    """Set up a game in a state that is blank except for players, options, `first` and `rng`."""


@by_game("rules")
def breaks(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of the rule that an action breaks, 0 if it is legal."""
    raise NotImplementedError


@by_game("rules")
def legal(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write the legal actions of a seat into `out`, lowest first, and return how many there are."""
    raise NotImplementedError


@by_game("rules")
def pick(box: Record, s: Record, seat: int, rng: Ints, out: Ints) -> int:
    """Return a legal action at random; `out` is a buffer for a list of actions."""
    return int(out[dice.below(rng, legal(box, s, seat, out))])


@by_game("rules")
def act(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action, up to the next decision or chance event."""


@by_game("rules")
def chance(box: Record, s: Record) -> None:
    """Carry out the event that is due."""


@compiled
def apply(box: Record, s: Record, seat: int, action: int) -> None:
    """Carry out a legal action and the chance events that follow, up to the next decision."""
    act(box, s, seat, action)
    while s.due != 0:
        chance(box, s)


@compiled
def next_seat(s: Record) -> int:
    """Return the lowest seat to move, -1 if there is none."""
    waiting = int(s.waiting)
    for seat in range(SEATS):
        if (waiting >> seat) & 1:
            return seat
    return -1


@by_game("rules")
def scores(box: Record, s: Record, out: Ints) -> None:
    """Write what each seat would score now into `out[seat, part]`; part 0 is the total."""


@by_game("rules")
def winners(box: Record, s: Record) -> int:
    """Return the seats that would win now, as bits: by default those with the most points."""
    points = np.zeros((SEATS, PARTS), np.int64)
    scores(box, s, points)
    top = points[0, 0]
    for seat in range(1, s.players):
        top = max(top, points[seat, 0])
    who = 0
    for seat in range(s.players):
        if points[seat, 0] == top:
            who |= 1 << seat
    return who


@by_game("checks")
def faults(box: Record, s: Record) -> int:
    """Return 0, or the number of the first check that fails."""
    return 0


@by_game("secrets")
def hide(box: Record, s: Record, seat: int) -> None:
    """Blank everything in a state that the seat cannot know."""


@by_game("secrets")
def guess(box: Record, s: Record, seat: int, rng: Ints) -> None:
    """Deal what is hidden at random, consistent with what the seat knows."""


@by_game("secrets")
def reshuffle(box: Record, s: Record, rng: Ints) -> None:
    """Shuffle what nobody at the table knows, and leave all hands as they are: by default only future chance.

    A game whose state has piles in order shuffles them. No seat may notice: it knows the same before and after.
    """
    for i in range(len(s.rng)):
        s.rng[i] = dice.draw(rng)


@by_game("secrets")
def seen(box: Record, s: Record, seat: int, actor: int, action: int) -> int:
    """Return what the seat observes when the actor acts, as a number."""
    raise NotImplementedError


@by_game("secrets")
def unseal(box: Record, s: Record, seat: int) -> None:
    """Ask everybody but the seat again who has given a sealed answer to the open question.

    `guess` fills in some answer; a search lets them answer as it thinks they would.
    """


@by_game("secrets")
def reveals(box: Record, s: Record, seat: int, action: int) -> bool:
    """Return whether a legal action may show the seat something that does not follow from what it knows.

    `s` is the state as the seat may know it, so the answer itself tells nothing. Chance events and the end of the game
    reveal in any case, and need not be mentioned here. Where a game says nothing, every action may reveal something.
    """
    return True


@by_game("view")
def brings(box: Record, s: Record, seat: int, action: int, out: Ints) -> None:
    """Write what a legal action would certainly bring the seat, as `view.BRINGS` numbers."""


@by_game("view")
def figures(box: Record, s: Record, audience: int, out: Ints) -> int:
    """Write what a view shows and only the rules can tell, up to `view.FIGURES` numbers; return how many."""
    return 0


@by_game("bot")
def weigh(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints) -> None:
    """Write into `out` what each of n legal actions seems worth to the seat, in points."""
    out[:n] = 0.0


@by_game("bot")
def glance(box: Record, s: Record, seat: int, actions: Ints, n: int, out: Ints, eye: Any) -> None:
    """Do the same by the numbers of `eye`, an `Eye` of the game's `bot.py`; without one, as `weigh` does."""
    weigh(box, s, seat, actions, n, out)


@by_game("observe", plain_observe)
def observe(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write what the seat knows as numbers (`core.observation`) into `out`, which is all 0; return how many there are.

    `s` is the state as the seat may know it.
    """
    raise NotImplementedError


@by_game("net")
def inputs(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write what a net of the game looks at into `out`, which is all 0: by default the observation; return how many.

    `s` is the state as the seat may know it.
    """
    return observe(box, s, seat, out)


@by_game("net")
def quiet(box: Record, s: Record) -> bool:
    """Return whether a net may judge this position: between two turns, with nothing sealed; by default anywhere."""
    return True


@by_game("policy")
def traits(box: Record, s: Record, seat: int, actions: Ints, n: int, worth: Ints, out: Ints) -> None:
    """Write what each of n actions is into the rows of `out`, which are all 0, for a net that weighs them.

    `worth` is what they seem worth at a glance, and `s` the state as the seat may know it.
    """
    standing(worth, n, out)
    for i in range(n):
        if 3 + actions[i] < out.shape[1]:
            out[i, 3 + actions[i]] = 1.0


@compiled
def standing(worth: Ints, n: int, out: Ints) -> None:
    """Write into the first three numbers of each row how an action looks beside the others."""
    top = np.max(worth[:n])
    for i in range(n):
        out[i, 0] = max(-3.0, (worth[i] - top) / 4.0)
        out[i, 1] = worth[i] / 10.0
        out[i, 2] = 1.0 if worth[i] == top else 0.0


@by_game("observe")
def renew(box: Record, before: Record, s: Record, seat: int, out: Ints) -> None:
    """Write what the seat knows over what some seat observed of `before`, which is blank if `out` is all 0.

    Both states are as their seats may know them. A game with large observations can write only what has changed.
    """
    out[:] = 0.0
    observe(box, s, seat, out)


@by_game("observe")
def mask(box: Record, s: Record, seat: int, actions: Ints, out: Ints) -> None:
    """Write 1 into `out`, which is all 0, for each legal action in the numbering for learners."""
    for k in range(legal(box, s, seat, actions)):
        out[compact(box, s, seat, int(actions[k]))] = 1


@by_game("observe")
def compact(box: Record, s: Record, seat: int, action: int) -> int:
    """Return the number of a legal action in the numbering for learners, which may be smaller than the game's."""
    return action


@by_game("observe")
def expand(box: Record, s: Record, seat: int, number: int) -> int:
    """Return the action with that number in the numbering for learners, -1 if there is none now."""
    return number


@compiled
def look(box: Record, s: Record, seat: int, scratch: Record, out: Ints) -> None:
    """Write what a seat observes of a state, secrets and all, into `out`; `scratch` is an array of one state."""
    scratch[0] = s
    hide(box, scratch[0], seat)
    out[:] = 0.0
    observe(box, scratch[0], seat, out)


@compiled
def look_again(box: Record, s: Record, seat: int, known: Record, scratch: Record, out: Ints) -> None:
    """Do the same where `out` holds what was observed of `known`, and keep what the seat knows in `known`."""
    scratch[0] = known[0]
    known[0] = s
    hide(box, known[0], seat)
    renew(box, scratch[0], known[0], seat, out)


@by_game("lab")
def note(box: Record, s: Record, before: Record, seat: int, tally: Ints) -> None:
    """Count in `tally[seat, place]` what a seat's action did, given the states before and after it."""


@compiled
def best(box: Record, s: Record, seat: int, rng: Ints, actions: Ints, worth: Ints) -> int:
    """Return the action that seems best, one at random among equals."""
    n = legal(box, s, seat, actions)
    if n == 1:
        return int(actions[0])
    weigh(box, s, seat, actions, n, worth)
    return int(actions[top_of(worth, n, rng)])


@compiled
def best_to(box: Record, s: Record, seat: int, rng: Ints, actions: Ints, worth: Ints, eye: Any) -> int:
    """Return the action that seems best to an eye, one at random among equals."""
    n = legal(box, s, seat, actions)
    if n == 1:
        return int(actions[0])
    glance(box, s, seat, actions, n, worth, eye)
    return int(actions[top_of(worth, n, rng)])


@compiled
def top_of(worth: Ints, n: int, rng: Ints) -> int:
    """Return the index of the highest of n numbers, one at random among equals."""
    top = -1e9
    ties = 0
    chosen = 0
    for i in range(n):
        if worth[i] > top:
            top = worth[i]
            ties = 0
        if worth[i] == top:
            ties += 1
            if ties == 1 or dice.below(rng, ties) == 0:
                chosen = i
    return chosen
