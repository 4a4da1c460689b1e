"""Metrics for Prometheus."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest
from prometheus_client.multiprocess import MultiProcessCollector

SHARED = "PROMETHEUS_MULTIPROC_DIR"
"""The variable with the folder where several processes count together; it must be set before this is imported."""


class Metrics:
    """The metrics of one house."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)  # its processor time and memory, on Linux
        buckets = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5)
        self.moves = Histogram(
            "registan_move_seconds",
            "From a request to all watchers having been sent the new view",
            buckets=buckets,
            registry=self.registry,
        )
        self.refused = Counter("registan_refused", "Requests not granted", ["error"], registry=self.registry)
        self.conflicts = Counter("registan_conflicts", "Races lost to another process", registry=self.registry)
        self.events = Counter("registan_events", "Events appended to logs", registry=self.registry)
        self.tables = Gauge("registan_tables", "Tables in memory", registry=self.registry, multiprocess_mode="livesum")
        self.sockets = Gauge("registan_sockets", "Open WebSockets", registry=self.registry, multiprocess_mode="livesum")
        self.thinking = Gauge(
            "registan_bots_thinking", "Bots at work", registry=self.registry, multiprocess_mode="livesum"
        )
        self.thought = Histogram("registan_bot_seconds", "How long bots think", registry=self.registry)
        self.lowered = Counter(
            "registan_bots_lowered", "Answers of bots below the level of their seat", ["why"], registry=self.registry
        )
        self.failed = Counter("registan_bots_failed", "Bots that failed or never answered", registry=self.registry)
        self.notices = Counter("registan_notices", "Notices of turns", ["kind", "result"], registry=self.registry)

    def written(self) -> bytes:
        """Return all metrics, of all processes of the house on this machine."""
        registry = self.registry
        if SHARED in os.environ:
            registry = CollectorRegistry()
            MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
