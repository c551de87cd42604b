"""What must hold when a match is over, whatever happened to it."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from protocol.audit.comparison import compare
from protocol.audit.verdict import Report, Verdict, audit
from protocol.storage.home import Home
from protocol.storage.match_store import usable
from protocol.wire import transcript
from tests.campaigns.chaos.player import GAMES, place

EXPECTED: Final = re.compile(
    r"identity\.key|contacts\.json|lock|games|invites|games/[0-9a-f]{32}"
    r"|games/[0-9a-f]{32}/(transcript\.p2ps|secrets|peer\.json|post\.json|tls\.pem|lock|receipt)"
    r"|games/[0-9a-f]{32}/(transcript\.p2ps|secrets)\.damaged-\d+(-\d+)?"
)
"""All that may stand in a home folder."""


@dataclass
class Witness:
    """Every record that a process handed to a connection, or left on its disk: digests by place."""

    sent: dict[tuple[int, ...], set[str]] = field(default_factory=dict)
    left: dict[tuple[int, ...], set[str]] = field(default_factory=dict)
    """What seats that were killed had written of their own."""

    def saw(self, where: list[int], digest: str) -> None:
        """A record with this digest was sent for that place."""
        self.sent.setdefault(tuple(where), set()).add(digest)

    def kept(self, seat: int, data: bytes) -> None:
        """A killed process of `seat` left this transcript; its tail may be torn."""
        for where, digest in records(usable(data)).items():
            if where[1] == seat:
                self.left.setdefault(where, set()).add(digest)

    def lost(self, seat: int) -> None:
        """The machine of `seat` lost its power: what was written and not synced may be gone."""
        for where in [where for where in self.left if where[1] == seat]:
            del self.left[where]


def copy(home: Path) -> bytes:
    """The transcript of the only match in `home`."""
    [path] = home.glob("games/*/transcript.p2ps")
    return path.read_bytes()


def records(data: bytes) -> dict[tuple[int, ...], str]:
    """The digest of every record of a transcript, by its place."""
    digests: dict[tuple[int, ...], str] = {}
    for frame in transcript.read(data).frames:
        where = tuple(place(frame.kind, frame.payload))
        assert where not in digests, f"two records for {where} in one copy"
        digests[where] = hashlib.sha256(frame.payload).hexdigest()
    return digests


def promises(homes: list[Path], witness: Witness, survivor: Path | None) -> Iterator[str]:
    """Every promise that the match broke; `survivor`: the home of whoever went on when the other was gone."""
    for home in homes:
        yield from left(home)
    copies = [records(copy(home)) for home in homes]
    yield from twice(copies, witness)
    reports = [audit(copy(home), GAMES, every_signature=True) for home in homes]
    if survivor is None:
        yield from _whole(copies, reports, witness)
        if not compare([copy(home) for home in homes], GAMES).agree:
            yield "the copies do not agree"
    else:
        yield from _told(reports[homes.index(survivor)])


def left(home: Path) -> Iterator[str]:
    """What stands in `home` and does not belong there."""
    with Home(home) as opened:
        opened.identity()  # what the next start of the program does first: it tidies up
        for saved in opened.games():
            opened.open(saved.id).close()
    for path in sorted(home.rglob("*")):
        name = str(path.relative_to(home))
        if not EXPECTED.fullmatch(name):
            yield f"{home.name}/{name} was left behind"
        elif path.stat().st_mode & 0o077:
            yield f"{home.name}/{name} can be read by others"


def twice(copies: list[dict[tuple[int, ...], str]], witness: Witness) -> Iterator[str]:
    """The places for which a seat signed two records."""
    for where in set(witness.sent).union(witness.left, *copies):
        versions = witness.sent.get(where, set()) | witness.left.get(where, set())
        versions |= {held[where] for held in copies if where in held}
        if len(versions) > 1:
            yield f"{len(versions)} signatures for {where}"


def _whole(
    copies: list[dict[tuple[int, ...], str]], reports: list[Report], witness: Witness
) -> Iterator[str]:
    for held, name in zip(copies, ("host", "join"), strict=True):
        lacking = sorted(where for where in witness.sent if where not in held)
        if lacking:
            yield f"{name} lacks {lacking}, which were sent"
    if copies[0] != copies[1]:
        yield "the copies hold different records"
    for report in reports:
        if report.verdict is not Verdict.COMPLETE:
            yield f"a copy is {report.verdict.value}: {report.problem or report.fault}"


def _told(report: Report) -> Iterator[str]:
    """A match that one side left for good must have ended, or say who owes."""
    if report.verdict in (Verdict.COMPLETE, Verdict.UNRESPONSIVE):
        return
    if report.verdict is not Verdict.INCOMPLETE or (not report.waited_for):
        yield f"the copy of the side that stayed is {report.verdict.value} and does not say who owes"
