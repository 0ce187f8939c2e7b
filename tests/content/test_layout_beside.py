"""Writing a space into a directory in which other things lie, too: they stay, and nothing is refused because of them."""

from __future__ import annotations

from tests.content.test_layout_write import Space


def test_a_file_that_pages_only_linked_to_stays() -> None:
    space = Space(
        {
            "fish.md": b"# Fish\n\n[run](scripts/run.sh) and ![](.gitbook/assets/a.png)\n",
            "scripts/run.sh": b"#!/bin/sh\n",
            ".gitbook/assets/a.png": b"not really",
        }
    )
    assert len(space.attached) == 2
    space.change(space.find("fish.md"), "# Fish\n\nNo link.\n")
    space.attached.clear()
    assert space.after() == {"fish.md": b"# Fish\n\nNo link.\n", "scripts/run.sh": b"#!/bin/sh\n"}
