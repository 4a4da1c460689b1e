"""Box files: what is wrong is named with the file and the line."""

from __future__ import annotations

from pathlib import Path

import pytest

from registan.core.box import BoxFile, blank, find_box
from registan.core.errors import BadBox, BadInput
from registan.games.khiva import GAME
from registan.games.khiva.state import BOX


def fault(text: str | bytes) -> BadBox:
    with pytest.raises(BadBox) as error:
        BoxFile(text if isinstance(text, bytes) else text.encode(), "my.toml")
    assert error.value.file == "my.toml"
    return error.value


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nb = \nc = 3\n", 2),
        ("a = 1\nb = [1, 2\nc = 3\n", 3),
        ("a = 1\na = 2\n", 2),
        ("a = 1\nb = '''never closed\n\n", 4),
        ("\n\n]", 3),
        (b"a = 1\nb = '\xff'\n", 2),
    ],
)
def test_what_is_no_toml_is_named_with_its_line(text: str | bytes, line: int) -> None:
    assert fault(text).line == line


def test_numbers_and_nesting_beyond_all_measure_are_no_toml() -> None:
    assert "not TOML" in str(fault("a = " + "1" * 5000).why)
    assert "not TOML" in str(fault("a = " + "[" * 5000).why)


def test_values_come_in_the_right_kind() -> None:
    file = BoxFile(b'name = "x"\nn = 3\nmany = [1, 2]\n', "my.toml")
    assert file.text_of("name") == "x"
    assert file.number("n", 0, 3) == 3
    assert file.numbers("many", 1, 2, 2, 3) == [1, 2]
    assert file.get("many") == [1, 2]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\nn = 4", 2),
        ('a = 1\n\n"n" = 4', 3),
        ("  n = 4", 1),
        ("n.x = 4", 1),
        ("a = 1\n[n]\nx = 1", 2),
        ("[[n]]", 1),
    ],
)
def test_a_wrong_value_is_found_however_its_key_is_written(text: str, line: int) -> None:
    file = BoxFile(text.encode(), "my.toml")
    with pytest.raises(BadBox, match="n: ") as error:
        file.number("n", 0, 3)
    assert error.value.line == line


def test_a_missing_key_has_no_line() -> None:
    with pytest.raises(BadBox, match=r"^my\.toml: n: missing$"):
        BoxFile(b"a = 1", "my.toml").number("n", 0, 3)
    assert BoxFile(b"a = 1", "my.toml").bad("b", "odd").line is None


def test_unknown_keys_are_refused() -> None:
    file = BoxFile(b"a = 1\nb = 2\n", "my.toml")
    file.only("a", "b")
    with pytest.raises(BadBox, match="b: unknown; known are a, c") as error:
        file.only("a", "c")
    assert error.value.line == 2


def test_boxes_are_found_by_key_or_by_path(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_bytes(GAME.boxes["khiva"].read_bytes())
    boxes = [find_box(GAME), find_box(GAME, "khiva"), find_box(GAME, mine), find_box(GAME, str(mine))]
    assert {(box.key, box.sha256) for box in boxes} == {("khiva", boxes[0].sha256)}
    assert len(boxes[0].sha256) == 64


@pytest.mark.parametrize("wanted", ["nothing.toml", "no/such/folder/box.toml", "/", "\0", "x" * 5000])
def test_a_box_that_is_not_there_is_named(wanted: str) -> None:
    with pytest.raises(BadInput, match="There is no box") as error:
        find_box(GAME, wanted)
    assert "khiva" in error.value.text("fr")


def test_a_blank_record_holds_nothing() -> None:
    assert not any(blank(BOX).tobytes())
