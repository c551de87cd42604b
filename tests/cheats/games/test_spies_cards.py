"""What a program can prove falsely in SPIES!, in matches between real ends; see test_spies.py."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final, cast

import pytest

from protocol.crypto.group.backend import ORDER, group
from protocol.crypto.group.received import written
from protocol.crypto.proofs import card, move, opening, shuffle, tokens, verification
from protocol.crypto.proofs import keys as possession
from protocol.crypto.proofs.card import Card, joined, unchecked
from protocol.crypto.proofs.party import Prover
from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.choose import Choice
from protocol.record.asks.proofs.ground import card_under
from protocol.record.asks.proofs.keys import Keys
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled, subject
from protocol.record.asks.proofs.tokens import Tokens, wanted
from protocol.record.asks.together import ShownChoice
from protocol.wire.messages import Message
from tests.helpers.cheats.spies import Cut, cut


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All seats of a test live in one process: a proof that one of them has checked holds for all."""
    monkeypatch.setattr(verification, "REMEMBERED", 100_000)
    with keeping():
        yield


# What their programs prove

Lie = Callable[[Cut], Message]


def truth(match: Cut) -> Message:
    return match.liar.truth()


def but(field: str, change: Callable[[Cut, bytes], bytes]) -> Lie:
    """The true message with one field changed."""

    def lie(match: Cut) -> Message:
        message = truth(match)
        return replace(message, **{field: change(match, getattr(message, field))})  # type: ignore[type-var]

    return lie


def before(match: Cut) -> tuple[bytes, tuple[Card, ...]]:
    """The key and the cards of the shuffle that is owed."""
    owed = match.liar.owes
    assert owed is not None
    return subject(match.liar.referee.table, match.liar.seat, cast("Any", owed.part))


def shuffled(change: Callable[[bytes, tuple[Card, ...]], tuple[Card, ...]]) -> Lie:
    """An honest shuffle of other cards."""

    def lie(match: Cut) -> Message:
        key, cards = before(match)
        who = match.liar.prover
        return Shuffled(*shuffle.shuffle(who.party.ctx, key, change(key, cards), who.nonces))

    return lie


def changed(change: Callable[[bytes, list[Card]], list[Card]]) -> Lie:
    """The true shuffle, its cards changed afterwards."""

    def lie(match: Cut) -> Message:
        message = cast("Shuffled", truth(match))
        return replace(message, cards=joined(change(before(match)[0], list(unchecked(message.cards)))))

    return lie


SHUFFLES: Final[Mapping[str, tuple[Lie, str]]] = {
    "a card doubled": (
        shuffled(lambda _, cards: (next(closed for closed in cards if closed != cards[0]), *cards[1:])),
        "wrong-shuffle",
    ),
    "a card of its own brought in": (
        shuffled(lambda key, cards: (card.public(4, key), *cards[1:])),
        "wrong-shuffle",
    ),
    "a card shuffled away": (shuffled(lambda _, cards: cards[1:]), "not-a-message"),
    "a card doubled afterwards": (changed(lambda _, cards: [cards[1], *cards[1:]]), "wrong-shuffle"),
    "a card replaced afterwards": (
        changed(lambda key, cards: [card.public(0, key), *cards[1:]]),
        "wrong-shuffle",
    ),
    "the proof of another Ask": (
        lambda match: Shuffled(
            *shuffle.shuffle(
                match.liar.elsewhere(serial=1).party.ctx, *before(match), match.liar.prover.nonces
            )
        ),
        "wrong-shuffle",
    ),
}


@pytest.mark.parametrize(
    ("table", "lie"), [*(("three", lie) for lie in SHUFFLES), ("five", "a card doubled")]
)
def test_no_chit_is_shuffled_away_doubled_or_brought_in(table: str, lie: str) -> None:
    match = cut(table, "captured # it3", Shuffled)
    change, rule = SHUFFLES[lie]
    match.assert_caught(change(match), rule)


def laid_otherwise(key: bytes, cards: tuple[Card, ...], face: int) -> tuple[Card, ...]:
    return (card.public(face, key), *cards[1:])


@pytest.mark.parametrize(
    ("what", "at", "face"),
    [("its police", 6, 4), ("its spies", 11, 0), ("its tiles", 1, 1)],
)
def test_nobody_lays_what_is_not_exactly_its_own(what: str, at: int, face: int) -> None:
    """Police and spies are a public list in a hidden order, tiles what was drawn: rules `wrong-police`,
    `wrong-spies` and `wrong-tile` of a scenario are the false proof of a shuffle here.
    """
    match = cut("three", "", *([Shuffled] * at))
    assert match.liar.seat == 0, what
    match.assert_caught(
        shuffled(lambda key, cards: laid_otherwise(key, cards[::-1], face))(match), "wrong-shuffle"
    )


