"""Cheats with cards under keys: each is refused at the move by all others, and blamed on its signer.

Matches of three to five seats are played to the moment of the lie; then each lie is told there anew.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from typing import Final, cast

import pytest

from p2p_stratego.core.game import Choose, Commit, Mix, Shuffle
from protocol.audit import proof
from protocol.audit.proof import Fault
from protocol.audit.verdict import ProofPolicy, Verdict, audit
from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.received import written
from protocol.crypto.proofs import card, membership, move, opening, shuffle, tokens, verification
from protocol.crypto.proofs import keys as possession
from protocol.crypto.proofs.card import Card, joined, unchecked
from protocol.crypto.proofs.party import Prover
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Violation
from protocol.record.asks.base import Obligation, Table
from protocol.record.asks.choose import Choice
from protocol.record.asks.proofs.ground import card_under
from protocol.record.asks.proofs.keys import Keys
from protocol.record.asks.proofs.laid import Laid
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled, subject
from protocol.record.asks.proofs.tokens import Tokens, wanted
from protocol.record.asks.registry import CODEC
from protocol.wire.messages import Message
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.crypto.proved import hold
from tests.helpers.games.cups import CUPS, GAMES, SAID
from tests.helpers.games.players import honest

Lie = Callable[["Moment"], Message]
UNSOUND: Final = {
    "identity": bytes(32),
    "negative": bytes.fromhex("01" + "00" * 31),
    "not canonical": bytes.fromhex("ed" + "ff" * 30 + "7f"),
    "bit 255": bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2df6"),
    "off the curve": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
}


class Moment:
    """A match up to the message that the liar owes; the lies that are told there are forgotten again."""

    def __init__(self, seats: int, until: Callable[[Obligation], bool], liar: int = 1) -> None:
        self.bout = Bout(seats, game=CUPS, seats=seats, liar=liar, decide=honest)
        assert self.bout.run(lambda b: (owed := b.liar.owes) is not None and until(owed))
        for seat in self.bout.honest:
            seat.persist()
        self._kept = [len(seat.log) for seat in self.bout.honest]

    @property
    def table(self) -> Table:
        return self.bout.liar.referee.table

    @property
    def owed(self) -> Obligation:
        owed = self.bout.liar.owes
        assert owed is not None
        return owed

    @property
    def who(self) -> Prover:
        """The liar as a prover."""
        return self.bout.liar.prover

    def elsewhere(self, serial: int = 0, seat: int = 0, game: bytes = b"") -> Prover:
        """The liar with its key in another Ask, seat or match."""
        return self.bout.liar.elsewhere(serial, seat, game)

    @property
    def own(self) -> dict[int, int]:
        return self.bout.liar.session.known

    def assert_refused(self, lie: Lie, rule: str) -> None:
        """All honest seats refuse the lie and blame the liar by this rule; their proofs say the same."""
        message = lie(self)
        number, seat = self.bout.liar.referee.count, self.bout.liar.seat
        for witness, kept in zip(self.bout.honest, self._kept, strict=True):
            del witness.log[kept:]
            witness.restart()
            witness.session.go_live()
            witness.persist()
            del witness.log[kept:]
        for refusal in self.bout.lie([self.bout.liar.entry(message)]):
            assert isinstance(refusal, Violation)
            assert (refusal.seat, refusal.rule, refusal.number) == (seat, rule, number)
        data = self.bout.honest[0].transcript
        report = audit(data, GAMES, every_signature=True, proving=ProofPolicy(hold=hold))
        fault = Fault(seat, "entry", number, rule)
        assert (report.verdict, report.fault) == (Verdict.CHEATED, fault)
        assert report.proof is not None
        assert proof.check(report.proof, GAMES) == fault


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All seats of a test live in one process: a proof that one of them has checked holds for all."""
    monkeypatch.setattr(verification, "REMEMBERED", 100_000)
    with keeping():
        yield


def owes(
    message: type[Message], part: type = object, seat: int | None = None
) -> Callable[[Obligation], bool]:
    return lambda owed: owed.message is message and isinstance(owed.part, part) and seat in (None, owed.seat)


