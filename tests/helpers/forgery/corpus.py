"""Matches of every kind, finished and not, with the keys of all players: the sources of mutations."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from typing import Any, Final

from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.game import Seat as SeatNumber
from p2p_stratego.registry import GAMES
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.record import statements
from protocol.record.asks.base import Obligation
from protocol.record.asks.open import Opening
from protocol.record.asks.together import HiddenChoice
from protocol.record.entries import parse_entry
from protocol.record.genesis import Genesis
from protocol.record.statements import Kind
from protocol.record.time_control import TimeControl
from protocol.seat.secrets import MatchSecrets
from protocol.wire.encoding import ENTRY, Frame
from tests.helpers.cheats.bout import Copy, judge
from tests.helpers.cheats.campaign import Campaign, Plan
from tests.helpers.games.players import honest
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table, any_decision
from tests.helpers.seats.receipts import give_receipts
from tests.helpers.seats.takebacks import with_takebacks


@dataclass(frozen=True)
class Player:
    """The private things of one seat: its key, its secrets, and the faces it can read."""

    identity: Identity
    secrets: MatchSecrets
    known: Mapping[Slot, Face]


@dataclass(frozen=True)
class Source:
    """A match: its copies, its meaning, and all keys."""

    name: str
    begun: Genesis
    players: tuple[Player, ...]
    logs: tuple[tuple[Frame, ...], ...]
    """The copies of those who took part as real ends, of some of which the end is missing."""
    reports: tuple[Copy, ...]
    """The audit of each copy."""

    @property
    def culprit(self) -> SeatNumber | None:
        fault = self.reports[0].fault
        return None if fault is None else fault.seat

    @cached_property
    def signed(self) -> tuple[frozenset[bytes], ...]:
        """By seat: the body of everything that it signed in this match, as far as any copy has it."""
        records: tuple[set[bytes], ...] = tuple(set() for _ in self.players)
        for frame in (frame for log in self.logs for frame in log):
            record = parse_entry if frame.kind == ENTRY else statements.parse
            records[record(frame.payload).seat].add(frame.payload[:-SIGNATURE_BYTES])
        return tuple(map(frozenset, records))


TOYS: Final[dict[str, Any]] = {"game": TOY, "decide": honest}
CLAIMS: Final[dict[str, Any]] = {**TOYS, "options": {"claims": "yes"}}
LOOKS: Final[dict[str, Any]] = {**TOYS, "options": {"looks": "yes"}}
ALL: Final[dict[str, Any]] = {**TOYS, "options": {"looks": "yes", "claims": "yes"}}
THREE: Final[dict[str, Any]] = {**CLAIMS, "seats": 3}


def _stratego(army: str, quiet: int = 20) -> dict[str, Any]:
    return {"game": GAMES["stratego"], "options": {"army": army, "quiet": quiet}, "decide": honest}


CLOCK: Final[dict[str, Any]] = {**TOYS, "clock": TimeControl(300, 5)}

FEW: Final = _stratego("1-0-0-0-0-0-0-1-1-0-1-1")
ROOTED: Final = _stratego("0-0-0-0-0-0-0-1-0-0-1-1")


def _chat(table: Table) -> Table:
    """Let every seat send a line of chat, and deliver all of them."""
    for seat in table.seats:
        seat.session.say(f"hello from seat {seat.seat}")
    return table


def _until(table: Table, reached: Callable[[Obligation], bool]) -> Table:
    """Play until a seat has the wanted obligation."""
    while not ((owed := table.seats[0].session.referee.owed) and reached(owed)):
        table.step()
    return table


def _resigned(who: Sequence[SeatNumber] = (1,), **settings: Any) -> Table:
    """The seats in `who` resign in the middle; several resignations cross."""
    table = _chat(Table(4, **settings).play(steps=7))
    table.play(steps=3)
    for seat in who:
        table.seats[seat].session.resign()
    return table.play()


def _drawn(**settings: Any) -> Table:
    """All accept a draw that seat 0 offers."""
    table = Table(2, **settings).play(steps=8).hold()
    table.seats[0].session.offer_draw()
    table.hold()
    for seat in table.seats[1:]:
        seat.session.accept_draw()
    return table.play()


def _declined(**settings: Any) -> Table:
    """Seat 0 offers a draw, seat 1 goes on, and only then resigns."""
    table = Table(2, **settings).play(steps=8).hold()
    table.seats[0].session.offer_draw()
    table.hold()
    while table.seats[0].session.referee.standing_offer(0) is not None:
        assert table.step()
    table.seats[1].session.resign()
    return table.play()


def _claimed_away(table: Table, *, of_time: bool = False) -> Table:
    """Each waiting seat signs an AWAY, perhaps of time; no record reaches another seat any more."""
    for seat in table.seats:
        referee = seat.session.referee
        late = referee.unsettled if seat.session.over else [referee.owed.seat] if referee.owed else []
        if late and seat.seat not in late and seat.session.outcome is None:
            table.deliver(seat)
            give_receipts(seat.session, {other.seat: other.identity for other in table.seats})
            seat.session.claim_away(600, of_time=of_time)
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


def _walked() -> Campaign:
    """A bomb walks; the other side's resignation reveals it."""
    return Campaign(Plan("d4d3 i7i6 a4a5 i6i7"), 0).play().opponent_gives_up()


