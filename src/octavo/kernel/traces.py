"""Traces for OpenTelemetry: requests, writes and jobs as spans; where nobody wants them a span costs one comparison."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SpanExporter
    from opentelemetry.trace import Tracer

Value = str | int | float | bool
Kind = Literal["internal", "server", "consumer"]


class Missing(RuntimeError):
    """The libraries of OpenTelemetry are not installed; the sentence says what to do."""


_tracer: Tracer | None = None
_provider: TracerProvider | None = None


def begin(version: str, exporter: SpanExporter | None = None) -> None:
    """Trace from now on. Where spans go, how many and under which name is said by the variables OTEL_… of OpenTelemetry,
    unless an `exporter` is given. Raises Missing.
    """
    global _tracer, _provider
    try:
        from opentelemetry.sdk.resources import SERVICE_NAME, SERVICE_VERSION, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor, SimpleSpanProcessor

        if exporter is None:
            from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    except ImportError as error:
        raise Missing("OCTAVO_TRACES needs the libraries of OpenTelemetry: pip install octavo[otel]") from error
    named = Resource.create({SERVICE_NAME: "octavo", SERVICE_VERSION: version}).merge(OTELResourceDetector().detect())
    _provider = TracerProvider(resource=named, shutdown_on_exit=False)
    _provider.add_span_processor(
        BatchSpanProcessor(OTLPSpanExporter()) if exporter is None else SimpleSpanProcessor(exporter)
    )
    _tracer = _provider.get_tracer("octavo", version)


def end() -> None:
    """Send what waits, and trace no more."""
    global _tracer, _provider
    if _provider is not None:
        _provider.shutdown()
    _tracer = _provider = None


def active() -> bool:
    """Whether anybody wants them."""
    return _tracer is not None


@contextlib.contextmanager
def span(
    name: str, kind: Kind = "internal", carrier: Mapping[str, str] | None = None, **values: Value | None
) -> Iterator[None]:
    """Something that is done in the block; `carrier` holds the headers of whoever asked for it, `traceparent` among them."""
    if _tracer is None:
        yield
        return
    from opentelemetry.trace import SpanKind
    from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

    context = None if carrier is None else TraceContextTextMapPropagator().extract(carrier)
    with _tracer.start_as_current_span(name, context, SpanKind[kind.upper()]):
        say(**values)
        yield


def say(**values: Value | None) -> None:
    """More about what is done now; two underscores of a name are a dot. None is left out."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span

        told = {name.replace("__", "."): value for name, value in values.items() if value is not None}
        get_current_span().set_attributes(told)


def rename(name: str) -> None:
    """What is done now is known better."""
    if _tracer is not None:
        from opentelemetry.trace import get_current_span

        get_current_span().update_name(name)


def fail() -> None:
    """What is done now does not succeed."""
    if _tracer is not None:
        from opentelemetry.trace import Status, StatusCode, get_current_span

        get_current_span().set_status(Status(StatusCode.ERROR))
