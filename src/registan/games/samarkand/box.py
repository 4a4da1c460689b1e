"""Samarkand: the board of a TOML file as a record for the rules."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from registan.core.game import Box, Record
from registan.games.samarkand.map.board import Board, Name
from registan.games.samarkand.map.board import faults as board_faults
from registan.games.samarkand.map.board import load as load_board
from registan.games.samarkand.map.faults import PLAYERS, Fault
from registan.games.samarkand.map.stats import distances
from registan.games.samarkand.state import BOX, WORD

NEVER = 255
"""Steps to a good that the board does not have."""


class Keys:
    """The keys of a board and their numbers in the rules."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self.families = tuple(family.key for family in board.families)
        self.spaces = tuple(space.key for space in board.spaces)
        self.family_numbers = {key: number for number, key in enumerate(self.families)}
        self.space_numbers = {key: number for number, key in enumerate(self.spaces)}

    @cached_property
    def called(self) -> dict[tuple[str, str | int], Name]:
        """The names of the board, by kind and key: lines of the record hold only keys."""
        names: dict[tuple[str, str | int], Name] = {("family", one.key): one.name for one in self.board.families}
        names |= {("good", good.number): good.name for good in self.board.goods}
        return names | {("space", space.key): space.name for space in self.board.spaces}


def load(data: bytes, name: str) -> Box:
    """Read and check the bytes of a board file; raise BadBox with the line of the first fault."""
    board = load_board(data, name)
    players = range(PLAYERS[0], board.players + 1)
    return Box(board.key, board.sha256, pack(board), Keys(board), players)


def faults(contents: str, name: str) -> list[Fault]:
    """Return all faults of the text of a board file."""
    return board_faults(contents, name)


def pack(board: Board) -> Record:
    """Return a board as the record that the rules read."""
    box: Record = np.zeros((), BOX)[()]
    numbers = board.indexes()
    box.spaces, box.families, box.goods = len(board.spaces), len(board.families), len(board.goods)
    box.far[:] = NEVER
    for number, space in enumerate(board.spaces):
        for neighbour in space.neighbours:
            near = numbers[neighbour]
            box.near[number, near // WORD] |= 1 << near % WORD
        if space.kind == "land":
            box.land[number // WORD] |= 1 << number % WORD
        steps = distances(board, space.key)
        for card, good in enumerate(board.goods):
            box.far[number, card] = steps[good.space]
    for card, good in enumerate(board.goods):
        box.space_of[card] = numbers[good.space]
        box.good_at[numbers[good.space]] = card + 1
        box.with_good[numbers[good.space] // WORD] |= 1 << numbers[good.space] % WORD
    for number, family in enumerate(board.families):
        box.start[number] = numbers[family.start]
        box.dowry[number] = family.dowry
    return box
