"""A guest's side of sitting down: what the host proposes, our yes to it, and the match that comes of it.

We agree to one listing of the host, whole: game, options, profile, and who sits where.  The genesis that
the host then sends must be made of exactly that, with our part as we sent it.  We write it to our disk
before we sign it, and set it aside if the host voids it, since a match begins only once all have signed.
Nobody but the host knows whether it does, so we keep it: a host that begins it all the same holds our
consent (threat 104).  If the connection is lost in between, we ask the host whether it began (RESUME).  No
code here waits or moves bytes; peer.py does.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from p2p_stratego.core.game import Seat
from protocol.channel.channel import CARD, FOUND, LOBBY
from protocol.channel.limits import BEGIN_WITHIN, MAX_LISTINGS
from protocol.errors import Malformed
from protocol.failures import NotNow, Why
from protocol.lobby.handshake import Person, Say, seat_part
from protocol.lobby.introductions import Talk
from protocol.lobby.listing import Listing, read_listing, ready_frame
from protocol.lobby.lobby import read_agree
from protocol.record import genesis
from protocol.record.genesis import Genesis, Player
from protocol.rendezvous.cards import own_card, read_card
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire.encoding import STATEMENT, Frame, decode


class Visit:
    """We in the lobby of `host`; `clock`: monotonic seconds."""

    def __init__(
        self,
        owner: Owner,
        host: Person,
        say: Say,
        route: Callable[[Seat], Route],
        clock: Callable[[], float],
    ) -> None:
        """`route`: from the host's seat, the ways between us, as Home.create takes them."""
        self.host = host
        self.listing: Listing | None = None
        """The host's newest proposal."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change that a player could see."""
        self.on_stir: Callable[[], None] = lambda: None
        """Called when `deadline` may have changed."""
        self.store: Store | None = None
        """A match on our disk that we have signed."""
        self.begun = False
        """Whether all have signed it."""
        self.deadline = inf
        """When the host must have begun the match, or proposed another one, by `clock`."""
        self._owner = owner
        self._say, self._clock = say, clock
        self._route = route
        self.certificate = b""
        """Our key and certificate, PEM, if we listen."""
        self._master = owner.home.entropy(MASTER_BYTES)
        self._part: Player | None = None
        self._session: Session | None = None
        self._listings = 0

    # What it shows

    @property
    def seat(self) -> Seat:
        """Our seat in the listing."""
        seat = None if self.listing is None else self.listing.seat_of(self._owner.identity.key)
        return 0 if seat is None else seat

    @property
    def ready(self) -> bool:
        """Whether we have said yes to the listing."""
        return self._part is not None

    @property
    def host_seat(self) -> Seat:
        """The host's seat in the listing."""
        seat = None if self.listing is None else self.listing.seat_of(self.host.key)
        return 0 if seat is None else seat

    # Our player

    def agree(self, number: int) -> None:
        """Our yes to the listing with this number.  Raises NotNow: another one came, or a seat is empty."""
        if self.listing is None or self.listing.number != number:
            raise NotNow(Why.OTHER_LISTING)
        if not self.listing.full:
            raise NotNow(Why.SEATS_EMPTY)
        if self._part is None:
            person = Person(self._owner.identity.key, self._owner.name)
            self._part = seat_part(person, self.listing.game, self.seat, MatchSecrets(self._master))
            self._say(ready_frame(number, self._part))
            self.on_change()

    def take_back(self) -> None:
        """Take our yes back; no effect once the match is being founded."""
        if self.listing is not None and self._part is not None and self.store is None:
            self._part = None
            self._say(ready_frame(self.listing.number, None))
            self.on_change()

    # The host

    def received(self, frame: Frame) -> None:
        """Take a frame of the host.

        Raises a Refusal, after which the link is of no more use; StorageFailure.
        """
        if frame.kind == LOBBY:
            self._proposed(frame.payload)
        elif frame.kind == FOUND:
            self._found(frame.payload)
        elif frame.kind == STATEMENT and self._session is not None and not self.begun:
            self._agreed(self._session, frame)
        elif frame.kind == CARD and self.store is not None and self._session is not None and not self.begun:
            self._placed(self.store, self._session, frame)
        else:
            raise Malformed("The host sent what has no place in a lobby.")
        self.on_stir()
        self.on_change()

    def attending(self) -> Talk[None]:
        """The rest of the talk with the host, until the match begins.  Raises as `received`."""
        while not self.begun:
            self.received((yield))

    def set_aside(self) -> None:
        """The match that we signed never began, as the host says."""
        if self.store is not None and not self.begun:
            self._owner.home.set_aside(self.store)
            # Its genesis went to others: a master secret serves one genesis.
            self._master = self._owner.home.entropy(MASTER_BYTES)
        self.store = self._session = None
        self.deadline = inf

    def _proposed(self, payload: bytes) -> None:
        self._listings += 1
        if self._listings > MAX_LISTINGS:
            raise Malformed("The host never stops to change its proposal.")
        new, old = read_listing(payload, self._owner.games), self.listing
        if {self.host.key, self._owner.identity.key} - {one.key for one in new.persons if one is not None}:
            raise Malformed("The host proposes a match without itself or without us.")
        own = new.places[new.seat_of(self._owner.identity.key) or 0]
        if own is None or own.person.name != self._owner.name:
            raise Malformed("The host calls us by another name.")
        if old is not None:
            if new.number < old.number or (new.number == old.number and not new.same_terms(old)):
                raise Malformed("The host changed a proposal and not its number.")
            if new.number > old.number:
                if self.begun:
                    raise Malformed("The host proposes a match after it began one.")
                self.set_aside()
                self._part = None
        self.listing = new

    def _found(self, payload: bytes) -> None:
        """The genesis: check it, write it to the disk, sign it."""
        match decode(payload):
            case [int() as number, bytes() as body]:
                pass
            case _:
                raise Malformed("A FOUND is not a number and a genesis.")
        listing, part = self.listing, self._part
        if listing is None or number != listing.number or self._session is not None:
            raise Malformed("The host founds another match than it proposed.")
        if part is None:
            return  # it crosses our taking the yes back, which voids it
        match = genesis.parse(body, self._owner.games)
        self._require_as_agreed(match, listing, part)
        session = Session(match, self.seat, self._owner.identity, MatchSecrets(self._master))
        session.agree()
        said = b"".join(output.data for output in session.outputs())
        route = self._route(self.host_seat)
        self.store = self._owner.home.create(match, self._master, route, self.certificate, said)
        self._session = session
        self.deadline = self._clock() + BEGIN_WITHIN
        if own := own_card(self._owner.identity, match, self.seat, route):
            self._say(own[1])
        self._say(session.referee.record[0].frame)

    def _require_as_agreed(self, match: Genesis, listing: Listing, part: Player) -> None:
        """Raise Malformed unless `match` is what we said yes to, with our part as we sent it."""
        if not listing.proposes(match) or match.players[self.seat] != part:
            raise Malformed("The host's genesis is not what was agreed on.")

    def _placed(self, store: Store, session: Session, frame: Frame) -> None:
        """The place where another guest listens, kept before the match begins: its holder can call it."""
        card, route = read_card(frame.payload, session.genesis), store.route
        if card.seat == session.seat or card.seat in route.serials:
            raise Malformed("The host says where we listen, or where another one listens twice.")
        store.set_route(route.with_place(card.seat, card.place, card.serial))

    def _agreed(self, session: Session, frame: Frame) -> None:
        """The AGREE of another player; with the last one the match has begun."""
        session.receive(read_agree(frame))
        store = self.store
        if store is not None and session.referee.agreed:
            outputs: list[Output] = session.outputs()
            store.execute([Output(Duty.RECORD, each.data) for each in outputs], durable=True)
            name = store.name
            store.close()
            self.store = self._owner.home.open(name)
            self.begun, self.deadline = True, inf
