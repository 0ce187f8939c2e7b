"""Files in an object store: a folder that is one, and an S3 where OCTAVO_TEST_S3 names the address of an empty bucket."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.certificates import OVER, made
from tests.gateways.conftest import start
from tests.processes import bootstrap, get, octavo, serving


@pytest.mark.parametrize("kind", ["file", "s3"])
def test_files_are_kept_backed_up_and_restored_there(kind: str, tmp_path: Path) -> None:
    given = {name: word for name, word in os.environ.items() if name.startswith("AWS_")}
    if kind == "s3" and "OCTAVO_TEST_S3" not in os.environ:
        pytest.skip("OCTAVO_TEST_S3 names no bucket")
    base = os.environ["OCTAVO_TEST_S3"] if kind == "s3" else f"file://{tmp_path}/store"
    first, second = f"{base}/first", f"{base}/second"
    if kind == "file":
        (tmp_path / "store" / "first").mkdir(parents=True)
        (tmp_path / "store" / "second").mkdir()
    data, pages = tmp_path / "data", tmp_path / "pages"
    (pages / ".gitbook" / "assets").mkdir(parents=True)
    (pages / ".gitbook" / "assets" / "note.txt").write_text("a note about terns")
    (pages / "README.md").write_text('# Terns\n\n{% file src=".gitbook/assets/note.txt" %}\n')
    organization = bootstrap(data)["organization"]
    octavo(
        "import", pages, "--data", data, "--organization", organization, "--publish", "--title", "Terns",
        OCTAVO_BLOBS_URL=first, **given,
    )  # fmt: skip
    assert [path for path in data.rglob("*") if "note" in path.name or path.parent.parent.parent.name == "blobs"] == []
    kept = octavo("backup", tmp_path / "backup.tar", "--data", data, OCTAVO_BLOBS_URL=first, **given)
    assert kept["blobs"] == 1
    assert "holds files already" in octavo(
        "restore", tmp_path / "backup.tar", "--data", tmp_path / "copy", fails=True, OCTAVO_BLOBS_URL=first, **given
    )
    octavo("restore", tmp_path / "backup.tar", "--data", tmp_path / "copy", OCTAVO_BLOBS_URL=second, **given)
    with serving(tmp_path / "copy", OCTAVO_BLOBS_URL=second, **given) as (_, base):
        status, page = get(f"{base}/sites/terns/")
        assert status == 200
        place = page.decode().split("note.txt")[0].rpartition('"')[2] + "note.txt"
        assert get(base + place.removeprefix(base))[1] == b"a note about terns"


@pytest.mark.parametrize(("url", "said"), [("ftp://x/y", "must begin with"), ("s3://", "names no object store")])
def test_a_store_that_cannot_be_is_told_in_a_sentence(url: str, said: str, tmp_path: Path) -> None:
    assert said in octavo("serve", "--data", tmp_path, "--port", "0", fails=True, OCTAVO_BLOBS_URL=url)


def test_an_object_store_whose_certificate_has_expired_is_told(tmp_path: Path) -> None:
    """By a command, in one line: what the library says of it ends with how often it tried."""
    shows, _ = made(tmp_path, "localhost", OVER)
    bootstrap(tmp_path / "data")
    running, stop = start(shows)
    try:
        given = {
            "AWS_ENDPOINT": running.url("", "localhost"), "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b",
            "AWS_REGION": "us-east-1", "SSL_CERT_FILE": str(tmp_path / "cert.pem"),
        }  # fmt: skip
        said = octavo("backup", "s3://backups/monday.tar", "--data", tmp_path / "data", fails=True, **given)
        assert said.strip().endswith("the certificate of the object store is not valid: it has expired")
        assert len(said.splitlines()) == 1
    finally:
        stop()
