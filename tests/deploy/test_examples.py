"""Examples that operators copy: image, compose file, service, proxies; linted where a linter is, run where a program is."""

from __future__ import annotations

import re
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
import pytest
import ryaml

from octavo.kernel.settings import Settings
from tests.deploy.conftest import ROOT, copy
from tests.processes import bootstrap, get, octavo, send, serving
from tests.profiles import DEEP

DEPLOY = ROOT / "deploy"
EXPOSURE_MAX = 4.0
"""What `systemd-analyze security` may say: below it, a unit is called OK."""


def test_pages_show_the_files_as_they_are() -> None:
    page = (ROOT / "docs" / "running" / "install.md").read_text()
    for name in ("nginx.conf", "octavo.service", "Caddyfile"):
        assert (DEPLOY / name).read_text() in page, name


def test_systemd_calls_the_unit_ok() -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze is not installed")
    done = subprocess.run(
        ["systemd-analyze", "security", "--offline=true", "--no-pager", str(DEPLOY / "octavo.service")],
        capture_output=True, text=True, timeout=60,
    )  # fmt: skip
    found = re.search(r"Overall exposure level for octavo\.service: ([\d.]+)", done.stdout)
    assert found is not None, done.stderr
    assert float(found[1]) <= EXPOSURE_MAX


def test_compose_speaks_of_settings_services_and_volumes_that_exist() -> None:
    told: dict[str, Any] = ryaml.loads((ROOT / "compose.yaml").read_text())
    services = told["services"]
    settings = {f"OCTAVO_{field.name.upper()}" for field in msgspec.structs.fields(Settings)}
    environment = told["x-octavo"]["environment"]
    assert {name for name in environment if name.startswith("OCTAVO_")} <= settings
    assert environment["OCTAVO_TRUSTED_PROXIES"] == services["caddy"]["networks"]["inner"]["ipv4_address"]
    for name, service in services.items():
        assert set(service.get("depends_on", {})) <= set(services), name
        for volume in service.get("volumes", []):
            source = volume.partition(":")[0]
            assert (ROOT / source).exists() if source.startswith("./") else source in told["volumes"], volume
    for name in ("octavo", "worker"):
        shared = services[name] if "read_only" in services[name] else told["x-octavo"]
        assert shared["read_only"] is True
        assert shared["cap_drop"] == ["ALL"]
    assert services["worker"]["command"] == ["worker"]


def test_the_image_runs_as_nobody_in_particular_and_is_looked_at() -> None:
    steps = _steps((ROOT / "Dockerfile").read_text())
    last = steps[[n for n, (word, _) in enumerate(steps) if word == "FROM"][-1] :]
    said = dict(last)
    assert said["USER"] == "10001:10001"
    assert "/readyz" in said["HEALTHCHECK"]
    assert all(image.split()[0].endswith("-slim-trixie") for word, image in steps if word == "FROM")
    copied = {part for word, rest in steps if word == "COPY" and "--from" not in rest for part in rest.split()[:-1]}
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name.split('/')[0]}" in ignored, f"{name} is not sent to the builder"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("package", "words"),
    [
        ("dockerfile-utils@0.16.3", ["lint", "Dockerfile"]),
        ("dclint@3.1.0", ["-c", "deploy/dclint.json", "compose.yaml"]),
    ],
)
def test_linters_find_nothing_wrong(package: str, words: list[str]) -> None:
    if shutil.which("npx") is None:
        pytest.skip("npm is not installed")
    done = subprocess.run(["npx", "--yes", package, *words], cwd=ROOT, capture_output=True, text=True, timeout=300)
    if "npm error" in done.stderr or "npm ERR!" in done.stderr:
        pytest.skip("npm cannot install the linter here")
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.deep
def test_the_steps_of_the_image_make_what_runs(tmp_path: Path) -> None:
    """Each COPY and RUN of the building stage, in a folder that stands for the image; packages of the system are left out."""
    image, context = tmp_path / "image", copy(tmp_path / "context")
    shutil.copytree(ROOT / "docs", context / "docs")
    steps = _steps((ROOT / "Dockerfile").read_text())
    ends = [n for n, (word, _) in enumerate(steps) if word == "FROM"][1]
    folder = image / "src"
    folder.mkdir(parents=True)
    (image / "opt").mkdir()
    for word, rest in steps[:ends]:
        if word == "COPY":
            *sources, target = rest.split()
            for source in sources:
                to = (
                    folder / target
                    if not target.endswith("/") and target != "./"
                    else folder / target / Path(source).name
                )
                to.parent.mkdir(parents=True, exist_ok=True)
                if (context / source).is_dir():
                    shutil.copytree(context / source, to, dirs_exist_ok=True)
                else:
                    shutil.copy(context / source, to)
        elif word == "RUN" and "apt-get" not in rest:
            command = rest.replace("/opt/octavo", f"{image}/opt/octavo").replace("RUN python", "python3")
            done = subprocess.run(["sh", "-ec", command], cwd=folder, capture_output=True, text=True, timeout=580)
            if "Could not find a version" in done.stderr:
                pytest.skip("the index cannot be reached")
            assert done.returncode == 0, done.stderr[-2000:]
    command = [str(image / "opt/octavo/bin/octavo"), "--version"]
    assert subprocess.run(command, cwd=tmp_path, capture_output=True, timeout=60).returncode == 0


