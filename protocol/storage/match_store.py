"""One match on the disk, safe against a crash at any moment.

A folder of its own: `transcript.p2ps`, the public log; `secrets`, the master secret and the decisions not yet
public; `peer.json`, the ways to the other seats; `tls.pem`, the certificate with which we listen; `lock`.
Every output of a session is appended and synced here before any of it is sent, secrets first, so that a
crash never loses an acknowledged record or leads to a second, different signature (threats 30, 33, 34).

After a power cut, zeros or old content of the disk may replace unsynced bytes.  Opening cuts an incomplete
last record.  It sets aside damage without a whole record behind it, in a file of its own beside the log, and
the match goes on: only synced records were sent, and they are all there.  Damage before a whole record is rot
of synced bytes, and opening raises Damaged (threat 35).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_bytes
from typing import Final, NamedTuple

from protocol.errors import Malformed, Refusal
from protocol.failures import Damaged, Missing, Part, StorageFailure, TooLong
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.storage.files import Folder, Lock, Log
from protocol.storage.ledger import Mark, PostLedger, ledger_json, read_ledger
from protocol.storage.route import Route, read_route, route_json
from protocol.trace import Trace, silent
from protocol.wire import labels, transcript
from protocol.wire.encoding import RECORDED, Frame, holds_frame, read_frame

TRANSCRIPT: Final = "transcript.p2ps"
SECRETS: Final = "secrets"
PEER: Final = "peer.json"
TLS: Final = "tls.pem"
LOCK: Final = "lock"
POSTS: Final = "post.json"
"""The posts of the match (ledger.py)."""
CLOCKS: Final = "clocks.json"
"""The measurements of the match's clocks, synced."""
RECENT: Final = "clocks-recent.json"
"""Newer measurements, never synced: the file outlives the process, and a power cut may damage it."""
RECEIPT: Final = "receipt"
"""The other seat's newest receipt, verified when an AWAY needs it: a damaged receipt is worth nothing."""

PRACTICE: Final = "practice"
"""Empty; it is there once our player had help that no record tells, which makes the match practice."""

SECRETS_MAGIC: Final = b"p2p-stratego secrets %d\n" % labels.PROTOCOL_VERSION
MASTER, DECISION = 64, 65
"""Kinds of the secrets file's frames: out of reach of those of a transcript (1 to 3) and of a channel (16 to
31), so that a secret can never pass for a record or go out on a wire (threat 37)."""
_DAMAGED: Final = ".damaged-"
"""Between the name of a file and the offset of the bytes that were set aside from the file."""
_SETTLED: Final = ".settled-"
"""In the same place, once none of these bytes are missing any more."""
_SET_ASIDE: Final = re.compile(re.escape(TRANSCRIPT + _DAMAGED) + r"(\d{1,8})(-\d+)?")
"""The name of a file with bytes set aside from the record."""
ROOM: Final = 4 * 2**20
"""Bytes that must be free before a match begins or goes on: hundreds of ordinary matches."""


@dataclass(frozen=True, slots=True)
class DamagedTail:
    """The damaged end of a file, cut off on opening and kept.

    `place`: the path of the kept bytes; `offset`: the number of good bytes before them; `size`: their number.
    """

    place: str
    offset: int
    size: int


