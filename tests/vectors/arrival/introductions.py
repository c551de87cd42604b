"""Vectors of what comes before a match: invites, and the introduction of two players to each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any, Final, cast

from p2p_stratego.registry import GAMES
from protocol.channel.channel import LOBBY
from protocol.crypto.keys import Identity
from protocol.errors import Refusal
from protocol.failures import Code, InviteFailure, Refused
from protocol.lobby.handshake import HostSide, JoinerSide, Person, seat_part, watched_frame
from protocol.lobby.listing import ListedSeat, Listing, found_frame, read_listing, ready_frame
from protocol.record import genesis
from protocol.record.time_control import TimeControl
from protocol.rendezvous.invite import CHECK_BYTES, PREFIX, Invite, read, write
from protocol.seat.secrets import MatchSecrets
from protocol.wire import labels
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Frame, Value, decode, encode, tagged
from tests.vectors.arrival import addresses
from tests.vectors.primitives import Vector, seed
from tests.vectors.records.players import REAL

CERTIFICATE: Final = seed("vector certificate")
EXPORTER: Final = seed("vector exporter")
BINDING: Final = CERTIFICATE + EXPORTER
SECRET: Final = seed("vector invite secret")[:16]
HOST, JOINER = Identity(seed("vector host")), Identity(seed("vector joiner"))
HOST_NONCE, JOINER_NONCE = seed("vector host nonce"), seed("vector joiner nonce")
DIGITS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
BODY: Final = b"\x03\x00" + CERTIFICATE + SECRET
PLACED: Final = b"\x07\x04" + bytes((192, 0, 2, 7)) + b"\x1e\x61"
LATER: Final = b"\x04\x09abc"
BEFORE: Final = b"\x02" + BODY[1:] + b"\x1e\x61\x02" + PLACED[1:-2] + b"\x00\x05a.org"


def base32(data: bytes) -> str:
    """Five bits a digit, the last one filled up with zeros."""
    spare = -len(data) * 8 % 5
    number = int.from_bytes(data, "big") << spare
    return "".join(DIGITS[number >> shift & 31] for shift in range(len(data) * 8 + spare - 5, -1, -5))


def word(body: bytes) -> str:
    """An invite with a checksum that fits, whatever is in it."""
    return PREFIX + base32(body + tagged(labels.INVITE_CHECKSUM)(body)[:CHECK_BYTES])


def invites() -> Vector:
    """Words that are invites, ways to write them, and words that are none."""
    made = [
        Invite((Endpoint("192.0.2.7", 7777),), CERTIFICATE, SECRET),
        Invite(addresses.GOOD[:3], CERTIFICATE, SECRET),
        Invite(addresses.GOOD[1:], CERTIFICATE, SECRET),
        Invite((Endpoint("192.0.2.7", 7777),), CERTIFICATE, SECRET, watch=True),
    ]
    good = [
        {
            "word": write(vector),
            "addresses": list(map(str, vector.addresses)),
            "certificate": vector.certificate.hex(),
            "secret": vector.secret.hex(),
            "watch": vector.watch,
        }
        for vector in made
    ]
    base = write(made[0])
    grouped = "-".join(base[at : at + 5] for at in range(0, len(base), 5))
    written = [
        base.lower(),
        grouped,
        f"  {base[:40]}\n{base[40:]}\n",
        base[:4] + base[4:].replace("1", "I"),
        base.replace("0", "o"),
    ]
    return {
        "good": good,
        "written otherwise": {"word": base, "as": written},
        "with an address of a kind that is not known": word(BODY + b"\x02" + LATER + PLACED),
        "of the version before": {"word": word(BEFORE), "addresses": ["192.0.2.7:7777", "a.org:7777"]},
        "bad": [{"word": text, "error": _invite_error(text), "why": why} for why, text in _bad(base)],
    }


def _bad(base: str) -> list[tuple[str, str]]:
    """What is wrong with a word, and the word; `base`: a good one."""
    return [
        ("nothing", ""),
        ("another word", "HELLO"),
        ("only the beginning", PREFIX),
        ("a digit wrong", base[:20] + ("2" if base[20] != "2" else "3") + base[21:]),
        ("a digit missing", base[:20] + base[21:]),
        ("a digit too many", base[:20] + "7" + base[20:]),
        ("two digits exchanged", base[:20] + base[21] + base[20] + base[22:]),
        ("a letter that is no digit", base[:20] + "U" + base[21:]),
        ("the end missing", base[:-8]),
        ("a later version", word(b"\x04" + BODY[1:] + b"\x01" + PLACED)),
        ("neither to play nor to watch", word(b"\x03\x02" + BODY[2:] + b"\x01" + PLACED)),
        ("no addresses", word(BODY + b"\x00")),
        ("nine addresses", word(BODY + b"\x09" + PLACED * 9)),
        ("port 0", word(BODY + b"\x01" + PLACED[:-2] + bytes(2))),
        ("an address cut off", word(BODY + b"\x01" + PLACED[:-1])),
        ("an address that is none", word(BODY + b"\x01\x06" + PLACED[1:-1])),
        ("only addresses of unknown kinds", word(BODY + b"\x02" + LATER * 2)),
        ("bytes behind the addresses", word(BODY + b"\x01" + PLACED + b"\0")),
        ("of the version before, with port 0", word(BEFORE[:50] + bytes(2) + BEFORE[52:])),
        ("of the version before, cut off", word(BEFORE[:-1])),
    ]


def _invite_error(text: str) -> str:
    try:
        read(text)
    except InviteFailure as error:
        return type(error).__name__
    return "none"


def _secrets(name: str) -> MatchSecrets:
    return MatchSecrets(seed(f"vector {name} master"))


class Introduction:
    """Both sides, as far as they have come, and every frame."""

    def __init__(self, binding: bytes = BINDING, secret: bytes = SECRET) -> None:
        self.host = HostSide(BINDING, HOST_NONCE)
        self.challenge = self.host.challenge
        self.joiner = JoinerSide(binding, self.challenge)
        self.join = self.joiner.join(JOINER, "Ben", JOINER_NONCE, secret)

    def welcome(self) -> Frame:
        self.guest: Person = self.host.joined(self.join, SECRET)
        return self.host.welcome(HOST, "Ada")


class SittingDown:
    """What the host and its guest say once the guest is in the lobby; each knows of itself what it sent."""

    def __init__(self) -> None:
        options = REAL.options({"wall": 4})
        ada, ben = Person(HOST.key, "Ada"), Person(JOINER.key, "Ben")
        listing = Listing(2, REAL, options, (ListedSeat(ada, "", False), ListedSeat(ben, "", False)))
        parts = (
            seat_part(ada, REAL, 0, _secrets("host")),
            seat_part(ben, REAL, 1, _secrets("joiner")),
        )
        self.match = genesis.make(REAL, options, parts)
        self.frames = [
            ("LOBBY", replace(listing, number=1, places=(listing.places[0], None)).frame),
            ("LOBBY", replace(listing, watching=3, out=(Person(JOINER.key, "Dan"),)).frame),
            ("READY", ready_frame(2, parts[1])),
            ("READY", ready_frame(2, None)),
            ("FOUND", found_frame(2, self.match)),
            ("WATCHED", watched_frame(self.match)),
        ]
        self.listing = listing


def _bad_lobbies(true: Listing) -> list[tuple[str, Frame]]:
    number, game, version, options, places, *_ = cast("list[Value]", decode(true.frame.payload))
    first, second = cast("list[list[Value]]", places)
    key, name, bot, ready = second

    def lobby(*fields: Value) -> Frame:
        return Frame(LOBBY, encode([*fields, []]))

    return [
        ("a game of the future", lobby(number, "a game of the future", version, options, places, 0, 0, 0, 0)),
        ("rules of the future", lobby(number, game, 999, options, places, 0, 0, 0, 0)),
        ("no options", lobby(number, game, version, [], places, 0, 0, 0, 0)),
        ("a game for one", lobby(number, game, version, options, [first], 0, 0, 0, 0)),
        ("one player on both seats", lobby(number, game, version, options, [first, first], 0, 0, 0, 0)),
        (
            "a key that is none",
            lobby(number, game, version, options, [first, [bytes(32), name, bot, ready]], 0, 0, 0, 0),
        ),
        (
            "a name that hides something",
            lobby(number, game, version, options, [first, [key, "B\u202e", bot, 0]], 0, 0, 0, 0),
        ),
        ("ready twice over", lobby(number, game, version, options, [first, [key, name, bot, 2]], 0, 0, 0, 0)),
        ("half a place", lobby(number, game, version, options, [first, [key, name]], 0, 0, 0, 0)),
        ("seventeen spectators", lobby(number, game, version, options, places, 0, 0, 0, 17)),
        ("proofs twice over", lobby(number, game, version, options, places, 2, 0, 0, 0)),
        ("an escrow without decks", lobby(number, game, version, options, places, 1, 2, 0, 0)),
        ("a pace that nobody knows", lobby(number, game, version, options, places, 0, 0, 4, 0)),
        ("a clock that is none", lobby(number, game, version, options, places, 0, 0, [4], 0)),
        ("too many sent away", _with_out(true, [[]] * 17)),
        ("sent away without a name", _with_out(true, [[key]])),
        ("sent away with a key that is none", _with_out(true, [[bytes(32), name]])),
        ("a number too few", lobby(game, version, options, places, 0, 0, 0, 0)),
    ]


def _with_out(true: Listing, out: list[Value]) -> Frame:
    """The LOBBY of a listing with something else as those who were sent away."""
    fields = cast("list[Value]", decode(true.frame.payload))
    return Frame(LOBBY, encode([*fields[:-1], out]))


def introductions() -> Vector:
    """A match agreed on and one gone on with, and what each side must refuse."""
    introduction = Introduction()
    welcome = introduction.welcome()
    assert introduction.joiner.welcomed(welcome) == Person(HOST.key, "Ada")
    lobby = SittingDown()
    match = lobby.match
    host = HostSide(BINDING, HOST_NONCE)
    challenge = host.challenge
    joiner = JoinerSide(BINDING, challenge)
    resume = joiner.resume(JOINER, match, 1, 0, JOINER_NONCE)
    resumed, _ = host.resumed(resume, HOST, match)
    joiner.resumed(resumed, HOST.key)
    return {
        "certificate": CERTIFICATE.hex(),
        "tls-exporter": EXPORTER.hex(),
        "invite secret": SECRET.hex(),
        "host": {
            "seed": seed("vector host").hex(),
            "key": HOST.key.hex(),
            "name": "Ada",
            "nonce": HOST_NONCE.hex(),
        },
        "joiner": {
            "seed": seed("vector joiner").hex(),
            "key": JOINER.key.hex(),
            "name": "Ben",
            "nonce": JOINER_NONCE.hex(),
        },
        "masters": {"host": seed("vector host master").hex(), "joiner": seed("vector joiner master").hex()},
        "new match": [
            _frame(name, frame)
            for name, frame in (
                ("CHALLENGE", challenge),
                ("JOIN", introduction.join),
                ("WELCOME", welcome),
                *lobby.frames[:-1],
            )
        ],
        "watching": [
            _frame(name, frame)
            for name, frame in (
                ("CHALLENGE", challenge),
                ("WATCH", JoinerSide(BINDING, challenge).watch(JOINER_NONCE, SECRET)),
                lobby.frames[-1],
            )
        ],
        "a listing with a clock": [
            _frame("LOBBY", replace(lobby.listing, clock=TimeControl(900, 10)).frame),
            _frame("LOBBY", replace(lobby.listing, clock=TimeControl(60)).frame),
        ],
        "match": match.id.hex(),
        "genesis": match.body.hex(),
        "old match": [
            _frame(name, frame)
            for name, frame in (("CHALLENGE", challenge), ("RESUME", resume), ("RESUMED", resumed))
        ],
        "bad joins": [_refused(_joined, *bad) for bad in _bad_joins(introduction.join)],
        "bad welcomes": [_refused(_welcomed, *bad) for bad in _bad_welcomes(welcome)],
        "bad lobbies": [_refused(_proposed, *bad) for bad in _bad_lobbies(lobby.listing)],
    }


def _refused(read: Callable[[Frame], object], why: str, frame: Frame) -> Vector:
    """A frame that `read` refuses, and how."""
    error = _error(partial(read, frame))
    return {"kind": frame.kind, "payload": frame.payload.hex(), "error": error, "why": why}


def _joined(frame: Frame) -> Person:
    return HostSide(BINDING, HOST_NONCE).joined(frame, SECRET)


def _welcomed(frame: Frame) -> object:
    return Introduction().joiner.welcomed(frame)


def _proposed(frame: Frame) -> object:
    return read_listing(frame.payload, GAMES)


def _frame(name: str, frame: Frame) -> Vector:
    return {"name": name, "kind": frame.kind, "payload": frame.payload.hex()}


def _bad_joins(true: Frame) -> list[tuple[str, Frame]]:
    payload = true.payload
    other = JoinerSide(BINDING, HostSide(BINDING, JOINER_NONCE).challenge)
    return [
        ("to a host with another certificate", Introduction(seed("another") + EXPORTER).join),
        ("on another connection to the same host", Introduction(CERTIFICATE + seed("another")).join),
        ("with another invite's secret", Introduction(secret=bytes(16)).join),
        ("for another challenge, replayed", other.join(JOINER, "Ben", JOINER_NONCE, SECRET)),
        ("a bit of the signature flipped", Frame(true.kind, payload[:-1] + bytes((payload[-1] ^ 1,)))),
        (
            "a bit of the proof flipped",
            Frame(true.kind, payload[:-65] + bytes((payload[-65] ^ 1,)) + payload[-64:]),
        ),
        ("cut short", Frame(true.kind, payload[:90])),
        ("as another kind of frame", Frame(true.kind + 1, payload)),
    ]


def _bad_welcomes(true: Frame) -> list[tuple[str, Frame]]:
    payload = true.payload
    reflected = Introduction()
    body = payload[:-64]
    mirrored = body + JOINER.sign(labels.SIGN_JOINER, seed("what the joiner signed"))
    assert reflected.join.payload
    return [
        ("a bit of the signature flipped", Frame(true.kind, payload[:-1] + bytes((payload[-1] ^ 1,)))),
        ("signed by the joiner", Frame(true.kind, mirrored)),
        ("the joiner's own words", Frame(true.kind, reflected.join.payload)),
        ("no signature", Frame(true.kind, body)),
        ("a genesis in its place", Frame(true.kind, encode([1, 2, 3]) + payload[-64:])),
    ]


def _error(attempt: Callable[[], Any]) -> str:
    try:
        attempt()
    except Refused as refused:
        return f"refused: {Code(refused.code).name}"
    except Refusal as refusal:
        return type(refusal).__name__.lower()
    return "none"
