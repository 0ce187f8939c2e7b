"""`octavo preview` as a process, and what it tells browsers."""

from __future__ import annotations

import json
import subprocess
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.processes import ENVIRONMENT, OCTAVO

LINKS = "/~octavo/preview/links"
EVENTS = "/~octavo/preview/events"


@dataclass
class Preview:
    """A preview that runs."""

    site: str
    """The address of the site, with a slash at its end."""
    base: str
    process: subprocess.Popen[str]
    told: list[str] = field(default_factory=list)
    """The lines of its standard error."""

    def page(self, path: str = "", method: str = "GET") -> tuple[str, str]:
        """(what stands there, the name of its bytes), as a browser asks."""
        request = urllib.request.Request(self.site + path, headers={"accept": "text/html"}, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return answer.read().decode(), answer.headers["x-octavo-page"]

    def links(self) -> str:
        with urllib.request.urlopen(self.base + LINKS, timeout=30) as answer:
            text: str = answer.read().decode()
        return text

    @contextmanager
    def news(self) -> Iterator[Iterator[dict[str, Any]]]:
        """What browsers are told from now on; the first is how things are."""
        with urllib.request.urlopen(self.base + EVENTS, timeout=60) as stream:
            yield (json.loads(line[6:]) for line in stream if line.startswith(b"data: "))


@contextmanager
def previewing(source: Path, *options: str, **environment: str) -> Iterator[Preview]:
    """A preview on a port of the system's choice, from when it is there; it has to end in order."""
    process = subprocess.Popen(
        [*OCTAVO, "preview", str(source), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=ENVIRONMENT | environment | {"PYTHONUNBUFFERED": "1", "OCTAVO_LOG_LEVEL": "error"},
    )
    told: list[str] = []
    assert process.stdout is not None
    assert process.stderr is not None
    reading = threading.Thread(target=lambda: told.extend(process.stderr or ()), daemon=True)
    reading.start()
    try:
        site = next((line.split()[1] for line in process.stdout if line.strip().startswith("Site ")), None)
        assert site is not None, told
        yield Preview(site, site.split("/sites/")[0], process, told)
        process.terminate()
        assert process.wait(30) == 0
    finally:
        process.kill()
        process.wait(20)
        reading.join(20)
        process.stdout.close()
        process.stderr.close()
