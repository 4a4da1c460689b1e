"""The souk: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`)."""
SEARCH: dict[str, Any] = {"tuned": 1.0, "paired": True, "soft": 4.0}
"""Where the search of the levels differs from the one of version 1 (`bots.search_bot.Tuning`)."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"simulations": 4},
    "novice": {"simulations": 12},
    "pedlar": {"simulations": 25},
    "merchant": {"simulations": 50},
    "caravaneer": {"simulations": 100},
    "vizier": {"simulations": 250},
    "master": {"seconds": 1.0},
}
"""What each level sees (`bots.ladder`)."""
