"""Templates of the console become HTML: escaped, strict about names, free of inline code and scripts."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from hashlib import blake2b
from importlib.resources import files
from typing import TYPE_CHECKING

from octavo.kernel.clock import moment

if TYPE_CHECKING:
    from jinja2 import Environment

STYLES = "/account/~console.css"
"""Where the style sheet is served; its version is the query."""


@cache
def styles() -> bytes:
    """The console's own style sheet; tokens and elements come from the look of published pages."""
    return files("octavo.console").joinpath("static", "console.css").read_bytes()


@cache
def styles_address() -> str:
    """With the version."""
    return f"{STYLES}?{blake2b(styles(), digest_size=6).hexdigest()}"


class Pages:
    """Renders templates; `asset` gives the address of a file of published pages."""

    def __init__(self, asset: Callable[[str], str]) -> None:
        self._asset = asset

    def render(self, template: str, **values: object) -> str:
        """The whole HTML document."""
        made = _environment().get_template(template)
        return made.render(asset=self._asset, styles=styles_address(), **values)


@cache
def _environment() -> Environment:
    # Jinja is imported with the first page, not with the server.
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("octavo.console", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["day"] = lambda at: f"{moment(at):%-d %B %Y}"
    made.filters["iso_day"] = lambda at: f"{moment(at):%Y-%m-%d}"
    return made
