"""Disks in memory, in the place of `os` and `fcntl` in protocol.storage.files.

A file keeps what was synced beside what was written, and changes of names wait for the sync of their folder.
So a power cut loses what a system may lose: of the changes of names, which a journal keeps in order, all
behind some point; of unsynced bytes any part, with zeros or garbage in its place.
"""

from __future__ import annotations

import errno
import fcntl
import io
import os
import random
import stat
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PosixPath
from typing import Any, Final

from tests.campaigns.simulate.life import LIFE, Life

_ROOM: Final = 2**30
_CHUNK: Final = 600
"""Bytes that a power cut may leave behind the end of a file, at most."""


def _error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


@dataclass(eq=False)
class File:
    """A file: what was written, and what is on the disk for certain."""

    inode: int
    mode: int
    changed: int
    data: bytearray = field(default_factory=bytearray)
    synced: bytes = b""


@dataclass(eq=False)
class Directory:
    """A folder."""

    inode: int
    mode: int
    changed: int
    names: dict[str, File | Directory] = field(default_factory=dict)


@dataclass(eq=False)
class Descriptor:
    """An open file or folder, and what its process holds of it."""

    node: File | Directory
    name: str
    life: Life
    lock: int = fcntl.LOCK_UN


@dataclass(frozen=True, slots=True)
class _Change:
    """A change of names that waits for a sync; `before`, `after`: by folder and name."""

    names: tuple[tuple[Directory, str], ...]
    before: tuple[File | Directory | None, ...]


class Disk:
    """The disk of one player, over all processes."""

    def __init__(self) -> None:
        self._numbers = count(1)
        self._times = count(1)
        self.root = Directory(next(self._numbers), 0o700, 0)
        self.journal: list[_Change] = []

    def content(self, path: str) -> bytes:
        """What the processes read in the file at `path`.  Raises FileNotFoundError."""
        node = self.find(path)
        if not isinstance(node, File):
            raise _error(errno.EISDIR)
        return bytes(node.data)

    def find(self, path: str) -> File | Directory:
        """What stands at `path`.  Raises FileNotFoundError and NotADirectoryError."""
        node: File | Directory = self.root
        for name in filter(None, path.split("/")):
            node = self.entry(node, name)
        return node

    def folders(self, path: str) -> list[str]:
        """The names in the folder at `path`; none if it is missing."""
        with suppress(FileNotFoundError):
            node = self.find(path)
            return sorted(node.names) if isinstance(node, Directory) else []
        return []

    def tree(self) -> Iterator[tuple[str, File | Directory]]:
        """All that stands on the disk, with its path."""
        waiting: list[tuple[str, File | Directory]] = [("", self.root)]
        while waiting:
            path, node = waiting.pop()
            yield path, node
            if isinstance(node, Directory):
                waiting += [(f"{path}/{name}", node.names[name]) for name in sorted(node.names)]

    def entry(self, node: File | Directory, name: str) -> File | Directory:
        """What `node` has under `name`."""
        if not isinstance(node, Directory):
            raise _error(errno.ENOTDIR)
        if name not in node.names:
            raise _error(errno.ENOENT)
        return node.names[name]

    def new(self, kind: type[File] | type[Directory], mode: int) -> Any:
        """A new file or folder."""
        return kind(next(self._numbers), mode, self.now())

    def now(self) -> int:
        """The time of a change, by the clock of the file system (nanoseconds)."""
        return next(self._times)

    def change(self, *changes: tuple[Directory, str, File | Directory | None]) -> None:
        """Put or remove names, all at once."""
        names = tuple((folder, name) for folder, name, _ in changes)
        self.journal.append(_Change(names, tuple(folder.names.get(name) for folder, name in names)))
        for folder, name, node in changes:
            folder.changed = self.now()
            if node is None:
                del folder.names[name]
            else:
                folder.names[name] = node

    def sync_names(self, folder: Directory) -> None:
        """The changes of names in `folder`, and those before them, are on the disk for certain."""
        last = [at for at, change in enumerate(self.journal) if any(of is folder for of, _ in change.names)]
        del self.journal[: last[-1] + 1 if last else 0]

    def cut_power(self, rng: random.Random) -> None:
        """Lose what was not synced, or a part of it."""
        for change in reversed(self.journal[rng.randint(0, len(self.journal)) :]):
            for (folder, name), node in zip(change.names, change.before, strict=True):
                if node is None:
                    folder.names.pop(name, None)
                else:
                    folder.names[name] = node
        self.journal.clear()
        self._spoil(self.root, rng)

    def _spoil(self, node: File | Directory, rng: random.Random) -> None:
        if isinstance(node, Directory):
            for name in sorted(node.names):
                self._spoil(node.names[name], rng)
            return
        if bytes(node.data) == node.synced:
            return
        if node.data.startswith(node.synced):
            arrived = rng.randint(len(node.synced), len(node.data))
            end = rng.choice((arrived, len(node.data), len(node.data) + rng.randint(0, _CHUNK)))
            rest = max(0, end - arrived)
            node.data[arrived:] = rng.choice((bytes(rest), rng.randbytes(rest)))
        elif rng.random() < 0.5:
            node.data[:] = node.synced
        node.synced = bytes(node.data)

    def snapshot(self) -> Disk:
        """A copy of the disk, as somebody makes one of a home."""
        return deepcopy(self)


