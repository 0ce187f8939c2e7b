"""Octavo as other tools use it: real processes, on ports chosen by the system."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from octavo.cli import main
from tests.children import command

OCTAVO = [sys.executable, "-m", "octavo.cli"]
ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("OCTAVO_")}


def ran(*words: str | Path, typed: str = "", **environment: str) -> subprocess.CompletedProcess[str]:
    """What a command answered, in a process of its own, whose settings are those that are named."""
    told, every = [str(word) for word in words], ENVIRONMENT | environment
    if "PYTHONPATH" in environment:  # it says what can be imported: nothing may be there already
        return subprocess.run([*OCTAVO, *told], input=typed, capture_output=True, text=True, timeout=120, env=every)
    return command(told, every, typed, 120)


def octavo(*words: str | Path, fails: bool = False, **environment: str) -> Any:
    """Run a command; its result, or with `fails` what it said."""
    done = ran(*words, **environment)
    if fails:
        assert done.returncode != 0
        assert "Traceback" not in done.stderr
        return done.stderr
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def invoked(*words: str | Path, typed: str | None = None, **environment: str) -> Result:
    """Run a command in this process, which is quicker, and leave the process as it was; `typed` is its standard input."""
    umask = os.umask(0o022)
    root = logging.getLogger()
    handlers, levels = root.handlers[:], (root.level, logging.getLogger("octavo").level)
    try:
        return CliRunner().invoke(main, list(map(str, words)), input=typed, env=environment)
    finally:
        os.umask(umask)
        root.handlers[:] = handlers
        root.setLevel(levels[0])
        logging.getLogger("octavo").setLevel(levels[1])


def bootstrap(data: Path, **environment: str) -> Any:
    """An installation with an organization and its admin; variables may say which database it has."""
    words = ("--email", "Ada@Example.test", "--name", "Ada", "--organization", "Acme")
    return octavo("bootstrap", "--data", data, *words, **environment)


@contextmanager
def serving(
    data: Path, *options: str, stderr: int | None = None, **environment: str
) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """A server on a port chosen by the system, and its address."""
    process = subprocess.Popen(
        [*OCTAVO, "serve", "--data", str(data), "--port", "0", *options],
        stdout=subprocess.PIPE,
        stderr=stderr,
        text=True,
        env=ENVIRONMENT | environment | {"PYTHONUNBUFFERED": "1"},
    )
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("Octavo serves http://"), line
        yield process, line.split()[-1].replace("localhost", "127.0.0.1")
    finally:
        if process.poll() is None:
            process.kill()
        process.wait(20)
        if process.stdout is not None:
            process.stdout.close()


def get(url: str, token: str | None = None) -> tuple[int, bytes]:
    request = urllib.request.Request(url, headers={"authorization": f"Bearer {token}"} if token else {})
    try:
        with urllib.request.urlopen(request, timeout=20) as reply:
            return reply.status, reply.read()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read()


def send(url: str, token: str, body: Any = None, method: str = "POST") -> tuple[int, Any]:
    """A request with a JSON body; its status and the JSON that it answers."""
    headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
    request = urllib.request.Request(url, json.dumps(body or {}).encode(), headers, method=method)
    try:
        with urllib.request.urlopen(request, timeout=60) as reply:
            return reply.status, json.loads(reply.read() or b"null")
    except urllib.error.HTTPError as error:
        with error:
            return error.code, json.loads(error.read() or b"null")
