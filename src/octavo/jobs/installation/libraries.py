"""What a doctor finds of libraries that are not installed: whether anything in this installation counts on them."""

from __future__ import annotations

from octavo.jobs.installation.findings import Finding
from octavo.kernel import extras
from octavo.kernel.clock import system_clock
from octavo.kernel.settings import Settings
from octavo.store import directory
from octavo.store.database.engine import Engine
from octavo.store.unit import Store

_CHECK = "extras"


async def findings(settings: Settings, engine: Engine | None) -> list[Finding]:
    """A warning for each part that is used and cannot be; one line for all that nobody uses."""
    missing = [name for name in extras.EXTRAS if extras.lacks(name)]
    if not missing:
        return [Finding(_CHECK, "ok", "everything is installed that this Octavo knows")]
    used = await _used(settings, engine)
    found = [
        Finding(_CHECK, "warning", f"{used[name]}, and its libraries are not installed", _todo([name]))
        for name in missing
        if name in used
    ]
    if spare := [name for name in missing if name not in used]:
        said = "; ".join(f"{extras.EXTRAS[name].what}: not installed" for name in spare)
        found.append(Finding(_CHECK, "off", said, f"{_todo(spare)}, where somebody wants them"))
    return found


def _todo(names: list[extras.Name]) -> str:
    return f'pip install "octavo[{",".join(names)}]"'


async def _used(settings: Settings, engine: Engine | None) -> dict[extras.Name, str]:
    """Parts that settings, database or data directory count on, each with how."""
    used: dict[extras.Name, str] = {}
    folder = settings.data / directory.INSIGHTS
    if settings.database_url is not None:
        used["postgres"] = "OCTAVO_DATABASE_URL names a PostgreSQL database"
    if settings.insights and settings.insights_clickhouse is not None:
        used["insights"] = "OCTAVO_INSIGHTS_CLICKHOUSE is set"
    elif settings.insights and folder.is_dir() and any(folder.iterdir()):
        used["insights"] = f"{folder} holds events of readers"
    if engine is None:
        return used
    asked = await Store(engine, system_clock).read(lambda unit: unit.whole.asked_of_extras(unit.now))
    words: tuple[tuple[extras.Name, int, str], ...] = (
        ("saml", asked.saml, "identity providers let people sign in by SAML"),
        ("scim", asked.scim, "tokens let identity providers come by SCIM"),
        ("pdf", asked.pdf, "PDFs were asked for lately"),
    )
    return used | {name: f"{count} {what}" for name, count, what in words if count}
