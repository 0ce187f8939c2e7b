"""Commands that move: `transfer`, `blobs copy`, `blobs collect`."""

from __future__ import annotations

from pathlib import Path

import click
import msgspec

from octavo.kernel.settings import SettingsError
from octavo.terminal import Group, data_option, progress, run, say, settings_of


@click.command()
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@data_option
def transfer(source: str, target: str, data: Path | None) -> None:
    """Move everything into an empty installation, from SQLite to PostgreSQL for example; run again, it goes on."""
    from octavo.moving.transfer import settings_at
    from octavo.moving.transfer import transfer as moved

    settings_of(data)  # a wrong setting is told, and logs are written
    try:
        ours, theirs = settings_at(source, data), settings_at(target, data)
    except SettingsError as error:
        raise click.ClickException(str(error)) from error
    with progress("Transfer") as show:
        result = run(lambda: moved(ours, theirs, show))
    say(result)


@click.group(cls=Group)
def blobs() -> None:
    """Files of content."""


@blobs.command("copy")
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--dry-run", is_flag=True, help="Copy nothing; say what would be.")
def copy(source: str, target: str, dry_run: bool) -> None:
    """Copy all files from one store into another, each compared by its hash; run again, it goes on."""
    from octavo.moving import files

    async def work() -> files.Copied:
        ours = files.store_of(source, prefix="FROM_")
        theirs = files.store_of(target, prefix="TO_", makes=not dry_run)
        return await files.copy(ours, theirs, show, dry=dry_run)

    with progress("Files") as show:
        copied = run(work)
    say({**msgspec.structs.asdict(copied), "dryRun": dry_run})


@blobs.command("collect")
@data_option
def collect(data: Path | None) -> None:
    """Remove content and files that nothing refers to, and that nobody stored within a day; also beside a server."""
    from octavo.moving import collecting

    settings = settings_of(data)
    with progress("Collecting") as show:
        told = run(lambda: collecting.collect(settings, show))
    say(told)
