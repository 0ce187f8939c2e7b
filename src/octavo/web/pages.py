"""Templates of a door become HTML: escaped, strict about names, free of inline code; and the headers that lock pages."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from octavo.kernel.clock import moment
from octavo.web.answers import Answer, html
from octavo.web.asgi import Header

if TYPE_CHECKING:
    from jinja2 import Environment


@cache
def environment(package: str, folder: Path | None = None) -> Environment:
    """The environment of the templates below a package, made once; a template is compiled when it is first used.

    One of the same name in `folder` takes the place of the package's.
    """
    # Jinja is imported with the first page, not with the server.
    from jinja2 import ChoiceLoader, Environment, FileSystemLoader, PackageLoader, StrictUndefined

    packaged = PackageLoader(package, "templates")
    made = Environment(
        loader=packaged if folder is None else ChoiceLoader([FileSystemLoader(folder), packaged]),
        autoescape=lambda name: name is None or not name.endswith(".txt"),
        undefined=StrictUndefined,
        auto_reload=False,
        cache_size=-1,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["day"] = lambda at: f"{moment(at):%-d %B %Y}"
    made.filters["iso_day"] = lambda at: f"{moment(at):%Y-%m-%d}"
    return made


class Pages:
    """The pages of one door."""

    def __init__(self, package: str, **known: object) -> None:
        """`known` is what every template knows."""
        self._package = package
        self._known = known

    def render(self, template: str, /, **values: object) -> str:
        """The whole HTML document."""
        return environment(self._package).get_template(template).render(**self._known, **values)

    def page(self, status: int, template: str, /, *headers: Header, **values: object) -> Answer:
        """The document as an answer."""
        return html(status, self.render(template, **values), *headers)


def locked(referrer: str) -> tuple[Header, ...]:
    """Headers of pages on which people sign in: nobody keeps or frames them, no script runs. `referrer` is what links and
    forms on them tell of where they were: `same-origin`, or `no-referrer`, with which browsers send forms without origin.
    """
    return (
        (
            b"content-security-policy",
            b"default-src 'none'; style-src 'self'; font-src 'self'; img-src 'self' data:; form-action 'self'; "
            b"base-uri 'none'; frame-ancestors 'none'",
        ),
        (b"x-frame-options", b"DENY"),
        (b"x-content-type-options", b"nosniff"),
        (b"referrer-policy", referrer.encode()),
        (b"cross-origin-opener-policy", b"same-origin"),
        (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
        (b"cache-control", b"no-store"),
    )
