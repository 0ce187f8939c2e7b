"""Metrics: what is counted, and that alerts speak of metrics that exist."""

from __future__ import annotations

import json
import re
from pathlib import Path

import ryaml

from tests.client import World

ALERTS = Path(__file__).parents[2] / "deploy" / "alerts.yaml"
BOARD = ALERTS.parent / "grafana.json"
PAGE = Path(__file__).parents[2] / "docs" / "running" / "health.md"


def test_requests_are_counted_by_operation_and_jobs_by_kind(world: World) -> None:
    world.api.get("/v1/user")
    world.api.get("/v1/user", token="none")
    world.api.get("/nowhere", token="")
    world.space()
    text = world.api.get("/metrics", token="").text
    operations = {(one[0], one[2]): int(one[3]) for one in re.findall(
        r'octavo_requests_total\{operation="(\w+)",method="(\w+)",status="(\dxx)"\} (\d+)', text
    )}  # fmt: skip
    assert operations["getAuthenticatedUser", "2xx"] == 1
    assert operations["other", "4xx"] >= 2
    assert operations["createSpace", "2xx"] == 1
    assert 'octavo_request_seconds_count{operation="createSpace"} 1' in text
    assert re.search(r'octavo_jobs\{kind="\w+",state="waiting"\} [1-9]', text)
    assert re.search(r"octavo_disk_free_bytes \d+", text)


def test_units_that_write_and_the_ends_of_jobs_are_counted(world: World) -> None:
    def figure(name: str) -> float:
        text = world.api.get("/metrics", token="").text
        return sum(float(value) for value in re.findall(rf"^{re.escape(name)} (\S+)$", text, re.MULTILINE))

    before = figure("octavo_unit_seconds_count")
    world.space()
    assert figure("octavo_unit_seconds_count") == figure("octavo_unit_wait_seconds_count") > before
    assert figure('octavo_jobs_ended_total{kind="reindex",outcome="done"}') == 0
    world.work()
    assert figure('octavo_jobs_ended_total{kind="reindex",outcome="done"}') >= 1


def test_the_dashboard_asks_for_metrics_that_exist(world: World) -> None:
    world.space()
    world.work()
    world.space()
    text = world.api.get("/metrics", token="").text
    there = set(re.findall(r"^# TYPE (\w+)", text, re.MULTILINE))
    labels = {
        name: set(re.findall(r'(\w+)="', said)) for name, said in re.findall(r"^(\w+)\{(.*)\}", text, re.MULTILINE)
    }
    board = json.loads(BOARD.read_text())
    asked = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    named = {name for expression in asked for name in re.findall(r"octavo_\w+", expression)}
    assert {re.sub("_bucket$", "", name) for name in named} == there, "a metric that no panel shows is of no use"
    for expression in asked:
        by = {name.strip() for group in re.findall(r"by \(([^)]*)\)", expression) for name in group.split(",")}
        known = set().union(*(labels.get(name, set()) for name in re.findall(r"octavo_\w+", expression)))
        assert by <= known | {"le", "instance"}, expression
    places = [(panel["gridPos"]["x"], panel["gridPos"]["y"]) for panel in board["panels"]]
    assert len(set(places)) == len(places)


def test_alerts_and_the_page_name_metrics_that_exist(world: World) -> None:
    world.api.get("/v1/user")
    world.space()
    there = set(re.findall(r"^# TYPE (\w+)", world.api.get("/metrics", token="").text, re.MULTILINE))
    rules = ryaml.loads(ALERTS.read_text())["groups"][0]["rules"]
    named = {name for rule in rules for name in re.findall(r"octavo_\w+", rule["expr"])}
    assert {re.sub("_bucket$", "", name) for name in named} <= there
    assert set(re.findall(r"`(octavo_\w+)`", PAGE.read_text())) == there
    assert all(rule["annotations"]["summary"] for rule in rules)
