"""Runs an engine and ends it with all its children; on Linux, keeps it out of folders too.

A program of its own, with nothing but the standard library:

    cage.py CONTROL WORK FOLDER... -- PROGRAM ARGUMENT...

WORK is the engine's own folder, where this starts, and which is removed in the end.  CONTROL is a descriptor:
once its other end is closed, also by the death of the program that holds it, the engine has GRACE seconds to
go, and then it and all its descendants are killed.  What a child started in a session of its own becomes a
child of this process (prctl(2), PR_SET_CHILD_SUBREAPER), so it is found.

FOLDERs are closed by Landlock (landlock(7), Linux 5.13): the rules allow everything beneath the root but what
lies on the way to a closed folder.  The engine cannot undo them, nor trace or (Linux 6.12) signal processes
outside.  What is made later beside a closed folder or above it is closed, too.
"""

from __future__ import annotations

import ctypes
import os
import resource
import select
import shutil
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

GRACE = 1.0
_KILLED_WITHIN = 5.0
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all architectures."""
_PDEATHSIG, _CHILD_SUBREAPER, _NO_NEW_PRIVS = 1, 36, 38
"""Options of prctl(2)."""
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""By version of Landlock: how many rights of access to files it knows, a bit each (since 5 the same)."""
_OF_FILES = 0b1100_0000_0000_0111
"""The rights that a rule about a file, no folder, can have: execute, write, read, truncate, ioctl."""
_SCOPED_SIGNALS = 2
_SCOPES_SINCE = 6


def landlock() -> int:
    """The version of Landlock here; 0: there is none."""
    if sys.platform != "linux":
        return 0
    return max(_syscall(_CREATE_RULESET, None, 0, 1), 0)


def close_folders(closed: Sequence[Path]) -> None:
    """Close the folders to this process and to all that it starts.  Raises OSError."""
    version = landlock()
    if not version or not closed:
        return
    rights = (1 << _RIGHTS.get(version, 16)) - 1
    if version >= _SCOPES_SINCE:
        attributes = struct.pack("=QQQ", rights, 0, _SCOPED_SIGNALS)
    else:
        attributes = struct.pack("=Q", rights)
    rules = _checked(_syscall(_CREATE_RULESET, attributes, len(attributes), 0))
    for path in _beside(closed):
        with suppress(OSError):  # gone meanwhile, or not ours to open: then it stays closed
            opened = os.open(path, os.O_PATH | os.O_NOFOLLOW | os.O_CLOEXEC)
            try:
                allowed = rights if path.is_dir() else rights & _OF_FILES
                _checked(_syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", allowed, opened), 0))
            finally:
                os.close(opened)
    _checked(_prctl(_NO_NEW_PRIVS, 1))
    _checked(_syscall(_RESTRICT_SELF, rules, 0))
    os.close(rules)


def _beside(closed: Sequence[Path]) -> Iterator[Path]:
    """Everything beneath the root that holds no closed folder; no links: they could lead into one."""
    real = {folder.resolve() for folder in closed}
    real = {folder for folder in real if real.isdisjoint(folder.parents)}
    above = {parent for folder in real for parent in folder.parents}
    for folder in above:
        with suppress(OSError):  # what cannot be listed, or is not there yet, stays closed
            yield from (
                path for path in folder.iterdir() if path not in above | real and not path.is_symlink()
            )


def _syscall(number: int, *arguments: object) -> int:
    return int(ctypes.CDLL(None, use_errno=True).syscall(number, *arguments))


def _prctl(option: int, value: int) -> int:
    return int(ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0))


def _checked(result: int) -> int:
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def main(arguments: Sequence[str]) -> int:
    """Run the engine until it ends or CONTROL closes; its exit code."""
    control, work, *rest = arguments
    at = rest.index("--")
    if sys.platform == "linux":
        _prctl(_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        os.close(int(control))
        _become(rest[at + 1 :], [Path(folder) for folder in rest[:at]])
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):  # else the engine's end would not be seen at the other end
        os.dup2(nowhere, standard)
    code = _ended(child, int(control))
    os.chdir("/")
    if sys.platform == "linux":
        _kill_all()
    remove(work)
    if sys.platform != "linux":
        os.killpg(0, signal.SIGKILL)
    return code


def remove(folder: str) -> None:
    """Remove the folder of an engine as far as that is possible."""
    with suppress(RecursionError):  # an engine can nest folders deeper than rmtree goes
        shutil.rmtree(folder, ignore_errors=True)


def _become(command: Sequence[str], closed: Sequence[Path]) -> None:
    """Turn into the engine."""
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            _prctl(_PDEATHSIG, signal.SIGKILL)
        close_folders(closed)
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
        os.execvp(command[0], list(command))  # noqa: S606 - no shell reads a player's command
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is no name of a program"
        os.write(2, f"{command[0]}: {reason}\n".encode(errors="replace"))
    finally:
        os._exit(127)


def end_of(process: int) -> int | None:
    """A descriptor that is ready to be read once the process has ended (Linux 5.3); None: there is none."""
    with suppress(AttributeError, OSError):  # another system, or a container that keeps it back
        return os.pidfd_open(process)
    return None


def _ended(child: int, control: int) -> int:
    """The exit code of the child, which is killed GRACE seconds after `control` closed."""
    watched = select.poll()
    ends = end_of(child)
    watched.register(control, select.POLLIN)
    if ends is not None:
        watched.register(ends, select.POLLIN)
    ready = {descriptor for descriptor, _ in watched.poll()}
    if ends is None or ends not in ready:
        if ends is not None:
            watched.unregister(control)
            watched.poll(int(GRACE * 1000))
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _kill_all() -> None:
    """Kill every descendant; orphans among them have become children of this process."""
    for _ in range(1000):
        for process in _descendants():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                select.select([], [], [], _KILLED_WITHIN / 1000)
        except ChildProcessError:
            return


def _descendants() -> list[int]:
    """The processes below this one, the nearest first."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        with suppress(OSError, ValueError, IndexError):
            # Behind the name, which can have brackets: state, parent (proc(5)).
            parent = int((entry / "stat").read_text(errors="replace").rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(entry.name))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(0), [])
        found += below
        waiting += below
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
