"""What commands have in common: options, settings, an event loop, refusals as sentences, a result as the last line."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
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
        configure_logs(settings.log_level, settings.log_format)
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


LINES = 5.0
"""Seconds between two lines of progress within one step."""


@contextmanager
def progress(what: str, *, quiet: bool = False) -> Iterator[Callable[[dict[str, Any]], None]]:
    """How far the work is, on standard error: a bar on a terminal, else a line for each step and now and then between."""
    # Rich is for those who show something.
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    if quiet or not console.is_terminal:
        yield _Lines(quiet=quiet)
        return
    columns = (
        TextColumn("{task.description:<10}"),
        BarColumn(),
        TextColumn("{task.completed}/{task.total}"),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task(what, total=None)

        def show(step: dict[str, Any]) -> None:
            bar.update(task, description=str(step["step"]).title(), completed=step["done"], total=step.get("total"))

        yield show


class _Lines:
    """Progress where nobody looks at a bar: in logs of other programs."""

    def __init__(self, *, quiet: bool) -> None:
        self._quiet = quiet
        self._step = ""
        self._again_at = 0.0

    def __call__(self, step: dict[str, Any]) -> None:
        now = time.monotonic()
        if self._quiet or (step["step"] == self._step and now < self._again_at):
            return
        self._step, self._again_at = step["step"], now + LINES
        total = f" of {step['total']}" if step.get("total") is not None else ""
        click.echo(f"{str(step['step']).title()}: {step['done']}{total}", err=True)


class Group(click.Group):
    """Lists its commands with their whole first sentence."""

    group_class = type

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """One line a command, or as many as it takes."""
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(1000)) for name, one in sorted(self.commands.items())])


class Defaulting(Group):
    """A command that has further ones: a first word that names none of these is the first of its own."""

    def __init__(self, *words: Any, own: click.Command, **more: Any) -> None:
        super().__init__(*words, **more)
        self.own = own

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The named command, or its own with all words."""
        if args and args[0] in self.commands:
            return super().resolve_command(ctx, args)
        return self.own.name, self.own, args

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Options are those of its own command too."""
        if args and args[0] not in self.commands and args[0] not in ctx.help_option_names:
            args = ["--", *args]
        return super().parse_args(ctx, args)

    def format_help(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Its own command's, then the further ones."""
        self.own.format_help(ctx, formatter)
        self.format_commands(ctx, formatter)
