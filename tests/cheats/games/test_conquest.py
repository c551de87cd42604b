"""Every way to cheat in Conquest: what the honest ones make of it, and what their records prove."""

from __future__ import annotations

from typing import Final

import pytest

from p2p_stratego.conquest.rules.pieces import FACE_NAMED
from p2p_stratego.core.game import Mix, OpenTo, Seat
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.sealed import LookContext, seal
from protocol.record.asks.choose import Choice
from protocol.record.asks.mix import Mixed
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import SealedOpening
from protocol.record.asks.roll import Share
from protocol.record.statements import Kind
from tests.helpers.cheats.bout import owing
from tests.helpers.cheats.conquest import CHEAT, Foray, Plan
from tests.helpers.cheats.lies import JUNK, over
from tests.helpers.cheats.tables import revealing

AT: Final = pytest.mark.parametrize(
    ("seat", "seats"),
    [(0, 2), (1, 2), (1, 3), (3, 4)],
    ids=["red of two", "blue of two", "blue of three", "yellow of four"],
)
AUDIENCES: Final = pytest.mark.parametrize(
    ("seat", "seats", "audience"),
    [(0, 2, "all"), (1, 2, "all"), (2, 3, "one"), (0, 3, "two"), (1, 4, "all"), (0, 4, "one"), (3, 4, "two")],
)
"""Told to all; to one, which shows it to the others; to one, while the others are told the truth."""


def assert_caught(match: Foray, number: int, rule: str, *, ended: bool = False) -> None:
    """The match is played on until this fault of the cheat is found."""
    match.run()
    match.assert_caught(Fault(match.liar.seat, "entry", number, rule), ended=ended)


# Said, and not offered

ILLEGAL: Final[dict[str, tuple[Plan, str]]] = {
    "08 a card that was not drawn": (Plan(cards="blitz"), "play regroup"),
    "08 a card for an empty bag": (Plan(cards="reinforce blitz"), "play reinforce"),
    "08 an enemy's piece regrouped": (Plan(cards="regroup", cheat_says="play regroup"), "regroup a1 b2 d2"),
    "08 across a mountain": (Plan(CHEAT.replace("c2", "e2")), "e2d2"),
    "08 with an enemy's piece": (Plan(), "d2d1"),
    "08 stop first": (Plan(), "stop"),
    "08 drawn from an enemy's bag": (Plan(cards="reinforce", victim_bag="spy"), "play reinforce"),
    "08 the own piece accused": (Plan(cards="traitor", cheat_says="play traitor"), "accuse b2 duke"),
    "08 a piece of the bag on a taken zone": (
        Plan(cards="surprise", cheat_bag="queen", cheat_says="play surprise"),
        "place d2",
    ),
    "09 a second card": (Plan(cards="blitz blitz", cheat_says="play blitz"), "play blitz"),
}


@AUDIENCES
@pytest.mark.parametrize("why", ILLEGAL)
def test_cheat_08_and_09_what_is_not_offered_is_found_at_once(
    why: str, seat: Seat, seats: int, audience: str
) -> None:
    plan, move = ILLEGAL[why]
    match = Foray(plan, seat, seats).play()
    match.assert_refused(match.liar.entry(Choice(move)), "illegal-choice", audience=audience)


@pytest.mark.parametrize(("seat", "seats", "audience"), [(2, 3, "all"), (0, 3, "two"), (3, 4, "one")])
def test_cheat_08_the_own_flag_won_back_comes_to_no_taken_zone(seat: Seat, seats: int, audience: str) -> None:
    """The victim took the cheat's flag with its first move; the cheat takes the victim's."""
    pieces = ("a1 flag, k6 duke", "l6 flag, a2 king")
    plan = Plan(*pieces, cheat_says="k6l6", victim_says="a2a1", victim_begins=True, rounds=2)
    match = Foray(plan, seat, seats).play()
    match.assert_refused(match.liar.entry(Choice("flag l6")), "illegal-choice", audience=audience)


