"""Khiva: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3, "tuned": 1.0, "paired": True, "hunch": True, "candidates": 8}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`); levels with little time do, too."""
SEARCH: dict[str, Any] = {"tuned": 1.0, "paired": True, "soft": 8.0}
"""Where the search of the master differs from the one of version 1: with more time, playing to the end is better."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 1.8},
    "novice": {"notices": 2.7},
    "pedlar": {},
    "merchant": {"tuned": 1.0},
    "caravaneer": {"simulations": 1, "tuning": LEARNED},  # too few for its candidates: what the net thinks decides
    "vizier": {"simulations": 200, "tuning": {**LEARNED, "candidates": 12}},
    "master": {"seconds": 1.0, "tuning": SEARCH},
}
"""What each level sees (`bots.ladder`)."""
