"""A match of two that is begun by post.

The offer holds the writer's whole proposal, and the writer's part of the genesis.  A player who accepts it
adds the part of the other seat: so the answer holds the genesis, with the AGREE of its writer, and the host
of the offer adds its own AGREE.  Before a side sends anything, it writes to its disk for which single genesis
its master secret serves; so a second answer to an offer is refused.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from p2p_stratego.core.game import Game
from protocol.channel.channel import OFFER
from protocol.errors import Malformed, Unsupported
from protocol.failures import Code, Missing, Refused
from protocol.lobby.handshake import Person, Terms, seat_part
from protocol.post import form
from protocol.post.form import Post
from protocol.record import genesis
from protocol.record.genesis import Genesis, Player
from protocol.record.pace import read_pace
from protocol.seat.effects import Output
from protocol.seat.secrets import MASTER_BYTES, MatchSecrets
from protocol.seat.session import Session
from protocol.storage.home import ID_DIGITS, Owner
from protocol.storage.ledger import PostLedger
from protocol.storage.match_store import Store
from protocol.storage.offers import SavedOffer
from protocol.storage.route import Route
from protocol.wire import labels
from protocol.wire.encoding import Frame, decode, encode

SEATS: Final = 2
"""A match that is begun by post has two seats."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An offer: the terms, with the host's seat, and the host's part of the genesis."""

    terms: Terms
    host: Player

    @property
    def name(self) -> str:
        """The id under which a home keeps the offer: hex digits of its nonce."""
        return self.host.nonce.hex()[:ID_DIGITS]

    @property
    def payload(self) -> bytes:
        """The payload of the OFFER."""
        terms, host = self.terms, self.host
        game, options = terms.game, list(terms.game.options(terms.options).items())
        profile = int(terms.proofs or game.needs_proofs), terms.escrow, int(terms.pace)
        part = [host.key, host.name, host.nonce, host.anchor]
        named = labels.PROTOCOL_VERSION, game.name, genesis.version_value(game.version)
        return encode([*named, options, *profile, terms.seat, part])

    def with_(self, guest: Player) -> Genesis:
        """The genesis with `guest` on the other seat.  Raises Malformed if `guest` mirrors the host."""
        terms = self.terms
        players = (self.host, guest) if terms.seat == 0 else (guest, self.host)
        return genesis.make(
            terms.game, terms.options, players, proofs=terms.proofs, escrow=terms.escrow, pace=terms.pace
        )


def read_offer(payload: bytes, games: Mapping[str, Game[Any]]) -> Offer:
    """The offer in the payload of an OFFER.  Raises Malformed, and Unsupported for a version or game."""
    value = decode(payload)
    if type(value) is not list or not value or type(value[0]) is not int:
        raise Malformed("An OFFER begins with a version.")
    if value[0] != labels.PROTOCOL_VERSION:
        raise Unsupported("protocol", value[0], labels.PROTOCOL_VERSION)
    match value[1:]:
        case [
            str() as name,
            version,
            list() as options,
            proofs,
            escrow,
            pace,
            int() as seat,
            part,
        ] if seat < SEATS:
            game = genesis.find_game(name, version, games)
        case _:
            raise Malformed("An OFFER is not a game with its terms, a seat and a player.")
    if SEATS not in game.seat_counts:
        raise Malformed("The game is not for two.")
    proved, shared = genesis.read_profile(proofs, escrow, game, SEATS)
    agreed, slow = genesis.read_options(options, game), read_pace(pace)
    terms = Terms(game, agreed, SEATS, seat, proofs=proved, escrow=shared, pace=slow)
    return Offer(terms, genesis.player(part))


def offer_in(post: Post, games: Mapping[str, Game[Any]]) -> Offer | None:
    """The offer in a post, well signed by its host; None for a post of a match.

    Raises Malformed, Unsupported or Forged.
    """
    if post.frames[0].kind != OFFER:
        return None
    offer = read_offer(post.frames[0].payload, games)
    post.check(offer.host.key)
    return offer


