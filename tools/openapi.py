"""Print the OpenAPI description of the house, from which the web app's types are generated."""

from __future__ import annotations

import sys

import msgspec

from registan.server.app import make_app
from registan.server.identity import Signer


def main() -> None:
    """Print it, without opening the house."""
    app = make_app(lambda: None, Signer(b"none"), public_url="http://localhost")
    data = msgspec.json.encode(app.openapi_schema.to_schema(), order="deterministic")
    sys.stdout.buffer.write(msgspec.json.format(data))


if __name__ == "__main__":
    main()
