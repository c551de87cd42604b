"""`demo`: a whole game between bots, each a process with a home folder of its own, over TLS on loopback.

The bots host and join as people do, and one of them tells the game, a line for each step.  Afterwards all
records are audited, every signature verified, and compared.
"""

from __future__ import annotations

import argparse
import json
import os
import selectors
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, Final, cast

from cli.games import options as game_options
from cli.games.interface import terminal
from cli.reports import describe, file_report, history
from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry, gravest
from cli.shell.locations import locate
from cli.shell.version import PROGRAM
from cli.text import language
from cli.text.sanitize import escape
from p2p_stratego.core import strict_json
from p2p_stratego.core.language import _, number, translating
from protocol.audit.verdict import ProofPolicy
from protocol.lobby.handshake import Terms
from protocol.storage.files import make_folders

NAMES: Final = ("Ann", "Ben", "Cleo", "Dan", "Eve")
SILENCE: Final = 60.0
"""Seconds without a word from any bot after which the demonstration is given up."""
_SOURCES: Final = str(Path(__file__).parents[2])


@dataclass(frozen=True, slots=True)
class DemoMatch:
    """One finished game: the paths of the records, and the audit of all."""

    transcripts: tuple[str, ...]
    reports: list[file_report.FileReport]
    seconds: float

    @property
    def code(self) -> Exit:
        """The gravest of all audits and of their comparison."""
        return gravest(report.code for report in self.reports)


def run(arguments: argparse.Namespace) -> int:
    """Play, show, audit; the exit code is the gravest verdict's."""
    terms = game_options.at_table(arguments)
    folder = fresh_folder(locate(arguments.home) / "demo")
    pause = pause_of(arguments)
    if not arguments.json:
        _introduce(arguments, terms, folder)
    results: Counter[str] = Counter()
    worst: Exit = Exit.OK
    for nth in range(1, arguments.games + 1):
        played = _play(arguments, terms, folder, nth, pause)
        worst = gravest((worst, played.code))
        results[str(played.reports[0].plain.get("winner") or "nobody")] += 1
        if arguments.json:
            last = nth == arguments.games
            print(json.dumps(plain(arguments, played, nth, results if last else None)), flush=True)
        else:
            _conclude(played)
    if arguments.games > 1 and not arguments.json:
        print(
            _("{games} games: ", games=arguments.games)
            + ", ".join(_("{n} won by {who}", n=n, who=winner) for winner, n in results.most_common())
        )
    return worst


def fresh_folder(above: Path) -> Path:
    """A new folder for this run's homes: earlier runs stay as they are."""
    make_folders(above)
    number = 1 + max(
        (int(p.name) for p in above.iterdir() if p.name.isascii() and p.name.isdigit()), default=0
    )
    while True:
        try:
            (above / str(number)).mkdir(mode=0o700)
        except FileExistsError:  # another run was quicker
            number += 1
        else:
            return above / str(number)


def pause_of(arguments: argparse.Namespace) -> float:
    reading_along = sys.stdout.isatty() and not arguments.json and arguments.games == 1
    slow = arguments.pace == "slow" or (arguments.pace is None and reading_along)
    return terminal(arguments.game).pace if slow else 0.0


def _introduce(arguments: argparse.Namespace, terms: Terms, folder: Path) -> None:
    many = (_("Two"), _("Three"), _("Four"), _("Five"))[terms.seats - 2]
    print(
        _(
            "{many} bots play {game}, each in a process of its own, over TLS on this machine.",
            many=many,
            game=arguments.game,
        )
    )
    print(
        _(
            "Their home folders are in {folder}, and stay there until you remove that one.",
            folder=escape(str(folder)),
        )
    )
    for clause in describe.profile(terms.game, terms.seats, proofs=terms.proofs, escrow=terms.escrow):
        print(f"{clause[:1].upper()}{clause[1:]}.")
    if arguments.seed is not None:
        print(
            _(
                "With --seed, keys, cards and chance follow from the number {seed}: "
                "the records are the same each time, and nothing in them was ever secret.",
                seed=arguments.seed,
            )
        )
        if terms.seats > 2:
            print(
                _(
                    "Every file has the same entries in the same order. The words beside them "
                    "(consent, what is "
                    "revealed, the ends) are the same too, but may stand there in another order."
                )
            )
    print()


# One game


