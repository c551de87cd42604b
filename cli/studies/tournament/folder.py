"""The folder of a tournament: plain files that anybody can read, copy and compare.

    event.json               what was announced
    rounds/001.json          the pairings of each round
    records/<digest>.p2ps    the records that were taken, under the SHA-256 of their bytes
    proofs/<match>.p2pp      what `audit` accepts as a proof of each proven breach
    rulings/001-01.json      a director's decision on a pairing, with its reason
    withdrawals/001.json     a player who plays no more, from which round on

Nothing that is there is ever changed, but a ruling or a withdrawal by a newer one.
"""

from __future__ import annotations

import os
import tempfile
import traceback
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from cli.reports import sources
from cli.shell import workers
from cli.shell.exit_codes import Exit, Sorry
from cli.shell.named_files import read_file
from cli.shell.progress import Progress
from cli.studies.tournament import event as events
from cli.studies.tournament import evidence, pairing
from cli.studies.tournament.event import Event, EventError, Pairing, Round, Ruling, Withdrawal
from cli.studies.tournament.evidence import Decided, Judged
from cli.studies.tournament.pairing import Bye, NoPairing
from cli.text.sanitize import escape
from p2p_stratego.core.language import _
from protocol.limits import MAX_WITH_PROOFS

EVENT: Final = "event.json"
ROUNDS: Final = "rounds"
RECORDS: Final = "records"
PROOFS: Final = "proofs"
RULINGS: Final = "rulings"
WITHDRAWALS: Final = "withdrawals"
MOST_JSON: Final = 1 << 20
SERIAL: Final = 24
"""Up to this many matches, starting other processes takes longer than the audits."""
T = TypeVar("T")


class Folder:
    """An existing tournament."""

    def __init__(self, path: Path) -> None:
        """Raises OSError, and Sorry for a folder without a tournament, or with a damaged one."""
        self.path = path
        try:
            self.event = self._understood(EVENT, events.read_event)
        except FileNotFoundError as error:
            raise Sorry(
                lambda run: _(
                    "There is no tournament in {path}. {command} makes one.",
                    path=escape(str(path)),
                    command=run("tournament new FOLDER"),
                ),
                Exit.IO,
            ) from error
        read = partial(events.read_round, event=self.event)
        self.rounds = [self._understood(name, read) for name in self._names(ROUNDS)]
        if [round_.number for round_ in self.rounds] != list(range(1, len(self.rounds) + 1)):
            raise Sorry(_("The rounds in this folder are not numbered from 1 on."), Exit.DATA)
        self.rulings = [self._understood(name, events.read_ruling) for name in self._names(RULINGS)]
        understood = partial(events.read_withdrawal, event=self.event)
        self.withdrawals = [self._understood(name, understood) for name in self._names(WITHDRAWALS)]
        if len(self.left) != len(self.withdrawals):
            raise Sorry(_("A player of this tournament has withdrawn in two files."), Exit.DATA)
        self.failed: dict[str, Exception] = {}
        """By record, what this program failed by over a match: such a match shows nothing."""

    def _understood(self, name: str, read: Callable[[bytes], T]) -> T:
        try:
            return read(read_file(self.path / name, MOST_JSON))
        except EventError as error:
            raise Sorry(
                _(
                    "{file} is not as this program writes it: {why}. Put back a copy of it.",
                    file=escape(str(self.path / name)),
                    why=escape(str(error)),
                ),
                Exit.DATA,
            ) from error

    def _names(self, of: str, suffix: str = ".json") -> list[str]:
        folder = self.path / of
        files = folder.iterdir() if folder.is_dir() else ()
        return sorted(f"{of}/{file.name}" for file in files if file.name.endswith(suffix))

    @property
    def byes(self) -> list[Bye]:
        """All rounds that somebody had off, and had not withdrawn."""
        return [Bye(round_.number, player) for round_ in self.rounds for player in round_.off(self.left)]

    @property
    def left(self) -> dict[int, int]:
        """By player, the round from which on that player has withdrawn."""
        return {withdrawal.player: withdrawal.start for withdrawal in self.withdrawals}

    def records(self) -> dict[str, bytes]:
        """The records that were taken, by digest; a file with other bytes than its name says is left out."""
        records = {}
        for name in self._names(RECORDS, ".p2ps"):
            data = read_file(self.path / name, MAX_WITH_PROOFS + 1)
            if evidence.digest(data) == Path(name).stem:
                records[Path(name).stem] = data
        return records

    def matches(self) -> list[Judged]:
        """Every match of which there are records, audited now."""
        matches = evidence.sorted_out(self.records())
        processes = min(workers.cores(), len(matches))
        with Progress(len(matches), _("matches")) as progress:
            if len(matches) <= SERIAL or processes == 1:
                results: Iterator[Judged | Exception | None] = map(_tried, matches)
            else:
                results = workers.spread(_tried, matches, processes, _lost)
            judged = []
            for done, (copies, result) in enumerate(zip(matches, results, strict=True), start=1):
                progress.step(done)
                if isinstance(result, Exception):
                    self.failed[f"{RECORDS}/{min(copies)}{sources.SUFFIX}"] = result
                elif result is not None:
                    judged.append(result)
        return judged

    def decided(self) -> list[Decided]:
        """Every pairing with its result."""
        return evidence.decided(self.event, self.rounds, self.matches(), self.rulings, self.left)

    # Writing

    def keep(self, data: bytes) -> str:
        """Keep a record; return its digest."""
        name = evidence.digest(data)
        write(self.path / RECORDS / f"{name}.p2ps", data)
        return name

    def prove(self, match: Judged) -> None:
        """Keep the proof of a breach in a match, if there is one."""
        if match.proof is not None:
            write(self.path / PROOFS / f"{match.id[:32]}.p2pp", match.proof)

    def rule(self, ruling: Ruling) -> None:
        """Keep a director's decision."""
        name = f"{ruling.round:03}-{ruling.table:02}.json"
        write(self.path / RULINGS / name, events.ruling_json(ruling))

    def withdraw(self, withdrawal: Withdrawal) -> None:
        """Keep that a player has withdrawn."""
        write(self.path / WITHDRAWALS / f"{withdrawal.player:03}.json", events.withdrawal_json(withdrawal))

    def pair(self) -> Round:
        """Make the next round.  Raises NoPairing."""
        number, event = len(self.rounds) + 1, self.event
        if number > event.rounds:
            raise NoPairing("over")
        known = [] if number == 1 else self.decided()
        pairs, byes = next_round(event, number, known, self.byes, self.left)
        made = Round(number, pairs, byes, events.word(event, number, pairs))
        write(self.path / ROUNDS / f"{number:03}.json", events.round_json(made))
        self.rounds.append(made)
        return made