class Store:
    """A match that this process alone has open, until `close`."""

    def __init__(self, folder: Folder, entropy: Callable[[int], bytes] = token_bytes) -> None:
        """Open the match in `folder`, which the store closes; `entropy`: as in Home, for proofs.

        Raises InUse, Damaged, DiskFull, Missing, or another StorageFailure.
        """
        self.trace: Trace = silent
        self._folder = folder
        self._closing: list[Lock | Log] = []
        self._failure: StorageFailure | None = None
        self._ledger: PostLedger | None = None
        try:
            self._closing.append(folder.lock(LOCK, wait=False))
            folder.tidy()
            folder.room(ROOM)
            self.genesis, self.recorded, log = _read_transcript(folder)
            self.secrets, hidden = _read_secrets(folder, entropy)
            kept = [_set_aside(folder, name, end) for name, end in ((TRANSCRIPT, log), (SECRETS, hidden))]
            self.set_aside = tuple(tail for tail in kept if tail is not None)
            """Damage found by this opening, to be reported to the player."""
            self.secrets.lost = _lost(folder, log.good)
            self._longest = transcript.longest(self.genesis)
            self._log = folder.log(TRANSCRIPT, log.good)
            self._closing.append(self._log)
            self._hidden = folder.log(SECRETS, hidden.good)
            self._closing.append(self._hidden)
        except (StorageFailure, Refusal):
            self.close()
            raise

    @property
    def path(self) -> str:
        """The path of the transcript."""
        return self._folder.place(TRANSCRIPT)

    @property
    def name(self) -> str:
        """The name of the match's folder."""
        return self._folder.path.name

    @property
    def secrets_damage(self) -> Damaged:
        """The failure to raise if the secrets lack a decision on which the record depends."""
        return _damaged(self._folder.place(SECRETS), self._hidden.length)

    @property
    def route(self) -> Route:
        """The ways to the other seats.  Raises Damaged or Missing."""
        return read_route(self._folder.read(PEER), self._folder.place(PEER))

    def set_route(self, route: Route) -> None:
        """Remember new ways to the other seats."""
        self._folder.replace(PEER, route_json(route))

    @property
    def certificate(self) -> bytes:
        """The key and certificate with which we listen, PEM.  Raises Missing if we do not."""
        return self._folder.read(TLS)

    @property
    def receipt(self) -> bytes:
        """The bytes last given to `keep_receipt`, or b""."""
        try:
            return self._folder.read(RECEIPT)
        except Missing:
            return b""

    def keep_receipt(self, receipt: bytes) -> None:
        """Save the other seat's receipt for the next process."""
        self._folder.replace(RECEIPT, receipt)

    @property
    def practice(self) -> bool:
        """Whether `keep_practice` was called, in any process."""
        return is_practice(self._folder.path)

    def keep_practice(self) -> None:
        """Make the match practice for ever, synced: our player has help that no record tells."""
        self._folder.replace(PRACTICE, b"")

    @property
    def clocks(self) -> list[bytes]:
        """The bytes last given to `keep_clocks`, with and without `synced`, as far as there are any."""
        clocks = []
        for name in (CLOCKS, RECENT):
            with suppress(Missing):
                clocks.append(self._folder.read(name))
        return clocks

    def keep_clocks(self, clocks: bytes, *, synced: bool) -> None:
        """Save what the clocks of the match have measured, for the next process."""
        self._folder.replace(CLOCKS if synced else RECENT, clocks, synced=synced)

    @property
    def mark(self) -> Mark:
        """Where the folder stands: the inode of its lock, which nobody writes to."""
        return self._folder.inode(LOCK)

    @property
    def ledger(self) -> PostLedger:
        """The posts of this match, also once this store is closed.  Raises Damaged."""
        if self._ledger is None:
            try:
                self._ledger = read_ledger(self._folder.read(POSTS), self._folder.place(POSTS))
            except Missing:
                self._ledger = PostLedger()
        return self._ledger

    def keep_ledger(self, ledger: PostLedger) -> None:
        """Remember the posts, synced."""
        self._folder.replace(POSTS, ledger_json(ledger))
        self._ledger = ledger

    def execute(self, outputs: Iterable[Output], *, durable: bool = False) -> bytes:
        """Persist everything, then return the frames to be sent.

        One sync for all secrets, then one for all records: a record never reaches the disk before the
        decision that it depends on.  Records of others alone wait for the sync of our next answer, unless
        `durable`: nothing we sent acknowledges them yet.  But a decision depends on them, so they are
        synced before it.  After a StorageFailure no record was sent, and this store takes no more outputs:
        the state of the file after a failed sync is unknown (threat 34).  Raises TooLong before anything is
        written.
        """
        with self._failing():
            return self._execute(list(outputs), durable)

    def settle(self) -> None:
        """Take note that no byte set aside is missing any more: no later opening waits for it (threat 30)."""
        self.secrets.lost = 0
        if kept := [name for name in self._folder.names() if _SET_ASIDE.fullmatch(name)]:
            for name in kept:
                self._folder.rename(name, name.replace(_DAMAGED, _SETTLED, 1))
            self._folder.sync()

    def sync(self) -> None:
        """Return once all records are on the disk, so that they can be acknowledged.  Raises as `execute`."""
        with self._failing():
            self._log.sync()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        """Remember the first StorageFailure, and raise it again each time."""
        if self._failure is not None:
            raise self._failure
        try:
            yield
        except StorageFailure as failure:
            self._failure = failure
            raise

    def _execute(self, batch: list[Output], durable: bool) -> bytes:
        hidden = b"".join(bytes(Frame(DECISION, out.data)) for out in batch if out.duty is Duty.SECRET)
        records = b"".join(out.data for out in batch if out.duty is not Duty.SECRET)
        # A longer file could not be opened again (threat 47).  This check comes before the secrets are
        # written: no secret may belong to a record that never was.
        if records and self._log.length + len(records) > self._longest:
            raise TooLong(self.path)
        if hidden:
            self._log.sync()
            self._hidden.append(hidden)
            self.trace("sync", file=SECRETS)  # without the size, which tells something of the decision
        if records:
            durable = durable or any(out.duty is Duty.SEND for out in batch)
            self._log.append(records, durable=durable)
            self.trace("sync" if durable else "write", file="transcript", size=len(records))
        return b"".join(out.data for out in batch if out.duty is Duty.SEND)

    def close(self) -> None:
        """Let other processes open the match; a second call has no effect."""
        for held in reversed(self._closing):
            held.close()
        self._folder.close()


