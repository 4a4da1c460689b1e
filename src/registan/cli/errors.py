"""Messages for what is wrong with a command line."""

from __future__ import annotations

from cyclopts import exceptions as wrong

from registan.core.messages import say


def in_words(error: wrong.CycloptsError, lang: str) -> str:
    """Return a one-line message for an error of the command-line parser."""
    if isinstance(error, wrong.UnknownOptionError) and error.token is not None:
        return say(lang, "cli.unknown_option", option=error.token.keyword or error.token.value)
    if isinstance(error, wrong.UnknownCommandError):
        return say(lang, "cli.unknown_command", command=(error.unused_tokens or ["?"])[0])
    if isinstance(error, wrong.MissingArgumentError) and error.argument is not None:
        return say(lang, "cli.missing", name=error.argument.name)
    if isinstance(error, wrong.CoercionError) and error.token is not None:
        name = error.argument.name if error.argument is not None else "?"
        return say(lang, "cli.not_a_value", name=name, value=error.token.value)
    if isinstance(error, wrong.UnusedCliTokensError):
        return say(lang, "cli.too_much", words=" ".join(error.unused_tokens or []))
    return " ".join(str(error).split())
