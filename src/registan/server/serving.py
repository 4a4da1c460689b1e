"""Running the house: the socket, logs, and compilation in the background."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Coroutine, Iterable
from pathlib import Path
from types import FrameType
from typing import Any

import uvicorn

from registan.core.errors import BadInput
from registan.core.messages import LANGUAGES, language, say
from registan.core.registry import find, keys
from registan.server import processes
from registan.server.app import make_app
from registan.server.collecting import collect
from registan.server.files import claim, database_files, tighten
from registan.server.http.games import packed_box
from registan.server.http.protocol import HttpProtocol, limited
from registan.server.identity import Signer
from registan.server.key import house_key
from registan.server.limits import EXIT_SECONDS, KEEP_ALIVE_SECONDS, MESSAGE, SHUTDOWN_SECONDS, lift
from registan.server.live.websocket import WebSocketProtocol
from registan.server.logs import configure_logs, log
from registan.server.origin import proxies
from registan.server.settings import Settings, listed
from registan.server.siblings import Siblings
from registan.server.storage.bus import check_bus
from registan.server.storage.store import open_store, sqlite_path
from registan.server.warming import warm


def bind(host: str, port: int, shared: bool = False) -> socket.socket:
    """Return a listening socket, or one of several that share a port; raise BadInput if the address cannot be used."""
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        sock = socket.socket(family)
        try:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            if shared:
                sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
            sock.bind((host, port))
            sock.listen(1024)
        except OSError:
            sock.close()
            raise
    except OSError as error:
        why = getattr(error, "strerror", None) or error
        raise BadInput("error.house.port", host=host, port=port, why=why) from None
    return sock


def bind_several(host: str, port: int, count: int) -> list[socket.socket]:
    """Return a listening socket for each process at one port: the same one unless the system divides connections."""
    alone = bind(host, port)
    if sys.platform != "linux":
        return [alone] * count
    port = alone.getsockname()[1]
    alone.close()  # now it is known that nobody else listens there
    return [bind(host, port, shared=True) for _ in range(count)]


async def draw_boxes() -> None:
    """Draw what browsers need of each game's first box, so that the first table does not wait for its map."""
    for game in map(find, keys()):
        for lang in LANGUAGES if game.boxes else ():
            await asyncio.to_thread(packed_box, game.key, next(iter(game.boxes)), lang)


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

    def __init__(
        self, config: uvicorn.Config, preparing: list[asyncio.Task[None]], siblings: Siblings | None = None
    ) -> None:
        super().__init__(config)
        self.preparing, self._siblings = preparing, siblings
        self._ending: threading.Timer | None = None
        self._adopting: set[asyncio.Task[None]] = set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Open, also for connections that sibling processes hand over."""
        await super().startup(sockets)
        siblings = self._siblings
        if siblings is not None and siblings.letter_box is not None and not self.should_exit:
            asyncio.get_running_loop().add_reader(siblings.letter_box, siblings.receive, self._take)

    def _take(self, sock: socket.socket, head: bytes) -> None:
        task = asyncio.ensure_future(self._adopt(sock, head))
        self._adopting.add(task)
        task.add_done_callback(self._adopting.discard)

    async def _adopt(self, sock: socket.socket, head: bytes) -> None:
        """Go on with a connection whose first request is known."""
        sock.setblocking(False)
        config, made = self.config, dict[str, Any](config=self.config, server_state=self.server_state)
        protocol: Any = config.http_protocol_class
        loop = asyncio.get_running_loop()
        try:
            _, received = await loop.connect_accepted_socket(
                lambda: protocol(**made, app_state=self.lifespan.state), sock
            )
        except OSError:  # the client is gone
            sock.close()
            return
        received.adopted(head)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """Begin to close."""
        if self._ending is None:
            self._ending = threading.Timer(EXIT_SECONDS, _end)
            self._ending.daemon = True
            self._ending.start()
        super().handle_exit(sig, frame)

    def orphaned(self, alive: int) -> None:
        """Begin to close, because the process that watches over this one is gone."""
        asyncio.get_running_loop().remove_reader(alive)
        self.handle_exit(signal.SIGTERM, None)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stop compiling, then close in order."""
        for task in self.preparing:
            task.cancel()
        await super().shutdown(sockets)


