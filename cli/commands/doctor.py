"""`doctor`: obstacles to a game on this machine, and how to remove them.

It leaves nothing changed: it removes its probe file, and closes its port.
"""

from __future__ import annotations

import argparse
import errno
import json
import os
import re
import shutil
import socket
import stat
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping
from importlib.metadata import requires
from pathlib import Path
from typing import TYPE_CHECKING, Final

from cli.play.arriving.reachability import Finding
from cli.shell import settings
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.explain import explain, sentence
from cli.shell.locations import locate
from cli.shell.named_files import read_file
from cli.shell.version import PROGRAM, installed, program_version
from cli.text import theme
from p2p_stratego.core import strict_json
from p2p_stratego.core.language import _, number
from p2p_stratego.core.strict_json import NotJson
from protocol.failures import NoGroup, UnsafeLibrary
from protocol.storage.home import SETTINGS

if TYPE_CHECKING:
    from cli.play.arriving.network_options import Ways

COLUMNS, ROWS = 80, 24
ROOM: Final = 16 * 1024 * 1024
"""Bytes: a thousand matches."""
EPOCH: Final = 1_735_689_600
"""2025-01-01: the program is younger, so a clock before that is wrong."""
ALL_ADDRESSES: Final = "0.0.0.0"  # noqa: S104 - `host` listens there too, on purpose


def run(arguments: argparse.Namespace) -> int:
    """Print all findings; the exit code is that of the first failure, or 0."""
    home = locate(arguments.home)
    by = _ways(arguments, home)
    findings = list(examine(home, arguments.port, os.environ))
    reached = None
    if isinstance(by, Sorry):
        findings.append(Finding("settings", _("not legible"), str(by), by.code))
    else:
        findings.append(_asking(by))
        if arguments.reach:
            more, reached = _reach(arguments, by)
            findings += more
    if arguments.json:
        ok = not any(f.code for f in findings)
        print(json.dumps({"ok": ok, "reach": reached, "checks": [_plain(f) for f in findings]}))
    else:
        _show(findings, asked=arguments.reach)
    return next((f.code for f in findings if f.code), Exit.OK)


def _ways(arguments: argparse.Namespace, home: Path) -> Ways | Sorry:
    """The ways that the command line and the settings name, or the reason why the settings name none.

    Raises Sorry for a command line that contradicts itself.
    """
    from cli.play.arriving import network_options

    try:
        return network_options.of(arguments, settings.read(_settings(home)))
    except Sorry as sorry:
        if sorry.code == Exit.USAGE:
            raise
        return sorry


def _asking(by: Ways) -> Finding:
    from cli.play.arriving import reachability

    return reachability.languages(by)


def _reach(arguments: argparse.Namespace, by: Ways) -> tuple[list[Finding], str]:
    """The findings from the network's answers, and in a word the way of a friend from outside."""
    import trio

    from cli.play.arriving import reachability

    if not arguments.json and reachability.asks(by):
        print(
            _("Asking the network, for {within:.0f} seconds at most ...", within=reachability.WITHIN),
            flush=True,
        )
    with socket.create_server((ALL_ADDRESSES, arguments.port), reuse_port=False) as server:
        answers = trio.run(reachability.ask, by, server.getsockname()[1])
    return list(reachability.findings(by, answers, arguments.port)), reachability.reach(by, answers)


def _settings(home: Path) -> dict[str, object] | None:
    """The settings in a home folder, which this does not create; None if they are not legible."""
    try:
        value = strict_json.read(read_file(home / SETTINGS, strict_json.MOST + 1))
    except FileNotFoundError:
        return {}
    except (OSError, Sorry, NotJson):
        return None
    return value if isinstance(value, dict) else None


def _plain(finding: Finding) -> dict[str, str]:
    return {"name": finding.name, "status": finding.status, "found": finding.result, "advice": finding.advice}


def _show(findings: list[Finding], *, asked: bool) -> None:
    """Print a line for each check: words before marks, so that it is clear without colour."""
    for finding in findings:
        print(f"{_(finding.status):<8} {_(finding.name):<12} {finding.result}")
        if finding.advice:
            print(f"{'':<21} -> {finding.advice}")
    failures = sum(1 for finding in findings if finding.code)
    print(
        _("Everything needed is there.")
        if not failures
        else _("Things that will not work: {failures}.", failures=failures)
    )
    if not asked:
        print(
            _(
                "What a friend from outside will meet: doctor --reach asks your router, and relays "
                "that you name."
            )
        )


def examine(home: Path, port: int, environment: Mapping[str, str]) -> Iterator[Finding]:
    """All checks, cheapest first."""
    yield Finding(
        "program", _("{version}, Python {split}", version=program_version(), split=sys.version.split()[0])
    )
    yield _libraries()
    yield _tls()
    yield _decks()
    yield of_terminal(environment)
    yield of_colours(environment)
    yield _encoding()
    yield _checked("home", Exit.IO, lambda: _home(home))
    yield _checked("permissions", Exit.IO, lambda: _permissions(home))
    yield _checked("space", Exit.IO, lambda: _space(home))
    yield _checked("clock", Exit.IO, lambda: _clock(home))
    yield _checked("port", Exit.UNREACHABLE, lambda: _port(port))
    from cli.play.arriving import reachability

    yield reachability.here()


def _checked(name: str, code: Exit, check: Callable[[], Finding]) -> Finding:
    """The finding of `check`; a refusal of the system is a finding too."""
    try:
        return check()
    except OSError as error:
        explained = explain(error)
        return Finding(name, error.strerror or _("refused"), explained[0] if explained else "", code)


