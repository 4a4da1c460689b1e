"""Decisions of a match, and what is often asked about a list of them."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple


class Decision(NamedTuple):
    """A seat's action."""

    seat: int
    action: int
    open: bool = False
    """Whether the action is only assumed: the seat is asked quietly and has not answered yet."""
    quiet: bool = False
    """Whether nobody else knows about it: a quiet question was answered as assumed."""


@lru_cache(1 << 14)
def same(decision: Decision) -> Decision:
    """Return one object for equal decisions, at all tables: there are only so many different ones."""
    return decision


class Counts:
    """Frequently needed counts of a list of decisions."""

    def __init__(self, decisions: list[Decision]) -> None:
        self.by_seat: dict[int, int] = {}
        self.known: set[int] = set()
        """The seats with a decision that is not quiet."""
        self.questions: dict[int, int] = {}
        """By seat: the index of its decision that is still open."""
        for i, decision in enumerate(decisions):
            self.add(i, decision)

    def copy(self) -> Counts:
        """Return the counts so far."""
        then = Counts.__new__(Counts)
        then.by_seat, then.known = self.by_seat.copy(), self.known.copy()
        then.questions = self.questions.copy()
        return then

    def add(self, i: int, decision: Decision) -> None:
        """Count one more decision, number i."""
        seat = decision.seat
        self.by_seat[seat] = self.by_seat.get(seat, 0) + 1
        if not decision.quiet:
            self.known.add(seat)
        if decision.open:
            self.questions.setdefault(decision.seat, i)
