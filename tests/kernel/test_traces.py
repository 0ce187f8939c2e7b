"""Traces: what is told of requests, writes and jobs, and that a collector gets it over the wire."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from octavo.kernel import traces
from tests.client import World
from tests.processes import bootstrap, get, serving


@pytest.fixture
def told() -> Iterator[InMemorySpanExporter]:
    exporter = InMemorySpanExporter()
    traces.begin("0", exporter)
    yield exporter
    traces.end()


def test_requests_writes_and_jobs_are_spans(world: World, told: InMemorySpanExporter) -> None:
    asked = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    world.api.post(f"/v1/orgs/{world.organization}/spaces", {"title": "Birds"}, headers={"traceparent": asked})
    spans = {span.name: span for span in told.get_finished_spans()}
    request, write = spans["POST createSpace"], spans["write"]
    assert f"{request.context.trace_id:x}" == "af7651916cd43dd8448eb211c80319c", "it belongs to what asked for it"
    assert write.parent == request.context
    assert request.attributes is not None
    assert request.attributes["http.response.status_code"] == 201
    assert write.attributes is not None
    assert float(str(write.attributes["octavo.waited_seconds"])) >= 0
    told.clear()
    world.api.get("/v1/user", token="none")
    [refused] = told.get_finished_spans()
    assert refused.attributes is not None
    assert refused.attributes["http.response.status_code"] == 401
    assert "none" not in str(refused.attributes), "no header is told"


def test_nothing_is_told_where_nobody_traces(world: World) -> None:
    assert not traces.active()
    with traces.span("x", "server", {}):
        traces.say(a=1)
        traces.rename("y")
        traces.fail()


class _Collector(BaseHTTPRequestHandler):
    """Takes what an exporter posts."""

    got: list[bytes]

    def do_POST(self) -> None:
        self.got.append(self.rfile.read(int(self.headers["content-length"])))
        self.send_response(200)
        self.send_header("content-length", "0")
        self.end_headers()

    def log_message(self, *_: Any) -> None:
        """Nothing is printed."""


def test_a_server_tells_a_collector(tmp_path: Path) -> None:
    got: list[bytes] = []
    server = HTTPServer(("127.0.0.1", 0), type("Collector", (_Collector,), {"got": got}))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    bootstrap(tmp_path)
    collector = {"OTEL_EXPORTER_OTLP_ENDPOINT": f"http://127.0.0.1:{server.server_port}", "OTEL_SERVICE_NAME": "docs"}
    try:
        with serving(tmp_path, OCTAVO_TRACES="true", **collector) as (process, address):
            assert get(f"{address}/healthz")[0] == 200
            process.send_signal(signal.SIGTERM)
            assert process.wait(20) == 0
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
    sent = [ExportTraceServiceRequest.FromString(one) for one in got]
    resources = [resource for one in sent for resource in one.resource_spans]
    names = {span.name for resource in resources for scope in resource.scope_spans for span in scope.spans}
    assert "GET other" in names
    assert {("service.name", "docs")} <= {
        (a.key, a.value.string_value) for r in resources for a in r.resource.attributes
    }
