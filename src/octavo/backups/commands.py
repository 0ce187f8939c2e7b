"""Commands of backups: `backup`, `backup drill`, `restore`."""

from __future__ import annotations

from pathlib import Path

import click

from octavo.terminal import Defaulting, data_option, run, say, settings_of

_identity = click.option(
    "--identity",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="File with the secret key, as age-keygen writes it, of a backup that is encrypted.",
)


@click.command("backup")
@click.argument("file", metavar="FILE")
@data_option
@click.option("--recipient", "recipients", multiple=True, metavar="KEY", help="Encrypt it for this public key, age1….")
def make(file: str, data: Path | None, recipients: tuple[str, ...]) -> None:
    """Write a backup of database and files, also while the server runs."""
    from octavo.backups import keeping

    say(run(lambda: keeping.backup(settings_of(data), file, recipients)))


@click.group("backup", cls=Defaulting, own=make, short_help=make.help)
def backup() -> None:
    """Backups."""


@backup.command("drill")
@click.argument("file", metavar="FILE")
@data_option
@_identity
def drill(file: str, data: Path | None, identity: Path | None) -> None:
    """Prove a backup: restore it into a temporary installation, look through all of it, and remove that again."""
    from octavo.backups import drill as drills

    told = run(lambda: drills.drill(settings_of(data), file, identity))
    for sentence in drills.sentences(told):
        click.echo(sentence)
    say(told)


@click.command()
@click.argument("file", metavar="FILE")
@data_option
@_identity
@click.option(
    "--copy", is_flag=True, help="It stands beside its original: switch off all by which it would reach outside."
)
def restore(file: str, data: Path | None, identity: Path | None, copy: bool) -> None:
    """Restore a backup into an empty data directory or database."""
    from octavo.backups import copying, keeping

    told = run(lambda: keeping.restore(settings_of(data), file, identity, copy=copy))
    for sentence in copying.sentences(told["off"]) if copy else ():
        click.echo(sentence)
    say(told)


@click.command()
@data_option
def promote(data: Path | None) -> None:
    """Make a restored copy an installation of its own, which does again what goes by schedule."""
    from octavo.backups import copying

    say(run(lambda: copying.promote(settings_of(data))))
