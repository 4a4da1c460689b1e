"""The laboratory's slower work, one process each, in seconds of processor time with everything: start, imports, files.

    python -m bench.lab

`check` replays 100 games of each game from a file of records, and one alone, which is all start; `simulate --decisions`
writes a row for each decision.
Machine code must be there (`registan warm`).
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from registan.core.registry import keys

CHECKED, DECIDED = 100, 4000


def seconds(words: Sequence[str]) -> tuple[float, float]:
    """Run a command of `registan` on one core and return its processor time and how long it took."""
    before, start = os.times(), time.perf_counter()
    subprocess.run([sys.executable, "-m", "registan", *words], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return used, time.perf_counter() - start


def main() -> None:
    """Print one JSON line for each figure."""
    with tempfile.TemporaryDirectory() as folder:
        records, rows = Path(folder, "games.jsonl"), Path(folder, "decisions.csv")
        for key in keys():
            seconds(["simulate", key, "--games", str(CHECKED), "--record", str(records), "--workers", "1"])
            used, took = min(seconds(["check", str(records)]) for _ in range(3))
            show("check", key, CHECKED, used, took)
            records.write_text(records.read_text("utf-8").partition("\n")[0] + "\n", "utf-8")
            used, took = min(seconds(["check", str(records)]) for _ in range(3))
            show("check", key, 1, used, took)
            games = ["simulate", key, "--games", str(DECIDED), "--decisions", str(rows), "--workers", "1"]
            used, took = min(seconds(games) for _ in range(3))
            show("decisions", key, DECIDED, used, took)


def show(what: str, game: str, games: int, used: float, took: float) -> None:
    """Print a line of JSON."""
    figures = {"cpu_s": round(used, 2), "s": round(took, 2), "games_per_cpu_s": round(games / used)}
    print(json.dumps({"what": what, "game": game, "games": games, **figures}), flush=True)


if __name__ == "__main__":
    main()
