"""The floors that figures are held against, and how anything is timed here.

Best of several rounds: what else a machine does only ever adds time.
"""

from __future__ import annotations

import os
import socket
import tempfile
import threading
import timeit
from collections.abc import Callable

from protocol.crypto.keys import Identity, verify
from protocol.wire import labels

_DATA = bytes(range(110))


def seconds(work: Callable[[], object], *, number: int, rounds: int = 5) -> float:
    """Seconds one call of `work` takes: the best mean over `rounds` rounds of `number` calls."""
    return min(timeit.repeat(work, number=number, repeat=rounds)) / number


def signature() -> float:
    """Seconds to sign an entry's worth of bytes."""
    identity = Identity(bytes(32))
    return seconds(lambda: identity.sign(labels.SIGN_ENTRY, _DATA), number=500)


def verification() -> float:
    """Seconds to verify one."""
    identity = Identity(bytes(32))
    signed = identity.sign(labels.SIGN_ENTRY, _DATA)
    return seconds(lambda: verify(identity.key, labels.SIGN_ENTRY, _DATA, signed), number=500)


def sync(folder: str | None = None) -> float:
    """Seconds to append an entry's worth of bytes to a file and sync it."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        descriptor = file.fileno()

        def append() -> None:
            os.write(descriptor, _DATA)
            os.fdatasync(descriptor)

        return seconds(append, number=100)


def one_way_trip() -> float:
    """Seconds for an entry's worth of bytes from one thread to another over bare TCP on loopback."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        ours = socket.create_connection(server.getsockname())
        theirs, _ = server.accept()
    for end in (ours, theirs):
        end.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def echo() -> None:
        while data := theirs.recv(1024):
            theirs.sendall(data)

    thread = threading.Thread(target=echo)
    thread.start()

    def trip() -> None:
        ours.sendall(_DATA)
        ours.recv(1024)

    try:
        return seconds(trip, number=500) / 2
    finally:
        ours.close()
        thread.join()
        theirs.close()
