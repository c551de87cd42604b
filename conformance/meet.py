"""Let another player play matches against this program, honestly and not, and judge the records.

`python -m conformance.meet -- ./my-player`, or `python meet.py -- …`: it needs the standard library and the
program alone.  README.md has what the player is called with, what it must leave, and the exit codes.
"""

from __future__ import annotations

import argparse
import contextlib
import fnmatch
import json
import os
import re
import selectors
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, TypeAlias

Plain: TypeAlias = dict[str, Any]

EXIT_DIFFERENCE, EXIT_USAGE, EXIT_INPUT = 1, 64, 74
TRANSCRIPT: Final = "transcript.p2ps"
AFTER_GUEST: Final = 30.0
"""Seconds that the host has to end a match when the player has ended."""
JOINER: Final = "blue"
"""The seat that a guest gets at a table of two."""
JOINER_NAMES: Final = (JOINER, 1)
INVITE: Final = re.compile(r"P2PS[0-9A-Z]{40,}")
OVER: Final = re.compile(r"^THE END$", re.MULTILINE)
QUESTION: Final = re.compile(
    r"""
    \((?=[^\n]*(?:such\ as|\ or\ |/no|ready,))  # a question ends with what it takes, in parentheses:
    (?:[^()\n]*such\ as\ )?                     # an example, or the first alternative
    (\w+(?:\ \w+)*?)(?=,|\ or\ |/|\ \(|\)\ ?$)
    (?:[^()\n]|\([^()\n]*\))*\)
    (?:\ ?$|(?<=/no\)))                     # news can follow it on the line before we read""",
    re.MULTILINE | re.VERBOSE,
)


@dataclass(frozen=True, slots=True)
class Case:
    """One match; `rule`: the word of SPEC for the fault that the player is told to commit, or None.

    `stop`: the player is killed when its copy has so many entries, and called again; 0: it is not.
    """

    name: str
    options: tuple[str, ...]
    rule: str | None = None
    stop: int = 0

    @property
    def verdict(self) -> str:
        """What an auditor says of the host's record."""
        if self.rule is None:
            return "complete"
        return "equivocated" if self.rule == "equivocation" else "cheated"

    def calls(self, invite: str, folder: Path) -> list[list[str]]:
        """What the player is called with, one call after the other."""
        where = [invite, str(folder)]
        if self.stop:
            return [["--stop", str(self.stop), *where], ["--resume", *where]]
        return [where if self.rule is None else ["--cheat", self.rule, *where]]


LIES: Final = ("spies-and-lies", "--wall", "2")
DUEL: Final = ("stratego", "--army", "duel", "--quiet", "6")
CASES: Final = (
    Case("duel", ("stratego", "--army", "duel", "--quiet", "40")),
    Case("classic", ("stratego", "--army", "classic", "--quiet", "40")),
    Case("spies-and-lies", ("spies-and-lies",)),
    Case("stopped-early", ("spies-and-lies", "--wall", "2"), stop=8),
    Case("stopped-late", ("stratego", "--army", "duel", "--quiet", "40"), stop=12),
    Case("wrong-link", LIES, "wrong-link"),
    Case("repeated-commitment", LIES, "repeated-commitment"),
    Case("wrong-opening", LIES, "wrong-opening"),
    Case("illegal-choice", DUEL, "illegal-choice"),
    Case("out-of-turn", DUEL, "out-of-turn"),
    Case("equivocation", DUEL, "equivocation"),
    Case("bomb-or-flag-moved", DUEL, "bomb-or-flag-moved"),
    Case("false-end", DUEL, "false-end"),
)


class NoMatch(Exception):
    """A case did not come to its end, and why."""


