"""Photographs Octavo's own documentation for the README: docs/.gitbook/assets/page-light.png and page-dark.png.

python tools/screenshots.py
"""

from __future__ import annotations

import io
import sys

from browsing import FLAGS, ROOT, chromium, previewed
from PIL import Image
from playwright.sync_api import Browser, sync_playwright

ASSETS = ROOT / "docs" / ".gitbook" / "assets"
PAGE = "content/blocks"
PLACE = "#hints"
SIZE = (1280, 800)
COMMON = 160
MOST = 80_000
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


def compressed(picture: bytes) -> bytes:
    """The same with a palette: what is common keeps its very colour, as grounds lie close, the rest comes near."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    counted = sorted(image.getcolors(1 << 24) or [], reverse=True)
    common = [channel for _, colour in counted[:COMMON] for channel in colour]  # type: ignore[union-attr]
    rest = image.quantize(256 - COMMON, method=Image.Quantize.MAXCOVERAGE).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*common, *rest])
    made = io.BytesIO()
    image.quantize(palette=palette, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def main() -> None:
    """Write both pictures; ends with an error when one is larger than a README should load."""
    with previewed() as site, sync_playwright() as tool:
        browser = tool.chromium.launch(executable_path=chromium(), args=list(FLAGS[1:]))
        for theme in THEMES:
            body = compressed(photograph(browser, site + PAGE + PLACE, theme))
            if len(body) > MOST:
                sys.exit(f"The {theme} picture has {len(body)} bytes, {MOST} are the most.")
            (ASSETS / f"page-{theme}.png").write_bytes(body)
            sys.stderr.write(f"page-{theme}.png: {len(body)} bytes\n")
        browser.close()


if __name__ == "__main__":
    main()
