"""Loading libsodium out of `rbcl`, so that a process killed at any moment leaves no copy of it behind.

rbcl carries libsodium's shared object as text.  On import rbcl writes that object, 2.8 MB, to a new file of
the temporary folder, loads the file, and leaves it there.  This module gives rbcl another name for the file,
and nobody else notices: `tempfile` itself stays as it is, also for other threads.

1. On Linux the file is an anonymous file in memory (memfd_create(2)): no folder holds it, a temporary folder
   mounted `noexec` does no harm, and the file ends with the process.
2. Elsewhere, or if that fails, the file lies in the temporary folder, is locked while in use, and is then
   removed.  An unlocked file of this kind belongs to a process that was killed; the next import removes it.
"""

from __future__ import annotations

import builtins
import fcntl
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from importlib import import_module
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from threading import Lock
from types import ModuleType, SimpleNamespace
from typing import Any, Final

_MODULE: Final = "rbcl._sodium"
_PREFIX: Final = "p2p-stratego-libsodium-"
_importing: Final = Lock()


def library() -> Any:
    """The loaded libsodium, as ctypes has it.  Raises ImportError, and OSError if the system refuses it."""
    with _importing:
        try:
            return _imported(_in_memory())
        except OSError:
            return _imported(_in_folder())


def _imported(place: AbstractContextManager[str]) -> Any:
    """The library through a file at `place`, unless rbcl is loaded already."""
    if _MODULE not in sys.modules:
        with place as path:
            finder = _Finder(path)
            sys.meta_path.insert(0, finder)
            try:
                import_module("rbcl")
            finally:
                sys.meta_path.remove(finder)
    return import_module("rbcl")._sodium


@contextmanager
def _in_memory() -> Iterator[str]:
    # Builds of Python for an older C library lack memfd_create.
    if sys.platform != "linux" or not hasattr(os, "memfd_create"):
        raise OSError("no files in memory here")
    fd = os.memfd_create("libsodium")
    try:
        yield f"/proc/self/fd/{fd}"
    finally:
        os.close(fd)  # a loaded library needs its file no more


@contextmanager
def _in_folder() -> Iterator[str]:
    folder = Path(tempfile.gettempdir())
    for left in folder.glob(f"{_PREFIX}*"):
        with suppress(OSError):  # in use, or not ours
            _sweep(left)
    fd, path = _locked(folder)
    try:
        yield path
    finally:
        with suppress(OSError):
            Path(path).unlink()
        os.close(fd)


def _locked(folder: Path) -> tuple[int, str]:
    """A new file with its lock.  If another process sweeps it away before the lock, the next is made."""
    while True:
        fd, path = tempfile.mkstemp(prefix=_PREFIX, suffix=".so", dir=folder)
        fcntl.flock(fd, fcntl.LOCK_EX)
        if os.fstat(fd).st_nlink:
            return fd, path
        os.close(fd)


def _sweep(path: Path) -> None:
    """Remove a file that no living process has locked.  Raises OSError."""
    fd = os.open(path, os.O_RDWR | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        if os.fstat(fd).st_uid == os.geteuid():
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
            path.unlink()
    finally:
        os.close(fd)


class _Finder(MetaPathFinder):
    """Finds rbcl's module as ever, and has it run with a `tempfile` of its own."""

    def __init__(self, path: str) -> None:
        self._path = path

    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        spec = PathFinder.find_spec(name, path, target) if name == _MODULE else None
        if spec is not None and spec.loader is not None:
            spec.loader = _Loader(spec.loader, self._path)
        return spec


class _Loader(Loader):
    def __init__(self, inner: Loader, path: str) -> None:
        self._inner = inner
        self._tempfile = ModuleType("tempfile")
        self._tempfile.__dict__.update(
            vars(tempfile), NamedTemporaryFile=lambda **_options: SimpleNamespace(name=path)
        )

    def create_module(self, spec: ModuleSpec) -> ModuleType | None:
        return self._inner.create_module(spec)

    def exec_module(self, module: ModuleType) -> None:
        # A module's `import` statements call the __import__ of its own __builtins__.
        module.__dict__["__builtins__"] = vars(builtins) | {"__import__": self._import}
        self._inner.exec_module(module)

    def _import(self, name: str, *rest: Any) -> Any:
        return self._tempfile if name == "tempfile" else builtins.__import__(name, *rest)