class Host:
    """Our program as the host of a table, in lines; it is told the first answer that each question offers."""

    def __init__(self, program: str, home: Path, options: Sequence[str], deadline: float) -> None:
        """Open the table; `deadline`: by the clock of `time.monotonic`, in seconds."""
        words = [program, "--home", str(home), "--plain", "--ascii", "--language", "en", "host", *options]
        self._process = subprocess.Popen(  # noqa: S603  # the user names the program
            [*words, "--name", "Ada", "--players-only", "--hidden", "--address", "127.0.0.1"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
        self._deadline = deadline
        self._answered = 0
        self.output = ""

    def _read(self, guest: IO[bytes] | None = None) -> bool:
        """Wait for more of its words, or for the end of what a guest prints, which is closed then.

        False once it has ended.  Raises NoMatch.
        """
        assert self._process.stdout is not None  # a pipe, as asked for
        with selectors.DefaultSelector() as selector:
            selector.register(self._process.stdout, selectors.EVENT_READ)
            if guest is not None:
                selector.register(guest, selectors.EVENT_READ)
            ready = [key.fileobj for key, _ in selector.select(max(0.0, self._deadline - time.monotonic()))]
        if not ready:
            raise NoMatch("the match is not over in time")
        if guest is not None and guest in ready and not os.read(guest.fileno(), 65_536):
            guest.close()
        if self._process.stdout not in ready:
            return True
        data = os.read(self._process.stdout.fileno(), 65_536)
        self.output += data.decode("ascii", "replace")
        return data != b""

    def invite(self) -> str:
        """The invite that it prints.  Raises NoMatch."""
        while (word := INVITE.search(self.output)) is None or self.output.endswith(word[0]):
            if not self._read():
                raise NoMatch("the host printed no invite")
        return word[0]

    def play(self, guest: IO[bytes] | None) -> None:
        """Answer what it asks until the match is over, or the guest has ended.  Raises NoMatch."""
        assert self._process.stdin is not None  # a pipe, as asked for
        while OVER.search(self.output) is None and not (guest is not None and guest.closed):
            for question in QUESTION.finditer(self.output, self._answered):
                self._answered = question.end()
                self._process.stdin.write(question[1].encode() + b"\n")
                self._process.stdin.flush()
            if not self._read(guest):
                raise NoMatch("the host went before the match was over")

    def finish(self) -> None:
        """Play on without a guest, for some seconds, and let it go.  Raises NoMatch."""
        assert self._process.stdin is not None  # a pipe, as asked for
        self._deadline = min(self._deadline, time.monotonic() + AFTER_GUEST)
        self.play(None)
        self._process.stdin.close()
        while self._read():
            pass

    def end(self) -> None:
        """End it, whatever it does."""
        self._process.kill()
        with contextlib.suppress(BrokenPipeError), self._process:
            pass


def meet(case: Case, program: str, player: Sequence[str], folder: Path, limit: float) -> Iterator[str]:
    """Play one match in a folder; what was not as it should be, in sentences."""
    deadline = time.monotonic() + limit
    host = Host(program, folder / "host", case.options, deadline)
    try:
        statuses = []
        for words in case.calls(host.invite(), folder / "player"):
            with subprocess.Popen([*player, *words], stdout=subprocess.PIPE) as guest:  # noqa: S603  # as above
                assert guest.stdout is not None  # as above
                try:
                    host.play(guest.stdout)
                    statuses.append(guest.wait(max(0.0, deadline - time.monotonic())))
                finally:
                    guest.kill()
        host.finish()
    except (NoMatch, subprocess.TimeoutExpired, BrokenPipeError) as error:
        yield f"{error}; the host said last: {host.output[-300:]!r}"
        return
    finally:
        host.end()
    blame = re.search(rf"^Audit: (\w+): {JOINER}, ", host.output, re.MULTILINE)
    if case.rule is None and statuses[-1] != 0:
        yield f"the player ended with {statuses[-1]}"
    if case.stop and statuses[0] == 0:
        yield "the player did not stop"
    if case.rule is not None and (blame is None or blame[1] != case.verdict):
        yield "the host did not tell its person who cheated"
    missing = [str(path) for path in records_of(case, folder) if not path.is_file()]
    if missing:
        yield f"there is no {', '.join(missing)}"


def records_of(case: Case, folder: Path) -> list[Path]:
    """The host's record of a case, and the player's if that is honest."""
    ours = next(iter(folder.glob(f"host/games/*/{TRANSCRIPT}")), folder / "host" / TRANSCRIPT)
    return [ours] if case.rule else [ours, folder / "player" / TRANSCRIPT]


def judged(words: Sequence[str], files: Sequence[Path]) -> list[Plain]:
    """The objects that an auditor prints about some files.  Raises NoMatch if it prints none."""
    done = subprocess.run([*words, *map(str, files)], capture_output=True, check=False)  # noqa: S603  # as above
    try:
        return [json.loads(line) for line in done.stdout.splitlines()]
    except ValueError as error:
        raise NoMatch(f"{words[0]} answers {done.stdout[-300:]!r} {done.stderr[-300:]!r}") from error


def is_right(case: Case, answer: Plain) -> bool:
    """Whether an auditor says of a record what it should: its verdict, the guest and the rule."""
    fault = answer.get("fault") or {}
    is_theirs = case.rule is None or fault.get("seat") in JOINER_NAMES
    return is_theirs and (answer["verdict"], fault.get("rule")) == (case.verdict, case.rule)


def differences(case: Case, folder: Path, answers: Sequence[Plain], auditor: Sequence[str]) -> Iterator[str]:
    """What our auditor's answers about all records, and another auditor's, should not be, in sentences."""
    records = records_of(case, folder)
    for path in records:
        ours = [
            answer for answer in answers if answer["type"] == "transcript" and answer["file"] == str(path)
        ]
        theirs = judged(auditor, [path]) if auditor else []
        for answer in (*ours, *theirs):
            if not is_right(case, answer):
                yield f"{path} is called {answer['verdict']}, {answer.get('fault')}"
    copies = [
        answer for answer in answers if answer["type"] == "comparison" and str(records[0]) in answer["files"]
    ]
    if case.rule is None and [answer["verdict"] for answer in copies] != ["agree"]:
        yield "the two copies do not agree"


def run(asked: argparse.Namespace, cases: Sequence[Case], folder: Path) -> int:
    """Play and judge the cases; how many went wrong."""
    with ThreadPoolExecutor(asked.jobs) as pool:
        played = pool.map(
            lambda case: list(meet(case, asked.program, asked.player, folder / case.name, asked.limit)), cases
        )
        wrong = dict(zip(cases, played, strict=True))
    whole = [case for case in cases if not wrong[case]]
    files = [path for case in whole for path in records_of(case, folder / case.name)]
    audit = [asked.program, "--home", str(folder / "auditor"), "audit", "--json"]
    answers = judged(audit, files) if files else []
    for case in whole:
        wrong[case] += differences(case, folder / case.name, answers, asked.auditor.split())
    for case in cases:
        print(f"{case.name}: {'; '.join(wrong[case]) or 'as it should be'}")
    return sum(map(bool, wrong.values()))


def main(arguments: Sequence[str]) -> int:
    """The program."""
    parser = argparse.ArgumentParser(
        prog="python -m conformance.meet", description="Try another player against ours."
    )
    parser.add_argument("--program", default="p2p-stratego", help="our program (p2p-stratego)")
    parser.add_argument(
        "--only", action="append", metavar="PATTERN", help="these cases, by name; may be repeated"
    )
    parser.add_argument(
        "--auditor", default="", metavar="COMMAND", help="another auditor, which judges the records too"
    )
    parser.add_argument("--limit", type=float, default=120, help="seconds for one match (120)")
    parser.add_argument("--jobs", type=int, default=1, help="so many matches side by side (1)")
    parser.add_argument(
        "--keep", type=Path, metavar="FOLDER", help="keep homes and records there; it is emptied first"
    )
    parser.add_argument("player", nargs="+", help="the player, behind --")
    asked = parser.parse_args(arguments)
    patterns = asked.only or ["*"]
    cases = [case for case in CASES if any(fnmatch.fnmatch(case.name, pattern) for pattern in patterns)]
    if not cases:
        print("no case has such a name", file=sys.stderr)
        return EXIT_USAGE
    try:
        if asked.keep is not None:
            shutil.rmtree(asked.keep, ignore_errors=True)
            asked.keep.mkdir(parents=True)
            wrong = run(asked, cases, asked.keep)
        else:
            with tempfile.TemporaryDirectory() as folder:
                wrong = run(asked, cases, Path(folder))
    except (OSError, NoMatch) as error:
        print(error, file=sys.stderr)
        return EXIT_INPUT
    print(f"as they should be: {len(cases) - wrong}, otherwise: {wrong}")
    return EXIT_DIFFERENCE if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
