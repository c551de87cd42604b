"""The host's side of sitting down: the lobby's members, their seats, and their yes to a listing.

The host proposes a listing.  Each change of it gets a new number and voids every yes.  When all have said yes
to one listing, the host builds the genesis from the parts that came with these, collects the AGREE of every
guest, and only then writes the match to its disk: at that moment the match begins.  Until then a guest that
vanishes costs nothing; the others get a new listing.  No code here waits or moves bytes; host.py does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

from p2p_stratego.core.game import Seat
from protocol.channel.channel import CARD, READY, TALK
from protocol.errors import Malformed
from protocol.failures import Code, NotNow, Refused, Why
from protocol.limits import (
    AGREE_WITHIN,
    ANSWER_WITHIN,
    AUDIENCE_EVERY,
    LATE_COST,
    MAX_COST,
    MAX_FRAMES_OF_LISTING,
    MAX_OUT,
)
from protocol.lobby.handshake import Person, Say, Terms, seat_part
from protocol.lobby.listing import ListedSeat, Listing, found_frame
from protocol.lobby.lobby_talk import Allowance, LobbyTalk, SpokenLine, host_frame, read_guest_line
from protocol.record import genesis, statements
from protocol.record.genesis import NONCE_BYTES, Genesis, Player
from protocol.record.statements import Kind, Statement, chat_text
from protocol.rendezvous.address_cards import AddressCard, read_card
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import Owner
from protocol.storage.match_store import Store
from protocol.storage.route import Route
from protocol.wire.encoding import STATEMENT, Frame, decode


@dataclass(eq=False, slots=True)
class Member:
    """A player in our lobby: ours, a guest, or a bot."""

    person: Person
    say: Say
    """Queues a frame for the member."""
    close: Callable[[Code], None]
    """Ends the member's link with a code."""
    bot: str = ""
    part: Player | None = None
    """The member's part of the genesis, once it has said yes to this listing."""
    frames: int = 0
    """Frames of the member about this listing."""
    answered: bool = False
    """Whether the member has said yes to this listing before."""
    talks: Allowance = field(default_factory=Allowance)


def _listed_seat(member: Member | None) -> ListedSeat | None:
    return None if member is None else ListedSeat(member.person, member.bot, member.part is not None)


@dataclass(frozen=True, slots=True)
class _Founding:
    """A genesis that waits for the AGREE of every guest, until `deadline`."""

    match: Genesis
    session: Session
    deadline: float
    cards: dict[Seat, tuple[AddressCard, Frame]] = field(default_factory=dict)
    """By seat: the card with which a guest said beside its AGREE where it listens."""


