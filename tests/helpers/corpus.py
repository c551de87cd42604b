"""Matches of every kind, finished and not, with the keys of all who played: what mutations start from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from p2p_stratego.table import Seat
from protocol import transcript
from protocol.audit import Report
from protocol.encoding import Frame
from protocol.genesis import Genesis
from protocol.keys import Identity
from protocol.match import Owed
from protocol.messages import Opening
from tests.cheats.bout import judge
from tests.helpers.pair import Table, any_decision
from tests.helpers.players import honest
from tests.helpers.toy import TOY


@dataclass(frozen=True)
class Source:
    """One seat's transcript, what it means, and everybody's keys."""

    name: str
    begun: Genesis
    log: tuple[Frame, ...]
    identities: tuple[Identity, ...]
    report: Report

    @property
    def data(self) -> bytes:
        return transcript.write(self.begun.body, self.log)

    @property
    def culprit(self) -> Seat | None:
        return None if self.report.fault is None else self.report.fault.seat


TOYS: Final[dict[str, Any]] = {"game": TOY, "decide": honest}
CLAIMS: Final[dict[str, Any]] = {**TOYS, "options": {"claims": "yes"}}


def _chat(table: Table) -> Table:
    """Let everybody say something, and hear it."""
    for seat in table.seats:
        seat.session.say(f"hello from seat {seat.seat}")
    return table


def _until(table: Table, reached: Callable[[Owed], bool]) -> Table:
    """Play until a seat owes what is wanted."""
    while not ((owed := table.seats[0].session.referee.owed) and reached(owed)):
        table.step()
    return table


def _resigned(**settings: Any) -> Table:
    table = _chat(Table(4, **settings).play(steps=7))
    table.play(steps=3)
    table.seats[1].session.resign()
    return table.play()


def _drawn() -> Table:
    table = Table(2, **TOYS).play(steps=8)
    table.seats[0].session.offer_draw()
    table.play(steps=2)
    table.seats[1].session.accept_draw()
    return table.play()


def _away() -> Table:
    table = _until(Table(6, **TOYS), lambda owed: owed.message is Opening)
    for seat in table.seats:
        owed = seat.session.referee.owed
        if owed is not None and owed.seat != seat.seat and seat.session.outcome is None:
            table.deliver(seat)
            seat.session.claim_away(600)
            break
    for seat in table.seats:
        table.deliver(seat)
    return table


def _cheated(**settings: Any) -> Table:
    for seed in range(40):
        table = Table(seed, **{**settings, "decide": any_decision}).play()
        outcome = table.seats[0].session.outcome
        if outcome is not None and outcome.breach is not None:
            return table
    raise AssertionError("nobody cheats")


MAKERS: Final[dict[str, Callable[[], Table]]] = {
    "by the rules": lambda: _chat(Table(1, **TOYS).play(steps=6)).play(),
    "with claims": lambda: Table(3, **CLAIMS).play(),
    "three seats": lambda: Table(5, seats=3, **TOYS).play(),
    "three seats with claims": lambda: Table(8, seats=3, **CLAIMS).play(),
    "resigned": lambda: _resigned(**TOYS),
    "resigned with claims": lambda: _resigned(**CLAIMS),
    "agreed draw": _drawn,
    "unfinished": lambda: Table(7, **TOYS).play(steps=9),
    "away": _away,
    "cheated": lambda: _cheated(**TOYS),
    "the real game": lambda: Table(51, options={"wall": 2}, decide=honest).play(),
    "the real game, cheated": _cheated,
}


@cache
def sources() -> tuple[Source, ...]:
    """All of them; the same on every machine."""
    return tuple(_source(name, make()) for name, make in MAKERS.items())


def _source(name: str, table: Table) -> Source:
    seat = table.seats[0]
    identities = tuple(one.identity for one in table.seats)
    return Source(name, table.begun, tuple(seat.log), identities, judge(seat.transcript))
