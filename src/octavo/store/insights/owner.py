"""The process that owns the engine: started by a server, asked by all that share its data directory, ended with it.

`python -m octavo.store.insights.owner FOLDER` reads its options as one line of JSON, and ends when its input does.
"""

from __future__ import annotations

import contextlib
import logging
import os
import shutil
import signal
import socket
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

import msgspec

from octavo.store.insights.asking import ADDRESS, HEAD, TAKEN, Options, encode, read_request
from octavo.store.insights.office import Office
from octavo.store.locking import take

LOCK = "owner.lock"
LOOKS = 0.5
"""Seconds between two looks at the spool, where nobody asks."""
_log = logging.getLogger("octavo.insights")


def main(folder: Path) -> int:
    """Own the engine until the input ends."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to all; the server says when
    options = msgspec.json.decode(sys.stdin.buffer.readline(), type=Options)
    folder.mkdir(parents=True, exist_ok=True, mode=0o700)
    with (folder / LOCK).open("a+") as lock:
        if not take(lock.fileno()):
            return TAKEN
        office = Office(folder, options)
        office.catch_up()
        with _listening(folder) as listener:
            threading.Thread(target=_accept, args=(listener, office), daemon=True).start()
            ended = threading.Event()
            threading.Thread(target=_loading, args=(office, ended), daemon=True).start()
            # Nothing is ever said there: it ends with the server, however that ends.
            while sys.stdin.buffer.read(1):
                pass
            ended.set()
        office.close()
    return 0


@contextlib.contextmanager
def _listening(folder: Path) -> Iterator[socket.socket]:
    address = folder / ADDRESS
    with contextlib.suppress(OSError):
        # What an owner left that was killed.
        left = Path(address.read_text("utf-8")).parent
        if left.name.startswith("octavo-insights-"):
            shutil.rmtree(left, ignore_errors=True)
    place = Path(tempfile.mkdtemp(prefix="octavo-insights-"))
    listener = socket.socket(socket.AF_UNIX)
    try:
        listener.bind(str(place / "owner"))
        listener.listen(128)
        aside = address.with_suffix(".new")
        aside.write_text(str(place / "owner"), "utf-8")
        os.replace(aside, address)
        yield listener
    finally:
        address.unlink(missing_ok=True)
        listener.close()
        shutil.rmtree(place, ignore_errors=True)


def _accept(listener: socket.socket, office: Office) -> None:
    while True:
        try:
            asker, _ = listener.accept()
        except OSError:
            return
        threading.Thread(target=_serve, args=(asker, office), daemon=True).start()


def _serve(asker: socket.socket, office: Office) -> None:
    with asker, asker.makefile("rwb") as pipe, contextlib.suppress(OSError):
        while len(head := pipe.read(HEAD.size)) == HEAD.size:
            reply = encode(office.answer(read_request(pipe.read(HEAD.unpack(head)[0]))))
            pipe.write(HEAD.pack(len(reply)) + reply)
            pipe.flush()


def _loading(office: Office, ended: threading.Event) -> None:
    failed = False
    while not ended.wait(LOOKS):
        try:
            office.catch_up()
            failed = False
        except Exception:
            if not failed:  # once is enough while it goes on
                _log.exception("the spool of insights could not be loaded; it is tried again until it can be")
            failed = True


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(name)s %(message)s")
    code = main(Path(sys.argv[1]))
    # Everything is closed; what libraries say of what they still hold interests nobody.
    os._exit(code)
