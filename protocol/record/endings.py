"""How a match ends by statements, and by claims proven false.

Pure bookkeeping over statements that the referee has checked.  The same records give the same end, in any
order of arrival; so two copies agree in the end though their last records crossed.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Final, cast

from p2p_stratego.core.game import Breach, Outcome, Seat, Sides
from p2p_stratego.core.sides import side_of, without
from protocol.record.statements import Content, Kind, Statement

TWO_SIDES: Final = 2
_LAST_WORDS: Final = frozenset({Kind.RESIGN, Kind.REVEAL, Kind.END})


def breach_outcome(
    sides: Sides, seat: Seat, rule: str, ended: Outcome | None, liars: Collection[Seat] = ()
) -> Outcome:
    """The outcome if `seat` is proven to have broken `rule`.

    `ended`: how play had ended before, or None during play; `liars`: after play, all seats with a claim that
    is proven false.  Of two sides the other side wins.  Among more sides a fault during play makes the match
    void; a fault that is proven after play takes only the culprits' sides out of the winners.
    """
    winners = without(sides, seat, None if ended is None else ended.winners)
    if len(sides) > TWO_SIDES:
        winners = winners.difference(*(side_of(sides, other) for other in liars))
    return Outcome(winners, "cheated", Breach(seat, rule))


def withheld_outcome(sides: Sides, owing: Collection[Seat], ended: Outcome, reason: str) -> Outcome:
    """The outcome of a match of three or more if those that owe a REVEAL are called away, after play `ended`.

    Their sides leave the winners, and nobody else wins: a friend could withhold one for that (threat 132).
    """
    return Outcome(ended.winners.difference(*(side_of(sides, seat) for seat in owing)), reason)


def resignation_outcome(seats: int, seat: Seat) -> Outcome:
    """The outcome if `seat` has resigned in a match of so many `seats`: all others win."""
    return Outcome(frozenset(range(seats)) - {seat}, "resigned")


@dataclass(frozen=True, slots=True)
class Delay:
    """The seats that keep a match waiting.

    `count`: the number of entries; `owing`: the seats that owe an entry or a REVEAL; `seen`: by seat, the
    number of entries that its signatures prove it has; `ended_by_word`: as in Referee.
    """

    count: int
    owing: Collection[Seat]
    seen: Sequence[int]
    ended_by_word: bool = False


class Endings:
    """The ends that the statements of a match amount to."""

    def __init__(self, decided_at: tuple[list[int], ...]) -> None:
        """`decided_at`: by seat, the numbers of its entries that were decisions; the caller appends to it."""
        self._decided_at = decided_at
        self._seats = len(decided_at)
        self._offers: dict[tuple[Seat, int], Statement] = {}
        self._last_offer: list[Statement | None] = [None] * self._seats
        self._early: dict[tuple[Seat, int], list[Statement]] = {}
        """By offer (seat, index) that is not known here yet: the acceptances of it."""
        self._accepted: defaultdict[Content, list[Statement]] = defaultdict(list)
        """By offer: all acceptances of it."""
        self._willing: dict[tuple[Seat, int], set[Seat]] = {}
        """By offer: the seats that accepted it while it stood."""
        self._away: dict[tuple[Seat, Seat], Statement] = {}
        """By claimant and accused: the newest AWAY; of equally new ones, the first with a receipt."""
        self._resigned: dict[Seat, Statement] = {}
        self.last_words: list[Statement | None] = [None] * self._seats
        """By seat: the first statement with which it declared the match over, or None.

        The seat signs no entry afterwards: otherwise it could resign and still go on playing.
        """
        self.draw = False
        """Whether a draw was agreed."""

    def add(self, statement: Statement) -> None:
        """Take note of a statement."""
        kind, seat = statement.kind, statement.seat
        if self.is_last_word(kind) and self.last_words[seat] is None:
            self.last_words[seat] = statement
        if kind is Kind.AWAY:
            self._claim(statement)
        elif kind is Kind.RESIGN:
            self._resigned.setdefault(seat, statement)
        elif seat in self._resigned and self._resigned[seat].index < statement.index:
            return  # a seat that resigned can neither offer a draw nor accept one
        elif kind is Kind.OFFER_DRAW:
            name = seat, statement.index
            self._offers[name] = self._last_offer[seat] = statement
            for acceptance in self._early.pop(name, ()):
                self.accept(statement, acceptance)
        elif kind is Kind.ACCEPT_DRAW:
            self._accepted[statement.content].append(statement)
            name = statement.content[0], statement.content[1]
            offer = self._offers.get(name)
            if offer is None:
                self._early.setdefault(name, []).append(statement)
            else:
                self.accept(offer, statement)

    @property
    def ended(self) -> Outcome | None:
        """An agreed draw, else the resignation over the shortest chain (of the lowest seat, if equal)."""
        if self.draw:
            return Outcome(frozenset(), "agreed-draw")
        if not self._resigned:
            return None
        first = min(self._resigned.values(), key=_place)
        return resignation_outcome(self._seats, first.seat)

    def resigned_by(self, seat: Seat) -> Statement | None:
        """The RESIGN of `seat`, if it has signed one."""
        return self._resigned.get(seat)

    def all_others_agree(self, last: Seat, offered: Content, count: int, present: Collection[Seat]) -> bool:
        """Whether all `present` seats except `last` have accepted a draw, so that `last` can close it.

        `offered`: author and index of the offer.  Neither the author nor a seat that has resigned needs to
        accept, but at least one other seat does.  A decision after the offer declines it.  Further statements
        never turn True into False, so all copies come to the same end.
        """
        offer = self._offers.get((offered[0], offered[1]))
        if offer is None or count < offer.count or offer.seat not in present:
            return False
        asked, accepted = set(present) - {offer.seat}, self.acceptances(offer, count).keys()
        if any(self._moved_between(seat, offer.count, count) for seat in asked):
            return False
        somebody = last != offer.seat or not asked.isdisjoint(accepted)
        return somebody and asked - {last} <= accepted | self.resigned_until(count)

    def acceptances(self, offer: Statement, count: int) -> dict[Seat, Statement]:
        """By seat: the acceptances of an offer that stand over `count` entries.

        One over fewer entries has lapsed: else the author, or a friend that has not accepted yet, could look
        at what comes with the draw in hand, and take it only if that is bad (threat 129).  One over more can
        come behind the draw itself: a proof of that draw cannot hold it.
        """
        accepted = self._accepted[offer.seat, offer.index]
        return {acceptance.seat: acceptance for acceptance in accepted if acceptance.count == count}

    def agreed_by(self, last: Statement, present: Collection[Seat]) -> Iterable[Statement]:
        """The statements on which the folded acceptance `last` rests.

        These are the offer, the acceptances of other seats, and the resignations of seats still `present`.
        """
        offer = self._offers[last.content[0], last.content[1]]
        yield offer
        # The last seat may have accepted before, too: its folded acceptance stands for both.
        accepted = self.acceptances(offer, last.count).items()
        yield from (acceptance for seat, acceptance in accepted if seat != last.seat)
        # Also of a seat that accepted first: it leaves with the draw, and would owe a REVEAL in a proof.
        resigned = self.resigned_until(last.count) & set(present)
        yield from (self._resigned[seat] for seat in sorted(resigned))

    def resigned_until(self, count: int) -> set[Seat]:
        """The seats that have resigned over at most `count` entries."""
        return {seat for seat, resignation in self._resigned.items() if resignation.count <= count}

    @property
    def accuses(self) -> bool:
        """Whether any seat has ever called another seat away; else `accused` and `contested` are empty."""
        return bool(self._away)

    def accused(self, waiting: Delay) -> Seat | None:
        """The seat that an AWAY over the last head accuses, or None; of several the lowest seat's counts.

        An answer voids an AWAY.  An AWAY counts only if the accused has signed for what made it owe, and only
        if the two seats do not accuse each other.
        """
        mutual = self._mutual(waiting)
        for claim in self._standing(waiting):
            if self._knew(claim, waiting) and _between(claim) not in mutual:
                return cast("Seat", claim.content[0])
        return None

    def contested(self, waiting: Delay) -> frozenset[Seat]:
        """The seats that accuse each other of being away."""
        return frozenset().union(*self._mutual(waiting))

    def _mutual(self, waiting: Delay) -> set[frozenset[Seat]]:
        """The pairs of seats that accuse each other.

        A seat takes its AWAY back when it signs for a later entry.  Of two AWAYs over the same count, both
        must count: else neither contests the other.
        """
        pairs = set()
        standing = self._standing(waiting)
        for claim in standing:
            other = self._away.get((claim.content[0], claim.seat))
            if other is None:
                continue
            if other.count == waiting.count:
                mutual = other in standing and self._knew(claim, waiting) and self._knew(other, waiting)
            else:
                signed = waiting.count if claim.content[2] else 0
                mutual = max(waiting.seen[other.seat], signed) <= other.count
            if mutual:
                pairs.add(_between(claim))
        return pairs

    def knew(self, seat: Seat, waiting: Delay) -> bool:
        """Whether the record proves that `seat` knew what made it owe: the entries, or the end of play.

        Heads cover entries only.  If a statement ended play, only a seat that has itself declared play over
        is proven to know: else a loser could cut the connection, resign, and accuse the winner of hiding
        cards.
        """
        if waiting.ended_by_word:
            return self.last_words[seat] is not None
        return waiting.seen[seat] >= waiting.count

    def _knew(self, claim: Statement, waiting: Delay) -> bool:
        return self.knew(claim.content[0], waiting) or bool(claim.content[2] and not waiting.ended_by_word)

    def _standing(self, waiting: Delay) -> list[Statement]:
        """Every unanswered AWAY, in the order of the claimants, then of the accused."""
        claims = [
            away
            for away in self._away.values()
            if away.count == waiting.count and away.content[0] in waiting.owing
        ]
        return sorted(claims, key=lambda away: (away.seat, away.content[0]))

    def _claim(self, statement: Statement) -> None:
        name = statement.seat, statement.content[0]
        known = self._away.get(name)
        if known is None or known.count < statement.count or not known.content[2]:
            self._away[name] = statement

    def possible(self) -> Iterable[Outcome]:
        """Every value that `ended` can have for a seat with only some of the statements known here."""
        if self.draw:
            yield Outcome(frozenset(), "agreed-draw")
        for seat in sorted(self._resigned):
            yield resignation_outcome(self._seats, seat)

    def standing_offer(self, seat: Seat, count: int) -> Statement | None:
        """The last offer of a draw by `seat`; None if another seat has decided since, up to entry `count`."""
        offer = self._last_offer[seat]
        others = [s for s in range(self._seats) if s != seat]
        if offer is None or any(self._moved_between(s, offer.count, count) for s in others):
            return None
        return offer

    def _moved_between(self, seat: Seat, start: int, stop: int) -> bool:
        """Whether `seat` decided in the entries from `start` to before `stop`: then an offer has lapsed."""
        decided = self._decided_at[seat]
        at = bisect_left(decided, start)
        return at < len(decided) and decided[at] < stop

    def is_last_word(self, kind: Kind) -> bool:
        """Whether a statement of this kind declares the match over for its seat.

        Of two seats an acceptance of a draw does; among more seats the others may still decline.
        """
        return kind in _LAST_WORDS or (kind is Kind.ACCEPT_DRAW and self._seats == 2)

    def accept(self, offer: Statement, acceptance: Statement) -> None:
        """Take note of an acceptance: a draw is agreed when all other seats accepted before they decided.

        Each acceptance is judged once, so that a thousand acceptances cost an auditor little (threat 47): the
        entries below the acceptance are all here.
        """
        seat = acceptance.seat
        if acceptance.count < offer.count or self._moved_between(seat, offer.count, acceptance.count):
            return
        willing = self._willing.setdefault((offer.seat, offer.index), set())
        willing.add(seat)
        self.draw = self.draw or len(willing - {offer.seat}) == self._seats - 1


def _between(claim: Statement) -> frozenset[Seat]:
    """The two seats of an AWAY: the claimant and the accused."""
    return frozenset((claim.seat, claim.content[0]))


def _place(statement: Statement) -> tuple[int, Seat]:
    return statement.count, statement.seat
