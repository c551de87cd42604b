"""`doctor`: what a friend will meet who wants to reach this machine, and what to do about it.

Without `--reach` nothing is asked of anybody: the system alone tells its addresses.  With it the router is
asked to let callers in, and told to stop; and each relay named is asked whether one can wait there.
"""

from __future__ import annotations

import ipaddress
import os
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from importlib.util import find_spec
from typing import Final

import trio

from cli.play import router
from cli.play.arriving.ways import Ways
from cli.shell.exit_codes import Exit
from cli.shell.explain import sentence
from cli.text.layout import series
from p2p_stratego.core.language import _, mark, mark_each
from protocol.failures import NetworkFailure, RelayRefused, Unreachable
from protocol.network.transport import proxied, relayed
from protocol.network.transport.mapping import MappedPort, wanted
from protocol.rendezvous.gateway import has_route_table
from protocol.rendezvous.own_addresses import own_addresses
from protocol.rendezvous.port_mapping import reached_from_outside
from protocol.wire.addresses import Endpoint, Onion

NAMES: Final = mark_each("""
    program, libraries, tls, decks, terminal, colours, encoding, home, permissions, space, clock,
    port, network, asking, friends, proxy, relay, settings
""")
"""Of checks, for translators."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One check: the finding and, unless it is fine, advice.  `code` is not OK only for a failure."""

    name: str
    found: str
    advice: str = ""
    code: Exit = Exit.OK

    @property
    def status(self) -> str:
        """`ok`, `warning` (it works, but worse) or `failure` (something will not work)."""
        return mark("failure") if self.code else mark("warning") if self.advice else mark("ok")


WITHIN: Final = 12.0
"""Seconds for all answers: a router that says nothing has had its questions five times by then."""
DIRECT, RELAY, PERHAPS, NOBODY = "direct", "relay", "perhaps", "nobody"
"""How a friend from outside reaches us; `perhaps`: straight, but nobody was asked who could tell."""


@dataclass(slots=True)
class Answers:
    """What the network answered.  `relays`: seconds until each said that one can wait there, or why not."""

    own: tuple[str, ...] = ()
    ports: tuple[MappedPort, ...] = ()
    relays: dict[Endpoint | Onion, float | NetworkFailure] = field(default_factory=dict)
    proxy: float | NetworkFailure | None = None


def reach(ways: Ways, answers: Answers) -> str:
    """One of DIRECT, RELAY, PERHAPS and NOBODY."""
    if router.outside(answers.ports):
        return DIRECT
    if _answering(answers):
        return RELAY
    return PERHAPS if _untold(ways, answers) else NOBODY


def _answering(answers: Answers) -> list[str]:
    """The relays at which one can wait."""
    return [str(relay) for relay, answer in answers.relays.items() if isinstance(answer, float)]


def _untold(ways: Ways, answers: Answers) -> bool:
    """Whether a friend may reach us straight, for all that the answers tell."""
    if not ways.listens:
        return False
    return any(map(_open, answers.own)) or bool(answers.own and not answers.ports)


def _open(address: str) -> bool:
    return reached_from_outside(ipaddress.ip_address(address))


def here() -> Finding:
    """This machine's addresses, as its system tells them."""
    own = own_addresses()
    if not own:
        return Finding(
            "network", _("no address: no way leads out of this machine"), _("Connect it to a network.")
        )
    public = _("public; a firewall may keep callers out")
    kinds = [f"{ip} ({public if _open(ip) else _('in your network')})" for ip in own]
    four, six = (any((":" in ip) == is_six for ip in own) for is_six in (False, True))
    without = _(" (no IPv6)") if four and not six else _(" (no IPv4)") if six and not four else ""
    return Finding("network", f"{series(kinds)}{without}")


def _unasked(ways: Ways) -> tuple[str, str]:
    """Why no router is asked, and how that is changed where a switch forbids it; two empty ones if it is."""
    if not ways.wishes.straight:
        return _("others reach you over relays only"), ""
    if ways.wishes.proxy is not None:
        return _("you call through a proxy"), ""
    if not ways.upnp:
        return _("--no-upnp, or your settings, forbid it"), _("Say --upnp, so that your router is asked")
    if os.environ.get(router.SWITCH):
        return _("{switch} is set", switch=router.SWITCH), _(
            "Unset {switch}, so that your router is asked", switch=router.SWITCH
        )
    return "", ""


