"""Conquest from a position on against one or two that cheat: real ends, pieces and moves as a test wants."""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Final

import pytest

from p2p_stratego.conquest.bots.recruit import Recruit
from p2p_stratego.conquest.rules.notation import PLAY_NONE
from p2p_stratego.conquest.rules.pieces import FACE_NAMED
from p2p_stratego.core.game import Breach, Choose, Commit, Decision, Face, Mix, Move, Seat
from p2p_stratego.core.sides import each_alone, without
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.commitment import hide_face
from protocol.errors import Equivocation, Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.mix import Mixed
from protocol.record.asks.registry import CODEC
from protocol.record.evidence import read_record
from protocol.seat.session import Session
from protocol.wire.encoding import Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, compare
from tests.helpers.conquest.dealt import DEALT, GAMES

CHEAT: Final = "a1 flag, b2 duke, c2 count"
VICTIM: Final = "l6 flag, d2 king, l4 baron"
BYSTANDERS: Final = ("l1 flag", "i1 flag")


@dataclass(frozen=True)
class Plan:
    """Who has which pieces, and what it says, in order: the cheat, and its victim, the next seat clockwise.

    `cheat_says`, `victim_says`: answers to Chooses; without any left a seat plays no card, and else what its
    program likes.
    """

    cheat: str = CHEAT
    victim: str = VICTIM
    cheat_says: str = ""
    victim_says: str = ""
    cards: str = ""
    cheat_bag: str = ""
    victim_bag: str = ""
    victim_begins: bool = False
    rounds: int = 1
    options: Mapping[str, str] = field(default_factory=dict)


