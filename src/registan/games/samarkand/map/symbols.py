"""The families' symbols, our own drawings, as SVG fragments of 24 by 24 units.

They are in `symbols.svg`, one `<symbol>` each, so that a browser can use the same file. They paint with
`currentColor` and have holes where the background shows through.
"""

from __future__ import annotations

import re
from pathlib import Path

FILE = Path(__file__).with_name("symbols.svg")

SYMBOLS: dict[str, str] = {
    name: re.sub(r"\s*\n\s*", "", body)
    for name, body in re.findall(r'<symbol id="(\w+)"[^>]*>(.*?)</symbol>', FILE.read_text("utf-8"), re.DOTALL)
}
