"""Safe and private files: protocol/ reads and writes all its files through this module.

This module walks paths from an open folder, one name at a time, and follows no link (threat 36); this program
makes every name, the other side none.  New folders, and new folders above them, have mode 0700.  Files have
mode 0600: all of them are private, so opening a file takes away the rights of others.  A file that must
survive is synced, and so is its folder.  Errors of the system become StorageFailures.  This module knows
nothing of the meaning of the files.
"""

from __future__ import annotations

import errno
import fcntl
import os
import re
import secrets
import stat
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final

from protocol.failures import DiskFailed, DiskFull, Hazard, InUse, Missing, ReadOnly, StorageFailure, Unsafe
from protocol.limits import MAX_WITH_PROOFS

FRESH: Final = "new-"
"""The prefix of an incomplete file that is to replace another."""
MAX_FILE: Final = MAX_WITH_PROOFS
"""Bytes of the largest file that is read."""

_LOOK: Final = 0.001
"""Seconds to wait for another process that looks whether a lock is held."""
_LOOKS: Final = 200
_STRAY: Final = re.compile(FRESH + "[0-9a-f]{16}")
_NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_PRIVATE: Final = 0o600
_OTHERS: Final = 0o077
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = (
    os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
)  # NONBLOCK: a FIFO in a file's place must not hang


def _unsafe(hazard: Hazard, place: str, number: int) -> Unsafe:
    return Unsafe(place, hazard, number)


_FAILURES: Final[dict[int, Callable[[str, int], StorageFailure]]] = {
    errno.ENOSPC: DiskFull,
    errno.EDQUOT: DiskFull,
    errno.EFBIG: DiskFull,
    errno.EROFS: ReadOnly,
    errno.EACCES: ReadOnly,
    errno.EPERM: ReadOnly,
    errno.ENOENT: Missing,
    errno.ELOOP: partial(_unsafe, Hazard.LINK),
    errno.ENOTDIR: partial(_unsafe, Hazard.NO_FOLDER),
    errno.EISDIR: partial(_unsafe, Hazard.A_FOLDER),
    errno.ENXIO: partial(_unsafe, Hazard.NO_FILE),
}
"""Error numbers of the system as types; every other number becomes a DiskFailed."""


def failure(error: OSError, place: str) -> StorageFailure:
    """`error` of the system, met at the path `place`, as a StorageFailure."""
    number = error.errno or 0
    return _FAILURES.get(number, DiskFailed)(place, number)


@contextmanager
def explained(place: str) -> Iterator[None]:
    """Turn errors of the system within the block into StorageFailures about `place`; FileExistsError, an
    answer, passes.
    """
    try:
        yield
    except FileExistsError:
        raise
    except OSError as error:
        raise failure(error, place) from error


def sync(fd: int) -> None:
    """Return once all data written to `fd` is on the disk.  After an error the state of the file is unknown,
    and a second call may report success for lost pages: so never retry (threat 34).
    """
    if sys.platform == "darwin":  # there, fsync stops at the drive's cache: fcntl(2), F_FULLFSYNC
        fcntl.fcntl(fd, fcntl.F_FULLFSYNC)
    else:
        os.fdatasync(fd)


def write_all(fd: int, data: bytes) -> None:
    """Write all of `data`, in as many calls as the system needs (threat 33)."""
    left = memoryview(data)
    while left:
        taken = os.write(fd, left)
        if taken <= 0:
            raise OSError(errno.EIO, "nothing was written")
        left = left[taken:]


def make_folders(path: Path) -> None:
    """Make the folder at `path` if it is missing, and those above it, all with mode 0700: to parents the
    standard library gives the mode of the umask.  Raises OSError.
    """
    try:
        os.mkdir(path, 0o700)
    except FileNotFoundError:
        if path.parent.is_dir():  # in /proc nobody can make a folder: without this the recursion has no end
            raise
        make_folders(path.parent)
        make_folders(path)
    except OSError:  # the folder is there already, perhaps on a read-only disk
        if not path.is_dir():
            raise


def _behind_a_look(fd: int) -> bool:
    """Take the lock of a file that others only look at, see `Folder.held`; False if one of them holds it.

    No system tells who holds a flock.  But the holder of a real lock shares it with nobody: a lock that we
    can share is only a look, and ends at once.
    """
    for _unused in range(_LOOKS):
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError:
            return False
        with suppress(OSError):
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        fcntl.flock(fd, fcntl.LOCK_UN)  # our own share must keep out nobody who tries the same
        time.sleep(_LOOK)
    return False


