"""Give the files of the kit to an auditor, read its answers, and print what differs from the right ones.

`python -m conformance.run -- ./my-auditor`, or `python run.py -- …`: it needs the standard library alone.
README.md has the form of an answer, the options and the exit codes.
"""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any, Final, NoReturn, TypeAlias

Plain: TypeAlias = dict[str, Any]
Asked: TypeAlias = Callable[[Sequence[Path]], Plain]
"""What answers about files.  Raises NoAnswer, and OSError if the auditor cannot be started."""

FILE: Final = "expected.json"
"""In a folder of cases: by the name of a case, what must be answered."""
ENDED: Final = ("winners", "reason")
COUNTED: Final = ("entries", "statements", "torn")
COMPARED: Final = {
    "complete": (*ENDED, "never_settled", *COUNTED),
    "incomplete": ("owed", "contested", *COUNTED),
    "unresponsive": (*ENDED, "silent", *COUNTED),
    "cheated": ("fault", *ENDED),
    "equivocated": ("fault", *ENDED),
    "tampered": ("at_record",),
    "proven": ("fault",),
    "agree": ("together", *ENDED),
    "together": ("together", *ENDED),
    "differ": (),
    "unsupported": (),
    "unreadable": (),
}
"""By verdict: the keys that are compared beside it and the exit code, where the expected answer has them."""
ALSO: Final = ("every_signature", "every_proof")
"""The answers of auditors that check more than they must: they may find more (SPEC 12.4.5)."""
NOT_CHECKED: Final = "not-checked"
"""The verdict of an auditor of a part about a match that it does not check (SPEC 12.5.2)."""
TOY: Final = "cups"
"""A game that only the kit has: an auditor without it says rightly that it does not know it."""
COMPARISON: Final = "comparison"
EXIT_DIFFERENCE, EXIT_USAGE, EXIT_INPUT = 1, 64, 74


