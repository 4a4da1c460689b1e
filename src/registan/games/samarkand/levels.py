"""Samarkand: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`)."""
SEARCH: dict[str, Any] = {"paired": True, "soft": 8.0}
"""Where the search of the levels differs from the one of version 1 (`bots.search_bot.Tuning`)."""
FEW: dict[str, Any] = {**SEARCH, "tuned": 1.0, "candidates": 12}
"""The same with few simulations: too few for a hundred actions."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 6.6},
    "novice": {"notices": 9.2},
    "pedlar": {"notices": 14.2},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"simulations": 120, "tuning": FEW},
    "vizier": {"simulations": 900, "tuning": SEARCH},
    "master": {"seconds": 1.0, "tuning": SEARCH},
}
"""What each level sees (`bots.ladder`)."""
