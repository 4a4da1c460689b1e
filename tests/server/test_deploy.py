"""The files in `deploy/`, each tried as far as a machine without containers and without systemd allows."""

from __future__ import annotations

import datetime
import os
import re
import shlex
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from websockets.exceptions import InvalidStatus
from websockets.sync.client import connect
from websockets.typing import Origin

from registan.server.identity import COOKIE
from registan.server.limits import RATES, STUDY_BODY, Buckets, Rate
from registan.server.settings import Settings
from tests.server.conftest import free_port
from tests.server.place import PATIENT, Place, Socket, until

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
NAME = "house.example"
PUBLIC = f"https://{NAME}"


def certificate(folder: Path) -> None:
    """Write a certificate for the house that it signs itself."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, NAME)])
    now = datetime.datetime.now(datetime.UTC)
    made = (
        x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(NAME)]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    pem, plain = serialization.Encoding.PEM, serialization.NoEncryption()
    (folder / "fullchain.pem").write_bytes(made.public_bytes(pem))
    (folder / "privkey.pem").write_bytes(key.private_bytes(pem, serialization.PrivateFormat.PKCS8, plain))


class Proxied:
    """A house behind nginx with the configuration of `deploy/`, only at other ports and without IPv6."""

    def __init__(self, folder: Path) -> None:
        self.place = Place(str(folder / "house.db"), ("127.0.0.1",), public_url=PUBLIC)
        certificate(folder)
        self.tls, self.plain = free_port(), free_port()
        text = (DEPLOY / "nginx.conf").read_text()
        for old, new in {
            "127.0.0.1:8137": self.place.url.removeprefix("http://"),
            f"/etc/letsencrypt/live/{NAME}": str(folder),
            "listen 443": f"listen 127.0.0.1:{self.tls}",
            "listen 80": f"listen 127.0.0.1:{self.plain}",
            "client_header_timeout 10s": "client_header_timeout 1s",
            "client_body_timeout 10s": "client_body_timeout 1s",
        }.items():
            assert old in text
            text = text.replace(old, new)
        text = re.sub(r"\n *listen \[::\].*", "", text)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        (folder / "site.conf").write_text(text)
        (folder / "nginx.conf").write_text(
            f"daemon off; pid {folder}/pid; error_log {folder}/errors; events {{}}\n"
            f"http {{ access_log off; {temporary} include {folder}/site.conf; }}\n"
        )
        program = shutil.which("nginx") or "/usr/sbin/nginx"
        if not Path(program).exists():
            pytest.fail("the tests need nginx: sudo apt-get install nginx-light")
        command = [program, "-p", str(folder), "-e", str(folder / "errors"), "-c", str(folder / "nginx.conf")]
        tested = subprocess.run([*command, "-t"], capture_output=True, text=True)
        assert tested.returncode == 0, tested.stderr
        self.nginx = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        until(lambda: _listens(self.tls))
        self.trust = ssl.create_default_context(cafile=folder / "fullchain.pem")

    @contextmanager
    def browser(self, address: str = "127.0.0.1") -> Iterator[Any]:
        """Yield a function that asks the house through the proxy, from an address of this machine."""
        transport = httpx.HTTPTransport(verify=self.trust, local_address=address)
        with httpx.Client(transport=transport, timeout=60) as http:

            def ask(method: str, path: str, **more: Any) -> httpx.Response:
                headers = {"Host": NAME, **more.pop("headers", {})}
                url, named = f"https://127.0.0.1:{self.tls}{path}", {"sni_hostname": NAME}
                return http.request(method, url, headers=headers, extensions=named, **more)

            yield ask

    def raw(self, port: int) -> socket.socket:
        """Return a connection to the proxy."""
        return socket.create_connection(("127.0.0.1", port), timeout=20)

    def line(self, name: str = NAME) -> socket.socket:
        """Return a connection to the proxy with TLS."""
        return self.trust.wrap_socket(self.raw(self.tls), server_hostname=name)

    def close(self) -> None:
        self.nginx.send_signal(signal.SIGTERM)
        self.nginx.wait(10)
        self.place.close()


def _listens(port: int) -> bool:
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def proxied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxied]:
    opened = Proxied(tmp_path_factory.mktemp("nginx"))
    yield opened
    opened.close()


def test_people_play_through_nginx_with_tls(proxied: Proxied) -> None:
    origin = {"Origin": PUBLIC}
    with proxied.browser() as ask:
        page = ask("GET", "/health")
        assert (page.status_code, page.text) == (200, "ok")
        assert page.headers["strict-transport-security"] == "max-age=31536000"
        assert "frame-ancestors 'none'" in page.headers["content-security-policy"]
        named = ask("POST", "/api/me", json={"name": "Ann"}, headers=origin)
        assert named.status_code == 200
        assert "Secure" in named.headers["set-cookie"]
        cookie = f"{COOKIE}={named.cookies[COOKIE]}"
        seats = [{"kind": "me"}, {"kind": "bot", "level": "random"}]
        who = {**origin, "Cookie": cookie}
        created = ask("POST", "/api/tables", json={"game": "khiva", "seats": seats}, headers=who).json()
        assert created["link"] == f"{PUBLIC}/t/{created['table']}"
        evil = {**who, "Origin": "https://evil.example"}
        assert ask("POST", f"/api/tables/{created['table']}", json={"do": "start"}, headers=evil).status_code == 401
    url = f"wss://{NAME}/api/tables/{created['table']}/live"
    more: dict[str, Any] = {"additional_headers": {"Cookie": cookie}, "proxy": None, "ssl": proxied.trust}
    with connect(url, sock=proxied.raw(proxied.tls), origin=Origin(PUBLIC), **more) as ws:
        watching = Socket(ws)
        assert watching.ask(do="watch", seat=0)["type"] == "done"
        assert watching.views[0]["status"] == "open"
        assert watching.ask(do="say", seat=0, phrase="hello")["type"] == "done"
    with pytest.raises(InvalidStatus):
        connect(url, sock=proxied.raw(proxied.tls), origin=Origin("https://evil.example"), **more)


def test_nginx_tells_the_house_who_the_client_is(proxied: Proxied) -> None:
    proxied.place.house.buckets = Buckets(dict.fromkeys(RATES, Rate(2, 1e-6)))
    try:
        with proxied.browser("127.0.0.2") as ask, proxied.browser("127.0.0.3") as other:
            # Whatever the client claims counts for nothing.
            claims = [{"X-Forwarded-For": f"203.0.113.{i}", "X-Real-IP": "203.0.113.9"} for i in range(3)]
            assert [ask("GET", "/api/games", headers=claim).status_code for claim in claims] == [200, 200, 429]
            assert other("GET", "/api/games").status_code == 200
    finally:
        proxied.place.house.buckets = PATIENT


def test_nginx_hides_what_is_for_operators_and_refuses_other_names(proxied: Proxied) -> None:
    with proxied.browser() as ask:
        assert ask("GET", "/metrics").status_code == 404
        assert ask("GET", "//metrics").status_code != 200
        assert ask("GET", "/%6detrics").status_code == 404
        assert ask("POST", "/api/me", content=b" " * 40_000).status_code == 413
        assert ask("POST", "/api/study", content=b" " * (STUDY_BODY - 10)).status_code == 400, (
            "a long game gets through"
        )
        assert ask("POST", "/api/study", content=b" " * 1_100_000).status_code == 413
    with pytest.raises(ssl.SSLError):
        proxied.line("evil.example")
    with proxied.raw(proxied.plain) as line:
        line.sendall(b"GET /t/x HTTP/1.0\r\n\r\n")
        answer = line.makefile("rb").read().decode()
    assert " 301 " in answer
    assert f"Location: {PUBLIC}/t/x\r\n" in answer


@pytest.mark.parametrize(
    "half", ["GET / HTTP/1.1\r\nHost: ho", f"POST /api/me HTTP/1.1\r\nHost: {NAME}\r\nContent-Length: 99\r\n\r\n{{"]
)
def test_nginx_does_not_wait_for_the_rest_of_a_request(proxied: Proxied, half: str) -> None:
    with proxied.line() as line:
        line.sendall(half.encode())
        answer = line.recv(1000)  # it ends by itself, with or without a word
    assert answer == b"" or b" 408 " in answer


def test_caddy_has_the_same_limits() -> None:
    text = (DEPLOY / "Caddyfile").read_text()
    for words in ("read_header 10s", "read_body 10s", "max_size 1MB", "respond @operators 404", "path /metrics"):
        assert words in text


def unit(tmp_path: Path) -> Path:
    """Return the unit with a program that exists."""
    text = (DEPLOY / "registan.service").read_text()
    assert "/opt/registan/bin/registan serve" in text
    file = tmp_path / "registan.service"
    file.write_text(text.replace("/opt/registan/bin/registan serve", f"{sys.executable} -m registan serve"))
    return file


def analyze(*args: object) -> subprocess.CompletedProcess[str]:
    if shutil.which("systemd-analyze") is None:
        pytest.fail("the tests need systemd-analyze: sudo apt-get install systemd")
    return subprocess.run(["systemd-analyze", *map(str, args)], capture_output=True, text=True)


def test_systemd_finds_nothing_wrong_with_the_unit(tmp_path: Path) -> None:
    done = analyze("verify", unit(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    # Of 10 for a service that may do everything; up to 2 is "OK" at worst.
    rated = analyze("security", "--offline=true", "--threshold=20", unit(tmp_path))
    assert rated.returncode == 0, rated.stdout[-300:]
    again = tmp_path / "open.service"
    again.write_text("[Service]\nExecStart=/bin/true\n")
    assert analyze("security", "--offline=true", "--threshold=20", again).returncode != 0


def test_the_settings_of_all_files_exist() -> None:
    known = {f"REGISTAN_{name.upper()}" for name in Settings.__struct_fields__} | {"REGISTAN_CONFIG", "REGISTAN_CACHE"}
    for file in DEPLOY.iterdir():
        assert set(re.findall(r"REGISTAN_[A-Z_]+", file.read_text())) <= known, file


def composed() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text())


def test_the_compose_file_is_one() -> None:
    schema = ("--builtin-schema", "vendor.compose-spec")
    command = [sys.executable, "-m", "check_jsonschema", *schema, str(DEPLOY / "compose.yaml")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def test_no_container_may_do_more_than_it_must() -> None:
    found = composed()
    assert set(found["services"]) == {"house", "postgres", "valkey"}
    for name, service in found["services"].items():
        assert service["read_only"], name
        assert service["security_opt"] == ["no-new-privileges:true"], name
        assert set(service["deploy"]["resources"]["limits"]) == {"cpus", "memory", "pids"}, name
        assert "healthcheck" in service or "HEALTHCHECK" in (DEPLOY / "Containerfile").read_text(), name
        volumes = {volume.partition(":")[0] for volume in service.get("volumes", [])}
        assert volumes <= set(found["volumes"]), name
        assert set(service.get("secrets", ())) <= set(found["secrets"]), name
    house, *others = found["services"].values()
    assert house["cap_drop"] == ["ALL"]
    assert all(port.startswith("127.0.0.1:") for port in house["ports"])
    assert not any("ports" in other for other in others)
    assert all(other["networks"] == ["back"] for other in others)
    assert found["networks"]["back"]["internal"]
    gateway = found["networks"]["front"]["ipam"]["config"][0]["gateway"]
    assert house["environment"]["REGISTAN_TRUSTED_PROXIES"] == gateway
    assert house["depends_on"]["postgres"]["condition"] == "service_healthy"


def test_secrets_are_in_files_that_are_not_in_the_project(tmp_path: Path) -> None:
    found = composed()
    assert all(secret["file"].startswith("./secrets/") for secret in found["secrets"].values())
    ignored = subprocess.run(["git", "check-ignore", "-q", "deploy/secrets/house.toml"], cwd=ROOT)
    assert ignored.returncode == 0
    # The commands at the head of the file make what the house reads.
    head = (DEPLOY / "compose.yaml").read_text().split("name: registan")[0]
    commands = [line.removeprefix("#   ") for line in head.splitlines() if line.startswith("#   ")]
    script = "\n".join(line for line in commands if "docker" not in line)
    subprocess.run(["sh", "-eu", "-c", script.replace("openssl rand -hex 32", "echo c0ffee")], cwd=tmp_path, check=True)
    made = tomllib.loads((tmp_path / "secrets" / "house.toml").read_text())
    assert made == {"store": "postgresql://registan:c0ffee@postgres/registan"}
    assert (tmp_path / "secrets").stat().st_mode & 0o777 == 0o700


def instructions() -> list[tuple[str, str]]:
    text = re.sub(r"\\\n\s*", " ", (DEPLOY / "Containerfile").read_text())
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    return [(word, rest) for word, _, rest in (line.partition(" ") for line in lines)]


def value(word: str) -> str:
    """Return what the last instruction of a kind says."""
    return [rest for each, rest in instructions() if each == word][-1]


def test_the_container_file_does_what_it_says(tmp_path: Path) -> None:
    """Its steps run in a folder, without what fetches from an index; the house that they install opens and closes."""
    if not (ROOT / "web" / "dist" / "index.html").exists():
        pytest.fail("the web app is not built: make setup")
    assert value("USER") == "10001:10001"
    assert value("STOPSIGNAL") == "SIGTERM"
    places = {"/opt/registan": tmp_path / "opt", "/wheel": tmp_path / "wheel", "/var/": f"{tmp_path}/var/"}

    def here(text: str) -> str:
        for old, new in places.items():
            text = text.replace(old, str(new))
        return text

    source = tmp_path / "src"
    source.mkdir()
    for name in ("CHANGELOG.md", "LICENSE", "README.md", "pyproject.toml", "src", "tools", "web/dist"):
        assert name == "web/dist" or f"!{name}" in (DEPLOY / "Containerfile.dockerignore").read_text().splitlines()
        (source / name).parent.mkdir(exist_ok=True)
        (source / name).symlink_to(ROOT / name)
    fetching = ("requirements/house.txt", "tools.dev web", "compileall")
    env = {name: text for name, text in os.environ.items() if not name.startswith(("REGISTAN_", "PYTHON"))}
    env["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{env['PATH']}"
    ran = []
    for word, step in instructions():
        if word == "RUN" and not any(words in step for words in fetching):
            # The requirements are there already, in the environment of these tests.
            done = subprocess.run(
                ["sh", "-eu", "-c", here(re.sub(r" -[og] 10001", "", step))],
                cwd=source, env={**env, "PYTHONPATH": sysconfig.get_path("purelib")}, capture_output=True, text=True,
            )  # fmt: skip
            assert done.returncode == 0, (step, done.stderr)
            ran.append(step)
    assert len(ran) == 4
    (site,) = (tmp_path / "opt" / "lib").glob("python3*/site-packages")
    assert (site / "registan" / "_web" / "index.html").exists()
    (site / "requirements.pth").write_text(sysconfig.get_path("purelib"))
    port = str(free_port())
    env |= dict(pair.split("=", 1) for pair in shlex.split(here(value("ENV").replace("$PATH", env["PATH"]))))
    env |= {"REGISTAN_PORT": port, "REGISTAN_INTERPRET": "1", "REGISTAN_HOST": "127.0.0.1"}
    program = tmp_path / "opt" / "bin" / "registan"
    assert value("CMD") == '["registan", "serve"]'
    house = subprocess.Popen([program, "serve"], env=env, cwd=tmp_path / "var/lib/registan", stderr=subprocess.PIPE)
    try:
        check = re.search(r'CMD \["python", "-c", "(.*)"\]', value("HEALTHCHECK"))
        assert check is not None

        def healthy() -> bool:
            return not subprocess.run([sys.executable, "-c", check[1]], env=env, capture_output=True).returncode

        until(healthy)
        assert "<title>" in httpx.get(f"http://127.0.0.1:{port}/").text
        assert (tmp_path / "var/lib/registan/key").exists()
        house.send_signal(signal.SIGTERM)
        assert house.wait(15) in (0, -signal.SIGTERM)
        assert not healthy()
    finally:
        house.kill()
        house.communicate()
    assert {path.name for path in (tmp_path / "var/lib/registan").iterdir()} >= {"key", "house.db"}
