"""Running the house: the socket, logs, and compilation in the background."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
import webbrowser
from pathlib import Path
from typing import Any

import uvicorn

from registan.bots.search import simulate
from registan.core.box import find_box
from registan.core.compiled import INTERPRET
from registan.core.engine import is_cached, use_compiled
from registan.core.errors import BadInput
from registan.core.messages import LANGUAGES, language, say
from registan.core.registry import find, keys
from registan.core.warm import steps
from registan.server.app import make_app
from registan.server.http.games import packed_box
from registan.server.identity import Signer, house_key
from registan.server.limits import MESSAGE, SHUTDOWN_SECONDS
from registan.server.live.websocket import WebSocketProtocol
from registan.server.logs import log
from registan.server.settings import Settings
from registan.server.storage.bus import check_bus
from registan.server.storage.store import open_store


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
    """Switch to compiled rules, game by game; another process compiles those that are not cached."""
    for game in [] if INTERPRET else map(find, keys()):
        if not is_cached(game, simulate) and not await _compile(game.key):
            log.warning("rules could not be compiled; they run interpreted", game=game.key)
            continue
        for step in steps(game, find_box(game)):
            await asyncio.to_thread(step)
        use_compiled(game)
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
        sys.executable, "-m", "registan", "warm", game, stdout=quiet, stderr=quiet
    )
    try:
        return not await compiler.wait()
    except asyncio.CancelledError:
        compiler.terminate()
        raise


async def serve(chosen: Settings, sock: socket.socket, compile_rules: bool = True, browse: bool = False) -> None:
    """Run the house until it is told to stop."""
    host, port = sock.getsockname()[:2]
    public_url = chosen.public_url or f"http://{host}:{port}"
    if chosen.bus:
        await check_bus(chosen.bus)
    store = await open_store(chosen.store)

    async def opened() -> Any:
        return store

    signer = Signer(house_key(Path(chosen.data)))
    app = make_app(
        opened,
        signer,
        public_url=public_url,
        workers=chosen.workers,
        notify_private=chosen.notify_private,
        bus=chosen.bus,
        metrics_token=chosen.metrics_token,
    )
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="on",
            ws=WebSocketProtocol,
            ws_max_size=4 * MESSAGE,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            server_header=False,
        )
    )
    log.info("open", url=public_url, store=chosen.store.partition("@")[2] or chosen.store)
    if browse:
        print(say(language(), "house.open", url=public_url), flush=True)
        # The socket is listening already, so an early request only waits a moment.
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, public_url)
    # Hundreds of tables are a million long-lived objects without cycles. A full garbage collection would stop every
    # table for a third of a second from time to time.
    gc.freeze()
    gc.set_threshold(10_000, 50, 1_000)
    preparing = [asyncio.create_task(draw_boxes()), *([asyncio.create_task(warm())] if compile_rules else [])]
    await server.serve(sockets=[sock])
    for task in preparing:
        task.cancel()
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
