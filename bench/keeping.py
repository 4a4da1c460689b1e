"""Measure what a table keeps in memory at the end of a whole game, in kilobytes of Python objects.

    python -m bench.keeping                     # four tables of each game, four people each
    python -m bench.keeping --game souk --tables 10

People play at random and watch their table, without sockets, up to the last move but one (a table whose game is over
leaves memory with its last watcher). Counted is what is freed when the tables are let go, lines of their logs that other
tables have too included; what is made once for all tables is not.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import random
import tempfile
import tracemalloc
from pathlib import Path

from registan.core.registry import find, keys
from registan.server.identity import Person
from registan.server.live.house import House
from registan.server.live.outbox import Outbox
from registan.server.live.table import LiveTable, Watcher
from registan.server.storage.sqlite import SqliteStore
from registan.tables import match as matches
from registan.tables.creation import create
from registan.tables.fairness import commitment
from registan.tables.requests import Contribute, Play, Request, Reveal, Start

PLAYERS = 4
PEOPLE = [Person(f"guest{seat}", f"Guest {seat}") for seat in range(PLAYERS)]