SHOWN: Final = pytest.mark.parametrize(
    ("seat", "seats", "audience"), [(0, 2, "all"), (1, 2, "all"), (2, 3, "one"), (1, 4, "all"), (0, 4, "one")]
)
"""The same, without another truth to tell."""


@SHOWN
def test_cheat_09_a_move_too_many_is_out_of_turn(seat: Seat, seats: int, audience: str) -> None:
    match = Foray(Plan(cheat_says="b2b3"), seat, seats)
    assert match.run(lambda _: match.liar.referee.table.state.seat == match.victim and match.victim_owes)
    match.assert_refused(match.liar.entry(Choice("b3b2")), "out-of-turn", audience=audience)


@AUDIENCES
def test_cheat_09_a_move_for_a_share_is_a_wrong_message(seat: Seat, seats: int, audience: str) -> None:
    match = Foray(Plan(cheat_says="b2b3"), seat, seats)
    assert match.run(lambda bout: match.liar.referee.table.state.turn == 2 and owing(Share)(bout))
    match.assert_refused(match.liar.entry(Choice("b3b2")), "wrong-message", audience=audience)


# Pieces that were changed while they were mixed


@AT
@pytest.mark.parametrize("card", ["reinforce", "surprise"])
def test_cheat_10_another_piece_in_the_bag_is_found_at_the_end(card: str, seat: Seat, seats: int) -> None:
    match = Foray(Plan(cards=card, cheat_bag="baron spy", cheat_says=f"play {card}"), seat, seats)
    assert match.run(owing(Mixed))
    number = match.liar.referee.count
    match.lays([FACE_NAMED["queen"], FACE_NAMED["spy"]])
    assert_caught(match, number, "changed-pieces", ended=True)


@AT
def test_cheat_10_a_second_queen_is_found_as_soon_as_both_are_open(seat: Seat, seats: int) -> None:
    plan = Plan(
        "a1 flag, c2 queen",
        "l6 flag, d2 king, b3 duke",
        "play reinforce, place b2, b2b3",
        cards="reinforce",
        cheat_bag="baron",
        rounds=2,
        victim_says="d2c2",
        victim_begins=False,
    )
    match = Foray(plan, seat, seats)
    assert match.run(owing(Mixed))
    match.lays([FACE_NAMED["queen"]])
    match.run()
    match.assert_caught(Fault(seat, "entry", match.number(Opening), "wrong-faces"))


@AUDIENCES
@pytest.mark.parametrize("card", ["reinforce", "surprise"])
def test_cheat_11_a_bag_that_is_laid_after_the_roll_is_found_at_once(
    card: str, seat: Seat, seats: int, audience: str
) -> None:
    match = Foray(Plan(cards=card, cheat_bag="baron spy", cheat_says=f"play {card}"), seat, seats)
    assert match.run(owing(Mixed))
    match.assert_refused(match.liar.entry(Share(JUNK)), "wrong-message", audience=audience)


@AT
def test_cheat_12_a_count_regrouped_in_for_the_flag_is_found_at_the_end(seat: Seat, seats: int) -> None:
    plan = Plan(cards="regroup", cheat_says="play regroup, regroup a1 b2 c2")
    match = Foray(plan, seat, seats)
    assert match.run(owing(Mixed))
    owed = match.liar.owes
    assert owed is not None
    assert isinstance(owed.ask, Mix)
    number = match.liar.referee.count
    match.lays([FACE_NAMED[piece] for piece in ("count", "duke", "count")])
    assert_caught(match, number, "changed-pieces", ended=True)


# Pieces that cannot move, and pieces that can

FIXED: Final = pytest.mark.parametrize("piece", ["cursed", "flag"])


def with_fixed(piece: str) -> str:
    """The cheat's pieces with one that cannot move on c2."""
    return CHEAT.replace("c2 count", "c2 cursed") if piece == "cursed" else "a1 count, b2 duke, c2 flag"


