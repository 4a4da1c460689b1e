"""Settings of a house: from flags, from the environment, or from a TOML file."""

from __future__ import annotations

import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec

from registan.core.errors import BadInput
from registan.server.limits import Caps
from registan.server.logs import LEVELS

NAME = re.compile(r"[a-z0-9]([a-z0-9._-]*[a-z0-9.])?", re.ASCII | re.IGNORECASE)
"""A host's name."""
RANGES = {"port": (0, 65535), "processes": (1, 64), "workers": (0, 64)}
"""The lowest and the highest value of settings that are numbers."""
UNLIMITED = 100_000
"""What stands for no limit where a number is needed."""


class Settings(Caps, forbid_unknown_fields=True):
    """How to run a house. Each is a flag, an environment variable (REGISTAN_PORT …) or part of a TOML file."""

    host: str = "127.0.0.1"
    port: int = 8137
    data: str = ""
    store: str = ""
    public_url: str = ""
    processes: int = 1
    """How many processes serve; several need PostgreSQL."""
    workers: int = 1
    """How many bots think at the same time in each process; none if `registan think` does it."""
    log_level: str = "info"
    bus: str = ""
    """Where several processes announce new events: redis://…, unless PostgreSQL does it."""
    allowed_hosts: str = ""
    """Further names that people may use for this house, with commas between them."""
    trusted_proxies: str = ""
    """Addresses and networks of proxies, with commas: only they may say where a request comes from."""
    metrics_token: str = ""
    """The token with which metrics are read; without one, only this machine may read them."""
    notify_private: bool = False
    """Whether notices may go to private addresses."""
    unlimited: bool = False
    """Whether nothing is limited by person, address or table: for load tests, never for a house that others reach."""

    def checked(self) -> Settings:
        """Return these settings with defaults filled in; raise BadInput for an invalid one."""
        for name, (low, high) in RANGES.items():
            if not low <= (value := getattr(self, name)) <= high:
                raise BadInput("error.house.setting.range", name=name, value=value, low=low, high=high)
        for name in Caps.__struct_fields__ if self.unlimited else ():
            setattr(self, name, UNLIMITED)
        for name in Caps.__struct_fields__:
            if getattr(self, name) < 1:
                raise BadInput("error.house.setting", name=name, value=getattr(self, name))
        if self.log_level not in LEVELS:
            raise BadInput("error.house.word", word=self.log_level, words=", ".join(LEVELS))
        url = urlsplit(self.public_url)
        if self.public_url and (url.scheme not in ("http", "https") or not url.netloc):
            raise BadInput("error.house.setting", name="public_url", value=self.public_url)
        for host in listed(self.allowed_hosts):
            if not NAME.fullmatch(host):
                raise BadInput("error.house.setting", name="allowed_hosts", value=host)
        for proxy in listed(self.trusted_proxies):
            try:
                ipaddress.ip_network(proxy, strict=False)
            except ValueError:
                raise BadInput("error.house.setting", name="trusted_proxies", value=proxy) from None
        self.data = self.data or str(default_folder())
        self.store = self.store or str(Path(self.data) / "house.db")
        if not self.workers and "://" not in self.store:
            raise BadInput("error.house.no_workers")
        return self


def listed(text: str) -> list[str]:
    """Return the parts of a setting with commas."""
    return [part for each in text.split(",") if (part := each.strip())]


def default_folder() -> Path:
    """Return the default folder for the data of a house."""
    return Path(os.environ.get("XDG_DATA_HOME") or "~/.local/share").expanduser() / "registan"


def settings(given: Mapping[str, Any], config: Path | None = None) -> Settings:
    """Return the settings: each as given, else from the environment, else from the file, else the default."""
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
