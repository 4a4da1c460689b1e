"""Who does the work: this process, others beside it, or a Ray cluster. What comes out is the same.

Search runs in compiled code that holds no lock, but it is driven by Python between the moves, and there threads wait
for each other: processes do not. They are spawned, not forked: the compiler and the progress bar have threads, and a
fork copies the locks these hold.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from registan.core.errors import BadInput

T = TypeVar("T")
R = TypeVar("R")

HERE = "here"
"""Where work is done unless somebody says `ray` or `ray://host:port`."""
AHEAD = 3
"""Tasks that are handed out for each worker: enough that none waits for the next."""


def spread(work: Callable[[T], R], tasks: Sequence[T], workers: int = 1, on: str = HERE) -> Iterator[tuple[int, R]]:
    """Yield the place of each task and what came of it, as they are finished.

    `work` is a function of a module and tasks are plain data, so that both can be sent.
    """
    if on != HERE and tasks:
        yield from _on_ray(work, tasks, workers, on)
    elif workers == 1 or len(tasks) <= 1:
        yield from ((i, work(task)) for i, task in enumerate(tasks))
    else:
        yield from _processes(work, tasks, min(workers, len(tasks)))


def in_order(done: Iterator[tuple[int, R]]) -> Iterator[R]:
    """Yield what came of the tasks in their order; what is finished early waits."""
    waiting: dict[int, R] = {}
    following = 0
    for place, result in done:
        waiting[place] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _processes(work: Callable[[T], R], tasks: Sequence[T], workers: int) -> Iterator[tuple[int, R]]:
    """Do the work in processes of our own; they end with the iterator, finished or not."""
    others = set(active_children())
    pool = ProcessPoolExecutor(workers, get_context("spawn"), _quiet)
    try:
        running: dict[Future[R], int] = {}
        queue = iter(enumerate(tasks))
        while True:
            while len(running) < AHEAD * workers and (following := next(queue, None)) is not None:
                running[pool.submit(work, following[1])] = following[0]
            if not running:
                return
            for future in wait(running, return_when=FIRST_COMPLETED).done:
                yield running.pop(future), future.result()
    finally:
        # Whoever stopped us does not want to wait for the games that have just begun.
        for child in set(active_children()) - others:
            child.terminate()
        pool.shutdown(cancel_futures=True)


def _quiet() -> None:
    """Leave Ctrl-C to the process that hands out the work: it ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _on_ray(work: Callable[[T], R], tasks: Sequence[T], workers: int, on: str) -> Iterator[tuple[int, R]]:
    """Do the work on a Ray cluster: the one at the address, or one started here for the time it takes."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="--on ray", extra="ray") from None
    here = on == "ray" and not os.environ.get("RAY_ADDRESS")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    try:
        with warnings.catch_warnings(action="ignore"):  # what matters of them is in the error that follows
            if here:
                ray.init(num_cpus=workers, include_dashboard=False, **quiet)
            else:
                ray.init(None if on == "ray" else on, **quiet)
    except (ConnectionError, ValueError, TimeoutError) as error:
        raise BadInput("lab.no_ray", address=on, why=str(error).splitlines()[0]) from None
    try:
        remote = ray.remote(work)
        resources: dict[str, float] = ray.cluster_resources()  # type: ignore[no-untyped-call]
        room = AHEAD * max(1, int(resources.get("CPU", 1)))
        running: dict[Any, int] = {}
        queue = iter(enumerate(tasks))
        while True:
            while len(running) < room and (following := next(queue, None)) is not None:
                running[remote.remote(following[1])] = following[0]
            if not running:
                return
            done, _ = ray.wait(list(running))
            for ref in done:
                yield running.pop(ref), ray.get(ref)
    finally:
        ray.shutdown()
