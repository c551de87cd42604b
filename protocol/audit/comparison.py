"""The facts that several copies of one match prove together and no copy proves alone.

The comparison goes place by place: two versions of one record, both signed by its seat, are equivocation,
though each copy may be complete.  Then the union of all records, refused ones too, is audited once more.

Anybody can write a record with a junk signature into a copy.  So every version of a record is kept, its
signature decides whether it counts, and the order of the copies does not matter.
"""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from operator import itemgetter
from typing import Any, Final, TypeAlias

from p2p_stratego.core.game import Game, Outcome, Seat
from protocol.audit import proof as proofs
from protocol.audit.proof import Fault
from protocol.audit.verdict import (
    WHERE_NEEDED,
    ProofPolicy,
    Replayed,
    Report,
    accept_all,
    conclude,
    fault_report,
    interim_report,
    is_free_of_order,
    refusal_report,
    reordered,
    replay,
    run_deferred,
    tampered_report,
    without_proofs,
)
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.record import statements
from protocol.record.asks.registry import CODEC
from protocol.record.entries import Entry, parse_entry
from protocol.record.gathering import full_proof
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.record.silence.gone import Gone
from protocol.record.statements import parse_record
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, STATEMENT, Frame
from protocol.wire.transcript import MAGIC, Records

HEAD: Final = len(MAGIC) + 0xFFFF + 16
"""Bytes at the beginning of a transcript that hold its genesis."""
RecordPlace = tuple[int, int, Seat]
"""Where a record stands: its kind, ENTRY before STATEMENT; its number or index; its seat."""
_Sizes: TypeAlias = tuple[int, tuple[int, ...]]
_LABELS: Final = {ENTRY: labels.SIGN_ENTRY, STATEMENT: labels.SIGN_STATEMENT}


@dataclass(frozen=True, slots=True)
class Comparison:
    """The result of a comparison.

    `agree`: the copies are parts of one record, and the union confirms the end that each states; `fault`,
    `proof`: an offence that no copy proves alone; `whole`: the audit of the union, None if the copies
    contradict each other and no seat can be blamed.
    """

    agree: bool
    fault: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    whole: Report | None = field(default=None, repr=False, compare=False)


def compare(copies: Iterable[bytes], games: Mapping[str, Game[Any]]) -> Comparison:
    """Audit copies of one match and compare them.  Raises the same as Copies.add."""
    together = Copies(games)
    for data in copies:
        together.add(data)
    return together.compare()


def match_in(head: bytes) -> bytes | None:
    """The body of the genesis in a file's first HEAD bytes, which the copies of one match have in common.

    None if it cannot be read; an audit tells why.
    """
    with suppress(Refusal):
        return Records(head).genesis
    return None