def _end() -> None:
    log.error("the house does not close in time: it ends now")
    os._exit(1)  # all that was granted is on disk


async def prepare(chosen: Settings) -> bytes:
    """Check whatever a house needs, claim its files, and return its key; raise BadInput if something is wrong."""
    if chosen.bus:
        await check_bus(chosen.bus)
    data, database = Path(chosen.data), sqlite_path(chosen.store)
    tighten(data, data / "key", *(() if database is None else database_files(database)))
    key = house_key(data)
    if database is not None:
        claim(database, shared=bool(chosen.bus))
    return key


def address(chosen: Settings, sock: socket.socket) -> str:
    """Return the address that people use."""
    host, port = sock.getsockname()[:2]
    return chosen.public_url or f"http://{f'[{host}]' if ':' in host else host}:{port}"


def tell_open(chosen: Settings, public_url: str, browse: bool) -> None:
    """Log where the house is, and open a browser there if wanted."""
    processes = {"processes": chosen.processes} if chosen.processes > 1 else {}
    log.info("open", url=public_url, store=chosen.store.partition("@")[2] or chosen.store, **processes)
    if public_url.startswith("https://") and not chosen.trusted_proxies:
        log.warning("no trusted_proxies: behind a proxy, all clients count as one address")
    if browse:
        print(say(language(), "house.open", url=public_url), flush=True)
        # The socket is listening already, so an early request only waits a moment.
        threading.Thread(target=webbrowser.open, args=(public_url,), daemon=True).start()


async def serve(
    chosen: Settings,
    sock: socket.socket,
    compile_rules: bool = True,
    browse: bool = False,
    siblings: Siblings | None = None,
    alive: int | None = None,
) -> None:
    """Run the house until it is told to stop; as one of several processes, also until the pipe `alive` ends."""
    key, public_url = await prepare(chosen), address(chosen, sock)
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
        siblings=siblings,
    )
    if siblings is None:
        tell_open(chosen, public_url, browse)
    make_room(chosen.connections)
    if chosen.unlimited:
        lift()
    collecting = asyncio.create_task(collect())
    preparing = [asyncio.create_task(warm())] if compile_rules else []
    if siblings is None or siblings.first:
        preparing.append(asyncio.create_task(draw_boxes()))
    http = limited(chosen, siblings=siblings)
    server = Server(configuration(app, http, listed(chosen.trusted_proxies)), preparing, siblings)
    if alive is not None:
        asyncio.get_running_loop().add_reader(alive, server.orphaned, alive)
    try:
        await server.serve(sockets=[sock])
    except SystemExit:
        if siblings is not None:  # nothing was granted yet: no thread is worth waiting for, and another process comes
            os._exit(1)
        raise
    collecting.cancel()
    await asyncio.gather(collecting, *preparing, return_exceptions=True)


def run(chosen: Settings, compile_rules: bool = True, browse: bool = False) -> None:
    """Open the house, and optionally a browser."""
    configure_logs(chosen.log_level)
    if chosen.processes > 1:
        run_several(chosen, compile_rules, browse)
    else:
        run_here(serve(chosen, bind(chosen.host, chosen.port), compile_rules, browse))


def run_several(chosen: Settings, compile_rules: bool, browse: bool) -> None:
    """Open a house of several processes."""
    processes.check(chosen.store)
    sockets = bind_several(chosen.host, chosen.port, chosen.processes)
    asyncio.run(_try_out(chosen))
    tell_open(chosen, address(chosen, sockets[0]), browse)
    gc.freeze()

    def work(sock: socket.socket, siblings: Siblings, alive: int) -> None:
        run_here(serve(chosen, sock, compile_rules, siblings=siblings, alive=alive))

    processes.Processes(sockets, work).run()


async def _try_out(chosen: Settings) -> None:
    """See that the house can open, and bring its database up to date; raise BadInput if something is wrong."""
    await prepare(chosen)
    await (await open_store(chosen.store)).close()


def run_here(work: Coroutine[Any, Any, None]) -> None:
    """Run something in the quickest event loop there is."""
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        asyncio.run(work)
    else:
        uvloop.run(work)
