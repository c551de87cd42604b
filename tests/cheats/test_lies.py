"""One lie at a time: what the honest side does, what its record says afterwards, and to whom it proves it."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

import pytest

from p2p_stratego.core.game import Breach, Game
from protocol.audit import proof as proofs
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.errors import Refusal, Violation
from protocol.record import statements
from protocol.record.asks.commit import Commitments
from protocol.record.asks.registry import CODEC
from protocol.record.asks.roll import Share
from protocol.record.asks.together import HiddenChoice
from protocol.record.entries import parse_entry
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.cheats.lies import ENTRIES, Lie
from tests.helpers.cheats.tables import ALL_GAMES, LIARS, winners
from tests.helpers.cheats.words import WORDS
from tests.helpers.games.facts import GAMES, facts
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import runs


def reach(lie: Lie, table: Mapping[str, Any]) -> Bout:
    """A match that has come to the moment of the lie."""
    for seed in range(30):
        bout = Bout(seed, **table, agreeing="before any consent" not in lie.name)
        if lie.when(bout) or bout.run(lie.when):
            return bout
    raise AssertionError("no match comes to this moment")


def place(lie: Lie, bout: Bout, last: Frame) -> Fault:
    """What the lie must be found to be."""
    assert lie.rule is not None
    if lie.number is not None:
        number = lie.number(bout)
    elif last.kind == ENTRY:
        number = parse_entry(last.payload).number
    else:
        number = statements.parse(last.payload).count
    return Fault(bout.liar.seat, lie.what, number, lie.rule)


@pytest.mark.parametrize("table", LIARS.values(), ids=LIARS)
@pytest.mark.parametrize("lie", [*ENTRIES, *WORDS], ids=str)
def test_a_lie_is_found_blamed_and_proven(lie: Lie, table: Mapping[str, Any]) -> None:
    bout = reach(lie, table)
    frames = lie.frames(bout)
    fault = place(lie, bout, frames[-1])
    before = [list(seat.log) for seat in bout.honest]
    taken = bout.lie(frames)
    for seat, log, refusal in zip(bout.honest, before, taken, strict=True):
        assert isinstance(refusal, Violation)
        assert (refusal.seat, refusal.what, refusal.number, refusal.rule) == (
            fault.seat,
            fault.what,
            fault.number,
            fault.rule,
        )
        # The record is kept, and the evidence behind it is all that was added.
        assert seat.log[: len(log)] == log
        assert seat.log[-1] == frames[-1]
        outcome = seat.session.outcome
        assert outcome is not None
        assert (outcome.winners, outcome.reason, outcome.breach) == (
            winners(bout, seat.session),
            "cheated",
            Breach(fault.seat, fault.rule),
        )
        size = len(seat.log)
        seat.restart()
        seat.session.agree()
        seat.session.go_live()
        assert seat.session.outcome == outcome
        assert not seat.persist()
        assert len(seat.log) == size
    for report, thorough in zip(bout.reports(), bout.reports(every_signature=True), strict=True):
        assert report.verdict is thorough.verdict is Verdict.CHEATED
        assert report.fault == thorough.fault == fault
        assert report.outcome is not None
        assert report.outcome.winners == winners(bout, seat.session)
        assert report.exit_code == 20
        assert report.proof is not None
        assert proofs.check(report.proof, ALL_GAMES) == fault
        spoil(report.proof, fault, random.Random(str(lie)), runs(1, 10))


class Mirror(Bout):
    """Says whatever the other seat has said last in that kind, instead of anything of its own."""

    def reflection(self) -> Frame | None:
        """The liar's next entry, if there is something to mirror."""
        due = self.liar.owes
        messages = [CODEC.parse(e.message) for e in self.liar.referee.entries if e.seat != self.liar.seat]
        alike = [message for message in messages if due is not None and type(message) is due.message]
        return self.liar.entry(alike[-1]) if alike else None


@pytest.mark.parametrize(
    ("game", "kind"),
    [
        pytest.param(game, kind, id=f"{game.name}-{kind.__name__}")
        for game in (*GAMES.values(), TOY)
        for kind in (Commitments, HiddenChoice, Share)
        if kind not in facts(game.name).unsaid
    ],
)
def test_row_05_a_mirror_bot_is_found_at_its_first_reflection_of_a_kind(
    game: Game[Any], kind: type[Message]
) -> None:
    """Without knowing what the other hid it could tie, and steer chance, by saying the same."""
    match = Mirror(1, game=game, liar=1)
    assert match.run(owing(kind))
    reflection = match.reflection()
    assert reflection is not None
    number = match.liar.referee.count
    for taken in match.lie([reflection]):
        assert isinstance(taken, Violation)
    rule = "wrong-link" if kind is Share else "repeated-commitment"
    for report in match.reports():
        assert report.fault == Fault(1, "entry", number, rule)


def spoil(proof: bytes, fault: Fault, rng: random.Random, times: int) -> None:
    """With any bit flipped a proof proves nothing, or what it proved before."""
    for _ in range(times):
        at = rng.randrange(len(proof) * 8)
        spoilt = bytearray(proof)
        spoilt[at // 8] ^= 1 << at % 8
        try:
            verdict = proofs.check(bytes(spoilt), ALL_GAMES)
        except Refusal:
            continue
        assert verdict == fault
