"""Builds the example game in `examples/well` and installs it into a separate folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def installed(folder: Path) -> dict[str, str]:
    """Install the package of the example game into a folder; return the environment in which Python finds it."""
    uv = shutil.which("uv") or str(ROOT / ".tools" / "uv" / "bin" / "uv")
    options = ("--no-deps", "--no-build-isolation", "--python", sys.executable, "--target", str(folder))
    subprocess.run([uv, "pip", "install", "--quiet", *options, str(ROOT / "examples" / "well")], check=True)
    path = os.pathsep.join([str(folder), os.environ.get("PYTHONPATH", "")]).rstrip(os.pathsep)
    return {**os.environ, "PYTHONPATH": path}
