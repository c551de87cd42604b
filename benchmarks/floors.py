"""The floors that figures are compared with: the unavoidable costs of signing, syncing and sending."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import cycle

from benchmarks.measure import Sampler, timed
from protocol.crypto.keys import Identity, verify
from protocol.wire import labels

_DATA = bytes(range(110))
"""About as many bytes as an entry has."""


def signature(number: int = 200) -> Sampler:
    """To sign an entry's worth of bytes."""
    identity = Identity(bytes(32))
    return timed(lambda: identity.sign(labels.SIGN_ENTRY, _DATA), number)


def verification(number: int = 200) -> Sampler:
    """To verify one: each time another one, since a processor learns the branches of one that is repeated."""
    identity = Identity(bytes(32))
    entries = [at.to_bytes(2, "big") + _DATA[2:] for at in range(number)]
    signed = cycle([(entry, identity.sign(labels.SIGN_ENTRY, entry)) for entry in entries])
    return timed(lambda: verify(identity.key, labels.SIGN_ENTRY, *next(signed)), number)


@contextmanager
def sync(folder: str | None = None, number: int = 50) -> Iterator[Sampler]:
    """To append an entry's worth of bytes to a file and sync it."""
    with tempfile.NamedTemporaryFile(dir=folder) as file:
        descriptor = file.fileno()

        def append() -> None:
            os.write(descriptor, _DATA)
            os.fdatasync(descriptor)

        yield timed(append, number)


@contextmanager
def one_way_trip(number: int = 100) -> Iterator[Sampler]:
    """An entry's worth of bytes from one thread to another over bare TCP on loopback."""
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

    def there_and_back() -> None:
        ours.sendall(_DATA)
        ours.recv(1024)

    both_ways = timed(there_and_back, number)
    try:
        yield lambda: both_ways() / 2
    finally:
        ours.close()
        thread.join()
        theirs.close()
