"""By which ways players are reached, what is tried, and why a call failed: in words."""

from __future__ import annotations

import pytest

from cli.table.words import pages, reaching
from cli.table.words.company import Fellow, places_of
from cli.table.words.reaching import OwnRelay
from cli.text.layout import width, words
from protocol.failures import Code, Refused, RelayRefused, RelayStatus, Unreachable, Unserved, WrongHost
from protocol.rendezvous.via import Via
from protocol.replication.journal import Attempt, CallState, Step
from protocol.replication.presence import SeatLink, Way
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Onion, Relayed

FAR, NEAR = Endpoint("203.0.113.7", 4000), Endpoint("192.168.1.5", 4000)
RELAY = Relayed(Endpoint("relay.example", 4001), bytes(16))
ONION = Onion("2gzyxa5ihm7nsggfxnu52rck2vv4rvmdlkiu3zzui5du4xyclen53wid.onion", 443)
PLACE = Place((NEAR, FAR, RELAY, ONION), bytes(32))
NOW = 1000.0


UNCALLED = CallState(PLACE)


def link(way: Way = Way.AWAY, calling: CallState = UNCALLED, via: Via | None = None) -> SeatLink:
    return SeatLink(1, way, None, 875.0, 0.061 if via else None, via, calling)


def calling(*addresses: object, **more: object) -> CallState:
    """These are called now."""
    attempts = tuple((each, Attempt(Step.CALLING, NOW)) for each in addresses)
    return CallState(PLACE, attempts, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (link(Way.DIRECT, calling(FAR, better=True), Via.RELAY), "relay 61 ms, trying direct"),
        (
            link(Way.DIRECT, calling(NEAR, FAR, better=True), Via.RELAY),
            "relay 61 ms, trying nearby and direct",
        ),
        (link(Way.DIRECT, calling(until=1040.0, better=True), Via.RELAY), "relay 61 ms"),
        (link(Way.DIRECT, calling(FAR), Via.NEARBY), "nearby 61 ms"),
        (link(Way.AWAY, calling(NEAR, FAR, RELAY)), "away 2:05, calling 3 addresses"),
        (link(Way.AWAY, calling(RELAY)), "away 2:05, calling relay"),
        (link(Way.AWAY, calling(until=1019.2)), "away 2:05, next try in 20 s"),
        (link(Way.NEVER, calling(until=1300.0)), "not here 2:05, next try in 5:00"),
        (link(Way.AWAY, CallState()), "away 2:05, waiting for its call"),
        (link(Way.AWAY, calling(until=990.0)), "away 2:05"),
    ],
)
def test_what_is_done_for_a_way_stands_beside_how_a_player_is_reached(of: SeatLink, told: str) -> None:
    place = {Way.DIRECT: "direct", Way.AWAY: "away", Way.NEVER: "never"}[of.way]
    fellow = Fellow(
        1,
        "Boris",
        "blue",
        place,  # type: ignore[arg-type]
        seconds=NOW - of.since,
        rtt=of.rtt,
        via="" if of.via is None else of.via.value,
        doing=reaching.doing(of, NOW),
    )
    _, found = places_of(fellow)
    assert found[0] == told
    assert list(found) == sorted(found, key=len, reverse=True), "a panel takes the longest that fits"


@pytest.mark.parametrize(
    ("failure", "told"),
    [
        (ConnectionRefusedError(), "no program listens there"),
        (OSError("all attempts to connect failed"), "no answer"),
        (Unreachable(("x",), refused=True), "no program listens there"),
        (RelayRefused("relay.example:4001", RelayStatus.FULL), "the relay is full"),
        (RelayRefused("relay.example:4001", None), "the relay hung up"),
        (Unserved(("x",)), "your options leave it out"),
        (WrongHost(), "another host answers there"),
        (Refused(Code.LEFT), "The other player has left"),
    ],
)
def test_each_failure_has_a_clause(failure: Exception, told: str) -> None:
    assert reaching.why(failure).startswith(told)


def test_a_page_lists_each_address_with_its_kind_and_how_the_last_call_went() -> None:
    attempts = (
        (NEAR, Attempt(Step.FAILED, 995.0, ConnectionRefusedError())),
        (FAR, Attempt(Step.UNANSWERED, 990.0)),
        (RELAY, Attempt(Step.ANSWERED, 875.0)),
    )
    of = link(Way.DIRECT, CallState(PLACE, attempts, 1040.0, better=True), Via.RELAY)
    rows = reaching.report(of, NOW)
    assert rows == [
        ("nearby 192.168.1.5:4000", "no program listens there (0:05 ago)"),
        ("direct 203.0.113.7:4000", "no answer in time (0:10 ago)"),
        ("relay relay.example:4001", "answered (2:05 ago)"),
        (f"onion {ONION}", "not called so far"),
        ("next try", "in 40 s, for a straight way"),
    ]
    own = reaching.own(Place((FAR, RELAY), bytes(32)), [OwnRelay("relay.example:4001", "no answer")])
    assert [row[1] for row in own] == ["the others know it", "no answer; tried again and again"]
    mapped = reaching.own(Place((FAR,), bytes(32)), [], (FAR,))
    assert mapped == [("direct 203.0.113.7:4000", "your router lets others in")]
    page = pages.ways([("Boris: relay 61 ms", rows)], own, pages.COLUMNS)
    assert all(width(line) <= pages.COLUMNS for line in page.lines)
    told = "\n".join(map(words, page.lines))
    for part in (
        "Boris: relay 61 ms",
        "192.168.1.5:4000",
        "no program listens there",
        "You can be called at",
    ):
        assert part in told
    assert reaching.report(link(calling=CallState()), NOW) == [("no address", "it calls us")]
    came = reaching.report(link(Way.DIRECT, CallState(PLACE, attempts[:2])), NOW)
    assert came[0] == ("its own call", "the way in use")
    assert reaching.own(None, [])[0][0] == "no address"


def test_an_invite_is_told_with_the_ways_that_it_leads() -> None:
    assert reaching.leading((NEAR, FAR, RELAY), (FAR,)) == (
        "192.168.1.5:4000 (nearby), 203.0.113.7:4000 (your router) and the relay relay.example:4001"
    )
    assert reaching.leading((ONION,)) == str(ONION)


def test_a_relay_that_is_lost_is_told_with_what_that_means() -> None:
    lost, back = OwnRelay("relay.example:4001", "no answer"), OwnRelay("relay.example:4001")
    straight, relayed = link(Way.DIRECT, via=Via.DIRECT), link(Way.DIRECT, via=Via.RELAY)
    assert reaching.relay_sentence(lost, [straight]) == (
        "The relay relay.example:4001 no longer answers. Nobody can call you there now; your game goes on "
        "straight."
    )
    for links in ([], [link()], [straight, link()], [straight, relayed]):
        assert reaching.relay_sentence(lost, links).endswith("it is tried again and again.")
    assert reaching.relay_sentence(back, []).endswith("others can call you there.")
