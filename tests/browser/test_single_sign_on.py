"""From a domain that nobody has proven to a stranger who signs in: a record that is missing, told of and found; providers of
OpenID Connect and SAML set up, tried and used; a host of a site by the same records. One installation for all of it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests import nameserver
from tests.browser.conftest import _octavo, chromium, running, typed
from tests.browser.pages import Open, violations
from tests.browser.test_application import PASSWORD, _sign_in
from tests.processes import ran
from tests.sso import served, served_saml
from tests.sso.idp import key
from tests.sso.openid import CLIENT, SECRET, Provider

DOMAIN = "example.org"


@dataclass(frozen=True)
class House:
    """An installation that asks a name server and a provider of these tests."""

    base: str
    organization: str
    site: str
    data: Path
    zone: nameserver.Zone
    provider: Provider

    @property
    def manage(self) -> str:
        return f"{self.base}/app/o/{self.organization}/~"


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[House]:
    if chromium() is None:
        pytest.skip("no Chromium is installed")
    data, source = tmp_path_factory.mktemp("house"), tmp_path_factory.mktemp("source")
    (source / "README.md").write_text("# Mills\n\nWind turns them.\n")
    admin = _octavo(data, "bootstrap", "--email", "ada@example.org", "--name", "Ada Byron", "--organization", "Mills")
    organization = admin["organization"]
    made = _octavo(data, "import", str(source), "--organization", organization, "--title", "Mills", "--publish")
    typed(data, PASSWORD)
    with nameserver.serving() as zone, served.serving() as provider:
        told = {"OCTAVO_DNS": zone.setting, "OCTAVO_ALLOWED_HOSTS": urlsplit(provider.issuer).netloc}
        with running(Path(data), **told) as (base, _):
            yield House(base, organization, made["site"], data, zone, provider)


def _again(tab: Any, button: Any, text: str) -> None:
    """Press the button until the screen tells what it led to: a job does the work, for which the screen is asked again."""
    for _ in range(60):
        button.or_(tab.get_by_text(text)).first.wait_for()
        if tab.get_by_text(text).count():
            return
        with tab.expect_response(lambda reply: "/v1/" in reply.url and reply.request.method != "GET"):
            button.click()
        tab.wait_for_timeout(250)
        tab.reload()
    raise AssertionError(f"{text!r} is not on {tab.url}")


def _prove_the_domain(house: House, tab: Any) -> None:
    tab.goto(f"{house.manage}/directory")
    tab.get_by_role("button", name="Claim a domain").click()
    tab.get_by_label("Domain of e-mail addresses").fill(DOMAIN)
    tab.get_by_role("button", name="Claim", exact=True).click()
    look = tab.get_by_role("button", name=f"Look for the record of {DOMAIN}")
    _again(tab, look, f"There is no TXT record of _octavo.{DOMAIN}.")
    tab.get_by_text("Set this TXT record where the domain is kept.").wait_for()
    record = f"_octavo.{DOMAIN}"
    house.zone.records[record, "TXT"] = ["of-somebody-else"]
    _again(tab, look, f"The TXT record of {record} says something else.")
    value = tab.get_by_text(re.compile("^octavo-domain=")).inner_text()
    house.zone.records[record, "TXT"] = ["of-somebody-else", value]
    _again(tab, look, "Leave this record where it is")
    assert tab.get_by_text("Proven", exact=True).count() == 1


def _set_up(house: House, tab: Any) -> None:
    tab.goto(f"{house.manage}/sso")
    tab.get_by_role("button", name="Add a provider by OpenID Connect").click()
    tab.get_by_label("Name").fill("Acme")
    tab.get_by_role("button", name="Go on").click()
    tab.get_by_text("Being set up").wait_for()
    assert tab.get_by_role("link", name="Try it here").count() == 0
    tab.get_by_label("Issuer").fill(house.provider.issuer)
    tab.get_by_label("Client id").fill(CLIENT)
    tab.get_by_label("Client secret").fill(SECRET)
    tab.get_by_role("button", name="Save", exact=True).click()
    tab.get_by_text("Active", exact=True).wait_for()
    tab.get_by_text("Nobody is signed in by Acme.").wait_for()


def _at_the_provider(house: House, tab: Any, email: str, name: str) -> None:
    tab.wait_for_url(re.compile(re.escape(house.provider.issuer)))
    tab.get_by_label("Address").fill(email)
    tab.get_by_label("Name").fill(name)
    tab.get_by_role("button", name="Sign in").click()


def test_a_stranger_signs_in_by_a_provider_that_an_admin_has_tried(house: House, open_page: Open) -> None:
    tab = open_page(house.base + "/app", reduced_motion="reduce")
    _sign_in(tab, house.base)
    _prove_the_domain(house, tab)
    _set_up(house, tab)
    tab.get_by_role("link", name="Try it here, with Acme").click()
    _at_the_provider(house, tab, "ada@example.org", "Ada Byron")
    tab.wait_for_url(f"{house.manage}/sso")
    tab.get_by_text("It works: somebody signed in by Acme").wait_for()
    assert violations(tab) == []
    assert tab.complaints == []
    # A stranger: whose address is of the domain comes in, by the page where everybody signs in; who is of another does not.
    tab.context.clear_cookies()
    for email, comes in (("eve@elsewhere.test", False), ("grace@example.org", True)):
        tab.goto(f"{house.base}/login")
        tab.get_by_role("link", name=re.compile("Sign in with your organization")).click()
        tab.get_by_role("link", name=re.compile("Acme")).click()
        _at_the_provider(house, tab, email, "Grace Hopper")
        if not comes:
            tab.get_by_text("The domain elsewhere.test is not verified to be this organization's").wait_for()
    tab.wait_for_url(re.compile(re.escape(house.base) + "/app/o/.*"))
    tab.get_by_role("button", name=re.compile("Grace Hopper")).first.wait_for()


def test_a_host_of_a_site_is_shown_to_be_its_own(house: House, open_page: Open) -> None:
    host = "docs.mills.example"
    tab = open_page(f"{house.base}/app", reduced_motion="reduce")
    _sign_in(tab, house.base)
    tab.goto(f"{house.base}/app/o/{house.organization}/sites/{house.site}/~/address")
    tab.get_by_label("Host", exact=True).fill(host)
    tab.get_by_role("button", name="Go on").click()
    check = tab.get_by_role("button", name="Check now")
    _again(tab, check, "There is no TXT record of")
    panel = tab.locator(".panel", has=tab.get_by_role("heading", name=host))
    name, value = panel.locator("li", has_text="Show that it is yours").locator(".copied code").all_inner_texts()
    house.zone.records[name, "TXT"] = [value]
    _again(tab, check, f"Readers find the site at https://{host}/.")


def test_somebody_signs_in_by_saml(house: House, open_page: Open) -> None:
    ran("domain", "verify", "--organization", house.organization, "saml.test", "--data", house.data)
    with served_saml.serving("bea@saml.test") as entity:
        tab = open_page(f"{house.base}/app", reduced_motion="reduce")
        _sign_in(tab, house.base)
        tab.goto(f"{house.manage}/sso")
        tab.get_by_role("button", name="Add a provider by SAML").click()
        tab.get_by_label("Name").fill("Bees")
        tab.get_by_role("button", name="Go on").click()
        panel = tab.locator(".panel", has=tab.get_by_role("heading", name="Bees"))
        panel.get_by_label("Address where people sign in").fill(f"{entity}/sso")
        panel.get_by_label("Entity id of the provider").fill(entity)
        panel.get_by_label("Certificate").fill(key().certificate)
        panel.get_by_role("button", name="Save", exact=True).click()
        panel.get_by_text("Nobody is signed in by Bees.").wait_for()
        # Somebody whom nobody here knows yet comes in by it, in another browser, and the admin sees that it works.
        other = open_page(f"{house.base}/sso?organization={house.organization}", reduced_motion="reduce")
        other.get_by_role("link", name=re.compile("Bees")).click()
        other.get_by_role("heading", name="Are you bea@saml.test?").wait_for()
        other.get_by_role("button", name="Sign in").click()
        other.wait_for_url(re.compile(re.escape(house.base) + "/app/o/.*"))
        tab.reload()
        panel.get_by_text("It works: somebody signed in by Bees").wait_for()
