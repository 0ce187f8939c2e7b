"""A small documentation directory, and the space that it was imported into."""

from __future__ import annotations

import struct
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.client import World


def png(width: int, height: int) -> bytes:
    """A grey picture."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    rows = zlib.compress((b"\0" + b"\x80" * width) * height)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


PICTURE = png(3, 2)
TABLE = b"name,count\nheron,3\n"

WELCOME = """---
description: Where to begin.
icon: bird
metaLinks:
  alternates:
    - guides/start/README.md
---

# Welcome

A heron of <code class="expression">space.vars.product</code> stands here.\\
Second line, with trailing spaces.  \n
See [installing](guides/start/install.md#linux) and [elsewhere](https://example.com/x?a=1&b=2).

{% include ".gitbook/includes/notice.md" %}

<figure><img src=".gitbook/assets/pixel.png" alt="A pixel"><figcaption></figcaption></figure>

{% hint style="nonsense" %}
Äöü 日本語 🦉 {% unknown %} <weird>
{% endhint %}
"""

FILES: dict[str, bytes] = {
    "README.md": WELCOME.encode(),
    "SUMMARY.md": b"""# Table of contents

* [Welcome](README.md)

## Guides

* [Start](guides/start/README.md)
  * [Install](guides/start/install.md "Set up")
    * [On Linux](guides/start/install/linux.md)
* [Outside](https://example.com/outside)
* [Case](guides/CamelCase.md)
""",
    "guides/start/README.md": b"# Start\n\nBegin at the nest.\n",
    "guides/start/install.md": b"---\nvars:\n  speed: 3\n---\n\n# Install\n\n## Linux\n\nFeathers first.\n",
    "guides/start/install/linux.md": b"# On Linux\r\n\r\nCarriage returns stay.\r\n",
    "guides/CamelCase.md": b"# Case\n",
    "secret/unlisted.md": b"# Unlisted\n\nNobody links here, yet it is kept.\n",
    ".gitbook.yaml": b"root: ./\nredirects:\n  old/place: guides/start/install.md\n",
    ".gitbook/vars.yaml": b"product: Ardea\nlimit: 12\n",
    ".gitbook/includes/notice.md": b"---\ntitle: A notice\n---\n\nMind the **nest**.\n",
    ".gitbook/assets/pixel.png": PICTURE,
    ".gitbook/assets/counts.csv": TABLE,
}


def write(folder: Path, files: dict[str, bytes] = FILES) -> Path:
    """The directory, written."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder


def every(pages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All pages of a tree, in reading order."""
    return [one for page in pages for one in (page, *every(page.get("pages", [])))]


@dataclass
class Handbook:
    """The imported space. Tests only read it."""

    world: World
    space: str
    revision: str

    @property
    def head(self) -> str:
        return f"/v1/spaces/{self.space}/content"

    @property
    def by_id(self) -> str:
        return f"/v1/spaces/{self.space}/revisions/{self.revision}"

    @property
    def draft(self) -> str:
        return f"/v1/spaces/{self.space}/change-requests/1/content"

    @property
    def prefixes(self) -> tuple[str, str, str]:
        """Primary content, the same by the revision's id, and in a change request without edits."""
        return self.head, self.by_id, self.draft

    def get(self, path: str, **options: Any) -> Any:
        """What a successful read answers."""
        reply = self.world.api.get(path, **options)
        assert reply.status == 200, f"{path}: {reply.status} {reply.text[:300]}"
        return reply.json

    def page(self, title: str) -> dict[str, Any]:
        """A listed page by its title."""
        pages = every(self.get(self.head + "/pages")["pages"])
        found: dict[str, Any] = next(one for one in pages if one["title"] == title)
        return found

    def file(self, name: str) -> dict[str, Any]:
        found: dict[str, Any] = next(one for one in self.get(self.head + "/files")["items"] if one["name"] == name)
        return found
