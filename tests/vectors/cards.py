"""Vectors of the group, and of everything that is proved about cards: what holds, and each way that fails."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any, Final

from protocol.crypto.group.backend import IDENTITY, ORDER, group
from protocol.crypto.group.hashing import to_bytes, to_point, to_scalar
from protocol.crypto.group.nonces import deck_key
from protocol.crypto.group.received import written
from protocol.crypto.proofs import card, escrow, keys, membership, move, opening, shuffle, tokens
from protocol.crypto.proofs.card import CARD_BYTES, joined, marker
from protocol.wire import labels
from protocol.wire.encoding import encode
from tests.helpers.crypto.crooked import WAYS, lie
from tests.helpers.crypto.deck import Seats
from tests.helpers.crypto.proved import CLAIM, judged
from tests.helpers.crypto.rfc9496 import INVALID, MAPPED, MULTIPLES
from tests.vectors.primitives import GAME, Vector, seed

SEATS: Final = Seats(3, "vector cards", GAME, lambda _: bytes)
"""Without random bytes, so that every run writes the same proofs."""
_DECK: Final = (4, 4, 9)

_BAD_POINTS: Final = {
    "not on the curve": bytes.fromhex(INVALID["x² is no square"][0]),
    "negative": bytes.fromhex(INVALID["a negative field element"][2]),
    "not canonical": bytes.fromhex(INVALID["a field element that is not canonical"][2]),
    "the identity": IDENTITY,
}


def ristretto() -> Vector:
    """The group: RFC 9496's own vectors, and the hashes of section 2 of the page on decks."""
    return {
        "multiples of G": list(MULTIPLES),
        "bad points": [{"point": point, "why": why} for why, points in INVALID.items() for point in points]
        + [
            {"point": IDENTITY.hex(), "why": "the identity"},
            *(
                {"point": _high(bytes.fromhex(point)).hex(), "why": "bit 255 is set"}
                for point in MULTIPLES[1:4]
            ),
        ],
        "one-way map": [
            {"digest": hashlib.sha512(text.encode()).hexdigest(), "point": point} for text, point in MAPPED
        ],
        "bad scalars": [
            {"scalar": number.to_bytes(32, "little").hex(), "why": why}
            for number, why in (
                (ORDER, "L"),
                (ORDER + 1, "L + 1"),
                (2**255 + 1, "bit 255 is set"),
                (2**256 - 1, "the highest number"),
            )
        ],
        "scalars": [
            {
                "label": label.decode(),
                "value": b"ab".hex(),
                "encoding": encode(b"ab").hex(),
                "scalar": written(to_scalar(label)(b"ab")).hex(),
            }
            for label in _SCALAR_LABELS
        ],
        "generators": [to_point(labels.SHUFFLE_GENERATOR)((i,)).hex() for i in range(5)],
        "pad": {"game": GAME.hex(), "serial": 3, "dealer": 1, "receiver": 2, "shared": group().base(5).hex()}
        | {"hash": to_bytes(labels.ESCROW_PAD)(((GAME, 3, 1), 2, group().base(5))).hex()},
        "faces": [{"face": face, "point": marker(face).hex()} for face in (0, 1, 9, 127)],
        "deck keys": [
            {"master": seed("vector master").hex(), "game": GAME.hex(), "seat": seat}
            | {"secret": written(deck_key(seed("vector master"), GAME, seat)).hex()}
            for seat in range(3)
        ],
    }


_SCALAR_LABELS: Final = (
    labels.PROOF_KEY,
    labels.PROOF_SHUFFLE,
    labels.SHUFFLE_SEED,
    labels.SHUFFLE_CHALLENGE,
    labels.PROOF_TOKENS,
    labels.TOKEN_WEIGHTS,
    labels.TOKEN_WEIGHT,
    labels.PROOF_OPENING,
    labels.PROOF_MOVE,
    labels.PROOF_MEMBER,
    labels.PROOF_ESCROW,
)


