"""The doctor: what is well, what is not, and what is to be done about it."""

from __future__ import annotations

import asyncio
import json
import socket
from pathlib import Path
from typing import Any

import pytest

from octavo.jobs.installation import checks, services
from octavo.jobs.installation.arriving import judged
from octavo.kernel.errors import Failure
from octavo.kernel.settings import load
from octavo.store.content.blobs import Blobs
from tests import nameserver
from tests.processes import bootstrap, octavo, ran, serving


def _examined(data: Path, code: int, **environment: str) -> dict[str, dict[str, Any]]:
    """Each check by its name; the worst of several."""
    done = ran("doctor", "--data", data, **environment)
    assert "Traceback" not in done.stderr
    assert done.returncode == code, done.stdout + done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    order = ("ok", "off", "warning", "failure")
    found = sorted(told["checks"], key=lambda one: order.index(one["state"]))
    for one in found:
        assert one["said"] in done.stdout
        assert bool(one["todo"]) or one["state"] == "ok"
    return {one["check"]: one for one in found}


def test_it_finds_what_is_not_well_and_is_content_with_what_is(tmp_path: Path) -> None:
    data = tmp_path / "data"
    assert _examined(data, 1)["database"]["todo"].startswith("start `octavo serve`")
    assert not data.exists(), "it makes nothing"
    bootstrap(data)
    well = _examined(data, 0)
    assert {name for name, one in well.items() if one["state"] == "ok"} >= {
        "database",
        "storage",
        "jobs",
        "permissions",
        "secrets",
    }
    assert well["mail"]["state"] == "off"
    assert well["dns"]["said"] == "OCTAVO_BASE_URL is not set"
    assert [*(data / "blobs").rglob("doctor-*")] == []
    (data / "octavo.db").chmod(0o644)
    with socket.create_server(("127.0.0.1", 0)) as closed:
        port = str(closed.getsockname()[1])
    ill = _examined(
        data, 1, OCTAVO_SMTP_HOST="127.0.0.1", OCTAVO_SMTP_PORT=port, OCTAVO_MAIL_FROM="docs@example.test",
        OCTAVO_BASE_URL=f"http://127.0.0.1:{port}", OCTAVO_RENDERER_URL="http://r.test", OCTAVO_RENDERER_SECRET="word",
        OCTAVO_SITE_DOMAIN="sites.invalid",
    )  # fmt: skip
    states = {name: one["state"] for name, one in ill.items()}
    assert states["permissions"] == states["mail"] == "failure"
    assert states["dns"] == states["secrets"] == states["proxy"] == "warning"
    assert "*.sites.invalid" in ill["dns"]["todo"]


