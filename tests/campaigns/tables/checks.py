"""What must hold at a table of many when a match is over, whatever happened to it."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from p2p_stratego.core.game import Seat
from protocol.audit.comparison import compare
from protocol.audit.verdict import Replayed, Report, Verdict, audit, replay
from protocol.record.entries import Entry, Folded
from protocol.record.statements import Kind
from protocol.storage.home import Home
from protocol.wire.encoding import ENTRY, STATEMENT
from tests.campaigns.chaos.checks import EXPECTED, Witness, records, twice
from tests.campaigns.tables.player import GAMES

_WATCHED: Final = re.compile(
    r"watched|watched/[0-9a-f]{32}|watched/[0-9a-f]{32}/(transcript\.p2ps|lock)"
    r"|invites/[0-9a-f]{32}w?|invites/[0-9a-f]{32}w?/(invite\.json|tls\.pem|new-[0-9a-f]{16})"
)


@dataclass
class Trial:
    """One match that is over.

    `match`: its id in hex; `homes`: of all seats; `gone`: the seats that did not come back; `late`: the one
    that was away for a while.
    """

    match: str
    homes: dict[Seat, Path]
    witness: Witness
    gone: frozenset[Seat]
    late: frozenset[Seat]
    done: Counter[str] = field(default_factory=Counter)
    """What happened to it."""

    def promises(self) -> Iterator[str]:
        """Every promise that the match broke."""
        copies = {seat: self.copy(home / "games") for seat, home in self.homes.items()}
        yield from twice([records(data) for data in copies.values()], self.witness)
        played = {seat: replay(data, GAMES, every_signature=True) for seat, data in copies.items()}
        for seat, replayed in played.items():
            if replayed.report.fault is not None:
                yield f"the copy of seat {seat} blames {replayed.report.fault}"
            if seat not in self.gone:
                yield from self.wrong_end(seat, replayed.report)
        stayed = [seat for seat in copies if seat not in self.gone]
        self._count(played[stayed[0]])
        first = _held(played[stayed[0]])
        for seat in stayed:
            held = _held(played[seat])
            lacking = [where for where in sorted(self.witness.sent) if self._lacks(where, held, played[seat])]
            if lacking:
                yield f"seat {seat} lacks {lacking}, which were sent"
            if held != first:
                different = sorted(held.items() ^ first.items())
                yield f"seats {stayed[0]} and {seat} hold different records: {different}"
        if not compare([copies[seat] for seat in stayed], GAMES).agree:
            yield "the copies of those who stayed do not agree"
        if self.gone and (fault := compare(copies.values(), GAMES).fault) is not None:
            yield f"all copies together blame {fault}"

    def seen(self, homes: list[Path], ended: list[bool]) -> Iterator[str]:
        """The same of the copies of spectators; `ended`: whether each saw the end."""
        whole = [self.copy(home / "games") for home in self.homes.values()]
        known = set[str]().union(*(records(data).values() for data in whole))
        for home, end in zip(homes, ended, strict=True):
            if not any((home / "watched").glob(f"{self.match[:32]}*")):
                continue
            data = self.copy(home / "watched")
            report = audit(data, GAMES, every_signature=True)
            expected = (
                (Verdict.COMPLETE,) if end else (Verdict.COMPLETE, Verdict.INCOMPLETE, Verdict.UNRESPONSIVE)
            )
            if report.verdict not in expected:
                yield f"{home.name} saw a match that is {report.verdict.value}: {report.problem}"
            if not known.issuperset(records(data).values()):
                yield f"{home.name} saw what nobody has"
            self.done["spectators' copies"] += 1

    def copy(self, folder: Path) -> bytes:
        """The transcript of the match in a folder of several."""
        return (folder / self.match[:32] / "transcript.p2ps").read_bytes()

    def _lacks(self, where: tuple[int, ...], held: dict[tuple[int, ...], str], played: Replayed) -> bool:
        """Whether a record that was sent is missing, though its seat did not leave before it."""
        kind, seat, number = where
        table = played.referee.table
        left = table.gone.get(seat)
        if where in held or seat in self.gone:
            return False
        return left is None or (kind == ENTRY and number < left)

    def wrong_end(self, seat: Seat, report: Report) -> Iterator[str]:
        """The end, or the word that those do not answer who are gone."""
        away = self.gone | self.late
        silent = report.verdict is Verdict.UNRESPONSIVE and away.issuperset(report.silent)
        owed = report.verdict is Verdict.INCOMPLETE and self.gone.issuperset(report.waited_for)
        if report.verdict is not Verdict.COMPLETE and not ((away and silent) or (self.gone and owed)):
            why = report.problem or report.fault or f"waits for {report.waited_for}"
            yield f"the copy of seat {seat} is {report.verdict.value}: {why}"

    def _count(self, played: Replayed) -> None:
        """What the records tell of a match."""
        referee, report = played.referee, played.report
        self.done[report.verdict.value] += 1
        for number in referee.table.gone.values():
            self.done["resigned" if isinstance(referee.entries[number], Folded) else "taken out"] += 1
        counts = Counter(statement.kind for known in referee.statements for statement in known)
        for kind in (Kind.RESIGN, Kind.OFFER_DRAW, Kind.ACCEPT_DRAW, Kind.AWAY, Kind.BACK, Kind.REVEAL):
            if counts[kind]:
                self.done[kind.name] += counts[kind]
        if report.outcome is not None:
            self.done[f"ended: {report.outcome.reason}"] += 1


def _held(played: Replayed) -> dict[tuple[int, ...], str]:
    """The digests of the records that stand, by place: without those that a Gone has replaced."""
    return {
        (ENTRY, record.seat, record.number)
        if isinstance(record, Entry)
        else (STATEMENT, record.seat, record.index): hashlib.sha256(record.payload).hexdigest()
        for record in played.referee.record
    }


def left_by(home: Path) -> Iterator[str]:
    """What stands in a home and does not belong there."""
    if not home.exists():
        return
    with Home(home) as opened:
        opened.identity()  # what the next start of the program does first: it tidies up
        for saved in opened.games():
            opened.open(saved.id).close()
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if not EXPECTED.fullmatch(name) and not _WATCHED.fullmatch(name):
            yield f"{home.name}/{name} was left behind"
        elif path.stat().st_mode & 0o077:
            yield f"{home.name}/{name} can be read by others"


def left_in(folder: Path, names: set[str]) -> Iterator[str]:
    """What processes left in the folder of a match, where their temporary files go, and their complaints."""
    for path in sorted(folder.iterdir()):
        if path.suffix == ".err" and path.stem in names:
            if path.stat().st_size:
                yield f"{path.name} is not empty"
        elif path.name not in names and not (path.suffix == ".log" and path.stem in names):
            yield f"{path.name} was left behind"