def cards() -> Vector:
    """For each kind of proof those that hold, and changes of the first that do not, with the rule broken.

    The first complaint is well made; still it never holds, but shows which of two seats cheated.
    """
    vectors: Vector = {}
    for kind, make in _KINDS.items():
        good, changes = make()
        bad = []
        for rule, why, change in changes:
            wrong = {**good[0], **change}
            if judged(kind, wrong) != rule:
                raise RuntimeError(f"{kind}: {why} is {judged(kind, wrong)}, not {rule}")
            bad.append({"why": why, "rule": rule, "change": shown(change)})
        vectors[kind] = {"good": [shown(fields) for fields in good], "bad": bad}
    return vectors


def shown(value: Any) -> Any:
    """Bytes as hex within dictionaries and lists; everything else as it is."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {name: shown(part) for name, part in value.items()}
    return [shown(part) for part in value] if isinstance(value, list | tuple) else value


def _high(point: bytes) -> bytes:
    return point[:31] + bytes((point[31] | 128,))


Change = tuple[str, str, dict[str, Any]]
Made = tuple[list[dict[str, Any]], list[Change]]


def _where(serial: int, seat: int) -> dict[str, Any]:
    return {"game": GAME, "serial": serial, "seat": seat}


def _who(serial: int, seat: int) -> dict[str, Any]:
    return {**_where(serial, seat), "key": SEATS.keys[seat]}


def _elsewhere(rule: str, fields: dict[str, Any]) -> Iterator[Change]:
    yield rule, "another match", {"game": seed("another game")}
    yield rule, "another Ask", {"serial": fields["serial"] + 1}
    yield rule, "another seat", {"seat": (fields["seat"] + 1) % 3}
    yield rule, "another seat's key", {"key": SEATS.keys[(fields["seat"] + 1) % 3]}


def _scalars(rule: str, field: str, data: bytes, start: int = 0) -> Iterator[Change]:
    """Every scalar in `data` from `start` on changed, and in its second form; a byte more or less."""
    for place in range(start, len(data), 32):
        number = int.from_bytes(data[place : place + 32], "little")
        for other, broken, why in (
            (number ^ 1, rule, "changed"),
            (number + ORDER, "not-a-message", "and L"),
        ):
            spoilt = data[:place] + other.to_bytes(32, "little") + data[place + 32 :]
            yield broken, f"scalar {(place - start) // 32} of {field} {why}", {field: spoilt}
    yield "not-a-message", f"a byte of {field} too few", {field: data[:-1]}
    yield "not-a-message", f"a byte of {field} too many", {field: data + b"\0"}


def _points(field: str, data: bytes, places: tuple[int, ...]) -> Iterator[Change]:
    for place in places:
        for why, point in {**_BAD_POINTS, "bit 255": _high(data[32 * place : 32 * place + 32])}.items():
            spoilt = data[: 32 * place] + point + data[32 * place + 32 :]
            yield "not-a-message", f"point {place} of {field}: {why}", {field: spoilt}


def _keys() -> Made:
    good = []
    for seat in range(3):
        ctx = SEATS.context(0, seat)
        key, proof = keys.prove(ctx, SEATS.secrets[seat], SEATS.nonces[seat])
        good.append({**_where(0, seat), "key": key, "proof": proof, "earlier": SEATS.keys[:seat]})
    fields = good[0]
    others = group().add(SEATS.keys[1], SEATS.keys[2])
    cancelling = group().subtract(SEATS.keys[0], others)
    bad: list[Change] = [
        *_scalars("wrong-key", "proof", fields["proof"]),
        *_points("key", fields["key"], (0,)),
        ("wrong-key", "without proof", {"proof": bytes(64)}),
        ("wrong-key", "a key that cancels the others", {"key": cancelling}),
        ("wrong-key", "equal to an earlier key", {"earlier": [fields["key"]]}),
        ("wrong-key", "another match", {"game": seed("another game")}),
        ("wrong-key", "another Ask", {"serial": 1}),
        ("wrong-key", "another seat", {"seat": 1}),
        ("wrong-key", "another's key", {"key": SEATS.keys[1]}),
    ]
    return good, bad


def _shuffles() -> Made:
    good = []
    deck = SEATS.deck(_DECK)
    for seat in range(2):
        ctx = SEATS.context(1, seat)
        after, proof = shuffle.shuffle(ctx, SEATS.joint, deck, SEATS.nonces[seat])
        good.append(
            {**_where(1, seat), "key": SEATS.joint, "before": joined(deck), "after": after, "proof": proof}
        )
        deck = card.unchecked(after)
    own = tuple(card.public(face, SEATS.keys[2]) for face in (0, 127))
    ctx = SEATS.context(9, 2)
    after, proof = shuffle.shuffle(ctx, SEATS.keys[2], own, SEATS.nonces[2])
    good.append({**_who(9, 2), "before": joined(own), "after": after, "proof": proof})
    fields = good[0]
    bad: list[Change] = []
    for why, (way, rule) in WAYS.items():
        forged = way(lie(SEATS.context(1, 0), SEATS.joint, SEATS.deck(_DECK), Random(why)))
        bad.append((rule, why, {**_where(*forged.ctx[1:]), **forged._asdict()}))
    bad = [(rule, why, {k: v for k, v in change.items() if k != "ctx"}) for rule, why, change in bad]
    m = len(_DECK)
    bad += _scalars("wrong-shuffle", "proof", fields["proof"], 64 * m)
    bad += _points("proof", fields["proof"], (0, m))
    bad += _points("after", fields["after"], (0, 2 * m - 1))
    bad += [
        *_elsewhere("wrong-shuffle", fields),
        ("wrong-shuffle", "another input", {"before": fields["after"]}),
        ("wrong-shuffle", "the input as output", {"after": fields["before"]}),
        ("not-a-message", "a card too few", {"after": fields["after"][:-CARD_BYTES]}),
    ]
    return good, bad


def _tokens() -> Made:
    deck = SEATS.shuffled(SEATS.deck(_DECK))
    good = []
    for count in (2, 1):
        firsts = [closed.a for closed in deck[:count]]
        given, proof = tokens.give(SEATS.prover(2, 1), firsts)
        good.append({**_who(2, 1), "firsts": firsts, "tokens": given, "proof": proof})
    fields = good[0]
    given = fields["tokens"]
    other, _ = tokens.give(SEATS.prover(2, 2), fields["firsts"])
    bad: list[Change] = [
        *_scalars("wrong-token", "proof", fields["proof"]),
        *_points("tokens", given, (0, 1)),
        *_elsewhere("wrong-token", fields),
        ("wrong-token", "for another card", {"firsts": [fields["firsts"][0], deck[2].a]}),
        ("wrong-token", "exchanged", {"tokens": given[32:] + given[:32]}),
        ("wrong-token", "cards in another order", {"firsts": fields["firsts"][::-1]}),
        (
            "wrong-token",
            "both in another order",
            {"firsts": fields["firsts"][::-1], "tokens": given[32:] + given[:32]},
        ),
        ("wrong-token", "one of two false", {"tokens": given[:32] + other[32:]}),
        ("wrong-token", "another seat's", {"tokens": other}),
        ("wrong-token", "errors that cancel each other", {"tokens": _cancelling(given)}),
        ("not-a-message", "a token too few", {"tokens": given[:32]}),
    ]
    return good, bad


def _cancelling(given: bytes) -> bytes:
    """Tokens whose sum is right."""
    g = group()
    return g.add(given[:32], g.base(5)) + g.subtract(given[32:], g.base(5))


def _openings() -> Made:
    good = []
    for face in (9, 0, 127):
        own = SEATS.own(1, face)
        proof = opening.open_card(SEATS.prover(3, 1), own, face)
        good.append({**_who(3, 1), "card": joined((own,)), "face": face, "proof": proof})
    fields = good[0]
    bad: list[Change] = [
        *_scalars("wrong-opening", "proof", fields["proof"]),
        *_elsewhere("wrong-opening", fields),
        ("wrong-opening", "another face", {"face": 8}),
        ("wrong-opening", "another card of the same face", {"card": joined((SEATS.own(1, 9, 5),))}),
        ("wrong-opening", "another seat's card", {"card": joined((SEATS.own(2, 9),))}),
        ("not-a-message", "a face too high", {"face": 128}),
    ]
    return good, bad


def _moves() -> Made:
    good = []
    for to in (SEATS.keys[2], SEATS.joint):
        own = SEATS.own(1, 9)
        moved, proof = move.move(SEATS.prover(4, 1), own, to)
        good.append({**_who(4, 1), "card": joined((own,)), "to": to, "moved": moved, "proof": proof})
    fields = good[0]
    another, _ = move.move(SEATS.prover(4, 1), SEATS.own(1, 8), SEATS.keys[2])
    fresh, _ = move.move(Seats(3, "vector cards", GAME).prover(4, 1), SEATS.own(1, 9), SEATS.keys[2])
    bad: list[Change] = [
        *_scalars("wrong-move", "proof", fields["proof"]),
        *_points("moved", fields["moved"], (0, 1)),
        *_elsewhere("wrong-move", fields),
        ("wrong-move", "another face", {"moved": another}),
        ("wrong-move", "the same face anew", {"moved": fresh}),
        ("wrong-move", "to another key", {"to": SEATS.joint}),
        ("wrong-move", "of another card", {"card": joined((SEATS.own(1, 9, 5),))}),
        ("wrong-move", "the card as it was", {"moved": fields["card"]}),
        ("not-a-message", "a point too few", {"moved": fields["moved"][:32]}),
    ]
    return good, bad


def _claims() -> Made:
    good = []
    for faces, tuples, true in (
        ((3, 5), ((3, 5), (3, 6), (4, 5)), 0),
        ((7,), tuple((face,) for face in range(12)), 7),
        ((1, 1, 2), ((1, 1, 2),), 0),
    ):
        own = [SEATS.own(1, face, place) for place, face in enumerate(faces)]
        proof = membership.prove(SEATS.prover(5, 1), own, tuples, true)
        good.append(
            {**_who(5, 1), "cards": joined(own), "tuples": [bytes(point) for point in tuples], "proof": proof}
        )
    fields = good[0]
    other = [SEATS.own(1, face, 9) for face in (3, 6)]
    false = membership.prove(
        SEATS.prover(5, 1), [SEATS.own(1, 3, 0), SEATS.own(1, 7, 1)], ((3, 5), (3, 6)), 0
    )
    bad: list[Change] = [
        *_scalars(CLAIM, "proof", fields["proof"]),
        *_elsewhere(CLAIM, fields),
        (CLAIM, "tuples in another order", {"tuples": fields["tuples"][::-1]}),
        (CLAIM, "other tuples", {"tuples": [b"\3\6", b"\3\7", b"\4\5"]}),
        (CLAIM, "cards in another order", {"cards": fields["cards"][64:] + fields["cards"][:64]}),
        (CLAIM, "other cards", {"cards": joined(other)}),
        ("not-a-message", "shortened", {"tuples": fields["tuples"][:2]}),
        (CLAIM, "shortened with its proof", {"tuples": fields["tuples"][:2], "proof": fields["proof"][:128]}),
        (CLAIM, "false", {"tuples": [b"\3\5", b"\3\6"], "proof": false}),
    ]
    return good, bad


def _deal(seat: int, threshold: int) -> dict[str, Any]:
    committed, ephemeral, pads = escrow.deal(SEATS.prover(0, seat), SEATS.share_keys, threshold)
    return {
        **_who(0, seat),
        "seats": 3,
        "threshold": threshold,
        "commitments": committed,
        "ephemeral": ephemeral,
        "pads": pads,
    }


_DEALT: Final = [_deal(0, 2), _deal(2, 2)]


def _deals() -> Made:
    fields = _DEALT[0]
    bad: list[Change] = [
        *_scalars("wrong-share", "ephemeral", fields["ephemeral"], 32),
        *_points("ephemeral", fields["ephemeral"], (0,)),
        *_points("commitments", fields["commitments"], (0,)),
        *_elsewhere("wrong-share", fields),
        ("wrong-share", "the commitments of another", {"commitments": _DEALT[1]["commitments"]}),
        ("wrong-share", "the point of another", {"ephemeral": _DEALT[1]["ephemeral"]}),
        ("not-a-message", "a commitment too many", {"commitments": fields["commitments"] * 2}),
        ("not-a-message", "a pad too few", {"pads": fields["pads"][:32]}),
    ]
    return _DEALT, bad


def _shares() -> Made:
    good = []
    for deal in _DEALT:
        for seat in {0, 1, 2} - {deal["seat"]}:
            share = written(_share(deal, seat))
            good.append({"deal": deal, "seat": seat, "share": share})
    bad: list[Change] = [
        *_scalars("wrong-share", "share", written(_share(_DEALT[0], 1))),
        ("wrong-share", "of another dealer", {"share": good[2]["share"]}),
        ("wrong-share", "of another seat", {"seat": 2}),
    ]
    return good, bad


def _share(deal: dict[str, Any], seat: int) -> int:
    fields = deal["commitments"], deal["ephemeral"], deal["pads"]
    checked = escrow.check_deal(SEATS.party(0, deal["seat"]), 3, deal["threshold"], fields)
    share = escrow.share(checked, seat, SEATS.share_secrets[seat])
    if share is None:
        raise RuntimeError("an honest deal has shares")
    return share


def _complaints() -> Made:
    """Every complaint shows that somebody cheated: the good ones the dealer, all others their author."""
    deal = _DEALT[0]
    checked = escrow.check_deal(
        SEATS.party(0, 0), 3, 2, (deal["commitments"], deal["ephemeral"], deal["pads"])
    )
    point, proof = escrow.complain(SEATS.receiver(0, 1), checked)
    complaint = {**_who(0, 1), "key": SEATS.share_keys[1], "point": point, "proof": proof}
    too_large = _padded(deal, ORDER + _share(deal, 1), point)
    good = [
        {"deal": {**deal, "pads": pads}, **complaint} for pads in (bytes(32) + deal["pads"][32:], too_large)
    ]
    false = (
        *((why, change) for _, why, change in _scalars("", "proof", proof) if len(change["proof"]) == 64),
        *((why, change) for _, why, change in _points("point", point, (0,))),
        ("the share was right", {"deal": deal}),
        ("another point", {"point": group().base(3)}),
        ("another's key", {"key": SEATS.share_keys[2]}),
        ("its key for cards", {"key": SEATS.keys[1]}),
        ("under another Ask than that of the deal", {"serial": 1}),
    )
    return good, [("false-complaint", why, change) for why, change in false]


def _padded(deal: dict[str, Any], number: int, point: bytes) -> bytes:
    mask = to_bytes(labels.ESCROW_PAD)(((GAME, 0, 0), 1, point))[:32]
    pad = bytes(a ^ b for a, b in zip(number.to_bytes(32, "little"), mask, strict=True))
    return pad + bytes(deal["pads"][32:])


def _released() -> Made:
    good = [{"secret": written(x), "key": key} for x, key in zip(SEATS.secrets, SEATS.keys, strict=True)]
    bad: list[Change] = [
        *_scalars("wrong-key", "secret", good[0]["secret"]),
        ("wrong-key", "another's", {"secret": good[1]["secret"]}),
        ("wrong-key", "zero", {"secret": bytes(32)}),
    ]
    return good, bad


_KINDS: Final = {
    "keys": _keys,
    "shuffles": _shuffles,
    "tokens": _tokens,
    "openings": _openings,
    "moves": _moves,
    "claims": _claims,
    "deals": _deals,
    "shares": _shares,
    "complaints": _complaints,
    "released keys": _released,
}
