"""Matches of SPIES! that follow a script, kept as a record, and cut where somebody lies.

A script is a line for each choice that matters, in the order in which they are made: "tile 2", "papers",
"discovery ge1 prague".  Tiles and chits are named by their faces, "0: bid 20" is for seat 0 alone, "pounds 5"
lays a secret amount, and what stands behind a # only tells two lines apart.  Whatever is asked between two
lines is answered truly, with as little as the rules allow.
"""

from __future__ import annotations

import random
from collections import deque
from collections.abc import Collection, Sequence
from functools import cache
from typing import Any, Final

from p2p_stratego.core.game import Breach, Choose, Commit, Decision, Face, Move, Seat, Slot
from p2p_stratego.registry import GAMES as REGISTERED
from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.notation import END, NO_ANSWER
from p2p_stratego.spies.rules.observation import due_commit, true_options
from p2p_stratego.spies.rules.purse import digits
from p2p_stratego.spies.rules.state import State
from p2p_stratego.spies.rules.underway import now
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import ProofPolicy, Report, Verdict, audit
from protocol.crypto.group.received import written
from protocol.errors import Violation
from protocol.record.asks.base import Decided
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.registry import CODEC
from protocol.seat.session import Session
from protocol.wire.encoding import ENTRY, Frame
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, Liar
from tests.helpers.crypto.proved import hold
from tests.helpers.seats.pair import Seat as Place
from tests.helpers.seats.pair import Table
from tests.helpers.spies.dealt import BIDDING, FIVE, MATES, THREE, Dealt, due
from tests.helpers.spies.dealt import GAMES as DEALT

GAMES: Final = {**REGISTERED, **DEALT}
SCRIPT: Final = """
    tile 2
    police
    search hamburg
    br4
    captured # br4
    search munich
    br2
    free # br2
    discovery ge1 prague
    genuine
    sanction ge2 fr5
    cousin
    not cousin
    diplomacy russia
    propose russia
    propose 0 0 0 1
    accept
    hand escape
    diplomacy france
    diplomacy britain
    move ge4 stuttgart
    end # germany
    discard 8
    discovery it2 athens
    counterspy # athens
    survives
    move it1 budapest
    move it1 bucharest
    move it1 sofia
    move it1 belgrade
    move it1 tirana
    end # italy
    discard 15
    search moscow
    it3
    captured # it3
    return papers
    discovery ru4 warsaw
    counterspy # warsaw
    captured # ru4
    end # russia
"""
QUIET: Final = """
    tile 2
    end # germany
    discard 8
    end # italy
"""
BIDS: Final = """
    0: bid 20
    tile 2
    end # germany
"""


def named(line: str, options: Choose, known: dict[Slot, Face], hand: Sequence[Slot]) -> Move | None:
    """The option that a line of a script means to a seat that knows these faces; None if there is none.

    `hand`: the slots among which tiles or chits are looked for.
    """
    if line in options.options:
        return line
    word, *rest = line.split()
    if not rest and word not in CHIT_NAMES:
        return None
    if word in ("tile", "discard"):
        wanted, rest = int(rest[0]), rest[1:]
    elif word in ("hand", "return"):
        wanted, rest = CHIT_NAMES.index(rest[0]), rest[1:]
    elif word in CHIT_NAMES:
        wanted = CHIT_NAMES.index(word)
    else:
        return None
    for slot in hand:
        option = " ".join((word, str(slot), *rest))
        if known.get(slot) == wanted and option in options.options:
            return option
    return None


