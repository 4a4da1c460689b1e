"""The souk: what each level of the ladder sees, and how a search by what was learned differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

SEARCH: dict[str, Any] = {"paired": True, "soft": 4.0, "candidates": 8, "hunch": 0.03, "prior": 40.0}
"""Where the search of the master differs from the one of version 1 (`bots.search_bot.Tuning`): it begins with what the
net prefers. Simulations to the end of the game did better than those that a net judges."""
LEARNED: dict[str, Any] = {**SEARCH, "tuned": 1.0}
"""The same among those who have learned, too."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"tuned": -0.089},
    "novice": {"tuned": 0.006},
    "pedlar": {"tuned": 0.411},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"learned": 0.016},
    "vizier": {"learned": 0.1},
    "master": {"seconds": 1.0, "tuning": SEARCH},
}
"""What each level sees (`bots.ladder`)."""
