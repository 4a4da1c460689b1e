"""Le Marché de Samarkand: what a seat sees, as plain JSON, made from a hidden state and nothing else."""

from __future__ import annotations

import numpy as np

from registan.core.game import SEATS, SPECTATOR, Box, Line, Record
from registan.games.souk.moves import camels_of, goods_name, goods_names, scored, seats_in, write
from registan.games.souk.rules import MOST, SCORES, legal, scores
from registan.games.souk.scoring import of_stall
from registan.games.souk.state import CARDS, ROUNDS, STALLS, bits, stalls

PHASES = ("offer", "count", "name")


def view(box: Box, s: Record, seat: int) -> Line:
    """Return the table as it lies before the seat (M24): what is open, what is behind its screen, its legal moves."""
    players = int(s.players)
    asked = seat != SPECTATOR and not s.over
    return {
        "game": "souk",
        "seat": None if seat == SPECTATOR else seat,
        "players": players,
        "asked": "over" if s.over else PHASES[int(s.phase)],
        "waiting": seats_in(int(s.waiting)),
        "round": min(int(s.rounds), ROUNDS),
        "rounds": ROUNDS,
        "doyen": int(s.doyen),
        "price": int(s.price) or None,
        "stopped": seats_in(int(s.stopped)),
        "for_sale": [_sale(box, s, stall) for stall in range(STALLS) if s.for_sale[stall]],
        "camel": int(s.camel) or None,
        "camels_left": int(s.camels_left),
        "bank": _stall(box, s, 3) if players == 3 else None,
        "discarded": goods_names(box, s, _discarded(s)),
        "sealed": write(box, s, seat, int(s.sealed[seat]) - 1) if asked and s.sealed[seat] else None,
        "seats": [_seat(box, s, other, seat) for other in range(players)],
        "legal": _legal(box, s, seat) if asked else [],
    }


def _sale(box: Box, s: Record, stall: int) -> Line:
    """Return a goods card that is for sale, and who sells it: null for the bank."""
    seller = stall if stall < s.players else None
    return {"item": goods_name(box, s, stall, int(s.for_sale[stall]) - 1), "seller": seller}


def _stall(box: Box, s: Record, stall: int) -> Line:
    """Return a stall: its type, and how many cards it still has to sell."""
    return {"type": goods_name(box, s, stall, 0)[0], "cards": bits(int(s.left[stall]))}


def _seat(box: Box, s: Record, other: int, seat: int) -> Line:
    """Return what lies before a player. Screens come down when the game is over."""
    mine = other == seat or bool(s.over)
    goods = goods_names(box, s, int(s.goods[other]))
    camels = camels_of(s, other)
    left = [value for _, value in goods_names(box, s, int(s.left[other]) << (other * CARDS))]
    return {
        **_stall(box, s, other),
        "left": left if mine else None,
        "goods": goods if mine or not s.hidden_purchases else len(goods),
        "camels": camels if mine else len(camels),
        "dirhams": int(s.money[other]) if mine else None,
        "score": _score(box, s, other) if s.over else None,
    }


def _score(box: Box, s: Record, seat: int) -> Line:
    out = np.zeros((SEATS, len(SCORES)), np.int64)
    scores(box.record, s, out)
    return {part: int(out[seat, i]) for i, part in enumerate(SCORES)} | scored(box, s, seat)


def _discarded(s: Record) -> int:
    """M11, M13: what was turned up and is neither for sale nor anybody's has left the game."""
    owned = 0
    for seat in range(s.players):
        owned |= int(s.goods[seat])
    gone = 0
    for stall in range(stalls(s)):
        on_sale = 1 << int(s.for_sale[stall]) - 1 if s.for_sale[stall] else 0
        turned = ((1 << CARDS) - 1) & ~int(s.left[stall]) & ~on_sale
        gone |= (turned & ~of_stall(owned, stall)) << (stall * CARDS)
    return gone


def _legal(box: Box, s: Record, seat: int) -> list[Line]:
    room = np.zeros(MOST, np.int32)
    return [write(box, s, seat, int(action)) for action in room[: legal(box.record, s, seat, room)]]
