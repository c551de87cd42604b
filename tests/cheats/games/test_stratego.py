"""Every way to cheat in Stratego: what the honest side makes of it, and what its record proves."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from p2p_stratego.core.game import Seat
from p2p_stratego.stratego.rules.movement import illegal, possible_reach
from p2p_stratego.stratego.rules.pieces import FACE_NAMED
from protocol.audit.verdict import Verdict
from protocol.crypto.commitment import hide_choice
from protocol.failures import NotNow, Why
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.asks.together import HiddenChoice, ShownChoice
from protocol.record.statements import Kind
from protocol.seat import replies
from tests.helpers.cheats.bout import owing
from tests.helpers.cheats.campaign import CHEAT, Campaign, Plan, turned
from tests.helpers.cheats.lies import JUNK, over

pytestmark = pytest.mark.parametrize("seat", [0, 1], ids=["red cheats", "blue cheats"])
"""In all of these."""
ROOTED: Final = pytest.mark.parametrize("piece", ["bomb", "flag"])


def with_piece(piece: str) -> str:
    """The cheat's set-up with a bomb, or the flag, on d4."""
    return CHEAT if piece == "bomb" else CHEAT.replace("d4 bomb, j1 flag", "j1 bomb, d4 flag")


# A bomb, or the flag, that walks


@ROOTED
def test_a_bomb_that_walked_unseen_is_found_when_all_is_revealed(piece: str, seat: Seat) -> None:
    """At the entry that said the move; until then nobody could know."""
    match = Campaign(Plan("d4d3 i7i6 d3d2 i6i5 a4a5 i5i4", with_piece(piece)), seat).play()
    assert [report.verdict for report in match.reports()] == [Verdict.INCOMPLETE]
    match.opponent_gives_up().assert_caught("entry", match.number(Choice, "d4d3"), "bomb-or-flag-moved")


@ROOTED
def test_a_bomb_that_walked_is_found_as_soon_as_it_is_attacked(piece: str, seat: Seat) -> None:
    match = Campaign(Plan("d4e4 e7e6 e4e5 e6e5", with_piece(piece).replace("e4 scout", "c4 scout")), seat)
    match.play()
    match.assert_caught("entry", match.number(Opening), "bomb-or-flag-moved")


@ROOTED
def test_a_bomb_that_attacks_is_found_at_once(piece: str, seat: Seat) -> None:
    cheat = with_piece(piece).replace("d4", "b3").replace("b4 miner", "d4 miner")
    match = Campaign(Plan("b3b4 i7i6 b4b5 i6i5 b5b6 i5i4 b6b7", cheat), seat).play()
    match.assert_caught("entry", match.number(Opening), "bomb-or-flag-moved")


@ROOTED
def test_a_bomb_that_runs_like_a_scout_is_found_at_once(piece: str, seat: Seat) -> None:
    match = Campaign(Plan("d4d2", with_piece(piece)), seat).play()
    match.assert_caught("entry", match.number(Opening), "bomb-or-flag-moved")


# What the army does not have

TWO_MARSHALS: Final = CHEAT.replace("f4 spy", "f4 marshal")


def test_a_second_marshal_is_found_when_it_is_opened(seat: Seat) -> None:
    moves = "a4a5 i7i6 a5a6 i6i7 a6a7 i7i6 f4f5 e7f7 f5f6 i6i7 f6f7"
    match = Campaign(Plan(moves, TWO_MARSHALS), seat).play()
    match.assert_caught("entry", match.number(Opening), "wrong-faces")


def test_two_marshals_that_never_fought_are_found_when_all_is_revealed(seat: Seat) -> None:
    match = Campaign(Plan("a4a5 i7i6", TWO_MARSHALS), seat).play().opponent_gives_up()
    match.assert_caught("entry", match.number(Commitments), "wrong-faces")


def test_a_marshal_in_the_flags_place_is_found_when_all_is_revealed(seat: Seat) -> None:
    """An army without a flag could never lose."""
    match = Campaign(Plan("a4a5 i7i6", CHEAT.replace("j1 flag", "j1 marshal")), seat).play()
    match.opponent_gives_up().assert_caught("entry", match.number(Commitments), "wrong-faces")


# Squares that are not one's own, or too few, or too many

SQUARES: Final = {
    "a piece too few": "squares 00000000f1",
    "a piece too many": "squares 000000007f",
    "nobody": "squares 0000000000",
    "everywhere": "squares ffffffffff",
    "beyond the own rows": "squares 1000000001f",
    "in capitals": "squares 000000003F",
    "no squares at all": "a4a5",
}


@pytest.mark.parametrize("filled", SQUARES.values(), ids=SQUARES)
def test_a_set_up_on_other_squares_than_the_army_fills_is_found_when_it_is_shown(
    filled: str, seat: Seat
) -> None:
    """Hidden as well as any; both show theirs at the same time, so it comes out before the first move."""
    match = Campaign(Plan(), seat)
    assert match.run(owing(HiddenChoice))
    digest = hide_choice(match.begun.id, seat, match.liar.referee.table.serial, filled, JUNK)
    match.tell(match.liar.entry(HiddenChoice(digest)))
    assert match.run(owing(ShownChoice))
    match.assert_refused(match.liar.entry(ShownChoice(filled, JUNK)), "entry", "illegal-choice")


