"""The command line `@gitbook/cli` publishes an integration, shows what it was told, and unpublishes it."""

from __future__ import annotations

import json
import signal
import time
from typing import Any

import pytest

from tests.resources.integrations.building import png
from tests.resources.terminal import Terminal

_NAME = "page-counter"
_MANIFEST = """\
name: page-counter
title: Page counter
description: Counts the views of pages
organization: {organization}
visibility: private
script: src/index.js
icon: icon.png
scopes:
  - space:content:read
secrets:
  KEY: open sesame
configurations:
  account:
    properties:
      limit:
        type: number
        title: Limit
        default: 3
"""
_SCRIPT = "export default { async fetch(request, event) { return new Response('Counted'); } };"


@pytest.fixture
def project(terminal: Terminal) -> Terminal:
    """A terminal in the folder of an integration."""
    (terminal.folder / "src").mkdir()
    (terminal.folder / "src" / "index.js").write_text(_SCRIPT)
    (terminal.folder / "icon.png").write_bytes(png(64))
    (terminal.folder / "gitbook-manifest.yaml").write_text(_MANIFEST.format(organization=terminal.organization))
    return terminal


def _known(project: Terminal) -> dict[str, Any]:
    status, body = project.asked(f"/integrations/{_NAME}")
    assert status == 200, body
    found: dict[str, Any] = json.loads(body)
    return found


def test_it_says_who_is_logged_in(terminal: Terminal) -> None:
    said = terminal.run("whoami")
    assert "Ada" in said
    assert json.loads(terminal.asked("/user")[1])["id"] in said


def test_it_publishes_a_version_and_another_and_unpublishes(project: Terminal) -> None:
    assert f'"{_NAME}" published' in project.run("publish")
    first = _known(project)
    assert (first["title"], first["version"], first["visibility"], first["scopes"]) == (
        "Page counter", 1, "private", ["space:content:read"]
    )  # fmt: skip
    assert first["configurations"]["account"]["properties"]["limit"]["default"] == 3
    assert "open sesame" not in json.dumps(first)
    said = project.run("publish")
    assert first["urls"]["app"] in said
    assert _known(project)["version"] == 2
    project.run("unpublish", _NAME, typed="n")
    assert _known(project)["version"] == 2
    assert f'"{_NAME}" has been deleted' in project.run("unpublish", _NAME, typed="y")
    assert project.asked(f"/integrations/{_NAME}")[0] == 404


def test_it_shows_what_the_integration_was_told(project: Terminal) -> None:
    project.run("publish")
    status, _ = project.sent(f"/integrations/{_NAME}/installations", {"organization": project.organization})
    assert status == 201
    deadline = time.monotonic() + 30
    while not (told := json.loads(project.asked(f"/integrations/{_NAME}/events")[1])["items"]):
        assert time.monotonic() < deadline
    with project.running("tail") as process:
        assert process.stdout is not None
        said = [next(line for line in process.stdout if line.strip()), process.stdout.readline()]
        process.send_signal(signal.SIGINT)
        assert process.wait(20) == 0
    assert said[0].startswith("[failed][20")
    assert json.loads(said[0].partition("] ")[2])["eventId"] == told[0]["id"]
    assert said[1] == "[error] nothing runs scripts in this installation\n"
