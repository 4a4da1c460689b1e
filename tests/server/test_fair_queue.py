"""Processor time is shared fairly over people, and over the tables of each."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from registan.server.live.budget import Budget
from registan.server.live.fair_queue import FairQueue


class Processor:
    """A processor that takes turns from the queue, each as long as it says."""

    def __init__(self) -> None:
        self.queue: FairQueue[tuple[str, str, float]] = FairQueue()
        self.seconds: dict[str, float] = {}

    def ask(self, person: str, table: str, seconds: float, expected: float = 0.1) -> None:
        self.queue.put((person, table, seconds), person, table, expected)

    def next(self) -> tuple[str, str] | None:
        turn = self.queue.take()
        if turn is None:
            return None
        person, table, seconds = turn.what
        self.queue.done(turn, seconds)
        self.seconds[person] = self.seconds.get(person, 0) + seconds
        return person, table

    def turns_until(self, person: str) -> int:
        """Return how many turns others have before this person."""
        others = 0
        while (served := self.next()) is not None and served[0] != person:
            others += 1
        return others


def test_a_flood_of_one_person_delays_another_by_one_turn() -> None:
    """However many tables and bots a person has, and however long they search."""
    processor = Processor()
    for table in range(200):
        for _ in range(4):
            processor.ask("flood", f"table {table}", 1.0)
    for _ in range(20):
        processor.next()
    for _ in range(50):
        processor.ask("ann", "her table", 0.2)
        assert processor.turns_until("ann") <= 1


def test_a_flood_at_one_table_delays_another_of_the_same_person_by_one_turn() -> None:
    processor = Processor()
    for _ in range(500):
        processor.ask("ann", "flood", 1.0)
    for _ in range(20):
        processor.next()
    for _ in range(50):
        processor.ask("ann", "other", 0.5)
        served = [processor.next(), processor.next()]
        assert ("ann", "other") in served


@given(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 3), st.floats(0.001, 1.0)), min_size=1, max_size=200))
def test_nobody_waits_for_more_than_one_turn_of_each_other_person(asked: list[tuple[int, int, float]]) -> None:
    processor = Processor()
    for person, table, seconds in asked:
        processor.ask(f"p{person}", f"p{person} t{table}", seconds)
        if len(processor.seconds) % 2:
            processor.next()
    people = 5
    processor.ask("new", "new", 1.0)
    assert processor.turns_until("new") <= people


def test_who_asks_without_end_gets_an_equal_share_of_seconds_not_of_turns() -> None:
    processor = Processor()
    for person, seconds in (("long", 1.0), ("short", 0.1)):
        for _ in range(1000):
            processor.ask(person, person, seconds, expected=0.5)
    for _ in range(500):
        processor.next()
    assert abs(processor.seconds["long"] - processor.seconds["short"]) < 2


def test_nobody_saves_up_turns_and_nobody_pays_for_an_idle_processor() -> None:
    processor = Processor()
    for _ in range(100):
        processor.ask("alone", "a", 1.0)
        processor.next()
    processor.ask("alone", "a", 1.0)
    for _ in range(10):
        processor.ask("new", "n", 1.0)
    assert processor.turns_until("alone") <= 1


def test_a_turn_that_is_withdrawn_is_not_taken() -> None:
    queue: FairQueue[str] = FairQueue()
    queue.put("a", "p", "t", 1)
    queue.withdraw(queue.put("b", "p", "t", 1))
    turn = queue.take()
    assert turn is not None
    assert turn.what == "a"
    assert queue.take() is None
    queue.done(turn, 1)
    assert not queue._all.parts  # nobody is remembered once nothing is left to do


def test_several_threads_do_not_all_serve_the_same_person() -> None:
    """The cost of a turn counts when it begins."""
    queue: FairQueue[str] = FairQueue()
    for _ in range(10):
        queue.put("flood", "flood", "t", 1.0)
    queue.put("ann", "ann", "u", 1.0)
    taken = [queue.take(), queue.take()]
    assert {turn.what for turn in taken if turn} == {"flood", "ann"}


def test_a_table_and_a_person_have_a_budget_in_each_window() -> None:
    now = 30.0
    budget = Budget(table=10, person=15, window=60, now=lambda: now)
    budget.spend("ann", "one", 9)
    assert not budget.spent("ann", "one")
    budget.spend("ann", "one", 1)
    assert budget.spent("ann", "one")
    assert not budget.spent("ann", "two")  # another table
    budget.spend("ann", "two", 5)
    assert budget.spent("ann", "three")  # all tables of a person together
    assert not budget.spent("bob", "four")
    now = 61.0
    assert not budget.spent("ann", "one")