@dataclass(frozen=True, slots=True)
class Case:
    """Files that are given to the auditor at once, and what it must answer."""

    name: str
    files: tuple[Path, ...]
    expected: Plain

    @property
    def game(self) -> str | None:
        """The name of its game, if its file tells one."""
        game: str | None = self.expected.get("match", {}).get("game")
        return game


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a case; `differences`: sentences, none if the answer is right."""

    case: Case
    outcome: str
    differences: list[str] = field(default_factory=list)


class NoAnswer(Exception):
    """The auditor gave none, and why."""


class BadCases(Exception):
    """The cases cannot be read, and why."""


def cases_in(roots: Sequence[Path]) -> list[Case]:
    """All cases below some folders, by name.  Raises BadCases."""
    cases: list[Case] = []
    for root in roots:
        lists = sorted(root.rglob(FILE))
        if not lists:
            raise BadCases(f"there is no {FILE} in {root} or below it")
        for listed in lists:
            try:
                answers = json.loads(listed.read_text("utf-8"))
            except (OSError, ValueError) as error:
                raise BadCases(f"{listed} cannot be read: {error}") from error
            folder = listed.parent
            for name, expected in sorted(answers.items()):
                files = tuple(folder / file for file in expected.get("files", [name]))
                missing = [str(path) for path in files if not path.is_file()]
                if missing:
                    raise BadCases(f"{', '.join(missing)}: named in {listed}, and not there")
                cases.append(Case(f"{folder.name}/{name}", files, expected))
    return cases


# One answer


def answer_of(command: Sequence[str], files: Sequence[Path], limit: float) -> Plain:
    """What the auditor prints about these files.  Raises NoAnswer, and OSError if it cannot be started."""
    with subprocess.Popen(  # noqa: S603  # the user names the program
        [*command, *map(str, files)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as auditor:
        try:
            printed, complained = auditor.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            os.killpg(auditor.pid, signal.SIGKILL)
            auditor.communicate()
            raise NoAnswer(f"no answer within {limit:g} seconds") from None
    try:
        objects = list(objects_in(printed.decode("utf-8")))
    except ValueError as error:
        raise NoAnswer(f"what it printed is no JSON: {error}") from error
    if not objects:
        why = " / ".join(filter(None, map(str.strip, complained.decode("utf-8", "replace").splitlines())))
        raise NoAnswer(f"it printed nothing, and ended with {auditor.returncode}: {why[:400]}")
    return chosen(objects, several=len(files) > 1)


class Steady:
    """Auditors that keep running, one a thread: a line with the paths in JSON goes in, a line with the answer
    comes out.
    """

    def __init__(self, command: Sequence[str], limit: float) -> None:
        self._command, self._limit = command, limit
        self._own = threading.local()
        self._begun: list[subprocess.Popen[bytes]] = []

    def answer(self, files: Sequence[Path]) -> Plain:
        """Its answer about these files.  After none, the next question begins another process."""
        auditor: subprocess.Popen[bytes] = getattr(self._own, "auditor", None) or self._begin()
        self._own.auditor = None
        try:
            answer = self._asked(auditor, files)
        except (NoAnswer, RecursionError):
            self._begun.remove(auditor)
            _ended(auditor)  # else as many could run as there are cases
            raise
        self._own.auditor = auditor
        return chosen([answer], several=len(files) > 1)

    def _asked(self, auditor: subprocess.Popen[bytes], files: Sequence[Path]) -> Plain:
        assert auditor.stdin is not None
        assert auditor.stdout is not None
        late = threading.Timer(self._limit, os.killpg, (auditor.pid, signal.SIGKILL))
        late.start()
        try:
            auditor.stdin.write(json.dumps([str(path) for path in files]).encode() + b"\n")
            auditor.stdin.flush()
            answer = json.loads(auditor.stdout.readline())
        except (OSError, ValueError) as error:
            raise NoAnswer(f"no line of JSON within {self._limit:g} seconds: {error}") from error
        finally:
            late.cancel()
            late.join()  # a number that is free again can be another process's
        if not isinstance(answer, dict):
            raise NoAnswer("an answer is an object")
        return answer

    def _begin(self) -> subprocess.Popen[bytes]:
        auditor = subprocess.Popen(  # noqa: S603  # the user names the program
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        self._begun.append(auditor)
        return auditor

    def end(self) -> None:
        """End all of them."""
        for auditor in self._begun:
            _ended(auditor)


def _ended(auditor: subprocess.Popen[bytes]) -> None:
    """End an auditor, and all that it has begun."""
    with suppress(ProcessLookupError):
        os.killpg(auditor.pid, signal.SIGKILL)
    auditor.communicate()


def objects_in(text: str) -> Iterator[Plain]:
    """The objects of JSON that stand one behind the other in a text.  Raises ValueError."""
    decoder, at = json.JSONDecoder(), 0
    while (at := at + len(text[at:]) - len(text[at:].lstrip())) < len(text):
        value, at = decoder.raw_decode(text, at)
        if not isinstance(value, dict):
            raise ValueError("an answer is an object")  # noqa: TRY004  # as of text that is no JSON
        yield value


def chosen(objects: Sequence[Plain], *, several: bool) -> Plain:
    """Of all that an auditor printed, the answer: about several files the comparison, else the first object.

    Seats that it calls by the names in its list of `players` are numbers then; a member of `checks` counts as
    if it stood beside that.
    """
    answer = objects[0]
    if several:
        answer = next((printed for printed in objects if printed.get("type") == COMPARISON), objects[-1])
    players: list[Any] = next(
        (printed["players"] for printed in objects if isinstance(printed.get("players"), list)), []
    )
    named = (player.get("seat") if isinstance(player, dict) else None for player in players)
    seats = {name: number for number, name in enumerate(named) if isinstance(name, str)}
    checks = answer.get("checks")
    return numbered({**(checks if isinstance(checks, dict) else {}), **answer}, seats)


def numbered(answer: Plain, seats: dict[str, int]) -> Plain:
    """An answer in which seats are numbers."""

    def number(value: Any) -> Any:
        if isinstance(value, list):
            return [number(member) for member in value]
        if isinstance(value, dict) and "seat" in value:
            return {**value, "seat": number(value["seat"])}
        return seats.get(value, value) if isinstance(value, str) else value

    holding = ("winners", "silent", "contested", "never_settled", "fault", "owed")
    return {key: number(value) if key in holding else value for key, value in answer.items()}


# Comparing


def compared(expected: Plain, keys: Sequence[str] = ()) -> list[str]:
    """The keys of an answer that are compared; `keys`: of these alone, if any are named."""
    wanted = ["verdict", "exit_code", *COMPARED[expected["verdict"]]]
    return [key for key in wanted if key in expected and (not keys or key in keys)]


def differences(expected: Plain, answer: Plain, keys: Sequence[str] = ()) -> list[str]:
    """What an answer says otherwise, in sentences.  Of an object only what is expected is compared."""
    return [
        sentence
        for key in compared(expected, keys)
        for sentence in unlike(key, expected[key], answer.get(key, "nothing at all"))
    ]


def unlike(key: str, expected: Any, answered: Any) -> Iterator[str]:
    """The differences of one value, member by member of an object."""
    if isinstance(expected, dict) and isinstance(answered, dict):
        for name, value in expected.items():
            yield from unlike(f"{key}.{name}", value, answered.get(name, "nothing at all"))
    elif written(expected) != written(answered):
        yield f"{key}: {written(expected)} is right, and not {written(answered)}"


def written(value: Any) -> str:
    """As JSON, so that 1 is not true."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def judged(case: Case, asked: Asked, keys: Sequence[str] = ()) -> Result:
    """Give a case to the auditor.  Raises OSError if it cannot be started."""
    try:
        return _judged(case, asked(case.files), keys)
    except NoAnswer as none:
        return Result(case, "no answer", [str(none)])
    except RecursionError:
        return Result(case, "no answer", ["what it printed is nested too deeply"])


