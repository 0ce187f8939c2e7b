"""A real OpenSSH server for tests, on a port of its own, for the user who runs them, with one key that may come in."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from getpass import getuser
from pathlib import Path

import pytest

_CONFIGURATION = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
PidFile none
AuthorizedKeysFile {folder}/authorized
StrictModes no
UsePAM no
PasswordAuthentication no
KbdInteractiveAuthentication no
PermitRootLogin yes
AcceptEnv GIT_PROTOCOL
"""


@dataclass
class Sshd:
    """A running server."""

    port: int
    host_key: str
    folder: Path

    def url(self, path: Path) -> str:
        return f"ssh://{getuser()}@127.0.0.1:{self.port}{path}"

    def admit(self, public_key: str) -> None:
        (self.folder / "authorized").write_text(public_key + "\n")


@contextmanager
def serving_ssh(folder: Path) -> Iterator[Sshd]:
    """Skips where the server is not installed."""
    program = shutil.which("sshd") or shutil.which("sshd", path="/usr/sbin")
    keygen = shutil.which("ssh-keygen")
    if program is None or keygen is None:
        pytest.skip("OpenSSH's server is not installed")
    folder.mkdir()
    subprocess.run([keygen, "-q", "-t", "ed25519", "-N", "", "-f", str(folder / "host")], check=True)
    Path("/run/sshd").mkdir(exist_ok=True)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    (folder / "config").write_text(_CONFIGURATION.format(port=port, folder=folder))
    (folder / "authorized").write_text("")
    running = subprocess.Popen([program, "-D", "-e", "-f", str(folder / "config")], stderr=subprocess.DEVNULL)
    try:
        _await(port, running)
        yield Sshd(port, " ".join((folder / "host.pub").read_text().split()[:2]), folder)
    finally:
        running.kill()
        running.wait()


def _await(port: int, running: subprocess.Popen[bytes]) -> None:
    until = time.monotonic() + 20
    while time.monotonic() < until and running.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.01)
    pytest.skip("OpenSSH's server cannot run here")
