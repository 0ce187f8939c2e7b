"""How requests arrive: the installation's own address is asked for, and the server behind it says what it saw."""

from __future__ import annotations

import asyncio
import datetime
import json
import socket
import ssl
import urllib.error
import urllib.request
from typing import Any
from urllib.parse import urlencode, urlsplit

from octavo.access.signing import Signer
from octavo.jobs.installation.findings import Finding
from octavo.kernel.clock import system_clock
from octavo.kernel.settings import Settings
from octavo.store.database.engine import Engine
from octavo.store.unit import Store

SECONDS = 5.0
_EXPIRES_SOON = 14


async def findings(settings: Settings, engine: Engine | None) -> list[Finding]:
    """What is found of the certificate and of what a proxy says; nothing where there is no address or no database."""
    if settings.base_url is None or engine is None:
        return []
    found = []
    if settings.base_url.startswith("https://"):
        found.append(await asyncio.to_thread(_certificate, urlsplit(settings.base_url)))
    store = Store(engine, system_clock)
    kept = await store.read(lambda unit: unit.installation.get("secret"))
    question = Signer(settings.secret or kept or "").write_question(store.clock())
    address = f"{settings.base_url.rstrip('/')}/healthz?{urlencode({'question': question})}"
    try:
        told = await asyncio.to_thread(_asked, address)
    except (OSError, ValueError) as error:
        said = f"{settings.base_url} does not answer: {getattr(error, 'reason', None) or error}"
        return [
            *found,
            Finding("proxy", "warning", said, "start the server, and let the proxy hand every path on to it"),
        ]
    return [*found, judged(told, settings)]


def judged(told: dict[str, Any], settings: Settings) -> Finding:
    """What the answer of the server says of the way to it."""
    check, seen = "proxy", told.get("seen")
    if not isinstance(seen, dict):
        return Finding(
            check,
            "failure",
            f"{settings.base_url} is answered by somebody who is not this installation",
            "look at OCTAVO_BASE_URL and OCTAVO_SECRET, and where the proxy leads to",
        )
    wanted = urlsplit(settings.base_url or "").hostname
    if urlsplit(f"//{seen.get('host')}").hostname != wanted:
        said = f"requests for {wanted} arrive as {seen.get('host')}"
        todo = "let the proxy hand the name on (nginx: proxy_set_header Host $host): sites are found by it"
        return Finding(check, "failure", said, todo)
    if seen.get("forwarded") is not None and not seen.get("believed"):
        said = f"{seen.get('peer')} names clients, and is not believed: all of them count as one"
        return Finding(check, "warning", said, f"set OCTAVO_TRUSTED_PROXIES={seen.get('peer')}")
    if seen.get("forwarded") is None and settings.trusted_proxies:
        said = "OCTAVO_TRUSTED_PROXIES is set, and no proxy names clients: all of them count as one"
        todo = "let it send the header (nginx: proxy_set_header X-Forwarded-For $remote_addr)"
        return Finding(check, "warning", said, todo)
    return Finding(check, "ok", f"requests for {wanted} arrive with their host and address")


def _asked(address: str) -> dict[str, Any]:
    with urllib.request.urlopen(address, timeout=SECONDS) as reply:
        told = json.loads(reply.read(65536))
    return told if isinstance(told, dict) else {}


def _certificate(url: Any) -> Finding:
    """For how long the certificate of the address holds."""
    try:
        with (
            socket.create_connection((url.hostname, url.port or 443), SECONDS) as raw,
            ssl.create_default_context().wrap_socket(raw, server_hostname=url.hostname) as spoken,
        ):
            ends = str((spoken.getpeercert() or {}).get("notAfter", ""))
    except ssl.SSLCertVerificationError as error:
        todo = "renew it, and hand out the whole chain"
        return Finding("certificate", "failure", f"browsers refuse it: {error.verify_message}", todo)
    except OSError as error:
        return Finding("certificate", "warning", f"{url.hostname} could not be asked: {error}", "start the proxy")
    left = datetime.datetime.fromtimestamp(ssl.cert_time_to_seconds(ends), datetime.UTC) - datetime.datetime.now(
        datetime.UTC
    )
    if left.days < _EXPIRES_SOON:
        return Finding("certificate", "warning", f"it ends in {left.days} days", "see why nobody renews it")
    return Finding("certificate", "ok", f"it holds for {left.days} days")
