"""A plain directory as a snapshot: nothing outside of it is read, nothing left out goes unsaid."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from octavo.gateways.failures import Refused, TooLarge
from octavo.gateways.git import local
from octavo.gateways.snapshots import Limits, Skipped


def build(root: Path) -> Path:
    tree = root / "tree"
    (tree / "docs" / "deep").mkdir(parents=True)
    (tree / "README.md").write_bytes(b"# Hello\n")
    (tree / "docs" / "deep" / "page.md").write_bytes(b"")
    (root / "secret").write_bytes(b"secret")
    return tree


def test_lists_and_reads(tmp_path: Path) -> None:
    snapshot = local(build(tmp_path))
    assert snapshot.commit is None
    assert snapshot.paths() == ["README.md", "docs/deep/page.md"]
    assert snapshot.read("README.md") == b"# Hello\n"
    assert snapshot.size("README.md") == 8
    # The well-known object id of the empty file.
    assert snapshot.oid("docs/deep/page.md") == "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391"
    assert snapshot.under("docs").paths() == ["deep/page.md"]
    assert snapshot.under("docs").read("deep/page.md") == b""


def test_follows_links_only_to_files_inside(tmp_path: Path) -> None:
    tree = build(tmp_path)
    (tree / ".git").mkdir()
    (tree / ".git" / "config").write_bytes(b"[core]")
    (tree / "inside.md").symlink_to("README.md")
    (tree / "outside.md").symlink_to(tmp_path / "secret")
    (tree / "loop").symlink_to("loop")
    (tree / "up").symlink_to("..")
    (tree / "around").symlink_to("docs")
    (tree / "config").symlink_to(".git/config")
    os.mkfifo(tree / "pipe")
    snapshot = local(tree)
    assert snapshot.paths() == ["README.md", "docs/deep/page.md", "inside.md"]
    assert snapshot.read("inside.md") == b"# Hello\n"
    links = [Skipped(name, "symbolic link") for name in ("around", "config", "loop", "outside.md")]
    assert snapshot.skipped == [
        *links,
        Skipped("pipe", "neither a file nor a directory"),
        Skipped("up", "symbolic link"),
    ]
    with pytest.raises(Refused):
        snapshot.under("up")
    (tree / "inside.md").unlink()
    (tree / "inside.md").symlink_to(tmp_path / "secret")
    with pytest.raises(Refused, match="leads out of the directory"):
        snapshot.read("inside.md")


def test_keeps_the_limits(tmp_path: Path) -> None:
    tree = build(tmp_path)
    with pytest.raises(TooLarge):
        local(tree, Limits(files=1))
    assert local(tree, Limits(file_bytes=7)).skipped == [Skipped("README.md", "larger than the limit for one file")]
    assert local(tree, Limits(depth=1)).skipped == [Skipped("docs/deep/page.md", "nested too deeply")]
    with pytest.raises(Refused, match="There is no directory"):
        local(tmp_path / "nowhere")


def test_names_that_are_not_text_are_reported(tmp_path: Path) -> None:
    tree = build(tmp_path)
    (Path(os.fsdecode(os.fsencode(tree) + b"/bad-\xff.md"))).write_bytes(b"x")
    (tree / "a\\b.md").write_bytes(b"x")
    assert local(tree).skipped == [
        Skipped("a\\b.md", "the name is not allowed"),
        Skipped("bad-\\xff.md", "the name is not UTF-8"),
    ]