class Copies:
    """Copies of one match, added one after another.

    Common records are kept once: time grows with the size of the copies, memory with their differences.
    """

    def __init__(
        self,
        games: Mapping[str, Game[Any]],
        *,
        every_signature: bool = False,
        proving: ProofPolicy = WHERE_NEEDED,
    ) -> None:
        """The arguments are those of `audit`."""
        self._replay = partial(
            replay, games=games, every_signature=every_signature, proving=proving, history=False
        )
        self._hold = proving.hold
        self._vouched = not proving.every
        """Whether the seats vouch for all records so far, so that no proof about cards needs a check."""
        self._begun: Genesis | None = None
        self._known: dict[bytes, Report] = {}
        """By hash of the file: its report.  Copies are often equal byte for byte."""
        self._ends: set[Outcome] = set()
        self._faults: dict[Fault, bytes] = {}
        """The faults that single copies prove, with their proofs."""
        self._entries: dict[RecordPlace, bytes] = {}
        self._said: tuple[list[bytes], ...] = ()
        """The payloads admitted in any copy, of the chain and of each seat: the first for each place.

        Entries of two seats can have one number: a Gone, and the late entry of the seat that it takes out.
        """
        self._others: dict[RecordPlace, set[bytes]] = {}
        """Other payloads that a copy admitted for the same place."""
        self._refused: dict[RecordPlace, set[bytes]] = {}
        self._fullest: tuple[_Sizes, Report] | None = None
        """Of the copies that are complete by the quick way, that with the most records: how many of the chain
        and of each seat, and the report.
        """
        self._free: Replayed | None = None
        """The first copy that is free of order: others mostly hold its records in another one."""

    def add(self, data: bytes) -> Report:
        """The audit of one more copy; of two equal copies only the first report has a proof.

        Raises the same as `audit`, and Misplaced for a transcript of another match.
        """
        name = hashlib.sha256(data).digest()
        if name in self._known:
            return self._known[name]
        audited = self.reordered(data) or self._replay(data)
        self.hold(audited)
        self._known[name] = replace(audited.report, proof=None)
        return audited.report

    def reordered(self, data: bytes) -> Replayed | None:
        """The audit of a copy with the records of one that is held; None if it has to be audited anew."""
        return None if self._free is None else reordered(self._free, data)

    @property
    def genesis(self) -> Genesis:
        """The genesis of all copies.  At least one was added."""
        if self._begun is None:
            raise RuntimeError("there is no copy yet")
        return self._begun

    def hold(self, copy: Replayed) -> None:
        """Add an audited copy.  Raises Misplaced if it is of another match."""
        report, referee = copy.report, copy.referee
        if self._free is not None and referee is self._free.referee:
            return  # the same records
        self._vouched = self._vouched and report.checks.endorsed > 0
        if self._begun is None:
            self._begun = report.genesis
            self._said = tuple([] for _ in report.genesis.players)
        elif self._begun.id != report.genesis.id:
            raise Misplaced("A copy belongs to another match.")
        # The statement in a folded entry's place is compared as such.
        entries = [(number, entry) for number, entry in enumerate(referee.entries) if type(entry) is Entry]
        for number, entry in entries:
            spot = (ENTRY, number, entry.seat)
            if self._entries.setdefault(spot, entry.payload) != entry.payload:
                self._others.setdefault(spot, set()).add(entry.payload)
        for seat, known in enumerate(referee.statements):
            for index, statement in enumerate(known):
                self._admitted(self._said[seat], index, (STATEMENT, index, seat), statement.payload)
        if report.refused is not None:
            place = _place(report.refused)
            if place is not None and place[2] < len(self._said):
                self._refused.setdefault(place, set()).add(report.refused.payload)
        if report.outcome is not None:
            self._ends.add(report.outcome)
        if report.fault is not None and report.proof is not None:
            self._faults.setdefault(report.fault, report.proof)
        if report.checks.endorsed:
            sizes = len(entries), tuple(map(len, referee.statements))
            self._fullest = max(self._fullest or (sizes, report), (sizes, report), key=itemgetter(0))
        self._free = self._free or (copy if is_free_of_order(copy) else None)

    def compare(self) -> Comparison:
        """Compare all copies.  At least one was added.

        Every signature on which blame rests is verified again here, even if an audit took the short way.
        """
        begun = self.genesis
        if (all_of_it := self._in_one()) is not None:
            return Comparison(self._ends <= {all_of_it.outcome}, whole=all_of_it)
        signed: dict[RecordPlace, bytes] = {}
        contradicted = False
        for place in sorted({*self._others, *self._refused}):
            versions = self._versions(place)
            good = [payload for payload in versions if begun.signed(place[2], _LABELS[place[0]], payload)]
            bodies = {payload[:-SIGNATURE_BYTES]: payload for payload in reversed(good)}
            if len(bodies) > 1:
                return _equivocated(begun, place, [bodies[body] for body in sorted(bodies)[:2]])
            if good:
                signed[place] = good[0]
            contradicted = contradicted or self._admitted_twice(place)
        if contradicted:
            return Comparison(False, *_gravest(self._faults)) if self._faults else Comparison(agree=False)
        union = self._together(begun, signed)
        news = union.fault is not None and union.fault not in self._faults
        fault_and_proof = (union.fault, union.proof) if news else (None, None)
        return Comparison(not news and self._ends <= {union.outcome}, *fault_and_proof, union)

    def _in_one(self) -> Report | None:
        """The report on a copy that is complete by the quick way and holds every record of the others.

        It is their union, and all seats vouch for it: another audit of the same records would find no more.
        """
        if self._fullest is None or self._others or self._refused or self._faults:
            return None
        sizes, report = self._fullest
        return report if sizes == (len(self._entries), tuple(map(len, self._said))) else None

    def _admitted(self, known: list[bytes], at: int, place: RecordPlace, payload: bytes) -> None:
        if at == len(known):
            known.append(payload)
        elif known[at] != payload:
            self._others.setdefault(place, set()).add(payload)

    def _first(self, place: RecordPlace) -> bytes | None:
        """The payload at this place in the first copy that has one."""
        kind, number, seat = place
        if kind == ENTRY:
            return self._entries.get(place)
        known = self._said[seat]
        return known[number] if number < len(known) else None

    def _versions(self, place: RecordPlace) -> list[bytes]:
        """All payloads that copies hold for a place, sorted independently of the copies' order."""
        first = self._first(place)
        payloads = self._others.get(place, set()) | self._refused.get(place, set())
        return sorted(payloads if first is None else payloads | {first})

    def _admitted_twice(self, place: RecordPlace) -> bool:
        """Whether two copies admitted different records at this place; at most one of them is well signed."""
        others, first = self._others.get(place), self._first(place)
        if not others or first is None:
            return False
        return any(payload[:-SIGNATURE_BYTES] != first[:-SIGNATURE_BYTES] for payload in others)

    def _together(self, begun: Genesis, signed: Mapping[RecordPlace, bytes]) -> Report:
        """The audit of the union of copies that contradict each other at no place: consents, then entries,
        then other statements, then the records that single copies refused.

        `signed`: by place, the version to take if there are several.
        """
        statements_of = [
            deque(
                Frame(STATEMENT, signed.get((STATEMENT, index, seat), payload))
                for index, payload in enumerate(known)
            )
            for seat, known in enumerate(self._said)
        ]
        consents = [known.popleft() for known in statements_of if known]
        good = {payload[:-SIGNATURE_BYTES]: payload for payload in signed.values()}
        chosen = (
            good.get(payload[:-SIGNATURE_BYTES], payload) for _, payload in sorted(self._entries.items())
        )
        entries = [Frame(ENTRY, payload) for payload in chosen]
        refused = [Frame(place[0], signed[place]) for place in sorted(self._refused) if place in signed]

        def audited() -> Report:
            referee = Referee(begun, history=False)
            left = [deque(known) for known in statements_of]
            stopped = _stopped(referee, consents, entries, left)
            report = stopped or _tried_again(referee, refused) or conclude(referee)
            known = self._faults | _undone(referee)
            return report if report.fault or not known else fault_report(referee, report, *_gravest(known))

        vouched = self._vouched and not (self._others or self._refused)
        report = run_deferred(audited, accept_all if vouched else self._hold)
        if report is None:
            return audited()
        return without_proofs(report) if vouched else report


