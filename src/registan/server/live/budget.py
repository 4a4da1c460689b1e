"""How long the bots of a table, and all bots of a person's tables, may think."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable


class Budget:
    """Processor seconds per window, for each table and for each person. A new window starts from zero for everybody."""

    def __init__(self, table: float, person: float, window: float, now: Callable[[], float]) -> None:
        self.table, self.person, self.window, self.now = table, person, window, now
        self._number = 0.0
        self._tables: defaultdict[str, float] = defaultdict(float)
        self._people: defaultdict[str, float] = defaultdict(float)

    def spend(self, person: str, table: str, seconds: float) -> None:
        """Count the seconds that a bot has thought."""
        self._turn_over()
        self._tables[table] += seconds
        self._people[person] += seconds

    def spent(self, person: str, table: str) -> bool:
        """Whether a table or a person has nothing left until the next window."""
        self._turn_over()
        return self._tables.get(table, 0) >= self.table or self._people.get(person, 0) >= self.person

    def _turn_over(self) -> None:
        number = self.now() // self.window
        if number != self._number:
            self._number = number
            self._tables.clear()
            self._people.clear()