def test_squares_changed_after_the_others_are_known_are_found(seat: Seat) -> None:
    match = Campaign(Plan(), seat)
    assert match.run(owing(ShownChoice))
    truth = match.liar.truth()
    assert isinstance(truth, ShownChoice)
    other = "squares 000000003f"
    assert other != truth.move
    match.assert_refused(match.liar.entry(ShownChoice(other, truth.salt)), "entry", "wrong-opening")


# Another rank than was laid

FIGHT: Final = Plan("b4b5 i7i6 b5b6 b7b6")
"""The scout attacks the cheat's miner."""


def test_a_piece_opened_as_a_stronger_one_is_found_at_once(seat: Seat) -> None:
    match = Campaign(FIGHT, seat)
    assert match.run(owing(Opening))
    truth = match.liar.truth()
    assert isinstance(truth, Opening)
    assert truth.face == FACE_NAMED["miner"]
    lie = Opening(FACE_NAMED["marshal"], truth.salt)
    match.assert_refused(match.liar.entry(lie), "entry", "wrong-opening")


def test_a_piece_opened_in_another_ones_place_is_found_at_once(seat: Seat) -> None:
    """The true opening of the marshal, for the square where the miner stands."""
    match = Campaign(FIGHT, seat)
    assert match.run(owing(Opening))
    known = match.liar.session.known
    marshal = next(
        slot
        for slot, hidden in match.liar.referee.table.hidden.items()
        if hidden.seat == seat and known[slot] == FACE_NAMED["marshal"]
    )
    lie = Opening(FACE_NAMED["marshal"], match.liar.secrets.salt(match.begun.id, seat, marshal))
    match.assert_refused(match.liar.entry(lie), "entry", "wrong-opening")


def openings(match: Campaign) -> tuple[Opening, ...]:
    """What the cheat owes, truly."""
    liar = match.liar
    return replies.openings(liar.secrets, liar.referee, liar.seat, liar.session.known)


Reveal = tuple[Opening, ...]
CHANGES: Final[dict[str, tuple[str, Callable[[Reveal], Reveal]]]] = {
    "a bomb shown as a spy": (
        "wrong-opening",
        lambda true: tuple(
            Opening(FACE_NAMED["spy"], opening.salt) if opening.face == FACE_NAMED["bomb"] else opening
            for opening in true
        ),
    ),
    "two ranks exchanged": ("wrong-opening", lambda true: (true[1], true[0], *true[2:])),
    "the walked bomb left out": (
        "wrong-count",
        lambda true: tuple(opening for opening in true if opening.face != FACE_NAMED["bomb"]),
    ),
}


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_a_rank_changed_in_the_reveal_is_found(
    change: tuple[str, Callable[[Reveal], Reveal]], seat: Seat
) -> None:
    """To hide what a walked bomb was."""
    rule, changed = change
    match = Campaign(Plan("d4d3 i7i6"), seat).play()
    match.honest[0].session.resign()
    match.spread()
    lie = match.liar.statement(Kind.REVEAL, (0, changed(openings(match))))
    match.assert_refused(lie, "statement", rule)


def test_a_rank_changed_between_two_reveals_is_found(seat: Seat) -> None:
    match = Campaign(Plan("a4a5 i7i6"), seat).play()
    match.honest[0].session.resign()
    match.spread()
    true = openings(match)
    match.tell(match.liar.statement(Kind.REVEAL, (0, true)))
    lie = (*true[:-1], Opening(FACE_NAMED["bomb"], true[-1].salt))
    assert lie != true
    match.assert_refused(match.liar.statement(Kind.REVEAL, (0, lie)), "statement", "wrong-opening")


# "I cannot move"

SHUT_IN: Final = "b1 miner, a1 flag, a2 bomb, b2 bomb, c2 bomb, c1 bomb"
OPEN_DOOR: Final = "c1 miner, a1 flag, a2 bomb, b2 bomb, c2 bomb, b1 bomb"
BOMBS: Final = "0-0-0-0-0-0-0-1-0-0-4-1"
AT_HOME: Final = "e7 miner, j10 flag, j9 bomb, i9 bomb, h9 bomb, i10 bomb"


def test_whoever_could_move_and_said_that_it_could_not_is_found_when_all_is_revealed(seat: Seat) -> None:
    """The miner has a free step that only its owner knows of."""
    match = Campaign(Plan("none e7e6", OPEN_DOOR, AT_HOME, BOMBS), seat).play()
    assert match.honest[0].session.outcome is not None
    match.assert_caught("entry", match.number(Choice, "none"), "false-no-move")


def test_whoever_truly_cannot_move_loses_and_is_no_cheat(seat: Seat) -> None:
    """Nor would the tests above find anybody out if this one were a cheat too."""
    match = Campaign(Plan("none e7e6", SHUT_IN, AT_HOME, BOMBS), seat).play()
    for report in match.reports():
        assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)
        assert report.outcome is not None
        assert (report.outcome.winners, report.outcome.reason) == (frozenset((1 - seat,)), "no-moves")


