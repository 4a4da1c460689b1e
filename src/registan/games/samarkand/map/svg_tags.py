"""Writing SVG: one function for all elements."""

from __future__ import annotations

from html import escape

Style = dict[str, str | float]


def number(value: float) -> str:
    """Return a number with at most two decimals and no trailing zeros."""
    said = f"{value:.2f}".rstrip("0").rstrip(".")
    return "0" if said in ("", "-0") else said


def tag(name: str, *inside: str, **attributes: str | float | None) -> str:
    """Return an element. Underscores in attribute names become hyphens; None is left out.

    >>> tag("g", tag("circle", r=2.5, fill="none"), stroke_width=1)
    '<g stroke-width="1"><circle r="2.5" fill="none"/></g>'
    """
    words = [name]
    for key, value in attributes.items():
        if value is not None:
            said = escape(value) if isinstance(value, str) else number(value)
            words.append(f'{key.rstrip("_").replace("_", "-")}="{said}"')
    body = "".join(inside)
    return f"<{' '.join(words)}>{body}</{name}>" if body else f"<{' '.join(words)}/>"
