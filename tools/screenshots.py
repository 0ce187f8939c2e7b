"""Photographs Octavo for the README and its documentation, into docs/.gitbook/assets: a published page in both themes, and the
application with a small team at work, and the screens of the guides. Emoji are there where a font has them, as Debian's
fonts-noto-color-emoji does.

python tools/screenshots.py          all
python tools/screenshots.py guides   only those of the guides, which show publishing, people, what comes in and parties outside
"""

from __future__ import annotations

import io
import re
import sys
from collections.abc import Iterator

import guided
from browsing import FLAGS, ROOT, chromium, previewed
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright
from seeded import PAGE as FIRST
from seeded import PASSWORD, Team, team

ASSETS = ROOT / "docs" / ".gitbook" / "assets"
PAGE = "content/blocks"
PLACE = "#hints"
SIZE = (1280, 800)
COMMON = 160
MOST = 60_000
THEMES = ("light", "dark")


def photograph(browser: Browser, url: str, theme: str) -> bytes:
    """A PNG of what a reader sees first."""
    width, height = SIZE
    tab = browser.new_page(
        viewport={"width": width, "height": height},
        color_scheme="dark" if theme == "dark" else "light",
        reduced_motion="reduce",
    )
    tab.goto(url, wait_until="networkidle")
    tab.evaluate("document.fonts.ready")
    picture = tab.screenshot()
    tab.close()
    return picture


def signed_in(browser: Browser, at: Team) -> Page:
    """The home of the organization, with what waits there."""
    width, height = SIZE
    tab = browser.new_page(viewport={"width": width, "height": height}, color_scheme="light", reduced_motion="reduce")
    tab.goto(f"{at.base}/login?next=/app")
    tab.get_by_label("E-mail").fill("ada@example.org")
    tab.get_by_label("Password").fill(PASSWORD)
    tab.get_by_role("button", name="Sign in").click()
    tab.get_by_role("list", name="Waiting for you").wait_for()
    return tab


def photographs(tab: Page, at: Team) -> Iterator[tuple[str, bytes]]:
    """(name, PNG) of each screen of the application that is shown."""
    yield "app-home", _settled(tab)
    here = {"tab": "photograph", "page": at.page}
    at.ask("PUT", f"/v1/spaces/{at.space}/presence", here, at.grace)
    root = f"{at.base}/app/o/{at.organization}/s/{at.space}"
    tab.goto(f"{root}/{FIRST}")
    tab.locator(".face").first.wait_for()
    tab.get_by_role("button", name=re.compile("1 comment")).first.click()
    tab.get_by_role("dialog").get_by_text("Grace Hopper").wait_for()
    yield "app-page", _settled(tab)
    tab.goto(f"{root}/~/changes/{at.review}/~/changes")
    tab.frame_locator("iframe[title^='Page: changed']").first.locator("ins").first.wait_for()
    yield "app-review", _settled(tab)
    tab.goto(f"{root}/~/changes/{at.edit}/~/edit/{at.page}")
    text = tab.get_by_role("textbox", name="Text of the page")
    text.wait_for()
    text.press("Control+End")
    text.press("Enter")
    text.press_sequentially("/hint")
    tab.get_by_role("option", name=re.compile("Hint|Note", re.IGNORECASE)).first.wait_for()
    yield "app-editor", _settled(tab)


def _settled(tab: Page) -> bytes:
    tab.evaluate("document.fonts.ready.then(() => new Promise((done) => setTimeout(done, 400)))")
    return tab.screenshot()


def compressed(picture: bytes) -> bytes:
    """The same with a palette: what is common keeps its very colour, as grounds lie close, the rest comes near.

    A picture of many colours gets fewer of them, until it is small enough.
    """
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)
    for colours in (256, 128, 64, 32):
        share = colours * COMMON // 256
        common = [channel for _, colour in counted[:share] for channel in colour]  # type: ignore[attr-defined]
        rest = image.quantize(colours - share, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
        palette = Image.new("P", (1, 1))
        palette.putpalette([*common, *rest])
        made = io.BytesIO()
        image.quantize(palette=palette, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
        if made.tell() <= MOST:
            break
    return made.getvalue()


def kept(name: str, picture: bytes) -> None:
    """Ends the program where the picture is larger than a page should load."""
    body = compressed(picture)
    if len(body) > MOST:
        sys.exit(f"The picture {name} has {len(body)} bytes, {MOST} are the most.")
    (ASSETS / f"{name}.png").write_bytes(body)
    sys.stderr.write(f"{name}.png: {len(body)} bytes\n")


def main(only: list[str]) -> None:
    """Write the pictures."""
    with sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=list(FLAGS[1:]))
        if not only:
            with previewed() as site:
                for theme in THEMES:
                    kept(f"page-{theme}", photograph(browser, site + PAGE + PLACE, theme))
        with team() as at:
            tab = signed_in(browser, at)
            for name, picture in () if only else photographs(tab, at):
                kept(name, picture)
            for name, picture in guided.photographs(tab, at, _settled):
                kept(name, picture)
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:])
