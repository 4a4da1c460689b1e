"""Replace characters that the output cannot show by similar plain ones."""

from __future__ import annotations

import codecs
import io
import sys
import unicodedata

PLAIN = {
    "◆": "*", "•": "*", "★": "*", "·": ".", "─": "-", "–": "-", "▸": ">", "→": "->", "▣": "#", "’": "'", "…": "...",
    "“": '"', "”": '"', "«": '"', "»": '"', "│": "|", "├": "|", "└": "`",
}  # fmt: skip


def nearest(error: UnicodeError) -> tuple[str, int]:
    """Return plain letters for characters that cannot be encoded (an error handler of `codecs`)."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    lost = error.object[error.start : error.end]
    spelt = (PLAIN.get(letter) or unicodedata.normalize("NFKD", letter) for letter in lost)
    return "".join(c if c.isascii() else "" if unicodedata.combining(c) else "?" for c in "".join(spelt)), error.end


def prepare_output() -> None:
    """Let standard output show similar letters instead of failing."""
    codecs.register_error("registan.nearest", nearest)
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="registan.nearest")
