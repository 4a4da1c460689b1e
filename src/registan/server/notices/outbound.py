"""Outbound requests: only to public addresses, never into the house's own network.

A name is resolved once, and the address that was checked is the one that is used. Redirects are not followed, and only
the status of a response is read.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
from contextlib import suppress
from functools import cache
from urllib.parse import SplitResult, quote, urlsplit

from registan.core.errors import BadInput

NAT64 = ipaddress.ip_network("64:ff9b::/96")


def public(address: str) -> bool:
    """Whether an address is public, and so is any IPv4 address it embeds."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inside = ip.ipv4_mapped or ip.sixtofour
        if ip in NAT64:
            inside = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inside is not None:
            return public(str(inside))
    return ip.is_global and not ip.is_multicast


def parsed(url: str, private: bool) -> SplitResult:
    """Return the parts of a URL; raise BadInput unless the house may post to it."""
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.username is None and parts.port != 0
        name = (parts.hostname or "").encode("idna").decode()
        if not good or not name:
            raise ValueError
    except (ValueError, UnicodeError):
        raise BadInput("error.house.address") from None
    try:
        with suppress(OSError):  # "0", "127.1" and the like are addresses too
            name = socket.inet_ntoa(socket.inet_aton(name))
        inside = not public(name)
    except ValueError:  # a name, which is resolved when it is used
        inside = name == "localhost" or name.endswith((".localhost", ".local", ".internal"))
    if inside and not private:
        raise BadInput("error.house.private_address")
    return parts


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


async def _address(parts: SplitResult, port: int, private: bool) -> str:
    """Return an address of a host; raise BadInput if any of its addresses is not public."""
    loop = asyncio.get_running_loop()
    found = await loop.getaddrinfo(str(parts.hostname), port, type=socket.SOCK_STREAM)
    addresses = [str(item[4][0]) for item in found]
    if not private and not all(map(public, addresses)):
        raise BadInput("error.house.private_address")
    return addresses[0]


async def post(url: str, body: bytes, headers: dict[str, str], *, private: bool = False, seconds: float = 10) -> int:
    """Post a body and return the status of the response; raise OSError without a response in time."""
    parts = parsed(url, private)
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    path = quote(parts.path or "/", safe="/%:@!$&'()*+,;=~") + (
        f"?{quote(parts.query, safe='/%:@!$&*+,;=~?')}" * bool(parts.query)
    )
    name = str(parts.hostname).encode("idna").decode()
    host = f"[{name}]" if ":" in name else name
    lines = {
        "Host": host if parts.port is None else f"{host}:{port}",
        "User-Agent": "registan",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **headers,
    }
    head = "".join(f"{key}: {value}\r\n" for key, value in lines.items())
    try:
        async with asyncio.timeout(seconds):
            address = await _address(parts, port, private)
            reader, writer = await asyncio.open_connection(
                address, port, ssl=_trust() if secure else None, server_hostname=name if secure else None
            )
            try:
                writer.write(f"POST {path} HTTP/1.1\r\n{head}\r\n".encode("latin-1") + body)
                await writer.drain()
                status_line = (await reader.readline()).split()
            finally:
                writer.close()
    except (TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
        raise OSError(str(error) or type(error).__name__) from None
    if len(status_line) < 2 or not status_line[0].startswith(b"HTTP/1.") or not status_line[1].isdigit():
        raise OSError("no HTTP")
    return int(status_line[1])
