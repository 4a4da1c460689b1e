"""Information-set Monte Carlo tree search for any game.

Every simulation deals what is hidden at random (`guess`) and plays the game to its end. Every seat has its own tree
(multi-observer): a node is what that seat has seen since the root (`seen`), so what it cannot see does not branch its
tree, and simultaneous choices do not know of each other. PUCT decides which action to try: how well it has done, and
how good it looked at first (`glance`).

Nodes are not stored: a node is a hash of what was seen on the way, and the table holds only edges, one for each action
tried in a node.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from registan.bots.net import Net, Scratch
from registan.bots.playout import go_on
from registan.core import chance as dice
from registan.core import rules
from registan.core.chance import MASK
from registan.core.compiled import compiled
from registan.core.game import SEATS, Ints, Record, record_type

EDGE = record_type([("key", "u8"), ("visits", "i4"), ("value", "f4")])
NOTED = 5
"""How many numbers are kept for every action at the root."""
DEPTH = 64
"""The most decisions of a simulation that are made in the tree."""
REPLY = record_type([("key", "u8"), ("root", "i4"), ("seat", "i4"), ("action", "i4"), ("count", "i4")])
REPLIES = 2048
"""How many different replies of others are counted; they rarely matter beyond that."""

TUNING = record_type(
    [
        ("explore", "f8"),  # weight of the first look against what simulations say
        ("sharpness", "f8"),  # how much better an action must look, in points, to be tried e times as often
        ("unknown", "f8"),  # how much worse than the others an untried action is assumed to be
        ("greedy", "f8"),  # share of playout decisions made by the greedy bot; the rest are random
        ("heat", "f8"),  # if not 0, how blurred what actions look like is in playouts, in points
        ("margin", "f8"),  # share of the margin in the reward; the rest is winning
        ("scale", "f8"),  # points of margin that count as a clear win
        ("soft", "f8"),  # if not 0, the reward is the margin alone, and e times less matters this many points from 0
        ("open_hands", "f8"),  # 1 if the seat sees all hands: nothing is guessed, only the piles are unknown
        ("luck", "u8"),  # if not 0, the seed of the luck that all actions of the root share, try by try
        ("trust", "f8"),  # after how many simulations half of them are played to the end instead of judged by a net
    ]
)


@compiled
def mix(node: Any, number: int) -> Any:
    """Return the hash of a node and a number."""
    return dice._mix(dice._mix((int(node) + 0x9E3779B97F4A7C15) & MASK) ^ int(np.uint64(number)))


@compiled
def find_edge(edges: Record, node: Any, action: int) -> int:
    """Return the place of the edge of an action in a node, or the free place for it; -1 if the table is full."""
    key = mix(node, action)
    size = len(edges)
    place = np.int64(key % np.uint64(size))
    for _ in range(64):
        if edges[place].key == key or edges[place].key == 0:
            return int(place)
        place = (place + 1) % size
    return -1


@compiled
def first_look(box: Record, s: Record, seat: int, tune: Record, actions: Ints, n: int, worth: Ints, eye: Any) -> None:
    """Write how likely each of n actions is to be the best, at a glance."""
    rules.glance(box, s, seat, actions, n, worth, eye)
    top = -1e9
    for i in range(n):
        top = max(top, worth[i])
    total = 0.0
    for i in range(n):
        worth[i] = np.exp((worth[i] - top) / tune.sharpness)
        total += worth[i]
    for i in range(n):
        worth[i] /= total


@compiled
def at_first(boxes: Record, states: Record, seat: int, actions: Ints, worth: Ints, eye: Any) -> None:
    """Write what each of some actions seems worth to a seat, at a glance."""
    rules.glance(boxes[0], states[0], seat, actions, len(actions), worth, eye)


@compiled
def fewest(root: Ints, left: Ints) -> int:
    """Return which of the actions that are left has been tried least."""
    chosen = int(left[0])
    for i in range(1, len(left)):
        if root[left[i], 0] < root[chosen, 0]:
            chosen = int(left[i])
    return chosen


@compiled
def select(edges: Record, node: Any, tune: Record, actions: Ints, n: int, worth: Ints, places: Ints) -> int:
    """Return the index in `actions` of the action to try in a node, by PUCT over the actions legal in this world."""
    visits = 0
    value = 0.0
    for i in range(n):
        place = find_edge(edges, node, int(actions[i]))
        places[i] = place
        if place >= 0 and edges[place].visits > 0:
            visits += int(edges[place].visits)
            value += float(edges[place].value)
    unknown = value / visits - tune.unknown if visits > 0 else 0.5
    weight = tune.explore * np.sqrt(visits + 1.0)
    chosen = 0
    best_score = -1e9
    for i in range(n):
        place = places[i]
        count = int(edges[place].visits) if place >= 0 else 0
        mean = float(edges[place].value) / count if count > 0 else unknown
        score = mean + weight * worth[i] / (1.0 + count)
        if score > best_score:
            best_score = score
            chosen = i
    return chosen


@compiled
def imagine(box: Record, s: Record, seat: int, rng: Ints, open_hands: bool) -> None:
    """Deal what a seat does not know, up to the next decision; others have not answered yet."""
    if open_hands:
        rules.reshuffle(box, s, rng)
    else:
        rules.guess(box, s, seat, rng)
    rules.unseal(box, s, seat)
    while s.due != 0:
        rules.chance(box, s)


@compiled
def luck_of(tune: Record, root: Ints, tried: int, rng: Ints, shared: Ints) -> Any:
    """Return what a simulation draws from: the same for the same try of every action, if the actions share their luck.

    What the others hold and draw then differs between two actions no more than it has to.
    """
    if tune.luck == 0 or tried < 0:
        return rng
    dice.seed(shared, int(tune.luck), int(root[tried, 0]))
    return shared


@compiled
def learn(edges: Record, path: Ints, depth: int, got: Ints) -> None:
    """Add the rewards of a simulation to the edges on its path."""
    for i in range(depth):
        place = path[i, 0]
        if place >= 0:
            edges[place].visits += 1
            edges[place].value += got[path[i, 1], 0]


@compiled
def note_outcome(outcomes: Ints, first: int, players: int, got: Ints, points: Ints) -> None:
    """Add the result of a simulation to `outcomes[first, seat, part]`, as sum and sum of squares; part 0 is the win."""
    if len(outcomes) == 0:
        return
    noted = outcomes[first]
    for seat in range(players):
        noted[seat, 0, 0] += got[seat, 1]
        noted[seat, 0, 1] += got[seat, 1] ** 2
        for part in range(points.shape[1]):
            noted[seat, 1 + part, 0] += points[seat, part]
            noted[seat, 1 + part, 1] += float(points[seat, part]) ** 2


@compiled
def note_reply(replies: Record, worlds: Record, first: int, actor: int, action: int) -> None:
    """Count a reply to an action of the root; the world of the first time it was given stays in `worlds[1 + place]`."""
    key = mix(mix(np.uint64(first + 1), actor), action)
    size = len(replies)
    place = np.int64(key % np.uint64(size))
    for _ in range(16):
        if replies[place].key == 0:
            replies[place].key = key
            replies[place].root = first
            replies[place].seat = actor
            replies[place].action = action
            worlds[1 + place] = worlds[0]
        if replies[place].key == key:
            replies[place].count += 1
            return
        place = (place + 1) % size


@compiled
def simulate(
    boxes: Record,
    hidden: Record,
    seat: int,
    worlds: Record,
    edges: Record,
    rng: Ints,
    tune: Record,
    simulations: int,
    most: int,
    parts: int,
    roots: Ints,
    root: Ints,
    only: int,
    left: Ints,
    outcomes: Ints,
    replies: Record,
    net: Net,
    room: Scratch,
    eye: Any,
) -> None:
    """Run simulations from what a seat sees, from the node `roots[other]` in the tree of every seat.

    `root[index of the action]` counts how often an action was tried, and sums its rewards, shares of wins, margins and
    squared rewards. With `only`, the seat tries just the action with that index; with `left`, if not empty, just these,
    all equally often. `outcomes[index]`, if not empty, gets
    everybody's results (`note_outcome`), and `replies`, if not empty, what others do next: the first decision between
    several actions after everybody has answered who is asked now.
    `net` judges positions if `tune.trust` is not 0. Everybody looks at moves with the same `eye` (`glance`).
    The seat need not be asked, and an event may be due; then only the sums over all actions mean anything.
    """
    box = boxes[0]
    actions = np.zeros(most, np.int32)
    places = np.zeros(most, np.int64)
    worth = np.zeros(most, np.float64)
    points = np.zeros((SEATS, parts), np.int64)
    got = np.zeros((SEATS, 3), np.float64)
    nodes = np.zeros(SEATS, np.uint64)
    path = np.zeros((DEPTH, 2), np.int64)
    players = int(hidden[0].players)
    mine = (int(hidden[0].waiting) >> seat) & 1
    views = worlds[:1].copy()
    done = root[:, 0].sum()
    shared = np.zeros(len(rng), np.uint64)
    options = np.zeros(most, np.int32)
    looks = np.zeros(most, np.float64)
    several = 0
    # Where the seat stands in its tree when it answers: others who are asked at once answer first.
    own = roots[seat : seat + 1].copy()
    for _ in range(simulations):
        tried = only
        if len(left) > 0:
            tried = fewest(root, left)
        elif several > 1:
            tried = select(edges, own[0], tune, options, several, looks, places)
        luck = luck_of(tune, root, tried, rng, shared)
        worlds[0] = hidden[0]
        s = worlds[0]
        imagine(box, s, seat, luck, tune.open_hands > 0)
        for other in range(players):
            nodes[other] = roots[other]
        depth = 0
        first = -1
        fresh = False
        asked = int(s.waiting)
        replied = len(replies) == 0
        # Others who are asked at the same time answer first, each in their own tree; the seat itself acts in its own.
        while s.over == 0 and depth < DEPTH and ((mine != 0 and first < 0) or not fresh):
            actor = rules.next_seat(s)
            n = rules.legal(box, s, actor, actions)
            now = mine != 0 and actor == seat and first < 0
            chosen = max(tried, 0) if now else 0
            if n == 1 or (now and tried >= 0):
                places[chosen] = find_edge(edges, nodes[actor], int(actions[chosen]))
            else:
                first_look(box, s, actor, tune, actions, n, worth, eye)
                chosen = select(edges, nodes[actor], tune, actions, n, worth, places)
            if now:
                first = chosen
                if tried < 0:  # what the seat may do, and how it looks, is the same in every world
                    several = n
                    own[0] = nodes[actor]
                    options[:n] = actions[:n]
                    looks[:n] = worth[:n]
            action = int(actions[chosen])
            if asked != 0:
                asked &= ~(1 << actor)
            elif not replied and actor != seat and n > 1:
                note_reply(replies, worlds, first, actor, action)
                replied = True
            place = places[chosen]
            fresh = True
            if place >= 0:
                if edges[place].key == 0:
                    edges[place].key = mix(nodes[actor], action)
                fresh = edges[place].visits == 0
            path[depth, 0] = place
            path[depth, 1] = actor
            depth += 1
            for other in range(players):
                learnt = rules.seen(box, s, other, actor, action)
                nodes[other] = mix(nodes[other], learnt + 1 + (actor << 58))
            rules.apply(box, s, actor, action)
        go_on(box, s, luck, tune, done, actions, worth, net, room, views, points, got, eye)
        done += 1.0
        learn(edges, path, depth, got)
        first = max(first, 0)
        note_outcome(outcomes, first, players, got, points)
        root[first, 0] += 1
        root[first, 1] += got[seat, 0]
        root[first, 2] += got[seat, 1]
        root[first, 3] += got[seat, 2]
        root[first, 4] += got[seat, 0] ** 2
