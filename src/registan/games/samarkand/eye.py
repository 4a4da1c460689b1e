"""Samarkand: the numbers that a glance goes by (`bot`): `PLAIN`, found by self-play; `glance.json` has a tuned eye."""

from __future__ import annotations

from typing import NamedTuple


class Eye(NamedTuple):
    """What the glance goes by."""

    pace: float
    pace_end: float
    pace_lonely: float
    pace_met: float
    """Turns left: at least, per step to the nearer end, per lonely family, per meeting still to come."""
    stride: float
    load: float
    """How fast hope fades with the distance, and how much faster for each card that is not reached yet."""
    both: float
    """The weight of a seat's second family on a card's space, as it has to get there too."""
    sale_hope: float
    """What a card brings, by a sale or by other families, if none of the seat's families gets there first."""
    sale: float
    """A sale now."""
    marker: float
    """A goods marker."""
    meet: float
    share: float
    """A meeting, and the cost of a dirham for every rival."""
    drawn: float
    spare: float
    span: float
    """What a drawn card brings, one more to choose from, and each good within reach of the family married into."""
    fade: float
    """How soon before the end that is too late."""
    tile: float
    rival: float
    empty: float
    """A family: less for each one that the seat has, and more for each rival who has it, and with an empty treasury."""
    follow: float
    """How much of what the first camel of a turn left over the second one gets."""
    lead: float
    unseen: float
    """The weight of a point ahead when the game ends, and of a rival's card in that."""
    bend: float
    """How much more than quadratically hope fades with the distance."""
    foreign: float
    """What a card brings if a family of others gets to its space."""
    room: float
    """A free place in hand, for the cards of a marriage to come."""
    give: float
    feed: float
    """The cost of being first on the space of a good whose card a rival may hold, and of being second there."""
    beside: float
    expose: float
    """The best meeting next to where a camel stops, and its cost if rivals may arrange one there."""
    thrift: float
    """The cost of a second camel."""
    hasten: float
    """The weight of a point ahead for every lonely family that meets another, as the end comes nearer."""
    join: float
    stock: float
    """The best meeting that a family married into can have at once, and each camel that it has left."""


PLAIN = Eye(
    pace=0.59, pace_end=0.5, pace_lonely=1.1, pace_met=0.12, stride=2.9, load=0.0, both=0.61, sale_hope=0.42, sale=3.0,
    marker=1.0, meet=3.0, share=2.2, drawn=3.2, spare=0.42, span=0.61, fade=0.64, tile=0.56, rival=0.0, empty=0.0,
    follow=0.81, lead=0.42, unseen=1.1, bend=0.0, foreign=0.0, room=0.0, give=0.0, feed=0.0, beside=0.0, expose=0.0,
    thrift=0.0, hasten=0.0, join=0.0, stock=0.0,
)  # fmt: skip
STEPS = Eye(
    pace=0.1, pace_end=0.1, pace_lonely=0.2, pace_met=0.03, stride=0.5, load=0.05, both=0.1, sale_hope=0.1, sale=0.3,
    marker=0.2, meet=0.3, share=0.35, drawn=0.5, spare=0.1, span=0.1, fade=0.1, tile=0.1, rival=0.2, empty=0.3,
    follow=0.1, lead=0.1, unseen=0.2, bend=0.3, foreign=0.3, room=0.4, give=0.4, feed=0.4, beside=0.1, expose=0.4,
    thrift=0.2, hasten=0.05, join=0.1, stock=0.1,
)  # fmt: skip
"""How far tuning first looks to both sides."""