def _judged(case: Case, answer: Plain, keys: Sequence[str]) -> Result:
    verdict = answer.get("verdict")
    if verdict == NOT_CHECKED or (verdict == "unsupported" and case.game == TOY):
        return Result(case, NOT_CHECKED)
    rights = [case.expected, *(case.expected[more] for more in ALSO if more in case.expected)]
    gaps = [differences(right, answer, keys) for right in rights]
    least = min(gaps, key=len)
    return Result(case, "differs" if least else "agrees", least)


# The program


class Parser(argparse.ArgumentParser):
    """Its exit code is that of all commands of the house."""

    def error(self, message: str) -> NoReturn:
        self.exit(EXIT_USAGE, f"conformance: {message}\n")


def parser() -> Parser:
    """The command line."""
    made = Parser(
        prog="python -m conformance.run",
        usage="%(prog)s [option ...] -- COMMAND [ARGUMENT ...]",
        description="Give the files of the kit to an auditor, and print what it answers otherwise.",
    )
    made.add_argument("--cases", type=Path, action="append", help="a folder of cases (default: vectors)")
    made.add_argument(
        "--only", action="append", default=[], help="cases by name, as in transcripts/complete-*"
    )
    made.add_argument("--game", action="append", default=[], help="cases of this game")
    made.add_argument("--keys", default="", help="compare these keys alone, as in verdict,fault")
    made.add_argument("--limit", type=float, default=60.0, help="seconds for one answer (60)")
    made.add_argument("--steady", action="store_true", help="the auditor keeps running, and reads lines")
    made.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="auditors side by side")
    made.add_argument("--list", action="store_true", help="run nothing; name the cases")
    made.add_argument("command", nargs="*", help="the auditor; the paths of the files are put behind it")
    return made


def picked(cases: Sequence[Case], only: Sequence[str], games: Sequence[str]) -> list[Case]:
    """The cases that were asked for: all that fit one of the patterns, and one of the games."""
    return [
        case
        for case in cases
        if (not only or any(fnmatch.fnmatch(case.name, pattern) for pattern in only))
        and (not games or case.game in games)
    ]


def main(arguments: Sequence[str]) -> int:
    """Run the cases; the exit code."""
    line = parser()
    asked = line.parse_args(arguments)
    if not asked.command and not asked.list:
        line.error("name the auditor behind --")
    try:
        cases = picked(cases_in(asked.cases or [Path(__file__).parent / "vectors"]), asked.only, asked.game)
        if asked.list:
            print("\n".join(case.name for case in cases))
            return 0
        keys = [key for key in asked.keys.split(",") if key]
        steady = Steady(asked.command, asked.limit)
        once = partial(answer_of, asked.command, limit=asked.limit)
        answer: Asked = steady.answer if asked.steady else once
        try:
            with ThreadPoolExecutor(max(1, asked.jobs)) as pool:
                return report(pool.map(lambda case: judged(case, answer, keys), cases))
        finally:
            steady.end()
    except (BadCases, OSError) as error:
        print(f"conformance: {error}", file=sys.stderr)
        return EXIT_INPUT


def report(results: Iterator[Result]) -> int:
    """Print what differs, then how many cases agree; the exit code."""
    counts: Counter[str] = Counter()
    for result in results:
        counts[result.outcome] += 1
        if result.differences:
            print("\n  ".join([result.case.name, *result.differences]), flush=True)
    order = ("agrees", "differs", "no answer", NOT_CHECKED)
    print(", ".join(f"{outcome}: {counts[outcome]}" for outcome in order))
    agreed = counts["agrees"] > 0 and not counts["differs"] and not counts["no answer"]
    return 0 if agreed else EXIT_DIFFERENCE


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
