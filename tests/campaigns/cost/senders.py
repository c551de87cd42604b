"""Who can send what: each sender yields what its frames cost, every kind in its worst forms."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final

from protocol.channel import channel, tls
from protocol.channel.channel import Channel, Sync, receipt_frame
from protocol.crypto import keys
from protocol.errors import Refusal
from protocol.failures import Failure
from protocol.limits import EARLY_RECORDS, STRANGERS_LIMIT
from protocol.lobby.introductions import Desk
from protocol.post import form
from protocol.record import receipts, statements
from protocol.record.position import Position, StatementHead
from protocol.record.statements import Content, Kind, statement_hash
from protocol.rendezvous.address_cards import AddressCard, sign_card
from protocol.rendezvous.nearby import SERVICE, networks_of, read_game
from protocol.rendezvous.relay_switchboard import HELLO_BYTES, Limits, Role, Switchboard, hello
from protocol.replication.audience import Audience, sign_audience
from protocol.replication.holdings import Counts, Have
from protocol.wire import labels
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import ENTRY, MAX_PAYLOAD, PROOF, STATEMENT, Frame, Value, encode
from tests.campaigns.cost.forms import payloads
from tests.campaigns.cost.measured import Cost, measured
from tests.helpers.links.gossiping import LOST, Gossiping
from tests.helpers.links.lobbies import Sitting

SMALL: Final = 2000
"""Frames of the small kinds in one flood."""
CONNECTION: Final = 160
"""Bytes on the wire to connect by TCP, in four packets of 40 bytes (RFC 9293), that bring nothing else."""


class Victim:
    """Seat 0 of a table of three, in the middle of a match; seat 2 attacks it, on one link after another."""

    def __init__(self, folder: Path) -> None:
        self.table = Gossiping(folder, 3, [(0, 1), (0, 2), (1, 2)], options={"rounds": 2}).mend_all()
        for _ in range(30):
            self.table.step()
        self.table.settle()
        self.replica = self.table.seats[0]
        self.key = self.table.owners[2].identity
        self.frames = [
            record.frame for record in self.replica.session.referee.record if hasattr(record, "frame")
        ]
        self.table.kill(2)
        self.join()

    def join(self, error: Refusal | Failure = LOST, end: int = 2) -> None:
        """A new link, whose SYNC has come."""
        with suppress(KeyError):
            self.replica.unlinked(error, end)
        self.replica.linked(lambda _: None, end)
        nothing = Position(0, self.match, tuple(StatementHead(0, self.match) for _ in range(3)))
        self.replica.received([Sync(self.match, nothing).frame], end)

    @property
    def match(self) -> bytes:
        return self.replica.match.id

    def cost(self, name: str, frames: Iterable[Frame], end: int = 2) -> Cost:
        return measured(
            name, frames, lambda some: self.replica.received(some, end), partial(self.join, end=end)
        )

    def statement(self, index: int, previous: bytes, text: str) -> Frame:
        """A line of chat of the attacker, well signed."""
        return self._signed(index, previous, Kind.CHAT, (text,))

    def _signed(self, index: int, previous: bytes, kind: Kind, content: Content) -> Frame:
        referee = self.replica.session.referee
        body = statements.body(2, (index, previous), (referee.count, referee.head), kind, content)
        return Frame(STATEMENT, body + self.key.sign(labels.SIGN_STATEMENT, self.match + body))

    def entry(self, number: int, previous: bytes) -> Frame:
        """An entry of the attacker, well signed."""
        body = encode([2, number, previous, [1, "x"]])
        return Frame(ENTRY, body + self.key.sign(labels.SIGN_ENTRY, self.match + body))

    def chain(self, count: int, length: int) -> list[Frame]:
        """The next lines of chat, each behind the one before."""
        return self._chain([(Kind.CHAT, ("y" * length,))] * count)

    def acceptances(self, count: int) -> list[Frame]:
        """The next statements, each of which accepts another draw that nobody has offered."""
        return self._chain([(Kind.ACCEPT_DRAW, (2, number + 1)) for number in range(count)])

    def _chain(self, contents: Iterable[tuple[Kind, Content]]) -> list[Frame]:
        """The next statements, each behind the one before."""
        index = len(self.replica.session.referee.statements[2])
        previous = self.replica.session.position().statements[2].head
        made = []
        for number, (kind, content) in enumerate(contents):
            frame = self._signed(index + number, previous, kind, content)
            previous = statement_hash(frame.payload[: -keys.SIGNATURE_BYTES])
            made.append(frame)
        return made


def seat(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """A seat of the match."""
    victim = Victim(folder)
    for kind in (ENTRY, STATEMENT, PROOF, *range(channel.SYNC, channel.AUDIENCE + 1), channel.FRIEND, 99):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield victim.cost(f"seat: kind {kind}, {name}", [Frame(kind, payload)] * count)
    yield from _signed(victim, rng)
    yield from _in_vain(victim, rng)
    yield from _behind_early_ones(victim)
    yield from _behind_a_proof(victim)
    victim.table.close()
    held = Held(folder / "held")
    yield measured("seat: a late entry and talk behind it", held.late(EARLY_RECORDS), partial(held.take, 2))
    yield measured("seat: talk beside them, which are held back", held.talk(300), partial(held.take, 1))
    held.table.close()


def _in_vain(victim: Victim, rng: random.Random) -> Iterator[Cost]:
    """Small frames that bring nothing."""
    referee, match = victim.replica.session.referee, victim.match
    count, head, spoken = referee.count, referee.head, len(referee.statements[2])
    own = [frame for frame in victim.frames if frame.kind in (ENTRY, STATEMENT)]
    flood = range(SMALL)
    yield victim.cost("seat: records that are known", [own[n % len(own)] for n in flood])
    spoilt = [Frame(frame.kind, frame.payload[:-64] + rng.randbytes(64)) for frame in own]
    yield victim.cost("seat: known records, other signatures", [spoilt[n % len(own)] for n in flood])
    counts = Counts(count, [len(statements) for statements in referee.statements])
    yield victim.cost("seat: HAVE", [Have(counts, n % 5, (1, 1, 0), (0, 1)).frame for n in flood])
    receipt = receipts.sign(victim.key, victim.replica.match, 2, count, head)
    for name, seat, at, word in (
        ("its own receipt again", 2, count, receipt),
        ("false receipts of another seat", 1, count, receipt),
        ("receipts of the past", 2, 1, receipt),
    ):
        yield victim.cost(f"seat: {name}", [receipt_frame(match, seat, at, word)] * SMALL)
    coming = [receipt_frame(match, 2, count + 1 + n, rng.randbytes(64)) for n in flood]
    yield victim.cost("seat: receipts of the future", coming)
    ahead = [victim.statement(spoken + 5 + n % 50, bytes(32), str(n)) for n in flood]
    yield victim.cost("seat: statements that do not follow", ahead)
    other = [victim.statement(spoken, rng.randbytes(32), str(n)) for n in flood]
    yield victim.cost("seat: statements behind another one", other)
    future = [victim.entry(count + 1 + n % 9, rng.randbytes(32)) for n in flood]
    yield victim.cost("seat: entries of the future", future)


def _signed(victim: Victim, rng: random.Random) -> Iterator[Cost]:
    """Signed words beside the record."""
    match = victim.replica.match
    cards = [sign_card(victim.key, match, AddressCard(2, n + 1, None)) for n in range(SMALL)]
    yield victim.cost("seat: CARDs", cards)
    spoilt = [Frame(frame.kind, frame.payload[:-64] + rng.randbytes(64)) for frame in cards]
    yield victim.cost("seat: CARDs, false signatures", spoilt)
    words = [sign_audience(victim.key, match, Audience(2, n + 1, n % 16)) for n in range(SMALL)]
    yield victim.cost("seat: AUDIENCEs", words)
    false = [Frame(frame.kind, frame.payload[:-64] + rng.randbytes(64)) for frame in words]
    yield victim.cost("seat: AUDIENCEs, false signatures", false)


def _behind_early_ones(victim: Victim) -> Iterator[Cost]:
    """New records, with as many as may be kept that do not follow yet: each new one tries those again."""
    count = len(victim.replica.session.referee.statements[2])
    early = [victim.statement(count + 900 + n, bytes(32), "z") for n in range(EARLY_RECORDS - 1)]
    with suppress(Refusal, Failure):
        victim.replica.received(early, 2)
    yield victim.cost("seat: new lines of chat, 63 early ones kept", victim.chain(300, 1))
    yield victim.cost("seat: new long lines of chat", victim.chain(300, 500))
    yield victim.cost("seat: acceptances of no offer behind them", victim.acceptances(300))


def _behind_a_proof(victim: Victim) -> Iterator[Cost]:
    """A PROOF that shares entries which are not ours waits: each record tries it again."""
    records: list[Value] = [[ENTRY, b"x" * 250]] * 250
    victim.join()
    victim.replica.received([Frame(PROOF, encode([1, bytes(32), records]))], 2)
    known = [victim.frames[n % len(victim.frames)] for n in range(SMALL)]
    yield victim.cost("seat: records that are known, beside a PROOF that waits", known)


class Held:
    """Seat 0 of a table of three holds back what seat 2, which it has called away, sends late."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self.table = Gossiping(folder, 3, [(0, 1), (0, 2), (1, 2)], options={"rounds": 2}).mend_all()
        self.replica = self.table.seats[0]
        late = self.table.seats[2].session
        while late.decision is None or self.replica.session.referee.waited_for != (2,):
            owing = self.table.settle().seats[0].session.referee.waited_for[0]
            if owing != 2 or late.decision is None:
                assert self.table.decide(self.table.seats[owing])
        for edge in [*self.table.edges]:
            self.table.cut(edge)
        assert self.table.decide(self.table.seats[2])
        self._entry, self._head = late.referee.entries[-1].frame, late.referee.head
        self.replica.session.claim_away(60)
        self.replica.exchange.flush()
        match = self.replica.match.id
        nothing = Position(0, match, tuple(StatementHead(0, match) for _ in range(3)))
        for seat in (1, 2):
            self.replica.linked(lambda _: None, seat)
            self.replica.received([Sync(match, nothing).frame], seat)

    def take(self, end: int, frames: list[Frame]) -> None:
        self.replica.received(frames, end)

    def late(self, count: int) -> list[Frame]:
        """The entry of seat 2, and `count` lines of chat behind it."""
        referee = self.replica.session.referee
        return [self._entry, *self._chats(2, referee.count + 1, self._head, count)]

    def talk(self, count: int) -> list[Frame]:
        """Lines of chat of seat 1 beside that."""
        referee = self.replica.session.referee
        return self._chats(1, referee.count, referee.head, count)

    def _chats(self, seat: int, count: int, head: bytes, lines: int) -> list[Frame]:
        statement_head, match = self.replica.session.referee.statement_heads[seat], self.replica.match.id
        index, previous, made = len(statement_head) - 1, statement_head[-1], []
        for number in range(lines):
            body = statements.body(seat, (index + number, previous), (count, head), Kind.CHAT, ("z",))
            signature = self.table.owners[seat].identity.sign(labels.SIGN_STATEMENT, match + body)
            made.append(Frame(STATEMENT, body + signature))
            previous = statement_hash(body)
        return made


