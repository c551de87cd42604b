"""By which ways players are reached, what is tried, and why a call failed: in words."""

from __future__ import annotations

from collections.abc import Sequence

from cli.table.pages import match_pages
from cli.table.words import call_attempts
from cli.table.words.call_attempts import OwnRelay
from cli.table.words.other_players import Fellow, places_of
from cli.text.layout import width, words
from protocol.failures import Code, Refused, RelayRefused, RelayStatus, Unreachable, Unserved, WrongHost
from protocol.rendezvous.via import Via
from protocol.replication.journal import Attempt, CallState, Step
from protocol.replication.presence import SeatLink, Way
from protocol.storage.route import Place
from protocol.wire.addresses import Endpoint, Onion, Relayed
from tests.golden.tables import Chronicle, assert_as_kept

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
    attempts = tuple((address, Attempt(Step.CALLING, NOW)) for address in addresses)
    return CallState(PLACE, attempts, **more)  # type: ignore[arg-type]


def test_what_is_done_for_a_way_stands_beside_how_a_player_is_reached(chronicle: Chronicle) -> None:
    for what, of in (
        ("a relay, and a direct way is tried", link(Way.DIRECT, calling(FAR, better=True), Via.RELAY)),
        (
            "a relay, and two better ways are tried",
            link(Way.DIRECT, calling(NEAR, FAR, better=True), Via.RELAY),
        ),
        (
            "a relay, and the next try is later",
            link(Way.DIRECT, calling(until=1040.0, better=True), Via.RELAY),
        ),
        ("a nearby way is the best", link(Way.DIRECT, calling(FAR), Via.NEARBY)),
        ("away, and called at three addresses", link(Way.AWAY, calling(NEAR, FAR, RELAY))),
        ("away, and called at a relay", link(Way.AWAY, calling(RELAY))),
        ("away, and the next try is in 19.2 s", link(Way.AWAY, calling(until=1019.2))),
        ("not come, and the next try is in 300 s", link(Way.NEVER, calling(until=1300.0))),
        ("away, with no address", link(Way.AWAY, CallState())),
        ("away, and a try is due", link(Way.AWAY, calling(until=990.0))),
    ):
        place = {Way.DIRECT: "direct", Way.AWAY: "away", Way.NEVER: "never"}[of.way]
        fellow = Fellow(
            1,
            "Boris",
            "blue",
            place,  # type: ignore[arg-type]
            seconds=NOW - of.since,
            rtt=of.rtt,
            via="" if of.via is None else of.via.value,
            doing=call_attempts.doing(of, NOW),
        )
        _, texts = places_of(fellow)
        assert list(texts) == sorted(texts, key=len, reverse=True), "a panel takes the longest that fits"
        chronicle.show(what, *texts)
    assert_as_kept(chronicle)


def test_each_failure_has_a_clause(chronicle: Chronicle) -> None:
    for what, failure in (
        ("ECONNREFUSED", ConnectionRefusedError()),
        ("another error of the system", OSError("all attempts to connect failed")),
        ("refused at every address", Unreachable(("x",), refused=True)),
        ("a relay says FULL", RelayRefused("relay.example:4001", RelayStatus.FULL)),
        ("a relay says nothing", RelayRefused("relay.example:4001", None)),
        ("no way is allowed", Unserved(("x",))),
        ("another certificate", WrongHost()),
        ("a refusal: LEFT", Refused(Code.LEFT)),
    ):
        chronicle.show(what, call_attempts.why(failure))
    assert_as_kept(chronicle)


def test_a_page_lists_each_address_with_its_kind_and_how_the_last_call_went(chronicle: Chronicle) -> None:
    attempts = (
        (NEAR, Attempt(Step.FAILED, 995.0, ConnectionRefusedError())),
        (FAR, Attempt(Step.UNANSWERED, 990.0)),
        (RELAY, Attempt(Step.ANSWERED, 875.0)),
    )
    of = link(Way.DIRECT, CallState(PLACE, attempts, 1040.0, better=True), Via.RELAY)
    rows = call_attempts.report(of, NOW)
    own = call_attempts.own(Place((FAR, RELAY), bytes(32)), [OwnRelay("relay.example:4001", "no answer")])
    page = match_pages.ways([("Boris: relay 61 ms", rows)], own, match_pages.COLUMNS)
    assert all(width(line) <= match_pages.COLUMNS for line in page.lines)
    chronicle.show("the page of ways", *map(words, page.lines))

    def show(what: str, of: Sequence[tuple[str, str]]) -> None:
        chronicle.show(what, *(f"{address}  {how}" for address, how in of))

    show("our router lets others in", call_attempts.own(Place((FAR,), bytes(32)), [], (FAR,)))
    show("no address of Boris", call_attempts.report(link(calling=CallState()), NOW))
    came = call_attempts.report(link(Way.DIRECT, CallState(PLACE, attempts[:2])), NOW)
    show("Boris called us, and two addresses failed", came)
    show("no address of ours", call_attempts.own(None, []))
    assert_as_kept(chronicle)


def test_an_invite_is_told_with_the_ways_that_it_leads(chronicle: Chronicle) -> None:
    chronicle.show("an invite with three addresses", call_attempts.leading((NEAR, FAR, RELAY), (FAR,)))
    assert call_attempts.leading((ONION,)) == str(ONION)
    assert_as_kept(chronicle)


def test_a_relay_that_is_lost_is_told_with_what_that_means(chronicle: Chronicle) -> None:
    lost, back = OwnRelay("relay.example:4001", "no answer"), OwnRelay("relay.example:4001")
    straight, relayed = link(Way.DIRECT, via=Via.DIRECT), link(Way.DIRECT, via=Via.RELAY)
    chronicle.show("lost, and all links are straight", call_attempts.relay_sentence(lost, [straight]))
    pressing = call_attempts.relay_sentence(lost, [])
    for links in ([link()], [straight, link()], [straight, relayed]):
        assert call_attempts.relay_sentence(lost, links) == pressing
    chronicle.show("lost, and a link is missing or needs it", pressing)
    chronicle.show("back", call_attempts.relay_sentence(back, []))
    assert_as_kept(chronicle)
