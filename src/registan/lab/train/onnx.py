"""A net as an ONNX file, for programs of others: the format is written by hand, as it takes a page.

The file takes `inputs` (any number of rows of inputs for one number of players) and returns `win` (0 to 1) and `margin`
(-1 to 1, in clear wins). Field numbers are those of `onnx.proto`, which never change.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from registan.bots.net import OUTPUTS, Net
from registan.core.game import Ints

IR_VERSION, OPSET = 8, 13
FLOAT = 1
"""The number of 32-bit floats among ONNX's types."""


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
    graph = b"".join(_bytes(1, node) for node in nodes) + _bytes(2, name)
    graph += b"".join(_bytes(5, _tensor(key, values)) for key, values in layers(net).items())
    graph += _bytes(11, _value("inputs", net.inputs)) + _bytes(12, _value("win", 1)) + _bytes(12, _value("margin", 1))
    opset = _bytes(1, "") + _number(2, OPSET)
    return _number(1, IR_VERSION) + _bytes(2, "registan") + _bytes(7, graph) + _bytes(8, opset)
