"""The wheel of this tree, built once by its own backend in a copy."""

from __future__ import annotations

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
SOURCES = ("pyproject.toml", "MANIFEST.in", "README.md", "LICENSE", "requirements", "src")
_BUILD = """
import sys
from setuptools import build_meta
_, target, *more = sys.argv  # which building changes
if more:
    build_meta.build_sdist(target)
build_meta.build_wheel(target)
"""


def copy(target: Path) -> Path:
    """What a package is made of, without what working in the tree left there."""
    target.mkdir()
    for name in SOURCES:
        if (ROOT / name).is_dir():
            ignored = shutil.ignore_patterns("__pycache__", "*.egg-info")
            shutil.copytree(ROOT / name, target / name, ignore=ignored)
        else:
            shutil.copy(ROOT / name, target)
    return target


def built(source: Path, target: Path, *more: str) -> Path:
    """The wheel of a tree, with `sdist` that beside it."""
    target.mkdir(exist_ok=True)
    command = [sys.executable, "-c", _BUILD, str(target), *more]
    done = subprocess.run(command, cwd=source, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr[-2000:]
    [wheel] = target.glob("*.whl")
    return wheel


@pytest.fixture(scope="session")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of this tree."""
    folder = tmp_path_factory.mktemp("packages")
    return built(copy(folder / "source"), folder / "dist")


@pytest.fixture(scope="session")
def unpacked(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder in which the files of the wheel lie, and nothing else."""
    folder = tmp_path_factory.mktemp("wheel")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(folder)
    return folder