@AT
@FIXED
def test_cheat_13_a_step_with_a_fixed_piece_is_found_at_the_end(piece: str, seat: Seat, seats: int) -> None:
    match = Foray(Plan(with_fixed(piece), cheat_says="c2c3", victim_says="l4l5"), seat, seats)
    match.run()
    assert_caught(match, match.number(Choice, "c2c3"), "fixed-piece-moved", ended=True)


@AT
@FIXED
def test_cheat_13_and_as_soon_as_it_is_opened(piece: str, seat: Seat, seats: int) -> None:
    plan = Plan(with_fixed(piece), "l6 flag, d3 king", "c2c3", "d3c3")
    match = Foray(plan, seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "fixed-piece-moved")


@AT
@FIXED
def test_cheat_14_an_attack_with_a_fixed_piece_is_found_at_once(piece: str, seat: Seat, seats: int) -> None:
    match = Foray(Plan(with_fixed(piece), cheat_says="c2d2"), seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "fixed-piece-moved")


@AT
def test_cheat_15_a_run_with_a_baron_is_found_at_once(seat: Seat, seats: int) -> None:
    match = Foray(Plan(CHEAT.replace("c2 count", "c2 baron"), cheat_says="c2e4"), seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "ran-but-no-scout")


@AT
def test_cheat_16_none_though_a_closed_piece_can_step_is_found_at_the_end(seat: Seat, seats: int) -> None:
    match = Foray(Plan(cheat_says="none", victim_says="l4l5"), seat, seats)
    match.run()
    assert_caught(match, match.number(Choice, "none"), "false-no-move", ended=True)


@AT
def test_cheat_16_and_as_soon_as_it_is_opened(seat: Seat, seats: int) -> None:
    match = Foray(Plan(cheat_says="none", victim_says="d2c2"), seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "false-no-move")


# Openings


@AT
def test_cheat_01_two_live_kings_open_are_found_at_the_second(seat: Seat, seats: int) -> None:
    plan = Plan(
        "a1 flag, b2 king, c2 king",
        "l6 flag, b3 baron, d2 knight, l4 duke",
        "b2b3, c2d2",
        "l4l5",
        rounds=2,
    )
    match = Foray(plan, seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "wrong-faces")


@AUDIENCES
@pytest.mark.parametrize("other", ["king", "cursed", "flag"])
def test_cheat_17_another_piece_than_was_laid_is_found_at_once(
    other: str, seat: Seat, seats: int, audience: str
) -> None:
    match = Foray(Plan(cheat_says="c2d2"), seat, seats)
    assert match.run(owing(Opening))
    truth = match.liar.truth()
    assert isinstance(truth, Opening)
    match.assert_refused(
        match.liar.entry(Opening(FACE_NAMED[other], truth.salt)), "wrong-opening", audience=audience
    )


@AUDIENCES
def test_cheat_17_another_piece_than_was_drawn_is_found_at_once(
    seat: Seat, seats: int, audience: str
) -> None:
    """Chance drew the spy; the cheat opens the piece that stayed in the bag in its place."""
    plan = Plan(
        "a1 flag",
        "l6 flag, d2 king",
        "play surprise, place d1, d1d2",
        cards="surprise",
        cheat_bag="spy queen",
    )
    match = Foray(plan, seat, seats)
    assert match.run(owing(Opening))
    liar, truth = match.liar, match.liar.truth()
    assert isinstance(truth, Opening)
    state = liar.referee.table.state
    [left] = state.bags[seat]
    lie = Opening(liar.session.known[left.slot], liar.secrets.salt(match.begun.id, seat, left.slot))
    assert lie.face != truth.face
    match.assert_refused(liar.entry(lie), "wrong-opening", audience=audience)


@AT
def test_cheat_19_secret_information_with_the_spy_in_the_bag_is_found_at_once(seat: Seat, seats: int) -> None:
    match = Foray(Plan(cards="secret", cheat_bag="queen spy", cheat_says="play secret"), seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "no-spy")


