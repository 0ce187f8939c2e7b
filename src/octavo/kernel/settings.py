"""Settings: one struct filled from a TOML file and the environment; a wrong one is refused with a sentence."""

from __future__ import annotations

import functools
import importlib
import ipaddress
import os
import re
import tomllib
from collections.abc import Mapping
from email.utils import parseaddr
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

import msgspec

from octavo.kernel.locales import LOCALES

_AT_LEAST_ONE = (
    "insights_days", "insights_memory", "insights_spool",
    "rate_limit_token", "rate_limit_address", "rate_limit_lookup", "body_max", "git_max_bytes", "git_max_files",
    "git_timeout", "file_days", "audit_days", "kept_bytes", "translation_seconds", "script_processes",
    "backup_hours", "backup_keep",
)  # fmt: skip
SECRETS = frozenset({"secret", "renderer_secret", "translation_token", "smtp_password", "oidc_client_secret"})
"""Settings of which nothing is shown."""
SECRET_MIN = 32
"""Characters of a secret that nobody guesses."""
SCRIPT_MEMORY_MIN = 128 << 20
"""Bytes of a script's memory below which its engine does not start well."""
_STORES = ("s3://", "gs://", "az://", "file:///")
_ADDRESS = re.compile(r"[^\s@<>]+@[^\s@<>]+")


class SettingsError(ValueError):
    """A setting that cannot be; the sentence names it."""


