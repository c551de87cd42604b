"""The evidence of a fault, gathered from a copy that holds it, also before a Gone; and the outcome then."""

from __future__ import annotations

from collections.abc import Iterator

from p2p_stratego.core.game import Outcome, Seat
from protocol.errors import Equivocation, Violation
from protocol.record import statements
from protocol.record.endings import breach_outcome
from protocol.record.entries import Entry, Folded
from protocol.record.evidence import Evidence
from protocol.record.standing import Standing
from protocol.record.statements import Kind, Record
from protocol.wire.encoding import STATEMENT, Frame


def chain(standing: Standing, start: int, stop: int) -> Iterator[Frame]:
    """The frames that put the entries from `start` to before `stop` into the chain."""
    for entry in standing.entries[start:stop]:
        yield from standing.support(entry)


def full_proof(standing: Standing, evidence: Evidence) -> list[Frame]:
    """The proof with the entries that it shares with our chain."""
    return [*chain(standing, 0, evidence.shared), *evidence.records]


def extend(standing: Standing, evidence: Evidence, shared: int) -> Evidence:
    """The same proof for a copy that has only the first `shared` entries of our chain."""
    if shared >= evidence.shared:
        return evidence
    before = tuple(chain(standing, shared, evidence.shared))
    return Evidence(shared, standing.heads[shared], before + evidence.records)


def gather(standing: Standing, record: Record, fault: Violation | Equivocation) -> Evidence:
    """The evidence that `record`, refused with `fault`, breaks a rule.

    The evidence begins where another copy could hold a Gone instead: before the run of last entries that are
    all of one seat, and before the place of the record at fault, which can itself be a Gone.
    """
    if isinstance(fault, Equivocation):
        both = tuple(Frame(record.frame_kind, payload) for payload in fault.payloads)
        return Evidence(0, standing.genesis.id, both)
    stop = _needed(standing, record, fault)
    start = min(_fork(standing, stop), record.number if isinstance(record, Entry) else stop)
    known = {entry.payload for entry in standing.entries[:stop] if isinstance(entry, Folded)}
    before = tuple(chain(standing, start, stop))
    known |= {record.payload for record in before}
    beside = tuple(Frame(STATEMENT, payload) for payload in fault.beside if payload not in known)
    return Evidence(start, standing.heads[start], (*before, *beside, record.frame))


def forgotten_fault(standing: Standing, number: int) -> tuple[Violation, Evidence] | None:
    """The fault that the entries from `number` on show, which a Gone makes this copy forget."""
    fault = proven_fault(standing)
    if fault is None:
        return None
    revealed = [
        statement.frame for statement in standing.statements[fault.seat] if statement.kind is Kind.REVEAL
    ]
    records = (*chain(standing, number, standing.count), *(() if standing.breach else revealed))
    return fault, Evidence(number, standing.heads[number], records)


def proven_fault(standing: Standing) -> Violation | None:
    """The fault that the admitted records prove, or None: a breach, else the earliest false claim."""
    breach, claim = standing.breach, standing.false_claim
    if breach is not None and claim is None:
        return Violation(breach.seat, "entry", standing.count - 1, breach.rule)
    claim = claim or standing.table.ledger.broken(standing.table.faces)
    return None if claim is None else Violation(claim.seat, "entry", claim.number, claim.rule)


def outcome_with_fault(standing: Standing, seat: Seat, rule: str) -> Outcome:
    """The outcome once `seat` is proven to have broken `rule`.

    A breach or a false claim that the records show goes before it: else a friend's fault would give a liar
    its win back.
    """
    outcome = standing.outcome
    if outcome is not None and outcome.breach is not None:
        return outcome
    return breach_outcome(standing.genesis.sides, seat, rule, standing.ranked)


def _needed(standing: Standing, record: Record, fault: Violation) -> int:
    """How many entries the fault rests on."""
    if isinstance(record, Entry) and fault.rule != "both-ways":
        return min(record.number, standing.count)
    counts = [fault.number + 1] if fault.what == "entry" else []
    beside = [*map(statements.parse, fault.beside)]
    for statement in beside if isinstance(record, Entry) else (*beside, record):
        counts.append(statement.count)
        if statement.kind is Kind.AWAY:
            counts.append(_built(standing, statement.count))
        elif statement.kind is Kind.BACK:
            counts.append(_built(standing, statement.content[0]))
    if isinstance(record, Entry):
        counts.append(_built(standing, record.number) if record.number < standing.count else record.number)
    return min(max(counts), standing.count)


def _built(standing: Standing, number: int) -> int:
    """The entries up to the first one of another seat behind entry `number`."""
    owner = standing.entries[number].seat if number < standing.count else None
    for entry in standing.entries[number + 1 :]:
        if entry.seat != owner and not isinstance(entry, Folded):
            return entry.number + 1
    return standing.count


def _fork(standing: Standing, stop: int) -> int:
    """The place from which on the entries before `stop` are of one seat, but for folds."""
    owner, start = None, stop
    for entry in reversed(standing.entries[:stop]):
        if not isinstance(entry, Folded):
            if owner not in (None, entry.seat):
                return start
            owner = entry.seat
        start = entry.number
    return start


def differs_at(standing: Standing, entry: Record) -> int | None:
    """The place at which a received entry follows our chain, but differs from our entry there; else None."""
    if not isinstance(entry, Entry):
        return None
    if entry.number >= standing.count or entry.previous != standing.heads[entry.number]:
        return None
    return None if standing.entries[entry.number].body == entry.body else entry.number
