"""A zip of a documentation directory: unpacked into an empty folder within bounds, and written with names that all take."""

from __future__ import annotations

import stat
import zlib
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from octavo.gateways.failures import Refused, TooLarge, plain
from octavo.gateways.snapshots import PATH_MAX, Limits, allowed

_MADE = (1980, 1, 1, 0, 0, 0)
"""The time of every entry, so that equal content makes equal archives."""
_ENCRYPTED = 1
_PART = 1 << 20
_LEFT_BEHIND = ("__MACOSX", ".DS_Store", "Thumbs.db", "desktop.ini")


def unpack(source: Path, folder: Path, limits: Limits) -> int:
    """Unpack an archive into the folder; how many files. What systems leave behind is left out.

    Raises Refused for links, encrypted or damaged entries, and paths that lead out or that two entries have whatever their
    letters' case; TooLarge for more than the limits allow, whatever sizes the archive claims.
    """
    try:
        with ZipFile(source) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
            if len(infos) > limits.files:
                raise TooLarge(f"The archive has more than the {limits.files:,} files allowed.")
            left, taken = limits.inflated, set[str]()
            for info in infos:
                steps = _steps(info)
                if any(step in _LEFT_BEHIND for step in steps):
                    continue
                path = "/".join(steps)
                if path.casefold() in taken:
                    raise Refused(f"The archive has {plain(path)} twice, or under names that differ in capitals only.")
                taken.add(path.casefold())
                left -= _put(archive, info, folder.joinpath(*steps), min(left, limits.bytes))
            return len(taken)
    except (BadZipFile, NotImplementedError, ValueError, EOFError, RuntimeError, zlib.error, OSError) as error:
        raise Refused("What came is not a zip archive, or a damaged or encrypted one.") from error


def _steps(info: ZipInfo) -> list[str]:
    path = info.filename.replace("\\", "/")
    steps = [step for step in path.split("/") if step not in ("", ".")]
    if path.startswith("/") or not steps or not all(map(allowed, steps)) or len(path) > PATH_MAX:
        raise Refused(f"The path {plain(info.filename)} in the archive is not allowed.")
    if stat.S_ISLNK(info.external_attr >> 16):
        raise Refused(f"{plain(path)} in the archive is a symbolic link.")
    if info.flag_bits & _ENCRYPTED:
        raise Refused(f"{plain(path)} in the archive is encrypted.")
    return steps


def _put(archive: ZipFile, info: ZipInfo, path: Path, most: int) -> int:
    """Write one file; its size."""
    path.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(info) as source, path.open("xb") as target:
        while part := source.read(_PART):
            size += len(part)
            if size > most:
                raise TooLarge("The archive unpacks to more than is allowed.")
            target.write(part)
    return size


def pack(target: Path, files: Iterable[tuple[str, bytes]]) -> int:
    """Write an archive that is not there yet, whole or not at all; how many files."""
    part, count = target.with_name(f"{target.name}.part"), 0
    try:
        with ZipFile(part, "x", ZIP_DEFLATED) as archive:
            for path, data in files:
                archive.writestr(ZipInfo(path, _MADE), data, ZIP_DEFLATED)
                count += 1
        part.rename(target)
    finally:
        part.unlink(missing_ok=True)
    return count
