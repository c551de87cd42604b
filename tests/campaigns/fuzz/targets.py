"""Every reader of bytes from elsewhere: inputs to begin with, and what must hold for any input.

A target takes bytes and returns, or fails with an exception: a broken property, or an error that is no
refusal.  Readers that take their bytes in pieces are fed whole and byte by byte, and must agree.
"""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import Any, Final

from cli.play.engines.consultation import Consultation, LossCause, Lost
from cli.play.engines.question import EngineQuestion, question
from cli.text.sanitize import ELLIPSIS, MOST_CELLS, cell, escape
from p2p_stratego.core.game import OptionError
from p2p_stratego.core.scenario import ScenarioError, load
from p2p_stratego.core.strict_json import NotJson
from p2p_stratego.core.strict_json import read as read_json
from p2p_stratego.registry import ENTRIES, GAMES
from p2p_stratego.stratego.formats import army_file, record, setups
from p2p_stratego.stratego.formats.diagram import TextError
from p2p_stratego.stratego.rules.armies import ARMIES
from protocol.audit import verdict
from protocol.channel import channel
from protocol.crypto.keys import SIGNATURE_BYTES
from protocol.errors import Refusal
from protocol.failures import InviteFailure, NotACode, NotAnAddress
from protocol.lobby.friends import read_friend
from protocol.lobby.listing import read_listing
from protocol.lobby.lobby_talk import read_guest_line, read_host_line
from protocol.post import form
from protocol.record.genesis import parse as parse_genesis
from protocol.record.statements import parse_record
from protocol.rendezvous import invite, nearby, port_mapping, relay_switchboard, short_code
from protocol.replication.holdings import read_have
from protocol.storage import contacts, index
from protocol.wire import addresses, transcript
from protocol.wire.encoding import ENTRY, MAX_PAYLOAD, STATEMENT, Deframer, Frame, decode, encode
from tests.helpers.crypto.proved import CHECKS, judged
from tests.helpers.forgery.corpus import sources
from tests.helpers.forgery.forge import Forger, Own
from tests.helpers.games.any_game import views
from tests.helpers.machine.modules import VECTORS
from tests.helpers.program.engines import HELLO, READY, FakePipe
from tests.helpers.stratego.texts import DIAGRAM, LINE, RECORD

Holds = Callable[[bytes], None]
ROOT: Final = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Target:
    """A reader; `seeds`: inputs to begin with; `holds`: fails where an input shows a fault."""

    seeds: Callable[[], Iterable[bytes]]
    holds: Holds


def _refusing(read: Callable[[bytes], object], *refusals: type[Exception]) -> Holds:
    """A value or a typed refusal."""

    def holds(data: bytes) -> None:
        with suppress(*(refusals or (Refusal,))):
            read(data)

    return holds


def _text(read: Callable[[str], object], *refusals: type[Exception]) -> Holds:
    """The same for a reader of text."""
    return _refusing(lambda data: read(data.decode("utf-8", "replace")), *refusals)


def _vector(name: str) -> Any:
    return json.loads((VECTORS / name).read_text(encoding="utf-8"))


