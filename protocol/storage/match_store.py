"""One match on the disk: what makes it safe to be killed at any moment.

A folder of its own: `transcript.p2ps`, the public log; `secrets`, the master secret and the decisions not yet
public; `peer.json`, how to find the other side; `tls.pem`, the host's certificate; `lock`.  Whatever a
session gives out is appended and synced here before anything of it is sent, secrets first, so that no crash
loses what was acknowledged or leads to a second, different signature (threats 30, 33, 34).  On opening,
only an incomplete last record is cut; anything else out of place stops with Damaged (threat 35).
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from protocol.errors import Malformed, Refusal
from protocol.failures import Damaged, Part, StorageFailure
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.storage.files import Folder, Lock, Log
from protocol.wire import labels, transcript
from protocol.wire.encoding import Frame, read_frame

TRANSCRIPT: Final = "transcript.p2ps"
SECRETS: Final = "secrets"
PEER: Final = "peer.json"
TLS: Final = "tls.pem"
LOCK: Final = "lock"

SECRETS_MAGIC: Final = b"p2p-stratego secrets %d\n" % labels.PROTOCOL_VERSION
MASTER, DECISION = 64, 65
"""Kinds of the secrets file's frames: out of reach of those of a transcript (1 to 3) and of a channel (16 to
31), so that a secret can never pass for a record or go out on a wire (threat 37)."""
ROOM: Final = 4 * 2**20
"""Bytes that must be free before a match begins or goes on: hundreds of ordinary matches."""


@dataclass(frozen=True, slots=True)
class Route:
    """How the two sides find each other again.

    `hosting`: whether we listen, on `port`; else we call `addresses`, each a host name or IP address, on
    `port`.  `certificate`: SHA-256 (32 bytes) of the host's certificate.  `bot`: the other side is a bot of
    this program, on this machine.
    """

    hosting: bool
    addresses: tuple[str, ...]
    port: int
    certificate: bytes
    bot: str | None = None


def route_json(route: Route) -> bytes:
    """What `read_route` reads."""
    value = {
        "role": "host" if route.hosting else "join",
        "addresses": list(route.addresses),
        "port": route.port,
        "certificate": route.certificate.hex(),
        "bot": route.bot,
    }
    return (json.dumps(value, indent=1) + "\n").encode()


def read_route(data: bytes, place: str) -> Route:
    """The Route in a file's bytes.  Raises Damaged."""
    match _json(data):
        case {
            "role": "host" | "join" as role,
            "addresses": [*addresses],
            "port": int(port),
            "certificate": str(certificate),
            "bot": str() | None as bot,
        } if all(isinstance(one, str) for one in addresses) and _is_hex(certificate):
            return Route(role == "host", tuple(addresses), port, bytes.fromhex(certificate), bot)
    raise Damaged(place, Part.ROUTE)


def _json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


def _is_hex(text: str) -> bool:
    return all(letter in "0123456789abcdef" for letter in text) and len(text) in (0, 64)


