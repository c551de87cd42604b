"""A guest's side of sitting down: the host's proposal, our yes to it, and the match that follows.

We agree to one listing of the host, whole: game, options, profile, and every seat's player.  The genesis that
the host then sends must be made of exactly that listing, with our part as we sent it.  We write the match to
our disk before we sign it.  A match begins only when all have signed, so we set it aside if the host voids
it; we do not delete it, since a host that begins it all the same holds our consent (threat 104).  If the
connection is lost in between, we ask the host whether the match began (RESUME).  No code here waits or moves
bytes; peer.py does.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf

from p2p_stratego.core.game import Seat
from protocol.channel.channel import CARD, FOUND, LOBBY, TALK
from protocol.errors import Malformed
from protocol.failures import NotNow, Why
from protocol.limits import BEGIN_WITHIN, MAX_LISTINGS, MAX_TALKS
from protocol.lobby.handshake import Person, Say, seat_part
from protocol.lobby.host_lobby import read_agree
from protocol.lobby.introductions import Dialogue
from protocol.lobby.listing import Listing, read_listing, ready_frame
from protocol.lobby.lobby_talk import LobbyTalk, guest_frame, read_host_line
from protocol.record import genesis
from protocol.record.genesis import Genesis, Player
from protocol.rendezvous.address_cards import own_card, read_card
from protocol.seat.effects import Duty, Output
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire.encoding import STATEMENT, Frame, decode


class Visit:
    """Our visit in the lobby of `host`; `clock`: monotonic seconds."""

    def __init__(
        self, owner: Owner, host: Person, say: Say, route: Callable[[Seat], Route], clock: Callable[[], float]
    ) -> None:
        """`route`: maps the host's seat to the ways between us, as Home.create takes them."""
        self.takebacks = False
        """Whether we play where decisions can be taken back, as a bot of the host's own program does."""
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
        """The time by `clock` at which the host must have begun the match, or proposed another."""
        self._owner = owner
        self._say, self._clock = say, clock
        self._route = route
        self.certificate = b""
        """Our key and certificate, PEM, if we listen."""
        self._master = owner.home.entropy(MASTER_BYTES)
        self._part: Player | None = None
        self._session: Session | None = None
        self.listings = 0
        """The listings that have come, of which a link brings at most MAX_LISTINGS."""
        self.talk = LobbyTalk()

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
    def signed(self) -> Genesis | None:
        """The match that we have signed; with its last AGREE it has begun."""
        return None if self._session is None else self._session.genesis

    @property
    def host_seat(self) -> Seat:
        """The host's seat in the listing."""
        seat = None if self.listing is None else self.listing.seat_of(self.host.key)
        return 0 if seat is None else seat

    # Our player

    def agree(self, number: int) -> None:
        """Say yes to the listing with this number.  Raises NotNow if another came, or a seat is empty."""
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

    def say(self, text: str) -> None:
        """Say a line, 1 to 500 characters; it is heard once the host passes it on.

        Raises Malformed, and NotNow before the first listing or once we have signed a match: behind our AGREE
        a TALK could reach the host in the match.
        """
        if self.listing is None or self.store is not None:
            raise NotNow(Why.OTHER_LISTING)
        self._say(guest_frame(text))

    # The host

    def received(self, frame: Frame) -> None:
        """Take a frame of the host.

        Raises StorageFailure, or a Refusal; the link is of no more use then.
        """
        if frame.kind == LOBBY:
            self._proposed(frame.payload)
        elif frame.kind == TALK:
            self._heard(frame.payload)
        elif frame.kind == FOUND:
            self._sign_genesis(frame.payload)
        elif frame.kind == STATEMENT and self._session is not None and not self.begun:
            self._agreed(self._session, frame)
        elif frame.kind == CARD and self.store is not None and self._session is not None and not self.begun:
            self._placed(self.store, self._session, frame)
        else:
            raise Malformed("The host sent what has no place in a lobby.")
        self.on_stir()
        self.on_change()

    def attending(self) -> Dialogue[None]:
        """The rest of the dialogue with the host, until the match begins.  Raises as `received`."""
        while not self.begun:
            self.received((yield))

    def set_aside(self) -> None:
        """Set the match aside that we signed: as the host says, it never began."""
        if self.store is not None and not self.begun:
            self._owner.home.set_aside(self.store)
            # A master secret serves one genesis, and others have seen this one.
            self._master = self._owner.home.entropy(MASTER_BYTES)
        self.store = self._session = None
        self.deadline = inf

    def _proposed(self, payload: bytes) -> None:
        self.listings += 1
        if self.listings > MAX_LISTINGS:
            raise Malformed("The host never stops to change its proposal.")
        new, old = read_listing(payload, self._owner.games), self.listing
        if {self.host.key, self._owner.identity.key} - {
            person.key for person in new.persons if person is not None
        }:
            raise Malformed("The host proposes a match without itself or without us.")
        own = new.places[new.seat_of(self._owner.identity.key) or 0]
        if own is None or own.person.name != self._owner.name:
            raise Malformed("The host calls us by another name.")
        if new.takebacks and not self.takebacks:  # the host says who is a bot: nobody gains by that (T124)
            raise Malformed("The host proposes a match with people in which decisions can be taken back.")
        if old is not None:
            if new.number < old.number or (new.number == old.number and not new.same_terms(old)):
                raise Malformed("The host changed a proposal and not its number.")
            if new.number > old.number:
                if self.begun:
                    raise Malformed("The host proposes a match after it began one.")
                self.set_aside()
                self._part = None
        self.listing = new

    def _heard(self, payload: bytes) -> None:
        key, text = read_host_line(payload)
        persons = () if self.listing is None else self.listing.persons
        person = next((person for person in persons if person is not None and person.key == key), None)
        if person is None:
            raise Malformed("The host passes on a line of nobody at the table.")
        if self.talk.count >= MAX_TALKS:
            raise Malformed("The host never stops to talk.")
        self.talk.hear(person, text)

    def _sign_genesis(self, payload: bytes) -> None:
        """Check the genesis in a FOUND, write the match to the disk, and sign it."""
        match decode(payload):
            case [int() as number, bytes() as body]:
                pass
            case _:
                raise Malformed("A FOUND is not a number and a genesis.")
        listing, part = self.listing, self._part
        if listing is None or number != listing.number or self._session is not None:
            raise Malformed("The host founds another match than it proposed.")
        if part is None:
            return  # it crosses the READY that takes our yes back, and voids it
        match = genesis.parse(body, self._owner.games)
        self._require_as_agreed(match, listing, part)
        session = Session(match, self.seat, self._owner.identity, MatchSecrets(self._master))
        session.agree()
        records = b"".join(output.data for output in session.outputs())
        route = self._route(self.host_seat)
        self.store = self._owner.home.create(match, self._master, route, self.certificate, records)
        self._session = session
        self.deadline = self._clock() + BEGIN_WITHIN
        if own := own_card(self._owner.identity, match, self.seat, route):
            self._say(own[1])
        self._say(session.referee.record[0].frame)

    def _require_as_agreed(self, match: Genesis, listing: Listing, part: Player) -> None:
        """Raise Malformed unless `listing` proposes `match`, with our `part` as we sent it."""
        if not listing.proposes(match) or match.players[self.seat] != part:
            raise Malformed("The host's genesis is not what was agreed on.")

    def _placed(self, store: Store, session: Session, frame: Frame) -> None:
        """Keep the place at which another guest listens, before the match begins: then we can call it."""
        card, route = read_card(frame.payload, session.genesis), store.route
        if card.seat == session.seat or card.seat in route.serials:
            raise Malformed("The host says where we listen, or where another one listens twice.")
        store.set_route(route.with_place(card.seat, card.place, card.serial))

    def _agreed(self, session: Session, frame: Frame) -> None:
        """Take the AGREE of another player; with the last AGREE the match has begun."""
        session.receive(read_agree(frame))
        store = self.store
        if store is not None and session.referee.agreed:
            outputs: list[Output] = session.outputs()
            store.execute([Output(Duty.RECORD, output.data) for output in outputs], durable=True)
            name = store.name
            store.close()
            self.store = self._owner.home.open(name)
            self.begun, self.deadline = True, inf