class Folder:
    """An open folder; all access goes through its descriptor, so that nobody can swap the folder."""

    def __init__(self, fd: int, path: Path) -> None:
        self._fd = fd
        self.path = path

    @classmethod
    def at(cls, path: Path) -> Folder:
        """The folder at `path`, made if missing, with its parents.  The user gave the path, so links in it
        are followed.  Raises Unsafe for a folder that others can write to: they could swap its content.
        """
        with explained(str(path)):
            try:
                make_folders(path)
            except FileExistsError as error:
                raise Unsafe(str(path), Hazard.FILE_FOR_HOME) from error
            fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
            folder = cls(fd, path)
            status = os.fstat(fd)
        if status.st_uid != os.geteuid() or status.st_mode & 0o022:
            folder.close()
            raise Unsafe(str(path), Hazard.OTHERS_MAY_CHANGE)
        return folder

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close the folder; a second call has no effect."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def place(self, name: str) -> str:
        """The path of `name`, for messages."""
        return str(self.path / name)

    def _open(self, name: str, flags: int, mode: int = _PRIVATE) -> int:
        if not _NAME.fullmatch(name):
            raise ValueError(f"not a name that this program gives: {name!r}")
        with explained(self.place(name)):
            return os.open(name, flags, mode, dir_fd=self._fd)

    def _open_regular(self, name: str, flags: int) -> int:
        fd = self._open(name, flags | _FILE)
        if not stat.S_ISREG(os.fstat(fd).st_mode):
            os.close(fd)
            raise Unsafe(self.place(name), Hazard.NO_FILE)
        return fd

    def _open_file(self, name: str, flags: int) -> int:
        fd = self._open_regular(name, flags)
        if os.fstat(fd).st_mode & _OTHERS:
            with suppress(OSError):  # on a read-only disk the file can be read all the same
                os.fchmod(fd, _PRIVATE)
        return fd

    def names(self) -> list[str]:
        """The names in the folder in the form of this program, sorted."""
        with explained(str(self.path)):
            return sorted(name for name in os.listdir(self._fd) if _NAME.fullmatch(name))

    def folder(self, name: str, *, create: bool = False) -> Folder:
        """The folder `name` in this one.  Raises Missing unless `create`."""
        if create:
            with explained(self.place(name)), suppress(FileExistsError):
                os.mkdir(name, 0o700, dir_fd=self._fd)
                self.sync()
        return Folder(self._open(name, _FOLDER), self.path / name)

    def sync(self) -> None:
        """Return once the names in this folder are on the disk."""
        with explained(str(self.path)):
            os.fsync(self._fd)

    def read(self, name: str) -> bytes:
        """The content of file `name`.  Raises Missing."""
        fd = self._open_file(name, os.O_RDONLY)
        with explained(self.place(name)), os.fdopen(fd, "rb") as file:
            data = file.read(MAX_FILE + 1)
        if len(data) > MAX_FILE:
            raise Unsafe(self.place(name), Hazard.TOO_LARGE)
        return data

    def tighten(self, name: str) -> bool:
        """Return whether others could read `name` until now.  Raises ReadOnly if they still can."""
        fd = self._open_regular(name, os.O_RDONLY)
        try:
            with explained(self.place(name)):
                loose = bool(os.fstat(fd).st_mode & _OTHERS)
                if loose:
                    os.fchmod(fd, _PRIVATE)
                return loose
        finally:
            os.close(fd)

    def size(self, name: str) -> int:
        """Bytes in file `name`.  Raises Missing."""
        fd = self._open_file(name, os.O_RDONLY)
        try:
            with explained(self.place(name)):
                return os.fstat(fd).st_size
        finally:
            os.close(fd)

    def inode(self, name: str) -> tuple[int, int]:
        """The number of the inode of `name`, and when that was changed last, in nanoseconds: no program can
        set either, so a copied or restored file has others.
        """
        with explained(self.place(name)):
            status = os.stat(name, dir_fd=self._fd, follow_symlinks=False)
        return status.st_ino, status.st_ctime_ns

    def modified(self, name: str) -> int:
        """When the content of file `name` last changed, in nanoseconds by the file system's clock."""
        with explained(self.place(name)):
            return os.stat(name, dir_fd=self._fd, follow_symlinks=False).st_mtime_ns

    def create(self, name: str, data: bytes, *, synced: bool = True) -> None:
        """Make a file with `data`; for its name call `sync`.  Raises FileExistsError if the name is taken."""
        fd = self._open_file(name, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with explained(self.place(name)):
                write_all(fd, data)
                if synced:
                    sync(fd)
        finally:
            os.close(fd)

    def replace(self, name: str, data: bytes, *, synced: bool = True) -> None:
        """Give file `name` the content `data`; a crash leaves the old or the new content, never half.

        Without `synced` that holds for a process that is killed; after a power cut the content may be any.
        """
        fresh = FRESH + secrets.token_hex(8)
        try:
            self.create(fresh, data, synced=synced)
            self.rename(fresh, name)
        except StorageFailure:
            with suppress(OSError):
                os.unlink(fresh, dir_fd=self._fd)
            raise
        if synced:
            self.sync()

    def tidy(self) -> None:
        """Remove incomplete files of killed processes; the caller must be the only process in this folder."""
        for name in self.names():
            if _STRAY.fullmatch(name):
                self.remove(name)

    def rename(self, old: str, new: str) -> None:
        """Give `old` the name `new`, replacing a file, or an empty folder, of that name."""
        with explained(self.place(new)):
            os.rename(old, new, src_dir_fd=self._fd, dst_dir_fd=self._fd)

    def move(self, name: str, to: Folder) -> None:
        """Move `name` into the folder `to`, under the same name, and sync both."""
        with explained(to.place(name)):
            os.rename(name, name, src_dir_fd=self._fd, dst_dir_fd=to._fd)
        to.sync()
        self.sync()

    def remove(self, name: str) -> bool:
        """Remove file `name` for good; return whether this call removed it."""
        with explained(self.place(name)):
            try:
                os.unlink(name, dir_fd=self._fd)
            except FileNotFoundError:
                return False
        self.sync()
        return True

    def clear(self) -> None:
        """Remove all files in this folder, which is no longer needed."""
        with explained(str(self.path)):
            for name in self.names():
                os.unlink(name, dir_fd=self._fd)

    def remove_folder(self, name: str) -> None:
        """Remove the empty folder `name`."""
        with explained(self.place(name)):
            os.rmdir(name, dir_fd=self._fd)

    def lock(self, name: str, *, wait: bool = True) -> Lock:
        """The only lock on `name`, until it is closed or this process ends in any way.

        If another process has the lock: waits for it, or without `wait` raises InUse.  It uses flock, because
        closing any descriptor of the file releases an fcntl lock.
        """
        fd = self._open_file(name, os.O_RDWR | os.O_CREAT)
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
        except OSError as error:
            taken = error.errno == errno.EWOULDBLOCK and not wait
            if not taken or not _behind_a_look(fd):
                os.close(fd)
                raise InUse(self.place(name)) if taken else failure(error, self.place(name)) from error
        return Lock(fd)

    def held(self, name: str) -> bool:
        """Whether a process holds the lock on `name`; no file, no lock.

        Nothing is changed, and a holder notices nothing.  The look takes a shared lock for a moment, which
        `lock` waits for.
        """
        try:
            fd = self._open_file(name, os.O_RDONLY)
        except Missing:
            return False
        try:
            fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            if error.errno == errno.EWOULDBLOCK:
                return True
            raise failure(error, self.place(name)) from error
        finally:
            os.close(fd)  # which gives the lock back
        return False

    def room(self, needed: int) -> None:
        """Raise DiskFull unless `needed` bytes are free for this user."""
        with explained(str(self.path)):
            disk = os.fstatvfs(self._fd)
        if disk.f_bavail * disk.f_frsize < needed:
            raise failure(OSError(errno.ENOSPC, "no room"), str(self.path))

    def log(self, name: str, length: int) -> Log:
        """File `name`, cut to its first `length` bytes, to append to.  It is synced first: a killed process
        may have left unsynced bytes, and from now on we rely on them (threat 30).
        """
        fd = self._open_file(name, os.O_RDWR | os.O_APPEND)
        try:
            with explained(self.place(name)):
                if os.fstat(fd).st_size != length:
                    os.ftruncate(fd, length)
                sync(fd)
        except StorageFailure:
            os.close(fd)
            raise
        return Log(fd, self.place(name), length)


class Lock:
    """A held lock."""

    def __init__(self, fd: int) -> None:
        self._fd = fd

    def __enter__(self) -> Lock:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock; a second call has no effect."""
        if self._fd >= 0:
            # A process that a thread of ours is just starting has this descriptor too until it runs its
            # program; to close ours alone would leave the lock with it (flock(2)).
            with suppress(OSError):
                fcntl.flock(self._fd, fcntl.LOCK_UN)
            os.close(self._fd)
            self._fd = -1


def require_makeable(path: Path) -> None:
    """Return if a folder can be made at `path`, where none is yet; it is removed again.  Raises
    StorageFailure.
    """
    missing = [folder for folder in (path, *path.parents) if not os.path.lexists(folder)]
    try:
        Folder.at(path).close()
    finally:
        for folder in missing:
            with suppress(OSError):
                folder.rmdir()


class Log:
    """An append-only file."""

    def __init__(self, fd: int, place: str, length: int) -> None:
        self._fd = fd
        self.place = place
        self.length = length
        self._written = False
        """Whether written bytes are not yet synced."""

    def append(self, data: bytes, *, durable: bool = True) -> None:
        """Append `data`.  If `durable`, return once it is on the disk with all before it; otherwise the next
        durable append, or closing, syncs it.  Raises StorageFailure; then the caller must append nothing
        more, and the file ends with a whole record or a part of one, which the next opening cuts.
        """
        try:
            write_all(self._fd, data)
            self._written = True
            if durable:
                self._sync()
        except OSError as error:
            with suppress(OSError):
                # This returns the room at once; if it fails, the next opening cuts the rest.
                os.ftruncate(self._fd, self.length)
            raise failure(error, self.place) from error
        self.length += len(data)

    def sync(self) -> None:
        """Return once all appended data is on the disk.  Raises the same as `append`."""
        with explained(self.place):
            self._sync()

    def _sync(self) -> None:
        if self._written:
            sync(self._fd)
            self._written = False

    def close(self) -> None:
        """Sync the file if the disk permits, and close it; a second call has no effect."""
        if self._fd >= 0:
            with suppress(OSError):  # no promised record depends on it
                self._sync()
            os.close(self._fd)
            self._fd = -1
