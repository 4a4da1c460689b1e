"""The web app: its built files. Every address that is not a file is a page of the app."""

from __future__ import annotations

import hashlib
import mimetypes
import re
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from litestar import MediaType, Request, Response, get
from litestar.exceptions import NotFoundException
from litestar.params import FromPath

from registan.core.messages import language, say
from registan.server.errors import Unavailable
from registan.server.http.context import house_of
from registan.server.limits import TABLE_ID
from registan.server.storage.summary import DELETED, TableSummary, summaries

PACKED = Path(__file__).resolve().parents[2] / "_web"
"""The app in an installed package."""
BUILT = Path(__file__).resolve().parents[4] / "web" / "dist"
"""The app in a checkout."""
ENCODINGS = {"br": ".br", "gzip": ".gz"}
PAGES = ("handover", "learn", "me", "new", "notices", "puzzles", "replay", "rules", "t", "workshop")
"""The first parts of the app's addresses; for any other the app shows that there is no such page."""
FOREVER = "public, max-age=31536000, immutable"
mimetypes.add_type("application/manifest+json", ".webmanifest")
mimetypes.add_type("text/javascript", ".js")
mimetypes.add_type("font/woff2", ".woff2")


class File(NamedTuple):
    """A file of the app, with its compressed copies by encoding."""

    data: bytes
    kind: str
    etag: str
    packed: dict[str, bytes]


@cache
def files(folder: Path) -> dict[str, File]:
    """Return all files of a built app by address; they are few and small enough to keep in memory."""
    found = {}
    for path in sorted(folder.rglob("*")) if (folder / "index.html").exists() else ():
        if not path.is_file() or path.suffix in ENCODINGS.values():
            continue
        data = path.read_bytes()
        packed = {
            name: copy.read_bytes()
            for name, end in ENCODINGS.items()
            if (copy := path.with_name(path.name + end)).exists()
        }
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        etag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
        found["/" + path.relative_to(folder).as_posix()] = File(data, kind, etag, packed)
    return found


def app_files() -> dict[str, File]:
    """Return the files of the app."""
    return files(BUILT if (BUILT / "index.html").exists() else PACKED)


@get(["/", "/{path:path}"], include_in_schema=False)
async def page(request: Request[Any, Any, Any], path: FromPath[str] = "/") -> Response[Any]:
    """A file of the app, or `index.html`, which reads the address itself."""
    known = app_files()
    if path in known and path != "/index.html":
        return _send(request, known[path], FOREVER if path.startswith("/assets/") else "no-cache")
    first = path.split("/")[1]
    if first in ("api", "assets") or "." in path.rsplit("/", 1)[-1]:
        raise NotFoundException
    if "/index.html" not in known:
        lang = language(request.headers.get("accept-language", "en"))
        return Response(say(lang, "error.house.no_app"), status_code=503, media_type=MediaType.TEXT)
    answer = _send(request, known["/index.html"], "no-cache")
    if first and first not in PAGES:
        answer.status_code = 404
    elif path.startswith("/t/"):
        summary = await _summary(request, path.split("/")[2])
        if summary is not None and summary.status == DELETED:
            answer.status_code = 410
        elif "/hints.json" in known:
            answer.headers["Link"] = ", ".join(_hints(request, summary, known["/hints.json"].data))
    return answer


async def _summary(request: Request[Any, Any, Any], table: str) -> TableSummary | None:
    found: list[Any] = []
    if re.search(TABLE_ID, table):
        with suppress(Unavailable):  # the page can do without
            found = await house_of(request).store.fetch("SELECT card, id FROM tables WHERE id = $1", table)
    return next(iter(summaries(found)), None)


def _hints(request: Request[Any, Any, Any], summary: TableSummary | None, hints: bytes) -> list[str]:
    """Return links to what the page of a table needs, its first questions too, for the browser to fetch at once."""
    needed: dict[str, list[str]] = msgspec.json.decode(hints)
    lang = language(request.headers.get("accept-language", "en"))
    parts, asked = ["Table"], ["/api/me"]
    if summary is not None:
        parts += [summary.game, f"{lang}/{summary.game}"]
        asked.append(f"/api/tables/{summary.table}/seats")
    wanted = dict.fromkeys(file for part in parts for file in needed.get(part, ()))
    links = [
        f"</{file}>; rel=modulepreload" if file.endswith(".js") else f"</{file}>; rel=preload; as=style"
        for file in wanted
    ]
    return links + [f"<{path}>; rel=preload; as=fetch; crossorigin" for path in asked]


def _send(request: Request[Any, Any, Any], file: File, caching: str) -> Response[Any]:
    headers = {"ETag": file.etag, "Cache-Control": caching, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == file.etag:
        return Response(None, status_code=304, headers=headers)
    accepted = {part.split(";")[0].strip() for part in request.headers.get("accept-encoding", "").split(",")}
    data = file.data
    for encoding, packed in file.packed.items():
        if encoding in accepted:
            headers["Content-Encoding"], data = encoding, packed
            break
    return Response(data, headers=headers, media_type=file.kind)