def asks(ways: Ways) -> bool:
    """Whether `ask` has a question for anybody."""
    if ways.relays or ways.wishes.proxy is not None:
        return True
    return not _unasked(ways)[0] and bool(wanted(0, own_addresses()))


def languages(ways: Ways) -> Finding:
    """In which languages a router can be asked here, if one may be asked."""
    why, _unused = _unasked(ways)
    if why:
        return Finding("asking", _("no router is asked: {why}", why=why))
    missing = []
    if not has_route_table():
        missing.append(_("this system does not tell which router it uses, so PCP and NAT-PMP are not spoken"))
    if find_spec("miniupnpc") is None:
        missing.append(_("the library miniupnpc is not there, so UPnP is not"))
    if missing:
        return Finding(
            "asking", "; ".join(missing), _("A relay helps where the router cannot be asked: --relay.")
        )
    return Finding("asking", _("a router can be asked by PCP, NAT-PMP and UPnP"))


async def ask(ways: Ways, port: int) -> Answers:
    """Ask the router about `port`, and the relays and the proxy of these `ways`."""
    answers = Answers()
    proxy = ways.wishes.proxy
    async with trio.open_nursery() as nursery:
        with trio.move_on_after(WITHIN):
            async with trio.open_nursery() as asking:
                if ways.listens and proxy is None:
                    answers.own = tuple(own_addresses())
                    if ways.asks:
                        answers.ports = router.asked(nursery, port)
                        for one in answers.ports:
                            asking.start_soon(one.tried.wait)
                if proxy is not None:
                    answers.proxy = Unreachable((str(proxy.at),), refused=False)
                    asking.start_soon(_proxy, proxy.at, answers)
                for relay in ways.relays:
                    answers.relays[relay] = Unreachable((str(relay),), refused=False)
                    asking.start_soon(_relay, relay, ways.transports.dial, answers)
        nursery.cancel_scope.cancel()
    return answers


async def _relay(relay: Endpoint | Onion, dial: relayed.Dial, answers: Answers) -> None:
    began = trio.current_time()
    try:
        await relayed.probe(relay, secrets.token_bytes(16), dial)
    except relayed.FAILURES as error:
        if isinstance(error, NetworkFailure):
            answers.relays[relay] = error
    else:
        answers.relays[relay] = trio.current_time() - began


async def _proxy(at: Endpoint, answers: Answers) -> None:
    began = trio.current_time()
    try:
        await proxied.probe(at)
    except relayed.FAILURES as error:
        if isinstance(error, NetworkFailure):
            answers.proxy = error
    else:
        answers.proxy = trio.current_time() - began


def findings(ways: Ways, answers: Answers, port: int) -> Iterator[Finding]:
    """What they mean, and at last the verdict."""
    if answers.proxy is not None and ways.wishes.proxy is not None:
        advice = _("Start it, or say another one with --proxy.")
        yield _answered("proxy", ways.wishes.proxy.at, answers.proxy, advice)
    for one in answers.ports:
        yield _router(one)
    for relay, answer in answers.relays.items():
        advice = _("Ask the person who runs it, or name another one with --relay.")
        yield _answered("relay", relay, answer, advice)
    yield verdict(ways, answers, port)


def _answered(name: str, at: Endpoint | Onion, answer: float | NetworkFailure, advice: str) -> Finding:
    if isinstance(answer, float):
        return Finding(name, _("{at} answers in {value:.0f} ms", at=at, value=1000 * answer))
    why = (
        sentence(answer)
        if isinstance(answer, RelayRefused)
        else _("{at} does not answer as it should", at=at)
    )
    return Finding(name, why, advice)


