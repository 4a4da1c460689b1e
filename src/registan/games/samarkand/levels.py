"""Samarkand: what each level of the ladder sees, and how a search by the net differs (docs/bots.md)."""

from __future__ import annotations

from typing import Any

SEARCH: dict[str, Any] = {"paired": True, "soft": 8.0}
"""Where the search of the levels differs from the one of version 1 (`bots.search_bot.Tuning`)."""
CHOSEN: dict[str, Any] = {**SEARCH, "tuned": 1.0, "candidates": 12}
"""The same for a few of a hundred actions."""
LEARNED: dict[str, Any] = {**CHOSEN, "candidates": 6, "hunch": 0.02}
"""The same for those that the net prefers."""
BLURRED: dict[str, Any] = {**CHOSEN, "heat": 1.5, "prior": 40.0}
"""With more simulations it would see through those who always play what looks best, and nobody at its table does. So in
its simulations everybody looks less closely, and what actions look like at a glance counts for more."""
LADDER: dict[str, dict[str, Any]] = {
    "child": {"notices": 5.1},
    "novice": {"notices": 6.6},
    "pedlar": {"notices": 9.2},
    "merchant": {"notices": 14.2},
    "caravaneer": {"tuned": 1.0},
    "vizier": {"simulations": 120, "tuning": CHOSEN},
    "master": {"seconds": 1.0, "tuning": {**BLURRED, "candidates": 16}},
}
"""What each level sees (`bots.ladder`)."""
