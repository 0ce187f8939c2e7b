"""A tab of Chromium as a reader has it, with pages that are made ahead of a click; most drivers of browsers switch that off.

Chromium is told what to do by a pipe, in its own protocol. It makes pages ahead only for who is attached to the tab as a
whole: then the page that is seen and the one that waits are two targets of it.
"""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from typing import Any

_PATIENCE = 30.0
_PIPES = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(one), fcntl.F_DUPFD, 10) for one in sys.argv[1:3]]
for number, end in enumerate(ends, 3):
    os.dup2(end, number)
os.execvp(sys.argv[3], sys.argv[3:])
"""
"""Becomes a program that finds the ends of two pipes as its files 3 and 4."""
_PLACE = """
(() => {
  const it = document.querySelector(%s);
  it.scrollIntoView({ block: "center", behavior: "instant" });
  const box = it.getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
})()
"""


class Tab:
    """A browser with one tab and a fresh profile, until it is closed."""

    def __init__(self, program: str, flags: Sequence[str], width: int = 1280, height: int = 900) -> None:
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        hears, self._says = os.pipe()
        self._hears, says = os.pipe()
        command = [program, *flags, "--headless", "--remote-debugging-pipe", f"--user-data-dir={self._profile.name}"]
        command += [f"--window-size={width},{height}", "about:blank"]
        started = [sys.executable, "-c", _PIPES, str(hears), str(says), *command]
        null = subprocess.DEVNULL
        self._process = subprocess.Popen(started, pass_fds=(hears, says), stdout=null, stderr=null)
        os.close(hears)
        os.close(says)
        self._rest = b""
        self._number = 0
        self._pages: dict[str, dict[str, Any]] = {}
        """By session, what the tab holds: pages that are seen or wait, frames are left out."""
        self._gone: set[str | None] = set()
        """Sessions that nothing answers in any more."""
        self.events: list[dict[str, Any]] = []
        """Whatever the browser told meanwhile of domains that were enabled."""
        targets = self.send("Target.getTargets", filter=[{"type": "tab"}])["targetInfos"]
        self._tab = self.send("Target.attachToTarget", targetId=targets[0]["targetId"], flatten=True)["sessionId"]
        self.send("Target.setAutoAttach", self._tab, autoAttach=True, waitForDebuggerOnStart=False, flatten=True)
        self.until(lambda: self._seen() is not None)

    def close(self) -> None:
        """End the browser."""
        self._process.terminate()
        self._process.wait(_PATIENCE)
        os.close(self._says)
        os.close(self._hears)
        self._profile.cleanup()

    def send(self, method: str, session: str | None = None, **values: Any) -> Any:
        """What the browser answers to a command. Raises RuntimeError where it refuses, or where the page goes away."""
        self._number += 1
        number, told = self._number, {"id": self._number, "method": method, "params": values}
        os.write(self._says, json.dumps(told | ({"sessionId": session} if session else {})).encode() + b"\0")
        ends = time.monotonic() + _PATIENCE
        while time.monotonic() < ends:
            for said in self._read(0.05):
                if said.get("id") == number:
                    if "error" in said:
                        raise RuntimeError(f"{method}: {said['error']['message']}")
                    return said["result"]
            if session in self._gone:
                raise RuntimeError(f"{method}: the page went away meanwhile")
        raise TimeoutError(f"{method} was not answered")

    def evaluate(self, script: str) -> Any:
        """The value of an expression, or of a promise, in the page that is seen."""
        said = self.send("Runtime.evaluate", self._seen(), expression=script, returnByValue=True, awaitPromise=True)
        if "exceptionDetails" in said:
            raise RuntimeError(str(said["exceptionDetails"]))
        return said["result"].get("value")

    def waiting(self) -> list[str]:
        """The addresses of pages that were made ahead and are not seen yet."""
        ahead = [key for key, info in self._pages.items() if info.get("subtype") == "prerender"]
        asked = {"expression": "location.href", "returnByValue": True}
        return [str(self.send("Runtime.evaluate", key, **asked)["result"].get("value")) for key in ahead]

    def goto(self, url: str) -> None:
        """Open an address, until its page is loaded and rests for a moment."""
        self.send("Page.navigate", self._seen(), url=url)
        self.until(lambda: self.evaluate("document.readyState === 'complete' && location.href !== 'about:blank'"))
        self.rest(0.5)

    def rest(self, seconds: float) -> None:
        """Let time go by."""
        ends = time.monotonic() + seconds
        while (left := ends - time.monotonic()) > 0:
            self._read(left)

    def point(self, selector: str) -> tuple[float, float]:
        """Move the pointer over an element; where that is."""
        x, y = self.evaluate(_PLACE % json.dumps(selector))
        self._mouse("mouseMoved", x, y)
        return x, y

    def press(self, x: float, y: float) -> None:
        """A click."""
        for what in ("mousePressed", "mouseReleased"):
            self._mouse(what, x, y, button="left", clickCount=1)

    def until(self, holds: Callable[[], Any], seconds: float = _PATIENCE) -> Any:
        """What is true at last; pages that go away meanwhile are no mistake. Raises TimeoutError."""
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            try:
                if found := holds():
                    return found
            except RuntimeError:
                pass
            self._read(0.005)
        raise TimeoutError("it did not come true")

    def _mouse(self, what: str, x: float, y: float, **more: Any) -> None:
        self.send("Input.dispatchMouseEvent", self._seen(), type=what, x=x, y=y, **more)

    def _seen(self) -> str | None:
        """The session of the page that is seen."""
        return next((key for key, info in self._pages.items() if info.get("subtype") != "prerender"), None)

    def _read(self, seconds: float) -> list[dict[str, Any]]:
        ready, _, _ = select.select([self._hears], [], [], max(0.0, seconds))
        if not ready:
            return []
        *whole, self._rest = (self._rest + os.read(self._hears, 1 << 20)).split(b"\0")
        said = [json.loads(one) for one in whole]
        for one in said:
            self._heard(one)
        return said

    def _heard(self, said: dict[str, Any]) -> None:
        method, values = said.get("method"), said.get("params", {})
        if method == "Target.attachedToTarget":
            if values["targetInfo"]["type"] == "page":
                self._pages[values["sessionId"]] = values["targetInfo"]
        elif method == "Target.detachedFromTarget":
            self._pages.pop(values["sessionId"], None)
            self._gone.add(values["sessionId"])
        elif method == "Target.targetInfoChanged":
            for key, info in self._pages.items():
                if info["targetId"] == values["targetInfo"]["targetId"]:
                    self._pages[key] = values["targetInfo"]
        elif method is not None:
            self.events.append(said)