@AT
def test_cheat_19_a_new_spy_that_is_a_scout_is_found_at_once(seat: Seat, seats: int) -> None:
    match = Foray(Plan(cards="new-spy", cheat_bag="scout", cheat_says="play new-spy, draw 0"), seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "no-spy")


@AUDIENCES
def test_cheat_20_a_piece_left_out_as_the_bag_is_shown_is_found_at_once(
    seat: Seat, seats: int, audience: str
) -> None:
    plan = Plan(CHEAT + ", e1 spy", cards="secret", cheat_bag="queen knight", cheat_says="play secret")
    match = Foray(plan, seat, seats)
    assert match.run(owing(Opening))
    match.tell(match.liar.entry(match.liar.truth()))
    assert owing(Opening)(match)
    match.assert_refused(match.liar.entry(Choice("look c2 d2")), "wrong-message", audience=audience)


# Looks

LOOK: Final = Plan(
    victim="l6 flag, d2 spy",
    victim_says="play secret, look c2 d2",
    cards="secret",
    victim_begins=True,
)
"""The victim looks at the cheat's piece."""


def sealed(match: Foray, piece: str) -> SealedOpening:
    """The look that the cheat owes, holding a piece with its true salt."""
    liar, owed = match.liar, match.liar.owes
    assert owed is not None
    assert isinstance(owed.part, OpenTo)
    slot, table = owed.part.slot, liar.referee.table
    at = LookContext(match.begun.id, owed.part.seat, liar.seat, slot, table.serial)
    salt = liar.secrets.salt(match.begun.id, liar.seat, slot)
    return SealedOpening(*seal(at, table.look_key, JUNK, FACE_NAMED[piece], salt))


@AT
@pytest.mark.parametrize("box", ["rubbish", "king"])
def test_cheat_21_whatever_the_looker_cannot_check_is_shown_to_all_by_its_complaint(
    box: str, seat: Seat, seats: int
) -> None:
    match = Foray(LOOK, seat, seats)
    assert match.run(owing(SealedOpening))
    number = match.liar.referee.count
    lie = (
        SealedOpening(JUNK, bytes(len(sealed(match, "count").box)))
        if box == "rubbish"
        else sealed(match, box)
    )
    assert match.lie([match.liar.entry(lie)]) == [None] * (seats - 1)
    match.pass_complaint_on()
    match.assert_caught(Fault(seat, "entry", number, "wrong-opening"))


@pytest.mark.parametrize(("seat", "seats"), [(0, 3), (1, 4)])
def test_cheat_25_what_a_looker_tells_its_friends_is_no_fault_that_anybody_can_see(
    seat: Seat, seats: int
) -> None:
    """And no proof either, unless it gives away its secret of the look: a weakness that SPEC names."""
    plan = Plan("a1 flag, c2 spy", cards="secret", cheat_says="play secret, look c2 d2")
    match = Foray(plan, seat, seats).play()
    [look] = match.liar.referee.table.looks.values()
    seen = match.liar.session.known[look.place.slot]
    assert all(
        look.place.slot not in seat.session.known or seat.seat == match.victim for seat in match.honest
    )
    match.tell(match.liar.statement(Kind.CHAT, (f"d2 is {seen}",)))
    match.run()
    for report in match.reports():
        assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)


@SHOWN
def test_cheat_22_a_complaint_of_what_was_true_is_found_at_once(
    seat: Seat, seats: int, audience: str
) -> None:
    plan = Plan("a1 flag, c2 spy", cards="secret", cheat_says="play secret, look c2 d2")
    match = Foray(plan, seat, seats).play()
    [(number, look)] = match.liar.referee.table.looks.items()
    secret = match.liar.secrets.look_secret(match.begun.id, seat, look.place.serial)
    lie = match.liar.statement(Kind.COMPLAIN, (number, secret))
    match.assert_refused(lie, "false-complaint", what="statement", audience=audience)


