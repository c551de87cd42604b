"""Address cards: where each seat listens, as it tells the table.

A card goes over the channel only and stands in no transcript.  Its seat signs it, since other seats pass it
on; the newest card of a seat counts.  A seat that listens nowhere sends a card without addresses.  Addresses
of kinds that only later programs know are skipped here, and passed on with the card.

    payload = [game id, seat, serial, [address, …], certificate's hash] ‖ signature
"""

from __future__ import annotations

from dataclasses import dataclass

from p2p_stratego.core.game import Seat
from protocol.channel.channel import CARD
from protocol.crypto.keys import SIGNATURE_BYTES, Identity
from protocol.errors import Malformed
from protocol.failures import NotAnAddress
from protocol.record.genesis import Genesis
from protocol.rendezvous.invite import MAX_ADDRESSES
from protocol.storage.route import HASH_BYTES, Place, Route
from protocol.wire import labels
from protocol.wire.addresses import Address, pack, unpack
from protocol.wire.encoding import Frame, Value, decode, encode


@dataclass(frozen=True, slots=True)
class AddressCard:
    """`place`: where `seat` listens, or None; `serial`: of several cards of a seat the highest counts."""

    seat: Seat
    serial: int
    place: Place | None


def sign_card(identity: Identity, match: Genesis, card: AddressCard) -> Frame:
    """The CARD frame of our own seat."""
    body = encode([match.id, card.seat, card.serial, *place_value(card.place)])
    return Frame(CARD, body + identity.sign(labels.SIGN_CARD, match.id + body))


def own_card(
    identity: Identity, match: Genesis, seat: Seat, route: Route
) -> tuple[AddressCard, Frame] | None:
    """The newest card of our own `seat`, signed; None if we have never listened anywhere in this match."""
    serial = route.serials.get(seat, 1 if route.own else 0)
    if not serial:
        return None
    card = AddressCard(seat, serial, route.own)
    return card, sign_card(identity, match, card)


def read_card(payload: bytes, match: Genesis) -> AddressCard:
    """The card in a payload, its signature verified.  Raises Malformed."""
    match decode(payload[:-SIGNATURE_BYTES]):
        case [bytes() as named, int() as seat, int() as serial, list() as listed, bytes() as pin]:
            if named == match.id and seat < len(match.players):
                card = AddressCard(seat, serial, read_place(listed, pin))
                if match.signed(seat, labels.SIGN_CARD, payload):
                    return card
    raise Malformed("A CARD is not a seat's own list of its addresses.")


def place_value(place: Place | None) -> tuple[Value, Value]:
    """The addresses and the certificate's hash of a place, as frames hold them; None: nowhere."""
    if place is None:
        return [], b""
    return [pack(address) for address in place.addresses], place.certificate


def read_place(listed: list[Value], pin: bytes) -> Place | None:
    """The place that `written` wrote; None if its addresses are none, or all of unknown kinds.

    Raises Malformed.
    """
    if len(pin) != (HASH_BYTES if listed else 0):
        raise Malformed("A place is not addresses with a certificate's hash, nor empty.")
    known = read_addresses(listed)
    return Place(known, pin) if known else None


def read_addresses(listed: list[Value]) -> tuple[Address, ...]:
    """The addresses of known kinds in a frame.  Raises Malformed, also for more than MAX_ADDRESSES."""
    if len(listed) > MAX_ADDRESSES:
        raise Malformed("A player tells too many addresses.")
    return tuple(address for address in map(_address, listed) if address is not None)


def _address(value: Value) -> Address | None:
    if not isinstance(value, bytes):
        raise Malformed("An address is no byte string.")
    try:
        return unpack(value)
    except NotAnAddress as error:
        raise Malformed("An address is not as a program writes it.") from error


def seat_and_serial(payload: bytes) -> tuple[Seat, int]:
    """The seat and the serial that a card names, unverified.  Raises Malformed."""
    match decode(payload[:-SIGNATURE_BYTES]):
        case [_, int() as seat, int() as serial, *_]:
            return seat, serial
    raise Malformed("A CARD names no seat.")
