"""Where a request comes from: the host it asks for, the page that sent it, and the address of its client.

A browser sends a page's requests to whatever address the page's name has at that moment. So a hostile page whose name
suddenly resolves to this machine (DNS rebinding) could use a house in its visitor's own network. It cannot choose the
name in the `Host` header, though: the house answers only for names that nobody else can point at it.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Iterable
from typing import Any
from urllib.parse import urlsplit

from litestar.connection import ASGIConnection

HOST = re.compile(r"(?P<name>[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?", re.ASCII | re.IGNORECASE)
"""A `Host` header: a name or an address, and a port."""
DEFAULT_PORTS = {"http": ":80", "https": ":443"}


class Origins:
    """The hosts that this house answers for, and the origins of its pages."""

    def __init__(self, public_url: str, allowed_hosts: Iterable[str] = ()) -> None:
        url = urlsplit(public_url.lower())
        self.public = f"{url.scheme}://{url.netloc.removesuffix(DEFAULT_PORTS.get(url.scheme, ''))}"
        own = socket.gethostname().lower()
        names = {"localhost", own, f"{own.partition('.')[0]}.local", url.hostname or "localhost"}
        self.names = names | {name.lower().rstrip(".") for name in allowed_hosts}

    def allows_host(self, connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
        """Whether a request asks for a host of ours: an address, or one of our names.

        An address is safe, since a page at an address really comes from there.
        """
        asked = connection.headers.getall("host", [])
        found = HOST.fullmatch(asked[0]) if len(asked) == 1 else None
        if found is None:
            return False
        name = found["name"].lower().rstrip(".")
        return name in self.names or name.endswith(".localhost") or _address(name.strip("[]")) is not None

    def allows_page(self, connection: ASGIConnection[Any, Any, Any, Any]) -> bool:
        """Whether a request comes from a page of this house or from no page; other pages must not use our cookies."""
        origin = connection.headers.get("origin")
        if origin is None or origin == self.public:
            return True
        asked = connection.headers.get("host", "").lower()
        scheme = {"ws": "http", "wss": "https"}.get(connection.scope["scheme"], connection.scope["scheme"])
        here = f"{scheme}://{asked.removesuffix(DEFAULT_PORTS.get(scheme, ''))}"
        # Over https, a page at the same name without https may come from anybody on the way.
        return origin == here and here.partition("://")[2] != self.public.partition("://")[2]


def client_address(connection: ASGIConnection[Any, Any, Any, Any]) -> str:
    """Return the address of a client, by which limits count.

    The server has already replaced the address of a trusted proxy with the one that it forwards. The 64-bit networks of
    IPv6 count as one address each, since a household has at least one of them.
    """
    client = connection.scope.get("client")
    address = _address(client[0]) if client else None
    if address is None:
        return ""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped:
            return str(address.ipv4_mapped)
        return str(ipaddress.IPv6Network((int(address), 64), strict=False))
    return str(address)


def proxies(trusted: Iterable[str]) -> list[str]:
    """Return addresses and networks of proxies, those of IPv4 also as a socket for both kinds shows them."""
    found = []
    for each in trusted:
        network = ipaddress.ip_network(each, strict=False)
        found.append(str(network))
        if network.version == 4:
            found.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return found


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        return ipaddress.ip_address(text)
    except ValueError:
        return None
