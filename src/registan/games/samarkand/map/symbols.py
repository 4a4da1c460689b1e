"""The families' symbols, drawn by us, as pieces of SVG in a field of 24 by 24 units.

They stand in `symbols.svg`, one `<symbol>` each, so that a browser can use the same file. They paint with
`currentColor` and leave holes where the ground should show through.
"""

from __future__ import annotations

import re
from pathlib import Path

FILE = Path(__file__).with_name("symbols.svg")

SYMBOLS: dict[str, str] = {
    name: re.sub(r"\s*\n\s*", "", body)
    for name, body in re.findall(r'<symbol id="(\w+)"[^>]*>(.*?)</symbol>', FILE.read_text("utf-8"), re.DOTALL)
}
