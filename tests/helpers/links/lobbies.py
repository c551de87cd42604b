"""A lobby and its guests without a network: every frame waits in a queue until a test delivers it."""

from __future__ import annotations

from collections import deque
from contextlib import suppress
from pathlib import Path

from protocol.channel.channel import CARD
from protocol.errors import Refusal
from protocol.failures import Code, Refused
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import Person, Terms
from protocol.lobby.host_lobby import Lobby, Member
from protocol.lobby.listing import Listing
from protocol.record.pace import Pace
from protocol.record.time_control import TimeControl
from protocol.storage.home import Owner
from protocol.storage.route import Place, Route
from protocol.wire import transcript
from protocol.wire.addresses import Endpoint
from protocol.wire.encoding import Frame
from tests.helpers.games.toy import TOY
from tests.helpers.machine.homes import KeptHome

ROUTE = Route()
NAMES = ("Ada", "Ben", "Cleo", "Dan", "Eve")
LISTEN = ("Ben", "Cleo", "Eve")
"""The guests who can be called."""


def toy_owner(path: Path, name: str) -> Owner:
    """A player of the toy game, with a home folder at `path`."""
    home = KeptHome(path)
    return Owner(home, home.identity(), name, {TOY.name: TOY})


class GuestEnd:
    """A guest's end of one connection: what it says waits in `outgoing`, what it is told in `incoming`."""

    def __init__(self, owner: Owner, host: Person, clock: Clock) -> None:
        self.owner = owner
        self.outgoing: deque[Frame] = deque()
        self.incoming: deque[Frame] = deque()
        self.closed: Code | None = None
        self.trouble: Refusal | Refused | None = None
        place = Place((Endpoint("192.0.2.1", NAMES.index(owner.name) + 4000),), bytes(32))
        self.listens: Place | None = place if owner.name in LISTEN else None
        self.visit = Visit(owner, host, self.outgoing.append, lambda _: Route(self.listens), clock)
        self.member: Member | None = None

    @property
    def person(self) -> Person:
        return Person(self.owner.identity.key, self.owner.name)

    def close(self, code: Code) -> None:
        """The host ends the connection."""
        self.closed = self.closed or code


class Clock:
    """Seconds that only a test moves."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


class Sitting:
    """A host with a lobby for a match of the toy game, and the guests who come."""

    def __init__(
        self,
        path: Path,
        seats: int,
        seat: int = 0,
        *,
        proofs: bool = False,
        pace: Pace = Pace.LIVE,
        clock: TimeControl | None = None,
        **options: int | str,
    ) -> None:
        self.path = path
        self.clock = Clock()
        self.host = toy_owner(path / "ada", "Ada")
        terms = Terms(TOY, TOY.options(options), seats, seat, proofs=proofs, pace=pace, clock=clock)
        self.lobby = Lobby(self.host, terms, lambda _: ROUTE, b"", self.clock)
        self.owners = [toy_owner(path / name.lower(), name) for name in NAMES[1:]]
        self.guests: list[GuestEnd] = []

    def come(self, number: int, bot: str = "") -> GuestEnd:
        """Let guest `number` (from 1) come in, over a new connection.  Raises Refused."""
        end = GuestEnd(self.owners[number - 1], Person(self.host.identity.key, self.host.name), self.clock)
        end.member = self.lobby.enter(end.person, end.incoming.append, end.close, bot)
        self.guests.append(end)
        return end

    def go(self, end: GuestEnd) -> None:
        """The connection breaks: what is on its way is lost."""
        assert end.member is not None
        self.lobby.left(end.member)
        end.outgoing.clear()
        end.incoming.clear()
        self.guests.remove(end)

    def hear(self, end: GuestEnd) -> bool:
        """Give the host the next frame of `end`, a CARD with the AGREE behind it; whether there was one."""
        if not end.outgoing or end.member is None:
            return False
        try:
            if end.outgoing[0].kind == CARD:
                self.lobby.received(end.member, end.outgoing.popleft())
            if end.outgoing:
                self.lobby.received(end.member, end.outgoing.popleft())
        except Refusal as refusal:
            end.trouble = refusal
            end.close(Code.PROTOCOL)
            self.lobby.left(end.member)
        return True

    def tell(self, end: GuestEnd) -> bool:
        """Give `end` the next frame of the host; whether there was one."""
        if not end.incoming:
            return False
        end.visit.received(end.incoming.popleft())
        return True

    def settle(self) -> None:
        """Deliver everything until nobody says anything more."""
        busy = True
        while busy:
            busy = False
            for end in [guest for guest in self.guests if guest.closed is None]:
                busy |= self.hear(end) | self.tell(end)

    def tell_all(self, end: GuestEnd) -> None:
        """Give `end` every frame of the host that waits for it."""
        while self.tell(end):
            pass

    def agree(self, *ends: GuestEnd) -> None:
        """Let `ends` (default: all guests), and the host, say yes to the listing that they see."""
        self.settle()
        for end in ends or self.guests:
            assert end.visit.listing is not None
            end.visit.agree(end.visit.listing.number)
        self.lobby.start()

    def folders(self, *owners: Owner) -> list[int]:
        """How many matches each of `owners` (default: host and guests) has on its disk."""
        return [len(owner.home.games()) for owner in owners or (self.host, *self.owners)]


def begun(sitting: Sitting) -> bool:
    """Whether the host and all guests have the same match, with the AGREE of every seat in it."""
    store = sitting.lobby.store
    if store is None:
        return False
    ends = [end for end in sitting.guests if end.closed is None]
    stores = [end.visit.store for end in ends]
    assert len(ends) == sitting.lobby.terms.seats - 1
    assert all(end.visit.begun for end in ends)
    assert all(copy is not None and copy.genesis == store.genesis for copy in stores)
    agreed = {frame.payload for frame in open_again(sitting.host, store.name)}
    assert len(agreed) == sitting.lobby.terms.seats
    assert store.route.others == places(sitting, sitting.host)
    for end, copy in zip(ends, stores, strict=True):
        assert copy is not None
        assert {frame.payload for frame in copy.recorded} == agreed
        assert copy.route.others == places(sitting, end.owner)
        assert end.owner.home.games()
    return True


def places(sitting: Sitting, of: Owner) -> dict[int, Place]:
    """By seat, where the guests listen, but for `of` itself."""
    listing = sitting.lobby.listing
    by_seat = {listing.seat_of(end.person.key): end.listens for end in sitting.guests if end.owner is not of}
    return {seat: place for seat, place in by_seat.items() if seat is not None and place is not None}


def open_again(owner: Owner, name: str) -> tuple[Frame, ...]:
    """The records on the disk of `owner`, as another process would read them."""
    path = next(game.path for game in owner.home.games() if game.id == name)
    with suppress(Refusal):
        return transcript.read(path.read_bytes()).frames
    return ()


def whole(path: Path, seats: int = 3) -> Sitting:
    """A lobby with a guest on every other seat."""
    sitting = Sitting(path, seats)
    for number in range(1, seats):
        sitting.come(number)
    sitting.settle()
    return sitting


def seen(end: GuestEnd) -> Listing:
    """The listing that a guest sees."""
    assert end.visit.listing is not None
    return end.visit.listing


def founded(path: Path) -> tuple[Sitting, GuestEnd, GuestEnd]:
    """A lobby of three in which all have said yes, and nobody has the genesis yet."""
    sitting = whole(path)
    sitting.agree()
    for end in sitting.guests:
        sitting.hear(end)
    assert sitting.lobby.founding
    ben, cleo = sitting.guests
    return sitting, ben, cleo
