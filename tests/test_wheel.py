"""The package as others get it: an archive, a wheel made from it, and what the wheel does in an empty environment."""

from __future__ import annotations

import email
import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest
from tools.environment import ROOT, program, uv

SERVER = {"cryptography", "itsdangerous", "litestar", "prometheus-client", "uvicorn", "uvloop", "websockets"}


class Built(NamedTuple):
    """What `hatchling build` made."""

    archive: Path
    wheel: Path


def environment(folder: Path) -> dict[str, str]:
    """Return variables without this checkout's own, so that only the wheel can be found."""
    hidden = ("REGISTAN_", "PYTHON", "VIRTUAL_ENV", "UV_COMPILE")
    env = {name: text for name, text in os.environ.items() if not name.startswith(hidden)}
    return env | {"HOME": str(folder), "REGISTAN_INTERPRET": "1", "LANG": "C"}


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Built:
    """The wheel is built from the archive alone, by which the archive is complete."""
    if not (ROOT / "web" / "dist" / "licenses.txt").exists():
        pytest.fail("the web app is not built: make setup")
    folder = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "hatchling", "build", "-d", str(folder)]
    subprocess.run([*build, "-t", "sdist"], cwd=ROOT, check=True, capture_output=True)
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder, filter="data")
    source = folder / archive.name.removesuffix(".tar.gz")
    subprocess.run([*build, "-t", "wheel"], cwd=source, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    return Built(archive, wheel)


def test_the_archive_holds_everything_that_git_does(built: Built) -> None:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("not a checkout")
    with tarfile.open(built.archive) as file:
        held = {name.partition("/")[2] for name in file.getnames()}
    wanted = {name for name in listed.stdout.split("\0") if name and (ROOT / name).exists()}
    assert not {name for name in wanted - held if name != ".gitattributes"}
    assert not [name for name in held if "node_modules" in name]


def test_the_metadata_stand_alone(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        (path,) = (name for name in wheel.namelist() if name.endswith(".dist-info/METADATA"))
        text = wheel.read(path).decode()
    said, readme = email.message_from_string(text), text.partition("\n\n")[2]
    required = [line for line in said.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert {re.split(r"[<>=]", line)[0] for line in required} == {"cyclopts", "msgspec", "numba", "numpy", "rich"}
    assert not [line for line in required if line.startswith(("numba", "numpy")) and "<" in line]
    house = [line for line in said.get_all("Requires-Dist", []) if "extra == 'house'" in line]
    assert {re.split(r"[<>=]", line)[0] for line in house} == SERVER | {"tzdata"}
    assert said["Author"]
    assert {line.split(",")[0] for line in said.get_all("Project-URL", [])} >= {"Homepage", "Documentation", "Source"}
    links = re.findall(r'(?:\]\(|src=")([^)"]+)', readme)
    assert len(links) > 20
    assert all(link.startswith("https://") for link in links)
    assert any(link.endswith("docs/pictures/web-samarkand.jpg") for link in links)


def test_the_wheel_brings_the_licences_of_what_it_bundles(built: Built) -> None:
    with zipfile.ZipFile(built.wheel) as wheel:
        names = wheel.namelist()
        (ours,) = (name for name in names if name.endswith("licenses/LICENSE"))
        (theirs,) = (name for name in names if name.endswith("licenses/web/dist/licenses.txt"))
        assert b"Apache License" in wheel.read(ours)
        text = wheel.read(theirs).decode()
        fonts = [name for name in names if name.endswith(".woff2")]
    assert "registan/_web/licenses.txt" in names
    assert len(fonts) == len(re.findall(r"^\S+ \S+ \(OFL-1\.1\)$", text, re.MULTILINE)) == 2
    packages = set(re.findall(r"^(\S+) \S+ \([\w.-]+\)$", text, re.MULTILINE))
    assert {"svelte", "uqr", "@fontsource/marcellus", "@fontsource-variable/source-sans-3"} <= packages
    assert "SIL OPEN FONT LICENSE" in text.upper()
    assert "Permission is hereby granted, free of charge" in text


def install(venv: Path, what: str) -> None:
    """Install from the cache of `make setup`, else from an index, at the locked versions."""
    command = [
        uv(),
        "pip",
        "install",
        "--quiet",
        "--python",
        program(venv, "python"),
        "-c",
        "requirements/dev.txt",
        what,
    ]
    if subprocess.run([*command, "--offline"], cwd=ROOT, capture_output=True).returncode:
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True)


def test_in_an_empty_environment_the_wheel_plays_and_serves(built: Built, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([uv(), "venv", "--quiet", "--python", sys.executable, venv], check=True)
    env = environment(tmp_path)
    registan = program(venv, "registan")

    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([registan, *words], cwd=tmp_path, env=env, capture_output=True, text=True)

    install(venv, f"registan @ {built.wheel.as_uri()}")
    played = run("simulate", "khiva", "--games", "2", "--seed", "7", "--record", "games.jsonl")
    assert played.returncode == 0, played.stderr
    checked = run("check", "games.jsonl")
    assert checked.returncode == 0, checked.stderr
    assert run("completion", "bash").returncode == 0
    # Without the extra there is no server, and that is said, with the way to get it.
    refused = run("serve")
    assert refused.returncode == 2
    assert 'pip install "registan[house]"' in refused.stderr
    assert "Traceback" not in refused.stderr

    install(venv, f"registan[house] @ {built.wheel.as_uri()}")
    command = [registan, "serve", "--port", "0", "--data", str(tmp_path / "house")]
    house = subprocess.Popen(command, cwd=tmp_path, env=env, stderr=subprocess.PIPE, text=True)
    assert house.stderr is not None
    try:
        url = json.loads(house.stderr.readline())["url"]
        page = httpx.get(f"{url}/")
        assert page.status_code == 200
        assert "<title>" in page.text
        script = re.search(r'src="(/assets/[^"]+\.js)"', page.text)
        assert script is not None
        assert httpx.get(f"{url}{script[1]}").headers["content-type"].startswith("text/javascript")
        assert "OFL-1.1" in httpx.get(f"{url}/licenses.txt").text
        assert {game["game"] for game in httpx.get(f"{url}/api/games").json()} >= {"khiva"}
    finally:
        house.terminate()
        house.communicate(timeout=20)
