"""What a doctor finds of services and programs that an operator has set: each that does not answer, with what to do."""

from __future__ import annotations

import asyncio
import os
import shutil
from urllib.parse import urlsplit

from octavo.gateways.addresses import Guard
from octavo.jobs.installation.findings import Finding
from octavo.kernel import extras
from octavo.kernel.settings import Settings
from octavo.store.insights.countries import Countries

SECONDS = 10.0
"""For which one of them is waited for."""


async def findings(settings: Settings) -> list[Finding]:
    """Of those that are set; where none is, nothing is said."""
    return [*await _insights(settings), *await _sign_in(settings), *_program(settings)]


async def _insights(settings: Settings) -> list[Finding]:
    check, found = "insights", []
    if not settings.insights or extras.lacks("insights"):
        return []
    if trouble := await asyncio.to_thread(Countries(settings.insights_countries).trouble):
        todo = "look at OCTAVO_INSIGHTS_COUNTRIES: without the file, visitors are in no country"
        found.append(Finding(check, "failure", f"the database of countries cannot be read: {trouble}", todo))
    if settings.insights_clickhouse is not None:
        parts = urlsplit(settings.insights_clickhouse)
        port = parts.port or (8443 if parts.scheme == "https" else 8123)
        if trouble := await _away(parts.hostname or "", port):
            todo = "look at OCTAVO_INSIGHTS_CLICKHOUSE and its server; events wait on the disk meanwhile"
            found.append(Finding(check, "failure", f"ClickHouse at {parts.hostname}:{port} is away: {trouble}", todo))
        else:
            found.append(Finding(check, "ok", f"ClickHouse at {parts.hostname}:{port} answers"))
    return found


async def _away(host: str, port: int) -> str:
    """Why nothing can be reached there; empty where something can."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), SECONDS)
    except TimeoutError:
        return f"no answer within {SECONDS:g} seconds"
    except OSError as error:
        return error.strerror or str(error)
    writer.close()
    return ""


async def _sign_in(settings: Settings) -> list[Finding]:
    if settings.oidc_issuer is None:
        return []
    # What it takes to speak with a provider is loaded for those who have one.
    from octavo.gateways.openid import OpenId, Refused

    hosts = frozenset(settings.allowed_hosts)
    guard = Guard(allow_private=settings.allow_private_addresses, allow_hosts=hosts)

    try:
        await OpenId(guard).discover(settings.oidc_issuer)
    except Refused as refused:
        todo = "look at OCTAVO_OIDC_ISSUER, its certificate, and whether OCTAVO_ALLOWED_HOSTS lets an inner address be asked"
        return [Finding("sign-in", "failure", f"{settings.oidc_issuer} cannot be asked: {refused}", todo)]
    return [Finding("sign-in", "ok", f"{settings.oidc_issuer} says how people sign in")]


def _program(settings: Settings) -> list[Finding]:
    if settings.deno is None or shutil.which(settings.deno) or os.access(settings.deno, os.X_OK):
        return []
    todo = "look at OCTAVO_DENO, or unset it: scripts of integrations do not run"
    return [Finding("scripts", "failure", f"there is no program {settings.deno}", todo)]
