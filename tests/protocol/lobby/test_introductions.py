"""Who gets in with an invite, and what both see before they agree (rows 26 and 43)."""

from __future__ import annotations

import errno
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace

import pytest
import trio
import trio.testing

from protocol import limits
from protocol.channel import strangers
from protocol.crypto.keys import Identity
from protocol.failures import Code, DiskFailed, Refused
from protocol.lobby.guest_lobby import Visit
from protocol.lobby.handshake import Person
from protocol.lobby.introductions import Desk, open_invites
from protocol.network.guest import join
from protocol.network.host import Host, listen
from protocol.network.peer import Peer
from protocol.storage.home import Owner
from protocol.wire.addresses import Endpoint
from tests.helpers.links.peers import (
    CERTIFICATE,
    HANGING,
    LOOPBACK,
    TERMS,
    assert_refused,
    here,
    hosting,
    seated,
    yes,
)
from tests.helpers.machine.disk import failing

YEAR = 365 * 86_400.0


async def no(_: Person | Visit) -> bool:
    return False


# Row 26: one invite, one guest


async def test_row_26_of_100_who_race_with_one_invite_one_gets_in(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("MAX_STRANGERS", "MAX_STRANGERS_OF_NETWORK", "LET_IN_AT_ONCE", "LET_IN_OF_NETWORK"):
        monkeypatch.setattr(strangers, limit, 100)
    for limit in ("SPEAK_WITHIN", "AUTHENTICATE_WITHIN"):
        monkeypatch.setattr(limits, limit, HANGING)  # a busy machine is no fault
    async with hosting(ada) as (nursery, host, invite):
        # Each has a key of its own: whoever has the winner's key is the winner, and may come back.
        keys = [Identity(number.to_bytes(32, "big")) for number in range(100)]
        guests = [replace(ben, identity=key, name=f"Guest {number}") for number, key in enumerate(keys)]
        joined: list[Peer] = []
        codes: list[int] = []

        async def race(guest: Owner) -> None:
            try:
                joined.append(await join(nursery, guest, invite, yes))
            except Refused as error:
                codes.append(error.code)

        async with trio.open_nursery() as racers:
            for guest in guests:
                racers.start_soon(race, guest)
            winner = await host.meet(TERMS, yes)
        assert len(joined) == 1
        assert codes == [Code.USED_INVITE] * 99
        assert winner.replica.match.body == joined[0].replica.match.body
        assert len(ada.home.games()) == 1


async def test_row_26_the_use_is_on_the_disk_before_the_guest_is_let_in(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        assert [kept.invite for kept in open_invites(ada.home, time.time())] == [invite]
        seen: list[object] = []

        async def look(_: Person) -> bool:
            seen.extend(kept.keys for kept in open_invites(ada.home, time.time()))
            return True

        async with trio.open_nursery() as meeting:
            meeting.start_soon(join, nursery, ben, invite, yes)
            await host.meet(TERMS, look)
        assert seen == [(ben.identity.key,)]


async def test_row_26_an_invite_survives_a_restart_of_the_host_and_is_still_good_once(
    ada: Owner, ben: Owner
) -> None:
    async with hosting(ada) as (_, host, invite):
        port = host.desk.port
    async with hosting_again(ada, port) as (nursery, host):
        joined: list[Peer] = []

        async def come() -> None:
            joined.append(await join(nursery, ben, invite, yes))

        async with trio.open_nursery() as meeting:
            meeting.start_soon(come)
            await host.meet(TERMS, yes)
        await assert_refused(Code.USED_INVITE, lambda: join(nursery, ben, invite, yes))
    assert open_invites(ada.home, time.time()) == []


@asynccontextmanager
async def hosting_again(own: Owner, port: int) -> AsyncIterator[tuple[trio.Nursery, Host]]:
    [kept] = open_invites(own.home, time.time())
    with trio.fail_after(HANGING):
        async with trio.open_nursery() as nursery:
            host = await listen(nursery, own, kept.certificate, port, [LOOPBACK])
            host.desk.reopen(kept.invite, trio.current_time() + kept.left)
            yield nursery, host
            nursery.cancel_scope.cancel()


async def test_row_26_an_expired_invite_is_refused_as_that(ada: Owner, ben: Owner) -> None:
    async with hosting(ada, lifetime=0.0) as (nursery, _, invite):
        await assert_refused(Code.EXPIRED_INVITE, lambda: join(nursery, ben, invite, yes))


async def test_row_26_a_new_invite_makes_the_old_one_void(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        newer = host.invite(here(host))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: join(nursery, ben, invite, yes))
        host.desk.withdraw()
        host.desk.withdraw()
        await assert_refused(Code.USED_INVITE, lambda: join(nursery, ben, newer, yes))


@pytest.mark.parametrize("lifetime", [0.0, 3600.0])
async def test_row_26_who_does_not_hold_the_invite_is_not_told_what_became_of_it(
    ada: Owner, ben: Owner, lifetime: float
) -> None:
    """Open, expired, used, or none in this process: a caller with another secret hears the same."""
    async with hosting(ada, lifetime) as (nursery, host, invite):
        guess = replace(invite, secret=bytes(16))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: join(nursery, ben, guess, yes))
        host.desk.withdraw()
        await assert_refused(Code.UNKNOWN_INVITE, lambda: join(nursery, ben, guess, yes))
        other = await listen(nursery, ada, CERTIFICATE, interfaces=[LOOPBACK])
        guess = replace(guess, addresses=tuple(here(other)))
        await assert_refused(Code.UNKNOWN_INVITE, lambda: join(nursery, ben, guess, yes))


async def test_row_26_if_its_use_cannot_be_written_down_the_guest_is_not_let_in(
    ada: Owner, ben: Owner, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with hosting(ada) as (nursery, host, invite):
        monkeypatch.setattr("os.rename", failing(errno.EIO))
        async with trio.open_nursery() as meeting:
            meeting.start_soon(assert_refused, Code.FAILED, lambda: join(nursery, ben, invite, yes))
            with pytest.raises(DiskFailed):
                await host.meet(TERMS, yes)


def test_invites_that_cannot_be_honoured_any_more_are_removed(ada: Owner) -> None:
    desk = Desk(ada, CERTIFICATE, 4000)
    desk.invite((Endpoint(LOOPBACK, 4000),), 60.0, 0.0, 1000.0)
    [kept] = open_invites(ada.home, 1001.0)
    assert kept.left == 59.0
    assert open_invites(ada.home, 1061.0) == []
    assert list((ada.home.path / "invites").iterdir()) == []
    for content in (b"", b"noise"):
        for name in ("invite.json", "tls.pem"):
            Desk(ada, CERTIFICATE, 4000).invite((Endpoint(LOOPBACK, 4000),), 60.0, 0.0, 1000.0)
            next((ada.home.path / "invites").glob(f"*/{name}")).write_bytes(content)
            assert open_invites(ada.home, 1001.0) == []


@pytest.mark.parametrize("years", [-10, 10])
def test_row_43_an_invite_is_never_good_for_longer_because_a_clock_was_wrong(ada: Owner, years: int) -> None:
    """Handed out under a clock that is years off, and found by a later process under the right one."""
    desk = Desk(ada, CERTIFICATE, 4000)
    now = 1e9
    desk.invite((Endpoint(LOOPBACK, 4000),), 60.0, 0.0, now + years * YEAR)
    assert open_invites(ada.home, now) == []
    assert list((ada.home.path / "invites").iterdir()) == []


# Saying no


async def test_each_player_sees_the_other_and_may_say_no(ada: Owner, ben: Owner) -> None:
    """Who is sent away does not come back; who goes by itself does."""
    async with hosting(ada) as (nursery, host, invite):
        with trio.CancelScope() as meeting:
            nursery.start_soon(host.meet, TERMS, yes)
            await assert_refused(Code.DECLINED, lambda: join(nursery, ben, invite, no))
            await join(nursery, ben, invite, yes)
            meeting.cancel()
    async with hosting(ada) as (nursery, host, invite):
        nursery.start_soon(host.meet, TERMS, no)
        await assert_refused(Code.DECLINED, lambda: join(nursery, ben, invite, yes))
        await assert_refused(Code.DECLINED, lambda: join(nursery, ben, invite, yes))
        assert host.lobby is not None
        assert host.lobby.listing.places[1] is None
    assert len(ada.home.games()) == len(ben.home.games()) == 1


async def test_what_is_shown_before_a_player_agrees_is_what_will_be_played(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):
        shown: list[Person | Visit] = []

        async def look(who: Person | Visit) -> bool:
            shown.append(who)
            return True

        async with trio.open_nursery() as meeting:
            meeting.start_soon(join, nursery, ben, invite, look)
            peer = await host.meet(TERMS, look)
        guest, visit = shown
        assert guest == Person(ben.identity.key, "Ben")
        assert isinstance(visit, Visit)
        assert visit.host == Person(ada.identity.key, "Ada")
        listing, match = visit.listing, peer.replica.match
        assert listing is not None
        assert (listing.game.name, listing.options) == (match.game.name, match.options)
        assert [(person.key, person.name) for person in listing.persons if person] == [
            (player.key, player.name) for player in match.players
        ]
        assert visit.seat == 1


async def test_a_host_that_goes_away_while_we_decide_is_not_agreed_with(ada: Owner, ben: Owner) -> None:
    async with hosting(ada) as (nursery, host, invite):

        async def slow(_: Visit) -> bool:
            assert host.lobby is not None
            host.lobby.close(Code.LEFT)
            await trio.sleep(HANGING)
            return True

        async with trio.open_nursery() as meeting:
            meeting.start_soon(host.meet, TERMS, yes)
            await assert_refused(Code.LEFT, lambda: join(nursery, ben, invite, slow))
            meeting.cancel_scope.cancel()
    assert ben.home.games() == []


async def test_nobody_plays_against_the_same_key(ada: Owner) -> None:
    async with hosting(ada) as (nursery, _, invite):
        await assert_refused(Code.SAME_PLAYER, lambda: join(nursery, ada, invite, yes))
        assert open_invites(ada.home, time.time())[0].keys == ()


async def test_a_player_comes_back_to_a_match_that_is_not_there(ada: Owner, ben: Owner) -> None:
    async with seated(ada, ben) as table:
        table.peers[0].leave()
        table.host.peer = None
        table.host.desk.signed = lambda: None  # as a program whose home folder never had it
        async with trio.open_nursery() as run:
            run.start_soon(assert_refused, Code.UNKNOWN_MATCH, table.peers[1].run)
            table.peers[1].stop(Code.LEFT)
