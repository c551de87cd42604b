"""Blocked players: refused by their proven key at every door, before anything is spent, said or shown."""

from __future__ import annotations

import time
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from protocol.failures import Blocked, Code
from protocol.lobby.introductions import open_invites
from protocol.network.guest import visit
from protocol.storage.home import Owner
from tests.helpers.links.peers import TERMS, assert_refused, hosting, owner


def block(own: Owner, other: Owner) -> None:
    own.home.remember(other.identity.key, other.name)
    own.home.change_contact(other.identity.key, lambda known: replace(known, blocked=True))


async def test_a_blocked_guest_spends_no_invite_hears_no_name_and_is_shown_to_nobody(
    ada: Owner, ben: Owner, tmp_path: Path
) -> None:
    block(ada, ben)
    cleo = owner(tmp_path / "cleo", "Cleo")
    async with hosting(ada) as (nursery, host, invite):
        lobby = host.open(TERMS)
        before = lobby.listing
        for name in ("Ben", "Somebody else"):
            await assert_refused(Code.DECLINED, partial(visit, nursery, replace(ben, name=name), invite))
        assert lobby.listing == before
        assert open_invites(ada.home, time.time())[0].keys == ()
        await visit(nursery, cleo, invite)  # the invite is still good for another one


async def test_a_guest_does_not_sit_down_with_a_host_that_it_has_blocked(ada: Owner, ben: Owner) -> None:
    block(ben, ada)
    async with hosting(ada) as (nursery, _, invite):
        with pytest.raises(Blocked):
            await visit(nursery, ben, invite)
