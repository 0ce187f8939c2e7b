"""Cloning from a real git server: what is read is what git says, and every failure is a sentence."""

from __future__ import annotations

import random
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from octavo.gateways.addresses import Guard
from octavo.gateways.failures import GatewayFailure, Refused, TooLarge, TooSlow, Unreachable
from octavo.gateways.git import clone, local
from octavo.gateways.packs import Malformed
from octavo.gateways.snapshots import Limits, Skipped, Snapshot
from tests.git_compat.server import Served, git

FILES = {"README.md": b"# Hello\n", "docs/guide/first.md": "# Erste Schritte \u00fc\n".encode(), "docs/empty.md": b""}


def blobs(repository: Path, ref: str = "HEAD") -> dict[str, tuple[str, int]]:
    """Path -> object id and size of every regular file, as git tells it."""
    found = {}
    for line in git(repository, "ls-tree", "-r", "-l", "-z", ref).split(b"\0"):
        if line:
            head, _, path = line.partition(b"\t")
            mode, _, oid, size = head.split()
            if mode in (b"100644", b"100755"):
                found[path.decode()] = (oid.decode(), int(size))
    return found


def same_as_git(snapshot: Snapshot, repository: Path, ref: str = "HEAD") -> None:
    expected = blobs(repository, ref)
    assert snapshot.paths() == sorted(expected)
    request = "".join(f"{oid}\n" for oid, _ in expected.values()).encode()
    contents, position = git(repository, "cat-file", "--batch", stdin=request), 0
    for path, (oid, size) in expected.items():
        assert (snapshot.oid(path), snapshot.size(path)) == (oid, size)
        position = contents.index(b"\n", position) + 1
        assert snapshot.read(path) == contents[position : position + size]
        position += size + 1


def history(work: Path, changes: int) -> None:
    """Commits that make git store deltas."""
    for number in range(changes):
        text = (work / "long.md").read_bytes() if (work / "long.md").exists() else b"line\n" * 400
        (work / "long.md").write_bytes(text + b"addition %d\n" % number)
        (work / f"long-{number}.md").write_bytes(text + b"variant %d\n" % number)
        git(work, "add", "-A")
        git(work, "commit", "-q", "-m", f"Change {number}")


def test_reads_what_git_reads(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    work = make("small", FILES)
    history(work, 8)
    seen: list[tuple[str, int]] = []
    with clone(
        served.url(publish(work)),
        "refs/heads/main",
        packs,
        guard=guard,
        progress=lambda word, count: seen.append((word, count)),
    ) as snapshot:
        same_as_git(snapshot, work)
        assert snapshot.commit is not None
        assert snapshot.commit.oid == git(work, "rev-parse", "HEAD").decode().strip()
        assert (snapshot.commit.author, snapshot.commit.email) == ("Ada Lovelace", "ada@example.com")
        assert snapshot.commit.message == "Change 7\n"
        assert snapshot.commit.committed_at == 1_700_000_000_000
        assert snapshot.skipped == []
    # One commit, three trees, and only the blobs of that commit: the history stays behind.
    assert seen[-1] == ("indexing", len(blobs(work)) + 4)
    assert seen[0] == ("receiving", (packs / "fetched.pack").stat().st_size)


def test_reads_the_corpus(served: Served, corpus: Path, publish, packs: Path, guard: Guard) -> None:
    with clone(served.url(publish(corpus)), "HEAD", packs, guard=guard) as snapshot:
        same_as_git(snapshot, corpus)
        assert "SUMMARY.md" in snapshot.paths()


@pytest.mark.parametrize("ref", ["refs/heads/feature/x", "feature/x", "refs/tags/v1", "v1"])
def test_finds_branches_and_annotated_tags(served: Served, make, publish, packs: Path, guard: Guard, ref: str) -> None:
    work = make("refs", FILES)
    git(work, "checkout", "-q", "-b", "feature/x")
    (work / "x.md").write_bytes(b"x")
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "x")
    git(work, "tag", "-a", "v1", "-m", "first")
    git(work, "checkout", "-q", "main")
    with clone(served.url(publish(work)), ref, packs, guard=guard) as snapshot:
        same_as_git(snapshot, work, "v1")
        assert "x.md" in snapshot.paths()