class Script:
    """The players of a match; `spoken`: by line, the number of the entry with which it was said."""

    def __init__(self, game: Dealt, text: str) -> None:
        self._game = game
        self.left = deque(line.strip() for line in text.splitlines() if line.strip())
        self.spoken: dict[str, int] = {}

    def __call__(self, session: Session, decision: Decision, rng: random.Random) -> Decided:
        view = session.view
        state: State = now(view)
        answer = due(self._game, state, decision)
        if answer is not None:
            return answer
        if isinstance(decision, Commit):
            amount = self._amount() if due_commit(state, decision, view.known) is None else 0
            laid = due_commit(state, decision, view.known) or (*digits(amount), 0, 0)
            return laid[: len(decision.slots)]
        seat, _, line = self.left[0].partition("#")[0].strip().rpartition(": ") if self.left else ("", "", "")
        if line and seat in ("", str(session.seat)):
            slots = [slot for hand in (*state.hands, *state.tiles) for slot in hand]
            move = named(line, decision, session.known, slots)
            if move is not None:
                self.spoken[self.left.popleft()] = session.referee.count
                return move
        return self._little(true_options(view))

    def _amount(self) -> int:
        due_now = bool(self.left) and self.left[0].startswith("pounds ")
        return int(self.left.popleft().removeprefix("pounds ")) if due_now else 1

    def _little(self, options: list[Move]) -> Move:
        return next((word for word in (NO_ANSWER, END) if word in options), options[0])


class Recording:
    """A match up to the end of its script."""

    def __init__(
        self, game: Dealt, text: str, *, seed: int = 1, stuck: bool = False, crashes: Collection[str] = ()
    ) -> None:
        """`stuck`: go on until somebody cannot; `crashes`: lines after which all seats are started anew."""
        self.game = game
        self.script = Script(game, text)
        (count,) = game.seat_counts
        self.table = Table(seed, game=game, seats=count, decide=self.script)
        line_count = 0
        while (self.script.left or stuck) and self.table.step():
            if line_count < len(self.script.spoken):
                line_count = len(self.script.spoken)
                if [*self.script.spoken][-1] in crashes:
                    self._start_anew()
        assert not self.script.left, f"nobody is asked for {self.script.left[0]!r}"
        self.table.hold()
        self.begun = self.table.begun
        self.log = self.table.seats[0].log
        entries = self.table.seats[0].session.referee.entries
        self.signed: list[tuple[Seat, type[Message]]] = [
            (entry.seat, type(CODEC.parse(entry.message))) for entry in entries
        ]
        self.judged: set[tuple[str, type[Message]]] = set()
        """The rules, and the messages that broke them, for which a record was audited."""
        self._liars: dict[int, Liar] = {}

    def _start_anew(self) -> None:
        for seat in self.table.seats:
            seat.restart()
            seat.session.go_live()

    def liar(self, number: int) -> Liar:
        """The owner of an entry, as it is before that: one for all lies that do not go on from there."""
        if number not in self._liars:
            self._liars[number] = self.another(number)
        return self._liars[number]

    def another(self, number: int) -> Liar:
        """The same once more, for a match that goes on."""
        place = self.table.seats[self.owner(number)]
        return Liar(place, Script(self.game, ""), random.Random(number), self.until(number))

    def number(self, line: str, *kinds: type[Message]) -> int:
        """The entry with which a line was said, or the first one of a kind from it on; of several kinds, of
        the next behind it.
        """
        number = self.script.spoken[line] if line else -1
        for kind in kinds:
            number = next(at for at in range(number + 1, len(self.signed)) if self.signed[at][1] is kind)
        return number

    def owner(self, number: int) -> Seat:
        """Whose entry this is, or would be behind the last one."""
        if number < len(self.signed):
            return self.signed[number][0]
        owed = self.table.seats[0].session.referee.owed
        assert owed is not None
        return owed.seat

    def until(self, number: int) -> list[Frame]:
        """The record before this entry."""
        frames: list[Frame] = []
        for frame in self.log:
            if frame.kind == ENTRY:
                if not number:
                    break
                number -= 1
            frames.append(frame)
        return frames


def fresh(place: Place, log: list[Frame]) -> Place:
    """A seat that has just started from this record."""
    seat = Place(place.begun, place.seat, place.identity, place.master)
    seat.log = list(log)
    seat.restart()
    seat.session.go_live()
    return seat


