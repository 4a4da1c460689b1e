"""Running the house: the socket, logs, and compilation in the background."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from registan.bots.entry_points import entry_points
from registan.core.batch import blank
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import Engine, is_cached
from registan.core.errors import BadInput
from registan.core.messages import LANGUAGES, language, say
from registan.core.registry import find, keys
from registan.server.app import make_app
from registan.server.files import claim, database_files, tighten
from registan.server.http.games import packed_box
from registan.server.http.protocol import HttpProtocol, limited
from registan.server.identity import Signer
from registan.server.key import house_key
from registan.server.limits import EXIT_SECONDS, KEEP_ALIVE_SECONDS, MESSAGE, SHUTDOWN_SECONDS, lift
from registan.server.live.websocket import WebSocketProtocol
from registan.server.logs import log
from registan.server.origin import proxies
from registan.server.settings import Settings, listed
from registan.server.storage.bus import check_bus
from registan.server.storage.store import open_store, sqlite_path


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket; raise BadInput if the address cannot be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.socket(family)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            sock.bind((host, port))
            sock.listen(1024)
        except OSError:
            sock.close()
            raise
    except OSError as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput("error.house.port", host=host, port=port, why=why) from None
    return sock


def configure_logs(level: str) -> None:
    """Write logs of this level and above to standard error."""
    logging.basicConfig(level=getattr(logging, level.upper()), format="%(name)s: %(message)s", stream=sys.stderr)
    log.set_level(level)


async def warm() -> None:
    """Load the machine code of rules and bots, game by game; another process compiles what is not cached.

    So the house itself never compiles: nobody waits for it, and the compiler's memory is gone afterwards.
    """
    for game in [] if INTERPRET else map(find, keys()):
        engine, states = Engine(game, find_box(game)), blank(game, 1, game.players[-1])
        needed = await asyncio.to_thread(entry_points, engine)
        if not all(is_cached(game, function) for function, _ in needed) and not await _compile(game.key):
            log.warning("rules could not be compiled; they run interpreted", game=game.key)
            continue
        for function, args in needed:
            await asyncio.to_thread(engine.load, function, states, *args)
        log.info("rules are compiled", game=game.key)


async def draw_boxes() -> None:
    """Draw what browsers need of each game's first box, so that the first table does not wait for its map."""
    for game in map(find, keys()):
        for lang in LANGUAGES if game.boxes else ():
            await asyncio.to_thread(packed_box, game.key, next(iter(game.boxes)), lang)


async def _compile(game: str) -> bool:
    """Compile a game and its bots in another process, and return whether that succeeded."""
    log.info("rules are being compiled: bots play at a glance until then", game=game)
    quiet = asyncio.subprocess.DEVNULL
    compiler = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "registan", "warm", game, "--tables", stdout=quiet, stderr=quiet
    )
    try:
        return not await compiler.wait()
    except asyncio.CancelledError:
        compiler.terminate()
        raise


def make_room(connections: int) -> None:
    """Let this process open as many files as it may have connections, as far as the system allows."""
    try:
        import resource
    except ImportError:  # Windows has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 200  # the store, the bus, logs
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        if most < wanted:
            log.warning("the system allows fewer open files than connections", files=most, connections=connections)


def configuration(app: Any, http: type[HttpProtocol], trusted_proxies: Iterable[str]) -> uvicorn.Config:
    """Return how uvicorn serves the application."""
    return uvicorn.Config(
        app,
        log_config=None,
        log_level="warning",
        access_log=False,
        lifespan="on",
        ws=WebSocketProtocol,
        ws_max_size=4 * MESSAGE,
        timeout_keep_alive=KEEP_ALIVE_SECONDS,
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
        server_header=False,
        forwarded_allow_ips=proxies(trusted_proxies),
        http=http,
    )


class Server(uvicorn.Server):
    """Serves until a signal, and then ends in time, whatever the store, the bots and the sockets are doing."""

    def __init__(self, config: uvicorn.Config, preparing: list[asyncio.Task[None]]) -> None:
        super().__init__(config)
        self.preparing = preparing
        self._ending: threading.Timer | None = None

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to close."""
        if self._ending is None:
            self._ending = threading.Timer(EXIT_SECONDS, _end)
            self._ending.daemon = True
            self._ending.start()
        super().handle_exit(sig, frame)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop compiling, then close in order."""
        for task in self.preparing:
            task.cancel()
        await super().shutdown(sockets)


def _end() -> None:
    log.error("the house does not close in time: it ends now")
    os._exit(1)  # all that was granted is on disk


async def serve(chosen: Settings, sock: socket.socket, compile_rules: bool = True, browse: bool = False) -> None:
    """Run the house until it is told to stop."""
    host, port = sock.getsockname()[:2]
    public_url = chosen.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"
    if chosen.bus:
        await check_bus(chosen.bus)
    data, database = Path(chosen.data), sqlite_path(chosen.store)
    tighten(data, data / "key", *(() if database is None else database_files(database)))
    key = house_key(data)
    if database is not None:
        claim(database, shared=bool(chosen.bus))
    store = await open_store(chosen.store)

    async def opened() -> Any:
        return store

    app = make_app(
        opened,
        Signer(key),
        public_url=public_url,
        workers=chosen.workers,
        notify_private=chosen.notify_private,
        bus=chosen.bus,
        metrics_token=chosen.metrics_token,
        allowed_hosts=listed(chosen.allowed_hosts),
        caps=chosen,
    )
    log.info("open", url=public_url, store=chosen.store.partition("@")[2] or chosen.store)
    make_room(chosen.connections)
    if chosen.unlimited:
        lift()
    if public_url.startswith("https://") and not chosen.trusted_proxies:
        log.warning("no trusted_proxies: behind a proxy, all clients count as one address")
    if browse:
        print(say(language(), "house.open", url=public_url), flush=True)
        # The socket is listening already, so an early request only waits a moment.
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, public_url)
    # Hundreds of tables are a million long-lived objects without cycles. A full garbage collection would stop every
    # table for a third of a second from time to time.
    gc.freeze()
    gc.set_threshold(10_000, 50, 1_000)
    preparing = [asyncio.create_task(draw_boxes()), *([asyncio.create_task(warm())] if compile_rules else [])]
    server = Server(configuration(app, limited(chosen), listed(chosen.trusted_proxies)), preparing)
    await server.serve(sockets=[sock])
    await asyncio.gather(*preparing, return_exceptions=True)


def run(chosen: Settings, compile_rules: bool = True, browse: bool = False) -> None:
    """Open the house, and optionally a browser."""
    configure_logs(chosen.log_level)
    sock = bind(chosen.host, chosen.port)
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        asyncio.run(serve(chosen, sock, compile_rules, browse))
    else:
        uvloop.run(serve(chosen, sock, compile_rules, browse))