# The Traitor

ACCUSED: Final = Plan(
    cheat_says="no", victim_says="play traitor, accuse c2 count", cards="traitor", victim_begins=True
)


@AT
def test_cheat_23_a_false_no_is_found_by_the_accusers_complaint(seat: Seat, seats: int) -> None:
    match = Foray(ACCUSED, seat, seats)
    assert match.run(owing(SealedOpening))
    number = match.number(Choice, "no")
    assert match.lie([match.liar.entry(match.liar.truth())]) == [None] * (seats - 1)
    match.pass_complaint_on()
    match.assert_caught(Fault(seat, "entry", number, "false-miss"))


@pytest.mark.parametrize(("seat", "seats"), [(1, 3), (2, 3), (0, 4), (3, 4)])
def test_cheat_23_a_false_no_to_a_friend_is_found_at_the_end(seat: Seat, seats: int) -> None:
    """The accuser sees it, and says nothing."""
    match = Foray(ACCUSED, seat, seats, friend=(seat + 1) % seats)
    match.run()
    assert_caught(match, match.number(Choice, "no"), "false-miss", ended=True)


@AT
def test_cheat_24_a_false_yes_is_found_at_once(seat: Seat, seats: int) -> None:
    plan = Plan(
        cheat_says="yes", victim_says="play traitor, accuse c2 king", cards="traitor", victim_begins=True
    )
    match = Foray(plan, seat, seats)
    match.run()
    assert_caught(match, match.number(Opening), "false-hit")


@SHOWN
def test_cheat_24_a_true_piece_opened_as_the_one_named_is_found_at_once(
    seat: Seat, seats: int, audience: str
) -> None:
    plan = Plan(
        cheat_says="yes", victim_says="play traitor, accuse c2 king", cards="traitor", victim_begins=True
    )
    match = Foray(plan, seat, seats)
    assert match.run(owing(Opening))
    truth = match.liar.truth()
    assert isinstance(truth, Opening)
    match.assert_refused(
        match.liar.entry(Opening(FACE_NAMED["king"], truth.salt)), "wrong-opening", audience=audience
    )


# The end


@pytest.mark.parametrize(("seat", "seats"), [(0, 2), (1, 3), (0, 4)])
def test_no_cheat_at_all_and_nobody_is_blamed(seat: Seat, seats: int) -> None:
    """Nor would the tests above find anybody out if these were cheats too."""
    plans = (
        Plan(cheat_says="c2c3", victim_says="l4l5"),
        Plan(cheat_says="c2d2"),
        Plan(cards="surprise", cheat_bag="baron spy", cheat_says="play surprise"),
        Plan(cards="regroup", cheat_says="play regroup, regroup a1 b2 c2"),
        Plan(CHEAT + ", e1 spy", cards="secret", cheat_bag="queen", cheat_says="play secret, look c2 d2"),
        Plan(cards="new-spy", cheat_bag="spy", cheat_says="play new-spy, draw 0, place a2"),
        Plan(cards="traitor", cheat_says="play traitor, accuse d2 queen"),
        Plan(cards="traitor", cheat_says="play traitor, accuse d2 king"),
    )
    for plan in plans:
        match = Foray(plan, seat, seats)
        match.run()
        for report in match.reports():
            assert (report.verdict, report.fault) == (Verdict.COMPLETE, None)


@AT
def test_cheat_28_a_false_result_is_found_at_once(seat: Seat, seats: int) -> None:
    match = Foray(Plan(), seat, seats)
    assert match.run(over)
    while revealing(match):
        word = match.liar.last_word()
        assert word is not None
        match.tell(word)
    outcome = match.liar.referee.outcome
    assert outcome is not None
    false = () if outcome.winners else (seat,)
    number = match.liar.referee.count
    lie = match.liar.statement(Kind.END, (false, outcome.reason))
    match.lie([lie])
    match.assert_caught(Fault(seat, "statement", number, "false-end"), ended=True)