class Place(PosixPath):
    """A path on the disk of the process that asks."""

    def is_dir(self) -> bool:
        """Whether a folder stands there."""
        with suppress(FileNotFoundError):
            return isinstance(disk_of(LIFE.get()).find(str(self)), Directory)
        return False


DISKS: Final[dict[str, Disk]] = {}
"""The disks of the world that runs, by name of their player."""
_OPEN: Final[dict[int, Descriptor]] = {}
_DESCRIPTORS: Final = count(1000)


def disk_of(life: Life) -> Disk:
    """The disk that a process uses."""
    return DISKS[life.name]


def release(life: Life) -> None:
    """The system closes what a process that is gone had open."""
    for number in [number for number, opened in _OPEN.items() if opened.life is life]:
        del _OPEN[number]


def clear() -> None:
    """Begin a world without disks."""
    DISKS.clear()
    _OPEN.clear()


class Reading(io.BytesIO):
    """An open file for `os.fdopen`, which closes its descriptor."""

    def __init__(self, data: bytes, close: Any) -> None:
        super().__init__(data)
        self._close = close

    def close(self) -> None:
        if not self.closed:
            self._close()
        super().close()


class SystemCalls:
    """The calls of `os` that protocol.storage.files makes, on the disk of the process that calls."""

    def __getattr__(self, name: str) -> Any:
        return getattr(os, name)  # constants, and what asks nothing of a disk

    def _folder(self, path: str | Path, dir_fd: int | None) -> tuple[Directory, str]:
        above, _, name = str(path).strip("/").rpartition("/")
        node = _OPEN[dir_fd].node if dir_fd is not None else disk_of(LIFE.get()).root
        for part in above.split("/") if above else ():
            node = disk_of(LIFE.get()).entry(node, part)
        if not isinstance(node, Directory):
            raise _error(errno.ENOTDIR)
        return node, name

    def mkdir(self, path: str | Path, mode: int, *, dir_fd: int | None = None) -> None:
        """os.mkdir."""
        life = LIFE.get()
        life.call("mkdir", path)
        folder, name = self._folder(path, dir_fd)
        if name in folder.names:
            raise _error(errno.EEXIST)
        disk = disk_of(life)
        disk.change((folder, name, disk.new(Directory, stat.S_IFDIR | mode)))
        life.done()

    def open(self, path: str | Path, flags: int, mode: int = 0o600, *, dir_fd: int | None = None) -> int:
        """os.open."""
        life = LIFE.get()
        life.call("create" if flags & os.O_CREAT else "open", path)
        folder, name = self._folder(path, dir_fd)
        node, disk = folder.names.get(name), disk_of(life)
        if node is None and flags & os.O_CREAT:
            node = disk.new(File, stat.S_IFREG | mode)
            disk.change((folder, name, node))
        elif node is None:
            raise _error(errno.ENOENT)
        elif flags & os.O_EXCL:
            raise _error(errno.EEXIST)
        elif isinstance(node, File) and flags & os.O_DIRECTORY:
            raise _error(errno.ENOTDIR)
        assert node is not None
        number = next(_DESCRIPTORS)
        _OPEN[number] = Descriptor(node, name, life)
        life.done()
        return number

    def close(self, fd: int) -> None:
        """os.close."""
        if not LIFE.get().dead:
            del _OPEN[fd]

    def fstat(self, fd: int) -> os.stat_result:
        """os.fstat."""
        return self._status(_OPEN[fd].node)

    def stat(self, name: str, *, dir_fd: int, follow_symlinks: bool) -> os.stat_result:
        """os.stat."""
        LIFE.get().call("stat", name)
        folder, name = self._folder(name, dir_fd)
        return self._status(disk_of(LIFE.get()).entry(folder, name))

    def _status(self, node: File | Directory) -> os.stat_result:
        size = len(node.data) if isinstance(node, File) else 0
        return os.stat_result(
            (node.mode, node.inode, 1, 1, os.geteuid(), os.getegid(), size, 0, 0, 0),
            {"st_mtime_ns": node.changed, "st_ctime_ns": node.changed},
        )

    def fchmod(self, fd: int, mode: int) -> None:
        """os.fchmod."""
        node = _OPEN[fd].node
        node.mode = stat.S_IFMT(node.mode) | mode

    def fstatvfs(self, fd: int) -> os.statvfs_result:
        """os.fstatvfs."""
        LIFE.get().call("statvfs", _OPEN[fd].name)
        return os.statvfs_result((4096, 4096, _ROOM, _ROOM, _ROOM, 0, 0, 0, 0, 255))

    def listdir(self, fd: int) -> list[str]:
        """os.listdir."""
        LIFE.get().call("listdir", _OPEN[fd].name)
        node = _OPEN[fd].node
        assert isinstance(node, Directory)
        return list(node.names)

    def fdopen(self, fd: int, mode: str) -> Reading:
        """os.fdopen, for reading."""
        LIFE.get().call("read", _OPEN[fd].name)
        node = _OPEN[fd].node
        assert isinstance(node, File)
        return Reading(bytes(node.data), lambda: self.close(fd))

    def write(self, fd: int, data: bytes | memoryview) -> int:
        """os.write; half of the bytes are there if it fails."""
        life, opened = LIFE.get(), _OPEN.get(fd)
        half = len(data) // 2
        try:
            life.call("write", opened.name if opened else fd, len(data))
        except OSError:
            self._append(fd, data[:half])
            raise
        short = life.misfortune is not None and life.misfortune.what == "short writes"
        taken = min(len(data), 9) if short else len(data)
        self._append(fd, data[:taken])
        life.done()
        return taken

    def _append(self, fd: int, data: bytes | memoryview) -> None:
        node = _OPEN[fd].node
        assert isinstance(node, File)
        node.data += data
        node.changed = disk_of(LIFE.get()).now()

    def ftruncate(self, fd: int, length: int) -> None:
        """os.ftruncate."""
        life = LIFE.get()
        life.call("truncate", _OPEN[fd].name, length)
        node = _OPEN[fd].node
        assert isinstance(node, File)
        node.data[length:] = bytes(max(0, length - len(node.data)))
        life.done()

    def fdatasync(self, fd: int) -> None:
        """os.fdatasync."""
        life = LIFE.get()
        life.call("sync", _OPEN[fd].name if fd in _OPEN else fd)
        node = _OPEN[fd].node
        assert isinstance(node, File)
        node.synced = bytes(node.data)
        life.done()

    def fsync(self, fd: int) -> None:
        """os.fsync, of a folder."""
        life = LIFE.get()
        life.call("sync names", _OPEN[fd].name if fd in _OPEN else fd)
        node = _OPEN[fd].node
        assert isinstance(node, Directory)
        disk_of(life).sync_names(node)
        life.done()

    def unlink(self, name: str, *, dir_fd: int) -> None:
        """os.unlink."""
        self._remove("unlink", name, dir_fd)

    def rmdir(self, name: str, *, dir_fd: int) -> None:
        """os.rmdir."""
        self._remove("rmdir", name, dir_fd)

    def _remove(self, kind: str, name: str, dir_fd: int) -> None:
        life = LIFE.get()
        life.call(kind, name)
        folder, name = self._folder(name, dir_fd)
        node = disk_of(life).entry(folder, name)
        if isinstance(node, Directory) and node.names:
            raise _error(errno.ENOTEMPTY)
        disk_of(life).change((folder, name, None))
        life.done()

    def rename(self, old: str, new: str, *, src_dir_fd: int, dst_dir_fd: int) -> None:
        """os.rename."""
        life = LIFE.get()
        life.call("rename", old, new)
        (source, old), (target, new) = self._folder(old, src_dir_fd), self._folder(new, dst_dir_fd)
        node = disk_of(life).entry(source, old)
        node.changed = disk_of(life).now()
        disk_of(life).change((source, old, None), (target, new, node))
        life.done()


class Locks:
    """The module `fcntl`, as far as protocol.storage.files uses it."""

    def __getattr__(self, name: str) -> Any:
        return getattr(fcntl, name)

    def flock(self, fd: int, how: int) -> None:
        """fcntl.flock; nobody waits for a lock, as each disk has one process at a time."""
        life = LIFE.get()
        wanted = how & ~fcntl.LOCK_NB
        if wanted != fcntl.LOCK_UN:
            life.call("lock", _OPEN[fd].name)
        elif life.dead:
            return
        own = _OPEN[fd]
        others = [opened.lock for opened in _OPEN.values() if opened.node is own.node and opened is not own]
        if wanted == fcntl.LOCK_EX and any(lock != fcntl.LOCK_UN for lock in others):
            raise _error(errno.EWOULDBLOCK)
        if wanted == fcntl.LOCK_SH and fcntl.LOCK_EX in others:
            raise _error(errno.EWOULDBLOCK)
        own.lock = wanted