def test_police_laid_anew_are_the_same_ones() -> None:
    match = cut("three", "police", Shuffled)
    match.assert_caught(shuffled(lambda key, cards: laid_otherwise(key, cards, 4))(match), "wrong-shuffle")


def firsts(match: Cut, *, all_: bool = False) -> list[bytes]:
    owed = match.liar.owes
    assert owed is not None
    asked = wanted(match.liar.referee.table, cast("Any", owed.part))
    return [closed.a for closed, viewer in asked if all_ or viewer != match.liar.seat]


def given(
    points: Callable[[Cut], list[bytes]], who: Callable[[Cut], Prover] = lambda m: m.liar.prover
) -> Lie:
    return lambda match: Tokens(*tokens.give(who(match), points(match)))


def strange(match: Cut) -> Prover:
    """A prover with another secret than that of the liar's key."""
    return Prover(match.liar.prover.party.ctx, 77, match.liar.prover.nonces)


TOKENS: Final[Mapping[str, Lie]] = {
    "with another key": given(firsts, strange),
    "for another card": given(lambda m: [group().base(3), *firsts(m)[1:]]),
    "of another Ask": given(firsts, lambda m: m.liar.elsewhere(serial=1)),
    "of another seat": given(firsts, lambda m: m.liar.elsewhere(seat=1)),
    "of another match": given(firsts, lambda m: m.liar.elsewhere(game=bytes(32))),
    "one of them moved": but("tokens", lambda _, data: group().add(data[:32], group().base(1)) + data[32:]),
}


@pytest.mark.parametrize(
    ("table", "lie"), [*(("three", lie) for lie in TOKENS), ("five", "with another key")]
)
def test_a_false_share_of_a_decryption_is_refused(table: str, lie: str) -> None:
    match = cut(table, "tile 2", Opened, Tokens)
    match.assert_caught(TOKENS[lie](match), "wrong-token")


@pytest.mark.parametrize(("line", "kind"), [("discovery ge1 prague", Choice), ("police", Shuffled)])
def test_tokens_for_a_peep_are_no_answer_to_anything(line: str, kind: type[Message]) -> None:
    """Nobody asked for tokens of the secret that lies in prague."""
    match = cut("three", line, *([] if kind is Choice else [kind]))
    table = match.liar.referee.table
    hidden = next(slot for slot, secret in table.hidden.items() if secret.seat is None)
    match.assert_caught(
        Tokens(*tokens.give(match.liar.prover, [card_under(table, hidden).a])), "wrong-message"
    )


def moved(match: Cut, slot: int, who: Prover | None = None, to: bytes | None = None) -> Message:
    """A proof that the card under `slot` goes where the owed one should."""
    owed = match.liar.owes
    assert owed is not None
    cards = match.liar.referee.table.cards
    seat = getattr(owed.part, "seat", None)
    key = to or (cards.joint if seat is None else cards.keys[seat])
    return Moved(*move.move(who or match.liar.prover, card_under(match.liar.referee.table, slot), key))


def other(match: Cut) -> int:
    """A slot of the liar's that it is not asked about."""
    owed = match.liar.owes
    assert owed is not None
    about = cast("Any", owed.part).slots
    hidden = match.liar.referee.table.hidden
    return next(s for s, secret in hidden.items() if secret.seat == match.liar.seat and s not in about)


def asked(match: Cut) -> int:
    owed = match.liar.owes
    assert owed is not None
    (slot,) = cast("Any", owed.part).slots
    return cast("int", slot)


MOVES: Final[Mapping[str, Lie]] = {
    "another card": lambda m: moved(m, other(m)),
    "to another seat": lambda m: moved(m, asked(m), to=m.liar.prover.party.key),
    "with another key": lambda m: moved(m, asked(m), strange(m)),
    "of another Ask": lambda m: moved(m, asked(m), m.liar.elsewhere(serial=1)),
    "of another seat": lambda m: moved(m, asked(m), m.liar.elsewhere(seat=1)),
}
CARRIED: Final[Mapping[str, tuple[str, list[type[Message]]]]] = {
    "the searched spy": ("br4", [Moved]),
    "the police": ("br4", [Moved, Moved]),
    "a chit given": ("hand escape", [Moved]),
    "a chit returned": ("return papers", [Moved]),
}


@pytest.mark.parametrize(
    ("what", "lie"),
    [*(("the searched spy", lie) for lie in MOVES), *((what, "another card") for what in CARRIED)],
)
def test_another_card_is_neither_shown_nor_given_nor_returned(what: str, lie: str) -> None:
    line, kinds = CARRIED[what]
    match = cut("three", line, *kinds)
    match.assert_caught(MOVES[lie](match), "wrong-move")