def _steps(text: str) -> list[tuple[str, str]]:
    """(word, rest) of each instruction of a Dockerfile."""
    lines = "\n".join(line for line in text.splitlines() if not line.lstrip().startswith("#"))
    whole = re.sub(r"\\\n\s*", " ", lines)
    return [(word, rest.strip()) for word, _, rest in (line.partition(" ") for line in whole.splitlines() if line)]


def _port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as made:
        return int(made.getsockname()[1])


@contextmanager
def _proxy(command: list[str], port: int, folder: Path) -> Iterator[str]:
    """A proxy as a process, which answers on that port."""
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(
            command, stdout=said, stderr=said, cwd=folder, env={"HOME": str(folder), "PATH": "/usr/bin"}
        )
        try:
            for _ in range(100):
                try:
                    socket.create_connection(("127.0.0.1", port), timeout=1).close()
                    break
                except OSError:
                    assert process.poll() is None, (folder / "said").read_text()
                    time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait(20)


def _nginx(program: str, folder: Path, upstream: str, port: int) -> list[str]:
    """The example, on a port without TLS."""
    text = (DEPLOY / "nginx.conf").read_text().replace("127.0.0.1:8000", upstream)
    text = text.replace("listen 443 ssl http2;", f"listen 127.0.0.1:{port};")
    text = re.sub(r"\n\s*ssl_certificate\S* .*;", "", text)
    paths = "".join(
        f"{name}_temp_path {folder}/{name};\n" for name in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    main = (
        "daemon off;\n"
        + f"pid {folder}/pid;\nerror_log stderr;\nevents {{}}\nhttp {{\naccess_log off;\n{paths}{text}}}\n"
    )
    (folder / "nginx.conf").write_text(main)
    return [program, "-p", str(folder), "-e", "stderr", "-c", str(folder / "nginx.conf")]


def _caddy(program: str, folder: Path, upstream: str, port: int) -> list[str]:
    """The example, on a port without TLS."""
    text = (DEPLOY / "Caddyfile").read_text()
    text = text.replace("{$OCTAVO_UPSTREAM:127.0.0.1:8000}", upstream)
    text = text.replace("{$OCTAVO_HOSTNAME:docs.example.com} {", f"http://:{port} {{", 1)
    text = text.replace("{\n\ton_demand_tls", "{\n\tadmin off\n\tauto_https off\n\ton_demand_tls", 1)
    text = text[: text.index("\nhttps:// {")]
    (folder / "Caddyfile").write_text(text)
    return [program, "run", "--config", str(folder / "Caddyfile"), "--adapter", "caddyfile"]


@pytest.mark.parametrize(("name", "made"), [("nginx", _nginx), ("caddy", _caddy)])
def test_a_proxy_of_the_examples_hands_on_what_octavo_needs(name: str, made: Any, tmp_path: Path) -> None:
    """The host of a site, the address of clients, large uploads, and the way below a path."""
    program = shutil.which(name, path="/usr/sbin:/usr/bin:/usr/local/bin:/usr/local/sbin")
    if program is None:
        pytest.skip(f"{name} is not installed")
    data, pages, port = tmp_path / "data", tmp_path / "pages", _port()
    begun, base = bootstrap(data), f"http://127.0.0.1:{port}"
    pages.mkdir()
    (pages / "README.md").write_text("# Terns\n\nThey fly far.\n")
    organization, token = begun["organization"], begun["token"]
    octavo("import", pages, "--data", data, "--organization", organization, "--publish", "--title", "Terns")
    given = {"OCTAVO_BASE_URL": base, "OCTAVO_TRUSTED_PROXIES": "127.0.0.1", "OCTAVO_SITE_DOMAIN": "sites.test"}
    behind = _port()
    with (
        serving(data, "--port", str(behind), **given),
        _proxy(made(program, tmp_path, f"127.0.0.1:{behind}", port), port, tmp_path),
    ):
        assert get(f"{base}/readyz")[0] == 200
        assert b"They fly far." in get(f"{base}/sites/terns/")[1], "a path of the installation"
        asked = urllib.request.Request(f"{base}/", headers={"Host": "terns.sites.test"})
        with urllib.request.urlopen(asked, timeout=20) as reply:
            assert b"They fly far." in reply.read(), "the host of a site"
        checked = octavo("doctor", "--data", data, **given)["checks"]
        assert [one["state"] for one in checked if one["check"] == "proxy"] == ["ok"], checked
        size = (200 if DEEP else 12) << 20
        file = {
            "file": {"name": "film.bin", "type": "application/octet-stream", "size": size},
            "kind": "organization_file",
        }
        status, way = send(f"{base}/v1/orgs/{organization}/storage/upload", token, file)
        assert status == 201
        asked = urllib.request.Request(way["url"], b"x" * size, method="PUT")
        with urllib.request.urlopen(asked, timeout=120) as reply:
            assert reply.status < 300