@cache
def moment(name: str) -> Moment:
    """The moments at which lies are told; each is played to once."""
    seats, until = {
        "key": (3, owes(Keys)),
        "shuffle": (3, owes(Shuffled, Shuffle)),
        "mix": (3, owes(Shuffled, Mix)),
        "exact set": (4, owes(Shuffled, Commit)),
        "draw": (5, owes(Tokens)),
        "free choice": (3, owes(Laid)),
        "show": (4, owes(Moved)),
        "claim": (3, owes(Proved)),
        "open": (5, owes(Opened)),
        "choice": (3, owes(Choice)),
    }[name]
    return Moment(seats, until)


def truth(m: Moment) -> Message:
    return m.bout.liar.truth()


# Messages that are no messages


@pytest.mark.parametrize("point", UNSOUND)
@pytest.mark.parametrize("name", ["key", "shuffle", "draw", "free choice", "show"])
def test_what_is_no_point_is_no_message(name: str, point: str) -> None:
    def lie(m: Moment) -> Message:
        message = truth(m)
        field = "key" if isinstance(message, Keys) else "tokens" if isinstance(message, Tokens) else "cards"
        whole = getattr(message, field)
        return replace(message, **{field: UNSOUND[point] + whole[32:]})  # type: ignore[type-var]

    moment(name).assert_refused(lie, "not-a-message")


@pytest.mark.parametrize("name", ["key", "shuffle", "draw", "free choice", "show", "claim", "open"])
@pytest.mark.parametrize("length", ["a byte too few", "a unit too few", "a unit too many"])
def test_a_field_of_another_length_is_no_message(name: str, length: str) -> None:
    def lie(m: Moment) -> Message:
        message = truth(m)
        field = next(name for name in ("proofs", "proof") if hasattr(message, name))
        whole = getattr(message, field)
        unit = 96 if isinstance(message, Moved) else 64
        cut = {"a byte too few": whole[:-1], "a unit too few": whole[:-unit]}
        return replace(message, **{field: cut.get(length, whole + bytes(unit))})  # type: ignore[type-var]

    moment(name).assert_refused(lie, "not-a-message")


@pytest.mark.parametrize("name", ["key", "shuffle", "draw", "free choice", "show", "claim", "open"])
def test_a_scalar_with_another_encoding_is_no_message(name: str) -> None:
    def lie(m: Moment) -> Message:
        message = truth(m)
        field = next(name for name in ("proofs", "proof") if hasattr(message, name))
        whole = getattr(message, field)
        last = int.from_bytes(whole[-32:], "little") + ORDER
        return replace(message, **{field: whole[:-32] + last.to_bytes(32, "little")})  # type: ignore[type-var]

    moment(name).assert_refused(lie, "not-a-message")


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("key", "wrong-key"),
        ("shuffle", "wrong-shuffle"),
        ("mix", "wrong-shuffle"),
        ("exact set", "wrong-shuffle"),
        ("draw", "wrong-token"),
        ("free choice", "impossible-face"),
        ("show", "wrong-move"),
        ("claim", "false-word"),
        ("open", "wrong-opening"),
    ],
)
def test_every_scalar_of_a_proof_counts(name: str, rule: str) -> None:
    """The first and the last of every message; those of each construction are changed in its own tests."""

    def spoilt(at: int) -> Lie:
        def lie(m: Moment) -> Message:
            message = truth(m)
            field = next(name for name in ("proofs", "proof") if hasattr(message, name))
            parts = [getattr(message, field)[i : i + 32] for i in range(0, len(getattr(message, field)), 32)]
            place = at if at < 0 or not isinstance(message, Shuffled) else 2 * len(message.cards) // 64
            parts[place] = written((int.from_bytes(parts[place], "little") + 1) % ORDER)
            return replace(message, **{field: b"".join(parts)})  # type: ignore[type-var]

        return lie

    for at in (0, -1):
        moment(name).assert_refused(spoilt(at), rule)


def test_what_is_no_message_goes_before_a_false_proof_of_an_earlier_card() -> None:
    """The first of four cards is proved falsely, and the last scalar has its second form."""
    bout = Bout(1, liar=1, proofs=True)
    assert bout.run(owing(Laid))
    message = bout.liar.truth()
    assert isinstance(message, Laid)
    assert len(message.cards) > 64
    last = (int.from_bytes(message.proofs[-32:], "little") + ORDER).to_bytes(32, "little")
    false = replace(message, proofs=bytes(32) + message.proofs[32:-32] + last)
    (refusal,) = bout.lie([bout.liar.entry(false)])
    assert isinstance(refusal, Violation)
    assert refusal.rule == "not-a-message"


