"""What must hold once a table has come to rest, whatever the forging seats did.

What must hold at every moment stands in world.py: no honest seat is blamed or frozen, none signs twice for a
place, no honest program fails, every match reopens, no honest link ends but for a lie, no AWAY is too early.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from typing import Any, Final

from p2p_stratego.core.game import Game, Outcome
from protocol.audit import proof
from protocol.audit.comparison import Comparison, compare
from protocol.audit.proof import Fault
from protocol.audit.verdict import Report, Verdict, audit
from protocol.errors import Refusal
from protocol.record.entries import Folded
from protocol.record.referee import Referee
from protocol.record.statements import Kind, Statement, end_content
from protocol.wire.encoding import GENESIS, Frame
from protocol.wire.transcript import MAGIC, Records
from tests.campaigns.explore.forger import Forger
from tests.campaigns.explore.world import Broken, World
from tests.helpers.forgery.promises import folded_draw, was_asked

FORGED_COPIES: Final = 3
"""Copies of honest files that the forging seats make for each check."""
CUT_COPIES: Final = 3
"""Places at which each check cuts an honest file."""


class Judgement:
    """The copies of all honest seats at rest, and what audit and comparison say of them."""

    def __init__(self, world: World) -> None:
        self.world, self.plan = world, world.plan
        self.games: Mapping[str, Game[Any]] = {world.match.game.name: world.match.game}
        self.files = {seat: world.copy(seat) for seat in world.plan.honest}
        self.reports = {seat: self._audited(seat, data) for seat, data in self.files.items()}
        self.whole: Comparison = self._compared([*self.files.values()])

    # Auditing

    def _audited(self, seat: int, data: bytes) -> Report:
        try:
            return audit(data, self.games)
        except Exception as error:
            raise Broken("no file makes an audit fail", f"copy of seat {seat}: {error!r}") from error

    def _compared(self, files: Sequence[bytes]) -> Comparison:
        try:
            return compare(files, self.games)
        except Exception as error:
            raise Broken("no file makes an audit fail", f"compared: {error!r}") from error

    def blames_nobody_honest(self, who: str, fault: Fault | None) -> None:
        """A fault has a forging seat."""
        if fault is not None and fault.seat in self.plan.honest:
            raise Broken("no honest seat is blamed", f"{who}: {fault}")

    # The copies

    def check(self) -> str:
        """Raise Broken, or return how the match stands."""
        for seat, report in self.reports.items():
            self.blames_nobody_honest(f"audit of seat {seat}", report.fault)
            if report.verdict is Verdict.TAMPERED:
                raise Broken("an honest copy is never tampered", f"seat {seat}: {report.problem}")
        for fault in _faults(self.whole):
            self.blames_nobody_honest("the comparison", fault)
        self._keeps_faults()
        self._alike()
        self._turns_nothing()
        self._draws_are_wanted()
        faults = {seat: self.world.seats[seat].session.fault for seat in self.plan.honest}
        if any(faults.values()):
            self._all_have_proof()
            return f"proven: {min(getattr(blame, 'rule', 'equivocation') for blame in faults.values())}"
        return self._all_equal()

    def _keeps_faults(self) -> None:
        """A comparison names a culprit if any copy does."""
        proven = [report.fault for report in self.reports.values() if report.fault is not None]
        if proven and not [*_faults(self.whole)]:
            raise Broken("a comparison forgets no fault", f"{proven[0]}, together {_told(self.whole.whole)}")

    def _all_have_proof(self) -> None:
        sessions = {seat: self.world.seats[seat].session for seat in self.plan.honest}
        without = [seat for seat, session in sessions.items() if session.fault is None]
        if without:
            rules = {
                getattr(session.fault, "rule", "equivocation")
                for session in sessions.values()
                if session.fault
            }
            raise Broken(
                "all honest copies hold a proof, or none does",
                f"{sorted(rules)} is not proven to {without}, forked: {self._forked()}, "
                f"held back by {[seat for seat in without if self._holds(seat)]}",
            )

    def _holds(self, seat: int) -> bool:
        session = self.world.seats[seat].session
        return session.ahead.reached is not session.referee

    def _all_equal(self) -> str:
        sessions = {seat: self.world.seats[seat].session for seat in self.plan.honest}
        positions = {seat: session.position() for seat, session in sessions.items()}
        if len(set(positions.values())) > 1 and not (excuse := self._excuse()):
            text = "; ".join(
                f"{seat}: {at.count} entries, {[statement.count for statement in at.statements]}"
                for seat, at in positions.items()
            )
            raise Broken("all honest copies are equal", f"forked: {self._forked()}, {text}")
        if len(set(positions.values())) > 1:
            return excuse
        ends = {session.outcome for session in sessions.values()}
        if len(ends) > 1:
            raise Broken("copies with the same records judge alike", f"{ends}")
        if not self.whole.agree:
            raise Broken("copies with the same records judge alike", "the comparison does not agree")
        [outcome] = ends
        if outcome is not None:
            return f"ended: {outcome.reason}"
        awaited = {*sessions[self.plan.honest[0]].referee.waited_for}
        if awaited <= {*self.plan.forging}:
            return "waits for a forging seat"
        blocked = [seat for seat in awaited - {*self.plan.forging} if sessions[seat].decision is None]
        if len(sessions) == 1 and not all(sessions[seat].proven for seat in blocked):
            return "waits for the SYNC of a forging seat"  # SPEC 17.1, Silencing: after a restart
        if blocked:
            raise Broken("no honest seat keeps others waiting for good", f"{blocked}")
        return "plays on"  # the schedule has no more decisions for its players

    def _excuse(self) -> str:
        """Why copies may differ for good by the rules; empty if they may not."""
        referees = {seat: self.world.referee(seat) for seat in self.plan.honest}
        holding = [seat for seat in referees if self._holds(seat)]
        deciders = {referees[seat].absences.place(referees[seat].count).decider for seat in holding}
        if holding and not self._forked() and deciders <= {*self.plan.forging}:
            return "held back: the decider is silent"
        alike = len({referee.count for referee in referees.values()}) == 1 and all(
            len({len(referee.statements[seat]) for referee in referees.values()}) == 1
            for seat in self.plan.honest
        )
        return "differ by a statement of a forging seat" if alike and not self._forked() else ""

    def _forked(self) -> bool:
        heads = [self.world.referee(seat).heads for seat in self.plan.honest]
        return any(
            len({chain[at] for chain in heads if at < len(chain)}) > 1 for at in range(max(map(len, heads)))
        )

    def _alike(self) -> None:
        """Copies with the same records have one verdict, whatever their order."""
        seen: dict[frozenset[bytes], tuple[Any, ...]] = {}
        for seat, report in self.reports.items():
            records = frozenset(record.payload for record in self.world.referee(seat).record)
            judged = _judged(report)
            if self.world.seats[seat].session.fault is None and seen.setdefault(records, judged) != judged:
                raise Broken(
                    "copies with the same records judge alike", f"{seen[records]}, seat {seat}: {judged}"
                )

    def _turns_nothing(self) -> None:
        """More honest records never turn a verdict round, unless they prove a fault."""
        whole = self.whole.whole
        for seat, report in self.reports.items():
            complete = report.verdict is Verdict.COMPLETE
            other = whole is not None and not [*_faults(self.whole)] and whole.outcome != report.outcome
            if complete and other and not self._may_reveal(seat, report):
                raise Broken("more records turn no verdict", f"{_told(report)}, then {_told(whole)}")
            if complete and self.world.seats[seat].session.fault is None:
                self._still(seat, self.world.seats[seat].session.outcome, report.outcome)

    def _draws_are_wanted(self) -> None:
        """A draw stands by the word of each person who stays, on what all could see."""
        for seat in self.plan.honest:
            referee = self.world.referee(seat)
            closing = folded_draw(referee)
            if closing is None:
                continue
            place, author = closing.count, closing.content[0]
            staying = referee.absences.present(place) - referee.endings.resigned_until(place)
            asked = (staying - {author} | {closing.seat}) & {*self.plan.honest}
            unasked = sorted(other for other in asked if (other, place) not in self.world.agreed)
            if unasked or not was_asked(referee, closing):
                raise Broken("no player has a draw that it did not want there", f"{place}: {unasked}")
            if closing.seat == seat and (
                unseen := _gone_home(referee, closing) - self.world.agreed[seat, place]
            ):
                raise Broken("no player has a draw that it did not want there", f"{place}: {unseen} left")

    def _may_reveal(self, seat: int, report: Report) -> bool:
        """Whether others' REVEAL may void the end: of a seat that has not signed it (SPEC 10.13)."""
        outcome = report.outcome
        withheld = outcome is not None and outcome.reason == "unrevealed"
        return withheld and not _signed_by_all(self.world.referee(seat), outcome)

    def _still(self, seat: int, now: Outcome | None, audited: Outcome | None) -> None:
        if now != audited:
            raise Broken(
                "copies with the same records judge alike", f"seat {seat}: {now}, its file {audited}"
            )

    # Cut and forged copies

    def cut(self, rng: random.Random) -> None:
        """What a cut copy has judged for good, the whole one judges too."""
        for _ in range(CUT_COPIES):
            seat = rng.choice(self.plan.honest)
            frames = [*Records(self.files[seat])]
            kept = frames[: rng.randrange(len(frames) + 1)]
            early, late = self._audited(seat, self._file(kept)), self.reports[seat]
            self.blames_nobody_honest(f"a cut copy of {seat}", early.fault)
            final = early.verdict is Verdict.COMPLETE or early.fault is not None
            if not final or (late.fault is not None and early.fault is None):
                continue
            if (early.outcome, early.fault) != (late.outcome, late.fault):
                signed = early.checks.ends == self.plan.seats
                broken = (
                    "what every seat signed as the end stands" if signed else "more records turn no verdict"
                )
                voided = early.outcome is not None and early.outcome.reason == "unrevealed"  # by a REVEAL
                if signed or not (voided or self._superseded(seat, early)):
                    raise Broken(broken, f"{_told(early)}, then {_told(late)}")

    def _superseded(self, seat: int, early: Report) -> bool:
        """Whether a Gone has taken the place of an entry, or of a folded statement, of this cut copy: its
        signers turn the verdict.
        """
        left = {*early.resigned, *early.taken_out}
        gone = self.world.referee(seat).table.gone
        return any(at < early.checks.entries for other, at in gone.items() if other not in left)

    def forged(self, forger: Forger, rng: random.Random) -> None:
        """Copies that forging seats make of honest ones: cut, spliced, and with all that they ever signed."""
        for _ in range(FORGED_COPIES):
            data = self._file(self._forged(forger, rng))
            report = self._audited(-1, data)
            self.blames_nobody_honest("a forged copy", report.fault)
            for files in ([data, *self.files.values()], [*self.files.values(), data]):
                together = self._compared(files)
                for fault in _faults(together):
                    self.blames_nobody_honest("a comparison with a forged copy", fault)
                if together.fault is not None and together.proof is not None:
                    self._proves(together.proof, together.fault)

    def _proves(self, data: bytes, fault: Fault) -> None:
        try:
            known = proof.check(data, self.games)
        except Refusal as refusal:
            raise Broken("a proof proves its fault", f"{fault}: {refusal}") from refusal
        if known != fault:
            raise Broken("a proof proves its fault", f"{fault}, the proof {known}")

    def _forged(self, forger: Forger, rng: random.Random) -> list[Frame]:
        files = [*self.files.values()]
        frames, other = [*Records(rng.choice(files))], [*Records(rng.choice(files))]
        seats = self.plan.seats
        kept = frames[: rng.randrange(seats, len(frames) + 1)] if len(frames) >= seats else frames
        signed = [frame for hand in forger.hands.values() for frame in hand.pool]
        way = rng.choice(("more", "spliced", "among", "shuffled"))
        if way == "more":
            kept += rng.sample(signed, min(len(signed), rng.randrange(1, 6)))
        elif way == "spliced":
            kept += other[rng.randrange(len(other) + 1) :]
        elif way == "among":
            for frame in rng.sample(signed, min(len(signed), 3)):
                kept.insert(rng.randrange(len(kept) + 1), frame)
        else:
            rest = kept[seats:]
            rng.shuffle(rest)
            kept[seats:] = rest
        return kept

    def _file(self, frames: Sequence[Frame]) -> bytes:
        return MAGIC + b"".join(map(bytes, (Frame(GENESIS, self.world.match.body), *frames)))