class Foray(Bout):
    """A match that follows a plan; `liar`: the cheat's seat."""

    def __init__(self, plan: Plan, liar: Seat, seats: int, friend: Seat | None = None) -> None:
        order = [(liar + step) % seats for step in range(seats)]
        texts = dict(zip(order, (plan.cheat, plan.victim, *BYSTANDERS), strict=False))
        bags = dict.fromkeys(order, "") | {order[0]: plan.cheat_bag, order[1]: plan.victim_bag}
        self.victim = order[1]
        self._laid = {
            seat: (*_faces(texts[seat]), *map(FACE_NAMED.get, bags[seat].split())) for seat in order
        }
        by_seat = {order[0]: plan.cheat_says, order[1]: plan.victim_says}
        self._said = {
            seat: deque(part.strip() for part in text.split(",") if part) for seat, text in by_seat.items()
        }
        options: dict[str, int | str] = {
            "board": "/".join(" ".join(zone for zone, _ in _pieces(texts[seat])) for seat in range(seats)),
            "bags": " ".join(str(len(bags[seat].split())) for seat in range(seats)),
            "cards": plan.cards,
            "first": order[1] if plan.victim_begins else liar,
            "rounds": plan.rounds,
            **plan.options,
        }
        self._seats = seats
        super().__init__(
            1, game=DEALT, options=options, seats=seats, liar=liar, decide=self._decides, friend=friend
        )

    def _decides(self, session: Session, decision: Decision, rng: random.Random) -> Decided:
        if isinstance(decision, Commit) and session.view.state.phase == "army":
            return self._laid[session.seat]  # type: ignore[return-value]
        if isinstance(decision, Choose):
            script = self._said.get(session.seat)
            if PLAY_NONE in decision.options and not (script and script[0].startswith("play ")):
                return PLAY_NONE
            if script:
                return script.popleft()
        return Recruit(rng).decide(session.view)

    # Moments

    def play(self) -> Foray:
        """Play the plan until the cheat has to choose and has nothing more to say."""
        assert self.run(lambda _: self.asks_cheat and not self._said[self.liar.seat])
        return self

    @property
    def asks_cheat(self) -> bool:
        owed = self.liar.owes
        return owed is not None and isinstance(owed.ask, Choose)

    @property
    def victim_owes(self) -> bool:
        owed = self.liar.referee.owed
        return owed is not None and owed.seat == self.victim

    def number(self, kind: type[Message], move: Move | None = None) -> int:
        """The number of the cheat's last entry of a kind, or of the last one with the move `move`."""
        for entry in reversed(self.liar.referee.entries):
            message = CODEC.parse(entry.message)
            mine = entry.seat == self.liar.seat and type(message) is kind
            if mine and move in (None, getattr(message, "move", None)):
                return entry.number
        raise AssertionError("the cheat has said nothing like this")

    def lays(self, faces: Sequence[Face]) -> None:
        """The cheat lays these faces in the Mix that it owes, and remembers them as its own."""
        owed = self.liar.owes
        assert owed is not None
        ask = owed.ask
        assert isinstance(ask, Mix)
        game, seat, secrets = self.begun.id, self.liar.seat, self.liar.secrets
        digests = tuple(
            hide_face(game, seat, slot, face, secrets.salt(game, seat, slot))
            for slot, face in zip(ask.new, faces, strict=True)
        )
        self.tell(self.liar.entry(Mixed(digests)))
        remembered = self.liar.session.faces
        assert remembered.own.keys() >= set(ask.old)  # it has learned what it would have laid in truth
        remembered.laid.update(zip(ask.new, faces, strict=True))

    # Verdicts

    def pass_complaint_on(self) -> None:
        """The complaint that a looker has made by itself reaches all who have not found the fault yet."""
        (complaint,) = {seat.log[-1] for seat in self.honest if seat.session.fault is not None}
        for seat in self.honest:
            if seat.session.fault is None:
                with pytest.raises(Violation):
                    seat.session.receive(read_record(complaint))
                seat.persist()

    def assert_refused(self, frame: Frame, rule: str, *, what: str = "entry", audience: str = "all") -> None:
        """Give this record of the cheat to the honest seats now: all of them blame it for this fault.

        `audience`: "all"; "one": one seat, which shows the proof to the others; "two": the others get
        the truth instead, so that for them the proof shows two versions.
        """
        fault = Fault(self.liar.seat, what, self.liar.referee.count, rule)
        first, *others = self.honest
        if audience == "all":
            assert all(isinstance(taken, Violation) for taken in self.lie([frame]))
            self.assert_caught(fault)
            return
        [taken] = self.lie([frame], to=[first.seat])
        assert isinstance(taken, Violation)
        if audience == "two":
            truth = self.liar.entry(self.liar.truth())
            assert self.lie([truth], to=[end.seat for end in others]) == [None] * len(others)
        shown = first.session.copy.evidence
        for end in others:
            with suppress(Violation, Equivocation):
                for proven in shown:
                    end.session.receive(read_record(proven))
            end.persist()
        if audience == "one":
            self.assert_caught(fault)
        else:
            self.assert_all_name(fault)

    def assert_all_name(self, fault: Fault) -> None:
        """Whoever got the lie names it, the others the second version; nobody names anybody else."""
        first, *others = self.reports()
        assert (first.verdict, first.fault) == (Verdict.CHEATED, fault)
        twice = Fault(fault.seat, fault.what, fault.number, "equivocation")
        assert others
        for report in others:
            assert (report.verdict, report.fault) == (Verdict.EQUIVOCATED, twice)
        for report in (first, *others):
            assert report.proof is not None
            assert proof.check(report.proof, GAMES) == report.fault
            assert report.outcome is not None
            assert report.outcome.winners == self.winners(ended=False)
        for copies in ([first, *others], [*others, first]):
            together = compare(copies)
            assert together.fault is not None
            assert together.fault.seat == fault.seat
            assert together.proof is not None
            assert proof.check(together.proof, GAMES) == together.fault

    def winners(self, *, ended: bool) -> frozenset[Seat]:
        """Who has won after a fault of the cheat; `ended`: the rules had ended play before."""
        ranked = None
        if ended:
            outcome = self.honest[0].session.referee.table.state.ended
            assert outcome is not None
            assert outcome.breach is None
            ranked = outcome.winners
        return without(each_alone(self._seats), self.liar.seat, ranked)

    def assert_caught(self, fault: Fault, *, ended: bool = False) -> None:
        """Every honest seat blames the cheat for this alone, also after a restart; every copy proves it."""
        winners = self.winners(ended=ended)
        for seat in self.honest:
            end = seat.session.outcome
            assert end is not None
            assert (end.winners, end.reason, end.breach) == (
                winners,
                "cheated",
                Breach(fault.seat, fault.rule),
            )
            seat.restart()
            assert seat.session.outcome == end
        for report in (*self.reports(), *self.reports(every_signature=True)):
            assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
            assert report.outcome is not None
            assert report.outcome.winners == winners
            assert report.proof is not None
            assert proof.check(report.proof, GAMES) == fault
        together = compare(self.reports()).whole
        assert together is not None
        assert together.fault == fault


def _pieces(text: str) -> list[tuple[str, str]]:
    return [(zone, piece) for part in text.split(", ") for zone, piece in [part.split()]]


def _faces(text: str) -> tuple[Face, ...]:
    return tuple(FACE_NAMED[piece] for _, piece in _pieces(text))
