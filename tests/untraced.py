"""What coverage does not trace: it would take several times as long, and cover nothing."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest


def tracer(config: pytest.Config) -> Any:
    """Return what pauses and resumes coverage, None if nothing is traced."""
    return getattr(config.pluginmanager.getplugin("_cov"), "cov_controller", None)


@contextmanager
def untraced(config: pytest.Config) -> Iterator[None]:
    """Trace nothing meanwhile."""
    cov = tracer(config)
    if cov is None or not cov.started:
        yield
        return
    cov.pause()
    try:
        yield
    finally:
        cov.resume()


def do_not_trace_the_compiler(config: pytest.Config) -> None:
    """Pause coverage whenever Numba compiles something, or loads it from disk."""
    if tracer(config) is None:
        return
    with untraced(config):
        from numba.core import event

    class Pause(event.Listener):
        def __init__(self) -> None:
            self.inside: list[Any] = []

        def on_start(self, _: Any) -> None:
            if threading.current_thread() is threading.main_thread():
                self.inside.append(pause := untraced(config))
                pause.__enter__()

        def on_end(self, _: Any) -> None:
            if threading.current_thread() is threading.main_thread():
                self.inside.pop().__exit__(None, None, None)

    event.register("numba:compiler_lock", Pause())  # type: ignore[no-untyped-call]