class Ends:
    """What every seat signed as the end stands for ever, unless somebody is proven to have cheated.

    All others together can undo what nobody but one seat has signed for (SPEC 17.2): its last entry, and the
    end that it alone signs if they have left by then.
    """

    def __init__(self) -> None:
        self._signed: dict[int, Outcome] = {}

    def check(self, world: World) -> None:
        """Take note of ends that all have signed, and hold earlier ones against what the copies say now."""
        for seat in world.living:
            session = world.seats[seat].session
            if session.fault is not None:
                continue
            stood = self._signed.get(seat)
            if stood is not None and session.outcome != stood:
                raise Broken(
                    "what every seat signed as the end stands", f"{seat}: {stood}, now {session.outcome}"
                )
            if session.outcome is not None and _signed_by_all(session.referee, session.outcome):
                self._signed.setdefault(seat, session.outcome)


def _signed_by_all(referee: Referee, outcome: Outcome | None) -> bool:
    """Whether every seat that is not gone has signed this END over all entries, and not only the author of
    the last one.
    """
    if outcome is None:
        return False
    end = Kind.END, referee.count, end_content(outcome)
    there = referee.absences.present(referee.count)
    last = next((entry.seat for entry in reversed(referee.entries) if not isinstance(entry, Folded)), None)
    return there != {last} and all(
        any(
            (statement.kind, statement.count, statement.content) == end
            for statement in referee.statements[seat]
        )
        for seat in there
    )


