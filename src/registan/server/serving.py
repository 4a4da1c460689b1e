"""Running the house: settings, the socket, logs, the compiler in the background."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import socket
import sys
import tomllib
import webbrowser
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
import uvicorn

from registan.core.box import find_box
from registan.core.compiled import INTERPRET, is_cached
from registan.core.engine import use_compiled
from registan.core.errors import BadInput
from registan.core.messages import language, say
from registan.core.registry import find, keys
from registan.core.warm import steps
from registan.server.app import make_app
from registan.server.bus import check_bus
from registan.server.identity import Signer, house_key
from registan.server.limits import MESSAGE, SHUTDOWN_SECONDS
from registan.server.logs import LEVELS, log
from registan.server.sockets import Sockets
from registan.server.storage import open_store


class Settings(msgspec.Struct, forbid_unknown_fields=True):
    """How a house is run. Each may be given by flag, by environment (REGISTAN_PORT …), or in a TOML file."""

    host: str = "127.0.0.1"
    port: int = 8137
    data: str = ""
    store: str = ""
    public_url: str = ""
    workers: int = 1
    log_level: str = "info"
    bus: str = ""
    """Where several processes tell each other of new events: redis://…, if not by their PostgreSQL."""
    notify_private: bool = False
    """Whether notices may go to addresses of the house's own network."""

    def checked(self) -> Settings:
        """Return these settings, complete; raise BadInput for what makes no sense."""
        if not 0 <= self.port < 65536:
            raise BadInput("error.house.setting", name="port", value=self.port)
        if not 1 <= self.workers <= 64:
            raise BadInput("error.house.setting", name="workers", value=self.workers)
        if self.log_level not in LEVELS:
            raise BadInput("error.house.word", word=self.log_level, words=", ".join(LEVELS))
        url = urlsplit(self.public_url)
        if self.public_url and (url.scheme not in ("http", "https") or not url.netloc):
            raise BadInput("error.house.setting", name="public_url", value=self.public_url)
        self.data = self.data or str(default_folder())
        self.store = self.store or str(Path(self.data) / "house.db")
        return self


def default_folder() -> Path:
    """Return where a house keeps its data if nothing else is said."""
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "registan"


def settings(given: Mapping[str, Any], config: Path | None = None) -> Settings:
    """Return the settings: what was given, else the environment, else the file, else the default."""
    values: dict[str, Any] = {}
    if config is not None:
        try:
            values |= tomllib.loads(config.read_text("utf-8"))
        except OSError as error:
            raise BadInput("cli.cannot_read", file=config, why=error.strerror) from None
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise BadInput("error.house.config", file=config, why=error) from None
    for name in Settings.__struct_fields__:
        text = os.environ.get(f"REGISTAN_{name.upper()}")
        if text:
            values[name] = text
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        return msgspec.convert(values, Settings, strict=False).checked()
    except msgspec.ValidationError as error:
        raise BadInput("error.house.settings", why=error) from None


def bind(host: str, port: int) -> socket.socket:
    """Return a socket that listens, or say in one line why not."""
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
    """Let logs be lines on the standard error, from this level on."""
    logging.basicConfig(level=getattr(logging, level.upper()), format="%(name)s: %(message)s", stream=sys.stderr)
    log.keep(level)


async def warm() -> None:
    """Go over to compiled rules, game by game; what must be compiled first is compiled in another process."""
    for game in [] if INTERPRET else map(find, keys()):
        if not is_cached(game.rules.act) and not await _compile(game.key):
            log.warning("rules could not be compiled; they run interpreted", game=game.key)
            continue
        for step in steps(game, find_box(game)):
            await asyncio.to_thread(step)
        use_compiled(game)
        log.info("rules are compiled", game=game.key)


async def _compile(game: str) -> bool:
    """Compile a game and its bots in another process, and tell whether that went well."""
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
    )
    server = uvicorn.Server(
        uvicorn.Config(
            app,
            log_config=None,
            log_level="warning",
            access_log=False,
            lifespan="on",
            ws=Sockets,
            ws_max_size=4 * MESSAGE,
            timeout_graceful_shutdown=SHUTDOWN_SECONDS,
            server_header=False,
        )
    )
    log.info("open", url=public_url, store=chosen.store.partition("@")[2] or chosen.store)
    if browse:
        print(say(language(), "house.open", url=public_url), flush=True)
        # The socket listens already: whoever comes early waits a moment.
        asyncio.get_running_loop().run_in_executor(None, webbrowser.open, public_url)
    # Hundreds of tables are a million objects that live long and hold no cycles: looking through all of them would
    # keep every table waiting for a third of a second, now and then.
    gc.freeze()
    gc.set_threshold(10_000, 50, 1_000)
    warming = asyncio.create_task(warm()) if compile_rules else None
    await server.serve(sockets=[sock])
    if warming is not None:
        warming.cancel()
        await asyncio.gather(warming, return_exceptions=True)


def run(chosen: Settings, compile_rules: bool = True, browse: bool = False) -> None:
    """Open the house, and a browser if that is wanted."""
    configure_logs(chosen.log_level)
    sock = bind(chosen.host, chosen.port)
    try:
        import uvloop
    except ImportError:  # there is none for Windows
        asyncio.run(serve(chosen, sock, compile_rules, browse))
    else:
        uvloop.run(serve(chosen, sock, compile_rules, browse))
