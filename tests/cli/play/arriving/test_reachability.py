"""`doctor --reach`: what a friend will meet, in words; without it nobody is asked."""

from __future__ import annotations

import json
from functools import partial
from ipaddress import IPv4Address, IPv6Address
from pathlib import Path

import pytest
import trio

from cli.play import router
from cli.play.arriving import network_options, reachability
from cli.play.arriving.network_options import Ways
from cli.play.arriving.reachability import Finding, NetworkAnswers, findings, reach
from cli.shell.exit_codes import Exit
from protocol.failures import NetworkFailure, RelayRefused, Unreachable
from protocol.network.transport import proxied, relay_client
from protocol.network.transport.choice import Wishes, transports_for
from protocol.network.transport.mapping import MappedPort, MappingOutcome
from protocol.network.transport.relay_server import Relay
from protocol.rendezvous.gateway import Router
from protocol.rendezvous.port_mapping import By, Granted
from protocol.rendezvous.relay_switchboard import Limits
from protocol.wire.addresses import Endpoint, Onion
from tests.golden.dialogues import assert_told
from tests.helpers.links.peers import HANGING
from tests.helpers.program.commands import Call
from tests.helpers.program.playing import arguments

HERE = Router("192.168.1.1", IPv4Address("192.168.1.2"))
SIX = Router("fe80::1%eth0", IPv6Address("2001:db8::2"))
RELAY = Endpoint("relay.example", 4001)
OPEN = MappingOutcome(By.PCP, Granted(IPv4Address("203.0.113.7"), 4000, 60))
AGAIN = MappingOutcome(By.UPNP, Granted(IPv4Address("100.64.0.9"), 4000, 60))
REFUSED = MappingOutcome(By.NAT_PMP, trouble="result 2")
USUAL = Ways(Wishes())
SILENT = MappingOutcome(By.UPNP)


def ports(*outcomes: MappingOutcome, at: Router = HERE) -> tuple[MappedPort, ...]:
    made = []
    for outcome in outcomes:
        made.append(MappedPort(4000, at))
        made[-1].learn(outcome)
    return tuple(made)


def findings_of(answers: NetworkAnswers, by: Ways = USUAL, port: int = 0) -> list[Finding]:
    return list(findings(by, answers, port))


@pytest.mark.parametrize(
    ("own", "outcome", "relays", "verdict", "words"),
    [
        ("192.168.1.2", OPEN, {}, "direct", "your router lets them in"),
        ("192.168.1.2", AGAIN, {}, "nobody", "does not reach you"),
        ("192.168.1.2", REFUSED, {RELAY: 0.02}, "relay", "over the relay relay.example:4001 only"),
        (
            "192.168.1.2",
            SILENT,
            {RELAY: RelayRefused("relay.example:4001", 4)},
            "nobody",
            "does not reach you",
        ),
        ("203.0.113.9", None, {}, "perhaps", "directly at 203.0.113.9"),
        ("203.0.113.9", None, {RELAY: 0.02}, "relay", "perhaps also directly at 203.0.113.9"),
        ("192.168.1.2", None, {RELAY: 0.02}, "relay", "perhaps also directly: nothing that could tell"),
        ("192.168.1.2", None, {}, "perhaps", "nothing that could tell was asked"),
        ("2001:db8::2", None, {}, "perhaps", "A friend with IPv6 may reach you directly"),
    ],
)
def test_one_verdict_says_how_a_friend_from_outside_reaches_us(
    own: str,
    outcome: MappingOutcome | None,
    relays: dict[Endpoint | Onion, float | NetworkFailure],
    verdict: str,
    words: str,
) -> None:
    answers = NetworkAnswers((own,), ports(outcome) if outcome else (), dict(relays))
    assert reach(USUAL, answers) == verdict
    *rows, last = findings_of(answers)
    assert last.name == "friends"
    assert words in last.result
    assert bool(last.advice) == (verdict in ("nobody", "perhaps"))
    assert [row.code for row in (*rows, last)] == [0] * (len(rows) + 1), (
        "exit codes are those of this machine"
    )


@pytest.mark.parametrize(
    ("outcome", "words", "advice"),
    [
        (OPEN, "lets friends in, at 203.0.113.7 (asked by PCP)", ""),
        (AGAIN, "its own address is 100.64.0.9", "relay"),
        (REFUSED, "refuses", "Switch one of them on"),
        (SILENT, "does not answer", "Switch one of them on"),
    ],
)
def test_a_router_is_described(outcome: MappingOutcome, words: str, advice: str) -> None:
    row, _ = findings_of(NetworkAnswers(ports=ports(outcome)))
    assert row.name == "router"
    assert words in row.result
    assert advice in row.advice
    assert bool(row.advice) == bool(advice)


def test_a_firewall_of_ipv6_and_what_does_not_answer_is_described() -> None:
    row, _ = findings_of(NetworkAnswers(ports=ports(MappingOutcome(By.PCP), at=SIX)))
    assert (row.name, row.status) == ("firewall", "warning")
    row, _ = findings_of(
        NetworkAnswers(ports=ports(MappingOutcome(By.PCP, Granted(SIX.own, 4000, 9)), at=SIX))
    )
    assert (row.name, row.status) == ("firewall", "ok")
    row, _ = findings_of(
        NetworkAnswers(
            relays={
                RELAY: Unreachable((str(RELAY),), refused=True),
            }
        )
    )
    assert row.status == "warning"
    assert_told("doctor", "a relay that is not reached", row.result)
    by = network_options.of(arguments("doctor", "--proxy", "socks5://127.0.0.1:9050"))
    row, last = findings_of(NetworkAnswers(proxy=0.004), by)
    assert_told("doctor", "a proxy that answers", f"{row.result}\n{last.result}")
    assert "--port 4000 " in findings_of(NetworkAnswers(), port=4000)[-1].advice


