"""What commands have in common: options, settings, an event loop, refusals as sentences, a result as the last line."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, TypeVar

import click
import msgspec

from octavo.kernel.errors import Failure
from octavo.kernel.settings import Settings, SettingsError, load
from octavo.logs import configure_logs

T = TypeVar("T")
C = TypeVar("C", bound=Callable[..., None])

data_option = click.option("--data", type=click.Path(path_type=Path), help="Directory of the data (OCTAVO_DATA).")
_DOOR = (
    click.option("--host", default="127.0.0.1", show_default=True, envvar="OCTAVO_HOST", show_envvar=True),
    click.option(
        "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), envvar="OCTAVO_PORT", show_envvar=True
    ),
)


def door_options(command: C) -> C:
    """Where a server listens."""
    for option in reversed(_DOOR):
        command = option(command)
    return command


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


def event_loop() -> asyncio.AbstractEventLoop:
    """The faster event loop, or Python's own where that one does not run: it is left out on Windows, for example."""
    try:
        import uvloop
    except ImportError:
        return asyncio.new_event_loop()
    return uvloop.new_event_loop()


def run(work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run a command; a refusal is a sentence and exit code 1, never a traceback."""
    try:
        with asyncio.Runner(loop_factory=event_loop) as runner:
            return runner.run(work())
    except Failure as failure:
        raise click.ClickException(failure.message) from failure
    except OSError as error:
        # Of files that were named, or that the machine does not have: what is wrong is there, not here.
        place = f"{error.filename}: " if error.filename is not None else ""
        raise click.ClickException(f"{place}{error.strerror or error}") from error


class Group(click.Group):
    """Lists its commands with their whole first sentence."""

    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line a command, or as many as it takes."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(1000)) for name, one in sorted(self.commands.items())])
