"""What can be wrong, said so that a person can mend it. Each error knows its place and both languages."""

from __future__ import annotations

from registan.core.messages import say


class RegistanError(Exception):
    """Anything a user of Registan may have to be told. `text(lang)` is the message in that language."""

    def __init__(self, key: str, /, **values: object) -> None:
        self.key = key
        self.values = values
        super().__init__(say("en", key, **values))

    def text(self, lang: str = "en") -> str:
        """Return the message in `lang`."""
        return say(lang, self.key, **self.values)


class BadInput(RegistanError):
    """A wrong word from outside: an unknown game, an impossible number of players, an unknown option."""


class BadBox(RegistanError):
    """A box file that cannot be used: which file, which line (if known) and what is wrong."""

    def __init__(self, file: str, line: int | None, why: str) -> None:
        self.file, self.line, self.why = file, line, why
        super().__init__("error.box", place=f"{file}:{line}" if line else file, why=why)


class IllegalMove(RegistanError):
    """A move that breaks a rule: `rule` is its id ("K5"), `text(lang)` the rule as players read it."""

    def __init__(self, rule: str, texts: dict[str, str]) -> None:
        self.rule, self.texts = rule, texts
        Exception.__init__(self, f"{rule}: {texts['en']}")

    def text(self, lang: str = "en") -> str:
        """Return the rule in `lang`."""
        return f"{self.rule}: {self.texts[lang]}"


class BadMove(RegistanError):
    """A move that cannot even be read: an unknown word, a card that does not exist, a move of another game."""


class BadRecord(RegistanError):
    """A record that does not replay: `line` of the file and `move` (both from 1, if known), and why.

    `why` is itself a RegistanError or a message key's text, so the cause stays readable in both languages.
    """

    def __init__(self, line: int | None, move: int | None, why: RegistanError | str) -> None:
        self.line, self.move, self.why = line, move, why
        Exception.__init__(self, self.text("en"))

    def text(self, lang: str = "en") -> str:
        """Return place and cause in `lang`."""
        cause = self.why.text(lang) if isinstance(self.why, RegistanError) else self.why
        places = [("error.line", self.line), ("error.move", self.move)]
        where = ", ".join(say(lang, key, n=n) for key, n in places if n is not None)
        return f"{where}: {cause}" if where else cause
