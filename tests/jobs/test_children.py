"""Child processes of jobs: what they say and are told, each limit against one that does not keep it, and their ends."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

import pytest
import uvloop

from octavo.jobs.children import frames, process, room
from octavo.jobs.children.terms import Child
from octavo.jobs.work import JobBroke, JobFailed, Tools, Work
from octavo.kernel.records.jobs import Job
from octavo.kernel.settings import load
from octavo.store.content.blobs import Blobs

T = TypeVar("T")

CHILD = Child("tests.jobs.hostile_child", 256 << 20, 20, 60.0, "It takes too much.")


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where temporary folders are made: none may be left."""
    made = tmp_path / "temporary"
    made.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(made))
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
    yield made
    assert list(made.iterdir()) == []


def _work() -> Work:
    job = Job(
        id="job",
        kind="hostile",
        payload={},
        organization=None,
        state="running",
        attempts=1,
        run_at=0,
        created_at=0,
    )
    return Work(job, None, Tools(load({}), Blobs.memory(), str), 0)  # type: ignore[arg-type]


async def _double(value: int) -> int:
    return 2 * value


def _run(request: str, child: Child = CHILD, work: Work | None = None) -> Any:
    async def made() -> Any:
        async with room.folder() as folder:
            result = await room.run(work or _work(), child, folder, request, double=_double)
            return result, sorted(one.name for one in folder.iterdir())

    return _awaited(made())


def _awaited(work: Coroutine[Any, Any, T]) -> T:
    """In the loop of servers and command lines; other tests of jobs have the library's own."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


def _running(process: int) -> bool:
    """Whether it is there, and no zombie."""
    with contextlib.suppress(OSError):
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] not in "ZX"
    return False


def test_it_asks_tells_and_makes(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    monkeypatch.setenv("OCTAVO_SECRET_KEY", "secret")
    work, steps = _work(), list[Any]()
    work.on_progress = steps.append
    (answer, niceness, secrets), left = _run("well", work=work)
    assert (answer, secrets, left) == (42, [], ["made"])
    assert niceness == min(19, os.nice(0) + CHILD.niceness)
    assert steps == [{"step": "asking"}]
    assert work.progress == {"step": "asking"}
    [record] = caplog.records

    assert "and others by a library" in record.__dict__["printed"]


def test_what_it_refuses_is_the_asker_s_mistake() -> None:
    with pytest.raises(JobFailed, match="no bird"):
        _run("refuse")


@pytest.mark.parametrize(
    ("request_", "sentence"),
    [
        ("break", "The nest is full."),
        ("crash", room.BROKEN),
        ("ask_nonsense", room.BROKEN),
        ("die", CHILD.exhausted),
        ("leave", CHILD.exhausted),
        ("flood_frames", room.BROKEN),
        ("flood_garbage", room.BROKEN),
    ],
)
def test_whatever_else_ends_it_is_the_installation_s(request_: str, sentence: str) -> None:
    with pytest.raises(JobBroke) as told:
        _run(request_)
    assert str(told.value) == sentence


def test_its_memory_is_limited(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(JobBroke, match="too much"):
        _run("take_memory")
    assert "MemoryError" in caplog.records[0].__dict__["printed"]


def test_its_computing_is_limited() -> None:
    begun = time.monotonic()
    with pytest.raises(JobBroke, match="too much"):
        _run("compute", replace(CHILD, computing=1))
    assert time.monotonic() - begun < CHILD.seconds  # it was not its life that ended


@pytest.mark.parametrize("request_", ["wait", "flood_progress", "flood_errors"])
def test_its_life_is_limited(request_: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(JobBroke, match="too much"):
        _run(request_, replace(CHILD, seconds=2.0))
    assert all(len(record.__dict__["printed"]) <= process.SAID for record in caplog.records)


def test_there_may_be_no_memory_even_to_begin() -> None:
    with pytest.raises(JobBroke, match="too much"):
        _run("load_a_library", replace(CHILD, memory=1 << 20))


def test_a_module_that_breaks_says_so_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING), pytest.raises(JobBroke):
        _run("crash")
    [record] = caplog.records
    assert "ValueError: feathers" in record.__dict__["printed"]
    assert (record.__dict__["child"], record.__dict__["job"]) == (CHILD.module, "job")


def test_what_it_started_ends_with_it() -> None:
    work, others = _work(), list[int]()
    work.on_progress = lambda progress: others.append(progress["other"])
    with pytest.raises(JobBroke):
        _run("start_others", replace(CHILD, seconds=3.0), work)
    [other] = others
    _until(lambda: not _running(other))  # who is killed is not gone at once


def test_a_job_that_is_stopped_leaves_nothing() -> None:
    work, begun = _work(), asyncio.Event()
    work.on_progress = lambda progress: begun.set()

    async def stopped() -> None:
        async def made() -> None:
            async with room.folder() as folder:
                await room.run(work, CHILD, folder, "start_others")

        task = asyncio.create_task(made())
        await begun.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    _awaited(stopped())
    _until(lambda: not _running(work.progress["other"]))


_PARENT = """
import asyncio
from tests.jobs import test_children as here
here._run("tell_of_itself")
"""


def test_it_does_not_outlive_a_parent_that_was_killed(tmp_path: Path, folders: Path) -> None:
    told = tmp_path / "told"
    environment = os.environ | {"TELL": str(told), "TMPDIR": str(folders)}
    parent = subprocess.Popen([sys.executable, "-c", _PARENT], env=environment)
    try:
        _until(told.exists, parent)
        child, folder = told.read_text().split()
        assert _running(int(child))
        assert Path(folder).exists()
    finally:
        parent.send_signal(signal.SIGKILL)
        parent.wait()
    _until(lambda: not _running(int(child)))
    assert not Path(folder).exists()


def _until(holds: Callable[[], bool], parent: subprocess.Popen[bytes] | None = None) -> None:
    """Look until it holds: another process, whose end nobody tells."""
    never = threading.Event()
    for _ in range(12_000):
        if holds():
            return
        assert parent is None or parent.poll() is None
        never.wait(0.005)
    raise AssertionError("it never came to pass")


async def _fed(data: bytes) -> list[Any] | None:
    reader = asyncio.StreamReader()
    reader.feed_data(data)
    reader.feed_eof()
    return await frames.receive(reader)


def test_frames_of_a_pipe() -> None:
    assert asyncio.run(_fed(frames.packed("done", 1))) == ["done", 1]
    assert asyncio.run(_fed(frames.packed("done", 1)[:-1])) is None
    with pytest.raises(frames.TooLarge):
        asyncio.run(_fed(b"\xff\xff\xff\xff"))
