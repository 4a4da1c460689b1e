"""Statistics of a board: how connected its spaces are, how far apart families are, how central each one is."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

from registan.games.samarkand.map.board import Board


@dataclass(frozen=True, slots=True)
class FamilyStats:
    """A family's place on the board. Distances count steps from space to space."""

    key: str
    nearest: tuple[str, int]
    distances: dict[str, int]
    mean_to_families: float
    mean_to_spaces: float
    farthest: int
    degree: int
    goods_within: dict[int, int]


@dataclass(frozen=True, slots=True)
class Stats:
    """The statistics of a board."""

    spaces: int
    land: int
    water: int
    plain: int
    borders: int
    degrees: dict[str, int]
    mean_degree: float
    diameter: int
    families: tuple[FamilyStats, ...]
    goods: dict[str, tuple[str, int]]

    @property
    def dead_ends(self) -> list[str]:
        """Return the spaces with a single neighbour."""
        return [key for key, degree in self.degrees.items() if degree == 1]


def distances(board: Board, start: str) -> dict[str, int]:
    """Return the number of steps from one space to every other."""
    neighbours = {space.key: space.neighbours for space in board.spaces}
    found = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for key in neighbours[here]:
            if key not in found:
                found[key] = found[here] + 1
                todo.append(key)
    return found


def stats(board: Board) -> Stats:
    """Return the statistics of a board: degrees, distances between families, centrality."""
    every = {space.key: distances(board, space.key) for space in board.spaces}
    degrees = {space.key: len(space.neighbours) for space in board.spaces}
    starts = {family.key: family.start for family in board.families}
    families = []
    for family in board.families:
        steps = every[family.start]
        others = {key: steps[start] for key, start in starts.items() if key != family.key}
        near = min(others, key=lambda key: others[key])
        families.append(
            FamilyStats(
                key=family.key,
                nearest=(near, others[near]),
                distances=others,
                mean_to_families=sum(others.values()) / len(others),
                mean_to_spaces=sum(steps.values()) / (len(steps) - 1),
                farthest=max(steps.values()),
                degree=degrees[family.start],
                goods_within={n: sum(steps[good.space] <= n for good in board.goods) for n in (1, 2, 3)},
            )
        )
    goods = {}
    for good in board.goods:
        near = min(starts, key=lambda key: every[starts[key]][good.space])
        goods[good.key] = (near, every[starts[near]][good.space])
    water = sum(space.kind == "water" for space in board.spaces)
    return Stats(
        spaces=len(board.spaces),
        land=len(board.spaces) - water,
        water=water,
        plain=len(board.spaces) - water - len(board.families) - len(board.goods),
        borders=sum(degrees.values()) // 2,
        degrees=degrees,
        mean_degree=sum(degrees.values()) / len(degrees),
        diameter=max(max(steps.values()) for steps in every.values()),
        families=tuple(families),
        goods=goods,
    )
