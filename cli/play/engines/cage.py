"""Runs an engine within bounds and ends it with all its children; on Linux, keeps it out of folders too.

A program of its own, with nothing but the standard library:

    cage.py CONTROL WORK FOLDER... -- PROGRAM ARGUMENT...

WORK is the engine's own folder, where this starts, and which is removed in the end.  CONTROL is a descriptor:
once its other end is closed, also by the death of the program that holds it, the engine has GRACE seconds to
go, and then it and all its descendants are killed.  What a child started in a session of its own becomes a
child of this process (prctl(2), PR_SET_CHILD_SUBREAPER), so it is known here.

FOLDERs are closed by Landlock (landlock(7), Linux 5.13): the rules allow everything beneath the root but what
lies on the way to a closed folder.  The engine cannot undo them, nor trace or (Linux 6.12) signal processes
outside.  What is made later beside a closed folder or above it is closed, too.

The network is closed by a namespace of its own (network_namespaces(7)), which has none; where a user may not
make one, TCP is closed by Landlock (Linux 6.7).  Limits of the kernel bound each process, and their
number (getrlimit(2)); what the engine and its descendants take together is looked at every second, on Linux.
"""

from __future__ import annotations

import ctypes
import os
import re
import resource
import select
import shutil
import signal
import struct
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

GRACE = 1.0
MEMORY = 4 << 30
"""Bytes of data a process, and of memory all processes of an engine together."""
PROCESSES = 64
TASKS = 1024
"""Processes and threads at one time, held by the kernel: more of them cannot start between two looks."""
LARGEST_FILE = 1 << 28
_COUNTED_APART = (5, 14)
REMOVE = "--remove"
_EVERY = 1.0
"""Seconds between two looks at what the processes take."""
_KILLED_WITHIN = 5.0
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
"""Numbers of system calls, the same on all architectures."""
_PDEATHSIG, _CHILD_SUBREAPER, _NO_NEW_PRIVS = 1, 36, 38
"""Options of prctl(2)."""
_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15, 5: 16}
"""By version of Landlock: how many rights of access to files it knows, a bit each (since 5 the same)."""
_OF_FILES = 0b1100_0000_0000_0111
"""The rights that a rule about a file, no folder, can have: execute, write, read, truncate, ioctl."""
_TCP = 0b11
_TCP_SINCE = 4
"""The rights to bind and to connect."""
_SCOPED = 0b11
_SCOPED_SINCE = 6
"""Neither signals nor abstract sockets lead out."""
_NEW_USER, _NEW_NET = 0x1000_0000, 0x4000_0000
"""Flags of unshare(2)."""


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
    # A kernel takes a longer structure than it knows as long as the rest is zero.
    scoped = _SCOPED if version >= _SCOPED_SINCE else 0
    attributes = struct.pack("=QQQ", rights, _TCP if version >= _TCP_SINCE else 0, scoped)
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


def _close_network() -> bool:
    """Go into a network of one's own, without a way out; False if this system lets no user make one."""
    user, group = os.getuid(), os.getgid()
    if int(ctypes.CDLL(None).unshare(_NEW_USER | _NEW_NET)):
        return False
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{user} {user} 1"),
        ("gid_map", f"{group} {group} 1"),
    ):
        with suppress(OSError):  # unmapped, the engine is nobody in its own eyes, and the same to all others
            Path("/proc/self", name).write_text(text)
    return True


def _limit() -> None:
    """Bound what this process and each of those that it starts may take.  Raises OSError."""
    for which, most in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_DATA, MEMORY),
        (resource.RLIMIT_FSIZE, LARGEST_FILE),
    ):
        _set_limit(which, most)


def _set_limit(which: int, most: int) -> None:
    hard = resource.getrlimit(which)[1]
    limit = most if hard == resource.RLIM_INFINITY else min(most, hard)
    resource.setrlimit(which, (limit, limit))


def most_tasks(release: str, *, apart: bool) -> int:
    """The bound for the tasks of this user, where a kernel of this release counts them.

    In a namespace the engine's tasks count alone since Linux 5.14 (getrlimit(2)); before that, and outside of
    one, those of all programs count too.  For the superuser there is no bound.
    """
    version = tuple(map(int, re.findall("[0-9]+", release)[:2]))
    return TASKS + (0 if apart and version >= _COUNTED_APART else _tasks())


