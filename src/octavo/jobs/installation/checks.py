"""What has to be well for an installation to work: each is looked at, and where it is not, there is a sentence what to do.

Nothing is changed but a trial file, which is removed again; a running server is asked once how requests arrive. `octavo
doctor` runs all of it from outside, and the job `examine` inside a worker.
"""

from __future__ import annotations

import asyncio
import ctypes
import os
import secrets
import shutil
import socket
import stat
import time
from collections.abc import Callable
from urllib.parse import urlsplit

from octavo.gateways import dns
from octavo.gateways.failures import GatewayFailure, Unreachable
from octavo.gateways.mail import mailer
from octavo.jobs.installation import arriving, backing, libraries, services, signing
from octavo.jobs.installation.findings import Finding, State
from octavo.jobs.people.letters import Letters
from octavo.jobs.people.letters.samples import samples
from octavo.kernel.clock import DAY, MINUTE, system_clock
from octavo.kernel.errors import Failure
from octavo.kernel.settings import SECRET_MIN, SECRETS, Settings
from octavo.store import directory
from octavo.store.content.blobs import Blobs
from octavo.store.database.engine import Connection, Engine
from octavo.store.database.migrate import HEAD, unfinished
from octavo.store.database.statement import Statement
from octavo.store.unit import Store

ROOM_FAILS, ROOM_WARNS = 200 << 20, 2 << 30
"""Bytes of free disk below which writes are about to fail, or soon will."""
SKEW = 2_000
"""Milliseconds by which two clocks may differ."""
WAITS = 5 * MINUTE
"""For which a job may be due."""
_UNSYNCHRONIZED = 5
_NOW = Statement(
    "SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    postgres="SELECT (extract(epoch FROM clock_timestamp()) * 1000)::bigint",
)


def of_machine(settings: Settings) -> list[Finding]:
    """What is well or not before the database is asked: who may read what, secrets, room."""
    return [*_permissions(settings), _secrets(settings), _disk(settings)]


async def beyond(settings: Settings, engine: Engine | None, blobs: Callable[[], Blobs]) -> list[Finding]:
    """The rest, whether or not there is a database: clocks, jobs, files, mail, names, and how requests arrive. It asks
    parties outside, so that it is for commands and jobs alone."""
    found = [*await libraries.findings(settings, engine), await _clock(engine)]
    if engine is not None:
        found.append(await _jobs(engine))
        found.extend(await signing.findings(Store(engine, system_clock)))
        found.extend(await backing.copied(Store(engine, system_clock)))
        found.append(await backing.finding(settings, engine))
        found.append(await backing.collection(settings, Store(engine, system_clock)))
    found.append(await _storage(settings, blobs))
    found.append(await _mail(settings))
    found.extend(await services.findings(settings))
    found.extend(await _names(settings))
    found.extend(await arriving.findings(settings, engine))
    return found


def _permissions(settings: Settings) -> list[Finding]:
    data, check = settings.data, "permissions"
    if not data.is_dir():
        return [Finding(check, "failure", f"there is no directory {data}", "run `octavo serve`, or set OCTAVO_DATA")]
    found = []
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        todo = f"run Octavo as the owner of {data}, or `chown -R` it to the user that Octavo runs as"
        found.append(Finding(check, "failure", f"{data} cannot be read and written by this user", todo))
    ours = [path for path in sorted(data.iterdir()) if path.name.startswith(directory.DATABASE)]
    for path in (*ours, data / directory.BLOBS):
        if path.exists() and stat.S_IMODE(path.stat().st_mode) & directory.PRIVATE:
            todo = f"chmod -R go= {path}"
            found.append(Finding(check, "failure", f"{path} is open to other users of this machine", todo))
        if path.exists() and path.stat().st_uid != os.geteuid():
            todo = f"chown -R it to the user that Octavo runs as, or run `octavo doctor` as user {path.stat().st_uid}"
            found.append(Finding(check, "warning", f"{path} belongs to another user than this one", todo))
    config = os.environ.get("OCTAVO_CONFIG")
    if config and os.path.exists(config) and stat.S_IMODE(os.stat(config).st_mode) & 0o007:
        todo = f"chmod o= {config}: it may hold secrets"
        found.append(Finding(check, "warning", f"everybody on this machine may read {config}", todo))
    return found or [Finding(check, "ok", f"{data} is its owner's alone")]


