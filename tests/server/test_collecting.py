"""Garbage is collected in small portions, and only while a house is open."""

from __future__ import annotations

import asyncio
import gc
import weakref

import pytest

from registan.server import collecting


class Knot:
    """Something that holds itself."""

    def __init__(self) -> None:
        self.itself = self


def test_what_holds_itself_goes_although_python_does_not_collect(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(collecting, "PAUSE", 0.001)
    monkeypatch.setattr(collecting, "SELDOM", 3)

    async def play() -> None:
        task = asyncio.create_task(collecting.collect())
        await asyncio.sleep(0)
        assert not gc.isenabled()
        new, old = Knot(), Knot()
        gone = weakref.ref(new), weakref.ref(old)
        del new
        gc.collect(0)  # `old` was in use meanwhile
        del old
        await asyncio.sleep(0.1)
        assert [each() for each in gone] == [None, None]
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)

    try:
        asyncio.run(play())
        assert gc.isenabled()
    finally:
        gc.unfreeze()