def _router(one: MappedPort) -> Finding:
    name = _("firewall") if one.of_ipv6 else _("router")
    outcome = one.outcome
    if one.outside is not None and outcome is not None and outcome.by is not None:
        return Finding(
            name,
            _("lets friends in, at {host} (asked by {value})", host=one.outside.host, value=outcome.by.value),
        )
    if one.of_ipv6:
        return Finding(
            name,
            _("could not be asked to let callers in over IPv6 (PCP)"),
            _("Many let nobody in: allow the port in your router, if it has IPv6."),
        )
    if outcome is not None and outcome.granted is not None:
        return Finding(
            name,
            _(
                "lets callers in, but its own address is {outside}: your provider, or another "
                "router, translates once more",
                outside=outcome.granted.outside,
            ),
            _("Use a relay; or ask your provider for an address of your own, or for IPv6."),
        )
    said = _("refuses to let callers in") if outcome is not None and outcome.refused else _("does not answer")
    return Finding(
        name,
        _("{said} (UPnP, NAT-PMP, PCP)", said=said),
        _("Switch one of them on in your router, forward a port there by hand, or use a relay."),
    )


def verdict(ways: Ways, answers: Answers, port: int) -> Finding:
    """In a sentence, how a friend from outside reaches us, and what to do."""
    match reach(ways, answers):
        case "direct":
            found = _("A friend from outside reaches you directly: your router lets them in.")
            return Finding("friends", found)
        case "relay":
            return Finding("friends", _over_relays(ways, answers))
        case "perhaps":
            return Finding("friends", *_perhaps(ways, answers, port or "N"))
    return Finding("friends", *_nobody(ways, answers, port or "N"))


def _over_relays(ways: Ways, answers: Answers) -> str:
    over = _(
        "A friend from outside reaches you over the relay {answering}", answering=series(_answering(answers))
    )
    if not _untold(ways, answers):
        return _("{over} only.", over=over)
    public = [ip for ip in answers.own if _open(ip)]
    at = _(" at {public}", public=series(public)) if public else ""
    return _("{over}; perhaps also directly{at}: nothing that could tell was asked.", over=over, at=at)


def _perhaps(ways: Ways, answers: Answers, at: int | str) -> tuple[str, str]:
    """What is known, and advice, where no answer tells whether a friend reaches us straight."""
    listen = _("say host --port {at}", at=at)
    relay = _("or use a relay, with --relay.")
    if public := [ip for ip in answers.own if _open(ip)]:
        over = _(" with IPv6") if all(":" in ip for ip in public) else ""
        return (
            _(
                "A friend{over} may reach you directly at {public}: nobody outside was asked whether a "
                "firewall forbids it.",
                over=over,
                public=series(public),
            ),
            _(
                "Allow TCP port {at} in your firewall and {listen}; {relay}",
                at=at,
                listen=listen,
                relay=relay,
            ),
        )
    _unused, remedy = _unasked(ways)
    by_hand = _(
        "forward TCP port {at} in your router and {listen} --address YOUR.PUBLIC.ADDRESS",
        at=at,
        listen=listen,
    )
    return (
        _("Perhaps a friend from outside reaches you: nothing that could tell was asked."),
        f"{remedy}; {by_hand}; {relay}"
        if remedy
        else _("Use a relay, with --relay; or {by_hand}.", by_hand=by_hand),
    )


def _nobody(ways: Ways, answers: Answers, at: int | str) -> tuple[str, str]:
    """Why nobody from outside reaches us, and advice by the ways that our player allows."""
    if not ways.listens:
        why = (
            _("you call through a proxy") if ways.wishes.straight else _("others reach you over relays only")
        )
        which = _("none that you name answers") if answers.relays else _("none is named")
        return (
            _("A friend does not reach you: {why}, and of relays {which}.", why=why, which=which),
            (
                _("Name another relay, with --relay HOST:PORT; anybody can run one where you both reach it.")
                if answers.relays
                else _("Name a relay, with --relay HOST:PORT; anybody can run one where you both reach it.")
            ),
        )
    by_hand = _(
        "forward TCP port {at} in your router and say host --port {at} --address YOUR.PUBLIC.ADDRESS", at=at
    )
    unless = _(", unless you have a port forwarded by hand") if answers.own else ""
    return (
        _("A friend from outside does not reach you{unless}; one in your network may.", unless=unless),
        _(
            "Use a relay (--relay HOST:PORT), which anybody can run where you both reach it; or {by_hand}.",
            by_hand=by_hand,
        ),
    )