def test_row_72_a_key_that_makes_a_public_card_the_identity_disturbs_nobody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Computed points may be the identity: M(20) + Y = 0 in the set that the liar lays."""
    bout = Bout(1, game=CUPS, liar=1, decide=honest)
    monkeypatch.setattr(bout.liar.secrets, "deck_key", lambda *_: ORDER - 21)
    bout.run()
    assert {seat.session.fault for seat in bout.honest} == {None}
    assert bout.liar.referee.outcome is not None


def test_another_message_than_the_one_owed_shows_nobody_a_card() -> None:
    """Tokens that no Ask wants would let somebody peek."""

    def lie(m: Moment) -> Message:
        hidden = next(slot for slot, secret in m.table.hidden.items() if secret.seat is None)
        return Tokens(*tokens.give(m.who, [card_under(m.table, hidden).a]))

    moment("show").assert_refused(lie, "wrong-message")
    moment("choice").assert_refused(lie, "wrong-message")


# Keys


def cancelling(m: Moment) -> Message:
    """A key of one's own less all others': its owner alone would read every card."""
    earlier = group().base(0)
    for key in m.table.cards.keys.values():
        earlier = group().add(earlier, key)
    key = group().subtract(group().base(5), earlier)
    return Keys(key, possession.prove(m.who.party.ctx, 5, m.who.nonces)[1], b"")


KEYS: Final[dict[str, Lie]] = {
    "another's": lambda m: Keys(m.table.cards.keys[0], cast("Keys", truth(m)).proof, b""),
    "another's, with its proof": lambda m: Keys(*_first(m, Keys)),
    "cancelling the others": cancelling,
    "of another seat": lambda m: Keys(*_keys(m.elsewhere(seat=1)), b""),
    "of another match": lambda m: Keys(*_keys(m.elsewhere(game=bytes(32))), b""),
}


def _keys(who: Prover) -> tuple[bytes, bytes]:
    return possession.prove(who.party.ctx, who.x, who.nonces)


def _first(m: Moment, kind: type[Message]) -> list[bytes]:
    messages = (CODEC.parse(entry.message) for entry in m.bout.liar.referee.entries)
    message = next(message for message in messages if isinstance(message, kind))
    names: tuple[str, ...] = type(message).__slots__
    return [getattr(message, name) for name in names]


@pytest.mark.parametrize("lie", KEYS)
def test_a_key_without_its_secret_is_refused(lie: str) -> None:
    moment("key").assert_refused(KEYS[lie], "wrong-key")


# Shuffles


def cards_of(m: Moment) -> tuple[bytes, tuple[Card, ...]]:
    return subject(m.table, m.bout.liar.seat, cast("Shuffle", m.owed.part))


def with_cards(m: Moment, change: Callable[[list[Card]], list[Card]]) -> Message:
    message = cast("Shuffled", truth(m))
    return replace(message, cards=joined(change(list(unchecked(message.cards)))))


def made(m: Moment, before: tuple[Card, ...], key: bytes | None = None, who: Prover | None = None) -> Message:
    """An honest shuffle of something else."""
    own_key, _ = cards_of(m)
    ctx = (who or m.who).party.ctx
    return Shuffled(*shuffle.shuffle(ctx, key or own_key, before, m.who.nonces))


SHUFFLES: Final[dict[str, Lie]] = {
    "a card twice": lambda m: with_cards(m, lambda cards: [cards[1], *cards[1:]]),
    "two exchanged": lambda m: with_cards(m, lambda cards: [cards[1], cards[0], *cards[2:]]),
    "a card replaced": lambda m: with_cards(m, lambda c: [card.public(9, cards_of(m)[0]), *c[1:]]),
    "a card twice, proved honestly": lambda m: made(m, (cards_of(m)[1][1], *cards_of(m)[1][1:])),
    "another card, proved honestly": lambda m: made(m, (card.public(9, cards_of(m)[0]), *cards_of(m)[1][1:])),
    "the input as output": lambda m: replace(cast("Shuffled", truth(m)), cards=joined(cards_of(m)[1])),
    "under another key": lambda m: made(m, cards_of(m)[1], key=group().base(7)),
    "of another Ask": lambda m: made(m, cards_of(m)[1], who=m.elsewhere(serial=1)),
    "of another seat": lambda m: made(m, cards_of(m)[1], who=m.elsewhere(seat=1)),
    "of another match": lambda m: made(m, cards_of(m)[1], who=m.elsewhere(game=bytes(32))),
}


@pytest.mark.parametrize("lie", SHUFFLES)
@pytest.mark.parametrize("name", ["shuffle", "mix", "exact set"])
def test_a_crooked_shuffle_is_refused(name: str, lie: str) -> None:
    moment(name).assert_refused(SHUFFLES[lie], "wrong-shuffle")


def test_a_shuffle_that_leaves_a_card_out_is_no_message() -> None:
    moment("shuffle").assert_refused(lambda m: made(m, cards_of(m)[1][1:]), "not-a-message")


def test_the_shuffle_of_another_seat_told_again_is_refused() -> None:
    moment("shuffle").assert_refused(lambda m: Shuffled(*_first(m, Shuffled)), "wrong-shuffle")


# Tokens


def firsts(m: Moment) -> list[bytes]:
    asked = wanted(m.table, m.owed.part)
    return [asked_card.a for asked_card, viewer in asked if viewer != m.bout.liar.seat]


def tokens_with(m: Moment, change: Callable[[list[bytes]], list[bytes]]) -> Message:
    message = cast("Tokens", truth(m))
    tokens = [message.tokens[i : i + 32] for i in range(0, len(message.tokens), 32)]
    return Tokens(b"".join(change(tokens)), message.proof)


def tokens_for(m: Moment, points: list[bytes], who: Prover | None = None) -> Message:
    return Tokens(*tokens.give(who or m.who, points))


TOKENS: Final[dict[str, Lie]] = {
    "exchanged": lambda m: tokens_with(m, lambda t: [t[1], t[0], *t[2:]]),
    "one of them false": lambda m: tokens_with(m, lambda t: [*t[:-1], group().add(t[-1], group().base(1))]),
    "for another card": lambda m: tokens_for(m, [group().base(3), *firsts(m)[1:]]),
    "in another order, proved honestly": lambda m: tokens_for(m, firsts(m)[::-1]),
    "with another key": lambda m: tokens_for(m, firsts(m), Prover(m.who.party.ctx, 77, m.who.nonces)),
    "of another Ask": lambda m: tokens_for(m, firsts(m), m.elsewhere(serial=1)),
    "of another seat": lambda m: tokens_for(m, firsts(m), m.elsewhere(seat=1)),
}


@pytest.mark.parametrize("lie", TOKENS)
def test_false_tokens_are_refused(lie: str) -> None:
    moment("draw").assert_refused(TOKENS[lie], "wrong-token")


# Openings


def opened(m: Moment, face: int | None = None, who: Prover | None = None) -> Message:
    slot = m.owed.part.slot  # type: ignore[union-attr]
    shown = m.own[slot] if face is None else face
    return Opened(bytes((shown,)), opening.open_card(who or m.who, card_under(m.table, slot), shown))


OPENINGS: Final[dict[str, Lie]] = {
    "another face": lambda m: replace(cast("Opened", truth(m)), faces=bytes((9,))),
    "another face, proved": lambda m: opened(m, 9),
    "with another key": lambda m: opened(m, who=Prover(m.who.party.ctx, 77, m.who.nonces)),
    "of another Ask": lambda m: opened(m, who=m.elsewhere(serial=1)),
    "of another seat": lambda m: opened(m, who=m.elsewhere(seat=1)),
}


@pytest.mark.parametrize("lie", OPENINGS)
def test_a_false_opening_is_refused(lie: str) -> None:
    moment("open").assert_refused(OPENINGS[lie], "wrong-opening")


def test_a_face_that_no_game_has_is_no_message() -> None:
    moment("open").assert_refused(lambda m: replace(cast("Opened", truth(m)), faces=b"\x80"), "not-a-message")


# Moves


def shown(m: Moment, slot: int | None = None, to: bytes | None = None, who: Prover | None = None) -> Message:
    part = m.owed.part
    at = part.slots[0] if slot is None else slot  # type: ignore[union-attr]
    key = to or m.table.cards.keys[part.seat]  # type: ignore[union-attr]
    return Moved(*move.move(who or m.who, card_under(m.table, at), key))


def other_card(m: Moment) -> int:
    """The liar's second card."""
    return int(m.table.state.hands[m.bout.liar.seat][1])


