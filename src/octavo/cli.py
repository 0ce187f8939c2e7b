"""The command line; the last line that a command prints is its result as one JSON object.

Each command imports what it needs itself: none waits for the libraries of another.
"""

from __future__ import annotations

import gc
import os
import sys
from pathlib import Path

import click

from octavo import __version__
from octavo.backups import commands as backing
from octavo.moving import commands as moving
from octavo.operating import commands as operating
from octavo.store.directory import PRIVATE
from octavo.terminal import Group, data_option, door_options, run, say, settings_of

ROLES = ("admin", "create", "review", "edit", "comment", "read", "guest")


@click.group(cls=Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__)
def main() -> None:
    """Octavo: a documentation platform that you host yourself."""
    # Nobody else of this machine reads what a command writes: the data holds the key that signs addresses.
    os.umask(PRIVATE)


@main.command()
@data_option
@door_options
@click.option(
    "--drain",
    default=0.0,
    metavar="SECONDS",
    type=click.FloatRange(0, 600),
    help="At the end go on for so long, while /readyz answers 503.",
)
@click.option("--access-log", is_flag=True, help="Write a line for each request.")
def serve(data: Path | None, host: str, port: int, drain: float, access_log: bool) -> None:
    """Serve the API and the published sites; on SQLite it runs the jobs too."""
    # What a start makes stays: looking through it for garbage took a tenth of the start. `serving` enables it again.
    gc.disable()
    from octavo.serving import Door, serve_forever

    settings = settings_of(data)
    run(lambda: serve_forever(settings, Door(host, port, drain, access_log)))


@main.command()
@data_option
@click.option(
    "--metrics",
    metavar="[HOST:]PORT",
    help="Answer /metrics and /healthz there, on 127.0.0.1 without a host.",
)
def worker(data: Path | None, metrics: str | None) -> None:
    """Run jobs apart from the API (PostgreSQL)."""
    from octavo.serving import Watched, work_forever

    settings = settings_of(data)
    if settings.database_url is None:
        raise click.ClickException(
            "a worker of its own needs OCTAVO_DATABASE_URL; on SQLite `octavo serve` runs the jobs"
        )
    host, _, port = (metrics or "").rpartition(":")
    if metrics is not None and not (port.isascii() and port.isdigit() and int(port) < 1 << 16):
        raise click.ClickException("--metrics takes a port, or a host and a port as 0.0.0.0:9100")
    watched = None if metrics is None else Watched(host.strip("[]") or "127.0.0.1", int(port))
    run(lambda: work_forever(settings, watched))


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


@user.command("list")
@data_option
@click.option("--organization", metavar="ID", help="Only its members and guests.")
def list_users(data: Path | None, organization: str | None) -> None:
    """List the accounts, with the organizations that each is in."""
    from octavo import administration

    say(run(lambda: administration.list_users(settings_of(data), organization)))


@user.command("password")
@data_option
@click.option("--email", required=True)
@click.option("--remove", is_flag=True, help="Take the password away instead.")
def password(data: Path | None, email: str, remove: bool) -> None:
    """Set the password that a user signs in with; it is asked for, or read from standard input."""
    from octavo import administration

    given = None if remove else _asked_password()
    say(run(lambda: administration.set_password(settings_of(data), email, given)))


def _asked_password() -> str:
    if not sys.stdin.isatty():
        return sys.stdin.readline().rstrip("\r\n")
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked


@user.command("sign-out")
@data_option
@click.option("--email", required=True)
def sign_out(data: Path | None, email: str) -> None:
    """End every session of a user: all browsers have to sign in again."""
    from octavo import administration

    say(run(lambda: administration.sign_out(settings_of(data), email)))


@user.command("restore")
@data_option
@click.option("--email", required=True)
def restore_user(data: Path | None, email: str) -> None:
    """Bring a deleted account back, within its days."""
    from octavo import administration

    say(run(lambda: administration.restore_user(settings_of(data), email)))


@main.group()
def organization() -> None:
    """Organizations."""


@organization.command("list")
@data_option
def list_organizations(data: Path | None) -> None:
    """List the organizations, deleted ones too."""
    from octavo import administration

    say(run(lambda: administration.list_organizations(settings_of(data))))


@organization.command("restore")
@data_option
@click.option("--organization", "key", required=True, metavar="ID")
def restore_organization(data: Path | None, key: str) -> None:
    """Bring a deleted organization back, within its days."""
    from octavo import administration

    say(run(lambda: administration.restore_organization(settings_of(data), key)))


@main.group()
def token() -> None:
    """Personal API tokens."""


@token.command("create")
@data_option
@click.option("--email", required=True)
@click.option("--label", default="")
@click.option("--days", type=click.IntRange(min=1), help="Days until it expires; without, it does not.")
@click.option("--scope", "scopes", multiple=True, help="Limit it to this scope; may be given more than once.")
def create_token(data: Path | None, email: str, label: str, days: int | None, scopes: tuple[str, ...]) -> None:
    """Make a token; it is shown this once."""
    from octavo import administration

    say(run(lambda: administration.create_token(settings_of(data), email, label, days, scopes)))


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


@main.group()
def sso() -> None:
    """Single sign-on."""