async def test_a_relay_that_takes_us_in_is_told_with_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "own_addresses", lambda: ["192.168.1.2"])
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            relay = Relay(Limits())
            await relay.listen(nursery, 0, ["127.0.0.1"])
            at = Endpoint("127.0.0.1", relay.port)
            answers = await reachability.ask(Ways(Wishes(), (at,)), 4000)
            taken = answers.relays[at]
            assert isinstance(taken, float)
            assert 0 <= taken < HANGING
            assert reach(Ways(Wishes(), (at,)), answers) == "relay"
            assert relay.counts.joined == 0
            nursery.cancel_scope.cancel()


@pytest.mark.parametrize("words", [b"", b"HTTP/1.1 400 Bad Request", b"\x04"])
async def test_who_speaks_something_else_is_no_relay_and_no_proxy(words: bytes) -> None:
    async def say(stream: trio.SocketStream) -> None:
        await stream.receive_some(100)
        await stream.send_all(words)
        await stream.aclose()

    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            listeners = await nursery.start(partial(trio.serve_tcp, say, 0, host="127.0.0.1"))
            at = Endpoint("127.0.0.1", listeners[0].socket.getsockname()[1])
            with pytest.raises(NetworkFailure):
                await relay_client.probe(at, bytes(16), transports_for(Wishes()).dial)
            with pytest.raises(NetworkFailure):
                await proxied.probe(at)
            nursery.cancel_scope.cancel()


def test_nobody_is_asked_without_the_option(call: Call, monkeypatch: pytest.MonkeyPatch) -> None:
    def ask(*_: object) -> None:
        raise AssertionError("the network is asked")

    monkeypatch.setattr(reachability, "ask", ask)
    plain = call("doctor")
    assert "doctor --reach" in plain.out
    document = json.loads(call("doctor", "--json").out)
    assert document["reach"] is None
    assert [check["name"] for check in document["checks"][-2:]] == ["network", "asking"]


def test_the_answers_stand_behind_the_checks_and_nothing_is_left(call: Call, home: Path) -> None:
    run = call("doctor", "--reach", "--relay", "127.0.0.1:1", "--json")
    value = json.loads(run.out)
    assert run.code == 0
    assert value["reach"] in ("perhaps", "nobody"), "whatever addresses this machine has"
    assert [check["name"] for check in value["checks"][-2:]] == ["relay", "friends"]
    assert not home.exists()


def test_settings_name_the_relay_and_the_proxy(call: Call, home: Path) -> None:
    home.mkdir(mode=0o700)
    (home / "settings.json").write_text('{"relays": ["127.0.0.1:1"], "proxy": "socks5://127.0.0.1:2"}')
    document = json.loads(call("doctor", "--reach", "--json").out)
    assert [check["name"] for check in document["checks"][-3:]] == ["proxy", "relay", "friends"]
    assert document["reach"] == "nobody"


@pytest.mark.parametrize(
    ("options", "why", "verdict", "words", "advice"),
    [
        (["--no-upnp"], "--no-upnp", "perhaps", "nothing that could tell was asked", "Say --upnp"),
        ([], router.SWITCH, "perhaps", "nothing that could tell was asked", f"Unset {router.SWITCH}"),
        (["--relay-only"], "over relays only", "nobody", "of relays none is named", "Name a relay"),
        (["--proxy", "socks5://127.0.0.1:1"], "a proxy", "nobody", "through a proxy", "Name a relay"),
    ],
)
def test_what_is_not_asked_is_told_as_not_known(
    call: Call,
    monkeypatch: pytest.MonkeyPatch,
    options: list[str],
    why: str,
    verdict: str,
    words: str,
    advice: str,
) -> None:
    monkeypatch.setattr(reachability, "own_addresses", lambda: ["192.168.1.2"])
    value = json.loads(call("doctor", "--reach", "--json", *options).out)
    (asking,) = [check for check in value["checks"] if check["name"] == "asking"]
    assert_told("doctor", f"not asked: {why}", asking["found"])
    last = value["checks"][-1]
    assert value["reach"] == verdict
    assert words in last["found"]
    assert advice in last["advice"]
    if "--relay-only" in options:
        assert "--port" not in last["advice"], "advice that the command line forbids"
    output = call("doctor", "--reach", *options).out
    assert ("Asking the network" in output) == ("--proxy" in options)


def test_the_command_line_makes_sense_without_the_question_too(call: Call, home: Path) -> None:
    run = call("doctor", "--relay", "nonsense")
    assert_told("doctor", "a relay that is none", run)
    home.mkdir(mode=0o700)
    (home / "settings.json").write_text('{"proxy": 7}')
    run = call("doctor", "--json")
    last = json.loads(run.out)["checks"][-1]
    assert (run.code, last["name"], last["status"]) == (Exit.DATA, "settings", "failure")


def test_a_machine_without_a_network_or_a_library_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reachability, "own_addresses", list)
    assert reachability.here().status == "warning"
    monkeypatch.setattr(reachability, "own_addresses", lambda: ["192.168.1.2"])
    assert_told("doctor", "a network without IPv6", reachability.here().result)
    monkeypatch.setattr(reachability, "find_spec", lambda _: None)
    monkeypatch.setattr(reachability, "has_route_table", lambda: False)
    monkeypatch.delenv(router.SWITCH)
    languages = reachability.languages(USUAL)
    assert "miniupnpc" in languages.result
    assert "NAT-PMP" in languages.result
    assert languages.status == "warning"
