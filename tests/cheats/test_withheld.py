"""A REVEAL that is withheld makes nobody win, at tables of three and more of which two are left."""

from __future__ import annotations

import random
from collections.abc import Collection
from contextlib import suppress

import pytest

from p2p_stratego.core.game import Breach, Choose, Commit, Decision, Outcome, Seat, Sides
from protocol.audit.proof import Fault
from protocol.audit.verdict import audit
from protocol.errors import Equivocation
from protocol.record import statements
from protocol.record.asks.base import Decided
from protocol.record.asks.choose import Choice
from protocol.record.statements import Kind, parse_record
from protocol.seat.follower import Follower
from protocol.seat.session import Session
from protocol.wire.encoding import STATEMENT, Frame
from tests.helpers.games.scripted import Scripted
from tests.helpers.seats.pair import Table
from tests.vectors.records.open_points import Copy

ALONE = (frozenset({0}), frozenset({1}), frozenset({2}))
TEAMS = (frozenset({0, 2}), frozenset({1, 3}))


class Ranked(Scripted):
    """Some lay two cards, which are claimed to be 1 and 2; then all say something, and a side has won."""

    seat_counts = (3, 4)

    def __init__(self, sides: Sides, laying: Collection[Seat], winners: Collection[Seat]) -> None:
        seats = range(sum(map(len, sides)))
        super().__init__(
            [Commit(seat, (2 * seat, 2 * seat + 1), (1, 2), exactly=True) for seat in sorted(laying)],
            [Choose(seat, ("well",)) for seat in seats],
        )
        self._sides, self._winners = sides, frozenset(winners)

    def outcome(self, state: tuple[object, ...]) -> Outcome | None:
        return None if super().outcome(state) is None else Outcome(self._winners, "points")

    def sides(self, seats: int) -> Sides:
        return self._sides

    def seat_names(self, seats: int) -> tuple[str, ...]:
        return ("one", "two", "three", "four")[:seats]


def decide(_session: Session, decision: Decision, _rng: random.Random) -> Decided:
    return "well" if isinstance(decision, Choose) else (1, 2)


def lie(_session: Session, decision: Decision, _rng: random.Random) -> Decided:
    return "well" if isinstance(decision, Choose) else (1, 1)


def begun(
    sides: Sides, laying: Collection[Seat], winners: Collection[Seat], liars: Collection[Seat] = ()
) -> Table:
    game, seats = Ranked(sides, laying, winners), sum(map(len, sides))
    players = [lie if seat in liars else decide for seat in range(seats)]
    return Table(1, game=game, seats=seats, decide=players).hold()


def played(
    sides: Sides,
    laying: Collection[Seat],
    winners: Collection[Seat],
    left: Collection[Seat],
    liars: Collection[Seat] = (),
) -> Table:
    """A whole match; who left had resigned before its turn came."""
    match = begun(sides, laying, winners, liars)
    for seat in left:
        match.seats[seat].session.resign()
    return match.hold().play()


def is_reveal(frame: Frame, hiding: Collection[Seat]) -> bool:
    if frame.kind != STATEMENT:
        return False
    statement = statements.parse(frame.payload)
    return statement.kind is Kind.REVEAL and statement.seat in hiding


def withheld(match: Table, hiding: Collection[Seat], witness: Seat) -> Copy:
    """The copy of a seat in which some have shown nothing, and nobody has signed the end yet."""
    log = match.seats[witness].log
    kept = [f for f in log if f.kind != STATEMENT or statements.parse(f.payload).kind is not Kind.END]
    copy = Copy(match, [frame for frame in kept if not is_reveal(frame, hiding)])
    assert copy.referee.unsettled == tuple(sorted(hiding))
    assert copy.referee.outcome is None
    return copy


def test_row_132_who_has_won_cannot_hand_its_win_to_a_friend() -> None:
    match = played(ALONE, [0], [0], left=[2])
    copy = withheld(match, [0], witness=1).call_away(1, 0)
    assert copy.referee.outcome == Outcome(frozenset(), "unresponsive")


@pytest.mark.parametrize(
    ("winners", "left"), [(TEAMS[0], frozenset()), (TEAMS[1], TEAMS[1])], ids=["its own", "the other one"]
)
def test_row_132_a_team_does_not_win_by_the_word_of_one_against_its_mate(
    winners: frozenset[Seat], left: frozenset[Seat]
) -> None:
    """The other team went in the last step, so that the rules ended play."""
    match = played(TEAMS, [0], winners, left=[1, 3])
    copy = withheld(match, [0], witness=2).call_away(2, 0)
    assert copy.referee.outcome == Outcome(left, "unresponsive")


