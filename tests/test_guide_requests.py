"""The guides, typed: every request that they make with curl is made, by curl, and is answered as it should be."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from tests.processes import bootstrap, octavo, send, serving
from tests.processes import get as got

DOCS = Path(__file__).parents[1] / "docs"
_BLOCK = re.compile(r"```bash\n(.*?)```", re.DOTALL)
_OURS = re.compile(r"https?://(?:docs\.example\.com|localhost:8000|octavo\.example\.org)(?=/v1/)")
_AWAY = ("/content/import",)
"""Requests that wait for a party which is not there: whoever makes them is told so."""
_SHELL = r"""
set -eu
touch learnt && . ./learnt
curl() {
  command curl -sS -o answer -w '%{http_code} %{method} %{url_effective}\n' "$@" >> codes
  # What an answer gives, a later request takes.
  jq -r '("id", "secret") as $name | .[$name]? | strings | "\($name | ascii_upcase)=\(@sh)"' answer >> learnt 2> errors || true
  . ./learnt
}
ssh-keyscan() { echo "git.example.com $HOST_KEY"; }
"""


@dataclass
class Reader:
    """Somebody who follows the guides, in a folder of her own; names stand for what she has."""

    folder: Path
    base: str
    names: dict[str, str]
    site: str
    """Where her site is read, without a slash at the end."""

    def types(self, block: str) -> list[tuple[int, str, str]]:
        """(status, method, address) of each request of a block."""
        (self.folder / "codes").write_text("")
        block = _OURS.sub(self.base, block).replace("octavo_…", self.names["TOKEN"])
        block = block.replace('"acme"', f'"{self.names["ORG"]}"').replace("https://docs.example.org", self.site)
        for word in ("ORGANIZATION", "SPACE", "SITE"):
            block = re.sub(rf"(?<![$\w]){word}(?!\w)", self.names[word], block)
        words, environment = ["bash", "-c", _SHELL + block], os.environ | self.names
        done = subprocess.run(words, cwd=self.folder, env=environment, capture_output=True, text=True, timeout=60)
        assert done.returncode == 0, done.stderr
        found = [line.split(" ", 2) for line in (self.folder / "codes").read_text().splitlines()]
        return [(int(code), method, address) for code, method, address in found]

    def answer(self) -> Any:
        return json.loads((self.folder / "answer").read_text() or "null")


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    if not shutil.which("curl") or not shutil.which("jq") or not shutil.which("openssl"):
        pytest.skip("curl, jq or openssl is not installed")
    folder = tmp_path_factory.mktemp("reader")
    data, pages = folder / "data", folder / "pages"
    (pages / "guides").mkdir(parents=True)
    (pages / "README.md").write_text("# Handbook\n")
    (pages / "guides" / "install.md").write_text("# Install\n\nUnpack it.\n")
    (folder / "openapi.yaml").write_text("openapi: 3.1.0\ninfo: {title: Pets, version: '1'}\npaths: {}\n")
    admin = bootstrap(data)
    made = octavo(
        "import", pages, "--data", data, "--organization", admin["organization"], "--title", "Handbook", "--publish"
    )
    # It answers with the texts of the question: whoever asks it translates nothing, and is answered.
    with serving(data, OCTAVO_TRANSLATION_COMMAND="cat") as (_, at):
        base = at.replace("127.0.0.1", "localhost")
        token, space, organization = admin["token"], made["space"], admin["organization"]
        _, page = got(f"{base}/v1/spaces/{space}/content/path/guides%2Finstall?format=document", token)
        shown = json.loads(page)
        _, site = got(f"{base}/v1/orgs/{organization}/sites", token)
        _, user = got(f"{base}/v1/user", token)
        send(f"{base}/v1/spaces/{space}/change-requests", token, {"subject": "First"})
        names = {
            "OCTAVO": base, "API": base, "ORG": organization, "ORGANIZATION": organization, "SPACE": space, "TOKEN": token,
            "PAGE": shown["id"], "KEY": shown["document"]["nodes"][0]["key"], "ADA": json.loads(user)["id"],
            "SITE": json.loads(site)["items"][0]["id"],
            "HOST_KEY": "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl",
        }  # fmt: skip
        yield Reader(folder, base, names, base + urlsplit(made["url"]).path.rstrip("/"))


PLACES = sorted(file for file in DOCS.rglob("*.md") if "curl " in file.read_text())


@pytest.mark.parametrize("guide", PLACES, ids=lambda file: file.relative_to(DOCS).as_posix())
def test_every_request_of_a_guide_is_answered(reader: Reader, guide: Path) -> None:
    for block in _BLOCK.findall(guide.read_text()):
        if "curl " not in block:
            continue
        made = reader.types(block)
        assert len(made) == len(re.findall(r"^(?:.*\| )?curl ", block, re.MULTILINE))
        for code, method, address in made:
            away = address.endswith(_AWAY)
            assert code // 100 == (4 if away else 2), (method, address, reader.answer())
