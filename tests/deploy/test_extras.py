"""An installation without extras: it serves, and says of what it lacks what brings it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.extras import EXTRAS
from octavo.publish.building import PDF
from tests.deploy.conftest import ROOT
from tests.processes import get, octavo, ran, send, serving

MISSING = sorted({module.partition(".")[0] for extra in EXTRAS.values() for module in extra.modules})


def _declared(name: str) -> set[str]:
    lines = (ROOT / "requirements" / f"{name}.in").read_text().splitlines()
    return {re.split(r"[<>=~!;\[ ]", line)[0].lower() for line in lines if line and not line.startswith(("-", "#"))}


def test_every_library_of_an_extra_is_looked_for_and_no_other() -> None:
    owners = packages_distributions()
    for name, extra in EXTRAS.items():
        brought = {owner.lower() for module in extra.modules for owner in owners[module.partition(".")[0]]}
        assert brought - {"scim2-models"} == _declared(name), name
        assert not _declared(name) & _declared("runtime"), name


@pytest.fixture
def lean(tmp_path: Path) -> dict[str, str]:
    """Variables with which a process, and each of its children, cannot import what extras bring."""
    place = tmp_path / "lean"
    place.mkdir()
    (place / "sitecustomize.py").write_text(f"import sys\nsys.modules |= dict.fromkeys({MISSING})\n")
    return {"PYTHONPATH": str(place)}


@pytest.fixture
def served(lean: dict[str, str], tmp_path: Path) -> Iterator[tuple[str, dict[str, Any], Path]]:
    """Address and first organization of a server that has no extras, and its data."""
    data = tmp_path / "data"
    words = ("--email", "ada@example.test", "--name", "Ada", "--organization", "Acme")
    made = octavo("bootstrap", "--data", data, *words, **lean)
    folder = tmp_path / "pages"
    folder.mkdir()
    (folder / "README.md").write_text("# Terns\n\nThey fly far.\n")
    imported = octavo("import", folder, "--data", data, "--organization", made["organization"], "--publish", **lean)
    with serving(data, **lean) as (_, address):
        yield address, made | {"imported": imported}, data


def _says(answer: tuple[int, Any], extra: str) -> None:
    status, body = answer
    assert status == 501, body
    assert f'pip install "octavo[{extra}]"' in (body if isinstance(body, str) else json.dumps(body)).replace('\\"', '"')


def test_it_serves_and_says_what_is_not_installed(
    served: tuple[str, dict[str, Any], Path], lean: dict[str, str]
) -> None:
    address, made, data = served
    token, organization, imported = made["token"], made["organization"], made["imported"]
    at = f"{address}/v1/orgs/{organization}/sites/{imported['site']}"
    home = address + imported["url"].removeprefix("http://localhost:8000")
    status, page = get(home)
    assert (status, b"They fly far." in page) == (200, True)
    for drawn in (b"og:image", b"apple-touch-icon", PDF.encode(), b"~octavo/insights"):
        assert drawn not in page
    assert b"<svg" in get(f"{address}/favicon.ico")[1]
    status, body = get(f"{address}/v1/spaces/{imported['space']}/pdf", token)
    _says((status, body.decode()), "pdf")
    status, body = get(f"{at}/insights/visitor-segments", token)
    _says((status, body.decode()), "insights")
    _says(send(f"{address}/v1/orgs/{organization}/saml", token, {"label": "Acme"}), "saml")
    _says(send(f"{address}/v1/orgs/{organization}/scim/tokens", token, {"label": "Acme"}), "scim")
    examined = ran("doctor", "--data", data, **lean)
    assert "off   extras: PDFs and drawn pictures: not installed; Insights: not installed;" in examined.stdout
    assert 'pip install "octavo[pdf,insights,saml,scim,postgres]"' in examined.stdout


def _extras(data: Path, environment: dict[str, str]) -> list[dict[str, Any]]:
    """What a doctor says of them."""
    examined = ran("doctor", "--data", data, **environment)
    assert "Traceback" not in examined.stderr
    return [one for one in json.loads(examined.stdout.splitlines()[-1])["checks"] if one["check"] == "extras"]


def test_a_doctor_warns_of_what_is_used_and_not_installed(lean: dict[str, str], tmp_path: Path) -> None:
    data = tmp_path / "data"
    made = octavo("bootstrap", "--data", data, "--email", "ada@example.test", "--name", "Ada", "--organization", "Acme")
    assert {one["state"] for one in _extras(data, lean)} == {"off"}
    with serving(data) as (_, address):
        org = f"{address}/v1/orgs/{made['organization']}"
        assert send(f"{org}/scim/tokens", made["token"], {"label": "Acme"})[0] == 201
        saml = {"label": "Acme", "ssoUrl": "https://idp.example.test/sso", "entityId": "https://idp.example.test"}
        status, said = send(f"{org}/saml", made["token"], saml)
        assert status == 201, said
    extras = {one["todo"]: one for one in _extras(data, lean)}
    for name, count in (("saml", "1 identity providers"), ("scim", "1 tokens")):
        found = extras[f'pip install "octavo[{name}]"']
        assert found["state"] == "warning"
        assert found["said"].startswith(count)
    assert {one["state"] for one in extras.values()} == {"warning", "off"}


def test_a_doctor_names_the_driver_that_is_missing(lean: dict[str, str], tmp_path: Path) -> None:
    told = _extras(tmp_path, lean | {"OCTAVO_DATABASE_URL": "postgresql://octavo@127.0.0.1/octavo"})
    assert told[0]["said"].startswith("OCTAVO_DATABASE_URL names a PostgreSQL database")


def test_what_is_set_but_not_installed_ends_the_start(lean: dict[str, str], tmp_path: Path) -> None:
    for extra, setting in (
        ("postgres", {"OCTAVO_DATABASE_URL": "postgresql://octavo@127.0.0.1/octavo"}),
        ("insights", {"OCTAVO_INSIGHTS_CLICKHOUSE": "http://127.0.0.1:8123/octavo"}),
    ):
        said = octavo("serve", "--data", tmp_path / extra, "--port", "0", fails=True, **lean, **setting)
        assert said.startswith("Error: "), said
        assert f'pip install "octavo[{extra}]"' in said