class Settings(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Every setting. The environment variable of `name` is OCTAVO_NAME; `docs/reference/settings.md` lists them."""

    data: Path = Path("data")
    """Directory of the database file, blobs and keys; made on first use."""
    database_url: str | None = None
    """postgresql://host/database; unset = SQLite in the data directory."""
    blobs_url: str | None = None
    """s3://BUCKET/PREFIX, gs://…, az://… or file:///… for the bytes of files; unset = `blobs` in the data directory. Keys and
    endpoint are read from the variables of that service: AWS_ACCESS_KEY_ID, AWS_ENDPOINT and so on."""
    base_url: str | None = None
    """Address under which browsers reach this installation; unset = http://HOST:PORT of `serve`."""
    allow_private_addresses: bool = False
    """Outbound requests (Git, fetched files) may reach private and loopback addresses."""
    allowed_hosts: list[str] = []
    """Hosts that outbound requests may reach whatever their address."""
    secret: str | None = None
    """Key for signed cursors and links, 32 characters or more; unset = made once and kept in the database."""
    rate_limit_token: int = 6000
    """Requests a minute for one token, in each server process: two processes let twice as many through."""
    rate_limit_address: int = 600
    """Requests a minute for one address without a token, in each server process."""
    rate_limit_lookup: int = 60_000
    """Requests a minute for one address that looks up which site an address shows: a renderer asks several times a page."""
    operators: list[str] = []
    """Addresses of the accounts that see the whole installation in the application and mend it. One counts once its address is
    known to be its own, and not in a session of an organization's single sign-on."""
    dns: list[str] = []
    """Resolvers that are asked for the records by which domains and hostnames are proven, as 127.0.0.1:5353, 9.9.9.9 or [::1];
    unset = the system's."""
    trusted_proxies: list[str] = []
    """IP addresses of proxies whose forwarded headers are believed."""
    body_max: int = 1 << 20
    """Bytes of a request body where an operation does not say more."""
    git_max_bytes: int = 1 << 30
    """Bytes that one Git import may fetch, and that it may unpack to."""
    git_max_files: int = 100_000
    """Files that one Git import may hold."""
    git_timeout: int = 600
    """Seconds that one Git operation may take."""
    git_kept_bytes: int = 2 << 30
    """Bytes of repositories that an organization has kept in the data directory, so that only what is new is fetched; 0 =
    nothing is kept."""
    file_days: int = 30
    """Days for which addresses of files in API answers serve at least."""
    audit_days: int = 400
    """Days for which the audit log is kept."""
    kept_bytes: int = 384 << 20
    """Bytes of memory for what a process may be asked for again: pages, pictures, tables of contents."""
    traces: bool = False
    """Send spans of requests, writes and jobs to the collector that variables of OpenTelemetry name; needs `octavo[otel]`."""
    log_format: str = "text"
    """How lines of the log are written: text, or json for programs that collect them."""
    log_level: str = "info"
    """Least level that is logged: debug, info, warning or error."""
    cors_origins: list[str] = msgspec.field(default_factory=lambda: ["*"])
    """Origins that may call /v1 from a browser."""
    site_domain: str = "localhost"
    """Published sites answer at <basename>.<site_domain> too."""
    job_poll: float = 1.0
    """Seconds between two looks for work that nobody announced."""
    renderer_url: str | None = None
    """Address of a renderer of its own that shows the sites, and is told of what changed; unset = there is none."""
    renderer_secret: str | None = None
    """The secret that the calls to it are signed with, as it knows it."""
    translation_url: str | None = None
    """Address of a translator, which takes questions by POST; unset = there is none, or a command."""
    translation_token: str | None = None
    """The bearer token that it is sent."""
    translation_command: list[str] = []
    """A program that translates, with its arguments: a question on its standard input, the answer on its output."""
    translation_seconds: int = 120
    """Seconds that a translator may take for one question."""
    deno: str | None = None
    """Program `deno` that runs the scripts of integrations; unset = that of the package `octavo[integrations]`, or none."""
    script_hosts: list[str] = []
    """Hosts that these may reach, `api.example.com`, `*.example.com` or `*`; unset = this installation's API alone."""
    script_seconds: float = 10.0
    """Seconds that a script may take for one event."""
    script_memory: int = 256 << 20
    """Bytes of memory that a script may take."""
    script_processes: int = 4
    """Processes of scripts that a worker keeps for the next event."""
    smtp_host: str | None = None
    """Mail server that takes what Octavo sends; unset = no mail is sent."""
    smtp_port: int = 0
    """Its port; 0 = 587 with starttls, 465 with tls, 25 with none."""
    smtp_tls: str = "starttls"
    """How the way to it is encrypted: starttls (it has to offer that), tls (from the first byte) or none."""
    smtp_user: str | None = None
    """User at the mail server; unset = it asks for none."""
    smtp_password: str | None = None
    """Password of that user."""
    mail_from: str | None = None
    """Sender of all mail, `docs@example.com` or `Docs <docs@example.com>`; needed with a mail server."""
    mail_templates: Path | None = None
    """Directory of templates of letters that take the place of Octavo's; `octavo mail templates` writes them to begin with."""
    language: str = "en"
    """Language of letters to those who have chosen none, as `de` or `pt-br`."""
    oidc_issuer: str | None = None
    """https://… by which an OpenID Connect provider calls itself that lets everybody of this installation in; unset = none."""
    oidc_client_id: str | None = None
    """What it calls this installation."""
    oidc_client_secret: str | None = None
    """The secret that it gave this installation; unset = it gave none."""
    oidc_label: str = "your company account"
    """What the log-in page calls it, after “Sign in with”."""

    collect_days: int = 7
    """Days from one removal of what nothing refers to to the next; 0 = by `octavo blobs collect` only."""
    backup_url: str | None = None
    """Directory, or s3://BUCKET/PREFIX and so on, into which a worker puts a backup now and then; unset = none are made."""
    backup_hours: int = 24
    """Hours from one such backup to the next."""
    backup_keep: int = 7
    """So many of them are kept; older ones are removed."""
    backup_recipients: list[str] = []
    """Public keys age1… of those who may read backups, which are encrypted then; unset = they are not."""

    insights: bool = True
    """Whether published sites note who reads what, and events are taken."""
    insights_days: int = 760
    """Days for which events are kept: two years, so that a year can be compared with the one before."""
    insights_rotation: int = 0
    """Days after which the same visitor counts as another, as what her id is hashed with is thrown away; 0 = never."""
    insights_countries: str | None = None
    """File of a MaxMind database by which addresses of visitors become countries; unset = they become nothing."""
    insights_clickhouse: str | None = None
    """http://USER:PASSWORD@HOST:PORT/DATABASE of a ClickHouse that keeps events; unset = DuckDB, in the data directory."""
    insights_memory: int = 512 << 20
    """Bytes of memory for questions about insights, in the process that owns them."""
    insights_seconds: float = 10.0
    """Seconds that one such question may take."""
    insights_spool: int = 1 << 30
    """Bytes of events that may wait on the disk until the engine takes them."""

    def __post_init__(self) -> None:
        for name in _AT_LEAST_ONE:
            if getattr(self, name) < 1:
                raise SettingsError(f"OCTAVO_{name.upper()} must be at least 1")
        if self.collect_days < 0:
            raise SettingsError("OCTAVO_COLLECT_DAYS must be at least 0")
        if self.job_poll <= 0:
            raise SettingsError("OCTAVO_JOB_POLL must be more than 0 seconds")
        if self.log_format not in ("text", "json"):
            raise SettingsError("OCTAVO_LOG_FORMAT must be text or json")
        if self.log_level not in ("debug", "info", "warning", "error"):
            raise SettingsError("OCTAVO_LOG_LEVEL must be debug, info, warning or error")
        if self.base_url is not None and not self.base_url.startswith(("http://", "https://")):
            raise SettingsError("OCTAVO_BASE_URL must begin with http:// or https://")
        if self.database_url is not None and not self.database_url.startswith(("postgresql://", "postgres://")):
            raise SettingsError("OCTAVO_DATABASE_URL must begin with postgresql://, or be unset for SQLite")
        if self.database_url is not None and not _names_database(self.database_url):
            raise SettingsError(
                "OCTAVO_DATABASE_URL names no database: add one, as in postgresql://db.example.com/octavo"
            )
        if self.blobs_url is not None and not self.blobs_url.startswith(_STORES):
            raise SettingsError(f"OCTAVO_BLOBS_URL must begin with {', '.join(_STORES)}")
        if not all(re.fullmatch("age1[0-9a-z]{40,}", key) for key in self.backup_recipients):
            raise SettingsError("OCTAVO_BACKUP_RECIPIENTS must hold public keys age1…, as `age-keygen` prints them")
        self._check_insights()
        self._check_scripts()
        self._check_secret()
        self._check_renderer()
        self._check_translator()
        self._check_proxies()
        _ = self.name_servers
        self._check_mail()
        for word in self.operators:
            if not _ADDRESS.fullmatch(word):
                raise SettingsError(f"OCTAVO_OPERATORS must hold addresses, as ada@example.com, and {word!r} is none")
        if (self.oidc_issuer is None) != (self.oidc_client_id is None):
            raise SettingsError("OCTAVO_OIDC_ISSUER and OCTAVO_OIDC_CLIENT_ID go together: set both or neither")
        if self.oidc_issuer is not None and not self.oidc_issuer.startswith(("http://", "https://")):
            raise SettingsError("OCTAVO_OIDC_ISSUER must begin with http:// or https://")
        self._check_addresses()

    def _check_addresses(self) -> None:
        for name in ("base_url", "renderer_url", "translation_url", "oidc_issuer", "insights_clickhouse"):
            address = getattr(self, name)
            if address is not None and not _names_a_host(address):
                raise SettingsError(f"OCTAVO_{name.upper()} must name a host, as https://docs.example.com")

    def _check_secret(self) -> None:
        # Whoever guesses it signs file addresses and forms, and reads what is sealed.
        if self.secret is not None and len(self.secret) < SECRET_MIN:
            raise SettingsError(
                f"OCTAVO_SECRET must have {SECRET_MIN} characters or more, as `openssl rand -hex 32` makes; unset, Octavo"
                " makes one"
            )

    def _check_insights(self) -> None:
        if self.insights_rotation < 0:
            raise SettingsError("OCTAVO_INSIGHTS_ROTATION must be at least 0")
        where = self.insights_clickhouse
        if where is not None and not where.startswith(("http://", "https://")):
            raise SettingsError("OCTAVO_INSIGHTS_CLICKHOUSE must begin with http:// or https://")
        if self.insights_seconds <= 0:
            raise SettingsError("OCTAVO_INSIGHTS_SECONDS must be more than 0 seconds")

    def _check_scripts(self) -> None:
        if self.script_seconds <= 0:
            raise SettingsError("OCTAVO_SCRIPT_SECONDS must be more than 0 seconds")
        if self.script_memory < SCRIPT_MEMORY_MIN:
            raise SettingsError(
                f"OCTAVO_SCRIPT_MEMORY must be at least {SCRIPT_MEMORY_MIN}, {SCRIPT_MEMORY_MIN >> 20} MiB"
            )

    @property
    def script_program(self) -> str | None:
        """The program that runs scripts of integrations; None = nothing runs them."""
        return self.deno or _packaged()

    def _check_renderer(self) -> None:
        if (self.renderer_url is None) != (self.renderer_secret is None):
            raise SettingsError("OCTAVO_RENDERER_URL and OCTAVO_RENDERER_SECRET go together: set both or neither")
        if self.renderer_url is not None and not self.renderer_url.startswith(("http://", "https://")):
            raise SettingsError("OCTAVO_RENDERER_URL must begin with http:// or https://")

    def _check_translator(self) -> None:
        if self.translation_url is not None and self.translation_command:
            raise SettingsError(
                "OCTAVO_TRANSLATION_URL and OCTAVO_TRANSLATION_COMMAND are two ways to translate: set one"
            )
        if self.translation_url is not None and not self.translation_url.startswith(("http://", "https://")):
            raise SettingsError("OCTAVO_TRANSLATION_URL must begin with http:// or https://")

    @property
    def translates(self) -> bool:
        """Whether there is a translator."""
        return self.translation_url is not None or bool(self.translation_command)

    def _check_proxies(self) -> None:
        for word in self.trusted_proxies:
            try:
                ipaddress.ip_address(word)
            except ValueError as error:
                raise SettingsError(
                    f"OCTAVO_TRUSTED_PROXIES must hold IP addresses, as 127.0.0.1 or ::1, and {word!r} is none: names of"
                    " hosts are not looked up"
                ) from error

    @property
    def name_servers(self) -> tuple[tuple[str, int], ...]:
        """IP address and port of each resolver that is set, 53 where none is said. Raises SettingsError."""
        return tuple(map(_name_server, self.dns))

    def _check_mail(self) -> None:
        if self.language not in LOCALES:
            raise SettingsError(f"OCTAVO_LANGUAGE must be one of {', '.join(LOCALES)}")
        if self.smtp_tls not in ("starttls", "tls", "none"):
            raise SettingsError("OCTAVO_SMTP_TLS must be starttls, tls or none")
        if not 0 <= self.smtp_port < 1 << 16:
            raise SettingsError("OCTAVO_SMTP_PORT must be a port, 1 to 65535, or 0 for the usual one")
        if (self.smtp_user is None) != (self.smtp_password is None):
            raise SettingsError("OCTAVO_SMTP_USER and OCTAVO_SMTP_PASSWORD go together: set both or neither")
        if self.smtp_host is not None and self.mail_from is None:
            raise SettingsError("OCTAVO_MAIL_FROM must be set too where OCTAVO_SMTP_HOST is")
        if self.mail_from is not None and not _ADDRESS.fullmatch(parseaddr(self.mail_from)[1]):
            raise SettingsError("OCTAVO_MAIL_FROM must be an address, or a name and an address in angle brackets")


def _names_a_host(address: str) -> bool:
    try:
        parts = urlsplit(address)
        return bool(parts.hostname) and parts.port != 0 and not re.search(r"\s", address)
    except ValueError:
        return False


def _name_server(word: str) -> tuple[str, int]:
    """IP address and port.

    >>> _name_server("127.0.0.1:5353"), _name_server("[::1]:53"), _name_server("::1")
    (('127.0.0.1', 5353), ('::1', 53), ('::1', 53))
    """
    found = re.fullmatch(r"\[(?P<six>[^\]]*)\](:(?P<port>[0-9]{1,5}))?|(?P<four>[0-9.]+):(?P<at>[0-9]{1,5})", word)
    address, port = (found["six"] or found["four"], int(found["port"] or found["at"] or 53)) if found else (word, 53)
    try:
        known = str(ipaddress.ip_address(address or ""))
    except ValueError:
        known = ""
    if not known or not 0 < port < 1 << 16 or (found and found["six"] and ":" not in known):
        raise SettingsError(
            f"OCTAVO_DNS must hold IP addresses of resolvers, as 127.0.0.1:5353, 9.9.9.9 or [::1]:53, and {word!r} is none"
        )
    return known, port


@functools.cache
def _packaged() -> str | None:
    """The program of the package `deno`, where that is installed."""
    try:
        package = importlib.import_module("deno")
        found: str = package.find_deno_bin()
    except (ImportError, AttributeError, FileNotFoundError):
        return None
    return found


_PREFIX = "OCTAVO_"
_TRUE, _FALSE = ("1", "true", "yes", "on"), ("0", "false", "no", "off", "")
_ELSEWHERE = ("OCTAVO_CONFIG", "OCTAVO_TEST_")
"""How variables of that prefix begin that are no settings."""
_OPTIONS = ("OCTAVO_HOST", "OCTAVO_PORT")
"""Variables that stand for options of one command."""


class Given(NamedTuple):
    """A value as somebody gave it, and where."""

    value: Any
    source: str
    """`option`, the name of a variable, or the path of a file."""


def load(environ: Mapping[str, str] = os.environ, **given: Any) -> Settings:
    """Settings from OCTAVO_CONFIG's TOML file, then the environment, then `given` (None = not given).

    Raises SettingsError naming the setting that is wrong.
    """
    values = {name: one.value for name, one in sources(environ, **given).items()}
    try:
        return msgspec.convert(values, Settings, dec_hook=_path)
    except msgspec.ValidationError as error:
        raise SettingsError(f"a setting is wrong: {error}") from error


def sources(environ: Mapping[str, str] = os.environ, **given: Any) -> dict[str, Given]:
    """Name of each setting that somebody gave -> its value and where it came from. Raises SettingsError as `load` does, but
    for values that are wrong beside others."""
    found: dict[str, Given] = {}
    config = environ.get("OCTAVO_CONFIG")
    known = {field.name: field for field in msgspec.structs.fields(Settings)}
    if config:
        try:
            told = tomllib.loads(Path(config).read_text("utf-8"))
        except (OSError, ValueError) as error:
            raise SettingsError(f"OCTAVO_CONFIG names {config}, which cannot be read: {error}") from error
        for name, value in told.items():
            if name not in known:
                raise SettingsError(
                    f"{config}: {name} is not a setting of Octavo; docs/reference/settings.md lists them"
                )
            found[name] = Given(value, config)
    for variable, word in environ.items():
        if variable.startswith(_PREFIX) and not variable.startswith(_ELSEWHERE) and variable not in _OPTIONS:
            name = variable[len(_PREFIX) :].lower()
            if name not in known:
                raise SettingsError(f"{variable} is not a setting of Octavo; docs/reference/settings.md lists them")
            found[name] = Given(_from_text(variable, word, known[name].type), variable)
    return found | {name: Given(value, "option") for name, value in given.items() if value is not None}


def _names_database(url: str) -> bool:
    """Whether an address of PostgreSQL says which database: without a word the driver takes that of the user's name."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return False
    return bool(parts.path.strip("/") or parse_qs(parts.query).keys() & {"dbname", "database", "service"})


def _path(wanted: type[Any], value: Any) -> Any:
    if wanted is Path:
        return Path(value)
    raise NotImplementedError(wanted)


def _from_text(variable: str, word: str, wanted: Any) -> Any:
    try:
        if wanted is bool:
            if word.lower() in _TRUE:
                return True
            if word.lower() in _FALSE:
                return False
            raise SettingsError(f"{variable} must be 1 or 0, not {word!r}")
        if wanted is int:
            return int(word)
        if wanted is float:
            return float(word)
        if wanted == list[str]:
            return [part.strip() for part in word.split(",") if part.strip()]
        return word or None
    except SettingsError:
        raise
    except ValueError as error:
        raise SettingsError(f"{variable} must be a number, not {word!r}") from error
