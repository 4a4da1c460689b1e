"""Helpers for tests: a small board, games set up as far as it matters, and moves in the terms of the rulebook.

The board is a grid of 56 spaces, a1 to h7, where neighbours share a side. Goods are numbered in reading order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from registan.core.chance import Stream
from registan.core.errors import IllegalMove
from registan.core.game import Box, Json
from registan.core.match import Match
from registan.games.samarkand import GAME, checks
from registan.games.samarkand.box import load
from registan.games.samarkand.state import FAMILIES, WORD, stands

GRID = (
    "L . E ~ B g T g",
    "g g g ~ g g g g",
    "A ~ ~ g P g g .",
    "g g g g . g g S",
    "g . g g g . g g",
    "C g g K g g D g",
    ". g ~ g . g ~ g",
)
LETTERS = {
    "L": ("levant", 4),
    "E": ("egypt", 3),
    "B": ("byzant", 3),
    "T": ("tigris", 5),
    "A": ("arabia", 4),
    "P": ("persia", 6),
    "S": ("sogdia", 5),
    "C": ("china", 3),
    "K": ("khazaria", 3),
    "D": ("sindh", 4),
}
FAMILY_KEYS = tuple(key for key, _ in LETTERS.values())


def square(column: int, row: int) -> str:
    """Return the key of a space of the grid."""
    return f"{'abcdefgh'[column]}{row + 1}"


def grid_board() -> str:
    """Return the grid as a board file."""
    kinds = {square(c, r): kind for r, line in enumerate(GRID) for c, kind in enumerate(line.split())}
    starts = {kind: key for key, kind in kinds.items() if kind in LETTERS}
    text = 'key = "grid"\nname = { en = "Grid", fr = "Grille" }\n'
    for number, (letter, (key, dowry)) in enumerate(LETTERS.items()):
        text += f'[[families]]\nkey = "{key}"\nname = {{ en = "{key.title()}", fr = "{key.title()}" }}\n'
        text += f'colour = "#{number + 1:02x}8040"\nsymbol = "{SYMBOLS[number]}"\n'
        text += f'start = "{starts[letter]}"\ndowry = {dowry}\n'
    for number, key in enumerate((key for key, kind in kinds.items() if kind == "g"), 1):
        name = {5: "Flax", 22: "Diamond"}.get(number, f"Good {number}")
        text += f'[[goods]]\nnumber = {number}\nkey = "good-{number}"\n'
        text += f'name = {{ en = "{name}", fr = "{name}" }}\nspace = "{key}"\n'
    for r in range(7):
        for c in range(8):
            around = [(c, r - 1), (c - 1, r), (c + 1, r), (c, r + 1)]
            near = ", ".join(f'"{square(x, y)}"' for x, y in around if 0 <= x < 8 and 0 <= y < 7)
            key = square(c, r)
            corners = ", ".join(f"[{x}.0, {y}.0]" for x, y in ((c, r), (c + 1, r), (c + 1, r + 1), (c, r + 1)))
            text += f'[[spaces]]\nkey = "{key}"\nname = {{ en = "{key.upper()}", fr = "{key.upper()}" }}\n'
            text += f'kind = "{"water" if kinds[key] == "~" else "land"}"\nneighbours = [{near}]\n'
            text += f"centre = [{c}.5, {r}.5]\noutline = [{corners}]\n"
    return text


SYMBOLS = ("cedar", "falcon", "anchor", "horse", "ship", "palm", "pomegranate", "star", "wheel", "dragon")
BOX: Box = load(grid_board().encode(), "grid.toml")
GOODS = {good.number: good.space for good in BOX.names.board.goods}


def deal(
    *hands: Sequence[int],
    first: int = 0,
    deck: Sequence[int] = (),
    bag: str = "",
    dirhams: Sequence[int] = (),
    seed: int = 1,
    **options: bool,
) -> Match:
    """Set up a game: as many players as hands of two cards; the deck and the bag begin with what is named."""
    held = [card for hand in hands for card in hand]
    spare = [card for card in range(33, 0, -1) if card not in [*held, *deck]]
    dealt = [list(hand) + [spare.pop(0) for _ in range(2 - len(hand))] for hand in hands]
    setup: Json = {"board": "grid", "first": first, "hands": dealt, "deck": [*deck, *spare]}
    if len(hands) == 2:
        top = bag.split()
        setup["bag"] = top + [key for key in FAMILY_KEYS if key not in top]
    match = Match(GAME, BOX, len(hands), options, Stream.from_seed(seed)).apply_setup(setup)
    s = match.state
    for seat, amount in enumerate(dirhams):
        s.supply -= amount - int(s.dirhams[seat])
        s.dirhams[seat] = amount
    honest(match)
    return match


def give(match: Match, seat: int, *families: str, treasury: int = 0) -> None:
    """Let a seat have tiles, without a marriage; the treasuries get so many dirhams each from nowhere."""
    s = match.state
    for key in families:
        family = number(key)
        if int(s.tiles[seat]) >> family & 1:
            s.twice[seat] |= 1 << family
        s.tiles[seat] |= 1 << family
        s.domain[family] -= 1
        s.treasury[family] += treasury
        s.supply -= treasury
    honest(match)


def send(match: Match, family: str, *spaces: str) -> None:
    """Put camels on the map; what they find and whom they meet goes to the last seat, without bonuses."""
    s, last = match.state, match.players - 1
    f = number(family)
    for key in spaces:
        space = BOX.names.space_numbers[key]
        others = [other for other in range(FAMILIES) if stands(s, other, space)]
        s.route[f, space // WORD] |= 1 << space % WORD
        if not others and key in GOODS.values():
            s.goods[last] += 1
        for other in others:
            land = int(BOX.record.land[space // WORD]) >> space % WORD & 1
            if land and not int(s.met[f]) >> other & 1:
                s.met[f] |= 1 << other
                s.met[other] |= 1 << f
                s.relations[last] += 2
    honest(match)


def hold(match: Match, seat: int, *cards: int, sold: Sequence[int] = ()) -> None:
    """Let a seat have more cards, from anywhere in the deck, some of them sold."""
    s = match.state
    for card in [*cards, *sold]:
        deck = [int(c) for c in s.deck[: s.deck_left] if c != card]
        assert len(deck) == s.deck_left - 1
        s.deck[:] = deck + [0] * (33 - len(deck))
        s.deck_left -= 1
        if card in sold:
            s.sold[seat] |= 1 << card - 1
        else:
            s.hand[seat] |= 1 << card - 1
            s.held[seat] += 1
    honest(match)


def number(family: str) -> int:
    """Return the number of a family."""
    index: int = BOX.names.family_numbers[family]
    return index


def honest(match: Match) -> None:
    """Nothing may be missing or twice on the table."""
    assert checks.faults(BOX.record, match.state) == 0


def marry(match: Match, family: str, drop: Sequence[int] | None = ()) -> None:
    """The player whose turn it is marries and discards; with None the discard is left open."""
    seat = match.waiting[0]
    match.play(seat, {"do": "marry", "family": family})
    if drop is not None and match.view()["asked"] == "discard":
        match.play(seat, {"do": "discard", "cards": list(drop)})


def place(match: Match, family: str, space: str) -> None:
    """The player who is asked places a camel."""
    match.play(match.waiting[0], {"do": "place", "family": family, "space": space})


def end(match: Match) -> None:
    """The player who is asked places no second camel."""
    match.play(match.waiting[0], {"do": "end"})


def now(match: Match) -> Json:
    """Return the whole table as the record writes it."""
    return GAME.moves.write_state(BOX, match.state)


def refused(match: Match, seat: int, move: Json) -> str:
    """Return the id of the rule that a move breaks; the table must stay as it was."""
    before = match.state.tobytes()
    try:
        match.play(seat, move)
    except IllegalMove as error:
        assert match.state.tobytes() == before
        return error.rule
    return ""


def over(match: Match) -> bool:
    """Tell whether the game has ended."""
    return match.over


def spaces(match: Match, family: str) -> set[str]:
    """Return where the player who is asked may place a camel of a family."""
    moves = match.legal(match.waiting[0])
    return {move["space"] for move in moves if move["do"] == "place" and move["family"] == family}


def play_any(match: Match, chance: random.Random) -> tuple[int, Json]:
    """Play any legal move of the seat that is asked; return both."""
    seat = match.waiting[0]
    action = chance.choice(match.actions(seat))
    move: dict[str, Any] = GAME.moves.write(BOX, match.state, seat, action)
    match.play_action(seat, action)
    return seat, move


def random_game(players: int, seed: int, upto: int = 10_000, **options: bool) -> Match:
    """Return a game on the grid, played at random to its end or up to a number of moves."""
    match = Match(GAME, BOX, players, options, Stream.from_seed(seed)).deal()
    chance = random.Random(seed)
    while not match.over and match.moves_played < upto:
        play_any(match, chance)
    return match