def _stopped(
    referee: Referee,
    consents: Iterable[Frame],
    entries: Sequence[Frame],
    statements_of: Sequence[deque[Frame]],
) -> Report | None:
    """Admit the consents, then the entries, then the statements of each seat, in order.

    A record that is refused as misplaced is tried again behind the others.  A Gone comes last: it takes the
    place of a late entry, unless another seat has gone on behind that entry.  `statements_of`: by seat.
    Returns the verdict if a record is wrong, else None.
    """
    gones = [frame for frame in entries if _is_gone(frame)]
    waiting: list[Frame] = []
    frame, refused = None, None
    try:
        for frame in consents:
            referee.admit(parse_record(frame))
        for more in ([frame for frame in entries if frame not in gones], gones):
            waiting += more
            progress = True
            while progress:
                progress, early, waiting = False, waiting, []
                for frame in early:
                    try:
                        referee.admit(parse_record(frame))
                        progress = True
                    except Misplaced as refusal:
                        refused = refusal
                        waiting.append(frame)
                for known in statements_of:
                    with suppress(Misplaced):
                        while known:
                            frame = known[0]
                            referee.admit(parse_record(frame))
                            known.popleft()
                            progress = True
    except (Violation, Equivocation) as fault:
        return refusal_report(referee, fault, frame, 0) if frame else None
    except Refusal as refusal:  # consents are missing, or ENDs vouched for entries in vain
        return tampered_report(interim_report(referee), str(refusal), referee.count)
    return (
        tampered_report(interim_report(referee), str(refused), referee.count)
        if waiting and not gones
        else None
    )


def _undone(referee: Referee) -> dict[Fault, bytes]:
    """The fault, with its proof, that entries showed before a Gone of another copy made us forget them."""
    if referee.undone is None:
        return {}
    fault, evidence = referee.undone
    return {proofs.fault_of(fault): proofs.prove(referee.genesis.body, full_proof(referee, evidence))}


def _gravest(faults: Mapping[Fault, bytes]) -> tuple[Fault, bytes]:
    """The fault that counts, with its proof, of those that single copies prove and the union does not show.

    An equivocation comes first, then a fault in an entry, then the lowest place, seat and rule: so the order
    of the copies does not matter.
    """
    first = min(
        faults,
        key=lambda fault: (fault.rule != "equivocation", fault.what, fault.number, fault.seat, fault.rule),
    )
    return first, faults[first]


def _is_gone(frame: Frame) -> bool:
    """Whether an entry that some copy admitted is a Gone."""
    return isinstance(CODEC.parse(parse_entry(frame.payload).message), Gone)


def _tried_again(referee: Referee, refused: Sequence[Frame]) -> Report | None:
    """Admit the `refused` records behind all admitted records; return the verdict if any proves a fault."""
    waiting, progress = list(refused), True
    while progress:
        progress = False
        for frame in list(waiting):
            try:
                referee.admit(parse_record(frame))
            except (Violation, Equivocation) as fault:
                return refusal_report(referee, fault, frame, 0)
            except Refusal:
                continue  # it blames no seat, and no other record rests on it
            waiting.remove(frame)
            progress = True
    return None


def _place(frame: Frame) -> RecordPlace | None:
    """The place that a record claims; None if it does not parse."""
    with suppress(Malformed):
        if frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            return ENTRY, entry.number, entry.seat
        statement = statements.parse(frame.payload)
        return STATEMENT, statement.index, statement.seat
    return None


def _equivocated(begun: Genesis, place: RecordPlace, versions: Sequence[bytes]) -> Comparison:
    """The result for two records of one place, both well signed by its seat."""
    frames = [Frame(place[0], payload) for payload in versions]
    fault = Fault(place[2], "entry" if place[0] == ENTRY else "statement", place[1], "equivocation")
    return Comparison(agree=False, fault=fault, proof=proofs.prove(begun.body, frames))
