"""Khiva in the lab: what is counted while games are played."""

from __future__ import annotations

from registan.games.khiva.lab import HOME, MOVED, STOPS
from registan.lab.run import make_run
from registan.lab.sample import play_sample, take_sample
from tests.compiled import as_before

__all__ = ["as_before"]


def test_what_is_noted_on_the_way_adds_up() -> None:
    quick = play_sample(make_run("khiva", 4, ["greedy", "random", "greedy", "random"], 20, seed=3))
    moved = quick.tally[:, :, MOVED : MOVED + 5].sum(axis=2)
    assert (quick.tally[:, :, STOPS : STOPS + 5].sum(axis=2) == moved).all()
    assert (quick.tally[:, :, HOME : HOME + 5].sum(axis=2) == quick.tally[:, :, STOPS + 4]).all()
    assert (quick.states["won"].sum(axis=2) <= quick.tally[:, :, STOPS + 4]).all()
    assert moved.sum() > 0


def test_thinking_bots_are_noted_too() -> None:
    slow, stopped = take_sample(make_run("khiva", 4, ["search:2", "greedy", "greedy", "greedy"], 2, seed=3), 1)
    assert slow is not None
    assert not stopped
    assert (slow.tally[:, :, STOPS : STOPS + 5].sum(axis=2) == slow.tally[:, :, MOVED : MOVED + 5].sum(axis=2)).all()
    assert slow.tally[:, :, STOPS + 4].sum() >= slow.states["won"].sum() > 0
