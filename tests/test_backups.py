"""What is taken out of an archive: files below the folder, and nothing else."""

from __future__ import annotations

import io
import tarfile
from pathlib import Path

import pytest

from octavo.backups import _unpack
from octavo.kernel.errors import BadRequest


def _archive(*members: tuple[tarfile.TarInfo, bytes]) -> tarfile.TarFile:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for member, data in members:
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    return tarfile.open(fileobj=io.BytesIO(out.getvalue()))


def _link(name: str, target: str) -> tarfile.TarInfo:
    made = tarfile.TarInfo(name)
    made.type, made.linkname = tarfile.SYMTYPE, target
    return made


def test_files_arrive_and_links_do_not(tmp_path: Path) -> None:
    tar = _archive((tarfile.TarInfo("blobs/a/b"), b"bytes"), (_link("blobs/c", "/etc/passwd"), b""))
    _unpack(tar, tar.getmembers(), tmp_path)
    assert [path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir()] == ["blobs/a/b"]
    assert (tmp_path / "blobs/a/b").read_bytes() == b"bytes"


@pytest.mark.parametrize("name", ["blobs/../../evil", "../evil", "/evil"])
def test_nothing_is_written_elsewhere(tmp_path: Path, name: str) -> None:
    tar = _archive((tarfile.TarInfo(name), b"bytes"))
    with pytest.raises(BadRequest, match="no backup of Octavo"):
        _unpack(tar, tar.getmembers(), tmp_path / "data")
    assert not any(tmp_path.rglob("evil"))
