"""The fakes have the signatures of the real ones and behave alike where both can be asked."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.gateways import git, web
from octavo.gateways.failures import Refused, TooLarge, Unreachable
from octavo.gateways.fakes import FakeGit, FakeWeb, snapshot
from octavo.gateways.web import Limits


@pytest.mark.parametrize(
    ("real", "fake"),
    [
        (web.fetch, FakeWeb().fetch),
        (web.download, FakeWeb().download),
        (git.clone, FakeGit().clone),
        (git.local, FakeGit().local),
    ],
)
def test_signatures_are_the_same(real: Callable[..., object], fake: Callable[..., object]) -> None:
    assert inspect.signature(real, eval_str=True) == inspect.signature(fake, eval_str=True)


def test_fake_web_answers_and_remembers(tmp_path: Path) -> None:
    fake = FakeWeb()
    fake.put("https://a.example/x", b"hello", headers={"content-type": "text/plain"})
    fake.answers["https://b.example/"] = Refused("No.")
    answer = asyncio.run(fake.fetch("https://a.example/x", limits=Limits(), headers={"Accept": "*/*"}))
    assert (answer.status, answer.body, answer.headers) == (200, b"hello", {"content-type": "text/plain"})
    assert fake.asked[0].headers == {"Accept": "*/*"}
    saved = asyncio.run(fake.download("https://a.example/x", tmp_path / "x", limits=Limits()))
    assert (saved.size, saved.path.read_bytes()) == (5, b"hello")
    for url, kind in [
        ("https://b.example/", Refused),
        ("https://c.example/", Unreachable),
        ("file:///etc/passwd", Refused),
    ]:
        with pytest.raises(kind):
            asyncio.run(fake.fetch(url, limits=Limits()))
    with pytest.raises(TooLarge):
        asyncio.run(fake.fetch("https://a.example/x", limits=Limits(bytes=4)))


def test_fake_git_is_like_a_directory_with_the_same_files(tmp_path: Path) -> None:
    files = {"README.md": b"# Hello\n", "docs/a.md": b"a"}
    for path, content in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_bytes(content)
    fake, real = FakeGit(), git.local(tmp_path)
    fake.put("https://git.example/x.git", files)
    made = fake.clone("https://git.example/x.git", "refs/heads/main", tmp_path)
    assert made.paths() == real.paths()
    for path in real.paths():
        assert (made.read(path), made.oid(path), made.size(path)) == (real.read(path), real.oid(path), real.size(path))
    assert made.under("docs").paths() == real.under("docs").paths() == ["a.md"]
    assert made.commit is not None
    assert len(made.commit.oid) == 40
    with pytest.raises(Refused, match="its branches are: main"):
        fake.clone("https://git.example/x.git", "gone", tmp_path)
    with pytest.raises(Refused, match="There is no repository"):
        fake.clone("https://u:p@git.example/y.git", "main", tmp_path)


def test_memory_snapshots_refuse_hostile_names() -> None:
    made = snapshot({"../up.md": b"", "a/.git/config": b"", "ok.md": b""})
    assert made.paths() == ["ok.md"]
    assert [skipped.path for skipped in made.skipped] == ["../up.md", "a/.git/config"]
