"""From the guest's first look at an offer to the first move at its side, by post."""

from __future__ import annotations

import random
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from time import perf_counter
from typing import Final

from p2p_stratego.registry import GAMES, make_bot
from protocol.lobby.handshake import Terms
from protocol.post import carrying, form, offer
from protocol.record import genesis
from protocol.replication.replica import Replica
from protocol.storage.home import Home, Owner

GAME: Final = GAMES["spies-and-lies"]


def first_move(folder: Path) -> float:
    """Seconds, if both take and write as soon as they can; each step opens the match anew, and syncs."""
    with ExitStack() as homes:
        owners = []
        for name in ("host", "guest"):
            home = homes.enter_context(Home(folder / name))
            owners.append(Owner(home, home.identity(), name, GAMES))
        host, guest = owners
        offered = offer.make(host, Terms(GAME, GAME.options({})))
        began = perf_counter()
        proposed = offer.offered(form.read(offered), GAMES)
        if proposed is None:
            raise AssertionError("the offer is none")
        store, _ = offer.accept(guest, proposed)
        match = store.name
        store.close()
        data, entries = _step(guest, match, b"", 0)
        offer.found(host, genesis.parse(form.read(data).genesis or b"", GAMES)).close()
        for number in count():
            data, entries = _step(owners[number % 2], match, data, 1 - number % 2)
            if number % 2 and entries > 2:
                break
        return perf_counter() - began


def _step(owner: Owner, match: str, data: bytes, reader: int) -> tuple[bytes, int]:
    """Take a post, decide, and write the next one; how many entries the match has then."""
    replica = Replica(owner, owner.home.open(match), perf_counter)
    if data:
        carrying.take(replica, form.read(data))
    if replica.session.decision is not None and replica.session.referee.count > 1:
        replica.decide(make_bot(GAME.name, "recruit", random.Random(1)).decide(replica.session.view))
    post = carrying.write(replica, owner, reader, 0.0)
    entries = replica.session.referee.count
    replica.close()
    return post.data, entries