def test_no_move_where_everybody_can_see_one_is_refused_at_once(seat: Seat) -> None:
    match = Campaign(Plan(), seat).play()
    match.assert_refused(match.says("none"), "entry", "illegal-choice")


# Moves that are none

TO_AND_FRO: Final = "b4b5 i7i6 b5b4 i6i7 b4b5 i7i6"
CHASE: Final = "e4e5 j7j6 e5e6 j6j7 e6e7 f7f8 e7f7 f8e8 f7f8 e8e7 f8e8 e7f7"
"""After a closed piece round four squares; with "e8e7" the chaser would be where it was at first."""
CHASER: Final = "e4 marshal, b4 miner, a4 scout, f4 spy, d4 bomb, j1 flag"
CHASED: Final = "f7 miner, b7 scout, i7 spy, j7 marshal, h10 bomb, j10 flag"
NO_MOVES: Final[dict[str, tuple[Plan, str, str]]] = {
    "a scout over an enemy": (Plan(cheat=CHEAT.replace("e4", "b3").replace("b4", "c4")), "b3b8", "blocked"),
    "a scout over its own": (Plan(cheat=CHEAT.replace("e4", "b3")), "b3b6", "blocked"),
    "a scout over a crater": (Plan(cheat=CHEAT.replace("e4", "c4")), "c4c7", "crater"),
    "a scout into a crater": (Plan(cheat=CHEAT.replace("e4", "c4")), "c4c5", "crater"),
    "a scout round a corner": (Plan(), "e4f5", "too-far"),
    "onto its own": (Plan(), "a4b4", "blocked"),
    "with an enemy's piece": (Plan(), "a7a6", "not-yours"),
    "with nobody": (Plan(), "i4i5", "not-yours"),
    "back and forth a fourth time": (Plan(TO_AND_FRO), "b5b4", "two-squares"),
    "round again in a pursuit": (Plan(CHASE, CHASER, CHASED), "e8e7", "pursuit"),
}


@pytest.mark.parametrize(("plan", "move", "rule"), NO_MOVES.values(), ids=NO_MOVES)
def test_a_move_against_what_everybody_sees_is_refused_at_once(
    plan: Plan, move: str, rule: str, seat: Seat
) -> None:
    match = Campaign(plan, seat).play()
    state = match.liar.referee.table.state
    assert illegal(state, turned(move, seat), possible_reach(state, seat)) == rule
    match.assert_refused(match.says(move), "entry", "illegal-choice")


@pytest.mark.parametrize("move", ["j1k1", "a4", "a4a5a6", "A4A5", "squares 000000003f", "resign"])
def test_what_is_no_move_at_all_is_refused_at_once(move: str, seat: Seat) -> None:
    match = Campaign(Plan(), seat).play()
    match.assert_refused(match.says(move), "entry", "illegal-choice")


def test_a_piece_that_runs_and_is_no_scout_is_found_at_once(seat: Seat) -> None:
    match = Campaign(Plan("a4a6"), seat).play()
    match.assert_caught("entry", match.number(Opening), "ran-but-no-scout")


def test_a_scout_that_runs_is_no_cheat(seat: Seat) -> None:
    match = Campaign(Plan("e4e6"), seat).play()
    assert [report.verdict for report in match.reports()] == [Verdict.INCOMPLETE]


# Leaving


@pytest.mark.parametrize("end", ["the flag was taken", "the cheat gave up", "the other gave up"])
def test_row_06_leaving_before_the_last_opening_is_on_record_and_wins_nothing(end: str, seat: Seat) -> None:
    """Whoever let a bomb walk and will not reveal it: no proof of that, but no victory either."""
    if end != "the flag was taken":
        match = Campaign(Plan("d4d3 i7i6"), seat).play()
        if end == "the cheat gave up":
            match.tell(match.liar.statement(Kind.RESIGN))
        else:
            match.honest[0].session.resign()
    else:
        honest = "a7 flag, b7 scout, e7 spy, i7 marshal, h10 bomb, j10 miner"
        match = Campaign(Plan("a4a5 i7i6 a5a6 i6i7 d4d3 i7i6 a6a7", honest=honest), seat)
        assert match.run(over)
    match.spread()
    [victim] = match.honest
    assert victim.session.over
    assert victim.session.outcome is None
    [report] = match.reports()
    assert (report.verdict, report.unsettled, report.fault) == (Verdict.INCOMPLETE, (seat,), None)
    if end == "the other gave up":
        with pytest.raises(NotNow, match=Why.NOT_ACKNOWLEDGED.value):
            match.claims_away(1800)  # nothing shows that the cheat knows of it
        return
    match.claims_away(1800)
    [report] = match.reports()
    assert (report.verdict, report.fault) == (Verdict.UNRESPONSIVE, None)
    assert report.outcome is not None
    assert report.outcome.winners == frozenset((1 - seat,))
    assert victim.session.outcome == report.outcome
