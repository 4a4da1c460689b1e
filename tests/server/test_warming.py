"""Machine code is compiled once, however many processes of a machine need it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from registan.core.engine import Engine
from registan.server import warming


def test_two_that_need_a_game_compile_it_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []

    async def compile_(game: str) -> bool:
        await asyncio.sleep(0.05)  # the other one comes meanwhile
        compiled.append(game)
        return True

    monkeypatch.setattr(warming, "INTERPRET", False)
    monkeypatch.setattr(warming, "LOCK_ROUND", 0.01)
    monkeypatch.setattr(warming, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(warming, "keys", lambda: ["khiva"])
    monkeypatch.setattr(warming, "is_cached", lambda game, function: game.key in compiled)
    monkeypatch.setattr(warming, "_compile", compile_)
    monkeypatch.setattr(Engine, "load", lambda *_: None)

    async def both() -> None:
        await asyncio.gather(warming.warm(), warming.warm())

    asyncio.run(both())
    assert compiled == ["khiva"]
