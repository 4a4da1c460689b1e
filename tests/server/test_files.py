"""The files of a house: who may read them, the key, and two houses on one database."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from registan.core.errors import BadInput
from registan.core.messages import LANGUAGES
from registan.server.files import claim
from registan.server.key import LEAST, house_key
from registan.server.logs import log
from tests.server.test_serve import ready, served


def mode(path: Path) -> str:
    return f"{stat.S_IMODE(path.stat().st_mode):o}"


def test_nobody_else_may_read_what_a_house_writes(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with served(folder) as (_, url):
        ready(url)
        files = {path.name: mode(path) for path in folder.iterdir()}
    assert mode(folder) == "700"
    assert files.keys() == {"key", "house.db", "house.db-wal", "house.db-shm", "house.db.lock"}
    assert set(files.values()) == {"600"}


def test_files_that_were_open_to_others_are_tightened_and_that_is_logged(tmp_path: Path) -> None:
    folder = tmp_path / "house"
    with served(folder) as (_, url):
        ready(url)
    folder.chmod(0o755)
    for path in folder.iterdir():
        path.chmod(0o644)
    command = [sys.executable, "-m", "registan", "serve", "--interpret", "--port", "0", "--data", str(folder)]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    assert process.stderr is not None
    said = ""
    while '"event":"open"' not in said:
        said += process.stderr.readline()
    process.kill()
    process.wait()
    process.stderr.close()
    assert mode(folder) == "700"
    assert {mode(path) for path in folder.iterdir()} == {"600"}
    for name in ("house", "house/key", "house/house.db"):
        assert f'"path":"{tmp_path / name}"' in said


def test_a_folder_that_is_for_everybody_stays_so(tmp_path: Path) -> None:
    from registan.server.files import tighten

    tmp_path.chmod(0o1777)
    tighten(tmp_path, tmp_path / "nothing here")
    assert mode(tmp_path) == "1777"


def test_the_first_start_makes_a_key_that_stays(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "house"
    key = house_key(folder)
    assert len(key) >= LEAST
    assert house_key(folder) == key
    assert [path.name for path in folder.iterdir()] == ["key"]


def test_houses_that_start_at_once_agree_on_a_key(tmp_path: Path) -> None:
    keys: list[bytes] = []
    start = threading.Barrier(8)

    def begin() -> None:
        start.wait()
        keys.append(house_key(tmp_path))

    threads = [threading.Thread(target=begin) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(keys) == 8
    assert len(set(keys)) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


@pytest.mark.parametrize("key", ["", "\n", "short", "x" * (LEAST - 1)])
def test_a_key_that_is_empty_or_short_is_refused(key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "key").write_text(key)
    with pytest.raises(BadInput) as error:
        house_key(tmp_path)
    for lang in LANGUAGES:
        assert str(tmp_path / "key") in error.value.text(lang)
        assert str(LEAST) in error.value.text(lang)
    assert (tmp_path / "key").read_text() == key, "nothing is written over it"
    (tmp_path / "key").unlink()
    monkeypatch.setenv("REGISTAN_KEY", key)
    with pytest.raises(BadInput, match="REGISTAN_KEY"):
        house_key(tmp_path)
    monkeypatch.setenv("REGISTAN_KEY", "k" * LEAST)
    assert house_key(tmp_path) == b"k" * LEAST


def test_a_key_that_cannot_be_written_whole_is_not_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(BadInput, match="no space is left"):
            house_key(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert len(house_key(tmp_path)) >= LEAST


def test_a_second_house_on_the_same_file_is_refused(tmp_path: Path) -> None:
    with served(tmp_path) as (process, url):
        ready(url)
        command = [sys.executable, "-m", "registan", "serve", "--interpret", "--port", "0"]
        for place in (
            ["--data", str(tmp_path)],
            ["--data", str(tmp_path / "b"), "--store", str(tmp_path / "house.db")],
        ):
            second = subprocess.run([*command, *place], capture_output=True, text=True, timeout=60)
            assert second.returncode == 2
            assert f"process {process.pid}" in second.stderr
        process.send_signal(signal.SIGKILL)
        process.wait()
    with served(tmp_path) as (_, url):  # what a killed house leaves behind does not matter
        ready(url)


def test_houses_that_tell_each_other_of_moves_may_share_a_file(tmp_path: Path) -> None:
    locks = [claim(tmp_path / "house.db", shared=True) for _ in range(2)]
    with pytest.raises(BadInput, match=f"process {os.getpid()}"):
        claim(tmp_path / "house.db")
    for lock in locks:
        assert lock is not None
        os.close(lock)
    alone = claim(tmp_path / "house.db")
    assert alone is not None
    with pytest.raises(BadInput, match="another house"):
        claim(tmp_path / "house.db", shared=True)
    os.close(alone)


def test_a_lock_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("do not touch")
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "house.db.lock").symlink_to(precious)
    with pytest.raises(BadInput):
        claim(folder / "house.db")
    assert precious.read_text() == "do not touch"


def test_a_log_on_a_full_disk_stops_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    with Path("/dev/full").open("w") as full:
        monkeypatch.setattr(sys, "stderr", full)
        log.error("this does not fit")
        monkeypatch.undo()
        with suppress(OSError):
            full.close()
