"""Signing in with an identity provider that others wrote: samlify, run by node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest

from octavo.kernel.ids import new_id
from tests.client import World
from tests.sso.idp import Trust, key, trust
from tests.sso.test_signing_in import member, unique

SOURCE = Path(__file__).parent / "samlify"


@pytest.fixture(scope="session")
def samlify(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script with its libraries, as the lock file names them."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: samlify cannot be the identity provider")
    folder = tmp_path_factory.mktemp("samlify")
    for name in ("package.json", "package-lock.json", "idp.cjs"):
        shutil.copy(SOURCE / name, folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not install samlify within two minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install samlify here: {done.stderr[-300:]}")
    return folder


def answered(samlify: Path, acme: Trust, address: str, email: str, *, whole: bool) -> dict[str, str]:
    """What samlify makes of a request that a browser brings, given Octavo's own metadata."""
    metadata = acme.world.api.get(urlsplit(acme.service["entityID"]).path, token="").text
    given: dict[str, Any] = {
        "metadata": metadata,
        "query": {name: values[0] for name, values in parse_qs(urlsplit(address).query).items()},
        "entity": acme.entity,
        "sso": acme.provider["ssoURL"],
        "key": key().secret.decode(),
        "certificate": key().certificate,
        "email": email,
        "id": new_id(),
        "whole": whole,
    }
    done = subprocess.run(
        ["node", "idp.cjs"], cwd=samlify, input=json.dumps(given), capture_output=True, text=True, timeout=120
    )
    assert done.returncode == 0, done.stderr
    made: dict[str, str] = json.loads(done.stdout)
    return made


@pytest.mark.parametrize("whole", [False, True], ids=["assertion signed", "answer signed too"])
def test_samlify_signs_somebody_in(samlify: Path, world: World, whole: bool) -> None:
    acme = trust(world)
    _, email = unique()
    browser = acme.browser()
    made = answered(samlify, acme, browser.start().address, email, whole=whole)
    assert (made["to"], made["issuer"]) == (acme.service["acsURL"], acme.service["entityID"])
    assert browser.arrive(made["SAMLResponse"]).status == 303
    assert member(world, email) is not None
    assert browser.post(made["SAMLResponse"]).status == 403


def test_samlify_with_another_key_signs_nobody_in(samlify: Path, world: World) -> None:
    acme = trust(world, certificate=key("second").certificate)
    _, email = unique()
    browser = acme.browser()
    made = answered(samlify, acme, browser.start().address, email, whole=False)
    assert 'data-reason="signature"' in browser.post(made["SAMLResponse"]).text
    assert member(world, email) is None