def spectator(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Somebody with an invite to watch."""
    victim = Victim(folder)
    victim.join(end=3)
    for kind in (ENTRY, STATEMENT, channel.SYNC, channel.HAVE, channel.CARD):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield victim.cost(f"spectator: kind {kind}, {name}", [Frame(kind, payload)] * count, end=3)
    victim.table.close()


def guest(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """A guest in a lobby."""
    sitting = Sitting(folder, 3)
    end = sitting.come(1)
    sitting.come(2)

    def take(frames: list[Frame]) -> None:
        assert end.member is not None
        for frame in frames:
            end.member.frames = 0
            sitting.lobby.received(end.member, frame)

    for kind in (channel.READY, STATEMENT, channel.CARD, 99):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield measured(f"guest: kind {kind}, {name}", [Frame(kind, payload)] * count, take)
    number = sitting.lobby.listing.number
    ready = [
        Frame(channel.READY, encode([number, rng.randbytes(32), rng.randbytes(32)] if n % 2 else [number]))
        for n in range(SMALL)
    ]
    yield measured("guest: yes and no", ready, take)


def stranger(folder: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Anybody who connects: one frame a connection."""
    sitting = Sitting(folder, 3)
    desk = Desk(sitting.host, tls.make(), 4000)
    desk.invite((Endpoint("127.0.0.1", 4000),), 3600.0, 0.0, 0.0)

    def take(frames: list[Frame]) -> None:
        for frame in frames:
            talk = desk.greeting(lambda _: None, bytes(64), None, lambda: 0.0)
            next(talk)
            with suppress(Refusal, Failure):
                talk.send(frame)

    for kind in (channel.JOIN, channel.RESUME, channel.WATCH, channel.CODE, channel.MEET, channel.ASK, 99):
        for name, payload in payloads(rng, STRANGERS_LIMIT):
            frames = [Frame(kind, payload)] * (8 * count)
            yield measured(f"stranger: kind {kind}, {name}", frames, take, more=CONNECTION)
    yield from _pieces(rng)


def _pieces(rng: random.Random) -> Iterator[Cost]:
    """Frames as they come from the network: in tiny pieces, or many at once."""
    link = Channel(0.0)
    link.trust(0.0)

    def take(pieces: list[Frame]) -> None:
        for piece in pieces:
            link.take_in(piece.payload, 0.0)
            link.inbox.clear()
            link.outgoing()

    # Each piece stands in a TLS record, with 22 bytes beside it; a Frame here only carries it.
    beside = 22 - len(Frame(0, b""))
    whole = bytes(Frame(channel.HAVE, rng.randbytes(MAX_PAYLOAD)))
    yield measured(
        "link: a frame in single bytes", [Frame(0, bytes((byte,))) for byte in whole], take, more=beside
    )
    ping = bytes(Frame(channel.PING, bytes(channel.TOKEN_BYTES)))
    yield measured("link: PINGs", [Frame(0, ping)] * (10 * SMALL), take, more=beside)
    empty = bytes(Frame(channel.HAVE, b"")) * 1000
    yield measured("link: empty frames", [Frame(0, empty)] * 20, take, more=beside)


def relay(_: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Who connects to a relay: a hello a connection, of any network, and its end."""
    for role in Role:
        board = Switchboard(Limits())
        numbers: list[int] = []

        def take(frames: list[Frame], board: Switchboard = board, numbers: list[int] = numbers) -> None:
            for frame in frames:
                number, _ = board.came(f"10.{len(numbers) % 250}.0.1", 0.0, 4000)
                board.heard(number, frame.payload, 0.0)
                numbers.append(number)
                if len(numbers) > Limits().streams // 2:
                    board.broke(numbers.pop(0))

        hellos = [Frame(0, hello(role, rng.randbytes(16))) for _ in range(count * SMALL)]
        beside = CONNECTION - len(Frame(0, b""))
        yield measured(f"relay: hello {role.name}", hellos, take, more=beside)
        assert len(hellos[0].payload) == HELLO_BYTES


def nearby(_: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Who announces games in the own network."""
    networks = networks_of([("192.0.2.1", 24)])

    def take(frames: list[Frame]) -> None:
        for frame in frames:
            read_game(f"{'0' * 16}.{SERVICE}", frame.payload, 4000, ["192.0.2.7"] * 64, networks)

    letters = ("\u0300\u0334", "\u0f73", "\u00e9", "\u0378a", "\u1100\u1161\u11a8", "x")
    for letter in letters:
        name = (letter * 300).encode()[: 252 // len(letter.encode()) * len(letter.encode())]
        rest = [b"v=1", b"g=toy", b"f=ND2T-JN8X-N959-T33F", b"s=1"]
        text = b"".join(bytes((len(part),)) + part for part in (*rest, b"n=" + name))
        yield measured(f"nearby: names of {letter[:2]!a}", [Frame(0, text)] * (100 * count), take)


def post(_: Path, rng: random.Random, count: int) -> Iterator[Cost]:
    """Who writes a post, before it is known to be from a seat."""

    def take(frames: list[Frame]) -> None:
        for frame in frames:
            form.read(form.MAGIC + bytes(frame) + bytes(Frame(channel.SEAL, bytes(64))))

    for kind in (channel.POSTMARK, channel.OFFER):
        for name, payload in payloads(rng, MAX_PAYLOAD):
            yield measured(f"post: kind {kind}, {name}", [Frame(kind, payload)] * count, take)


ALL: Final[tuple[Callable[[Path, random.Random, int], Iterator[Cost]], ...]] = (
    stranger,
    guest,
    spectator,
    seat,
    relay,
    nearby,
    post,
)
