"""Examples for operators: what the documentation shows for systemd and nginx is read as these would, and fits Octavo."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import defaultdict
from pathlib import Path

import pytest

from octavo import cli
from octavo.jobs.content import importing, pdf
from octavo.kernel import limits
from octavo.kernel.settings import load
from octavo.serving import GRACE

INSTALL = (Path(__file__).parents[1] / "docs" / "running" / "install.md").read_text()
JOBS_END = 10
"""Seconds that jobs get when a server ends."""


def _block(language: str) -> str:
    [found] = re.findall(rf"^```{language}\n(.*?)^```", INSTALL, re.MULTILINE | re.DOTALL)
    text: str = found
    return text


def _unit() -> dict[str, list[str]]:
    """Every directive with its values."""
    found: dict[str, list[str]] = defaultdict(list)
    section = ""
    for line in filter(None, _block("ini").splitlines()):
        if line.startswith("["):
            section = line.strip("[]")
            continue
        name, equals, value = line.partition("=")
        assert equals, line
        found[f"{section}.{name}"].append(value)
    return found


def test_the_unit_starts_what_there_is() -> None:
    unit = _unit()
    [start] = unit["Service.ExecStart"]
    program, command, *words = start.split()
    assert program.endswith("/bin/octavo")
    cli.main.commands[command].make_context(command, words)
    settings = load(dict(pair.split("=", 1) for pair in unit["Service.Environment"]))
    assert str(settings.data) == "/var/lib/" + unit["Service.StateDirectory"][0]
    assert unit["Service.UMask"] == ["0077"]
    assert int(unit["Service.TimeoutStopSec"][0]) > GRACE + JOBS_END


def test_systemd_reads_the_unit(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not here")
    # Neither the program nor the user of the example is on this machine.
    text = _block("ini").replace("/opt/octavo/.venv/bin/octavo", shutil.which("true") or "/bin/true")
    unit = tmp_path / "octavo.service"
    unit.write_text(text.replace("User=octavo\nGroup=octavo", "DynamicUser=yes"))
    done = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, timeout=60)
    assert [line for line in done.stderr.splitlines() if "octavo.service" in line] == []


def _nginx() -> dict[str, list[str]]:
    """Every directive with its values, whichever block it stands in."""
    found: dict[str, list[str]] = defaultdict(list)
    depth = 0
    text = re.sub(r"#.*", "", _block("nginx"))
    for statement in re.findall(r"[^;{}]*[;{}]", text):
        words = statement[:-1].split()
        depth += {"{": 1, "}": -1, ";": 0}[statement[-1]]
        assert depth >= 0
        assert bool(words) is (statement[-1] != "}"), statement
        if words:
            found[words[0]].append(" ".join(words[1:]))
    assert depth == 0
    return found


def test_the_proxy_lets_through_what_octavo_takes() -> None:
    directives = _nginx()
    [size] = directives["client_max_body_size"]
    assert int(size.removesuffix("m")) << 20 > max(limits.UPLOAD_MAX, limits.CHANGES_BODY_MAX)
    [waits] = directives["proxy_read_timeout"]
    assert int(waits.removesuffix("s")) > max(importing.SECONDS, pdf.SECONDS)
    headers = dict(value.split(" ", 1) for value in directives["proxy_set_header"])
    assert (headers["Host"], headers["X-Forwarded-For"]) == ("$host", "$remote_addr")
    upstreams = directives["upstream"]
    assert directives["proxy_pass"] == [f"http://{name}" for name in upstreams]
    text = _block("nginx")
    used = [*re.findall(r"limit_req zone=(\w+) ", text), *re.findall(r"limit_conn (\w+) ", text)]
    assert sorted(re.findall(r"zone=(\w+):", text)) == sorted(used)


def test_nginx_reads_the_example(tmp_path: Path) -> None:
    if shutil.which("nginx") is None or shutil.which("openssl") is None:
        pytest.skip("nginx is not here")
    pair = [str(tmp_path / name) for name in ("key.pem", "certificate.pem")]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=docs.example.com", "-days", "1",
         "-keyout", pair[0], "-out", pair[1]],
        check=True, capture_output=True,
    )  # fmt: skip
    text = _block("nginx").replace("/etc/ssl/docs.example.com.key", pair[0])
    text = text.replace("/etc/ssl/docs.example.com.pem", pair[1]).replace("listen 443", "listen 127.0.0.1:8443")
    file = tmp_path / "nginx.conf"
    file.write_text(f"pid {tmp_path}/pid;\nevents {{}}\nhttp {{\n{text}\n}}\n")
    done = subprocess.run(["nginx", "-t", "-c", str(file)], capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