def another_face(m: Moment) -> Message:
    """The card shown, plus one, with the proof of the true one."""
    message = cast("Moved", truth(m))
    (closed,) = unchecked(message.cards)
    return replace(message, cards=joined([Card(closed.a, group().add(closed.b, group().base(1)))]))


MOVES: Final[dict[str, Lie]] = {
    "another face": another_face,
    "another card": lambda m: shown(m, slot=other_card(m)),
    "to another seat": lambda m: shown(m, to=m.table.cards.keys[0]),
    "with another key": lambda m: shown(m, who=Prover(m.who.party.ctx, 77, m.who.nonces)),
    "of another Ask": lambda m: shown(m, who=m.elsewhere(serial=1)),
    "of another seat": lambda m: shown(m, who=m.elsewhere(seat=1)),
}


@pytest.mark.parametrize("lie", MOVES)
def test_a_card_that_is_shown_falsely_is_refused(lie: str) -> None:
    """Who searches cannot be shown another spy, and nobody can give or return another card than it says."""
    moment("show").assert_refused(MOVES[lie], "wrong-move")


# Claims and free choices


CLAIMS: Final[dict[str, Lie]] = {
    "of other pairs": lambda m: Proved(
        cast("Proved", truth(m)).proof[64:] + cast("Proved", truth(m)).proof[:64]
    ),
    "of another Ask": lambda m: Proved(
        membership.prove(
            m.elsewhere(serial=1),
            [card_under(m.table, slot) for slot in m.owed.part.slots],  # type: ignore[union-attr]
            m.owed.part.tuples,  # type: ignore[union-attr]
            0,
        )
    ),
    "simulated": lambda m: Proved(
        membership.prove(
            m.who,
            [card_under(m.table, slot) for slot in m.owed.part.slots],  # type: ignore[union-attr]
            m.owed.part.tuples,  # type: ignore[union-attr]
            1 if m.owed.part.tuples[0] == tuple(m.own[s] for s in m.owed.part.slots) else 0,  # type: ignore[union-attr]
        )
    ),
}


