"""`doctor`: the way of a friend to this machine, its obstacles, and advice.

Without `--reach` the program asks nobody: the system alone tells its addresses.  With it, it asks the router
to let callers in, and then to stop; and it asks each named relay whether our player can wait there.
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
from cli.play.arriving.network_options import Ways
from cli.shell.exit_codes import Exit
from cli.shell.explain import sentence
from cli.text.layout import series
from p2p_stratego.core.language import _, mark, mark_each
from protocol.failures import NetworkFailure, RelayRefused, Unreachable
from protocol.network.transport import proxied, relay_client
from protocol.network.transport.mapping import MappedPort, ports_to_map
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
    """A check: its result and, unless all is fine, advice.  `code` is OK for all but a failure."""

    name: str
    result: str
    advice: str = ""
    code: Exit = Exit.OK

    @property
    def status(self) -> str:
        """`ok`, `warning` (it works, but worse) or `failure` (something will not work)."""
        return mark("failure") if self.code else mark("warning") if self.advice else mark("ok")


WITHIN: Final = 12.0
"""Seconds for all answers: a router that says nothing has had its questions five times by then."""
DIRECT, RELAY, PERHAPS, NOBODY = "direct", "relay", "perhaps", "nobody"
"""The ways of a friend from outside; `perhaps`: straight, but nobody outside has confirmed it."""


@dataclass(slots=True)
class NetworkAnswers:
    """The network's answers.  `relays`: seconds until each relay offered a place, or its failure."""

    own: tuple[str, ...] = ()
    ports: tuple[MappedPort, ...] = ()
    relays: dict[Endpoint | Onion, float | NetworkFailure] = field(default_factory=dict)
    proxy: float | NetworkFailure | None = None


def reach(ways: Ways, answers: NetworkAnswers) -> str:
    """One of DIRECT, RELAY, PERHAPS and NOBODY."""
    if router.outside(answers.ports):
        return DIRECT
    if _answering(answers):
        return RELAY
    return PERHAPS if _untold(ways, answers) else NOBODY


def _answering(answers: NetworkAnswers) -> list[str]:
    """The relays that offer our player a place."""
    return [str(relay) for relay, answer in answers.relays.items() if isinstance(answer, float)]


def _untold(ways: Ways, answers: NetworkAnswers) -> bool:
    """Whether the answers leave it open that a friend reaches us straight."""
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
    """Why no router is asked, and the remedy if a switch forbids it; two empty texts if it is asked."""
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
    return not _unasked(ways)[0] and bool(ports_to_map(0, own_addresses()))


def languages(ways: Ways) -> Finding:
    """The protocols by which a router can be asked here, if it may be asked."""
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


async def ask(ways: Ways, port: int) -> NetworkAnswers:
    """Ask the router about `port`, and the relays and the proxy of these `ways`."""
    answers = NetworkAnswers()
    proxy = ways.wishes.proxy
    async with trio.open_nursery() as nursery:
        with trio.move_on_after(WITHIN):
            async with trio.open_nursery() as asking:
                if ways.listens and proxy is None:
                    answers.own = tuple(own_addresses())
                    if ways.asks:
                        answers.ports = router.ask_routers(nursery, port)
                        for mapped in answers.ports:
                            asking.start_soon(mapped.tried.wait)
                if proxy is not None:
                    answers.proxy = Unreachable((str(proxy.at),), refused=False)
                    asking.start_soon(_proxy, proxy.at, answers)
                for relay in ways.relays:
                    answers.relays[relay] = Unreachable((str(relay),), refused=False)
                    asking.start_soon(_relay, relay, ways.transports.dial, answers)
        nursery.cancel_scope.cancel()
    return answers


async def _relay(relay: Endpoint | Onion, dial: relay_client.Dial, answers: NetworkAnswers) -> None:
    began = trio.current_time()
    try:
        await relay_client.probe(relay, secrets.token_bytes(16), dial)
    except relay_client.FAILURES as error:
        if isinstance(error, NetworkFailure):
            answers.relays[relay] = error
    else:
        answers.relays[relay] = trio.current_time() - began


async def _proxy(at: Endpoint, answers: NetworkAnswers) -> None:
    began = trio.current_time()
    try:
        await proxied.probe(at)
    except relay_client.FAILURES as error:
        if isinstance(error, NetworkFailure):
            answers.proxy = error
    else:
        answers.proxy = trio.current_time() - began


def findings(ways: Ways, answers: NetworkAnswers, port: int) -> Iterator[Finding]:
    """The findings from the answers, the verdict last."""
    if answers.proxy is not None and ways.wishes.proxy is not None:
        advice = _("Start it, or say another one with --proxy.")
        yield _answered("proxy", ways.wishes.proxy.at, answers.proxy, advice)
    for mapped in answers.ports:
        yield _router(mapped)
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


def _router(port: MappedPort) -> Finding:
    name = _("firewall") if port.of_ipv6 else _("router")
    outcome = port.outcome
    if port.outside is not None and outcome is not None and outcome.by is not None:
        return Finding(
            name,
            _(
                "lets friends in, at {host} (asked by {value})",
                host=port.outside.host,
                value=outcome.by.value,
            ),
        )
    if port.of_ipv6:
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
    refused = outcome is not None and outcome.refused
    answer = _("refuses to let callers in") if refused else _("does not answer")
    return Finding(
        name,
        _("{answer} (UPnP, NAT-PMP, PCP)", answer=answer),
        _("Switch one of them on in your router, forward a port there by hand, or use a relay."),
    )


def verdict(ways: Ways, answers: NetworkAnswers, port: int) -> Finding:
    """The way of a friend from outside, in a sentence, and advice."""
    match reach(ways, answers):
        case "direct":
            result = _("A friend from outside reaches you directly: your router lets them in.")
            return Finding("friends", result)
        case "relay":
            return Finding("friends", _over_relays(ways, answers))
        case "perhaps":
            return Finding("friends", *_perhaps(ways, answers, port or "N"))
    return Finding("friends", *_nobody(ways, answers, port or "N"))


def _over_relays(ways: Ways, answers: NetworkAnswers) -> str:
    over = _(
        "A friend from outside reaches you over the relay {answering}", answering=series(_answering(answers))
    )
    if not _untold(ways, answers):
        return _("{over} only.", over=over)
    public = [ip for ip in answers.own if _open(ip)]
    at = _(" at {public}", public=series(public)) if public else ""
    return _("{over}; perhaps also directly{at}: nothing that could tell was asked.", over=over, at=at)


def _perhaps(ways: Ways, answers: NetworkAnswers, at: int | str) -> tuple[str, str]:
    """The facts, and advice, if no answer tells whether a friend reaches us straight."""
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


def _nobody(ways: Ways, answers: NetworkAnswers, at: int | str) -> tuple[str, str]:
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
