"""A bare repository and what `git` does with it, each object fsynced."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

_ENVIRONMENT = {
    "GIT_AUTHOR_NAME": "Bench",
    "GIT_AUTHOR_EMAIL": "bench@example.org",
    "GIT_COMMITTER_NAME": "Bench",
    "GIT_COMMITTER_EMAIL": "bench@example.org",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": "/dev/null",
}
REF = "refs/heads/main"


class Git:
    """Plumbing on one repository; `head` is the commit that `main` stands at."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.head = ""
        subprocess.run(["git", "init", "--quiet", "--bare", str(folder)], check=True, env=os.environ | _ENVIRONMENT)
        for name, value in (("core.fsync", "all"), ("gc.auto", "0"), ("core.multiPackIndex", "true")):
            self._run("config", name, value)

    def imported(self, files: Mapping[str, str], parent: str | None) -> str:
        """A commit with these files over those of its parent, made by fast-import as one pack."""
        parts = [b"blob\nmark :%d\ndata %d\n%s\n" % (at, len(text.encode()), text.encode())
                 for at, text in enumerate(files.values(), 1)]  # fmt: skip
        mark = len(files) + 1
        parts.append(
            f"commit refs/bench/{os.urandom(8).hex()}\nmark :{mark}\ncommitter B <b@e> 0 +0000\ndata 0\n".encode()
        )
        parts += [f"from {parent}\n".encode()] if parent else []
        parts += [f"M 100644 :{at} {path}\n".encode() for at, path in enumerate(files, 1)]
        parts.append(b"get-mark :%d\n" % mark)
        return self._run("fast-import", "--quiet", "--done", given=b"".join([*parts, b"done\n"]))

    def commit(self, path: str, text: bytes) -> str:
        """A commit of one file upon the head, which moves: blob, index, tree, commit, reference."""
        blob = self._run("hash-object", "-w", "--stdin", given=text)
        self._run("read-tree", self.head)
        self._run("update-index", "--add", "--cacheinfo", f"100644,{blob},{path}")
        tree = self._run("write-tree")
        made = self._run("commit-tree", tree, "-p", self.head, "-m", "commit")
        self._run("update-ref", REF, made)
        return made

    def compared(self, one: str, other: str) -> int:
        """The number of files that differ."""
        return len(self._run("diff-tree", "-r", "--name-status", one, other).splitlines())

    def merged(self, ours: str, theirs: str) -> str:
        """The commit of a merge without conflicts; `main` moves there."""
        tree = self._run("merge-tree", "--write-tree", ours, theirs)
        made = self._run("commit-tree", tree, "-p", ours, "-p", theirs, "-m", "merge")
        self._run("update-ref", REF, made)
        return made

    def duplicated(self, name: str) -> None:
        """A clone that shares the objects."""
        target = self._folder.with_name(f"{name}.git")
        self._run("clone", "--quiet", "--bare", "--shared", str(self._folder), str(target))

    def _run(self, *words: str, given: bytes | None = None) -> str:
        done = subprocess.run(
            ["git", "-C", str(self._folder), *words],
            input=given,
            capture_output=True,
            check=True,
            env=os.environ | _ENVIRONMENT,
        )
        return done.stdout.decode().strip()