def _left() -> Campaign:
    """The same, but the cheat resigns and leaves instead of revealing, and the other seat signs an AWAY."""
    campaign = Campaign(Plan("d4d3 i7i6"), 0).play()
    campaign.tell(campaign.liar.statement(Kind.RESIGN))
    campaign.claims_away(1800)
    return campaign


MAKERS: Final[dict[str, Callable[[], Table | Campaign]]] = {
    "toy, by the rules": lambda: _chat(Table(1, **TOYS).play(steps=6)).play(),
    "toy, with claims": lambda: Table(3, **CLAIMS).play(),
    "toy, resigned": lambda: _resigned(**TOYS),
    "toy, resigned with claims": lambda: _resigned(**CLAIMS),
    "toy, both resigned": lambda: _resigned((0, 1), **CLAIMS),
    "toy, agreed draw": lambda: _drawn(**TOYS),
    "toy, with looks": lambda: Table(3, **LOOKS).play(),
    "toy, with looks and claims, resigned": lambda: _resigned(**ALL),
    "toy, unfinished": lambda: Table(7, **TOYS).play(steps=9),
    "toy, away": lambda: _claimed_away(_until(Table(6, **TOYS), lambda owed: owed.message is Opening)),
    "toy, away, answered": lambda: _claimed_away(
        _until(Table(6, **TOYS), lambda owed: owed.message is HiddenChoice)
    ).play(steps=4),
    "toy, away, out of time": lambda: _claimed_away(
        _until(Table(6, **CLOCK), lambda owed: owed.message is Opening), of_time=True
    ),
    "toy, an offer declined": lambda: _declined(**TOYS, options={"rounds": 2}),
    "toy, with takebacks": lambda: with_takebacks(Table(3, **CLAIMS, takebacks=True), 3),
    "toy, cheated": lambda: _cheated(**TOYS),
    "three, by the rules": lambda: Table(5, seats=3, **TOYS).play(),
    "three, with claims": lambda: Table(8, **THREE).play(),
    "three, resigned with claims": lambda: _resigned(**THREE),
    "three, two resigned": lambda: _resigned((1, 2), **THREE),
    "three, agreed draw": lambda: _drawn(**THREE),
    "spies and lies": lambda: Table(51, options={"wall": 2}, decide=honest).play(),
    "spies and lies, with takebacks": lambda: with_takebacks(
        Table(51, options={"wall": 2}, decide=honest, takebacks=True), 10
    ),
    "spies and lies, resigned": lambda: _resigned(decide=honest),
    "spies and lies, cheated": _cheated,
    "stratego, the flag": lambda: Table(54, **FEW).play(),
    "stratego, a quiet draw": lambda: Table(16, **FEW).play(),
    "stratego, no moves": lambda: Table(41, **ROOTED).play(),
    "stratego, resigned": lambda: _resigned(**FEW),
    "stratego, agreed draw": lambda: _drawn(**FEW),
    "stratego, an offer declined": lambda: _declined(**FEW),
    "stratego, a bomb walked": _walked,
    "stratego, left before the last opening": _left,
}


@cache
def sources() -> tuple[Source, ...]:
    """All of them; the same on every machine."""
    return tuple(source_of(name, make()) for name, make in MAKERS.items())


def source_of(name: str, made: Table | Campaign) -> Source:
    """A match as a source."""
    if isinstance(made, Table):
        seats, liar = made.seats, None
    else:
        seats, liar = made.honest, made.liar
    players = {
        seat.seat: Player(seat.identity, MatchSecrets(seat.master), seat.session.known) for seat in seats
    }
    if liar is not None:
        players[liar.seat] = Player(liar.identity, liar.secrets, liar.session.known)
    return Source(
        name,
        made.begun,
        tuple(players[number] for number in sorted(players)),
        tuple(tuple(seat.log) for seat in seats),
        tuple(judge(seat.transcript) for seat in seats),
    )
