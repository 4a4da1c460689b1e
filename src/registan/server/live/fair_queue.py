"""A fair queue for processor time: over people, and over the tables of each."""

from __future__ import annotations

from collections import deque
from typing import Generic, TypeVar

T = TypeVar("T")


class Share(Generic[T]):
    """A part of the processor: that of a person, which is divided among their tables, or that of a table."""

    __slots__ = ("now", "parts", "running", "start", "turns", "waiting")

    def __init__(self, start: float = 0.0) -> None:
        self.start = start
        """How many seconds it has had, on the clock of the share that it is part of."""
        self.now = 0.0
        """The clock of its own parts: what the part that was served last had had."""
        self.parts: dict[str, Share[T]] = {}
        self.turns: deque[Turn[T]] = deque()
        self.waiting = self.running = 0

    def part(self, name: str) -> Share[T]:
        """Return the part of this name. One that was idle starts level with the part that was served last."""
        found = self.parts.setdefault(name, Share(self.now))
        if not found.waiting and not found.running:
            found.start = max(found.start, self.now)
        return found

    def next(self) -> Share[T]:
        """Return the part that has had least of those where something waits."""
        found = min((part for part in self.parts.values() if part.waiting), key=lambda part: part.start)
        self.now = max(self.now, found.start)
        return found

    def forget(self) -> None:
        """Forget idle parts that would start level with the others anyway."""
        for name, part in list(self.parts.items()):
            if not part.waiting and not part.running and part.start <= self.now:
                del self.parts[name]


class Turn(Generic[T]):
    """Something that waits for the processor, or has it; `expected` are the seconds that it probably takes."""

    __slots__ = ("expected", "shares", "what")

    def __init__(self, what: T, shares: list[Share[T]], expected: float) -> None:
        self.what, self.shares, self.expected = what, shares, expected


class FairQueue(Generic[T]):
    """Start-time fair queueing: the next turn is of the person who has had least, at the table that has had least.

    Nobody saves up turns while idle, nor pays for having used an idle processor. So whoever asks waits for at most one
    turn of each other person, however many turns and tables those have; and so among the tables of one person.
    """

    def __init__(self) -> None:
        self._all: Share[T] = Share()

    def put(self, what: T, person: str, table: str, expected: float) -> Turn[T]:
        """Add a turn."""
        theirs = self._all.part(person)
        shares = [self._all, theirs, theirs.part(table)]
        turn = Turn(what, shares, expected)
        shares[-1].turns.append(turn)
        for share in shares:
            share.waiting += 1
        return turn

    def take(self) -> Turn[T] | None:
        """Return the next turn, None if nothing waits; call `done` when it is over."""
        if not self._all.waiting:
            return None
        turn = self._all.next().next().turns.popleft()
        for share in turn.shares:
            share.start += turn.expected
            share.waiting -= 1
            share.running += 1
        return turn

    def done(self, turn: Turn[T], seconds: float) -> None:
        """Charge what a turn really took."""
        for share in turn.shares:
            share.start += seconds - turn.expected
            share.running -= 1
        self._forget(turn)

    def withdraw(self, turn: Turn[T]) -> None:
        """Remove a turn that still waits."""
        turn.shares[-1].turns.remove(turn)
        for share in turn.shares:
            share.waiting -= 1
        self._forget(turn)

    def _forget(self, turn: Turn[T]) -> None:
        for share in turn.shares:
            share.forget()
        if not self._all.waiting and not self._all.running:
            self._all = Share()
