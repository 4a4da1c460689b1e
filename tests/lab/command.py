"""Running the `registan` command inside a test."""

from __future__ import annotations

import pytest

from registan.cli import main


def run(capsys: pytest.CaptureFixture[str], *args: object) -> tuple[int, str, str]:
    """Run a command line; return exit code, output and errors."""
    with pytest.raises(SystemExit) as left:
        main([str(arg) for arg in args])
    out, err = capsys.readouterr()
    return int(left.value.code or 0), out, err
