"""Mixed slots: lies about what was laid again, found at the message or when claims are settled."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Commit, Mix, Open, Options
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import Verdict
from protocol.crypto.commitment import hide_face
from protocol.errors import Violation
from protocol.failures import NotNow
from protocol.record.asks.commit import Commitments
from protocol.record.asks.mix import Mixed, faces_laid
from protocol.record.asks.open import Opening
from protocol.record.asks.registry import CODEC
from protocol.record.statements import Kind
from protocol.seat import replies
from protocol.seat.secrets import MatchSecrets
from tests.helpers.cheats.bout import Bout, compare, owing
from tests.helpers.cheats.tables import ALL_GAMES
from tests.helpers.games.players import honest
from tests.helpers.games.scripted import Scripted
from tests.helpers.games.toy import TOY
from tests.helpers.seats.pair import Table

TABLES: Final[dict[str, dict[str, Any]]] = {
    "two, who chooses lies": {"seats": 2, "liar": 0},
    "two, who mixes blindly lies": {"seats": 2, "liar": 1},
    "three": {"seats": 3, "liar": 1},
    "four": {"seats": 4, "liar": 2},
}
AT: Final = pytest.mark.parametrize("table", TABLES.values(), ids=TABLES)


def begun(table: dict[str, Any], seed: int = 0, *, claims: str = "no") -> Bout:
    return Bout(seed, game=TOY, options={"looks": "yes", "rounds": 2, "claims": claims}, **table)


def truth(bout: Bout) -> Mixed:
    message = bout.liar.truth()
    assert isinstance(message, Mixed)
    return message


def commitment(bout: Bout, slot: int, face: int) -> bytes:
    game, seat = bout.begun.id, bout.liar.seat
    return hide_face(game, seat, slot, face, bout.liar.secrets.salt(game, seat, slot))


def last_laid(bout: Bout) -> bytes:
    statements = [CODEC.parse(entry.message) for entry in bout.liar.referee.entries]
    return next(
        statement.digests[0]
        for statement in reversed(statements)
        if isinstance(statement, Commitments | Mixed)
    )


LIES: Final[dict[str, tuple[str, Callable[[Bout], Mixed]]]] = {
    "a slot too few": ("wrong-count", lambda b: Mixed(truth(b).digests[1:])),
    "a slot too many": ("wrong-count", lambda b: Mixed((*truth(b).digests, bytes(32)))),
    "one commitment twice": ("repeated-commitment", lambda b: Mixed(truth(b).digests[:1] * 2)),
    "an old commitment": (
        "repeated-commitment",
        lambda b: Mixed((b.liar.referee.table.hidden[_ask(b).old[0]].commitment, truth(b).digests[1])),
    ),
    "the last commitment of anybody": (
        "repeated-commitment",
        lambda b: Mixed((truth(b).digests[0], last_laid(b))),
    ),
}


def _ask(bout: Bout) -> Mix:
    owed = bout.liar.owes
    assert owed is not None
    assert isinstance(owed.ask, Mix)
    return owed.ask


@AT
@pytest.mark.parametrize("why", LIES)
def test_a_mix_in_a_wrong_form_is_found_at_once(table: dict[str, Any], why: str) -> None:
    rule, lie = LIES[why]
    bout = begun(table)
    assert bout.run(owing(Mixed))
    fault = Fault(bout.liar.seat, "entry", bout.liar.referee.count, rule)
    for refusal in bout.lie([bout.liar.entry(lie(bout))]):
        assert isinstance(refusal, Violation)
    for report in bout.reports():
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault


def lays(bout: Bout, faces: tuple[int, ...]) -> None:
    """The liar lays these faces in the Mix that it owes, and remembers them as its own."""
    ask, messages = _ask(bout), []
    for slot, face in zip(ask.new, faces, strict=True):
        messages.append(commitment(bout, slot, face))
    bout.tell(bout.liar.entry(Mixed(tuple(messages))))
    remembered = bout.liar.session.faces
    assert remembered.own.keys() >= set(ask.old)  # it has learned what it would have laid in truth
    remembered.laid.update(zip(ask.new, faces, strict=True))


def changed(bout: Bout) -> tuple[int, ...]:
    """What the liar has under the old slots, with one face changed to another that is not taboo."""
    own, taboo = bout.liar.session.known, bout.liar.referee.table.state.taboo
    faces = [own[slot] for slot in _ask(bout).old]
    wanted = (face for face in range(1, 7) if face not in (faces[0], taboo))
    return (next(wanted), *faces[1:])


@AT
@pytest.mark.parametrize("claims", ["no", "yes"])
@pytest.mark.parametrize("end", ["by the rules", "by an agreed draw"])
def test_row_62_a_changed_face_is_found_when_claims_are_settled(
    table: dict[str, Any], claims: str, end: str
) -> None:
    bout = begun(table, claims=claims)
    assert bout.run(owing(Mixed))
    number, rule = bout.liar.referee.count, _ask(bout).rule
    lays(bout, changed(bout))
    if end == "by an agreed draw":
        assert bout.run(lambda b: b.liar.owes is not None)
        agreed(bout)
    bout.run()
    fault = Fault(bout.liar.seat, "entry", number, rule)
    for seat, report in zip(bout.honest, bout.reports(), strict=True):
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.outcome == seat.session.outcome
        assert report.proof is not None
        assert proof.check(report.proof, ALL_GAMES) == fault
    together = compare(bout.reports()).whole
    assert together is not None
    assert together.fault == fault


def agreed(bout: Bout) -> None:
    """The liar offers a draw, and all accept it."""
    bout.tell(bout.liar.statement(Kind.OFFER_DRAW))
    for seat in bout.honest:
        seat.session.accept_draw()
    bout.spread()


def test_row_62_a_face_changed_and_changed_back_is_found_too() -> None:
    """The hand is mixed in each of two rounds; first and last are right, and what is dead is opened too."""
    bout = begun({"seats": 2, "liar": 1}, claims="yes")
    assert bout.run(lambda b: owing(Mixed)(b) and len(_ask(b).old) == 3)
    number = bout.liar.referee.count
    lays(bout, (1, 2, 2))
    assert bout.run(lambda b: owing(Mixed)(b) and len(_ask(b).old) == 3)
    lays(bout, (3, 2, 1))
    bout.run()
    (report,) = bout.reports()
    assert (report.verdict, report.fault) == (
        Verdict.CHEATED,
        Fault(1, "entry", number, "swapped a card of its hand"),
    )


@AT
def test_what_was_mixed_is_opened_as_it_was_laid_again(table: dict[str, Any]) -> None:
    """The face under the old slot, with its salt, opens nothing any more."""
    bout = begun(table)
    assert bout.run(owing(Opening))
    owed = bout.liar.owes
    assert owed is not None
    assert isinstance(owed.ask, Open)
    old = owed.ask.slot - 500
    fault = Fault(bout.liar.seat, "entry", bout.liar.referee.count, "wrong-opening")
    opening = Opening(
        bout.liar.session.known[old], bout.liar.secrets.salt(bout.begun.id, bout.liar.seat, old)
    )
    bout.lie([bout.liar.entry(opening)])
    for report in bout.reports():
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)


@AT
def test_what_is_still_closed_of_a_mix_is_revealed_whole(table: dict[str, Any]) -> None:
    """A REVEAL of the new slots only is one opening short."""
    bout = begun(table)
    assert bout.run(lambda b: b.liar.seat in b.liar.referee.unsettled)
    liar = bout.liar
    openings = replies.openings(liar.secrets, liar.referee, liar.seat, liar.session.known)
    due = liar.referee.table.ledger.due(liar.seat, liar.referee.count)
    kept = tuple(opening for slot, opening in zip(due, openings, strict=True) if slot >= 500)
    assert kept != openings
    fault = Fault(liar.seat, "statement", liar.referee.count, "wrong-count")
    bout.lie([liar.statement(Kind.REVEAL, (0, kept))])
    for report in bout.reports():
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)


# Honest players


def test_a_player_can_lay_again_only_what_it_has() -> None:
    table = Table(0, game=TOY, options={"looks": "yes"}, decide=honest)
    session = table.seats[0].session
    while not isinstance(session.referee.owed.ask if session.referee.owed else None, Mix):
        table.step()
    decision = session.decision
    assert decision is not None
    assert isinstance(decision, Commit)
    has = tuple(decision.faces)
    spare = next(face for face in range(1, 7) if face not in has)
    for wrong in ((), has[:1], (*has, has[0]), (has[0], spare), (spare, spare), "ab"):
        with pytest.raises(NotNow):
            session.decide(wrong)
    session.decide(has[::-1])
    table.play()
    assert session.outcome is not None


@pytest.mark.parametrize("seed", range(4))
def test_row_30_a_mix_is_the_same_after_a_crash_at_any_place(seed: int) -> None:
    """Chosen and not; the commitments are the same bytes, and the faces are known again."""
    options: Options = {"looks": "yes", "claims": "yes", "rounds": 2}
    whole = Table(seed, game=TOY, options=options, decide=first).play()
    crashing = Table(seed, game=TOY, options=options, decide=first)
    while crashing.step():
        for seat in crashing.seats:
            crashing.deliver(seat)
            known, decision = seat.session.known, seat.session.decision
            seat.restart()
            assert (seat.session.known, seat.session.decision) == (known, decision)
            seat.session.go_live()
    for end, other in zip(whole.seats, crashing.seats, strict=True):
        assert [e.payload for e in end.session.referee.entries] == [
            e.payload for e in other.session.referee.entries
        ]


def first(session: Any, decision: Any, _: random.Random) -> Any:
    """A decision that depends on nothing but what is asked."""
    return honest(session, decision, random.Random(str(decision)))


def test_row_63_nobody_but_its_owner_learns_an_order() -> None:
    table = Table(5, game=TOY, options={"looks": "yes"}, decide=honest).play()
    for seat in table.seats:
        others = {
            slot
            for slot, hidden in seat.session.referee.table.hidden.items()
            if hidden.seat != seat.seat and slot >= 500
        }
        revealed = others & seat.session.referee.table.faces.keys()
        assert revealed == others  # only when the claims were settled
    table = Table(5, game=TOY, options={"looks": "yes"}, decide=honest)
    while not table.seats[0].session.over:
        table.step()
        for seat in table.seats:
            open_faces = seat.session.referee.table.faces
            hidden = seat.session.referee.table.hidden
            if not seat.session.over:
                assert all(
                    slot in open_faces or hidden[slot].seat == seat.seat
                    for slot in seat.session.known
                    if slot >= 500 and slot in hidden
                )


def test_a_bag_of_256_is_mixed_in_one_message() -> None:
    old, new = tuple(range(256)), tuple(range(256, 512))
    game = Scripted([Commit(0, old, range(128))], [Mix(0, old, new, "changed")])
    table = Table(1, game=game, decide=honest_scripted).play()
    for seat in table.seats:
        assert seat.session.outcome is not None
        assert seat.session.outcome.reason == "draw"
        faces = seat.session.referee.table.faces
        assert sorted(faces[slot] for slot in old) == sorted(faces[slot] for slot in new)
        assert [faces[slot] for slot in old] != [faces[slot] for slot in new]


def honest_scripted(_: Any, decision: Any, rng: random.Random) -> Any:
    return tuple(rng.choice(list(decision.faces)) for _ in decision.slots)


def test_row_63_the_program_s_order_shows_in_nothing_but_the_faces() -> None:
    """All orders of three come about equally often, over matches."""
    seen: dict[tuple[int, ...] | None, int] = {}
    ask, own = Mix(0, (1, 2, 3), (4, 5, 6), "changed"), {1: 1, 2: 2, 3: 3}
    for number in range(1200):
        secrets = MatchSecrets(number.to_bytes(32, "big"))
        order = faces_laid(secrets, bytes(32), 5, ask, own)
        seen[order] = seen.get(order, 0) + 1
    assert len(seen) == 6
    assert all(130 < count < 270 for count in seen.values())
