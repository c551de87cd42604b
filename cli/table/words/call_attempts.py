"""The attempts to reach the other players, and the result at each of their addresses: pure words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from cli.shell.explain import sentence
from cli.table.words.other_players import BETTER, clock_face
from cli.text.layout import series
from cli.text.sanitize import escape
from p2p_stratego.core.language import _, _c
from p2p_stratego.core.narration import listed
from protocol.errors import Refusal
from protocol.failures import NetworkFailure, RelayRefused, Unreachable, Unserved, WrongHost
from protocol.rendezvous.own_addresses import unreachable
from protocol.rendezvous.via import via_of
from protocol.replication.journal import Attempt, CallState, Step
from protocol.replication.presence import SeatLink, Way
from protocol.storage.route import Place
from protocol.wire.addresses import Address, Onion, Relayed, address_text

_SOON = 100
"""From so many seconds on a span is told in minutes."""


@dataclass(frozen=True, slots=True)
class OwnRelay:
    """A relay at which others can call our player; `trouble`: why they cannot now, as a clause."""

    name: str
    trouble: str = ""


def kind(address: Address) -> str:
    """By which way a call to an address goes, unless a proxy makes it."""
    if isinstance(address, Relayed):
        return _("relay")
    return _("onion") if isinstance(address, Onion) else _c("a way", via_of(address.host).value)


def _named(address: Address) -> str:
    """An address behind its kind; of one at a relay without the token."""
    return f"{kind(address)} {address.relay if isinstance(address, Relayed) else address}"


def doing(link: SeatLink, now: float) -> tuple[str, ...]:
    """The attempts at a way to a seat, or at a better one, in a few words: the longest first."""
    calling = link.calling
    ways = list(dict.fromkeys(map(kind, calling.under_way)))
    if link.way is Way.DIRECT:
        return (
            (_("trying {ways}", ways=listed(ways)), _("trying direct"), BETTER)
            if calling.better and ways
            else ()
        )
    if link.way is Way.THROUGH:
        return ()  # it is there, and its addresses are called ever less often
    if ways:
        number = len(calling.under_way)
        attempt = (
            _("calling {number} addresses", number=number) if number > 1 else _("calling {way}", way=ways[0])
        )
        return attempt, "calling"
    if calling.place is None or not calling.place.addresses:
        return (_("waiting for its call"),)
    if calling.until is not None and calling.until > now:
        return (_("next try in {span}", span=_span(calling.until - now)),)
    return ()


def _span(seconds: float) -> str:
    return f"{math.ceil(seconds)} s" if seconds < _SOON else clock_face(seconds)


def report(link: SeatLink, now: float) -> list[tuple[str, str]]:
    """Each address of a seat, behind its kind, and how the last call there went."""
    calling = link.calling
    listed = () if calling.place is None else calling.place.addresses
    rows = [(_named(address), _went(calling.to(address), now)) for address in listed]
    if not rows:
        rows.append((_("no address"), _("it calls us")))
    elif link.way is Way.DIRECT and all(
        attempt.step is not Step.ANSWERED for _unused, attempt in calling.attempts
    ):
        rows.insert(0, (_("its own call"), _("the way in use")))
    if calling.until is not None and calling.until > now:
        rows.append(
            (_("next try"), _("in {span}{sought}", span=_span(calling.until - now), sought=_sought(calling)))
        )
    return rows


def _sought(calling: CallState) -> str:
    return _(", for a straight way") if calling.better else ""


def _went(attempt: Attempt | None, now: float) -> str:
    if attempt is None:
        return _("not called so far")
    if attempt.step is Step.CALLING:
        return _("being called")
    ago = _("{clock_face} ago", clock_face=clock_face(now - attempt.at))
    if attempt.step is Step.FAILED and attempt.failure is not None:
        return f"{why(attempt.failure)} ({ago})"
    return f"{_('answered') if attempt.step is Step.ANSWERED else _('no answer in time')} ({ago})"


def why(failure: Exception) -> str:
    """Why a call to one address failed, as a clause."""
    known = failure if isinstance(failure, NetworkFailure | Refusal) else unreachable(("",), [failure])
    if isinstance(known, Unreachable):
        return _("no program listens there") if known.refused else _("no answer")
    if isinstance(known, Unserved):
        return _("your options leave it out")
    if isinstance(known, WrongHost):
        return _("another host answers there")
    if isinstance(known, RelayRefused):
        return _(
            "the relay {rstrip}", rstrip=escape(sentence(known)).partition(f"{known.relay} ")[2].rstrip(".")
        )
    return escape(sentence(known)).partition(". ")[0].rstrip(".")


def own(
    place: Place | None, relays: Sequence[OwnRelay], mapped: Sequence[Address] = ()
) -> list[tuple[str, str]]:
    """Each address at which others can call our player, with its trouble; `mapped`: the addresses at which a
    router lets them in.
    """
    troubles = {relay.name: relay.trouble for relay in relays}
    rows = []
    for address in () if place is None else place.addresses:
        trouble = troubles.get(str(address.relay), "") if isinstance(address, Relayed) else ""
        fine = _("your router lets others in") if address in mapped else _("the others know it")
        rows.append(
            (_named(address), _("{trouble}; tried again and again", trouble=trouble) if trouble else fine)
        )
    return rows or [(_("no address"), _("nobody can call you: you call the others"))]


def leading(addresses: Sequence[Address], mapped: Sequence[Address] = ()) -> str:
    """The addresses of an invite with how each is reached, in a sentence."""
    return series([_led(address, mapped) for address in addresses])


def _led(address: Address, mapped: Sequence[Address]) -> str:
    if isinstance(address, Relayed):
        return address_text(address)
    how = _("your router") if address in mapped else kind(address)
    return str(address) if isinstance(address, Onion) else f"{address} ({how})"


def relay_sentence(relay: OwnRelay, links: Sequence[SeatLink] = ()) -> str:
    """A sentence on a relay that stops answering, or answers again, and the consequence for a match, if one
    has begun, with these `links`.
    """
    if not relay.trouble:
        return _("The relay {relay} answers again: others can call you there.", relay=relay.name)
    straight = links and all(
        link.way in (Way.DIRECT, Way.THROUGH) and not (link.via is not None and link.via.relayed)
        for link in links
    )
    goes_on = _("your game goes on straight") if straight else _("it is tried again and again")
    return _(
        "The relay {relay} no longer answers. Nobody can call you there now; {goes_on}.",
        relay=relay.name,
        goes_on=goes_on,
    )
