"""Signing in with a certified provider that others wrote: oidc-provider, run by node."""

from __future__ import annotations

import asyncio
import http.cookiejar
import json
import re
import shutil
import subprocess
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path
from typing import Any

import pytest

from octavo.kernel.ids import new_id
from octavo.store.database.engine import Engine
from tests.client import World
from tests.conftest import opened_world
from tests.console.browsing import Browser, browser

SOURCE = Path(__file__).parent / "provider"


@pytest.fixture(scope="session")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The script with its libraries, as the lock file names them."""
    for program in ("node", "npm"):
        if shutil.which(program) is None:
            pytest.skip(f"{program} is not installed: there is no provider")
    folder = tmp_path_factory.mktemp("provider")
    for file in SOURCE.iterdir():
        shutil.copy(file, folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120)
    except subprocess.TimeoutExpired:
        pytest.skip("npm did not install oidc-provider within two minutes")
    if done.returncode != 0:
        pytest.skip(f"npm cannot install oidc-provider here: {done.stderr[-300:]}")
    return folder


class _Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


def _walk(address: str, ends: str) -> str:
    """What a browser does at the provider: sign in, consent, and go where it is sent, until that is ours."""
    jar = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
    opener = urllib.request.build_opener(jar, _Stay())
    form: dict[str, str] | None = None
    for _ in range(12):
        data = None if form is None else urllib.parse.urlencode(form).encode()
        try:
            with opener.open(address, data, timeout=20) as reply:
                page = reply.read().decode()
                found = re.search(r'action="([^"]+)"', page)
                assert found is not None, page[:500]
                prompt = re.search(r'name="prompt" value="(\w+)"', page)
                form = {"prompt": prompt[1] if prompt else "login", "login": "ada", "password": "any"}
                address = urllib.parse.urljoin(address, found[1])
        except urllib.error.HTTPError as error:
            with error:
                address, form = urllib.parse.urljoin(address, error.headers["location"]), None
        if address.startswith(ends):
            return address.removeprefix("http://octavo.test")
    raise AssertionError(f"the provider goes round: {address}")


@pytest.mark.parametrize(
    ("algorithm", "conform"), [("RS256", False), ("RS256", True)], ids=["in the token", "asked for"]
)
def test_people_sign_in_with_a_certified_provider(
    algorithm: str, conform: bool, installed: Path, engine: Engine, clock: Any, memory_folder: Path,
    loop: asyncio.AbstractEventLoop,
) -> None:  # fmt: skip
    with opened_world(engine, clock, memory_folder, loop, allow_private_addresses=True) as world:
        made = world.api.post(f"/v1/orgs/{world.organization}/oidc", {"label": "Acme"}).json
        email = f"ada-{new_id().lower().replace('_', 'x').replace('-', 'y')}@acme.test"
        world.run(
            world.house.store.write(lambda unit: unit.people.verify_domain(world.organization, "acme.test", unit.now))
        )
        given = {
            "redirect": made["service"]["redirectURL"], "back": made["service"]["signOutURL"], "secret": "a:b %c",
            "email": email, "algorithm": algorithm, "conform": conform,
        }  # fmt: skip
        process = subprocess.Popen(
            ["node", "provider.mjs", json.dumps(given)],
            cwd=installed,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        try:
            assert process.stdout is not None
            issuer = next(line for line in process.stdout if line.startswith("http")).strip()
            base = f"/v1/orgs/{world.organization}/oidc/{made['id']}"
            settings = {
                "issuer": issuer,
                "clientID": "octavo",
                "clientSecret": "a:b %c",
                "roles": {"writers": "review"},
            }
            assert world.api.patch(base, settings).json["status"] == "active"
            one = browser(world)
            _signs_in(world, one, made["id"], given["redirect"], email)
            one.get("/logout")
            page = one.get(one.post("/logout").headers["location"]).text
            assert f"{issuer}/session/end?client_id=octavo" in page
        finally:
            process.terminate()
            process.wait(20)
            process.stdout.close()  # type: ignore[union-attr]


def _signs_in(world: World, one: Browser, provider: str, redirect: str, email: str) -> None:
    sent = one.get(f"/sso/oidc/{provider}/start")
    assert sent.status == 302, sent.text
    reply = one.get(_walk(sent.headers["location"], redirect))
    assert reply.status == 303, reply.text
    assert one.signed_in
    members = world.api.get(f"/v1/orgs/{world.organization}/members").json["items"]
    assert {one["user"]["email"]: one["role"] for one in members}[email] == "review"
