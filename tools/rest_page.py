"""The page of the house's REST routes, from its OpenAPI description."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

Node = dict[str, Any]
INTRODUCTION = """# REST routes

What every house answers to, from its [OpenAPI description](openapi.json), which is generated from the code. A running
house serves its own at `/api/schema/openapi.json`. [The protocol](protocol.md) explains it, and the messages over
WebSocket.
"""
REFUSED = """
## Refusals

A refusal has one of these statuses, and a body of the type [`Refused`](#refused).

| status | why |
|---|---|
"""


def rest_page(house: Node) -> str:
    """Return the page as Markdown."""
    return INTRODUCTION + "\n".join(_lines(house)) + "\n"


def _lines(house: Node) -> Iterator[str]:
    operations = [(path, method, of) for path, by in sorted(house["paths"].items()) for method, of in by.items()]
    group = None
    for path, method, operation in operations:
        first = path.removeprefix("/api").split("/")[1]
        if first != group:
            group = first
            yield f"\n## /{first}"
        yield from _operation(path, method, operation)
    yield REFUSED.rstrip("\n")
    for status, answer in operations[0][2]["responses"].items():
        if status >= "4":
            yield f"| {status} | {answer['description']} |"
    yield "\n## Types"
    for name, schema in sorted(house["components"]["schemas"].items()):
        yield from _schema(name, schema)


def _operation(path: str, method: str, operation: Node) -> Iterator[str]:
    yield f"\n### `{method.upper()} {path}`\n"
    yield " ".join((operation.get("description") or "").split())
    for parameter in operation.get("parameters", ()):
        optional = "" if parameter.get("required") else ", optional"
        yield f"- `{parameter['name']}` (in the {parameter['in']}{optional}): {_type(parameter['schema'])}"
    if body := operation.get("requestBody"):
        yield f"- takes {_content(body)}"
    for status, answer in operation["responses"].items():
        if status < "4":
            yield f"- answers {status} with {_content(answer)}"


def _content(of: Node) -> str:
    kinds = [
        _type(media.get("schema", {})) if kind == "application/json" else f"`{kind}`"
        for kind, media in of.get("content", {}).items()
    ]
    return " or ".join(kinds) or "nothing"


def _schema(name: str, schema: Node) -> Iterator[str]:
    yield f"\n### {name}\n"
    if text := schema.get("description"):
        yield " ".join(text.split()) + "\n"
    fields = schema.get("properties", {})
    if not fields:
        yield _type(schema)
        return
    yield "| field | type | |\n|---|---|---|"
    for field, of in fields.items():
        if "default" in of:
            note = f"default `{json.dumps(of['default'])}`"
        else:
            note = "" if field in schema.get("required", ()) else "optional"
        yield f"| `{field}` | {_type(of)} | {note} |"


def _type(of: Node) -> str:
    """Return a type in words, with links to the types of the house."""
    if "$ref" in of:
        name = of["$ref"].rsplit("/", 1)[-1]
        return f"[`{name}`](#{name.lower()})"
    if any_of := of.get("oneOf") or of.get("anyOf"):
        return " or ".join(map(_type, any_of))
    if "const" in of:
        return f"`{of['const']}`"
    if "enum" in of:
        return ", ".join(f"`{value}`" for value in of["enum"])
    kind = of.get("type", "anything")
    if kind == "array":
        return f"list of {_type(of.get('items', {}))}"
    if kind == "object" and of.get("additionalProperties"):
        return f"object of {_type(of['additionalProperties'])}"
    return kind if isinstance(kind, str) else " or ".join(kind)
