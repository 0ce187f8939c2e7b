"""What the tools that open a browser share: Octavo's own documentation, served; how Chromium is started; slow networks."""

from __future__ import annotations

import contextlib
import json
import shutil
import socket
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

ROOT = Path(__file__).parents[1]
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--font-render-hinting=none",  # letters as wide as on the screens of people, with a window or without
)  # fmt: skip


def chromium() -> str:
    """The path of the browser; ends the program where there is none."""
    found = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "chromium-headless-shell"))), None)
    if found is None:
        sys.exit("No Chromium is installed.")
    return found


@contextlib.contextmanager
def previewed(source: Path = ROOT / "docs") -> Iterator[str]:
    """`octavo preview` of a directory, with data of its own; yields the site's address, with a slash at its end."""
    octavo = str(Path(sys.executable).with_name("octavo"))
    with tempfile.TemporaryDirectory() as data:
        command = [octavo, "preview", str(source), "--data", data, "--port", "0", "--title", "Octavo documentation"]
        command += ["--openapi", f"octavo={ROOT / 'src' / 'octavo' / 'api' / 'static' / 'openapi.json'}"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                site = next((line.split()[1] for line in server.stdout if line.strip().startswith("Site ")), None)
                if site is None:
                    sys.exit("The preview did not start.")
                with urllib.request.urlopen(site):
                    pass
                yield site
            finally:
                server.terminate()
                server.wait(30)


@contextlib.contextmanager
def visited(source: Path = ROOT / "docs") -> Iterator[str]:
    """A directory as a published site of a server, as visitors meet it; yields its address, with a slash at its end."""
    octavo = str(Path(sys.executable).with_name("octavo"))
    with tempfile.TemporaryDirectory() as data:

        def told(*words: str) -> dict[str, str]:
            done = subprocess.run([octavo, *words, "--data", data], check=True, capture_output=True, text=True)
            answer: dict[str, str] = json.loads(done.stdout.splitlines()[-1])
            return answer

        admin = told("bootstrap", "--email", "ada@example.org", "--name", "Ada", "--organization", "Documentation")
        made = told("import", str(source), "--organization", admin["organization"], "--title", "Docs", "--publish")
        command = [octavo, "serve", "--data", data, "--port", "0"]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
            try:
                assert server.stdout is not None
                yield f"{server.stdout.readline().split()[-1]}/{made['url'].split('/', 3)[3]}"
            finally:
                server.terminate()
                server.wait(30)


class Way:
    """What lies between a browser and a server."""

    delay = 0.0
    """Seconds that everything a browser sends takes longer."""


@contextlib.contextmanager
def slowed(address: str) -> Iterator[tuple[Way, str]]:
    """A way to a server that may be made slow, and the address there: it holds for whatever a browser asks, also ahead."""
    parts, way = urlsplit(address), Way()

    class Passing(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            with socket.create_connection((parts.hostname or "", parts.port or 80)) as server:
                back = threading.Thread(target=_passed, args=(server, self.request, None), daemon=True)
                back.start()
                _passed(self.request, server, way)
                back.join()

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

    with Server(("localhost", 0), Passing) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield way, address.replace(f":{parts.port}", f":{server.server_address[1]}", 1)
        finally:
            server.shutdown()


def _passed(source: socket.socket, target: socket.socket, way: Way | None) -> None:
    """All bytes from one end to the other, each as late as the way wants."""
    with contextlib.suppress(OSError):
        while data := source.recv(1 << 16):
            if way is not None and way.delay:
                time.sleep(way.delay)
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
