"""Proofs of faults: small and self-contained; `check` accepts or rejects them without a transcript.

A proof is a first line of its own, then frames: the genesis and the records concerned.  For an equivocation
these are the two versions.  For any other fault they are the entries up to the offending one, then the
statement that offends, that an entry contradicts, or that reveals a false claim.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from io import BytesIO
from itertools import chain
from typing import Any, Final

from p2p_stratego.core.game import Game, Seat
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Refusal, Violation
from protocol.record import statements
from protocol.record.entries import parse_entry
from protocol.record.genesis import Genesis, parse
from protocol.record.referee import Referee
from protocol.wire import labels
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame, read_frame

MAGIC: Final = b"p2p-stratego proof %d\n" % labels.PROTOCOL_VERSION


class NoProof(Refusal):
    """The bytes prove no fault."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A seat's offence: its place, and its rule, a key of errors.RULES or the game's own name.

    `what`: "entry" or "statement"; `number`: the entry's number; for a statement, the count of entries it
    stands over (for an equivocation: its index).
    """

    seat: Seat
    what: str
    number: int
    rule: str


def prove(genesis: bytes, records: Iterable[Frame]) -> bytes:
    """The bytes of a proof from `records`: two versions of one, or the entries up to the offending one."""
    made = BytesIO()
    made.write(MAGIC)
    for frame in chain([Frame(GENESIS, genesis)], records):
        made.write(bytes(frame))
    return made.getvalue()


def prove_violation(genesis: bytes, entries: Iterable[Frame], record: Frame, fault: Violation) -> bytes:
    """The bytes of a proof that `record`, refused with `fault` after `entries`, breaks a rule."""
    whole = record.kind == STATEMENT or fault.rule == "both-ways"
    before = list(entries if whole else _until(entries, fault.number))
    known = {
        frame.payload for frame in before
    }  # a draw that took the place of the entry stands there already
    beside = [Frame(STATEMENT, payload) for payload in fault.beside if payload not in known]
    return prove(genesis, [*before, *beside, record])


def _until(entries: Iterable[Frame], number: int) -> Iterator[Frame]:
    """The frames before entry `number`; the statements among them stand in the places of entries."""
    for frame in entries:
        if frame.kind == ENTRY and parse_entry(frame.payload).number >= number:
            return
        yield frame


def check(data: bytes, games: Mapping[str, Game[Any]]) -> Fault:
    """The fault that the bytes of a proof prove.  Raises NoProof, or another Refusal for a broken genesis."""
    frames = _frames(data)
    if len(frames) < 2 or frames[0].kind != GENESIS:
        raise NoProof("The proof holds no genesis and no record.")
    if any(frame.kind not in (ENTRY, STATEMENT) for frame in frames[1:]):
        raise NoProof("The proof holds what is neither an entry nor a statement.")
    genesis, records = parse(frames[0].payload, games), frames[1:]
    if len(records) == 2 and (fault := check_equivocation(genesis, records[0], records[1])):
        return fault
    return _violation(genesis, records)


def check_equivocation(genesis: Genesis, one: Frame, other: Frame) -> Fault | None:
    """The fault if the two records differ and are well signed by one seat for one place; otherwise None.

    Raises NoProof if a signature does not verify.
    """
    if one.kind != other.kind or one.payload[:-SIGNATURE_BYTES] == other.payload[:-SIGNATURE_BYTES]:
        return None
    places = []
    for frame in (one, other):
        if frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            seat, number, label = entry.seat, entry.number, labels.SIGN_ENTRY
        else:
            statement = statements.parse(frame.payload)
            seat, number, label = statement.seat, statement.index, labels.SIGN_STATEMENT
        if seat >= len(genesis.players) or not genesis.signed(seat, label, frame.payload):
            raise NoProof("A signature in the proof does not verify.")
        places.append((seat, number))
    if places[0] != places[1]:
        return None
    what = "entry" if one.kind == ENTRY else "statement"
    return Fault(places[0][0], what, places[0][1], "equivocation")


def _frames(data: bytes) -> list[Frame]:
    if not data.startswith(MAGIC):
        raise NoProof("The file is not a proof of this version.")
    position = len(MAGIC)
    frames = []
    while frame := read_frame(data, position):
        frames.append(frame)
        position += len(frame)
    if position != len(data):
        raise NoProof("The proof ends within a record.")
    return frames


def _violation(genesis: Genesis, records: list[Frame]) -> Fault:
    """Replay the records, verify every signature, and return the fault of the last record."""
    referee = Referee(genesis, history=False, agreed=True)
    for at, record in enumerate(records):
        try:
            if record.kind == ENTRY:
                referee.admit_entry(record.payload)
            else:
                referee.judge_statement(record.payload, last=at == len(records) - 1)
        except Violation as violation:
            if at != len(records) - 1:
                raise NoProof("The proof goes on after the record that breaks a rule.") from violation
            return Fault(violation.seat, violation.what, violation.number, violation.rule)
        except Refusal as refusal:
            raise NoProof("The records of the proof do not form a chain of their own.") from refusal
        if at != len(records) - 1 and referee.breach is not None:
            raise NoProof("The proof goes on after the record that breaks a rule.")
    fault = final_fault(referee)
    if fault is None:
        raise NoProof("The last record breaks no rule.")
    return fault


def final_fault(referee: Referee) -> Fault | None:
    """The breach that the rules found, else the earliest claim proven false, else None."""
    found, broken = referee.breach, referee.table.ledger.broken(referee.table.faces)
    if found is not None:
        return Fault(found.seat, "entry", referee.count - 1, found.rule)
    return None if broken is None else Fault(broken.seat, "entry", broken.number, broken.rule)
