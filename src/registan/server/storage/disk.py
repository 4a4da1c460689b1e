"""What is wrong with the disk of a database, in words for whoever runs the house and for whoever plays there."""

from __future__ import annotations

import errno
import sqlite3

FULL, LOCKED, READ_ONLY, BROKEN = (f"error.house.disk_{what}" for what in ("full", "locked", "read_only", "broken"))
FAULTS = (FULL, LOCKED, READ_ONLY, BROKEN)

_BY_SQLITE = {
    sqlite3.SQLITE_FULL: FULL,
    sqlite3.SQLITE_BUSY: LOCKED,
    sqlite3.SQLITE_LOCKED: LOCKED,
    sqlite3.SQLITE_READONLY: READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: BROKEN,
    sqlite3.SQLITE_IOERR: BROKEN,
    sqlite3.SQLITE_CORRUPT: BROKEN,
    sqlite3.SQLITE_NOTADB: BROKEN,
}
_BY_SYSTEM = {
    errno.ENOSPC: FULL,
    errno.EDQUOT: FULL,
    errno.EROFS: READ_ONLY,
    errno.EACCES: READ_ONLY,
    errno.EIO: BROKEN,
}
_BY_POSTGRES = {"53100": FULL, "25006": READ_ONLY, "58030": BROKEN}


def disk_fault(error: BaseException) -> str | None:
    """Return the message for an error of a database or a file, None if the disk is not to blame."""
    code = getattr(error, "sqlite_errorcode", None)
    if code is not None:
        return _BY_SQLITE.get(code & 0xFF)  # the rest of it is details
    if isinstance(error, OSError) and error.errno is not None:
        return _BY_SYSTEM.get(error.errno)
    return _BY_POSTGRES.get(getattr(error, "sqlstate", None) or "")
