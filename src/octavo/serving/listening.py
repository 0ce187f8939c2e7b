"""Where a server listens: the socket, its address, and how no more connections are taken without losing one."""

from __future__ import annotations

import errno
import socket
import struct
import sys

import click

BACKLOG = 2048
_ATTACH_FILTER = 26
"""SO_ATTACH_FILTER, which the module `socket` has no name for."""
_NO_SYN = (
    (0x30, 0, 0, 13),  # the flags of the TCP header
    (0x54, 0, 0, 0x02),  # and SYN
    (0x15, 0, 1, 0),  # without it
    (0x06, 0, 0, 0xFFFFFFFF),  # the packet is taken,
    (0x06, 0, 0, 0),  # with it dropped
)
"""A filter of packets, in the code of the kernel."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens. Raises ClickException where that cannot be."""
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
    except OSError as error:
        sentence = f"{host}:{port} cannot be listened on: {error.strerror or error}"
        if error.errno == errno.EADDRINUSE:
            sentence += "; `--port` names another one (0 = any that is free)"
        raise click.ClickException(sentence) from error
    listener.listen(BACKLOG)
    listener.set_inheritable(False)
    return listener


def address(host: str, listener: socket.socket) -> str:
    """The address that people type."""
    port = listener.getsockname()[1]
    shown = "localhost" if host in ("0.0.0.0", "::", "127.0.0.1", "::1") else host
    return f"http://{shown}:{port}"


def take_no_more(listener: socket.socket) -> None:
    """Let nobody begin to connect, while those who have begun come through and can be accepted.

    When a socket is closed, the kernel resets who is connected and not accepted yet, and some always are where many come.
    What is dropped here is sent again a second later, and meets the next server. (Only Linux knows how.)
    """
    if sys.platform != "linux":
        return
    import ctypes  # at the end only

    code = ctypes.create_string_buffer(b"".join(struct.pack("=HBBI", *one) for one in _NO_SYN))
    program = struct.pack("@HP", len(_NO_SYN), ctypes.addressof(code))
    listener.setsockopt(socket.SOL_SOCKET, _ATTACH_FILTER, program)
