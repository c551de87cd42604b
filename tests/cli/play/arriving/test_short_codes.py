"""The code of a lobby: what its host is told, and when another one is made (threat 85)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
import trio
import trio.testing

from cli.play.arriving.lobby_places import HostPlace
from cli.play.arriving.network_options import OwnDoor, Ways
from cli.play.arriving.short_codes import ShortCodes
from cli.text.layout import hung
from protocol.limits import CODE_LIFETIME
from protocol.lobby.code_exchange import OpenCode
from protocol.network.host import Host
from protocol.network.transport.choice import Wishes
from protocol.network.transport.relay_client import Waiter
from protocol.rendezvous.short_code import ShortCode
from protocol.wire.addresses import Endpoint, Onion
from tests.golden.dialogues import assert_told
from tests.helpers.links.lobbies import whole
from tests.helpers.program.playing import lines, play_session

RELAY = Endpoint("relay.example", 4001)


class There:
    """What a Telling needs of a waiter at a relay."""

    def __init__(self) -> None:
        self.relay = RELAY
        self.number = 0
        self.stopped = False

    def on_change(self) -> None: ...

    def stop(self) -> None:
        self.stopped = True

    def give(self, number: int) -> None:
        """The relay gives a number."""
        self.number = number
        self.on_change()


@dataclass
class Table:
    """A lobby with codes, at one relay or none."""

    telling: ShortCodes
    place: HostPlace
    host: Host
    at: There
    numbers: list[int]

    @property
    def code(self) -> OpenCode:
        """The one that stands."""
        assert self.host.desk.code is not None
        return self.host.desk.code

    async def rest(self) -> None:
        """Until everything is done that was to be done."""
        for _ in range(3):
            await trio.testing.wait_all_tasks_blocked()

    async def spoil(self, tries: int = 3) -> None:
        """So many tries with wrong words."""
        for _ in range(tries):
            self.code.begin(trio.current_time())
        self.code.on_failure()
        await self.rest()


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Words are not stretched, and no thread is used for it."""

    async def here(work: object) -> bytes:
        assert callable(work)
        return bytes((1, *31 * [0]))

    monkeypatch.setattr(trio.to_thread, "run_sync", here)


@asynccontextmanager
async def telling(path: Path, relays: tuple[Endpoint | Onion, ...] = (RELAY,)) -> AsyncIterator[Table]:
    sitting = whole(path / "table")
    at = There()
    host = cast(
        "Host",
        SimpleNamespace(
            guarded=lambda action: action(), desk=SimpleNamespace(code=None), wait_at_number=lambda _: at
        ),
    )
    session = play_session(path / "host", lines(), interactive=True)
    place = HostPlace(session, host, sitting.lobby, sitting.host.identity.key)
    waiters = tuple(cast("Waiter", SimpleNamespace(there=True)) for _ in relays)
    codes = ShortCodes(OwnDoor(host, (), waiters, ways=Ways(Wishes(), relays)), place, 1)
    numbers: list[int] = []
    codes.on_number = numbers.append
    async with trio.open_nursery() as nursery:
        yield Table(codes, place, host, at, numbers)
        nursery.cancel_scope.cancel()


async def started(table: Table, nursery: trio.Nursery, number: int = 7) -> list[str]:
    table.at.number = number
    words = await table.telling.begin()
    nursery.start_soon(table.telling.run)
    await table.rest()
    return words


def invited(table: Table) -> str:
    """The one invite at the place, with the words before it."""
    ((words, code),) = table.place.invites
    return f"{words} {code}"


def printed(words: list[str]) -> list[str]:
    return [line for text in words for line in hung(text, None)]


async def test_the_code_and_its_use_are_told_beside_the_invite(quick: None, tmp_path: Path) -> None:
    async with telling(tmp_path) as table, trio.open_nursery() as nursery:
        words = await started(table, nursery)
        code = str(table.code.code)
        assert code.startswith("7-")
        assert_told("codes", "beside the invite", "\n".join(printed(words)), CODE=code)
        assert table.numbers == [7]
        nursery.cancel_scope.cancel()
    assert table.at.stopped
    assert table.numbers == [7, 0]


async def test_without_a_relay_the_code_is_for_those_nearby(quick: None, tmp_path: Path) -> None:
    async with telling(tmp_path, ()) as table:
        words = await table.telling.begin()
        assert 0 < table.code.code.number < 100
        assert_told("codes", "without a relay", "\n".join(printed(words)), CODE=table.code.code)
        assert table.numbers == [table.code.code.number]


async def test_a_relay_that_gives_no_number_delays_nobody_for_long(
    quick: None, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with telling(tmp_path) as table, trio.open_nursery() as nursery:
        began = trio.current_time()
        assert await table.telling.begin() == []
        assert trio.current_time() - began <= 3.0
        table.place.enter("code", None)
        assert_told("codes", "no relay gives a number", table.place.notice)
        nursery.start_soon(table.telling.run)
        await table.rest()
        table.at.give(12)
        await table.rest()
        assert_told("codes", "a relay gives a number", invited(table), CODE=table.code.code)
        nursery.cancel_scope.cancel()


async def test_row_85_a_host_hears_of_each_wrong_try_and_gets_two_more_codes_by_itself(
    quick: None, tmp_path: Path
) -> None:
    async with telling(tmp_path) as table, trio.open_nursery() as nursery:
        await started(table, nursery)
        codes = [table.code]
        await table.spoil(1)
        (remark,) = table.place.remarks
        assert_told("codes", "a wrong try", remark, CODE=codes[0].code)
        for tries in (2, 3):
            await table.spoil(tries)
            codes.append(table.code)
        assert len({id(code) for code in codes}) == 3
        assert [word for _, word in table.place.invites] == [str(code.code) for code in codes[1:]]
        assert [code.void for code in codes] == [True, True, False]
        await table.spoil()
        assert table.code.void, "whoever guesses gets no more codes unseen"
        void = codes[-1].code
        assert_told("codes", "too many wrong tries", table.place.remarks[-1], CODE=void)
        assert table.numbers[-1] == 0
        table.place.enter("code", None)
        await table.rest()
        assert table.numbers[-1] == table.code.code.number == 7
        nursery.cancel_scope.cancel()


async def test_row_85_a_code_ends_after_ten_minutes_and_no_other_is_made_unasked(
    quick: None, tmp_path: Path, autojump_clock: trio.testing.MockClock
) -> None:
    async with telling(tmp_path) as table, trio.open_nursery() as nursery:
        await started(table, nursery)
        first = table.code
        await trio.sleep(CODE_LIFETIME + 1)
        assert first.void
        (remark,) = table.place.remarks
        assert_told("codes", "after ten minutes", remark, CODE=first.code)
        await trio.sleep(10 * CODE_LIFETIME)
        assert table.code is first
        table.place.enter("code", None)
        await table.rest()
        assert table.code is not first
        assert_told("codes", "another code", invited(table), CODE=table.code.code)
        nursery.cancel_scope.cancel()


async def test_row_85_a_relay_that_gives_number_after_number_gets_no_more_tries(
    quick: None, tmp_path: Path
) -> None:
    async with telling(tmp_path) as table, trio.open_nursery() as nursery:
        await started(table, nursery)
        codes: list[ShortCode] = []
        for number in (8, 9, 10, 11):
            table.at.give(number)
            await table.rest()
            codes.append(table.code.code)
        assert [code.number for code in codes] == [8, 9, 9, 9]
        assert table.code.void
        nursery.cancel_scope.cancel()
