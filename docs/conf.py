"""How Sphinx builds the site; `tools/site.py` puts its pages together first."""

from __future__ import annotations

import registan

project = "Registan"
author = "The contributors to Registan"
project_copyright = author
version = release = registan.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = "Registan"
html_favicon = "favicon.svg"
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#1d4a87", "color-brand-content": "#1d4a87"},
    "dark_css_variables": {"color-brand-primary": "#8fb8ee", "color-brand-content": "#8fb8ee"},
}

myst_enable_extensions = ["colon_fence"]
myst_heading_anchors = 4  # links name headings, as they do on a forge

suppress_warnings = ["misc.highlighting_failure"]  # examples leave out what does not matter: "…"

default_role = "literal"  # docstrings put code between single backticks
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_preserve_defaults = True
nitpick_ignore_regex = [
    # The site is built without a network, so nothing of other projects can be looked up.
    ("py:.*", r"(?!registan).*"),
    # The net of a learned bot is in no page: programs name it by its file.
    ("py:class", r"registan\.bots\.policy\.Policy"),
    # Nor is where the fields of a state are in its bytes.
    ("py:class", r"registan\.core\.unpacked\.Packing"),
]