def test_row_132_a_winner_cannot_hide_its_claim_behind_one_that_hides_its_own() -> None:
    match = played(ALONE, [0, 1], [0], left=[2])
    copy = withheld(match, [0, 1], witness=0).call_away(0, 1)
    assert copy.referee.outcome == Outcome(frozenset(), "unresponsive")
    honest = withheld(match, [1], witness=0).call_away(0, 1)
    assert honest.referee.outcome == Outcome(frozenset({0}), "unresponsive")


@pytest.mark.parametrize("left", [[2], []], ids=["two left", "three"])
def test_row_132_a_friends_fault_does_not_bring_back_who_withholds(left: list[Seat]) -> None:
    match = played(ALONE, [0], [0], left)
    copy = withheld(match, [0], witness=1)
    for seat in {1, 2}.difference(left):
        copy.call_away(seat, 0)
    report = audit(copy.tell(copy.other_version(2)).transcript, {match.begun.game.name: match.begun.game})
    assert report.fault == Fault(2, "statement", 1, "equivocation")
    assert report.outcome is not None
    assert report.outcome.winners == frozenset()


def test_row_132_all_others_cannot_undo_the_win_of_who_has_shown_everything() -> None:
    match = played(ALONE, [0, 1, 2], [0], left=[])
    copy = withheld(match, [1, 2], witness=0).call_away(0, 1)
    assert copy.referee.outcome is None
    copy.call_away(0, 2)
    assert copy.referee.outcome == Outcome(frozenset({0}), "unresponsive")


def test_a_friends_fault_does_not_give_a_liar_its_win_back() -> None:
    """Neither in a copy that follows the match, nor in an audit of it."""
    match = played(ALONE, [0], [0], left=[], liars=[0])
    copy, follower = Copy(match, match.seats[1].log), Follower(match.begun)
    copy.tell(copy.other_version(2))
    for frame in copy.frames:
        with suppress(Equivocation):
            follower.admit(parse_record(frame))
    lost = Outcome(frozenset(), "cheated", Breach(0, "wrong-faces"))
    assert follower.fault is not None
    assert follower.outcome == lost
    assert audit(copy.transcript, {match.begun.game.name: match.begun.game}).outcome == lost


def test_a_reveal_gives_the_match_the_end_of_its_play_again() -> None:
    match = played(ALONE, [0], [0], left=[2])
    copy = withheld(match, [0], witness=1).call_away(1, 0)
    copy.tell(*(frame for frame in match.seats[1].log if is_reveal(frame, [0])))
    assert copy.referee.outcome == Outcome(frozenset({0}), "points")


def test_row_132_who_went_home_with_a_draw_keeps_it_from_no_end() -> None:
    """Its word is not waited for, as it may say none; and the draw stays without a winner."""
    match = begun(ALONE, [0], [1])
    while (owed := match.seats[0].session.referee.owed) is None or owed.message is not Choice:
        match.play(steps=1)
    match.hold().seats[1].session.offer_draw()
    match.hold().seats[2].session.resign()
    match.hold().seats[0].session.accept_draw()
    match.hold().play()
    copy = withheld(match, [0], witness=1)
    assert copy.referee.provisional == Outcome(frozenset(), "agreed-draw")
    copy.call_away(1, 0)
    assert copy.referee.outcome == Outcome(frozenset(), "unresponsive")
    copy.tell(*(frame for frame in match.seats[1].log if is_reveal(frame, [0])))
    assert copy.referee.outcome == Outcome(frozenset(), "agreed-draw")


def test_who_goes_with_a_draw_behind_the_end_owes_no_reveal_any_more() -> None:
    """It had only accepted the draw, and dates its RESIGN back to that: the draw stays without a winner."""
    match = begun(ALONE, [0, 1, 2], [1])
    while (owed := match.seats[0].session.referee.owed) is None or owed.message is not Choice:
        match.play(steps=1)
    match.hold().seats[1].session.offer_draw()
    match.hold().seats[2].session.accept_draw()
    place = match.hold().seats[0].session.referee.count
    match.seats[0].session.accept_draw()
    match.hold().play()
    copy = withheld(match, [2], witness=1).call_away(0, 2).call_away(1, 2)
    assert copy.referee.outcome == Outcome(frozenset(), "unrevealed")
    for seat in (0, 1):
        copy.say(seat, Kind.END, (), "unrevealed")
    copy.say(2, Kind.RESIGN, count=place)
    assert copy.referee.outcome == Outcome(frozenset(), "agreed-draw")
    assert copy.referee.never_settled == (2,)
