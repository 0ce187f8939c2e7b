"""`octavo preview`: a folder as the site it would become, read again whenever it changes."""

from __future__ import annotations

import asyncio
import contextlib
import signal
import tempfile
import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import click
import msgspec

from octavo.administration import first_admin
from octavo.content.layout.report import Notice
from octavo.kernel.errors import BadRequest, Failure
from octavo.kernel.settings import Settings
from octavo.main import App
from octavo.serving import Door, opened_for_serving, run_server
from octavo.serving.listening import address, listen
from octavo.serving.preview import apis
from octavo.serving.preview.live import PREFIX, Live
from octavo.serving.preview.problems import is_link
from octavo.serving.preview.site import Folder
from octavo.serving.preview.watching import Watch
from octavo.site.addresses import site_address

_NAMED = 20
"""Problems, and files that changed, that the console names."""


async def preview_forever(
    settings: Settings, source: Path, door: Door, title: str | None, described: Sequence[str] = ()
) -> None:
    """Show a folder until SIGTERM or SIGINT; `described` are descriptions of APIs, `slug=file`. Raises Failure where it holds
    nothing that can be shown."""
    descriptions = apis.named(described)
    # Whatever stops it, what is kept for the preview alone is removed.
    signal.signal(signal.SIGTERM, signal.getsignal(signal.SIGINT))
    source = source.resolve()
    with _keeping(settings, source) as kept:
        listener = listen(door.host, door.port)
        base = (settings.base_url or address(door.host, listener)).rstrip("/")
        async with opened_for_serving(kept, base, makes=True) as house, Watch(source) as watch:
            admin = await first_admin(house.store, "admin@localhost", "Admin", "Octavo")
            folder = Folder(house, source, admin["organization"], title)
            await folder.bring()
            await apis.bring(house, admin["organization"], descriptions)
            await folder.look()
            app = App(house, works=kept.database_url is None)
            live = Live(app)
            live.tell(notices=folder.notices)
            _begin(folder, base, admin["token"], stays=kept is settings)
            following = asyncio.create_task(_follow(folder, live, watch))
            try:
                await run_server(house, listener, door, app, live)
            finally:
                following.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await following


@contextlib.contextmanager
def _keeping(settings: Settings, source: Path) -> Iterator[Settings]:
    """The settings of the preview: where none names a directory for its data, it keeps them for as long as it runs."""
    if settings.data != Settings().data:
        if settings.data.resolve().is_relative_to(source):
            raise BadRequest(
                f"--data {settings.data} lies in the folder that is previewed, in which nothing is written: name another"
                " one, or leave it out"
            )
        yield settings
        return
    with tempfile.TemporaryDirectory(prefix="octavo-preview-", ignore_cleanup_errors=True) as data:
        yield msgspec.structs.replace(settings, data=Path(data), database_url=None)


async def _follow(folder: Folder, live: Live, watch: Watch) -> None:
    """Read the folder again whenever something in it changed; what cannot be read is told, and the rest stays."""
    while True:
        changed = await watch.changed()
        began = time.monotonic()
        known = {*folder.notices}
        # The first reading after a failure takes everything: what failed may not have changed since.
        concerned = None if live.news.error is not None else changed
        try:
            await folder.bring(concerned, quiet=True)
            live.tell(changed=True)
            _say(f"Read again in {time.monotonic() - began:.1f} s: {_some(changed)}")
            await folder.look()
        except Failure as failure:
            live.tell(error=failure.message)
            _say(f"Not read: {failure.message}")
            continue
        except OSError as error:  # a file went while it was read; its going is the next change
            live.tell(error=f"{error.filename or 'the folder'}: {error.strerror}")
            _say(f"Not read: {live.news.error}")
            continue
        live.tell(notices=folder.notices)
        _list([one for one in folder.notices if one not in known])


def _begin(folder: Folder, base: str, token: str, *, stays: bool) -> None:
    assert folder.site is not None  # it was brought in
    broken = sum(map(is_link, folder.notices))
    links = f"{broken} broken link{'' if broken == 1 else 's'}"
    lines = (
        "",
        f"  Site    {site_address(base, folder.site)}",
        f"  Links   {base}{PREFIX}links    {links if broken else 'none is broken'}",
        f"  API     {base}/v1    reference at {base}/docs",
        f"  Token   {token}    (admin; a fresh one each time)",
        "",
        f"  curl -H 'Authorization: Bearer {token}' {base}/v1/orgs",
        "",
        f"  Changes in the folder are shown at once. Stop with Ctrl-C; {'the data stays' if stays else 'nothing is kept'}.",
    )
    click.echo("\n".join(lines))
    _list(folder.notices)


def _list(notices: Sequence[Notice]) -> None:
    """Problems, one a line as compilers write them, so that editors and terminals lead to the place."""
    for one in notices[:_NAMED]:
        click.echo(f"warning: {one}", err=True)
    if len(notices) > _NAMED:
        click.echo(f"warning: {len(notices) - _NAMED} more are on the page of broken links", err=True)


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return ", ".join(names[:3]) + more


def _say(sentence: str) -> None:
    click.echo(f"{time.strftime('%H:%M:%S')} {sentence}", err=True)
