"""Whether a secret leaves the home folder: `python -m tests.campaigns.canaries` (threats 37 and 38).

Bots play whole matches between processes, with a trace.  Then all that others may get to see is searched for
every key, seed, salt and card secret of the players, in several spellings: transcripts, exports, pages,
traces, reports of crashes, what the system tells all users of each process, and core files.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import resource
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final, cast

from cli.reports import sources
from cli.shell.exit_codes import Exit
from cli.shell.guard import NAME as CRASH_LOG
from protocol.record.genesis import chain_length
from protocol.record.referee import Referee
from protocol.seat.secrets import MatchSecrets
from protocol.storage.home import GAMES, IDENTITY
from protocol.storage.match_store import SECRETS, TLS, TRANSCRIPT
from tests.helpers.machine.spellings import spellings

PROGRAM: Final = (sys.executable, "-m", "cli")
MATCHES: Final[tuple[tuple[str, ...], ...]] = (
    ("spies-and-lies",),
    ("stratego", "--proofs", "--army", "duel", "--quiet", "20"),
    ("conquest", "--seats", "3", "--proofs", "--rounds", "1"),
    ("conquest", "--seats", "2", "--rounds", "2"),
)
EXPORTS: Final = ((), ("--json",), ("--html",), ("--svg",), ("--cast",))
"""The last three write a file."""
_CRASH: Final = """
import sys
from cli.play.bots import bot_process
from protocol.record.asks import commit
def fail(*_): raise RuntimeError("forced, by a test")
commit.hide_face = fail
sys.exit(bot_process.main())
"""
_BEGIN: Final = 8
"""Bytes by which a secret is found first."""
_ABORT: Final = "import os, sys; from cli.shell.guard import run_guarded; run_guarded(os.abort, [])"


def derived(master: bytes, seat: int, referee: Referee) -> Iterator[bytes]:
    """All secrets of a seat that no other one may know behind the last record."""
    secrets, table, game = MatchSecrets(master), referee.table, referee.genesis.id
    yield master
    yield from secrets.links(seat, chain_length(referee.genesis.game))[table.shares[seat] + 1 :]
    for slot, hidden in table.hidden.items():
        if hidden.seat == seat and slot not in table.faces:
            yield secrets.salt(game, seat, slot, hidden.taken_back)
    keys = (secrets.deck_key(game, seat), secrets.share_key(game, seat))
    yield from (key.to_bytes(32, "little") for key in keys)
    for serial in range(table.serial + 1):
        yield from (secrets.look_secret(game, seat, serial), secrets.seal_secret(game, seat, serial))
    for serial in range(table.serial + 1, table.serial + 20):
        yield secrets.choice_salt(game, seat, serial)


def canaries(home: Path) -> Iterator[bytes]:
    """Every secret in a home folder."""
    for pem in (home / IDENTITY, *home.rglob(TLS)):
        yield from re.findall(rb"\n([A-Za-z0-9+/=]{40,})\n", pem.read_bytes().partition(b"BEGIN PRIVATE")[2])
    for folder in (home / GAMES).iterdir():
        referee = sources.replayed("", (folder / TRANSCRIPT).read_bytes()).referee
        kept = (folder / SECRETS).read_bytes()
        begin = kept.index(b"\n") + 1 + 5  # the header of a frame
        seat = next(
            seat
            for seat, player in enumerate(referee.genesis.players)
            if MatchSecrets(kept[begin : begin + 32]).nonce == player.nonce
        )
        yield from derived(kept[begin : begin + 32], seat, referee)


def of_processes(root: int) -> Iterator[tuple[str, bytes]]:
    """What the system tells of a process and of those that it started: its words, and what it was given."""
    for task in Path(f"/proc/{root}/task").iterdir():
        try:
            children = (task / "children").read_text().split()
            for what in ("cmdline", "environ"):
                yield f"{what} of a process", Path(f"/proc/{root}/{what}").read_bytes()
        except OSError:
            continue
        for child in children:
            yield from of_processes(int(child))


def play(words: tuple[str, ...], folder: Path) -> Iterator[tuple[str, bytes]]:
    """Play a match; what was told of its processes meanwhile."""
    command = (*PROGRAM, "--home", str(folder), "--log", str(folder / "trace"), "demo", *words, "--fast")
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as process:
        leaks: set[tuple[str, bytes]] = set()
        while process.poll() is None:
            try:
                leaks |= {*of_processes(process.pid)}
                process.communicate(timeout=0.2)
            except (subprocess.TimeoutExpired, OSError):
                continue
    if process.returncode:
        raise RuntimeError(f"{' '.join(words)} ended with {process.returncode}")
    yield from leaks


def exported(home: Path, transcript: Path, folder: Path) -> Iterator[tuple[str, bytes]]:
    """Every export of a match, made by its owner."""
    for options in EXPORTS:
        out = folder / f"{home.name}{''.join(options)}"
        named = (str(out),) if options and options[0] in ("--html", "--svg", "--cast") else ()
        command = (*PROGRAM, "--home", str(home), "export", str(transcript), *options, *named)
        done = subprocess.run(command, capture_output=True, check=True)
        yield f"export {' '.join(options)}", done.stdout + (out.read_bytes() if named else b"")


def crashed(folder: Path) -> Iterator[tuple[str, bytes]]:
    """What a program leaves that fails in its most secret work: what it says, and its report."""
    pipes: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    bot = [sys.executable, "-m", "cli.play.bots.bot_process"]
    with (
        subprocess.Popen([sys.executable, "-c", _CRASH], **pipes) as host,
        subprocess.Popen(bot, **pipes) as guest,
    ):
        say(host, setting("host", folder))
        word: str = json.loads(cast("IO[bytes]", host.stdout).readline())["invite"]
        say(guest, f"{setting('join', folder)}\n{word}")
        output, errors = host.communicate(timeout=60)
        guest.kill()
    if host.returncode != Exit.BUG:
        raise RuntimeError(f"the program was to crash, and ended with {host.returncode}")
    yield "what a crash says", output + errors
    yield "report of a crash", (folder / "host" / CRASH_LOG).read_bytes()


def say(bot: subprocess.Popen[bytes], line: str) -> None:
    """Give a bot's process a line."""
    stream = cast("IO[bytes]", bot.stdin)
    stream.write(f"{line}\n".encode())
    stream.flush()


