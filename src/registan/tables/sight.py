"""Who may see what of a table. Everything that is sent to anybody asks `audience_of` first, every time."""

from __future__ import annotations

from typing import NamedTuple

from registan.core.errors import BadInput
from registan.core.game import SPECTATOR
from registan.tables.state import TableState


class Audience(NamedTuple):
    """Those who see the same of a table: the owner of a seat, or spectators."""

    seat: int = SPECTATOR
    who: str = ""
    """The owner of the seat: what is made for one owner never goes to the next."""
    held: tuple[int, ...] = ()
    """The seats of a person who looks as a spectator, and must not see more than a player because of that."""

    def seq(self, table: TableState) -> int:
        """Return how many events this audience was told of."""
        if not self.held:
            return table.seqs.get(self.seat, 0)
        asked = [seat for seat in self.held if table.question_of([seat]) is not None]
        return table.seq_of(asked[0] if asked else self.seat)

    def upto(self, table: TableState) -> int | None:
        """Return the number of the decision up to which this audience sees the game, None for all of them.

        Whoever is asked quietly sees nothing later than the question, and spectators who see all hands are behind.
        """
        if self.seat != SPECTATOR or self.held:
            return table.question_of(self.held or [self.seat])
        if table.watch != "hands" or table.ended or table.match is None or not table.delay:
            return None
        count = len(table.match.decisions)
        return max(0, count - table.delay * len(table.seats)) if count else None


def standing(table: TableState) -> tuple[object, ...]:
    """Return everything of a table that `audience_of` goes by: as long as it is equal, so is every answer."""
    match = table.match
    if match is None:
        return table.seats, table.watch, table.status
    return table.seats, table.watch, table.status, match.over, None if match.settled else match.questions


def audience_of(table: TableState, who: str, seat: int | None) -> Audience:
    """Return the audience that a person belongs to now who wants to see a seat, or to be a spectator (None).

    Raise BadInput if the seat is not theirs (any more), or if the table has no spectators.
    """
    if seat is not None:
        if not table.owns(who, seat):
            raise BadInput("error.house.not_your_seat")
        return Audience(seat, who)
    mine = table.seats_of(who)
    if table.watch == "none" and table.match is not None and not table.ended_for(mine):
        raise BadInput("error.house.no_spectators")
    if table.question_of(mine) is not None or (mine and table.watch == "hands" and not table.ended):
        return Audience(SPECTATOR, who, tuple(mine))
    return Audience()
