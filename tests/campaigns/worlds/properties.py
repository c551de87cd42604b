"""The seven properties of spec/properties.md, as they are looked at in every world.

Those of one copy, or of one event, are looked at where they come up for the first time; those of several
copies in every world, with the real comparison.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from p2p_stratego.core.game import Outcome, Seat
from protocol.audit.comparison import Comparison, Copies
from protocol.audit.proof import Fault
from protocol.audit.verdict import Report, Verdict
from protocol.record.statements import Kind
from protocol.record.statements import parse as parse_statement
from protocol.wire.encoding import STATEMENT, Frame
from tests.campaigns.worlds.copies import Act, Copy, Event, Fallen, Node
from tests.campaigns.worlds.plan import GAMES, Arena

TWO = 2


class Properties:
    """What must hold in all worlds of an arena.  Every method raises Fallen."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self._alike: dict[frozenset[bytes], tuple[tuple[Any, ...], tuple[Any, ...]]] = {}
        """By the records of copies without a fault: what such a copy shows, and its audit."""
        self._compared: dict[tuple[object, ...], tuple[list[Fault], Report | None]] = {}
        """By all records of some copies, what the comparison says of them."""

    def _honest(self, who: str, fault: Fault | None) -> None:
        if fault is not None and fault.seat in self.arena.honest:
            raise Fallen(1, f"{who} blames seat {fault.seat}: {fault}")

    # One copy

    def of_copy(self, copy: Node) -> None:
        """A copy that no world had before."""
        report = copy.judged.report
        self._honest(f"the audit of the copy of seat {copy.seat}", report.fault)
        if copy.fault is not None and copy.fault.seat in self.arena.honest:
            raise Fallen(1, f"seat {copy.seat} blames seat {copy.fault.seat}: {copy.fault!r}")
        if report.verdict is Verdict.TAMPERED:
            raise Fallen(1, f"the copy of seat {copy.seat} is tampered: {report.problem}")
        if (copy.fault is None) != (report.fault is None) and copy.outcome is not None:
            blame = copy.outcome.breach or report.fault
            if copy.fault is not None or blame is None:
                raise Fallen(4, f"seat {copy.seat} holds {copy.fault!r}, its audit {report.fault}")
        if copy.fault is None:
            self._judged_alike(copy)
            if report.outcome is None and not report.waited_for and not report.contested:
                raise Fallen(7, f"the copy of seat {copy.seat} has no end, and names nobody who owes")
        self._nobody_gains(copy)

    def _judged_alike(self, copy: Node) -> None:
        judged = _judged(copy.judged.report)
        known = self._alike.setdefault(copy.records, (copy.shown, judged))
        if known != (copy.shown, judged):
            raise Fallen(5, f"with the same records {known}, and {(copy.shown, judged)}")
        if copy.judged.report.outcome != copy.outcome:
            raise Fallen(5, f"seat {copy.seat}: {copy.outcome}, its audit {copy.judged.report.outcome}")

    def alike(self, known: Node, copy: Copy) -> None:
        """A copy that is equal to one of another path."""
        if known.shown != copy.shown:
            raise Fallen(5, f"in another order {copy.shown}, and {known.shown}")

    def _nobody_gains(self, copy: Node) -> None:
        """By no fault and no withheld REVEAL does a side win that had not won in play; nor by leaving."""
        outcome = copy.outcome
        if outcome is None:
            return
        referee = copy.judged.referee
        ranked = referee.ranked
        if outcome.reason == "cheated" and outcome.winners:
            before = frozenset[Seat]() if ranked is None else ranked.winners
            if not outcome.winners <= before:
                raise Fallen(3, f"a fault makes {sorted(outcome.winners)} win")
        played = referee.provisional
        if outcome.reason in ("unrevealed", "unresponsive") and played is not None:
            gained = outcome.winners - played.winners
            if gained:
                raise Fallen(3, f"a withheld REVEAL makes {sorted(gained)} win")
        elif outcome.reason in ("deserted", "agreed-draw", "unresponsive"):
            there = referee.absences.present(referee.count)
            if outcome.winners and there and not outcome.winners & there:
                raise Fallen(3, f"{sorted(outcome.winners)} win {outcome.reason}, and are gone")

    # One event

    def of_event(self, before: Node, event: Event, after: Node) -> None:
        """A copy has become another one."""
        if before.fault is not None and (after.fault is None or after.fault.seat != before.fault.seat):
            raise Fallen(4, f"seat {before.seat} forgets {before.fault!r}")
        if after.fault is not None or event.act is Act.CRASH:
            return
        rewound = not after.follows(before)
        if rewound:
            self._rewound(before, after)
        if before.sealed and after.outcome != before.outcome:
            raise Fallen(2, f"all signed {before.outcome}, now {after.outcome}")
        revealed = before.outcome is not None and before.outcome.reason == "unrevealed"
        if before.complete and after.outcome != before.outcome and not (rewound or revealed):
            raise Fallen(6, f"one more record turns {before.outcome} into {after.outcome}")

    def _rewound(self, before: Node, after: Node) -> None:
        """A Gone has undone what nobody but the owner of its place had signed for."""
        place = next(at for at, head in enumerate(before.heads) if after.heads[at : at + 1] != (head,)) - 1
        owner, gone = before.owing[place], dict(before.gone)
        later = {
            seat
            for seat, at in before.signers
            if at >= place and seat != owner and gone.get(seat, place) >= place
        }
        if later:
            raise Fallen(2, f"seats {sorted(later)} have signed for entry {place}, which is undone")

    # A world

    def of_world(self, world: Sequence[Node], pool: frozenset[Frame], *, quiet: bool) -> str:
        """All copies together; `quiet`: nothing is under way.  Returns how the match stands."""
        self._voices(world, pool)
        whole = self._together(tuple(world))
        if not quiet:
            return ""
        return self._at_rest(world) or whole

    def _voices(self, world: Sequence[Node], pool: frozenset[Frame]) -> None:
        """A living seat is out by the word of a person of each other seat alone, or of a liar."""
        for node in world:
            for seat, place in node.gone:
                if seat not in self.arena.honest or node.fault is not None:
                    continue
                self._taken_out(world, pool, node, seat, place)

    def _taken_out(
        self, world: Sequence[Node], pool: frozenset[Frame], copy: Node, seat: Seat, place: int
    ) -> None:
        absences = copy.judged.referee.absences
        if copy.judged.referee.endings.resigned_by(seat) is not None:
            return
        called = absences.place(place)
        for other in world:
            if other.seat not in called.accusers:
                continue
            is_signed = any(_is_away(frame, other.seat, seat, copy.heads[place]) for frame in pool)
            if not is_signed:
                raise Fallen(3, f"seat {seat} is out, and seat {other.seat} never said so")
            away = next(node for node in world if node.seat == seat)
            if not away.crashes and Act.AWAY not in other.acts:
                raise Fallen(3, f"seat {seat} was there, and the program of seat {other.seat} called it away")

    def _together(self, world: tuple[Node, ...]) -> str:
        """What the comparison of all copies says."""
        most = max(world, key=lambda node: len(node.records))
        if all(node.fault is None and node.records <= most.records for node in world):
            for node in world:
                self._completed(node, most.judged.report)
            return _told(most.judged.report)  # together they hold what this one holds
        records = frozenset[bytes]().union(*(node.records for node in world))
        refused = frozenset(frame for node in world if (frame := node.judged.report.refused) is not None)
        name = records, refused, frozenset(node.judged.report.fault for node in world)
        if name not in self._compared:
            self._compared[name] = self._compare(world)
        faults, whole = self._compared[name]
        if whole is not None and not faults:
            for node in world:
                self._completed(node, whole)
        return _told(whole)

    def _compare(self, world: tuple[Node, ...]) -> tuple[list[Fault], Report | None]:
        together = Copies(GAMES)
        for node in world:
            together.hold(node.judged)
        whole: Comparison = together.compare()
        faults = [fault for fault in (whole.fault, whole.whole and whole.whole.fault) if fault]
        for fault in faults:
            self._honest("the comparison", fault)
        proven = [node.judged.report.fault for node in world if node.judged.report.fault is not None]
        if proven and not faults:
            raise Fallen(4, f"{proven[0]}, and the copies together show none")
        return faults, whole.whole

    def _completed(self, node: Node, whole: Report) -> None:
        """A copy with an end, and what all copies together say."""
        report = node.judged.report
        if report.verdict is not Verdict.COMPLETE or whole.outcome == report.outcome:
            return
        if report.outcome is not None and report.outcome.reason == "unrevealed" and not node.sealed:
            return  # a REVEAL that came to another copy
        number = 2 if node.sealed else 6
        gone = set(whole.taken_out) - set(report.taken_out)
        if node.sealed or not gone:
            raise Fallen(number, f"seat {node.seat}: {report.outcome}, together {whole.outcome}")

    # At rest

    def _at_rest(self, world: Sequence[Node]) -> str:
        """Nothing is under way: honest copies are equal, or all prove a fault, or the rules say why not."""
        faults = [node for node in world if node.fault is not None]
        if faults:
            if len(faults) < len(world):
                without = [node.seat for node in world if node.fault is None]
                raise Fallen(4, f"{faults[0].fault!r} is not proven to {without}")
            return f"proven: {getattr(faults[0].fault, 'rule', 'equivocation')}"
        if len({node.records for node in world}) == 1:
            outcome = world[0].outcome
            return f"ends {outcome.reason}" if outcome is not None else "owed"
        heads = {node.heads for node in world}
        if len(heads) == 1:
            if self._own_alike(world):
                return "differ by a word of a liar"
        elif any(node.holding and node.decider in self.arena.liars for node in world):
            return "held back: the decider is silent"
        if all(node.forged == 0 for node in world) and not self.arena.liars and self._waits_for_person(world):
            return "held back: the decider has not decided"
        text = "; ".join(f"{node.seat}: {len(node.heads) - 1} entries, {node.shown}" for node in world)
        raise Fallen(7, f"nothing is under way, and copies differ: {text}")

    def _waits_for_person(self, world: Sequence[Node]) -> bool:
        return any(node.holding for node in world)

    def _own_alike(self, world: Sequence[Node]) -> bool:
        """Whether the copies hold the same statements of honest seats."""
        honest = self.arena.honest
        by_copy = [
            frozenset(
                payload
                for seat in honest
                for payload in (statement.payload for statement in at.judged.referee.statements[seat])
            )
            for at in world
        ]
        return len({*by_copy}) == 1


def _is_away(frame: Frame, seat: Seat, accused: Seat, head: bytes) -> bool:
    if frame.kind != STATEMENT:
        return False
    statement = parse_statement(frame.payload)
    return (statement.kind, statement.seat, statement.head) == (Kind.AWAY, seat, head) and statement.content[
        0
    ] == accused


def _judged(report: Report) -> tuple[Any, ...]:
    return report.verdict, report.outcome, report.fault, report.waited_for, report.silent, report.taken_out


def _told(report: Report | None) -> str:
    if report is None:
        return "nothing"
    outcome: Outcome | None = report.outcome
    return f"{report.verdict.value} {outcome.reason if outcome else ''}".strip()
