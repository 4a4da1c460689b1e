"""`--help` in other languages than that of the docstrings: the texts are in `help.<language>.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cyclopts.help import DefaultFormatter, HelpPanel
from rich.console import Console, ConsoleOptions
from rich.text import Text

Texts = dict[str, Any]
HERE = Path(__file__).parent
GAMES = HERE.parent / "games"


def help_texts(lang: str) -> Texts:
    """Return what `--help` says in a language: by command and parameter, with those of the commands of games."""
    texts: Texts = {}
    for path in [HERE / f"help.{lang}.toml", *sorted(GAMES.glob(f"*/cli.{lang}.toml"))]:
        texts |= tomllib.loads(path.read_text("utf-8"))
    return texts


class Translated(DefaultFormatter):
    """The usual help page of the command that the words of a command line name, in another language."""

    def __init__(self, lang: str, words: Sequence[str]) -> None:
        super().__init__()
        self.texts = help_texts(lang)
        self.command = self.texts
        for word in words:
            if not isinstance(self.command.get(word), dict):
                break
            self.command = self.command[word]

    def __call__(self, console: Console, options: ConsoleOptions, panel: HelpPanel) -> None:
        """Print the commands or the parameters."""
        words = self.texts["words"]
        entries = []
        for entry in panel.entries:
            names = [name.lstrip("-") for name in entry.all_options] or [str(entry.positional_label).lower()]
            facts = [] if entry.default is None else [words["default"].format(value=entry.default)]
            facts += [words["required"]] if entry.required else []
            found = self._entry(names)
            told = None if found is None else Text(" ".join([found, *(f"[{fact}]" for fact in facts)]))
            entries.append(entry if told is None else entry.copy(description=told, default=None, required=False))
        arguments = panel.format == "parameter" and not any(entry.all_options for entry in panel.entries)
        title = words["argument" if arguments else panel.format]
        super().__call__(console, options, panel.copy(title=title, entries=entries))

    def _entry(self, names: Sequence[str]) -> str | None:
        """Return the text of a command or parameter, None if it has none: then the docstring's is shown."""
        for texts in (self.command, self.texts["shared"]):
            for name in names:
                found = texts.get(name.replace("-", "_"))
                if found is not None:
                    return str(found["about"] if isinstance(found, dict) else found)
        return None

    def render_usage(self, console: Console, options: ConsoleOptions, usage: Any) -> None:
        """Print how the command is called."""
        line = str(usage).strip().removeprefix("Usage:").strip()
        console.print(Text(f"{self.texts['words']['usage']} {line}", style="bold"), end="\n\n")

    def render_description(self, console: Console, options: ConsoleOptions, description: Any) -> None:
        """Print what the command does."""
        if "about" not in self.command:
            super().render_description(console, options, description)
            return
        for text in filter(None, (self.command["about"], self.command.get("more"))):
            console.print(Text(text), end="\n\n")
