"""Cheats that need nothing but the rules: who lays other cards than it says is named by every audit.

A liar's bot sees what it should have laid, so the match goes on as an honest one would, until the lie is
seen.
"""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from cli.testing.match import Decide, Table
from cli.testing.subject import LeftOut, Subject, Warnings, require
from p2p_stratego.core.game import Claim, Commit, Decision, Face, Mix, Slot, Together
from protocol.audit.verdict import Verdict, audit
from protocol.record.asks.base import Answered, Decided
from protocol.seat.secrets import MatchSecrets
from protocol.seat.session import Session

LIAR: Final = 0
_SEED: Final = 5


def exact(subject: Subject) -> Warnings:
    """Who lays other cards than the set that the rules name is named by every audit."""
    honest = _played(subject)
    for ask in _asked(honest, Commit):
        if ask.exactly and ask.chosen and len(set(ask.faces)) > 1:
            lies = {slot: min(ask.faces) for slot in ask.slots}
            yield from _found(subject, lies, "wrong-faces")
            return
    raise LeftOut("nobody has to lay an exact set")


def claims(subject: Subject) -> Warnings:
    """Who claims what its own cards disprove is named by every audit."""
    honest = _played(subject)
    laid = {slot: ask for ask in _asked(honest, Commit) if ask.chosen for slot in ask.slots}
    known = honest.seats[LIAR].session.known
    for claim in _asked(honest, Claim):
        for slot in claim.slots:
            ask = laid.get(slot)
            lies = _false(ask, slot, claim, known) if ask is not None else None
            if lies is not None:
                yield from _found(subject, lies, claim.rule)
                return
    raise LeftOut("nobody claims anything about cards that it chose")


def _false(ask: Commit, slot: Slot, claim: Claim, known: Mapping[Slot, Face]) -> dict[Slot, Face] | None:
    """Other faces for slots of one Commit, with which the claim about `slot` is false."""
    if not ask.exactly:
        other = next((face for face in sorted(ask.faces) if face not in claim.faces), None)
        return None if other is None else {slot: other}
    place = next((one for one in ask.slots if known[one] not in claim.faces), None)
    return None if place is None else {slot: known[place], place: known[slot]}


def mixes(subject: Subject) -> Warnings:
    """Who lays one card twice where cards are mixed is named by every audit."""
    honest = _played(subject)
    known = honest.seats[LIAR].session.known
    for ask in _asked(honest, Mix):
        if not ask.chosen and len({known[slot] for slot in ask.old}) > 1:
            yield from _named(subject, ask.rule, secrets={LIAR: _OneFace})
            return
    raise LeftOut("nobody mixes cards blindly")


class _OneFace(MatchSecrets):
    """Secrets that lay the first card of a Mix everywhere."""

    def mix_order(self, game: bytes, seat: int, serial: int, length: int) -> list[int]:
        return [0] * length


def _played(subject: Subject, **terms: Any) -> Table:
    if subject.rules.needs_proofs:
        raise LeftOut("its claims are proved when they are made")
    terms = {"decide": subject.honest(), **terms}
    seats = subject.rules.seat_counts[0]
    return Table(_SEED, game=subject.rules, options=subject.short, seats=seats, **terms).play()


def _asked(table: Table, kind: type[Any]) -> Sequence[Any]:
    """The Asks of this kind that the liar answered, in their order."""
    history = table.seats[LIAR].session.referee.table.history
    asks = [step.ask for step in history if isinstance(step, Answered)]
    parts = [part for ask in asks for part in (ask.asks if isinstance(ask, Together) else (ask,))]
    return [part for part in parts if isinstance(part, kind) and part.seat == LIAR]


def _found(subject: Subject, lies: Mapping[Slot, Face], rule: str) -> Warnings:
    """Play with `lies` in the place of what the liar's bot lays."""
    truth: dict[Slot, Face] = {}
    yield from _named(subject, rule, decide=_lying(subject.honest(), lies, truth))


def _lying(honest: Decide, lies: Mapping[Slot, Face], truth: dict[Slot, Face]) -> Decide:
    class Blind:
        """A session whose view shows what the bot believes to have laid."""

        def __init__(self, session: Session) -> None:
            opened = session.referee.table.faces
            believed = {slot: face for slot, face in truth.items() if slot not in opened}
            known = {**session.known, **believed}
            self.view = replace(session.view, known=known)
            self.seat = session.seat

    def decide(session: Session, decision: Decision, rng: random.Random) -> Decided:
        if session.seat != LIAR:
            return honest(session, decision, rng)
        decided = honest(Blind(session), decision, rng)  # type: ignore[arg-type]  # it has all that bots are given
        if isinstance(decision, Commit) and not lies.keys().isdisjoint(decision.slots):
            laid = zip(decision.slots, map(int, decided), strict=True)
            truth.update(laid)
            return tuple(lies.get(slot, truth[slot]) for slot in decision.slots)
        return decided

    return decide


def _named(subject: Subject, rule: str, **terms: Any) -> Warnings:
    """Every audit says that the liar broke a rule; the claim's own unless the rules have seen it before."""
    table = _played(subject, **terms)
    for seat in table.seats:
        report = audit(seat.transcript, {subject.rules.name: subject.rules})
        require(report.verdict is Verdict.CHEATED, f"the lie against {rule} is not found: {report.verdict}")
        culprit = report.fault.seat if report.fault is not None else None
        breach = report.outcome.breach if report.outcome is not None else None
        require(LIAR in (culprit, breach.seat if breach else None), "another player is blamed for the lie")
    yield from ()
