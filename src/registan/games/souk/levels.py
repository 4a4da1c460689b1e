"""The souk: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED: dict[str, Any] = {"trust": 1e9, "explore": 0.3, "tuned": 1.0, "paired": True}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`)."""
SEARCH: dict[str, Any] = {"paired": True, "soft": 4.0}
"""Where the search of the levels differs from the one of version 1: simulations to the end of the game did better
than those that a net judges."""
CHOSEN: dict[str, Any] = {**SEARCH, "tuned": 1.0, "candidates": 8, "hunch": 0.03, "prior": 40.0}
"""The same, beginning with what the net prefers."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"tuned": -0.089},
    "novice": {"tuned": 0.006},
    "pedlar": {"tuned": 0.411},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"learned": 0.4},
    "vizier": {"learned": 1.0},
    "master": {"seconds": 1.0, "tuning": CHOSEN},
}
"""What each level sees (`bots.ladder`)."""