def _play(arguments: argparse.Namespace, terms: Terms, folder: Path, number: int, pause: float) -> DemoMatch:
    """Start the bots, pass the invite of the first bot to the others, and listen until all are done.

    Each bot gets the invite once the bot before it has sat down: so with a seed the seats are always the
    same.
    """
    started = time.perf_counter()
    paths: dict[int, str] = {}
    word = ""
    waiting = list(range(1, terms.seats))
    with ExitStack() as stack:
        bots = []
        for seat in range(terms.seats):
            name = NAMES[seat]
            setting = {
                "role": "join" if seat else "host",
                "name": name,
                "home": str(folder / name.lower()),
                "game": arguments.game,
                "options": dict(terms.options),
                "level": arguments.level,
                "seed": None if arguments.seed is None else f"{arguments.seed} {number} {name}",
                "pause": pause,
                "seats": terms.seats,
                "proofs": terms.proofs,
                "escrow": terms.escrow,
                "log": None if arguments.log is None else str(arguments.log.expanduser().absolute()),
                "language": language.spoken() if translating() else language.ENGLISH,
            }
            bots.append(stack.enter_context(_Bot(setting)))
        for seat, event in _events(bots):
            word = event.get("invite", word)
            if event["event"] in ("invite", "seated") and waiting:
                bots[waiting.pop(0)].say(word)
            elif seat == 0 and event["event"] in ("begin", "step") and not arguments.json:
                _show(event)
            elif event["event"] == "end":
                paths[seat] = event["transcript"]
    transcripts = tuple(paths[seat] for seat in sorted(paths))
    reports = file_report.examine(
        transcripts, every=True, proving=ProofPolicy(hold=file_report.hold_on_all_cores)
    )
    return DemoMatch(transcripts, reports, time.perf_counter() - started)


class _Bot:
    """A bot's process: one line of settings in, one line of JSON out for each event."""

    def __init__(self, setting: Plain) -> None:
        # -P and the path: the bot is this very program, and no other in the current folder.
        path = os.pathsep.join(filter(None, (_SOURCES, os.environ.get("PYTHONPATH"))))
        self._name = str(setting["name"])
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "cli.play.bots.bot_process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            env=os.environ | {"PYTHONPATH": path},
        )
        self._input, self.output, self._errors = (
            cast("IO[bytes]", stream)
            for stream in (self._process.stdin, self._process.stdout, self._process.stderr)
        )
        self._begun = b""
        self.say(json.dumps(setting))

    def __enter__(self) -> _Bot:
        return self

    def __exit__(self, *_: object) -> None:
        """Leave no process behind."""
        self._process.kill()
        with self._process:
            pass

    def say(self, line: str) -> None:
        """Write a line to the bot.  Raises Sorry if it has died."""
        try:
            self._input.write(f"{line}\n".encode())
        except BrokenPipeError:
            self.finish()

    def hear(self) -> list[dict[str, Any]] | None:
        """The complete events, once something can be read; None at the end."""
        data = self.output.read(1 << 16)
        if not data:
            return None
        *lines, self._begun = (self._begun + data).split(b"\n")
        return [strict_json.read(line) for line in lines]

    def finish(self) -> None:
        """Wait for the end.  Raises Sorry with the bot's own words and code if it failed."""
        words = self._errors.read().decode(errors="replace").strip().splitlines()
        code = self._process.wait()
        if code:
            why = words[-1].removeprefix(f"{PROGRAM}: ") if words else _("it said nothing.")
            known = Exit(code) if code in set(Exit) else Exit.BUG
            raise Sorry(_("{name}, one of the bots, stopped: {why}", name=self._name, why=why), known)


def _events(bots: Sequence[_Bot]) -> Iterator[tuple[int, dict[str, Any]]]:
    """The events of all bots, in order, until all have ended.  Raises Sorry if one fails or all hang."""
    with selectors.DefaultSelector() as selector:
        for seat, bot in enumerate(bots):
            selector.register(bot.output, selectors.EVENT_READ, seat)
        while selector.get_map():
            ready = selector.select(SILENCE)
            if not ready:
                raise Sorry(_("The bots have stopped talking to each other: try again."), Exit.UNREACHABLE)
            for key, _unused in ready:
                events = bots[key.data].hear()
                if events is None:
                    selector.unregister(key.fileobj)
                    bots[key.data].finish()
                else:
                    yield from ((key.data, event) for event in events)


# Output


def _show(event: dict[str, Any]) -> None:
    if event["event"] == "begin":
        print(
            _("Match {event}, between\n  ", event=event["match"]) + "\n  ".join(event["players"]) + "\n",
            flush=True,
        )
        return
    for sentence in event["told"]:
        print(history.line(f"{event['entry']:>4}  ", sentence, history.reading_width()), flush=True)


def _conclude(played: DemoMatch) -> None:
    print(_("\nAll records audited, every signature verified:"))
    for report in played.reports:
        print(history.line("  ", report.line, history.reading_width()))
    for path in played.transcripts:
        print(f"  {escape(path)}")
    print(_("Played and audited in {seconds} s.", seconds=number(played.seconds, 1)))


def plain(
    arguments: argparse.Namespace, played: DemoMatch, number: int, results: Counter[str] | None
) -> Plain:
    first = played.reports[0].plain
    grave = next(report for report in played.reports if report.code == played.code)
    line: Plain = {
        "game": arguments.game,
        "winner": first.get("winner"),
        "reason": first.get("reason"),
        "transcripts": list(played.transcripts),
        "verdict": first["verdict"] if grave.code == Exit.OK else grave.verdict,
        "entries": first.get("entries"),
        "bytes": first.get("bytes"),
        "seconds": round(played.seconds, 3),
        "seed": arguments.seed,
        "number": number,
        "seats": len(played.transcripts),
        "proofs": first.get("proofs"),
        "escrow": first.get("escrow"),
    }
    return line if results is None else line | {"winners": dict(sorted(results.items()))}
