"""Nets as ONNX files, for programs of others: the format is written by hand, as it takes a page.

A net that chooses takes `inputs` (one row: what a seat knows, for one number of players) and `traits` (a row for each
action) and returns `preference`, what an action seems worth at a glance included. A net that judges takes any number of
rows of `inputs` and returns `win` (0 to 1) and `margin` (-1 to 1, in clear wins). Field numbers are those of
`onnx.proto`, which never change.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from registan.bots.net import OUTPUTS, Net
from registan.bots.policy import Policy
from registan.core.game import Ints

IR_VERSION, OPSET = 8, 13
FLOAT = 1
"""The number of 32-bit floats among ONNX's types."""
WORTH, SCALE = 1, 10.0
"""Which of an action's traits is what it seems worth at a glance, and by what it was divided (`rules.standing`)."""


def _varint(value: int) -> bytes:
    out = b""
    while value > 127:
        out += bytes([value & 127 | 128])
        value >>= 7
    return out + bytes([value])


def _number(field: int, value: int) -> bytes:
    return _varint(field << 3) + _varint(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    data = value.encode() if isinstance(value, str) else value
    return _varint(field << 3 | 2) + _varint(len(data)) + data


def _tensor(name: str, values: Ints) -> bytes:
    dims = b"".join(_number(1, size) for size in values.shape)
    return dims + _number(2, FLOAT) + _bytes(8, name) + _bytes(9, values.astype("<f4").tobytes())


def _value(name: str, width: int) -> bytes:
    """A matrix with any number of rows."""
    shape = _bytes(1, _bytes(2, "rows")) + _bytes(1, _number(1, width))
    return _bytes(1, name) + _bytes(2, _bytes(1, _number(1, FLOAT) + _bytes(2, shape)))


def _node(kind: str, inputs: Sequence[str], output: str) -> bytes:
    return b"".join(_bytes(1, name) for name in inputs) + _bytes(2, output) + _bytes(4, kind)


def layers(net: Net) -> dict[str, Ints]:
    """Return the layers of a net as matrices, the first with just the rows of this number of players."""
    rows, wide, narrow = (int(size) for size in net.sizes)
    cuts = np.cumsum([rows * wide, wide * narrow, narrow, OUTPUTS * narrow])
    first, second, bias, last, last_bias = np.split(net.weights, cuts)
    table = first.reshape(rows, wide)[net.rows]
    matrices = last.reshape(narrow, OUTPUTS)
    return {
        "first": table[:-1],
        "first_bias": table[-1],
        "second": second.reshape(wide, narrow),
        "second_bias": bias,
        "to_win": matrices[:, :1],
        "win_bias": last_bias[:1],
        "to_margin": matrices[:, 1:],
        "margin_bias": last_bias[1:],
    }


def exported(net: Net, name: str) -> bytes:
    """Return a net as the bytes of an ONNX file."""
    nodes = [
        _node("MatMul", ["inputs", "first"], "a"),
        _node("Add", ["a", "first_bias"], "b"),
        _node("Relu", ["b"], "c"),
        _node("MatMul", ["c", "second"], "d"),
        _node("Add", ["d", "second_bias"], "e"),
        _node("Relu", ["e"], "f"),
    ]
    for out, function in (("win", "Sigmoid"), ("margin", "Tanh")):
        nodes += [
            _node("MatMul", ["f", f"to_{out}"], f"{out}_a"),
            _node("Add", [f"{out}_a", f"{out}_bias"], f"{out}_b"),
            _node(function, [f"{out}_b"], out),
        ]
    return _model(name, nodes, layers(net), {"inputs": net.inputs}, {"win": 1, "margin": 1})


def exported_policy(policy: Policy, glance: float, name: str) -> bytes:
    """Return a net that chooses as the bytes of an ONNX file."""
    known, traits, wide, narrow = (int(size) for size in policy.sizes)
    cuts = np.cumsum([known * wide, traits * wide, wide * narrow, narrow, narrow])
    first, of_traits, second, bias, last, last_bias = np.split(policy.weights, cuts)
    table = first.reshape(known, wide)[policy.rows]
    at_a_glance = np.zeros((traits, 1), np.float32)
    at_a_glance[WORTH] = SCALE * glance
    weights = {
        "first": table[:-1],
        "first_bias": table[-1],
        "of_traits": of_traits.reshape(traits, wide),
        "second": second.reshape(wide, narrow),
        "second_bias": bias,
        "last": last.reshape(narrow, 1),
        "last_bias": last_bias,
        "at_a_glance": at_a_glance,
    }
    nodes = [
        _node("MatMul", ["inputs", "first"], "a"),
        _node("Add", ["a", "first_bias"], "b"),
        _node("MatMul", ["traits", "of_traits"], "c"),
        _node("Add", ["b", "c"], "d"),
        _node("Relu", ["d"], "e"),
        _node("MatMul", ["e", "second"], "f"),
        _node("Add", ["f", "second_bias"], "g"),
        _node("Relu", ["g"], "h"),
        _node("MatMul", ["h", "last"], "i"),
        _node("Add", ["i", "last_bias"], "j"),
        _node("MatMul", ["traits", "at_a_glance"], "k"),
        _node("Add", ["j", "k"], "preference"),
    ]
    return _model(name, nodes, weights, {"inputs": len(table) - 1, "traits": traits}, {"preference": 1})


def _model(
    name: str, nodes: Sequence[bytes], weights: dict[str, Ints], inputs: dict[str, int], outputs: dict[str, int]
) -> bytes:
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, name)
    graph += b"".join(_bytes(5, _tensor(key, values)) for key, values in weights.items())
    graph += b"".join(_bytes(11, _value(key, width)) for key, width in inputs.items())
    graph += b"".join(_bytes(12, _value(key, width)) for key, width in outputs.items())
    opset = _bytes(1, "") + _number(2, OPSET)
    return _number(1, IR_VERSION) + _bytes(2, "registan") + _bytes(7, graph) + _bytes(8, opset)