class Store:
    """A match that this process has to itself, until `close`."""

    def __init__(self, folder: Folder) -> None:
        """Open the match in `folder`, which the store closes.

        Raises InUse, Damaged, DiskFull, Missing, or another StorageFailure.
        """
        self._folder = folder
        self._closing: list[Lock | Log] = []
        self._failure: StorageFailure | None = None
        try:
            self._closing.append(folder.lock(LOCK, wait=False))
            folder.room(ROOM)
            self.genesis, self.recorded, size = _read_transcript(folder)
            self.secrets, secrets_size = _read_secrets(folder)
            self._log = folder.log(TRANSCRIPT, size)
            self._closing.append(self._log)
            self._hidden = folder.log(SECRETS, secrets_size)
            self._closing.append(self._hidden)
        except (StorageFailure, Refusal):
            self.close()
            raise

    @property
    def path(self) -> str:
        """Where the transcript is."""
        return self._folder.place(TRANSCRIPT)

    @property
    def route(self) -> Route:
        """How to find the other side.  Raises Damaged or Missing."""
        return read_route(self._folder.read(PEER), self._folder.place(PEER))

    def set_route(self, route: Route) -> None:
        """Remember a new way to the other side."""
        self._folder.replace(PEER, route_json(route))

    @property
    def certificate(self) -> bytes:
        """The host's key and certificate, PEM.  Raises Missing on the joiner's side."""
        return self._folder.read_private(TLS)

    def execute(self, outputs: Iterable[Output], *, durable: bool = False) -> bytes:
        """Persist everything, then return the frames to be sent.

        One sync for all secrets, then one for all records: a record never reaches the disk before the
        decision that it depends on.  Records of others alone wait for the sync of our next answer, unless
        `durable`: nothing we sent acknowledges them yet.  But a decision is made because of them, so they
        are synced before it.  After a StorageFailure nothing was promised to anybody, and this store
        takes nothing more: what a failed sync left behind, nobody knows (threat 34).
        """
        if self._failure is not None:
            raise self._failure
        try:
            return self._execute(list(outputs), durable)
        except StorageFailure as failure:
            self._failure = failure
            raise

    def _execute(self, batch: list[Output], durable: bool) -> bytes:
        hidden = b"".join(bytes(Frame(DECISION, out.data)) for out in batch if out.duty is Duty.SECRET)
        records = b"".join(out.data for out in batch if out.duty is not Duty.SECRET)
        if hidden:
            self._log.sync()
            self._hidden.append(hidden)
        if records:
            self._log.append(records, durable=durable or any(out.duty is Duty.SEND for out in batch))
        return b"".join(out.data for out in batch if out.duty is Duty.SEND)

    def close(self) -> None:
        """Let others open the match; closing twice does no harm."""
        for held in reversed(self._closing):
            held.close()
        self._folder.close()


def create(folder: Folder, genesis: bytes, master: bytes, route: Route, certificate: bytes = b"") -> None:
    """Write the files of a new match into the empty `folder`, all synced.

    `genesis`: its body; `master`: 32 secret bytes; `certificate`: the host's key and certificate, PEM.
    Raises DiskFull before anything is agreed rather than in the middle of a match (threat 33).
    """
    folder.room(ROOM)
    folder.create(LOCK, b"")
    folder.create(SECRETS, SECRETS_MAGIC + bytes(Frame(MASTER, master)))
    if certificate:
        folder.create(TLS, certificate)
    folder.create(PEER, route_json(route))
    folder.create(TRANSCRIPT, transcript.start(genesis))
    folder.sync()


def _read_transcript(folder: Folder) -> tuple[bytes, tuple[Frame, ...], int]:
    """The genesis' body, the records after it, and the bytes up to the end of the last whole one."""
    place = folder.place(TRANSCRIPT)
    try:
        contents = transcript.read(folder.read(TRANSCRIPT))
    except (Malformed, transcript.NotATranscript) as error:
        raise _damaged(place, 0) from error
    if contents.damage is not None:
        raise _damaged(place, contents.size)
    return contents.genesis, contents.frames, contents.size


def _read_secrets(folder: Folder) -> tuple[MatchSecrets, int]:
    """The secrets, and the bytes up to the end of the last whole record."""
    place, data = folder.place(SECRETS), folder.read_private(SECRETS)
    if not data.startswith(SECRETS_MAGIC):
        raise _damaged(place, 0)
    position = len(SECRETS_MAGIC)
    secrets: MatchSecrets | None = None
    try:
        while (frame := read_frame(data, position)) is not None:
            secrets = _with_record(secrets, frame)
            position += len(frame)
    except Malformed as error:
        raise _damaged(place, position) from error
    if secrets is None:
        raise _damaged(place, position)
    return secrets, position


def _with_record(secrets: MatchSecrets | None, frame: Frame) -> MatchSecrets:
    """The secrets with one more record of their file."""
    if secrets is None and frame.kind == MASTER and len(frame.payload) == MASTER_BYTES:
        return MatchSecrets(frame.payload)
    if secrets is not None and frame.kind == DECISION:
        secrets.remember(frame.payload)
        return secrets
    raise Malformed("A record of the secrets file stands where it does not belong.")


def _damaged(place: str, offset: int) -> Damaged:
    return Damaged(place, Part.RECORD, offset)