def test_narrows_to_a_directory(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    with clone(served.url(publish(make("narrow", FILES))), "main", packs, guard=guard) as snapshot:
        docs = snapshot.under("./docs/")
        assert docs.paths() == ["empty.md", "guide/first.md"]
        assert docs.read("guide/first.md") == FILES["docs/guide/first.md"]
        assert docs.under("guide").paths() == ["first.md"]
        assert snapshot.under(".").paths() == snapshot.paths()
        for hostile in ("..", "docs/../..", "/etc", ".git", "docs\0", "docs/.GIT/hooks"):
            with pytest.raises(Refused, match="is not allowed"):
                snapshot.under(hostile)
        with pytest.raises(Refused, match="There is no directory nowhere"):
            snapshot.under("nowhere")
        for hostile in ("../README.md", "/etc/passwd", "README.md\0", ".git/config"):
            for look in (snapshot.read, snapshot.oid, snapshot.size):
                with pytest.raises(Refused, match="There is no file"):
                    look(hostile)


def failure(kind: type[GatewayFailure], action: Callable[[], object]) -> str:
    with pytest.raises(kind) as caught:
        action()
    assert caught.type in (kind, Malformed)
    return caught.value.message


def test_names_an_unknown_ref_and_what_there_is(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    work = make("branches", FILES)
    for number in range(11):
        git(work, "branch", f"b{number:02}")
    url = served.url(publish(work))
    said = failure(Refused, lambda: clone(url, "refs/heads/gone", packs, guard=guard))
    listed = ", ".join(f"b{number:02}" for number in range(10))
    assert said == f"The repository has no branch gone; its branches are: {listed} and 2 more."


def test_uses_the_password_and_never_shows_it(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    name = publish(make("private", FILES))
    served.password = "ada:s3cr/t"
    with clone(served.url(name, "ada:s3cr%2Ft"), "main", packs, guard=guard) as snapshot:
        assert snapshot.paths() == sorted(FILES)
    said = failure(Refused, lambda: clone(served.url(name, "ada:wr0ng"), "main", packs, guard=guard))
    assert said == "The host 127.0.0.1 did not accept the name and the password or token."
    said = failure(Refused, lambda: clone(served.url(name), "main", packs, guard=guard))
    assert said.startswith("The host 127.0.0.1 asks for a user and password")
    assert not [path for path in packs.iterdir() if b"s3cr" in path.read_bytes()]


def test_says_what_is_not_there(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    said = failure(Refused, lambda: clone(served.url("gone.git", "ada:s3cret"), "main", packs, guard=guard))
    assert said == f"There is no repository at {served.url('gone.git')}."
    git(served.root, "init", "-q", "--bare", "-b", "main", "empty.git")
    said = failure(Refused, lambda: clone(served.url("empty.git"), "main", packs, guard=guard))
    assert said == "The repository is empty: it has no commits yet."


ADVERTISED = "application/x-git-upload-pack-advertisement"


@pytest.mark.parametrize(
    ("answer", "kind", "said"),
    [
        ((200, "text/html", b"<h1>Hello</h1>"), Refused, "What answers at {url} is not a git repository."),
        # The dumb protocol: a list of refs as a plain file.
        ((200, "text/plain", b"0" * 40 + b"\trefs/heads/main\n"), Refused, "What answers at {url} is not a git"),
        ((403, "text/plain", b""), Refused, "The host 127.0.0.1 does not permit reading the repository."),
        ((503, "text/plain", b""), Unreachable, "The host 127.0.0.1 could not answer (status 503)."),
        ((200, ADVERTISED, b""), Refused, "What the server sent is not a valid git repository."),
        ((200, ADVERTISED, b"zzzz"), Refused, "What the server sent is not a valid git repository."),
        ((200, ADVERTISED, b"0003"), Refused, "What the server sent is not a valid git repository."),
        ((200, ADVERTISED, b"000eversion 2\n0000"), Refused, "What the server sent is not a valid git repository."),
        ((200, ADVERTISED, b"ffff" + b"x" * 100), Refused, "What the server sent is not a valid git repository."),
    ],
)
def test_turns_strange_answers_into_sentences(
    served: Served, packs: Path, guard: Guard, answer: tuple[int, str, bytes], kind: type[GatewayFailure], said: str
) -> None:
    served.pages["/odd/"] = answer
    url = served.url("odd/x.git")
    assert failure(kind, lambda: clone(url, "main", packs, guard=guard)).startswith(said.format(url=url))


def test_refuses_a_damaged_pack(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    work = make("damaged", FILES)
    oid = git(work, "rev-parse", "HEAD").strip()
    good = git(work, "pack-objects", "--all", "--revs", "--stdout", "-q", stdin=b"")
    served.pages["/bad.git/info"] = (
        200,
        ADVERTISED,
        packet(b"# service=git-upload-pack\n") + b"0000" + packet(oid + b" refs/heads/main\0shallow\n") + b"0000",
    )
    shallow = packet(b"shallow " + oid) + b"0000" + packet(b"NAK\n")
    url, kind = served.url("bad.git"), "application/x-git-upload-pack-result"
    served.pages["/bad.git/git-upload-pack"] = (200, kind, shallow + good)
    with clone(url, "main", packs, guard=guard) as snapshot:
        same_as_git(snapshot, work)
    half = len(good) // 2
    for bad in (b"", good[:half], good[:-1], good + b"x", good[:half] + b"\0\0" + good[half + 2 :], good[::-1]):
        served.pages["/bad.git/git-upload-pack"] = (200, kind, shallow + bad)
        said = failure(Refused, lambda: clone(url, "main", packs, guard=guard))
        assert said == "What the server sent is not a valid git repository."


def packet(data: bytes) -> bytes:
    return b"%04x" % (len(data) + 4) + data


def test_says_that_nobody_answers(packs: Path, guard: Guard) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"http://ada:s3cret@127.0.0.1:{closed.getsockname()[1]}/x.git"
        said = failure(Unreachable, lambda: clone(url, "main", packs, guard=guard))
    assert said == "The host 127.0.0.1 could not be reached."
    nobody = Guard(allow_private=True, resolver=lambda host, port: [])
    said = failure(Unreachable, lambda: clone("https://git.example/x.git", "main", packs, guard=nobody))
    assert said == "The host git.example has no address."


def test_refuses_private_hosts_without_the_flag(served: Served, make, publish, packs: Path) -> None:
    name = publish(make("inside", FILES))
    assert "not on the public internet" in failure(Refused, lambda: clone(served.url(name), "main", packs))
    assert served.asked == []
    with clone(served.url(name), "main", packs, guard=Guard(allow_private=True)) as snapshot:
        assert snapshot.paths() == sorted(FILES)


@pytest.mark.parametrize("url", ["ssh://git@host/x", "git@host.example:x/y.git", "git://host/x", "ext::sh -c id", "x"])
def test_refuses_other_protocols(packs: Path, url: str) -> None:
    said = failure(Refused, lambda: clone(url, "main", packs))
    assert "is not https:// or http://; other ways are not supported." in said
    assert "git@" not in said


def test_follows_redirects_without_carrying_the_password_away(
    served: Served, make, publish, packs: Path, guard: Guard
) -> None:
    name = publish(make("moved", FILES))
    served.moved["/old/"] = "/"
    with clone(served.url(f"old/{name}", "ada:s3cret"), "main", packs, guard=guard) as snapshot:
        assert snapshot.paths() == sorted(FILES)
    assert all(sent is not None for _, sent in served.asked)

    served.asked.clear()
    served.moved["/away/"] = f"http://elsewhere.example:{served.port}/"
    both = Guard(allow_private=True, resolver=lambda host, port: ["127.0.0.1"])
    with clone(served.url(f"away/{name}", "ada:s3cret"), "main", packs, guard=both) as snapshot:
        assert snapshot.paths() == sorted(FILES)
    assert [bool(sent) for _, sent in served.asked] == [True, False, False, False]


def test_refuses_a_redirect_to_a_private_host(served: Served, make, publish, packs: Path) -> None:
    name = publish(make("trap", FILES))
    served.moved["/out/"] = f"http://inner.example:{served.port}/"
    guard = Guard(allow_hosts=frozenset({"127.0.0.1"}), resolver=lambda host, port: ["127.0.0.1"])
    said = failure(Refused, lambda: clone(served.url(f"out/{name}"), "main", packs, guard=guard))
    assert said.startswith("The host inner.example is not on the public internet")
    assert len(served.asked) == 1


def test_skips_links_and_submodules_and_says_so(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    inner, work = make("inner", FILES), make("links", FILES)
    (work / "link.md").symlink_to("README.md")
    (work / "out").symlink_to("/etc")
    git(work, "submodule", "add", "-q", str(inner), "sub/module")
    git(work, "add", "-A")
    git(work, "commit", "-q", "-m", "links")
    with clone(served.url(publish(work)), "main", packs, guard=guard) as snapshot:
        same_as_git(snapshot, work)
        assert snapshot.skipped == [
            Skipped("link.md", "symbolic link"),
            Skipped("out", "symbolic link"),
            Skipped("sub/module", "submodule"),
        ]


def test_never_offers_hostile_names(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    work = make("hostile", {"good.md": b"good"})
    oid = git(work, "rev-parse", "HEAD:good.md").strip()
    raw = bytes.fromhex(oid.decode())
    names = [b"..", b".git", b".GIT", b"a\\b", b"bad-\xff.md", b"ok.md", b"/abs"]
    body = b"".join(b"100644 " + name + b"\0" + raw for name in sorted(names))
    tree = git(work, "hash-object", "-t", "tree", "-w", "--literally", "--stdin", stdin=body).decode().strip()
    commit = git(work, "commit-tree", tree, "-m", "hostile").decode().strip()
    bare = served.root / publish(work)
    for oid_ in (tree, commit):
        kind = git(work, "cat-file", "-t", oid_).decode().strip()
        content = git(work, "cat-file", kind, oid_)
        git(bare, "hash-object", "-t", kind, "-w", "--literally", "--stdin", stdin=content)
    git(bare, "update-ref", "refs/heads/main", commit)
    with clone(served.url(bare.name), "main", packs, guard=guard) as snapshot:
        assert snapshot.paths() == ["ok.md"]
        assert {skipped.path for skipped in snapshot.skipped} == {
            "..",
            ".git",
            ".GIT",
            "a\\b",
            "bad-\\xff.md",
            "/abs",
        }


def test_bounds_files_depth_and_time(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    many = {f"pages/{number // 100}/{number}.md": b"%d" % number for number in range(3000)}
    many["a/b/c/d.md"] = b"deep"
    work = make("many", many)
    url = served.url(publish(work))
    with clone(url, "main", packs, guard=guard) as snapshot:
        same_as_git(snapshot, work)
    said = failure(TooLarge, lambda: clone(url, "main", packs, guard=guard, limits=Limits(files=2999)))
    assert said == "There are more than the 2,999 files allowed."
    said = failure(TooLarge, lambda: clone(url, "main", packs, guard=guard, limits=Limits(files=500)))
    assert "objects, more than the 2,000 allowed" in said
    with clone(url, "main", packs, guard=guard, limits=Limits(depth=2)) as snapshot:
        assert snapshot.skipped == [Skipped("a/b/c", "nested too deeply")]
    said = failure(TooSlow, lambda: clone(url, "main", packs, guard=guard, limits=Limits(seconds=0)))
    assert said == "The host 127.0.0.1 took longer than the 0 seconds allowed."


@pytest.mark.parametrize("filtering", [False, True])
def test_skips_or_refuses_what_is_too_large(
    served: Served, make, publish, packs: Path, guard: Guard, filtering: bool
) -> None:
    noise = random.Random(1).randbytes(30 << 20)
    bare = served.root / publish(make("large", {"README.md": b"small", "film.bin": noise}))
    git(bare, "config", "uploadpack.allowFilter", str(filtering).lower())
    url = served.url(bare.name)
    with clone(url, "main", packs, guard=guard) as snapshot:
        assert snapshot.paths() == ["README.md"]
        assert snapshot.skipped == [Skipped("film.bin", "larger than the limit for one file")]
    received = (packs / "fetched.pack").stat().st_size
    assert received < 10_000 if filtering else received > len(noise)
    if not filtering:
        said = failure(TooLarge, lambda: clone(url, "main", packs, guard=guard, limits=Limits(bytes=5 << 20)))
        assert said == "The host 127.0.0.1 sends more than the 5,242,880 bytes allowed."


def test_refuses_a_bomb_before_unpacking_it(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    url = served.url(publish(make("bomb", {"zeros.bin": bytes(8 << 20)})))
    said = failure(TooLarge, lambda: clone(url, "main", packs, guard=guard, limits=Limits(object_bytes=1 << 20)))
    assert said == "The repository has a file of more than the 1,048,576 bytes allowed for one object."
    said = failure(TooLarge, lambda: clone(url, "main", packs, guard=guard, limits=Limits(inflated=1 << 20)))
    assert said == "The repository unpacks to more than the 1,048,576 bytes allowed."


def test_a_tree_within_itself_many_times_is_bounded(served: Served, make, publish, packs: Path, guard: Guard) -> None:
    work = make("nest", {"leaf.md": b"leaf"})
    tree = git(work, "rev-parse", "HEAD^{tree}").decode().strip()
    for _ in range(9):
        lines = "".join(f"040000 tree {tree}\t{letter}\n" for letter in "abcdefghij").encode()
        tree = git(work, "mktree", stdin=lines).decode().strip()
    git(work, "update-ref", "refs/heads/main", git(work, "commit-tree", tree, "-m", "nest").decode().strip())
    url = served.url(publish(work))
    assert "files allowed" in failure(TooLarge, lambda: clone(url, "main", packs, guard=guard))


def test_repositories_on_the_disk_need_the_flag(make, packs: Path) -> None:
    work = make("disk", FILES)
    history(work, 3)
    for url in (str(work), work.as_uri()):
        assert "own disk are not allowed" in failure(Refused, lambda url=url: clone(url, "main", packs))
        with clone(url, "main", packs, allow_local=True) as snapshot:
            same_as_git(snapshot, work)
    said = failure(Refused, lambda: clone(str(packs), "main", packs, allow_local=True))
    assert said == f"There is no git repository at {packs}."


def test_local_directory_of_a_work_tree_knows_its_commit(make) -> None:
    work = make("local", FILES)
    snapshot = local(work / "docs")
    assert snapshot.commit is not None
    assert snapshot.commit.oid == git(work, "rev-parse", "HEAD").decode().strip()
    assert snapshot.paths() == ["empty.md", "guide/first.md"]
    same_as_git(local(work), work)
