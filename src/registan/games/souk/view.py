"""Le Marché de Samarkand: what a seat sees, as plain JSON, made from what it may know and nothing else."""

from __future__ import annotations

from typing import Any

from registan.core.game import SPECTATOR, Box, Line
from registan.games.souk.moves import camels_of, goods_name, goods_names, scored, seats_in, write
from registan.games.souk.rules import SCORES
from registan.games.souk.scoring import of_stall
from registan.games.souk.state import CARDS, ROUNDS, STALLS, stalls

PHASES = ("offer", "count", "name")


def view(box: Box, s: Any, seat: int, table: Line | None = None) -> Line:
    """Return the table as it lies before the seat (M24): what is open, what is behind its screen, its legal moves."""
    if table is None:
        table = _table(box, s)
    if seat == SPECTATOR:
        return table
    if s.over:
        return {**table, "seat": seat}
    return {
        **table,
        "seat": seat,
        "sealed": write(box, s, seat, s.sealed[seat] - 1) if s.sealed[seat] else None,
        "seats": [_mine(box, s, seat, shown) if other == seat else shown for other, shown in enumerate(table["seats"])],
        "legal": [write(box, s, seat, action) for action in s.actions],
    }


def _table(box: Box, s: Any) -> Line:
    """Return what lies open."""
    return {
        "game": "souk",
        "seat": None,
        "players": s.players,
        "asked": "over" if s.over else PHASES[s.phase],
        "waiting": seats_in(s.waiting),
        "round": min(s.rounds, ROUNDS),
        "rounds": ROUNDS,
        "doyen": s.doyen,
        "price": s.price or None,
        "stopped": seats_in(s.stopped),
        "for_sale": [_sale(box, s, stall) for stall in range(STALLS) if s.for_sale[stall]],
        "camel": s.camel or None,
        "camels_left": s.camels_left,
        "bank": _stall(box, s, 3) if s.players == 3 else None,
        "discarded": goods_names(box, s, _discarded(s)),
        "sealed": None,
        "seats": [_seat(box, s, other) for other in range(s.players)],
        "legal": [],
    }


def _sale(box: Box, s: Any, stall: int) -> Line:
    """Return a goods card that is for sale, and who sells it: null for the bank."""
    seller = stall if stall < s.players else None
    return {"item": goods_name(box, s, stall, s.for_sale[stall] - 1), "seller": seller}


def _stall(box: Box, s: Any, stall: int) -> Line:
    """Return a stall: its type, and how many cards it still has to sell."""
    return {"type": goods_name(box, s, stall, 0)[0], "cards": s.left[stall].bit_count()}


def _seat(box: Box, s: Any, other: int) -> Line:
    """Return what lies before a player. Screens come down when the game is over."""
    shown = {
        **_stall(box, s, other),
        "left": None,
        "goods": None if s.hidden_purchases else goods_names(box, s, s.goods[other]),  # M8: not even how many
        "camels": sum(s.held[other]),
        "dirhams": None,
        "score": None,
    }
    return {**_mine(box, s, other, shown), "score": _score(box, s, other)} if s.over else shown


def _mine(box: Box, s: Any, seat: int, shown: Line) -> Line:
    """Return what lies before a player, and what is behind the screen."""
    return {
        **shown,
        "left": [value for _, value in goods_names(box, s, s.left[seat] << (seat * CARDS))],
        "goods": goods_names(box, s, s.goods[seat]) if s.hidden_purchases else shown["goods"],
        "camels": camels_of(s, seat),
        "dirhams": s.money[seat],
    }


def _score(box: Box, s: Any, seat: int) -> Line:
    return {part: s.points[seat][i] for i, part in enumerate(SCORES)} | scored(box, s, seat)


def _discarded(s: Any) -> int:
    """M11, M13: what was turned up and is neither for sale nor anybody's has left the game."""
    owned = 0
    for seat in range(s.players):
        owned |= s.goods[seat]
    gone = 0
    for stall in range(stalls(s)):
        on_sale = 1 << s.for_sale[stall] - 1 if s.for_sale[stall] else 0
        turned = ((1 << CARDS) - 1) & ~s.left[stall] & ~on_sale
        gone |= (turned & ~of_stall(owned, stall)) << (stall * CARDS)
    return gone