@sso.command("show")
@data_option
@click.option("--organization", required=True, metavar="ID")
def show_sso(data: Path | None, organization: str) -> None:
    """Show the identity providers and verified domains of an organization, and whether single sign-on is enforced."""
    from octavo import administration

    say(run(lambda: administration.show_sso(settings_of(data), organization)))


@sso.command("off")
@data_option
@click.option("--organization", required=True, metavar="ID")
def sso_off(data: Path | None, organization: str) -> None:
    """Enforce single sign-on no longer: for when nobody can come in by it."""
    from octavo import administration

    say(run(lambda: administration.sso_off(settings_of(data), organization)))


@main.group()
def domain() -> None:
    """Domains of e-mail addresses."""


@domain.command("verify")
@data_option
@click.option("--organization", required=True, metavar="ID")
@click.option("--remove", is_flag=True, help="Say that they are not the organization's any more.")
@click.argument("name", metavar="DOMAIN")
def verify_domain(data: Path | None, organization: str, remove: bool, name: str) -> None:
    """Say that the addresses of a domain are an organization's: who has one may join it, and sign in by its SSO."""
    from octavo import administration

    say(run(lambda: administration.verify_domain(settings_of(data), organization, name, remove=remove)))


@main.group()
def site() -> None:
    """Sites."""


@site.command("hostname")
@data_option
@click.option("--site", "key", required=True, metavar="ID")
@click.option("--remove", is_flag=True, help="Say that it may not any more.")
@click.argument("hostname")
def give_hostname(data: Path | None, key: str, remove: bool, hostname: str) -> None:
    """Say that a site may answer on a hostname; one that a site's admin only wishes is not served."""
    from octavo import administration

    say(run(lambda: administration.give_hostname(settings_of(data), key, hostname, remove=remove)))


site.add_command(operating.list_sites)
main.add_command(operating.job)
main.add_command(operating.mail)
main.add_command(operating.doctor)
main.add_command(operating.config)
main.add_command(backing.backup)
main.add_command(backing.restore)
main.add_command(backing.promote)
main.add_command(moving.transfer)
main.add_command(moving.blobs)


@main.command("import")
@click.argument("source", metavar="SOURCE")
@data_option
@click.option("--organization", metavar="ID", help="Its id; an exported organization becomes one of its own without.")
@click.option("--space", metavar="ID", help="Import into this space again, keeping the ids of its pages.")
@click.option("--title", help="Title of the new space and site.")
@click.option("--ref", default="HEAD", show_default=True, help="Branch or tag of a Git repository.")
@click.option("--directory", default="", help="Directory of the content in it.")
@click.option("--publish", is_flag=True, help="Publish it as a site.")
@click.option("--force", is_flag=True, help="Import it also where it has no pages, which removes those that are there.")
def import_(
    source: str,
    data: Path | None,
    organization: str | None,
    space: str | None,
    title: str | None,
    ref: str,
    directory: str,
    publish: bool,
    force: bool,
) -> None:
    """Import a directory, a zip or a Git repository of documentation, or what export wrote of an organization."""
    from octavo import importing

    order = importing.Order(source, organization, space, title, ref, directory, publish, refuse_empty=not force)
    say(run(lambda: importing.import_now(settings_of(data), order)))


@main.command()
@click.argument("target", metavar="TARGET", type=click.Path(path_type=Path))
@data_option
@click.option("--space", metavar="ID", help="Write the content of this space.")
@click.option(
    "--organization", metavar="ID", help="Write all spaces of this organization, with a list of what they are."
)
def export(target: Path, data: Path | None, space: str | None, organization: str | None) -> None:
    """Write a space, or all spaces of an organization, as files that import reads again."""
    from octavo import exporting

    say(run(lambda: exporting.export_now(settings_of(data), exporting.Order(target, space, organization))))


@main.command()
@data_option
@click.option("--to", metavar="MIGRATION", help="Go back to the schema of an earlier Octavo.")
@click.option(
    "--check", is_flag=True, help="Change nothing; say what would be done, with exit code 1 where something would."
)
def migrate(data: Path | None, to: str | None, check: bool) -> None:
    """Bring the database to this version's schema; stop Octavo and make a backup first."""
    from octavo import administration

    if check:
        told = run(lambda: administration.migrations_missing(settings_of(data)))
        say(told)
        sys.exit(0 if told["version"] == told["newest"] else 1)
    say(run(lambda: administration.migrate_now(settings_of(data), to)))


@main.command()
@click.argument("source", metavar="DIR", type=click.Path(path_type=Path, exists=True, file_okay=False))
@data_option
@door_options
@click.option("--title", help="Title of the site; else that of docs.yaml, else the name of the folder.")
@click.option(
    "--openapi",
    "described",
    metavar="SLUG=FILE",
    multiple=True,
    help="The description of an API that pages name by the slug; may be given several times.",
)
def preview(
    source: Path, data: Path | None, host: str, port: int, title: str | None, described: tuple[str, ...]
) -> None:
    """Show a folder as the site it would become, follow its changes, and list its broken links."""
    from octavo.serving import Door
    from octavo.serving.preview import preview_forever

    settings = settings_of(data)
    run(lambda: preview_forever(settings, source, Door(host, port), title, described))


if __name__ == "__main__":
    sys.exit(main())