def test_it_asks_what_an_operator_has_set(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Services, programs and files: each that is not there is a failure, and says which setting named it."""
    with socket.create_server(("127.0.0.1", 0)) as closed:
        away = f"http://127.0.0.1:{closed.getsockname()[1]}"
    wrong = load(
        {}, data=tmp_path, insights_countries="/no/file", insights_clickhouse=f"{away}/octavo", deno="/no/deno",
        oidc_issuer=away, oidc_client_id="octavo", allow_private_addresses=True, mail_templates=tmp_path / "none",
    )  # fmt: skip
    found = [*asyncio.run(services.findings(wrong)), asyncio.run(checks._mail(wrong))]
    assert {one.state for one in found} == {"failure"}
    said = [one.said + one.todo for one in found]
    words = ("INSIGHTS_COUNTRIES", "INSIGHTS_CLICKHOUSE", "OIDC_ISSUER", "DENO", "MAIL_TEMPLATES")
    assert len(said) == len(words)
    for word, sentence in zip(words, said, strict=True):
        assert f"OCTAVO_{word}" in sentence
    assert asyncio.run(services.findings(load({}, data=tmp_path))) == []
    for variable in ("AWS_ENDPOINT", "AWS_ENDPOINT_URL"):
        monkeypatch.setenv(variable, "files.example.com")
        with pytest.raises(Failure, match=f"{variable} must begin with http"):
            Blobs.at("s3://octavo-files")
        monkeypatch.delenv(variable)


def test_it_asks_the_server_how_requests_arrive(tmp_path: Path) -> None:
    bootstrap(tmp_path)
    with serving(tmp_path) as (_, base):
        assert _examined(tmp_path, 0, OCTAVO_BASE_URL=base)["proxy"]["state"] == "ok"
        other = f"http://localhost:{base.rpartition(':')[2]}"
        assert (
            "trusted"
            in _examined(tmp_path, 0, OCTAVO_BASE_URL=other, OCTAVO_TRUSTED_PROXIES="127.0.0.1")["proxy"][
                "said"
            ].lower()
        )
        foreign = _examined(tmp_path, 1, OCTAVO_BASE_URL=base, OCTAVO_SECRET="another secret of thirty-two characters")
        assert foreign["proxy"]["state"] == "failure", "nobody else is told how requests arrive"


@pytest.mark.parametrize(
    ("host", "forwarded", "believed", "state", "todo"),
    [
        ("docs.test:443", "1.2.3.4", True, "ok", ""),
        ("octavo:8000", None, False, "failure", "Host"),
        ("docs.test", "1.2.3.4", False, "warning", "OCTAVO_TRUSTED_PROXIES=10.0.0.2"),
    ],
)
def test_a_proxy_is_judged_by_what_it_says(
    host: str, forwarded: str | None, believed: bool, state: str, todo: str
) -> None:
    seen = {"host": host, "peer": "10.0.0.2", "forwarded": forwarded, "believed": believed}
    found = judged({"status": "ok", "seen": seen}, load({}, base_url="https://docs.test"))
    assert found.state == state
    assert todo in found.todo


def test_lists_of_sites_and_jobs_and_what_is_set(tmp_path: Path) -> None:
    data, pages = tmp_path / "data", tmp_path / "pages"
    made = bootstrap(data)
    pages.mkdir()
    (pages / "README.md").write_text("# Terns\n")
    imported = octavo(
        "import", pages, "--data", data, "--organization", made["organization"], "--publish", "--title", "Terns"
    )
    [site] = octavo("site", "list", "--data", data, OCTAVO_BASE_URL="https://docs.test/")["sites"]
    assert (site["id"], site["title"], site["url"]) == (imported["site"], "Terns", "https://docs.test/sites/terns/")
    assert (
        octavo("site", "list", "--data", data, "--organization", made["organization"])["sites"][0]["id"] == site["id"]
    )
    assert "'nobody'" in octavo("site", "list", "--data", data, "--organization", "nobody", fails=True)
    done = octavo("job", "list", "--data", data, "--state", "done")
    assert {one["state"] for one in done["jobs"]} <= {"done"}
    listed = octavo("job", "list", "--data", data, "--limit", "1")
    assert len(listed["jobs"]) <= 1
    assert sum(sum(one.values()) for one in listed["counts"].values()) >= len(listed["jobs"])
    file = tmp_path / "octavo.toml"
    file.write_text('site_domain = "docs.test"\nsecret = "a secret of more than thirty-two characters"\n')
    told = octavo(
        "config", "--data", data, OCTAVO_CONFIG=str(file), OCTAVO_GIT_TIMEOUT="3",
        OCTAVO_INSIGHTS_CLICKHOUSE="http://user:word@clickhouse.test/octavo",
    )  # fmt: skip
    assert "a secret of more" not in json.dumps(told)
    found = {one["name"]: (one["value"], one["from"]) for one in told["settings"]}
    assert found["OCTAVO_SECRET"] == ("(hidden)", str(file))
    assert found["OCTAVO_SITE_DOMAIN"] == ("docs.test", str(file))
    assert found["OCTAVO_GIT_TIMEOUT"] == (3, "OCTAVO_GIT_TIMEOUT")
    assert found["OCTAVO_INSIGHTS_CLICKHOUSE"][0] == "http://user:(hidden)@clickhouse.test/octavo"
    assert found["OCTAVO_DATA"] == (str(data), "option")
    assert found["OCTAVO_BODY_MAX"][1] == "default"
    file.write_text('site_domian = "docs.test"\n')
    for command in ("config", "doctor", "serve"):
        assert "site_domian" in octavo(command, "--data", data, fails=True, OCTAVO_CONFIG=str(file))
    file.write_bytes(b"\xff\xfe")
    assert "cannot be read" in octavo("config", "--data", data, fails=True, OCTAVO_CONFIG=str(file))


def test_names_are_asked_of_the_resolvers_that_are_set(tmp_path: Path) -> None:
    with nameserver.serving() as zone:
        told = load({}, data=tmp_path, base_url="https://docs.acme.test", site_domain="sites.test", dns=[zone.setting])
        none = asyncio.run(checks._names(told))
        assert (none[0].state, none[0].said) == ("failure", "docs.acme.test has no address")
        zone.records["docs.acme.test", "AAAA"] = ["2001:db8::7"]
        assert asyncio.run(checks._names(told))[0].said == "docs.acme.test is 2001:db8::7"
        zone.broken = True
        silent = asyncio.run(checks._names(told))
        assert [one.state for one in silent] == ["failure", "warning"]
        assert all("OCTAVO_DNS" in one.todo for one in silent)