@pytest.mark.parametrize("lie", CLAIMS)
def test_a_false_claim_has_no_proof(lie: str) -> None:
    moment("claim").assert_refused(CLAIMS[lie], "false-word")


def test_a_player_whose_word_is_false_can_only_be_silent() -> None:
    """Its own program finds no proof; whatever it sends instead is refused."""
    seat = 1

    def crook(session: object, decision: object, rng: object) -> object:
        message = honest(session, decision, rng)  # type: ignore[arg-type]
        if isinstance(decision, Choose) and decision.options == SAID:
            return SAID[1 - SAID.index(str(message))]
        return message

    bout = Bout(3, game=CUPS, seats=3, liar=seat, decide=honest, crook=crook)  # type: ignore[arg-type]
    assert bout.run(lambda b: b.liar.owes is not None and b.liar.owes.message is Proved)
    owed = bout.liar.owes
    assert owed is not None
    with pytest.raises(AssertionError):
        bout.liar.truth()
    junk = Proved(written(*range(1, 2 * len(owed.part.tuples) + 1)))  # type: ignore[union-attr]
    for refusal in bout.lie([bout.liar.entry(junk)]):
        assert isinstance(refusal, Violation)
        assert (refusal.seat, refusal.rule) == (seat, "false-word")


def laid(m: Moment, face: int) -> Message:
    """A face that was not allowed, with proofs for one that was."""
    part = cast("Commit", m.owed.part)
    faces = tuple((mark,) for mark in sorted(part.faces))
    closed = Card(group().base(5), group().add(card.marker(face), group().multiply(5, m.who.party.key)))
    return Laid(joined([closed]), membership.prove(m.who, (closed,), faces, 0))


def test_a_card_outside_the_choice_cannot_be_laid() -> None:
    moment("free choice").assert_refused(lambda m: laid(m, 9), "impossible-face")
    moment("free choice").assert_refused(lambda m: Laid(*_first(m, Laid)), "impossible-face")
