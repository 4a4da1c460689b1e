"""Khiva: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

LEARNED = {"trust": 1e9, "explore": 0.3, "tuned": 1.0, "paired": True, "hunch": 0.02, "candidates": 8}
"""Where the search by the net differs from that without (`bots.search_bot.Tuning`); the upper levels do, too."""
ADVICE: dict[str, Any] = {"tuned": 1.0, "paired": True, "soft": 8.0}
"""Where the search for a hint differs: without a net, as every simulation is played to the end of the game."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 1.4},
    "novice": {"notices": 1.8},
    "pedlar": {"notices": 2.7},
    "merchant": {},
    "caravaneer": {"tuned": 1.0},
    "vizier": {"learned": 1.0},
    "master": {"seconds": 1.0, "tuning": {**LEARNED, "candidates": 16}},
}
"""What each level sees (`bots.ladder`)."""