def _secrets(settings: Settings) -> Finding:
    own = sorted(SECRETS - {"smtp_password", "oidc_client_secret"})
    weak = [name for name in own if 0 < len(getattr(settings, name) or "") < SECRET_MIN // 2]
    if weak:
        words = ", ".join(f"OCTAVO_{name.upper()}" for name in weak)
        return Finding("secrets", "warning", f"{words}: short enough to be guessed", "use `openssl rand -hex 32`")
    if settings.secret is None:
        return Finding("secrets", "ok", "the key that signs addresses is kept in the database, and is part of backups")
    return Finding("secrets", "ok", "OCTAVO_SECRET is set; keep it with your backups, as they do not hold it")


def _disk(settings: Settings) -> Finding:
    place = settings.data
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    said = f"{free / (1 << 30):.1f} GiB free where {settings.data} lies"
    todo = "make room, or move the data to a larger disk: without room no write succeeds"
    if free < ROOM_FAILS:
        return Finding("disk", "failure", said, todo)
    nodes = os.statvfs(place)
    if nodes.f_files and nodes.f_favail < 10_000:
        return Finding("disk", "warning", f"{nodes.f_favail} files more can be made there", todo)
    return Finding("disk", "warning", said, todo) if free < ROOM_WARNS else Finding("disk", "ok", said)


def of_schema(dialect: str, at: str | None, took: float) -> Finding:
    """Of a database that answered in `took` milliseconds that it is `at` this migration."""
    check, said = "database", f"{dialect} answers in {took:.1f} ms"
    if at is None:
        return Finding(check, "failure", f"{said}, and is empty", "run `octavo serve` or `octavo bootstrap` once")
    if broken := unfinished(at):
        return Finding(check, "failure", f"{said}; {broken[0]}", broken[1])
    if at > HEAD:
        todo = "run the newer version of Octavo, or go back with it by `octavo migrate --to`"
        return Finding(check, "failure", f"{said}, at migration {at}; this Octavo knows {HEAD}", todo)
    if at < HEAD:
        todo = "make a backup, then restart Octavo; `octavo migrate --check` says whether it has to be stopped"
        return Finding(check, "warning", f"{said}, at migration {at}; this Octavo brings it to {HEAD}", todo)
    if took > 100:
        return Finding(check, "warning", said, "a page takes several such questions: bring the database nearer")
    return Finding(check, "ok", f"{said}, at migration {at}")


async def _clock(engine: Engine | None) -> Finding:
    check, todo = "clock", "let chrony or systemd-timesyncd set it: sessions, signatures and log-ins go by it"
    if _unsynchronized():
        return Finding(check, "warning", "nobody keeps this machine's clock in time, says the kernel", todo)
    if engine is not None:

        async def ask(connection: Connection) -> int:
            return int((await connection.rows(_NOW, {}))[0][0])

        apart = abs(await engine.read(ask) - time.time_ns() // 1_000_000)
        if apart > SKEW:
            return Finding(check, "failure", f"the database's clock differs by {apart / 1000:.0f} s", todo)
    return Finding(check, "ok", "clocks agree")


def _unsynchronized() -> bool:
    """What Linux knows of its clock; where nobody can say, it is taken to be right."""
    try:
        return bool(ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(512)) == _UNSYNCHRONIZED)
    except (OSError, AttributeError):
        return False


async def _jobs(engine: Engine) -> Finding:
    check, store = "jobs", Store(engine, system_clock)
    now = store.clock()
    oldest = await store.read(lambda unit: unit.jobs.oldest_due())
    if oldest is not None and now - oldest > WAITS:
        said = f"work has been due for {(now - oldest) // MINUTE} minutes"
        todo = "start `octavo worker` (PostgreSQL) or `octavo serve` (SQLite); `octavo job list` shows what waits"
        return Finding(check, "failure", said, todo)
    failed = await store.read(lambda unit: unit.jobs.failed_since(now - DAY))
    if failed:
        said = ", ".join(f"{number} of {kind}" for kind, number in sorted(failed.items()))
        return Finding(check, "warning", f"failed within a day: {said}", "`octavo job list --state failed` says why")
    return Finding(check, "ok", "none is late, none failed within a day")


async def _storage(settings: Settings, opened: Callable[[], Blobs]) -> Finding:
    name, data = f"doctor-{secrets.token_hex(8)}", secrets.token_bytes(64)
    try:
        if not settings.data.is_dir():
            return Finding("storage", "failure", f"there is no directory {settings.data}", "see permissions")
        blobs = opened()
        await blobs.put_as("doctor", name, data)
        same = await blobs.get("doctor", name) == data
        await blobs.remove("doctor", name)
    except (Failure, OSError) as error:
        return Finding("storage", "failure", str(error), "look at OCTAVO_BLOBS_URL, its keys, and the room on the disk")
    if not same:
        return Finding("storage", "failure", "what was written is not what is read", "replace the disk or the store")
    return Finding("storage", "ok", "a file was written, read and removed")


async def _mail(settings: Settings) -> Finding:
    folder = settings.mail_templates
    if folder is not None and not folder.is_dir():
        said = f"OCTAVO_MAIL_TEMPLATES names {folder}, and there is no such directory"
        return Finding("mail", "failure", said, "make it with `octavo mail templates`, or unset the setting")
    try:
        for occasion in samples():
            Letters(settings).check(occasion)
    except ValueError as error:
        said = f"a template of OCTAVO_MAIL_TEMPLATES cannot be used: {error}"
        return Finding("mail", "failure", said, "mend it, or remove it: Octavo's own takes its place")
    smtp = mailer(settings)
    if smtp is None:
        said = "no mail server is set: invitations are handed over as links, and people sign in by passwords"
        return Finding("mail", "off", said, "set OCTAVO_SMTP_HOST and OCTAVO_MAIL_FROM to send mail")
    try:
        await smtp.greet()
    except GatewayFailure as failure:
        return Finding("mail", "failure", failure.message, "look at the settings OCTAVO_SMTP_…, and at its firewall")
    return Finding("mail", "ok", f"{smtp.host} takes letters")


async def _names(settings: Settings) -> list[Finding]:
    """Whether the names under which people come lead anywhere."""
    found = []
    host = urlsplit(settings.base_url or "").hostname
    if host is None:
        todo = "set OCTAVO_BASE_URL to the address that people type; addresses in answers and letters are made of it"
        found.append(Finding("dns", "warning", "OCTAVO_BASE_URL is not set", todo))
    else:
        todo = f"add an A or AAAA record for {host} that leads to your proxy"
        found.append(await _resolves(host, todo, "failure", settings.name_servers))
    if settings.site_domain != "localhost":
        name = f"octavo-{secrets.token_hex(4)}.{settings.site_domain}"
        todo = f"add a record for *.{settings.site_domain}: each site has a name below it"
        found.append(await _resolves(name, todo, "warning", settings.name_servers))
    return found


async def _resolves(host: str, todo: str, otherwise: State, servers: dns.Servers) -> Finding:
    try:
        known = await (dns.addresses(host, servers) if servers and host != "localhost" else _by_system(host))
    except Unreachable as failure:
        return Finding("dns", otherwise, failure.message, "look at OCTAVO_DNS: no resolver answers there")
    if not known:
        return Finding("dns", otherwise, f"{host} has no address", todo)
    return Finding("dns", "ok", f"{host} is {known[0]}")


async def _by_system(host: str) -> list[str]:
    """Also by the file of hosts, and whatever else the system asks."""
    try:
        known = await asyncio.wait_for(asyncio.get_running_loop().getaddrinfo(host, None, type=socket.SOCK_STREAM), 10)
    except (OSError, TimeoutError, UnicodeError):
        return []
    return [str(one[4][0]) for one in known]
