"""`registan completion`: commands and options completed by the shell."""

from __future__ import annotations

from typing import Literal

from registan.cli import make_app


def completion(
    shell: Literal["bash", "zsh", "fish", "powershell"] | None = None, /, *, lang: str | None = None
) -> None:
    """Print the script that completes commands in your shell.

    For example: registan completion bash > ~/.local/share/bash-completion/completions/registan

    Parameters
    ----------
    shell
        bash, zsh, fish or powershell (default: the one you are in).
    lang
        en or fr.
    """
    print(make_app().generate_completion(shell=shell))