def create(folder: Folder, log: bytes, master: bytes, route: Route, certificate: bytes = b"") -> None:
    """Write the files of a new match into the empty `folder`, all synced.

    `log`: a transcript, as far as it has come; `master`: 32 secret bytes; `certificate`: the host's key and
    certificate, PEM.
    Raises DiskFull here, before any consent, rather than in the middle of a match (threat 33).
    """
    folder.room(ROOM)
    folder.create(LOCK, b"")
    folder.create(SECRETS, SECRETS_MAGIC + bytes(Frame(MASTER, master)))
    if certificate:
        folder.create(TLS, certificate)
    folder.create(PEER, route_json(route))
    folder.create(TRANSCRIPT, log)
    folder.sync()


def secrets_beside(path: Path) -> MatchSecrets:
    """The secrets of the match in the folder at `path`, which exists; nothing is locked or changed.

    Another process may play the match meanwhile: it only adds to the file.  Raises Damaged, Missing, or
    another StorageFailure.
    """
    with Folder.at(path) as folder:
        return _read_secrets(folder, token_bytes)[0]


def is_old(path: Path) -> bool:
    """Whether the copy in the folder at `path` is known to be an old one, which never signs again.

    Nothing is locked or changed.  An unreadable copy counts as not old: opening the match raises the failure.
    """
    with suppress(StorageFailure, Refusal):
        return secrets_beside(path).stale
    return False


def is_open(path: Path) -> bool:
    """Whether a process, this one or another, has the match in the folder at `path` open now.

    One that cannot be read counts as closed.
    """
    with suppress(StorageFailure), Folder.at(path) as folder:
        return folder.held(LOCK)
    return False


def is_practice(path: Path) -> bool:
    """Whether the owner of the match in the folder at `path` had help that no record tells."""
    return (path / PRACTICE).exists()


def usable(data: bytes) -> bytes:
    """The bytes of a transcript that `Store` would keep: all, or those before a tail to be set aside.

    A transcript that `Store` would refuse is returned unchanged, for an audit to name the flaw.
    """
    try:
        contents = transcript.read(data)
        return data[: contents.size] if contents.damage and _end("", data, contents.size, RECORDED) else data
    except (Refusal, Damaged):
        return data