def _hex(value: Any) -> Iterator[bytes]:
    """All texts within a value of JSON that are hexadecimal digits, as bytes."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list):
        for part in value:
            yield from _hex(part)
    elif isinstance(value, str):
        with suppress(ValueError):
            yield bytes.fromhex(value)


def _texts(value: Any) -> Iterator[bytes]:
    """All texts within a value of JSON."""
    if isinstance(value, Mapping):
        value = [*value, *value.values()]
    if isinstance(value, list):
        for part in value:
            yield from _texts(part)
    elif isinstance(value, str):
        yield value.encode()


def _hex_of(name: str) -> Callable[[], Iterable[bytes]]:
    return lambda: (data for data in _hex(_vector(name)) if len(data) <= MAX_PAYLOAD)


def _texts_of(name: str) -> Callable[[], Iterable[bytes]]:
    return lambda: _texts(_vector(name))


# Values and frames


def _value(data: bytes) -> None:
    """One value, one encoding."""
    with suppress(Refusal):
        assert encode(decode(data)) == data


def _read_whole(pieces: Iterable[bytes]) -> tuple[list[Frame], str]:
    """The frames in the pieces, and the refusal that ends them."""
    frames, deframer = list[Frame](), Deframer()
    try:
        for piece in pieces:
            frames += deframer.feed(piece)
    except Refusal as refusal:
        return frames, str(refusal)
    return frames, ""


def _frames(data: bytes) -> None:
    """Frames are the same wherever the bytes are cut."""
    pieces = [data[at : at + 1] for at in range(len(data))]
    assert _read_whole([data]) == _read_whole(pieces)


def _connection(data: bytes) -> None:
    """A channel to somebody known, and one to a stranger, take any bytes, in one piece or in many."""
    for trusted in (False, True):
        states = []
        for pieces in ([data], [data[at : at + 1] for at in range(len(data))]):
            end = channel.Channel(0.0)
            if trusted:
                end.trust(0.0)
            for piece in pieces:
                end.take_in(piece, 1.0)
            states.append(
                (end.lost is None, [bytes(frame) for frame in end.inbox] if end.lost is None else None)
            )
        assert states[0] == states[1]


def _framed(data: bytes) -> Iterator[Frame]:
    """Frames with true checks: kind, length in two bytes, payload."""
    while len(data) > 2:
        kind, size = data[0], int.from_bytes(data[1:3], "big")
        yield Frame(kind, data[3 : 3 + size])
        data = data[3 + size :]


def _unframed(frames: Iterable[Frame]) -> bytes:
    return b"".join(
        bytes((frame.kind,)) + len(frame.payload).to_bytes(2, "big") + frame.payload for frame in frames
    )


# Records


def _records(data: bytes) -> None:
    with suppress(Refusal):
        for frame in _framed(data):
            parse_record(frame)


def _transcript(data: bytes) -> None:
    """An audit of any file ends in a verdict or a refusal."""
    with suppress(Refusal, transcript.NotATranscript):
        verdict.audit(data, GAMES)


@cache
def _shortest() -> Sequence[tuple[Any, Sequence[Frame]]]:
    """Short matches of games of this program, with all keys."""
    known = [(source, source.logs[0]) for source in sources() if source.begun.game.name in GAMES]
    return sorted(known, key=lambda pair: sum(map(len, pair[1])))[:6]


def _signed(data: bytes) -> None:
    """A player signs any value as its next record; three bytes choose the match, the place, seat and kind."""
    source, log = _shortest()[data[0] % len(_shortest())]
    with suppress(Refusal, transcript.NotATranscript):
        value: Any = decode(data[3:])
        if not isinstance(value, list) or not value:
            return
        if data[2] % 2 and not isinstance(value[0], int):
            return
        forger = Forger(
            Random(0), source, (data[2] >> 1) % len(source.players), log[: 1 + data[1] * len(log) // 256]
        )
        forger.draft.append(Own(STATEMENT if data[2] % 2 else ENTRY, value))
        verdict.audit(transcript.write(source.begun.body, forger.sealed(consistent=True)), GAMES)


def _signed_seeds() -> Iterator[bytes]:
    for number, (_source, log) in enumerate(_shortest()):
        for at, frame in enumerate(log[1:], 1):
            value: Any = decode(frame.payload[:-SIGNATURE_BYTES])
            place = at * 256 // len(log)
            content = value[3] if frame.kind == ENTRY else [value[3], *value[5:]]
            seat = value[1] if frame.kind == ENTRY else value[0]
            yield bytes((number, place, seat * 2 + (frame.kind == STATEMENT))) + encode(content)


# Cards and their proofs


@cache
def _proofs() -> Sequence[tuple[str, dict[str, Any]]]:
    """Good proofs of every kind, as the helper that judges them takes them."""

    def raw(value: Any, name: str = "") -> Any:
        if isinstance(value, dict):
            return {key: raw(part, key) for key, part in value.items()}
        if isinstance(value, list):
            return [raw(part) for part in value]
        return bytes.fromhex(value) if isinstance(value, str) and name not in NOT_HEX else value

    return [(kind, raw(good)) for kind in CHECKS for good in _vector("cards.json")[kind]["good"]]


NOT_HEX: Final = ("rule", "why", "label")


_CHECKED: Final = frozenset(("game", "key", "to", "card", "cards", "before"))
"""Fields of a proof that earlier entries brought, checked when they came."""


def _proof(data: bytes) -> None:
    """A proof with other bytes in one field: the first two choose which, the third how much is kept."""
    if len(data) < 3:
        return
    kind, good = _proofs()[data[0] % len(_proofs())]
    fields = sorted(name for name, value in good.items() if isinstance(value, bytes) and name not in _CHECKED)
    if not fields:
        return
    name = fields[data[1] % len(fields)]
    kept = good[name][: len(good[name]) * data[2] // 255]
    changed = kept + data[3:]
    outcome = judged(kind, {**good, name: changed})
    assert isinstance(outcome, str)


# Meeting


def _lobby(data: bytes) -> None:
    """What two sides tell each other before a match, and beside it."""
    for read in (
        read_friend,
        read_guest_line,
        read_host_line,
        channel.read_sync,
        channel.read_receipt,
        lambda payload: read_listing(payload, GAMES),
        lambda payload: read_have(payload, 4),
        form.read_mark,
    ):
        with suppress(Refusal):
            read(data)


def _relay(data: bytes) -> None:
    """A relay gives the same answers wherever the bytes of a stream were cut."""

    def effects(pieces: Iterable[bytes]) -> list[str]:
        board = relay_switchboard.Switchboard(relay_switchboard.Limits(), lambda most: most - 1)
        stream, answers = board.came("192.0.2.1", 0.0, 4000)
        for piece in pieces:
            answers += board.heard(stream, piece, 1.0)
        return [repr(effect) for effect in answers]

    begun = data[: relay_switchboard.HELLO_BYTES]
    assert effects([begun]) == effects(begun[at : at + 1] for at in range(len(begun)))


def _router(data: bytes) -> None:
    for client in (IPv4Address("192.0.2.1"), IPv6Address("2001:db8::1")):
        port_mapping.read_pcp_map(data, client, 4000, bytes(12))
    port_mapping.read_nat_pmp_address(data)
    port_mapping.read_nat_pmp_map(data, 4000)


def _announcement(data: bytes) -> None:
    nearby.read_game(f"a.{nearby.SERVICE}", data, 4000, ["192.0.2.1"], [IPv4Network("192.0.2.0/24")])


# Files of people, and other programs


def _post_seeds() -> Iterator[bytes]:
    vector = _vector("post.json")
    yield from (data for data in _hex(vector) if data.startswith(b"p2p-stratego"))
    yield from (data for data in _texts(vector) if b"BEGIN" in data)


def _invite_file_seeds() -> Iterator[bytes]:
    for good in _vector("invites.json")["good"]:
        yield bytes(invite.InviteRecord(invite.read(good["word"]), 1e9, 2, (bytes(32),), 4000))


def _examples_in(name: str) -> Callable[[], Iterable[bytes]]:
    """What stands between fences in a page of docs."""
    return lambda: (
        block.partition("\n")[2].encode()
        for block in (ROOT / "docs" / name).read_text(encoding="utf-8").split("```")[1::2]
    )


def _engine_seeds() -> Iterator[bytes]:
    hello = json.dumps(HELLO).encode() + b"\n" + json.dumps(READY).encode() + b"\n"
    yield hello + b'{"type": "choose", "number": 1, "option": "a4 a5"}\n'
    yield hello + b'{"type": "lay", "number": 1, "faces": [1, 2]}\n'


def _scenario(data: bytes) -> None:
    with suppress(ScenarioError):
        value = load(data)
        for entry in ENTRIES.values():
            if entry.scenarios is not None:
                with suppress(ScenarioError):
                    for number, _line in enumerate(entry.scenarios.load()(value)):
                        if number > 200:
                            break


def _engine(data: bytes) -> None:
    """An engine that says anything: hello, ready, and its answers to a question."""
    lines = iter(data.split(b"\n"))
    pipe = FakePipe(lambda _message: [next(lines, Lost(LossCause.GONE))])
    consultation = Consultation(pipe, pipe.clock)
    with suppress(Lost):
        consultation.greet({})
        consultation.decide(_question(), {}, 10.0)


@cache
def _question() -> EngineQuestion:
    return question(GAMES["stratego"], next(view for view in views("stratego") if view.decision is not None))


def _escaped(data: bytes) -> None:
    """No text makes a terminal do anything but show at most so many cells of one line."""
    text = data.decode("utf-8", "surrogateescape")
    for limit in (MOST_CELLS, 24, 1):
        for ascii_only in (False, True):
            shown = escape(text, limit, ascii_only=ascii_only)
            assert sum(map(cell, shown)) <= limit
            assert all(
                unicodedata.category(character)[0] not in "CZ" or character == " " for character in shown
            )
            assert not ascii_only or shown.replace(ELLIPSIS, "").isascii()


TARGETS: Final[Mapping[str, Target]] = MappingProxyType(
    {
        "value": Target(_hex_of("encoding.json"), _value),
        "frames": Target(_hex_of("frames.json"), _frames),
        "connection": Target(_hex_of("links.json"), _connection),
        "records": Target(
            lambda: (_unframed(log[:20]) for _source, log in _shortest()),
            _records,
        ),
        "genesis": Target(
            lambda: (source.begun.body for source, _log in _shortest()),
            _refusing(lambda data: parse_genesis(data, GAMES)),
        ),
        "transcript": Target(
            lambda: (transcript.write(source.begun.body, log) for source, log in _shortest()[:3]), _transcript
        ),
        "signed": Target(_signed_seeds, lambda data: _signed(data) if len(data) > 3 else None),
        "proof": Target(lambda: (bytes((kind, 0, 255)) for kind in range(len(_proofs()))), _proof),
        "invite": Target(_texts_of("invites.json"), _text(invite.read, InviteFailure)),
        "invite file": Target(_invite_file_seeds, _refusing(invite.read_record, InviteFailure)),
        "code": Target(_texts_of("code.json"), _text(short_code.read, NotACode)),
        "address": Target(_texts_of("addresses.json"), _text(addresses.read, NotAnAddress)),
        "post": Target(
            _post_seeds, _refusing(lambda data: [form.read(post) for post in form.posts_in(data)])
        ),
        "lobby": Target(_hex_of("friends.json"), _lobby),
        "relay": Target(_hex_of("relay.json"), _relay),
        "router": Target(lambda: [bytes((2, 129)) + bytes(58), bytes((0, 128)) + bytes(10)], _router),
        "announcement": Target(lambda: [b"\x03v=1\x05n=Bea\x0ag=stratego"], _announcement),
        "json": Target(lambda: [b'{"a": [1, 2.5, "x"]}'], _refusing(read_json, NotJson)),
        "contacts": Target(lambda: [b'{"version": 1, "contacts": []}'], _refusing(contacts.read)),
        "index": Target(lambda: [encode([1, "", []])], _refusing(lambda data: index.decode(data, "", 0))),
        "scenario": Target(_examples_in("scenarios.md"), _scenario),
        "set-ups": Target(
            lambda: [DIAGRAM.encode(), LINE.encode()],
            _text(lambda text: setups.read(text, ARMIES["classic"]), TextError),
        ),
        "army": Target(lambda: [b"marshal 1\nscout 4\n"], _text(army_file.read, TextError, OptionError)),
        "game text": Target(lambda: [RECORD.encode()], _text(record.read, TextError, OptionError)),
        "engine": Target(_engine_seeds, _engine),
        "escaping": Target(_texts_of("talk.json"), _escaped),
    }
)
"""By name.  The page's reader is JavaScript: `make pages` feeds that."""
