"""What admins look at in the application: what a visitor would see, and who did what, by filters and as a file."""

from __future__ import annotations

import csv
import re
from datetime import date, timedelta
from typing import Any

import pytest

from tests.browser.conftest import playwright
from tests.browser.pages import Open, violations
from tests.browser.test_application import Installed, _sign_in, fresh  # noqa: F401

CLAIMED = '\n{% if visitor.claims.plan == "pro" %}\nMills of your own.\n{% endif %}\n'


@pytest.fixture
def tab(fresh: Installed, open_page: Open) -> Any:  # noqa: F811
    opened = open_page(fresh.base + "/app", reduced_motion="reduce", timezone_id="UTC")
    _sign_in(opened, fresh.base)
    return opened


def _adapted(fresh: Installed) -> str:  # noqa: F811
    """The first page says more to whom has paid; its site."""
    path = f"/v1/spaces/{fresh.space}/change-requests"
    path += f"/{fresh.ask('POST', path, {'subject': 'More for some'})['number']}"
    page = fresh.ask("GET", f"{path}/content/pages")["pages"][0]["id"]
    text = fresh.ask("GET", f"{path}/content/page/{page}?format=markdown")["markdown"]
    change = {"operation": "update_page", "page": page, "document": {"markdown": text + CLAIMED}}
    fresh.ask("POST", f"{path}/content", {"changes": [change]})
    fresh.ask("POST", f"{path}/merge")
    (site,) = fresh.ask("GET", f"/v1/orgs/{fresh.organization}/sites")["items"]
    return str(site["id"])


def test_what_a_visitor_would_see(fresh: Installed, tab: Any) -> None:  # noqa: F811
    site = _adapted(fresh)
    tab.goto(f"{fresh.base}/app/o/{fresh.organization}/sites/{site}/~/audience")
    tab.get_by_role("button", name="Let content adapt").click()
    schema = tab.get_by_label("Schema of claims")
    proposed = schema.input_value()
    schema.fill("{")
    tab.get_by_role("button", name="Use this schema").click()
    tab.get_by_text("This is not JSON").wait_for()
    schema.fill(proposed)
    tab.get_by_role("button", name="Use this schema").click()
    tab.get_by_text("The schema is saved.").wait_for()
    tab.get_by_role("table", name="Conditions that this schema makes possible").wait_for()
    tester = tab.locator(".panel", has=tab.get_by_role("heading", name="What does this visitor see?"))
    for claims, sees in (('{"plan": "pro"}', 1), ('{"plan": "free"}', 0)):
        tester.get_by_label("Claims of the visitor").fill(claims)
        with tab.context.expect_page() as opened:
            tester.get_by_role("button", name="Look").click()
        opened.value.get_by_text("Wind turns them.").wait_for()
        assert opened.value.get_by_text("Mills of your own.").count() == sees, claims
        opened.value.close()
    # What the schema does not allow counts for nothing, which is said.
    tester.get_by_label("Claims of the visitor").fill('{"plan": "gold", "beta": true, "team": "red"}')
    with tab.context.expect_page() as opened:
        tester.get_by_role("button", name="Look").click()
    opened.value.close()
    tester.get_by_text('Known of this visitor: {"beta":true}').wait_for()
    said = tester.get_by_role("listitem").all_inner_texts()
    assert said == ['plan: the schema wants "free" or "pro".', "team: the schema does not declare it."]
    assert violations(tab) == []
    tester.get_by_label("Claims of the visitor").fill("plan=pro")
    tester.get_by_role("button", name="Look").click()
    tester.get_by_text("This is not JSON").wait_for()


def _actions(tab: Any) -> Any:
    return tab.get_by_role("table", name="Audit log").locator("tbody tr td:nth-child(3)")


def _rows(tab: Any) -> list[str]:
    return list(_actions(tab).all_inner_texts())


def test_the_audit_log_is_filtered_and_saved(fresh: Installed, tab: Any) -> None:  # noqa: F811
    path = f"/v1/orgs/{fresh.organization}/teams"
    for title in ("Millers", "Weavers"):
        fresh.ask("PUT", path, {"title": title})
    tab.goto(f"{fresh.base}/app/o/{fresh.organization}/~/audit")
    tab.get_by_role("cell", name="Weavers").first.wait_for()
    # What was done has its words.
    tab.get_by_role("option", name="Create a team", exact=True).wait_for(state="attached")
    everything = _rows(tab)
    label = everything[0]
    tab.get_by_label("Action", exact=True).select_option(label=label)
    playwright.expect(_actions(tab)).to_have_text([label] * everything.count(label), timeout=30_000)
    assert _rows(tab) == [label] * everything.count(label)
    assert 2 <= everything.count(label) < len(everything)
    tab.get_by_label("Who", exact=True).select_option(label="Ada Byron")
    tab.get_by_role("cell", name="Millers").wait_for()
    with tab.expect_download() as download:
        tab.get_by_role("button", name="CSV").click()
    assert download.value.suggested_filename == "audit.csv"
    with open(download.value.path(), newline="") as saved:
        told = list(csv.DictReader(saved))
    assert len(told) == everything.count(label)
    assert all(re.search("Millers|Weavers", " ".join(row.values())) for row in told)
    # Days: none of them is tomorrow's.
    tab.get_by_label("From").fill((date.today() + timedelta(days=2)).isoformat())
    tab.get_by_text("Nothing like this was done").wait_for()
