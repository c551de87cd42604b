"""Private looks: two messages, equally long; their viewer reads them, and a COMPLAIN makes all read them."""

from __future__ import annotations

from typing import Final

import pytest

from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Mix, Open, OpenTo
from protocol.crypto.sealed import BOX_BYTES, LookContext, public_key, seal
from protocol.record.asks.base import Look
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.mix import Mixed
from protocol.record.asks.open import Opening
from protocol.record.asks.open_to import LookKey, SealedOpening
from protocol.record.complaints import Flaw, face_shown, flaw
from tests.helpers.games.scripts import SALT, Match

VIEWER: Final = bytes([7]) * 32
OWNER: Final = bytes([8]) * 32
COMMIT: Final = Commit(0, (3, 4), (1, 2, 3))
LOOK: Final = OpenTo(3, 1)
LOW_ORDER: Final = bytes(32)


def laid(*asks: Ask) -> Match:
    """Slot 3 shows 1, slot 4 shows 2."""
    match = Match([COMMIT, *asks])
    return match.say(Commitments((match.commitment(0, 3, 1), match.commitment(0, 4, 2))))


def box(match: Match, face: int = 1, slot: int = 3, *, salt: bytes = SALT, serial: int = 1) -> SealedOpening:
    place = LookContext(match.game, 1, 0, slot, serial)
    return SealedOpening(*seal(place, public_key(VIEWER), OWNER, face, salt))


def looked(match: Match, sealed_opening: SealedOpening) -> Look:
    match.say(LookKey(public_key(VIEWER)), sealed_opening)
    (look,) = match.table.looks.values()
    return look


def test_the_viewer_gives_a_key_and_the_owner_a_box() -> None:
    match = laid(LOOK, Open(4))
    assert match.owes() == (1, LookKey)
    match.say(LookKey(public_key(VIEWER)))
    assert match.owes() == (0, SealedOpening)
    match.say(box(match))
    assert match.owes() == (0, Opening)
    look = match.table.looks[2]
    assert look == Look(
        LookContext(match.game, 1, 0, 3, 1), 2, public_key(VIEWER), public_key(OWNER), box(match).box
    )
    assert match.table.faces == {}


def test_the_table_learns_nothing_and_the_viewer_the_face() -> None:
    match = laid(LOOK)
    look = looked(match, box(match))
    assert match.table.state == ([None, None],)
    assert match.table.faces == {}
    assert face_shown(match.table, look, VIEWER) == 1
    assert face_shown(match.table, look, OWNER) == Flaw("wrong-opening", 2)


def test_a_slot_that_was_shown_is_still_opened_as_any_other() -> None:
    match = laid(LOOK, Open(3))
    looked(match, box(match))
    assert match.say(Opening(1, SALT)).table.faces == {3: 1}


@pytest.mark.parametrize("key", [LOW_ORDER, b"\1" + bytes(31), b"\xff" * 32], ids=lambda key: key.hex()[:4])
def test_a_key_that_everybody_could_open_with_is_refused(key: bytes) -> None:
    match = laid(LOOK)
    assert match.breaks(LookKey(key)) == "weak-key"
    match = laid(LOOK).say(LookKey(public_key(VIEWER)))
    assert match.breaks(SealedOpening(key, bytes(BOX_BYTES))) == "weak-key"


WRONG: Final = {
    "another face": {"face": 2},
    "a face that the rules do not know": {"face": 127},
    "another salt": {"salt": bytes(32)},
    "for another slot": {"slot": 4, "face": 2},
    "for another Ask": {"serial": 2},
}


@pytest.mark.parametrize("why", WRONG)
def test_whatever_does_not_fit_is_a_wrong_opening(why: str) -> None:
    match = laid(LOOK)
    look = looked(match, box(match, **WRONG[why]))  # type: ignore[arg-type]  # a table of keywords
    assert face_shown(match.table, look, VIEWER) == Flaw("wrong-opening", 2)


def test_a_face_that_may_not_lie_there_is_told_as_such() -> None:
    match = Match([Commit(0, (3,), (1, 2)), LOOK])
    match.say(Commitments((match.commitment(0, 3, 5),)))
    look = looked(match, box(match, 5))
    assert face_shown(match.table, look, VIEWER) == Flaw("impossible-face", 2)


def test_a_face_that_breaks_a_claim_is_a_flaw_of_that_claim() -> None:
    claims = (Claim(0, "not a one", (3, 4), frozenset({2, 3})), Claim(0, "low", (3,), frozenset({1, 2})))
    match = laid(*claims, LOOK)
    look = looked(match, box(match, serial=3))
    shown = face_shown(match.table, look, VIEWER)
    assert shown == 1
    assert flaw(match.table, look, shown, 3) == Flaw("not a one", 0)


def test_only_claims_of_the_entries_spoken_of_and_only_faces_opened_in_them_count() -> None:
    pair = Commit(0, (3, 4), (1, 2), exactly=True)
    match = Match([pair, OpenTo(3, 1), Open(4)])
    match.say(Commitments((match.commitment(0, 3, 1), match.commitment(0, 4, 1))))
    look = looked(match, box(match))
    match.say(Opening(1, SALT))
    assert flaw(match.table, look, 1, 3) is None
    assert flaw(match.table, look, 1, 4) == Flaw("wrong-faces", 0)


@pytest.mark.parametrize(
    "ask",
    [OpenTo(3, 0), OpenTo(9, 1), (Open(3), OpenTo(3, 1)), (Mix(0, (3, 4), (5, 6), "mixed"), OpenTo(3, 1))],
    ids=["to its owner", "of no slot", "of an open slot", "of a dead slot"],
)
def test_rules_cannot_ask_for_a_look_that_means_nothing(ask: Ask | tuple[Ask, ...]) -> None:
    def play() -> None:
        match = laid(*(ask if isinstance(ask, tuple) else (ask,)))
        if match.owes() == (0, Opening):
            match.say(Opening(1, SALT))
        else:
            match.say(Mixed((bytes(32), SALT)))

    with pytest.raises(RuntimeError, match="slot"):
        play()


def test_row_39_all_looks_are_equally_long() -> None:
    match = laid(LOOK)
    assert {len(box(match, face).box) for face in range(128)} == {BOX_BYTES}


@pytest.mark.parametrize("sent", [0, 1], ids=["the viewer", "the owner"])
def test_a_seat_that_leaves_before_its_message_leaves_no_look(sent: int) -> None:
    match = laid(LOOK, Choose(2, ("on",)))
    match.say(*[LookKey(public_key(VIEWER))] * sent).leave()
    assert match.owes() == (2, Choice)
    assert match.table.looks == {}
    assert match.say(Choice("on")).table.state == ([None, None, "on"],)


@pytest.mark.parametrize("left", [0, 1])
def test_nobody_looks_when_owner_or_viewer_is_gone(left: int) -> None:
    match = laid(Choose(left, ("on",)), LOOK, Choose(2, ("on",)))
    match.leave()
    assert match.owes() == (2, Choice)
    assert match.table.looks == {}
