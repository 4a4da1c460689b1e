"""Who does the work: this process, other processes, or a Ray cluster. The results are the same.

Search runs in compiled code without the interpreter lock, but Python drives it between the moves, and there threads
would wait for each other; processes do not. They are spawned, not forked: the compiler and the progress bar have
threads, and a fork would copy the locks they hold.
"""

from __future__ import annotations

import os
import signal
import warnings
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from contextlib import contextmanager
from multiprocessing import active_children, get_context
from typing import Any, TypeVar

from registan.core.errors import BadInput

T = TypeVar("T")
R = TypeVar("R")

HERE = "here"
"""Where work is done by default; the others are `ray` and `ray://host:port`."""
RAY = "ray"
AHEAD = 3
"""Tasks in flight for each worker: enough that none waits for the next."""


def check_place(on: str) -> None:
    """Raise BadInput unless work can be done in such a place."""
    if on not in (HERE, RAY) and not on.startswith("ray://"):
        raise BadInput("lab.no_place", on=on)


def run_tasks(work: Callable[[T], R], tasks: Sequence[T], workers: int = 1, on: str = HERE) -> Iterator[tuple[int, R]]:
    """Yield the index and the result of each task as it is finished.

    With several workers, `work` and the tasks must be picklable.
    """
    if on != HERE and tasks:
        yield from _on_ray(work, tasks, workers, on)
    elif workers == 1 or len(tasks) <= 1:
        yield from ((i, work(task)) for i, task in enumerate(tasks))
    else:
        yield from _processes(work, tasks, min(workers, len(tasks)))


def in_order(done: Iterator[tuple[int, R]]) -> Iterator[R]:
    """Yield the results in the order of the tasks; those finished early wait."""
    waiting: dict[int, R] = {}
    following = 0
    for index, result in done:
        waiting[index] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1


def _processes(work: Callable[[T], R], tasks: Sequence[T], workers: int) -> Iterator[tuple[int, R]]:
    """Do the work in new processes; they end with the iterator, finished or not."""
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
        # After Ctrl-C, nobody wants to wait for the games that have just begun.
        for child in set(active_children()) - others:
            child.terminate()
        pool.shutdown(cancel_futures=True)


def _quiet() -> None:
    """Leave Ctrl-C to the main process, which ends the others."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _call(work: Callable[[T], R], task: T) -> R:
    """Do one task; Ray takes functions only, and `work` may be a `partial`."""
    return work(task)


@contextmanager
def place(workers: int, on: str) -> Iterator[None]:
    """Keep a Ray cluster open for several runs of tasks: the one at the address, or a temporary one on this machine."""
    if on == HERE:
        yield
        return
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ModuleNotFoundError:
        raise BadInput("lab.needs", what="--on ray", extra="ray") from None
    if ray.is_initialized():
        yield
        return
    here = on == RAY and not os.environ.get("RAY_ADDRESS")
    quiet: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR", "configure_logging": False}
    try:
        with warnings.catch_warnings(action="ignore"):  # the error that follows says what matters
            if here:
                ray.init(num_cpus=workers, include_dashboard=False, **quiet)
            else:
                ray.init(None if on == RAY else on, **quiet)
    except (ConnectionError, ValueError, TimeoutError) as error:
        raise BadInput("lab.no_ray", address=on, why=str(error).splitlines()[0]) from None
    try:
        yield
    finally:
        ray.shutdown()


def _on_ray(work: Callable[[T], R], tasks: Sequence[T], workers: int, on: str) -> Iterator[tuple[int, R]]:
    """Do the work on a Ray cluster."""
    with place(workers, on):
        import ray

        remote: Any = ray.remote(_call)
        resources: dict[str, float] = ray.cluster_resources()
        limit = AHEAD * max(1, int(resources.get("CPU", 1)))
        running: dict[Any, int] = {}
        queue = iter(enumerate(tasks))
        while True:
            while len(running) < limit and (following := next(queue, None)) is not None:
                running[remote.remote(work, following[1])] = following[0]
            if not running:
                return
            done, _ = ray.wait(list(running))
            for ref in done:
                yield running.pop(ref), ray.get(ref)
