"""Print the OpenAPI description of the house, from which the web app's types are generated."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from registan.server.app import make_app
from registan.server.identity import Signer


def description() -> dict[str, Any]:
    """Return the description, without opening the house."""
    app = make_app(lambda: None, Signer(b"none"), public_url="http://localhost")
    return app.openapi_schema.to_schema()


def main() -> None:
    """Print it."""
    data = msgspec.json.encode(description(), order="deterministic")
    sys.stdout.buffer.write(msgspec.json.format(data))


if __name__ == "__main__":
    main()
