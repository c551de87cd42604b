"""The small vectors: encoding, frames, keys, hashes, chance, secrets, invites.  One JSON file each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from protocol import invite, labels
from protocol.commitment import SaltedHash, hide_choice
from protocol.encoding import Frame, encode, tagged
from protocol.keys import Identity, fingerprint
from protocol.randomness import chain, result
from protocol.secrets import MatchSecrets, encode_decision
from tests.helpers.edwards import L

Case = dict[str, Any]
GAME = bytes(range(32))
SEED = bytes(range(32, 64))


def encoding() -> dict[str, list[Case]]:
    """Values with their encoding, and bytes that must be refused."""
    good: list[Any] = [
        *(0, 1, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53 - 1),
        *("", "a", "é", "a" * 31, "a" * 32, "a" * 256),
        *(b"", b"\0", bytes(255), bytes(256)),
        *([], [0] * 15, [0] * 16, [1, ["two", [b"3"]]], [[[[[[[[]]]]]]]]),
    ]
    bad = {
        "nil": "c0",
        "true": "c3",
        "negative": "ff",
        "float": "cb3ff0000000000000",
        "nan": "cb7ff8000000000000",
        "map": "8100c0",
        "ext": "d40000",
        "timestamp": "d6ff00000000",
        "padded integer": "cc01",
        "padded length of bytes": "c5000100",
        "padded length of text": "d90161",
        "padded length of array": "dc000100",
        "over 2^53 - 1": "cf0020000000000000",
        "text not in NFC": "a365cc81",
        "text not in UTF-8": "a1ff",
        "depth 9": "91" * 9 + "00",
        "257 items": "dc0101" + "00" * 257,
        "trailing byte": "0000",
        "cut": "92" + "00",
        "length of 4 GiB": "c6ffffffff",
        "array of 4 Gi items": "ddffffffff",
        "nothing": "",
    }
    return {
        "good": [{"value": _value(value), "encoding": encode(value).hex()} for value in good],
        "bad": [{"encoding": data, "why": why} for why, data in bad.items()],
    }


def _value(value: Any) -> Any:
    """JSON for a value: byte strings as {"hex": …}."""
    if isinstance(value, bytes):
        return {"hex": value.hex()}
    return [_value(item) for item in value] if isinstance(value, list) else value


def frames() -> dict[str, list[Case]]:
    """Frames, and what must be refused or waited for."""
    whole = bytes(Frame(2, b"payload"))
    damaged = {
        "length": bytes([*whole[:2], whole[2] ^ 1, *whole[3:]]),
        "header check": bytes([*whole[:3], whole[3] ^ 1, *whole[4:]]),
        "payload": bytes([*whole[:5], whole[5] ^ 1, *whole[6:]]),
        "payload check": bytes([*whole[:-1], whole[-1] ^ 1]),
    }
    return {
        "good": [
            {"kind": kind, "payload": payload.hex(), "frame": bytes(Frame(kind, payload)).hex()}
            for kind, payload in ((1, b""), (2, b"payload"), (255, bytes(300)))
        ],
        "incomplete": [{"frame": whole[:cut].hex()} for cut in (0, 4, 5, 11, len(whole) - 1)],
        "bad": [{"frame": data.hex(), "why": why} for why, data in damaged.items()],
    }


def signatures() -> list[Case]:
    """Signatures of one key, some of which must not be accepted; edge cases of keys are made by the tests."""
    identity, data, label = Identity(SEED), b"data", labels.SIGN_ENTRY
    true = identity.sign(label, data)
    bigger = true[:32] + (int.from_bytes(true[32:], "little") + L).to_bytes(32, "little")
    cases = {"good": true, "S not below L": bigger, "other label": identity.sign(labels.SIGN_STATEMENT, data)}
    common = {"seed": SEED.hex(), "key": identity.key.hex(), "fingerprint": fingerprint(identity.key)}
    return [
        common
        | {
            "label": label.decode(),
            "data": data.hex(),
            "signature": made.hex(),
            "valid": why == "good",
            "why": why,
        }
        for why, made in cases.items()
    ]


def hashes() -> list[Case]:
    """Tagged hashes for every label that has one, commitments, hidden choices."""
    names = [
        *(labels.GENESIS, labels.ENTRY, labels.COMMITMENT, labels.HIDDEN_CHOICE, labels.CHANCE_LINK),
        *(labels.CHANCE_ROLL, labels.FINGERPRINT, labels.INVITE_CHECKSUM, labels.HANDSHAKE),
    ]
    plain = [{"label": name.decode(), "data": "", "hash": tagged(name)(b"").hex()} for name in names]
    salts = [SEED, bytes(32)]
    slots: list[Case] = [
        {
            "game": GAME.hex(),
            "seat": seat,
            "slot": slot,
            "salt": salt.hex(),
            "face": face,
            "commitment": SaltedHash().commit(GAME, seat, slot, face, salt).hex(),
        }
        for seat, slot, face, salt in ((0, 0, 0, salts[0]), (1, 200, 127, salts[0]), (1, 65535, 10, salts[1]))
    ]
    choices: list[Case] = [
        {
            "game": GAME.hex(),
            "seat": seat,
            "serial": serial,
            "salt": SEED.hex(),
            "move": move,
            "hidden_choice": hide_choice(GAME, seat, serial, move, SEED).hex(),
        }
        for seat, serial, move in ((0, 3, "mark none"), (1, 300, "mark 1234"))
    ]
    return [*plain, *slots, *choices]


def chance() -> dict[str, Any]:
    """A chain for each of two seats, and results for several numbers of sides."""
    chains = [chain(seat, SEED, 4) for seat in (0, 1)]
    rolls: list[Case] = []
    for number, sides in enumerate((1, 6, 1200, 2**32)):
        shares = [links[number + 1] for links in chains]
        rolls.append({"roll": number, "sides": sides, "result": result(GAME, number, shares, sides)})
    return {
        "game": GAME.hex(),
        "last_link": SEED.hex(),
        "chains": [[link.hex() for link in links] for links in chains],
        "rolls": rolls,
    }


def secrets() -> dict[str, Any]:
    """What derives from one master secret, and decisions as they are kept."""
    kept = MatchSecrets(SEED)
    return {
        "master": SEED.hex(),
        "game": GAME.hex(),
        "nonce": kept.nonce.hex(),
        "anchor of seat 1, 16 rolls": kept.links(1, 16)[0].hex(),
        "salt of seat 1, slot 5": kept.salt(GAME, 1, 5).hex(),
        "choice salt of seat 0, serial 3": kept.choice_salt(GAME, 0, 3).hex(),
        "decision 1: faces 1 4 8 10": encode_decision(1, (1, 4, 8, 10)).hex(),
        "decision 3: mark 12": encode_decision(3, "mark 12").hex(),
    }


def invites() -> dict[str, list[Case]]:
    """Invites with what they hold, and words that must be refused, with the kind of failure."""
    made = [
        invite.Invite(addresses, port, SEED, GAME[:16])
        for addresses, port in (
            (("127.0.0.1",), 4000),
            (("192.0.2.7", "2001:db8::1", "host.example"), 65535),
        )
    ]
    word = invite.write(made[0])
    other = "0" if word[-1] != "0" else "1"
    bad = {
        "a typo": (word[:-1] + other, "InviteTypo"),
        "no invite": ("hello", "NotAnInvite"),
        "nothing": ("", "NotAnInvite"),
    }
    return {
        "good": [
            {
                "addresses": list(one.addresses),
                "port": one.port,
                "certificate": one.certificate.hex(),
                "secret": one.secret.hex(),
                "invite": invite.write(one),
            }
            for one in made
        ],
        "bad": [{"why": why, "invite": text, "error": error} for why, (text, error) in bad.items()],
    }


def files() -> Iterator[tuple[str, Any]]:
    """Every file of this room: its name and what it holds."""
    yield "encoding.json", encoding()
    yield "frames.json", frames()
    yield "signatures.json", signatures()
    yield "hashes.json", hashes()
    yield "chance.json", chance()
    yield "secrets.json", secrets()
    yield "invites.json", invites()