def opened(face: int | None = None, who: Callable[[Cut], Prover] = lambda m: m.liar.prover) -> Lie:
    def lie(match: Cut) -> Message:
        owed = match.liar.owes
        assert owed is not None
        slot = cast("Any", owed.part).slot
        shown = match.liar.session.known[slot] if face is None else face
        card_ = card_under(match.liar.referee.table, slot)
        return Opened(bytes((shown,)), opening.open_card(who(match), card_, shown))

    return lie


OPENINGS: Final[Mapping[str, Lie]] = {
    "another face": but("faces", lambda *_: bytes((9,))),
    "another face, proved": opened(9),
    "with another key": opened(None, strange),
    "of another Ask": opened(None, lambda m: m.liar.elsewhere(serial=1)),
    "of another seat": opened(None, lambda m: m.liar.elsewhere(seat=1)),
}


@pytest.mark.parametrize(
    ("line", "lie"),
    [
        *(("tile 2", lie) for lie in OPENINGS),
        *((line, "another face") for line in ("discovery ge1 prague", "captured # br4", "not cousin")),
    ],
)
def test_nothing_is_opened_as_another_face(line: str, lie: str) -> None:
    match = cut("three", line, Opened)
    match.assert_caught(OPENINGS[lie](match), "wrong-opening")


def test_no_bid_is_changed_when_those_of_the_others_are_known() -> None:
    match = cut("four", "0: bid 20", ShownChoice)
    shown = cast("ShownChoice", truth(match))
    match.assert_caught(replace(shown, move="bid 0"), "wrong-opening")


# Keys and forms


def keys(who: Callable[[Cut], Prover]) -> Lie:
    return lambda m: Keys(*possession.prove(who(m).party.ctx, who(m).x, who(m).nonces), b"")


def cancelling(match: Cut) -> Message:
    key = group().base(5)
    for earlier in match.liar.referee.table.cards.keys.values():
        key = group().subtract(key, earlier)
    who = match.liar.prover
    return Keys(key, possession.prove(who.party.ctx, 5, who.nonces)[1], b"")


KEYS: Final[Mapping[str, Lie]] = {
    "one that cancels the others": cancelling,
    "another's": lambda m: Keys(m.liar.referee.table.cards.keys[0], cast("Keys", truth(m)).proof, b""),
    "without a proof": but("proof", lambda *_: written(1, 1)),
    "of another match": keys(lambda m: m.liar.elsewhere(game=bytes(32))),
    "of another seat": keys(lambda m: m.liar.elsewhere(seat=1)),
}


@pytest.mark.parametrize(
    ("table", "lie"),
    [*(("four", lie) for lie in KEYS), ("three", "another's"), ("five", "one that cancels the others")],
)
def test_a_key_without_its_secret_is_refused(table: str, lie: str) -> None:
    match = cut(table, "", Keys, Keys)
    match.assert_caught(KEYS[lie](match), "wrong-key")


UNSOUND: Final = {
    "identity": bytes(32),
    "negative": bytes.fromhex("01" + "00" * 31),
    "not canonical": bytes.fromhex("ed" + "ff" * 30 + "7f"),
    "bit 255": bytes.fromhex("e2f2ae0a6abc4e71a884a961c500515f58e30b6aa582dd8db6a65945e08d2df6"),
    "off the curve": bytes.fromhex("26948d35ca62e643e26a83177332e6b6afeb9d08e4268b650f1f5bbd8d81d371"),
}
FORMS: Final[Mapping[str, tuple[str, list[type[Message]], str]]] = {
    "key": ("", [Keys], "key"),
    "shuffle": ("captured # it3", [Shuffled], "cards"),
    "token": ("tile 2", [Opened, Tokens], "tokens"),
    "move": ("br4", [Moved], "cards"),
}


@pytest.mark.parametrize(("form", "point"), [*zip([*FORMS, "move"], UNSOUND, strict=True)])
def test_what_is_no_point_is_no_message(form: str, point: str) -> None:
    line, kinds, field = FORMS[form]
    match = cut("three", line, *kinds)
    match.assert_caught(but(field, lambda _, data: UNSOUND[point] + data[32:])(match), "not-a-message")


@pytest.mark.parametrize("form", [*FORMS, "opening", "claim"])
def test_a_scalar_has_one_encoding(form: str) -> None:
    forms: dict[str, tuple[str, list[type[Message]]]] = {
        "opening": ("tile 2", [Opened]),
        "claim": ("captured # br4", [Proved]),
        **{name: (line, kinds) for name, (line, kinds, _) in FORMS.items()},
    }
    line, kinds = forms[form]
    match = cut("three", line, *kinds)
    field = "proofs" if hasattr(truth(match), "proofs") else "proof"

    def second(_: Cut, data: bytes) -> bytes:
        return data[:-32] + (int.from_bytes(data[-32:], "little") + ORDER).to_bytes(32, "little")

    match.assert_caught(but(field, second)(match), "not-a-message")
