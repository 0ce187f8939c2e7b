"""The command line; the last line that a command prints is its result as one JSON object.

Each command imports what it needs itself: none waits for the libraries of another.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec
import uvloop

from octavo import __version__
from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings, SettingsError, load
from octavo.logs import configure_logs

T = TypeVar("T")
ROLES = ("admin", "create", "review", "edit", "comment", "read", "guest")

data_option = click.option("--data", type=click.Path(path_type=Path), help="Directory of the data (OCTAVO_DATA).")


def say(result: dict[str, Any]) -> None:
    """The last line: one JSON object."""
    click.echo(msgspec.json.encode(result).decode())


def settings_of(data: Path | None) -> Settings:
    """Settings from file, environment and option; a wrong one ends the program with a sentence."""
    try:
        settings = load(data=data)
        configure_logs(settings.log_level)
        return settings
    except SettingsError as error:
        raise click.ClickException(str(error)) from error


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a command; a refusal is a sentence and exit code 1, never a traceback."""
    try:
        with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            return runner.run(work())
    except Failure as failure:
        raise click.ClickException(failure.message) from failure


@click.group()
@click.version_option(__version__)
def main() -> None:
    """Octavo: a documentation platform that you host yourself."""


@main.command()
@data_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
def serve(data: Path | None, host: str, port: int) -> None:
    """Serve the API and the published sites; on SQLite it runs the jobs too."""
    from octavo.serving import serve_forever

    settings = settings_of(data)
    run(lambda: serve_forever(settings, host, port))


@main.command()
@data_option
def worker(data: Path | None) -> None:
    """Run jobs apart from the API (PostgreSQL)."""
    from octavo.serving import work_forever

    settings = settings_of(data)
    if settings.database_url is None:
        raise click.ClickException(
            "a worker of its own needs OCTAVO_DATABASE_URL; on SQLite `octavo serve` runs the jobs"
        )
    run(lambda: work_forever(settings))


@main.command()
@data_option
@click.option("--email", required=True)
@click.option("--name", required=True)
@click.option("--organization", required=True, metavar="TITLE")
def bootstrap(data: Path | None, email: str, name: str, organization: str) -> None:
    """Make the first organization with its admin; again, it gives the same ones and a fresh token."""
    from octavo import administration

    say(run(lambda: administration.bootstrap(settings_of(data), email, name, organization)))


@main.group()
def user() -> None:
    """Users."""


@user.command("create")
@data_option
@click.option("--email", required=True)
@click.option("--name", required=True)
@click.option("--organization", required=True, metavar="ID")
@click.option("--role", required=True, type=click.Choice(ROLES))
def create_user(data: Path | None, email: str, name: str, organization: str, role: str) -> None:
    """Make a user, or take the one with that e-mail address, into an organization."""
    from octavo import administration

    say(run(lambda: administration.create_user(settings_of(data), email, name, organization, role)))


@main.group()
def token() -> None:
    """Personal API tokens."""


@token.command("create")
@data_option
@click.option("--email", required=True)
@click.option("--label", default="")
@click.option("--days", type=click.IntRange(min=1), help="Days until it expires; without, it does not.")
def create_token(data: Path | None, email: str, label: str, days: int | None) -> None:
    """Make a token; it is shown this once."""
    from octavo import administration

    say(run(lambda: administration.create_token(settings_of(data), email, label, days)))


@token.command("list")
@data_option
@click.option("--email", required=True)
def list_tokens(data: Path | None, email: str) -> None:
    """List a user's tokens, without their secrets."""
    from octavo import administration

    say(run(lambda: administration.list_tokens(settings_of(data), email)))


@token.command("revoke")
@data_option
@click.argument("token_id")
def revoke_token(data: Path | None, token_id: str) -> None:
    """Revoke a token by its id."""
    from octavo import administration

    say(run(lambda: administration.revoke_token(settings_of(data), token_id)))


@main.command("import")
@click.argument("source", metavar="DIR_OR_GIT_URL")
@data_option
@click.option("--organization", required=True, metavar="ID")
@click.option("--space", metavar="ID", help="Import into this space again, keeping the ids of its pages.")
@click.option("--title", help="Title of the new space and site.")
@click.option("--ref", default="HEAD", show_default=True, help="Branch or tag of a Git repository.")
@click.option("--directory", default="", help="Directory of the content in it.")
@click.option("--publish", is_flag=True, help="Publish it as a site.")
def import_(
    source: str,
    data: Path | None,
    organization: str,
    space: str | None,
    title: str | None,
    ref: str,
    directory: str,
    publish: bool,
) -> None:
    """Import a directory or a Git repository of documentation."""
    from octavo import importing

    order = importing.Order(source, organization, space, title, ref, directory, publish)
    say(run(lambda: importing.import_now(settings_of(data), order)))


@main.command()
@data_option
def migrate(data: Path | None) -> None:
    """Bring the database to this version's schema."""
    from octavo import administration

    say(run(lambda: administration.migrate_now(settings_of(data))))


@main.command()
@click.argument("file", type=click.Path(path_type=Path))
@data_option
def backup(file: Path, data: Path | None) -> None:
    """Write a backup of database and files, also while the server runs."""
    from octavo import backups

    say(run(lambda: backups.backup(settings_of(data), file)))


@main.command()
@click.argument("file", type=click.Path(path_type=Path, exists=True))
@data_option
def restore(file: Path, data: Path | None) -> None:
    """Restore a backup into an empty data directory or database."""
    from octavo import backups

    say(run(lambda: backups.restore(settings_of(data), file)))


@main.command()
@click.argument("source", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@data_option
@click.option("--host", default="127.0.0.1", show_default=True)
@click.option("--port", default=8000, show_default=True, type=click.IntRange(1, 65535))
def preview(source: Path, data: Path | None, host: str, port: int) -> None:
    """Publish a directory of documentation and serve it; prints where to look and a token to try the API with."""
    from octavo.serving import preview_forever

    settings = settings_of(data)
    run(lambda: preview_forever(settings, source, host, port))


if __name__ == "__main__":
    sys.exit(main())