def _libraries() -> Finding:
    if installed() is None:
        return Finding("libraries", _("run from its sources, not installed"))
    lines = {re.split(r"[^\w-]", line, maxsplit=1)[0]: line for line in requires(PROGRAM) or []}
    versions = {name: installed(name) or _("missing") for name in lines}
    for name, line in lines.items():
        if ";" in line and versions[name] == "missing":
            del versions[name]  # not for every Python; the feature that needs it says so
    result = ", ".join(f"{name} {number}" for name, number in versions.items())
    if "missing" in versions.values():
        return Finding(
            "libraries", result, _("Install the program again: pipx install, or make install."), Exit.IO
        )
    from protocol.crypto.keys import Identity, check_key

    try:
        check_key(Identity(bytes(32)).key)
    except UnsafeLibrary as error:
        return Finding("libraries", result, sentence(error), Exit.CONFIG)
    return Finding("libraries", result)


def _tls() -> Finding:
    """The OpenSSL for connections; each release that can be installed speaks TLS 1.3."""
    from OpenSSL import SSL

    return Finding("tls", SSL.OpenSSL_version(SSL.OPENSSL_VERSION).decode("ascii", "replace"))


def _decks() -> Finding:
    """The library for shared decks, which loads itself from the temporary folder."""
    from protocol.crypto.group.ristretto import load

    try:
        load()
    except NoGroup as error:
        return Finding("decks", _("games with shared decks cannot be played"), sentence(error), Exit.CONFIG)
    return Finding("decks", _("ristretto255, by libsodium"))


def of_terminal(environment: Mapping[str, str]) -> Finding:
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return Finding("terminal", _("none: input or output is a file or a pipe; games run in plain lines"))
    kind = environment.get("TERM", "")
    columns, rows = shutil.get_terminal_size()
    result = f"{kind or _('TERM is not set')}, {columns} x {rows}"
    if kind in ("", "dumb"):
        return Finding(
            "terminal", result, _("No full screen here; games run in plain lines. Set TERM to have it.")
        )
    if columns < COLUMNS or rows < ROWS:
        return Finding(
            "terminal",
            result,
            _(
                "Make the window at least {columns} x {rows}, or play with --plain.",
                columns=COLUMNS,
                rows=ROWS,
            ),
        )
    return Finding("terminal", result)


def of_colours(environment: Mapping[str, str]) -> Finding:
    if environment.get("NO_COLOR"):
        return Finding("colours", _("none, as NO_COLOR wishes"))
    return Finding("colours", number(theme.colours(environment)))


def _encoding() -> Finding:
    encoding = (sys.stdout.encoding or _("unknown")).lower()
    if encoding.replace("-", "") == "utf8":
        return Finding("encoding", encoding)
    return Finding(
        "encoding",
        encoding,
        _("Signs beyond this encoding become ?: set LANG to a UTF-8 one, or use --ascii."),
    )


def _existing(home: Path) -> Path:
    """`home`, or the nearest folder above it that is there."""
    return next(path for path in (home, *home.parents) if path.exists())


def _home(home: Path) -> Finding:
    """Whether keys and games can be written: tried by writing, as permissions alone do not tell."""
    try:
        place = _existing(home)
        if not place.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, _("{place} is a file", place=place))
        with tempfile.TemporaryFile(dir=place) as probe:
            probe.write(bytes(4096))
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        why = f"{home}: {error.strerror}"
        return Finding("home", why, _("Choose a folder that can be written to with --home DIR."), Exit.IO)
    return Finding("home", str(home) if home.exists() else _("{home} (made when first needed)", home=home))


def _permissions(home: Path) -> Finding:
    """Others must not read keys (threat 36)."""
    open_to_others = [
        path
        for path in (home, home / "identity.key", *home.glob("games/*/secrets"))
        if path.exists() and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO)
    ]
    if open_to_others:
        worst = open_to_others[-1]
        return Finding(
            "permissions",
            _("others can reach {worst}", worst=worst),
            _("chmod go-rwx {worst}", worst=worst),
            Exit.IO,
        )
    return Finding(
        "permissions", _("only you can read keys and games") if home.exists() else _("nothing there yet")
    )


def _space(home: Path) -> Finding:
    free = shutil.disk_usage(_existing(home)).free
    result = _("{free} MiB free", free=number(free // (1024 * 1024)))
    if free < ROOM:
        return Finding("space", result, _("Make room: a game is not started on a full disk."), Exit.IO)
    return Finding("space", result)


def _clock(home: Path) -> Finding:
    """Only invites look at the wall clock: with a wrong clock they expire too early or too late."""
    now = time.time()
    result = time.strftime(_("%Y-%m-%d %H:%M UTC"), time.gmtime(now))
    newest = max((path.stat().st_mtime for path in home.glob("*")), default=0.0)
    if now < EPOCH or newest > now + 86_400:
        return Finding(
            "clock", result, _("The clock seems to be wrong: set it, or invites expire at a wrong time.")
        )
    return Finding("clock", result)


def _port(port: int) -> Finding:
    """Whether `host` can listen; only a caller from outside can tell whether calls arrive."""
    with socket.create_server((ALL_ADDRESSES, port)) as server:
        number = server.getsockname()[1]
    return Finding("port", _("{number} is free to listen on", number=number) if port else _("can listen"))
