"""Errors that users can fix. Each says where the fault is, in both languages."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from registan.core.messages import say, say_optional


class RegistanError(Exception):
    """The base of all errors for users. `text(lang)` is the message in that language."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(self.text())

    def text(self, lang: str = "en") -> str:
        """Return the message in `lang`, with what the system says about a file in the same language."""
        values = {name: say_optional(lang, f"system.{value}") or value for name, value in self.values.items()}
        return say(lang, self.key, **values)

    def __reduce__(self) -> tuple[Callable[..., RegistanError], tuple[Any, ...]]:
        """Keep what the error knows on its way from a worker process."""
        return _received, (type(self), self.args, self.__dict__)


def _received(kind: type[RegistanError], args: tuple[Any, ...], known: dict[str, Any]) -> RegistanError:
    error = kind.__new__(kind, *args)
    error.__dict__.update(known)
    return error


class BadInput(RegistanError):
    """Invalid input: an unknown game, an impossible number of players, an unknown option."""


class BadBox(RegistanError):
    """An invalid box file: which file, which line (if known) and what is wrong, as a text or in both languages."""

    def __init__(self, file: str, line: int | None, why: RegistanError | str) -> None:
        self.file, self.line, self.why = file, line, why
        self.place = f"{file}:{line}" if line else file
        self.key, self.values = "error.box", {"place": self.place, "why": why}
        Exception.__init__(self, self.text())

    def text(self, lang: str = "en") -> str:
        """Return the place and what is wrong in `lang`."""
        return say(lang, "error.box", place=self.place, why=_text(self.why, lang))


def _text(why: RegistanError | str, lang: str) -> str:
    return why.text(lang) if isinstance(why, RegistanError) else why


class IllegalMove(RegistanError):
    """A move that breaks a rule: `rule` is its id ("K5"), `text(lang)` the rule as players read it."""

    def __init__(self, rule: str, texts: dict[str, str]) -> None:
        self.rule, self.texts = rule, texts
        Exception.__init__(self, f"{rule}: {texts['en']}")

    def text(self, lang: str = "en") -> str:
        """Return the rule in `lang`."""
        return f"{self.rule}: {self.texts[lang]}"


class BadMove(RegistanError):
    """A move that cannot be read: an unknown word, a card that does not exist, a move of another game."""


class BadRecord(RegistanError):
    """A record that does not replay: the `line` of the file and the `move` (both from 1, if known), and why.

    `why` is a RegistanError or a text, so that the cause can be shown in both languages.
    """

    def __init__(self, line: int | None, move: int | None, why: RegistanError | str) -> None:
        self.line, self.move, self.why = line, move, why
        Exception.__init__(self, self.text("en"))

    def text(self, lang: str = "en") -> str:
        """Return the place and the cause in `lang`."""
        cause = _text(self.why, lang)
        places = [("error.line", self.line), ("error.move", self.move)]
        where = ", ".join(say(lang, key, n=n) for key, n in places if n is not None)
        return f"{where}: {cause}" if where else cause