def _tried(copies: dict[str, bytes]) -> Judged | Exception | None:
    """The match of which these are the copies, or a bug: one match must not end the others."""
    try:
        return evidence.judged(copies)
    except Exception as bug:
        bug.add_note(traceback.format_exc())
        return bug


def _lost(_copies: dict[str, bytes]) -> Judged | Exception | None:
    return Sorry(_("The system ended the audit of a match, as it does when memory is short."), Exit.IO)


def next_round(
    event: Event, number: int, known: list[Decided], byes: list[Bye], left: Mapping[int, int]
) -> tuple[tuple[Pairing, ...], tuple[int, ...]]:
    """The pairings of a round after those that are `known`.  Raises NoPairing."""
    games, players = [pairing_.game for pairing_ in known], len(event.players)
    if event.system == "round-robin":
        return pairing.berger(players, number)
    if event.system == "swiss":
        gone = {player for player, start in left.items() if start <= number}
        return pairing.swiss(players, games, byes, gone)
    return pairing.knockout(players, number, games, left)


def make(path: Path, event: Event) -> Folder:
    """A new tournament in a new or empty folder.  Raises OSError, and Sorry if there is something in it."""
    path.mkdir(parents=True, exist_ok=True)
    if any(path.iterdir()):
        raise Sorry(_("{path} is not empty. Name a new folder.", path=escape(str(path))), Exit.IO)
    write(path / EVENT, events.event_json(event))
    return Folder(path)


def write(path: Path, data: bytes) -> None:
    """Write a file whole, or not at all."""
    path.parent.mkdir(exist_ok=True)
    fd, name = tempfile.mkstemp(dir=path.parent, prefix=".new-")
    try:
        with os.fdopen(fd, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(name, 0o644)  # a folder to hand on; nothing in it is secret
        os.replace(name, path)
    except BaseException:
        os.unlink(name)
        raise
