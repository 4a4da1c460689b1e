"""Khiva: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3, "tuned": 1.0, "paired": True}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`); levels with little time do, too."""
SEARCH: dict[str, Any] = {"tuned": 1.0, "paired": True, "soft": 8.0}
"""Where the search of the master differs from the one of version 1: with more time, playing to the end is better."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 1.8},
    "novice": {"notices": 2.7},
    "pedlar": {},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"simulations": 24, "tuning": LEARNED},
    "vizier": {"simulations": 400, "tuning": LEARNED},
    "master": {"seconds": 1.0, "tuning": SEARCH},
}
"""What each level sees (`bots.ladder`)."""
