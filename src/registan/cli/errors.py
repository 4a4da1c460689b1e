"""Messages for what is wrong with a command line."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Any, Literal, get_args, get_origin

from cyclopts import exceptions as wrong

from registan.core.messages import say


def in_words(error: wrong.CycloptsError, lang: str) -> str:
    """Return a one-line message for an error of the command-line parser, which says where to read on."""
    command = " ".join(["registan", *(error.command_chain or ())])
    if isinstance(error, wrong.UnknownOptionError) and error.token is not None:
        option = error.token.keyword or error.token.value
        known = [name for argument in error.argument_collection or () for name in argument.names]
        near = _nearest(option, known)
        key = "cli.unknown_option.near" if near else "cli.unknown_option"
        return say(lang, key, option=option, near=near, command=command)
    if isinstance(error, wrong.UnknownCommandError):
        name = (error.unused_tokens or ["?"])[0]
        near = _nearest(name, error.app or ())
        return say(lang, "cli.unknown_command.near" if near else "cli.unknown_command", command=name, near=near)
    if isinstance(error, wrong.MissingArgumentError) and error.argument is not None:
        return say(lang, "cli.missing", name=error.argument.name, command=command)
    if isinstance(error, wrong.CoercionError) and error.token is not None:
        if error.argument is None:
            return say(lang, "cli.not_a_value", name="?", value=error.token.value)
        hint, choices = error.argument.hint, ", ".join(sorted(_choices(error.argument.hint)))
        whole = hint is int or int in get_args(hint)
        key = f"cli.not_a_value{'.choices' if choices else '.whole' if whole else ''}"
        return say(lang, key, name=error.argument.name, value=error.token.value, choices=choices)
    if isinstance(error, wrong.UnusedCliTokensError):
        return say(lang, "cli.too_much", words=" ".join(error.unused_tokens or []), command=command)
    return " ".join(str(error).split())


def _choices(hint: Any) -> list[str]:
    """Return the values that a parameter of this type may have, as far as the type lists them."""
    if get_origin(hint) is Literal:
        return [str(value) for value in get_args(hint)]
    return [value for part in get_args(hint) for value in _choices(part)]


def _nearest(word: str, known: Iterable[str]) -> str:
    """Return what was probably meant, an empty text if nothing is similar."""
    return next(iter(get_close_matches(word, list(known), 1)), "")
