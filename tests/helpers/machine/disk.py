"""The files of a match, opened and written by tests, and failing system calls."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import encode_decision
from protocol.storage.match_store import Store
from protocol.wire.encoding import Frame, read_frame
from tests.helpers.links.wire import Wire
from tests.helpers.machine.homes import KeptHome

SECRET = Output(Duty.SECRET, encode_decision(0, (1, 2, 3)))
RECORD = Output(Duty.RECORD, bytes(Frame(2, b"theirs")))
SEND = Output(Duty.SEND, bytes(Frame(2, b"ours")))


def open_match(folder: Path) -> Store:
    """Ada's store of a match, from its folder in her home."""
    with KeptHome(folder.parents[1]) as home:
        return home.open(folder.name)


def reopen(store: Store) -> Store:
    """The store after a restart."""
    store.close()
    return open_match(Path(store.path).parent)


def filled(path: Path) -> Path:
    """The folder of a match with a few records in both files."""
    wire = Wire(path)
    wire.play(3)
    folder = Path(wire.sides[0].store.path).parent
    wire.close()
    return folder


def beginnings(data: bytes) -> list[int]:
    """Where each record of a log or a secrets file begins, without its first one."""
    position, places = data.index(b"\n") + 1, []
    while (frame := read_frame(data, position)) is not None:
        places.append(position)
        position += len(frame)
    return places[1:]


def mode(path: Path) -> int:
    """The permissions of `path`, in the form of `chmod`."""
    return stat.S_IMODE(path.lstat().st_mode)


def place(fd: int) -> Path:
    """The file that is open as `fd`."""
    return Path(os.readlink(f"/proc/self/fd/{fd}"))


def failing(number: int) -> Callable[..., NoReturn]:
    """A system call that always fails with error `number`."""

    def fail(*_: object, **__: object) -> NoReturn:
        raise OSError(number, os.strerror(number))

    return fail


@contextmanager
def nobody() -> Iterator[None]:
    """Run the block as a user without rights: root, who may read and write every file, steps down for it."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(65534)
    try:
        yield
    finally:
        os.seteuid(0)
