"""What several copies of one match show together, and none of them alone.

Place by place they are held against each other: two versions of one record, both signed by its seat, are
equivocation, though each copy may be complete.  Then all that they hold is put together and audited once
more.  The order in which the copies are named changes nothing.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations, zip_longest

from p2p_stratego.core.game import Seat
from protocol.audit import proof as proofs
from protocol.audit.proof import Fault, NoProof
from protocol.audit.verdict import Report, concluded, examined, refusing, spoilt
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Equivocation, Malformed, Misplaced, Refusal, Violation
from protocol.record import statements
from protocol.record.entries import Entry, parse_entry
from protocol.record.genesis import Genesis
from protocol.record.referee import Referee
from protocol.wire import labels, transcript
from protocol.wire.encoding import ENTRY, GENESIS, STATEMENT, Frame

Place = tuple[int, int, Seat]
"""Where a record stands: entries first, its number or index, its seat."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """What the copies show together.

    `agree`: they are parts of one record, and none says of the end what all of them together do not;
    `fault`, `proof`: what somebody did that no copy shows alone; `whole`: the audit of all that they hold,
    None if they contradict each other and nobody can be blamed for it.
    """

    agree: bool
    fault: Fault | None = None
    proof: bytes | None = field(default=None, repr=False)
    whole: Report | None = field(default=None, repr=False, compare=False)


def compare(reports: Sequence[Report]) -> Comparison:
    """Hold copies of one match (one genesis id) against each other; damage behind the good prefix of one
    plays no part.

    Every signature that blame rests on is verified here again, whatever way the audits went.
    """
    begun = reports[0].genesis
    places: dict[Place, dict[bytes, Frame]] = defaultdict(dict)
    for report in reports:
        for place, frame in _records(report):
            places[place].setdefault(frame.payload[:-SIGNATURE_BYTES], frame)
    contradicted = False
    for place in sorted(place for place, versions in places.items() if len(versions) > 1):
        for one, other in combinations([places[place][body] for body in sorted(places[place])], 2):
            with suppress(NoProof):
                if fault := proofs.check_equivocation(begun, one, other):
                    return Comparison(False, fault, proofs.prove(begun.body, [one, other]))
        contradicted = contradicted or _admitted_twice(reports, place)
    if contradicted:
        return Comparison(agree=False)
    whole = _merged(reports)
    news = whole.fault not in [None, *(report.fault for report in reports)]
    ends = {report.outcome for report in reports if report.outcome is not None and report.refused is None}
    found = (whole.fault, whole.proof) if news else (None, None)
    return Comparison(not news and ends <= {whole.outcome}, *found, whole)


def _records(report: Report) -> Iterator[tuple[Place, Frame]]:
    """Every record of a copy by its place; also the one that was refused, if a player can have signed it."""
    seats = len(report.genesis.players)
    for entry in report.referee.entries:
        yield (0, entry.number, entry.seat), entry.frame
    for known in report.referee.statements:
        for said in known:
            yield (1, said.index, said.seat), said.frame
    frame = report.refused
    with suppress(Malformed):
        if frame is not None and frame.kind == ENTRY:
            entry = parse_entry(frame.payload)
            if entry.seat < seats:
                yield (0, entry.number, entry.seat), frame
        elif frame is not None and frame.kind == STATEMENT:
            said = statements.parse(frame.payload)
            if said.seat < seats:
                yield (1, said.index, said.seat), frame


def _admitted_twice(reports: Sequence[Report], place: Place) -> bool:
    """Whether two copies have admitted different records for one place, not both of them signed."""
    kind, number, seat = place
    bodies = set()
    for report in reports:
        known = report.referee.statements[seat] if kind else report.referee.entries
        bodies |= {one.body for one in known[number : number + 1]}
    return len(bodies) > 1


def _merged(reports: Sequence[Report]) -> Report:
    """The audit of everything that copies without a contradiction in any one place hold together: consents,
    then entries, then what else was said.
    """
    begun = reports[0].genesis
    referee = Referee(begun)
    entries = [_signed(begun, places) for places in zip_longest(*(r.referee.entries for r in reports))]
    said = [
        deque(sorted((report.referee.statements[seat] for report in reports), key=len)[-1])
        for seat in range(len(begun.players))
    ]
    nothing = transcript.Contents(begun.body, (), 0, torn=False, damage=None)
    frame = Frame(GENESIS, begun.body)
    try:
        for known in said:
            if known:
                frame = known.popleft().frame
                referee.admit_statement(frame.payload)
        for entry in entries:
            frame = entry.frame
            referee.admit_entry(frame.payload)
        # What a seat says may rest on what another has said: whoever has to wait comes again.
        progress = True
        while progress:
            progress = False
            for known in said:
                with suppress(Misplaced):
                    while known:
                        frame = known[0].frame
                        referee.admit_statement(frame.payload)
                        known.popleft()
                        progress = True
    except (Violation, Equivocation) as fault:
        return refusing(examined(nothing, referee), fault, frame, 0)
    except Refusal as refusal:  # consents are missing, or ENDs vouched for entries in vain
        return spoilt(examined(nothing, referee), str(refusal), referee.count)
    return concluded(examined(nothing, referee))


def _signed(begun: Genesis, copies: Iterable[Entry | None]) -> Entry:
    """Of the copies of one entry, one whose signature verifies, if there is any: a copy that its ENDs vouch
    for may hold another.
    """
    known = [entry for entry in copies if entry is not None]
    one_by_one = (entry for entry in known if begun.signed(entry.seat, labels.SIGN_ENTRY, entry.payload))
    return known[0] if len({entry.payload for entry in known}) == 1 else next(one_by_one, known[0])