def _tasks() -> int:
    """The processes and threads of this user, of all programs."""
    own = 0
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            own += len(os.listdir(folder / "task")) if folder.stat().st_uid == os.getuid() else 0
    return own


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
    """Run the engine until it ends or CONTROL closes; its exit code.  With REMOVE: remove WORK only."""
    control, work, *rest = arguments
    if control == REMOVE:
        remove(work)
        return 0
    at = rest.index("--")
    if sys.platform == "linux":
        _prctl(_CHILD_SUBREAPER, 1)
    child = os.fork()
    if not child:
        os.close(int(control))
        _become(rest[at + 1 :], [Path(folder) for folder in rest[:at]])
    nowhere = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1):  # else the engine's end would not be seen at the other end
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
    """Remove the folder of an engine as far as that is possible; how much it holds has no bound."""
    with suppress(RecursionError):  # an engine can nest folders deeper than rmtree goes
        shutil.rmtree(folder, ignore_errors=True)


def _become(command: Sequence[str], closed: Sequence[Path]) -> None:
    """Turn into the engine."""
    try:
        _limit()
        if sys.platform == "linux":
            apart = _close_network()  # before the signal: new rights take it away
            _set_limit(resource.RLIMIT_NPROC, most_tasks(os.uname().release, apart=apart))
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
    """The exit code of the child, which is killed GRACE seconds after `control` closed, and for an excess."""
    watched = select.poll()
    ends = end_of(child)
    watched.register(control, select.POLLIN)
    if ends is not None:
        watched.register(ends, select.POLLIN)
    excess = ""
    while not (ready := {descriptor for descriptor, _ in watched.poll(int(_EVERY * 1000))}):
        if sys.platform == "linux" and (excess := _excess()):
            os.set_blocking(2, False)  # the engine may have filled it
            with suppress(OSError):
                os.write(2, f"ended: {excess}\n".encode())
            break
    if ends is None or ends not in ready:
        if ends is not None and not excess:
            watched.unregister(control)
            watched.poll(int(GRACE * 1000))
        with suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _excess() -> str:
    """What the engine and its descendants take more of than they may; "" for nothing."""
    processes = _descendants()
    if len(processes) > PROCESSES:
        return f"more than {PROCESSES} processes"
    if sum(process.pages for process in processes) * resource.getpagesize() <= MEMORY:
        return ""
    taken = sum(_memory(process) for process in processes)  # takes longer, so only if it may be too much
    return f"more than {MEMORY >> 20} MiB of memory" if taken > MEMORY else ""


def _memory(process: _Process) -> int:
    """Bytes of memory of a process; of pages that it shares, its part alone, unless it hides them."""
    with suppress(OSError, ValueError, IndexError):  # it has ended, or keeps others from reading this
        text = Path(f"/proc/{process.number}/smaps_rollup").read_text()
        return int(text.partition("\nPss:")[2].split()[0]) << 10
    return process.pages * resource.getpagesize()


def _kill_all() -> None:
    """Kill every descendant; orphans among them have become children of this process."""
    for _ in range(1000):
        for process in _descendants():
            with suppress(ProcessLookupError, PermissionError):
                os.kill(process.number, signal.SIGKILL)
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                select.select([], [], [], _KILLED_WITHIN / 1000)
        except ChildProcessError:
            return


class _Process(NamedTuple):
    """A process, and the pages of memory that it has."""

    number: int
    pages: int


def _descendants() -> list[_Process]:
    """The processes below this one, the nearest first."""
    children: dict[int, list[_Process]] = {}
    for name in filter(str.isdecimal, os.listdir("/proc")):
        with suppress(OSError, ValueError, IndexError), open(f"/proc/{name}/stat", "rb") as file:
            # Behind the name, which can have brackets: fields from the third on (proc(5)).
            fields = file.read().rpartition(b")")[2].split()
            children.setdefault(int(fields[1]), []).append(_Process(int(name), int(fields[21])))
    below = list(children.get(os.getpid(), ()))
    for process in below:  # which grows
        below += children.get(process.number, ())
    return below


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
