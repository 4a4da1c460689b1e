"""What others have sealed already is not known to a seat that thinks: in its mind they are asked again.

`guess` fills in some answer, so that the state is whole; the search lets them answer as it thinks they would.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.compiled import chosen_by_record, compiled
from registan.core.game import Record
from registan.games import khiva as khiva_game
from registan.games import samarkand as samarkand_game
from registan.games import souk as souk_game
from registan.games.khiva.state import CHOOSE
from registan.games.souk.secrets import was_asked


@compiled
def _khiva(box: Record, s: Record, seat: int) -> None:
    """K3: everybody chooses at once."""
    if s.phase == CHOOSE:
        for other in range(s.players):
            if other != seat:
                s.plays[s.turn, other] = 0
                s.gave[s.turn, other] = 0
                s.waiting |= 1 << other


@compiled
def _souk(box: Record, s: Record, seat: int) -> None:
    """M5, M6, M7: offers, stops and names are sealed."""
    for other in range(s.players):
        if other != seat and was_asked(s, other):
            s.sealed[other] = 0
            s.waiting |= 1 << other


@compiled
def _samarkand(box: Record, s: Record, seat: int) -> None:
    """Nothing is ever sealed."""


_reopen: dict[Any, Callable[..., None]] = {
    samarkand_game.rules.STATE: _samarkand,
    souk_game.rules.STATE: _souk,
    khiva_game.rules.STATE: _khiva,
}


def _choose(state: Any) -> Callable[..., None]:
    from numba import from_dtype

    return next(f for dtype, f in _reopen.items() if from_dtype(dtype) == state)


@chosen_by_record(_choose)
def reopen(box: Record, s: Record, seat: int) -> None:
    """Ask those again who have answered the open question, all but the seat itself."""
    _reopen[s.dtype](box, s, seat)