def reopened(world: World) -> None:
    """Every honest match reopens, as it was."""
    for seat in world.plan.honest:
        before = world.seats[seat].session
        position, outcome = before.position(), before.outcome
        world.kill(seat)
        after = world.restart(seat).session
        if (after.position(), after.outcome) != (position, outcome):
            raise Broken("an honest match reopens as it was", f"seat {seat}: {outcome}, then {after.outcome}")


def sure(world: World) -> None:
    """By post no lie leaves an honest copy in doubt."""
    doubting = [seat for seat in world.plan.honest if not world.seats[seat].session.proven]
    if world.plan.at.post and doubting:
        raise Broken("no honest copy stays in doubt", f"{doubting}")


def _faults(compared: Comparison) -> Iterator[Fault]:
    yield from (blame for blame in (compared.fault, compared.whole and compared.whole.fault) if blame)


def _judged(report: Report) -> tuple[Any, ...]:
    """What a report says of its match, without that of the file."""
    return report.verdict, report.outcome, report.fault, report.waited_for, report.silent, report.taken_out


def _told(report: Report | None) -> str:
    return "nothing" if report is None else f"{report.verdict.value} {report.fault or report.outcome}"


def _gone_home(referee: Referee, closing: Statement) -> set[int]:
    """The seats whose RESIGN came to this copy before the last word on a draw."""
    before = takewhile(lambda record: record != closing, referee.record)
    return {word.seat for word in before if isinstance(word, Statement) and word.kind is Kind.RESIGN}
