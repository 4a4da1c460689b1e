"""Samarkand: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`)."""
SEARCH: dict[str, Any] = {"paired": True, "soft": 8.0}
"""Where the search of the levels differs from the one of version 1 (`bots.search_bot.Tuning`)."""
CHOSEN: dict[str, Any] = {**SEARCH, "tuned": 1.0, "candidates": 12}
"""The same for a few of a hundred actions. What they look like at a glance says something that simulations do not, so
it counts for more where there are more of them (`prior`)."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 6.6},
    "novice": {"notices": 9.2},
    "pedlar": {"notices": 14.2},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"simulations": 120, "tuning": CHOSEN},
    "vizier": {"simulations": 480, "tuning": {**CHOSEN, "prior": 40.0}},
    "master": {"seconds": 1.0, "tuning": {**CHOSEN, "candidates": 16, "prior": 400.0}},
}
"""What each level sees (`bots.ladder`)."""
