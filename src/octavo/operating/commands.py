"""Commands for operators: `doctor`, `config`, `job list`, `site list`, `mail`."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from octavo.kernel.locales import LOCALES
from octavo.kernel.settings import SettingsError
from octavo.terminal import Group, data_option, run, say, settings_of

_MARKS = {"ok": "ok  ", "off": "off ", "warning": "WARN", "failure": "FAIL"}


@click.command("list")
@data_option
@click.option("--organization", metavar="ID", help="Only its sites.")
def list_sites(data: Path | None, organization: str | None) -> None:
    """List the sites, with their addresses."""
    from octavo.operating import listing

    say(run(lambda: listing.sites(settings_of(data), organization)))


@click.group(cls=Group)
def job() -> None:
    """Work that is done outside of requests."""


@job.command("list")
@data_option
@click.option(
    "--state",
    "states",
    multiple=True,
    type=click.Choice(("waiting", "running", "failed", "done")),
    help="Only those; may be given more than once. Without, what is not done.",
)
@click.option("--kind", default="", help="Only those of this kind.")
@click.option("--limit", default=100, show_default=True, type=click.IntRange(1, 10_000), help="At most so many.")
def list_jobs(data: Path | None, states: tuple[str, ...], kind: str, limit: int) -> None:
    """List jobs, the newest first, and count what is not done."""
    from octavo.operating import listing

    wanted = states or ("waiting", "running", "failed")
    say(run(lambda: listing.jobs(settings_of(data), wanted, kind, limit)))


@click.group(cls=Group)
def mail() -> None:
    """How letters look."""


_FOLDER = click.argument("folder", type=click.Path(path_type=Path, file_okay=False))


@mail.command("templates")
@_FOLDER
def write_templates(folder: Path) -> None:
    """Write the templates of letters into FOLDER, to be changed and named by OCTAVO_MAIL_TEMPLATES."""
    from octavo.operating.letters import write_templates as write

    try:
        say(write(folder))
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from error


@mail.command("show")
@_FOLDER
@data_option
@click.option("--language", type=click.Choice(LOCALES), help="In which they are written; without, OCTAVO_LANGUAGE.")
def show_letters(folder: Path, data: Path | None, language: str | None) -> None:
    """Write one letter of each kind into FOLDER as people will get it, with templates as they are set."""
    from octavo.operating.letters import show_letters as show

    try:
        say(show(settings_of(data), folder, language))
    except ValueError as error:
        raise click.ClickException(f"a template cannot be used: {error}") from error
    except OSError as error:
        raise click.ClickException(f"{folder} cannot be written: {error.strerror}") from error


@click.command()
@data_option
def doctor(data: Path | None) -> None:
    """Look at everything that has to be well, and say what to do where it is not; exit code 1 where something fails."""
    from octavo.operating.doctor import examine

    settings = settings_of(data)
    findings = run(lambda: examine(settings))
    for one in findings:
        click.echo(f"{_MARKS[one.state]}  {one.check}: {one.said}")
        if one.todo:
            click.echo(f"      -> {one.todo}")
    failures = sum(one.state == "failure" for one in findings)
    warnings = sum(one.state == "warning" for one in findings)
    say(
        {
            "checks": [
                {"check": one.check, "state": one.state, "said": one.said, "todo": one.todo} for one in findings
            ],
            "failures": failures,
            "warnings": warnings,
        }
    )
    if failures:
        sys.exit(1)


@click.command()
@data_option
@click.option("--changed", is_flag=True, help="Only what somebody set.")
def config(data: Path | None, changed: bool) -> None:
    """Show every setting, and where its value comes from; secrets are hidden."""
    from octavo.operating.config import configuration

    try:
        told = [one for one in configuration(data) if not changed or one["from"] != "default"]
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    for one in told:
        value = ",".join(map(str, one["value"])) if isinstance(one["value"], list) else one["value"]
        click.echo(f"{one['name']}={'' if value is None else value}  ({one['from']})")
    say({"settings": told})