def setting(role: str, folder: Path) -> str:
    """The settings of a bot's process."""
    who = {"role": role, "name": role, "home": str(folder / role)}
    return json.dumps(who | {"game": "stratego", "options": {}, "level": "cadet", "seed": None, "pause": 0})


def core_left(folder: Path, code: str = _ABORT) -> bool:
    """Whether a program that aborts leaves a core file where the system would keep any."""

    def keep_all() -> None:
        most = resource.getrlimit(resource.RLIMIT_CORE)[1]
        resource.setrlimit(resource.RLIMIT_CORE, (most, most))
        os.chdir(folder)

    environment = os.environ | {"PYTHONPATH": str(Path(__file__).parents[2])}
    pid = os.fork()
    if not pid:
        keep_all()
        os.execve(sys.executable, [sys.executable, "-c", code], environment)  # noqa: S606 - this program
    _, status = os.waitpid(pid, 0)
    if not os.WIFSIGNALED(status) or os.WTERMSIG(status) != signal.SIGABRT:
        raise RuntimeError("the program was not aborted")
    return os.WCOREDUMP(status)


def held(secrets: set[bytes], data: bytes) -> bool:
    """Whether some spelling of a secret stands in `data`."""
    spelt = set(secrets) | {shown.encode() for secret in secrets for shown in spellings(secret)}
    begins: dict[bytes, list[bytes]] = {}
    for spelling in spelt:
        begins.setdefault(spelling[:_BEGIN], []).append(spelling)
    return any(
        data.startswith(tuple(begins[data[at : at + _BEGIN]]), at)
        for at in range(len(data))
        if data[at : at + _BEGIN] in begins
    )


def searched(words: tuple[str, ...], folder: Path) -> tuple[int, int, list[str]]:
    """Of a match: how many secrets were searched in how many things, and those that hold one."""
    folder.mkdir()
    seen = [*play(words, folder)] if words else [*crashed(folder)]
    homes = [path.parent for path in folder.rglob(IDENTITY)]
    for home in homes:
        for transcript in home.rglob(TRANSCRIPT):
            seen += [("a transcript", transcript.read_bytes())]
            seen += exported(home, transcript, folder) if words else []
    seen += [("a trace", path.read_bytes()) for path in folder.glob("trace*")]
    secrets = {secret for home in homes for secret in canaries(home)}
    if not all(held(secrets, path.read_bytes()) for path in folder.rglob(SECRETS)):
        raise RuntimeError("the search does not find a secret where it stands")
    return len(secrets), len(seen), [what for what, data in seen if held(secrets, data)]


def main(arguments: list[str]) -> int:
    argparse.ArgumentParser(prog="python -m tests.campaigns.canaries").parse_args(arguments)
    wrong = []
    with tempfile.TemporaryDirectory() as name:
        for number, words in enumerate((*MATCHES, ())):
            secrets, things, holding = searched(words, Path(name) / str(number))
            wrong += holding
            what = " ".join(words) or "a program that crashes"
            print(
                f"{what}: {secrets:,} secrets searched in {things} things; {len(holding)} hold one",
                *holding,
                flush=True,
            )
        left, any_program = core_left(Path(name)), core_left(Path(name), "import os; os.abort()")
        wrong += ["a core file"] * left
        print(f"Core files: of any program that is aborted {int(any_program)}, of this one {int(left)}.")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