def make(owner: Owner, terms: Terms) -> bytes:
    """A new offer of our player, kept on our disk, as a post.  Raises StorageFailure."""
    master = owner.home.entropy(MASTER_BYTES)
    offer = Offer(terms, _part(owner, terms, terms.seat, master))
    owner.home.keep_offer(offer.name, SavedOffer(offer.payload, master, b""))
    return form.sealed_post(owner.identity, [Frame(OFFER, offer.payload)])


def repeated_offer(owner: Owner, name: str) -> bytes:
    """Our offer with this id, as a post once more.  Raises Missing if there is none."""
    kept = owner.home.offer(name)
    if kept is None:
        raise Missing(str(owner.home.path))
    return form.sealed_post(owner.identity, [Frame(OFFER, kept.offer)])


def accept(owner: Owner, offer: Offer) -> tuple[Store, bool]:
    """The match of `offer` with our player on the other seat, on our disk with our AGREE, and whether it is
    new.

    Our person wants the match.  A second call returns the same match.  Raises Refused for an offer of our
    own, Malformed for an offer that mirrors our part or another offer, and StorageFailure.
    """
    if offer.host.key == owner.identity.key:
        raise Refused(Code.SAME_PLAYER)
    kept = owner.home.offer(offer.name)
    if first := kept is None:
        master = owner.home.entropy(MASTER_BYTES)
        match = offer.with_(_part(owner, offer.terms, 1 - offer.terms.seat, master))
        kept = SavedOffer(offer.payload, master, match.body)
        owner.home.keep_offer(offer.name, kept)
    elif kept.offer != offer.payload:
        raise Malformed("Another offer has this nonce: one mirrors the other.")
    match = genesis.parse(kept.match, owner.games)
    return _stored_match(owner, match, kept, first=first)


def answered_offer(owner: Owner, match: Genesis) -> SavedOffer | None:
    """Our own offer that `match` answers; None if we have made no such offer.

    Raises Malformed if `match` changes the offer, or Refused if another match answered it before.
    """
    own = next((player for player in match.players if player.key == owner.identity.key), None)
    kept = None if own is None else owner.home.offer(own.nonce.hex()[:ID_DIGITS])
    if own is None or kept is None:
        return None
    offer = read_offer(kept.offer, owner.games)
    other = match.players[1 - offer.terms.seat] if len(match.players) == SEATS else own
    if offer.host != own or other.key == own.key or offer.with_(other).body != match.body:
        raise Malformed("The answer is to another offer than ours.")
    if kept.match not in (b"", match.body):
        raise Refused(Code.USED_INVITE)
    return kept


def begin_match(owner: Owner, match: Genesis) -> Store:
    """Begin the match that answers our offer, on our disk; our person wants it.

    Raises as `answered_offer`, and Missing.
    """
    kept = answered_offer(owner, match)
    if kept is None:
        raise Missing(str(owner.home.path))
    offer = read_offer(kept.offer, owner.games)
    owner.home.bind_offer(offer.name, match.body)
    return _stored_match(owner, match, kept, first=not kept.match)[0]


def _part(owner: Owner, terms: Terms, seat: int, master: bytes) -> Player:
    return seat_part(Person(owner.identity.key, owner.name), terms.game, seat, MatchSecrets(master))


def _stored_match(owner: Owner, match: Genesis, kept: SavedOffer, *, first: bool) -> tuple[Store, bool]:
    """The match on our disk, and whether it is new.

    `first`: whether no earlier signature for it can exist, from a folder that was removed since.
    """
    name = match.id.hex()[:ID_DIGITS]
    if name in {saved.id for saved in owner.home.games()}:
        return owner.home.open(name), False
    seat = next(seat for seat, player in enumerate(match.players) if player.key == owner.identity.key)
    session = Session(match, seat, owner.identity, MatchSecrets(kept.master))
    session.agree()
    outputs: list[Output] = session.outputs()
    records = b"".join(output.data for output in outputs)
    store = owner.home.create(match, kept.master, Route(), b"", records)
    store.keep_ledger(PostLedger(here=store.mark if first else None))
    return store, True
