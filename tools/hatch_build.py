"""Put the built web app into the wheel and the source archive."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class WebApp(BuildHookInterface[Any]):
    """Builds the app in a checkout; a source archive contains it already built."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Add the app to the wheel. An editable install serves it from the checkout."""
        if version == "editable":
            return
        root = Path(self.root)
        if not (root / "web" / "dist" / "index.html").exists():
            subprocess.run([sys.executable, "-m", "tools.dev", "web"], cwd=root, check=True)
        if self.target_name == "wheel":
            build_data["force_include"][str(root / "web" / "dist")] = "registan/_web"