class _End(NamedTuple):
    """How a file ends: `good`: bytes up to the end of its last whole record; `damaged`: the bytes after it,
    or b"" if they are only an incomplete record.
    """

    good: int
    damaged: bytes


def _read_transcript(folder: Folder) -> tuple[bytes, tuple[Frame, ...], _End]:
    """The genesis' body, the records after it, and the end.  Raises Damaged."""
    place, data = folder.place(TRANSCRIPT), folder.read(TRANSCRIPT)
    try:
        contents = transcript.read(data)
    except (Malformed, transcript.NotATranscript) as error:
        raise _damaged(place, 0) from error
    damaged = b"" if contents.damage is None else _end(place, data, contents.size, RECORDED)
    return contents.genesis, contents.frames, _End(contents.size, damaged)


def _read_secrets(folder: Folder, entropy: Callable[[int], bytes]) -> tuple[MatchSecrets, _End]:
    """The secrets and the end.  Raises Damaged.

    A decision may be set aside only if no record depends on it: the session refuses a record with our
    commitment to a missing decision.
    """
    place, data = folder.place(SECRETS), folder.read(SECRETS)
    if not data.startswith(SECRETS_MAGIC):
        raise _damaged(place, 0)
    position, damaged = len(SECRETS_MAGIC), b""
    secrets: MatchSecrets | None = None
    try:
        while (frame := read_frame(data, position)) is not None:
            secrets = _with_record(secrets, frame, entropy)
            position += len(frame)
    except Malformed:
        damaged = _end(place, data, position, (MASTER, DECISION))
    if secrets is None:
        raise _damaged(place, position)
    return secrets, _End(position, damaged)


def _end(place: str, data: bytes, good: int, kinds: Collection[int]) -> bytes:
    """The bytes after the first `good` ones.  Raises Damaged if they hold a whole record."""
    if _is_frame(data, good) or holds_frame(data, good, kinds):
        raise _damaged(place, good)
    return data[good:]


def _is_frame(data: bytes, position: int) -> bool:
    """Whether a whole frame of any kind stands at `position`: then a program wrote it, though not ours."""
    try:
        return read_frame(data, position) is not None
    except Malformed:
        return False


def _set_aside(folder: Folder, name: str, end: _End) -> DamagedTail | None:
    """Save the damaged end of file `name` before the cut; None if there is no damage.

    A process killed between saving and cutting leads to a second call with the same bytes.
    """
    if not end.damaged:
        return None
    number = 1
    while True:
        kept = f"{name}{_DAMAGED}{end.good}" + (f"-{number}" if number > 1 else "")
        try:
            folder.create(kept, end.damaged)
        except FileExistsError:
            if folder.read(kept) != end.damaged:
                number += 1
                continue
        folder.sync()
        return DamagedTail(folder.place(kept), end.good, len(end.damaged))


def _lost(folder: Folder, good: int) -> int:
    """An upper bound for the bytes set aside from the record and still missing."""
    kept = [(int(match[1]), name) for name in folder.names() if (match := _SET_ASIDE.fullmatch(name))]
    return max([0, *(offset + folder.size(name) - good for offset, name in kept)])


def _with_record(secrets: MatchSecrets | None, frame: Frame, entropy: Callable[[int], bytes]) -> MatchSecrets:
    """The secrets, with one more record of their file added."""
    if secrets is None and frame.kind == MASTER and len(frame.payload) == MASTER_BYTES:
        return MatchSecrets(frame.payload, entropy)
    if secrets is not None and frame.kind == DECISION:
        secrets.remember(frame.payload)
        return secrets
    raise Malformed("A record of the secrets file stands where it does not belong.")


def _damaged(place: str, offset: int) -> Damaged:
    return Damaged(place, Part.RECORD, offset)