class Lobby:
    """The lobby of one match to be, at its host; `clock`: monotonic seconds.

    A refused frame of a guest raises a Refusal, and that guest's link is of no more use.
    """

    def __init__(
        self,
        owner: Owner,
        terms: Terms,
        route: Callable[[Mapping[Seat, str]], Route],
        certificate: bytes,
        clock: Callable[[], float],
    ) -> None:
        """`route`: maps the bots' levels, by seat, to the ways between us; `certificate`: our key and
        certificate, PEM.  Home.create takes both.

        Raises Malformed for a profile that the match cannot have.
        """
        self.terms = terms
        proofs = int(terms.proofs or terms.game.needs_proofs)
        profile = genesis.read_profile(proofs, terms.escrow, terms.game, terms.seats)
        self._profile = *profile, terms.pace, terms.clock
        self.store: Store | None = None
        """The match, once all have agreed."""
        self.on_change: Callable[[], None] = lambda: None
        """Called after every change that a player could see."""
        self.on_stir: Callable[[], None] = lambda: None
        """Called after every change, of `due` too."""
        self.talk = LobbyTalk()
        self._owner = owner
        self._route, self._certificate = route, certificate
        self._clock = clock
        self._number = 1
        self._host = Member(Person(owner.identity.key, owner.name), lambda _: None, lambda _: None)
        self._places: list[Member | None] = [None] * terms.seats
        self._places[terms.seat] = self._host
        self._refused: set[bytes] = set()
        self._costs = Counter[bytes]()
        """By key of a guest: its cost to the others, over all its connections (threat 105)."""
        self._out: tuple[Person, ...] = ()
        """The last players sent away for their cost."""
        self._master = owner.home.entropy(MASTER_BYTES)
        self._founding: _Founding | None = None
        self._settled = False
        """Whether all have signed.  From then on the match may stand on our disk, even if writing it fails:
        nobody may hear that it is void (threat 128).
        """
        self._started = inf
        self._watching = 0
        self._listed_watching = 0
        """The number of spectators in the last LOBBY."""
        self._quiet_until = clock()

    # What it shows

    @property
    def listing(self) -> Listing:
        """The proposal as it stands."""
        places = tuple(map(_listed_seat, self._places))
        options = self.terms.game.options(self.terms.options)
        return Listing(
            self._number, self.terms.game, options, places, self._watching, *self._profile, self._out
        )

    @property
    def seat(self) -> Seat:
        """Our own seat."""
        return self._places.index(self._host)

    @property
    def started(self) -> bool:
        """Whether our own player has said yes to the listing."""
        return self._host.part is not None

    @property
    def founding(self) -> bool:
        """Whether all have said yes, and the host collects their signatures."""
        return self._founding is not None

    def guests(self) -> list[tuple[Seat, Member]]:
        """All other players, by seat."""
        return [
            (s, member)
            for s, member in enumerate(self._places)
            if member is not None and member is not self._host
        ]

    # Our own player

    def start(self) -> None:
        """Say our yes to the listing; the match begins as soon as all have said yes.

        Raises NotNow while a seat is empty, and StorageFailure if the match begins and cannot be saved.
        """
        if None in self._places:
            raise NotNow(Why.SEATS_EMPTY)
        if self._host.part is None:
            self._host.part = self._part(self._host, MatchSecrets(self._master))
            self._started = self._clock()
            self._tell()
            self._send_genesis_if_ready()

    def refuse(self, seat: Seat) -> None:
        """Send the player of `seat` away for good.

        Raises NotNow if the seat is empty or ours, or once all have signed.
        """
        member = self._places[seat] if 0 <= seat < len(self._places) else None
        if member is None or member is self._host or self._settled:
            raise NotNow(Why.NOBODY_THERE)
        if not member.bot:
            self._refused.add(member.person.key)
        self._places[seat] = None
        member.close(Code.DECLINED)
        self._renew()

    def say(self, text: str) -> None:
        """Say a line, 1 to 500 characters, to all guests.  Raises Malformed, and NotNow once it has begun."""
        if self.store is not None:
            raise NotNow(Why.OTHER_LISTING)
        self._pass_on(self._host.person, chat_text(text))

    def swap(self, first: Seat, second: Seat) -> None:
        """Exchange two seats, of which one may be empty.  Raises NotNow if there is no such seat."""
        if not (0 <= first < len(self._places) and 0 <= second < len(self._places)):
            raise NotNow(Why.NOBODY_THERE)
        if first != second:
            places = self._places
            places[first], places[second] = places[second], places[first]
            self._renew()

    def watched(self, number: int) -> None:
        """Take the `number` of waiting spectators.  They come and go at will, so guests hear of it seldom."""
        self._watching = number
        self.tick()
        self._stirred()

    # Guests

    def enter(self, person: Person, say: Say, close: Callable[[Code], None], bot: str = "") -> Member:
        """Give `person` a seat: its old seat, or the first empty seat.

        Raises Refused if the key was sent away or is our own, or no seat is free.
        """
        if person.key == self._host.person.key:
            raise Refused(Code.SAME_PLAYER)
        if person.key in self._refused:
            raise Refused(Code.DECLINED)
        seat = self.listing.seat_of(person.key)
        if seat is None:
            if None not in self._places:
                raise Refused(Code.NO_SEAT)
            seat = self._places.index(None)
        elif (old := self._places[seat]) is not None:
            old.close(Code.REPLACED)
        member = self._places[seat] = Member(person, say, close, bot)
        self._charge(person)
        self._renew()
        return member

    def left(self, member: Member) -> None:
        """Free the seat of `member`, whose link is gone; no effect if it has none, or the match has begun."""
        if member in self._places and not self._settled:
            self._places[self._places.index(member)] = None
            self._charge(member.person)
            self._renew()

    def received(self, member: Member, frame: Frame) -> None:
        """Take a frame of `member`.  Raises a Refusal, and StorageFailure if the match cannot be saved."""
        if member not in self._places or self._settled:
            return
        if frame.kind == TALK:
            text = read_guest_line(frame.payload)
            if member.talks.spend(self._clock()):
                self._pass_on(member.person, text)
            return
        member.frames += 1
        if member.frames > MAX_FRAMES_OF_LISTING:
            raise Malformed("A guest says too much about one listing.")
        if frame.kind == READY:
            self._answered(member, frame.payload)
        elif frame.kind == STATEMENT:
            if self._founding is not None:  # else it crossed the listing that voids that genesis
                self._agreed(member, self._founding, frame)
        elif frame.kind == CARD:
            if self._founding is not None:  # else it crossed the listing, too
                self._placed(member, self._founding, frame)
        else:
            raise Malformed("A guest sent what has no place in a lobby.")

    def doubted(self, match: bytes, seat: Seat) -> None:
        """Void the genesis of `match` (its id), which the guest of `seat` asks for by RESUME.

        That guest hears that we have no such match, so the match must not begin.
        """
        if self._founding is not None and self._founding.match.id == match:
            player = self._founding.match.players[seat]
            self._charge(Person(player.key, player.name))
            self._renew()

    @property
    def founding_match(self) -> Genesis | None:
        """The genesis that waits for signatures."""
        return self._founding.match if self._founding else None

    @property
    def signed(self) -> Genesis | None:
        """The match that all have signed, also if our disk fails then and it begins for the others alone."""
        return self.founding_match if self._settled else None

    # Time

    @property
    def due(self) -> float:
        """The time of the next call of `tick`."""
        if self._settled:
            return inf
        news = inf if self._watching == self._listed_watching else self._quiet_until
        return min(self._patience, news)

    @property
    def _patience(self) -> float:
        """The time at which members that keep the others waiting must go."""
        return self._founding.deadline if self._founding else self._started + ANSWER_WITHIN

    def tick(self) -> None:
        """Tell the number of spectators, and send members away that kept the others waiting too long."""
        if self._settled:
            return
        if self._watching != self._listed_watching and self._clock() >= self._quiet_until:
            self._tell()
        if self._clock() < self._patience:
            return
        late = [member for seat, member in self.guests() if self._keeps_waiting(seat, member)]
        for member in late:
            self._places[self._places.index(member)] = None
            member.close(Code.TIMEOUT)
            self._charge(member.person, LATE_COST)
        self._renew()

    def _keeps_waiting(self, seat: Seat, member: Member) -> bool:
        if self._founding is None:
            return member.part is None
        return not self._founding.session.referee.statements[seat]

    def close(self, code: Code) -> None:
        """Send all guests away: our player leaves, or the match cannot be saved."""
        for _, member in self.guests():
            member.close(code)

    # Internals

    def _pass_on(self, person: Person, text: str) -> None:
        frame = host_frame(SpokenLine(person, text))
        for _, member in self.guests():
            member.say(frame)
        self.talk.hear(person, text)
        self.on_change()

    def _charge(self, person: Person, cost: int = 1) -> None:
        """Charge `person` for a LOBBY to all others, or for keeping them waiting (threat 105).

        A key with too high a cost is sent away for good, and the next LOBBY names it: the caller of this
        method renews or tells the listing.
        """
        key = person.key
        self._costs[key] += cost
        if self._costs[key] <= MAX_COST or key in {self._host.person.key, *self._refused}:
            return
        self._refused.add(key)
        self._out = (*self._out, person)[-MAX_OUT:]
        for member in [member for _, member in self.guests() if member.person.key == key]:
            self._places[self._places.index(member)] = None
            member.close(Code.DECLINED)

    def _renew(self) -> None:
        """Propose a new listing: every yes is void, and so is a genesis under way."""
        if self._settled:
            return
        if self._founding is not None:
            # A master secret serves one genesis: others have seen the nonce and anchor of this one.
            self._founding, self._master = None, self._owner.home.entropy(MASTER_BYTES)
        self._number += 1
        self._started = inf
        for member in self._places:
            if member is not None:
                member.part, member.frames, member.answered = None, 0, False
        self._tell()

    def _tell(self) -> None:
        frame = self.listing.frame
        self._listed_watching, self._quiet_until = self._watching, self._clock() + AUDIENCE_EVERY
        for _, member in self.guests():
            member.say(frame)
        self._stirred()

    def _stirred(self) -> None:
        self.on_stir()
        self.on_change()

    def _part(self, member: Member, secrets: MatchSecrets) -> Player:
        return seat_part(member.person, self.terms.game, self._places.index(member), secrets)

    def _answered(self, member: Member, payload: bytes) -> None:
        """Take a READY: a yes, or a yes taken back."""
        match decode(payload):
            case [int() as number]:
                part = None
            case [int() as number, bytes() as nonce, bytes() as anchor] if (
                len(nonce) == len(anchor) == NONCE_BYTES
            ):
                part = Player(member.person.key, member.person.name, nonce, anchor)
            case _:
                raise Malformed("A READY is neither a number nor a number, a nonce and an anchor.")
        if number > self._number or (part is not None and number == self._number and None in self._places):
            raise Malformed("A READY is about a listing that was not proposed, or has empty seats.")
        if number < self._number:
            return  # it crossed the newer listing
        if self._founding is not None:
            if part is not None:
                raise Malformed("A guest says yes twice.")
            self._charge(member.person)
            self._renew()
        elif member.part != part:
            self._require_own(part)
            if member.answered or part is None:  # its first yes is free: others may have changed the listing
                self._charge(member.person)
            member.answered = True
            if member not in self._places:
                self._renew()
                return
            member.part = part
            self._tell()
            self._send_genesis_if_ready()

    def _require_own(self, part: Player | None) -> None:
        """Raise Malformed if `part` mirrors another player's part (threat 5)."""
        others = [member.part for member in self._places if member is not None and member.part is not None]
        if part is not None and any(
            part.nonce == other.nonce or part.anchor == other.anchor
            for other in others
            if other.key != part.key
        ):
            raise Malformed("Two players have the same nonce or anchor: one mirrors the other.")

    def _send_genesis_if_ready(self) -> None:
        """Once all have said yes: send the genesis, and wait for the signatures."""
        parts = [member.part for member in self._places if member is not None and member.part is not None]
        if len(parts) < len(self._places):
            return
        terms, (proofs, escrow, pace, clock) = self.terms, self._profile
        match = genesis.make(
            terms.game,
            terms.options,
            tuple(parts),
            proofs=proofs,
            escrow=escrow,
            pace=pace,
            clock=clock,
            takebacks=self.listing.takebacks,
        )
        session = Session(match, self.seat, self._owner.identity, MatchSecrets(self._master))
        self._founding = _Founding(match, session, self._clock() + AGREE_WITHIN)
        for _, member in self.guests():
            member.say(found_frame(self._number, match))
        self._stirred()

    def _agreed(self, member: Member, founding: _Founding, frame: Frame) -> None:
        """Take the AGREE of a guest; with the last AGREE the match begins, first of all on our disk."""
        session = founding.session
        session.receive(read_agree(frame, self._places.index(member)))
        if all(session.referee.statements[seat] for seat, _ in self.guests()):
            session.agree()
            records = b"".join(output.data for output in session.outputs())
            route = self._route({seat: guest.bot for seat, guest in self.guests() if guest.bot})
            for card, _ in founding.cards.values():
                route = route.with_place(card.seat, card.place, card.serial)
            self._settled = True
            self.store = self._owner.home.create(
                founding.match, self._master, route, self._certificate, records
            )
            for seat, other in self.guests():
                # Cards before AGREEs: a guest with the last AGREE has a match, and must reach the others.
                for card, card_frame in founding.cards.values():
                    if card.seat != seat:
                        other.say(card_frame)
                for record in session.referee.record:
                    other.say(record.frame)
        self._stirred()

    def _placed(self, member: Member, founding: _Founding, frame: Frame) -> None:
        """Keep the card of a guest: the others get it with the AGREEs."""
        card = read_card(frame.payload, founding.match)
        if card.seat != self._places.index(member) or card.seat in founding.cards:
            raise Malformed("A guest says where another one listens, or says it twice.")
        founding.cards[card.seat] = card, frame


def read_agree(frame: Frame, seat: Seat | None = None) -> Statement:
    """The AGREE in `frame`, of `seat` if that is given.  Raises Malformed for any other frame."""
    statement = statements.parse(frame.payload)
    if statement.kind is not Kind.AGREE or seat not in (None, statement.seat):
        raise Malformed("Before a match has begun, players say nothing in it but that they agree.")
    return statement
