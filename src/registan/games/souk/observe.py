"""The souk: the observation of a seat as numbers.

Seats and stalls are relative: 0 is the observing seat's own, and with 3 players the bank's stall is the last. The
types of the goods make no difference to the rules, so only stalls are told apart.
"""

from __future__ import annotations

from registan.core.bits import bits, lowest
from registan.core.compiled import compiled
from registan.core.game import Ints, Record
from registan.core.observation import Block, beside, flag, mark, mark_set, put
from registan.games.souk.bot import PLAIN, dirham, item_worth, standing
from registan.games.souk.scoring import capacity, of_stall, riches
from registan.games.souk.state import (
    CAMEL,
    CAMELS,
    CAPACITIES,
    CARDS,
    NAME,
    ROUNDS,
    VALUES,
    has,
    may_name,
    may_stop,
    stalls,
)

VERSION = 1
POINTS = 10.0


def layout(players: int) -> tuple[Block, ...]:
    """Return what each number of an observation is."""
    n = 5 if players == 5 else 4
    return (
        Block("asked", (1,), "1 if the seat is asked"),
        Block("phase", (3,), "the decision: the card to sell, stop or wait, the card to buy"),
        Block("over", (1,), "1 if the game is over"),
        Block("round", (1,), "the round", ROUNDS),
        Block("price", (1,), "the price, 0 before and after the count", 15),
        Block("doyen", (players,), "the doyen"),
        Block("stopped", (players,), "who stopped at this price"),
        Block("may_stop", (players,), "who could name something"),
        Block("able", (players,), "who has enough money for the price"),
        Block("money", (players,), "dirhams by seat", 40),
        Block("ahead", (players,), "dirhams of the seat less those of each", 20, -1),
        Block("riches", (players,), "points for riches now, by seat", POINTS),
        Block("for_sale", (n, CARDS), "the card that is for sale at each stall, lowest value first"),
        Block("value", (n,), "its value", 9),
        Block("left", (n, CARDS), "cards that each stall has not yet turned up"),
        Block("camel", (1,), "the capacity of the camel face up, 0 for none", 9),
        Block("camels_left", (1,), "camels in the pile", CAMELS),
        Block("pile", (CAPACITIES,), "camels in the pile, by capacity from 0 to 9", 8),
        Block("goods", (players, n, CARDS), "cards bought, by seat and stall"),
        Block("counts", (players, n), "how many they are", 5),
        Block("sums", (players, n), "the sum of their values", 20),
        Block("same", (players, VALUES - 1), "how many have each value from 1 to 9", 6),
        Block("cards", (players,), "cards bought in all, by seat", 20),
        Block("capacity", (players,), "cards that the seat's camels can carry", 20),
        Block("spare", (players,), "that less the cards bought", 10, -1),
        Block("worth", (n + 1,), "what each card for sale, and the camel, seem worth to the seat", POINTS, -1),
        Block("cost", (1,), "what the price seems to cost the seat", POINTS, -1),
    )


@compiled
def stall_of(s: Record, seat: int, k: int) -> int:
    """Return the stall at a relative place; the bank's is always the last."""
    players = int(s.players)
    return beside(seat, k, players) if k < players else k


@compiled
def observe(box: Record, s: Record, seat: int, out: Ints) -> int:
    """Write what the seat knows into `out`, which is all 0; return how many numbers there are."""
    i = put(out, 0, (int(s.waiting) >> seat) & 1, 1.0)
    i = mark(out, i, 3, int(s.phase))
    i = flag(out, i, s.over != 0)
    i = put(out, i, float(s.rounds), float(ROUNDS))
    i = put(out, i, float(s.price), 15.0)
    i = observe_seats(box, s, seat, out, i)
    i = observe_market(box, s, seat, out, i)
    i = observe_goods(box, s, seat, out, i)
    return observe_worths(box, s, seat, out, i)


@compiled
def observe_seats(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write who is what and has how much money, the observing seat first."""
    players = int(s.players)
    may = may_stop(s)
    mine = float(s.money[seat])
    for k in range(players):
        other = beside(seat, k, players)
        flag(out, i + k, other == s.doyen)
        flag(out, i + players + k, has(int(s.stopped), other))
        flag(out, i + 2 * players + k, has(may, other))
        flag(out, i + 3 * players + k, s.price > 0 and s.money[other] >= s.price)
        put(out, i + 4 * players + k, float(s.money[other]), 40.0)
        put(out, i + 5 * players + k, mine - float(s.money[other]), 20.0)
        put(out, i + 6 * players + k, float(riches(box, s, other)), POINTS)
    return i + 7 * players


@compiled
def observe_market(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what is for sale, and what is still to come."""
    n = stalls(s)
    for k in range(n):
        i = mark(out, i, CARDS, int(s.for_sale[stall_of(s, seat, k)]) - 1)
    for k in range(n):
        card = int(s.for_sale[stall_of(s, seat, k)]) - 1
        i = put(out, i, float(box.values[card]) if card >= 0 else 0.0, 9.0)
    for k in range(n):
        i = mark_set(out, i, CARDS, int(s.left[stall_of(s, seat, k)]))
    i = put(out, i, float(s.camel), 9.0)
    i = put(out, i, float(s.camels_left), float(CAMELS))
    pile = 0  # camels by capacity, six bits each
    for k in range(box.camel_count):
        pile += 1 << (6 * int(box.camels[k]))
    for other in range(s.players):
        for size in range(1, CAPACITIES):
            pile -= int(s.held[other, size]) << (6 * size)
    if s.camel != 0:
        pile -= 1 << (6 * int(s.camel))
    for size in range(1, CAPACITIES):
        put(out, i + size, float((pile >> (6 * size)) & 63), 8.0)
    return i + CAPACITIES


@compiled
def observe_goods(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write the goods and camels of each seat, the observing one first."""
    players = int(s.players)
    n = stalls(s)
    counts = i + players * n * CARDS
    sums = counts + players * n
    same = sums + players * n
    after = same + players * (VALUES - 1)
    for k in range(players):
        other = beside(seat, k, players)
        for at in range(n):
            cards = of_stall(int(s.goods[other]), stall_of(s, seat, at))
            i = mark_set(out, i, CARDS, cards)
            put(out, counts + at, float(bits(cards)), 5.0)
            total = 0
            while cards:
                value = int(box.values[lowest(cards)])
                cards &= cards - 1
                total += value
                out[same + value - 1] = min(1.0, out[same + value - 1] + 1.0 / 6.0)
            put(out, sums + at, float(total), 20.0)
        counts += n
        sums += n
        same += VALUES - 1
        bought = bits(int(s.goods[other]))
        room = capacity(s, other)
        put(out, after + k, float(bought), 20.0)
        put(out, after + players + k, float(room), 20.0)
        put(out, after + 2 * players + k, float(room - bought), 10.0)
    return after + 3 * players


@compiled
def observe_worths(box: Record, s: Record, seat: int, out: Ints, i: int) -> int:
    """Write what the things for sale seem worth to the seat, and what it would cost to buy one now."""
    n = stalls(s)
    at = standing(box, s, seat, PLAIN)
    for k in range(n):
        item = NAME + stall_of(s, seat, k)
        if may_name(s, seat, item):
            put(out, i + k, item_worth(box, s, seat, item, at, PLAIN), POINTS)
    if s.camel != 0:
        put(out, i + n, item_worth(box, s, seat, CAMEL, at, PLAIN), POINTS)
    i += n + 1
    price = int(s.price)
    return put(out, i, price * dirham(box, s, seat, price, PLAIN) if price > 0 else 0.0, POINTS)
