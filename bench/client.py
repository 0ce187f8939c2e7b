"""The load: keep-alive connections that ask and read whole answers, and processes whose CPU time is read."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

IN_FLIGHT = 8
"""Requests on their way at once: one on each of so many connections."""
PATIENCE = 60
"""Seconds until a silent server is given up."""


class Refused(RuntimeError):
    """An answer that the measurement did not expect."""


@dataclass
class Reply:
    status: int
    head: bytes
    body: bytes

    def header(self, name: str) -> str:
        """The value of a header; empty where it is absent."""
        for line in self.head.split(b"\r\n"):
            key, _, value = line.partition(b":")
            if key.lower() == name.encode():
                return value.strip().decode()
        return ""


class Line:
    """One keep-alive connection."""

    def __init__(self, port: int) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._read = b""

    def send(self, request: bytes) -> None:
        self._socket.sendall(request)

    def receive(self) -> Reply:
        while (end := self._read.find(b"\r\n\r\n")) < 0:
            self._fill()
        head = self._read[:end]
        reply = Reply(int(head[9:12]), head, b"")
        size = int(reply.header("content-length") or 0)
        while len(self._read) < end + 4 + size:
            self._fill()
        reply.body = self._read[end + 4 : end + 4 + size]
        self._read = self._read[end + 4 + size :]
        return reply

    def ask(self, request: bytes) -> Reply:
        self.send(request)
        return self.receive()

    def _fill(self) -> None:
        more = self._socket.recv(1 << 18)
        if not more:
            raise Refused("the server closed the connection")
        self._read += more

    def close(self) -> None:
        self._socket.close()


def request(path: str, headers: Mapping[str, str] = {}, *, method: str = "GET", body: bytes = b"") -> bytes:
    """The bytes of a request."""
    lines = [f"{method} {path} HTTP/1.1", "Host: localhost", *(f"{name}: {value}" for name, value in headers.items())]
    if body:
        lines += ["Content-Type: application/json", f"Content-Length: {len(body)}"]
    return "\r\n".join((*lines, "", "")).encode() + body


def load(lines: Sequence[Line], requests: Sequence[bytes], count: int, status: int) -> None:
    """Send `count` requests, going round; every answer must have that status."""
    done = 0
    while done < count:
        batch = lines[: min(len(lines), count - done)]
        for at, line in enumerate(batch):
            line.send(requests[(done + at) % len(requests)])
        for line in batch:
            reply = line.receive()
            if reply.status != status:
                raise Refused(f"{reply.status} instead of {status}: {reply.body[:300]!r}")
        done += len(batch)


class Process:
    """A child process whose CPU time and memory are read from outside."""

    def __init__(
        self, command: Sequence[str], environment: Mapping[str, str], port: int = 0, *, python: str = sys.executable
    ) -> None:
        self.port = port
        self.started = time.perf_counter()
        self._child = subprocess.Popen(
            [python, "-m", *command], env={**os.environ, **environment}, stdout=subprocess.DEVNULL
        )
        # Linux gives every process a clock of the CPU time that all its threads used, in nanoseconds.
        self._clock = (~self._child.pid << 3) | 2

    @property
    def pid(self) -> int:
        return self._child.pid

    def cpu(self) -> float:
        """Seconds of CPU time so far, user and system, of all threads."""
        return time.clock_gettime(self._clock)

    def memory(self) -> float:
        """Resident MiB."""
        for line in Path(f"/proc/{self._child.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
        raise Refused("the process has ended")

    def line(self) -> Line:
        """A connection, as soon as the server listens."""
        until = time.monotonic() + PATIENCE
        while True:
            try:
                return Line(self.port)
            except ConnectionRefusedError:
                if self._child.poll() is not None or time.monotonic() > until:
                    raise Refused("the server does not listen") from None
                time.sleep(0.002)

    def lines(self, count: int = IN_FLIGHT) -> list[Line]:
        return [self.line() for _ in range(count)]

    def settle(self) -> None:
        """Wait until it has nothing to do any more."""
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            before = self.cpu()
            time.sleep(0.3)
            if self.cpu() - before < 0.006:
                return

    def end(self) -> None:
        self._child.send_signal(signal.SIGTERM)
        try:
            self._child.wait(30)
        except subprocess.TimeoutExpired:
            self._child.kill()
            self._child.wait()


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