class Cut(Bout):
    """A recorded match cut before an entry, which its owner is about to lie in."""

    def __init__(self, recording: Recording, number: int) -> None:
        self.recording, self.number = recording, number
        self.rng, self.decide, self.begun = random.Random(number), Script(recording.game, ""), recording.begun
        self.liar = recording.liar(number)
        self.liars = [self.liar]
        self._last: type[Message] = Message
        log = recording.until(number)
        self.honest = [fresh(place, log) for place in recording.table.seats if place.seat != self.liar.seat]

    @property
    def state(self) -> State:
        """As it is at this moment."""
        table = self.liar.session
        return now(table.view)

    def slot(self, face: Face, slots: Sequence[Slot]) -> Slot:
        """The first of the liar's slots with this face."""
        return next(slot for slot in slots if self.liar.session.known.get(slot) == face)

    def carry(self, message: Message, *, rest: bool) -> tuple[int, str]:
        """Say this, and with `rest` what follows from it, until somebody is found out; the number and rule.

        What cannot be said truly is a proof of nothing.
        """
        for _ in range(6):
            number, frame, self._last = self.liar.referee.count, self.liar.entry(message), type(message)
            taken = self.lie([frame])
            blames = {
                (refusal.seat, refusal.what, refusal.number, refusal.rule)
                for refusal in taken
                if isinstance(refusal, Violation)
            }
            if blames:
                assert all(isinstance(refusal, Violation) for refusal in taken), taken
                assert len(blames) == 1
                ((seat, what, at, rule),) = blames
                assert (seat, what, at) == (self.liar.seat, "entry", number)
                return number, rule
            assert taken == [None] * len(self.honest), taken
            breaches = {seat.session.referee.breach for seat in self.honest}
            assert len(breaches) == 1
            (breach,) = breaches
            if breach is not None:
                assert breach.seat == self.liar.seat
                return number, breach.rule
            assert rest, "nobody minds"
            if self.liar is self.recording.liar(self.number):
                self.liar = self.recording.another(self.number)
            self.liar.follow(frame)
            message = self.best()
        raise AssertionError("nobody finds out")

    def best(self) -> Message:
        """The true message; a proof of nothing where no true one can be made."""
        owed = self.liar.owes
        assert owed is not None, "the liar is not the next"
        try:
            return self.liar.truth()
        except AssertionError:
            part: Any = owed.part
            count = len(part.tuples if hasattr(part, "tuples") else part.faces)
            return Proved(written(*range(1, 2 * count + 1)))

    def assert_caught(self, message: Message, rule: str, *, rest: bool = False) -> None:
        """All others find the liar out by this rule, and so does everybody to whom they show their record.

        An auditor, and who gets its proof, do what the seats do: they judge one lie of each rule and message.
        """
        number, blamed_rule = self.carry(message, rest=rest)
        assert blamed_rule == rule
        fault = Fault(self.liar.seat, "entry", number, rule)
        for seat in self.honest:
            outcome = seat.session.outcome
            assert outcome is not None
            assert (outcome.reason, outcome.breach) == ("cheated", Breach(self.liar.seat, rule))
            assert self.liar.seat not in outcome.winners
        if (rule, self._last) not in self.recording.judged:
            self.recording.judged.add((rule, self._last))
            report = self.audited()
            assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
            assert report.proof is not None
            assert proof.check(report.proof, GAMES) == fault

    def audited(self) -> Report:
        """What an auditor makes of an honest seat's record."""
        return audit(self.honest[0].transcript, GAMES, every_signature=True, proving=ProofPolicy(hold=hold))


@cache
def recording(name: str) -> Recording:
    """The matches; each is played once."""
    game, text = {
        "three": (THREE, SCRIPT),
        "five": (FIVE, SCRIPT),
        "four": (BIDDING, BIDS),
        "mates": (MATES, QUIET),
    }[name]
    return Recording(game, text)


def cut(table: str, line: str, *kinds: type[Message]) -> Cut:
    """The match before the entry with which a line was said, or the next ones of these kinds behind it."""
    replayed = recording(table)
    return Cut(replayed, replayed.number(line, *kinds))
