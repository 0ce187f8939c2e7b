"""A preview in a browser: pages follow their files, stay where they were read, and say what is broken."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.serving.previewing import Preview, previewing

LONG = "\n\n".join(f"## Part {number}\n\nTerns dive." for number in range(80))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "terns"
    folder.mkdir()
    (folder / "README.md").write_text("# Terns\n\nThey dive.\n")
    (folder / "long.md").write_text(f"# Long\n\n{LONG}\n")
    return folder


@pytest.fixture
def preview(browser: Any, folder: Path) -> Iterator[Preview]:
    with previewing(folder) as running:
        yield running


def test_a_page_follows_its_file(preview: Preview, folder: Path, open_page: Callable[..., Any]) -> None:
    tab = open_page(preview.site + "long")
    other = open_page(preview.site)
    other.evaluate("window.stayed = true")
    badge = tab.locator(".preview-badge")
    tab.evaluate("window.scrollTo(0, 4000)")
    tab.wait_for_function("() => window.scrollY >= 3900")

    (folder / "long.md").write_text(f"# Long\n\n{LONG}\n\nAnd [gone](gone.md).\n")
    tab.wait_for_function("() => document.body.innerText.includes('And gone.')")
    tab.wait_for_function("() => window.scrollY >= 3900")
    badge.wait_for()
    assert badge.inner_text() == "1 broken link"
    # The tab beside it is told of the link, and did not load: its page is as it was.
    other.locator(".preview-badge").wait_for()
    assert other.evaluate("window.stayed") is True

    badge.click()
    tab.locator(".preview-list").wait_for()
    assert "line 323" in tab.locator("tr", has_text="gone.md").inner_text()
    (folder / "long.md").write_text(f"# Long\n\n{LONG}\n")
    tab.get_by_role("heading", name="No broken links").wait_for()
    assert tab.complaints == []
    assert other.complaints == []
