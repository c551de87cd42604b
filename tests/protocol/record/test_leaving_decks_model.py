"""The small protocol of leaving at a table with decks, in every run: with an escrow, without, with a key."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from itertools import combinations, product
from typing import Any

import pytest

from protocol.crypto.proofs.verification import keeping
from protocol.record.asks.proofs.keys import Released
from protocol.record.asks.registry import CODEC
from protocol.record.entries import Folded
from protocol.record.silence.gone import Gone
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.models.leaving import Hole, Table, explore
from tests.helpers.models.leaving_decks import DeckTable
from tests.helpers.seats.leavers import Leaving, left
from tests.helpers.seats.mesh import Mesh

pytestmark = pytest.mark.model
STATES = 36_000
"""Fewer visited states would mean that the model lost something of what can happen."""


def tables(
    seats: int, crooked: int, thresholds: tuple[int, ...], owners: tuple[int, ...]
) -> Iterator[DeckTable]:
    """Every such table; of four seats with one that owes behind."""
    for owner, threshold, bad in product(owners, thresholds, combinations(range(seats), crooked)):
        for follower in [seat for seat in range(seats) if seat != owner][: seats if seats == 3 else 1]:
            for double in (False, True) if seats == 3 else (False,):
                yield DeckTable(
                    seats, owner, follower, double=double, crooked=frozenset(bad), threshold=threshold
                )


def every_table() -> Iterator[DeckTable]:
    for crooked in (0, 1):
        yield from tables(3, crooked, (0, 2), (0, 1, 2))
    yield from tables(4, 0, (2, 3), (0,))


def test_no_two_honest_copies_differ_and_nobody_honest_can_be_blamed(
    record_property: Callable[[str, Any], None], capsys: pytest.CaptureFixture[str]
) -> None:
    states = sum(explore(table).states for table in every_table())
    record_property("states", states)
    with capsys.disabled():
        print(f" [{states} states] ", end="")
    assert states > STATES


def living(table: Table, dead: int) -> Iterator[tuple[str, ...]]:
    """The chains that those alive hold where nothing can happen any more, each from one final state."""
    for state in explore(table).final:
        chains = {chain for seat, (_, chain) in enumerate(state) if seat != dead}
        if all(chains) and len({chain[0] for chain in chains}) == 1:
            yield max(chains, key=len)


@pytest.mark.parametrize(("seats", "threshold"), [(3, 2), (4, 2), (4, 3)])
def test_with_an_escrow_the_others_give_their_shares_in_order_and_play_on(seats: int, threshold: int) -> None:
    table = DeckTable(seats, 0, seats - 1, dead=frozenset({0}), threshold=threshold)
    heirs = range(1, threshold + 1)
    whole = " ".join(("gone", *(f"s{seat}" for seat in heirs)))
    ends = set(living(table, 0))
    assert any(chain[-1] == f"on {whole}" for chain in ends)
    for chain in ends:
        assert chain[0] == "gone"
        too_few = seats - 1 - chain[-1].count("k") < threshold
        assert chain[-1].startswith("on ") != too_few
        steps = chain[-1].removeprefix("on ").split()[1:]
        assert sum(step[0] == "s" for step in steps) == threshold or too_few
        assert [int(step[1:]) for step in steps] == sorted(int(step[1:]) for step in steps)


def test_without_an_escrow_nothing_follows_a_gone() -> None:
    table = DeckTable(3, 0, 1, dead=frozenset({0}))
    assert set(living(table, 0)) == {("gone",)}


def test_a_seat_that_resigns_gives_its_key_and_no_share_is_owed() -> None:
    table = DeckTable(3, 0, 1, threshold=2)
    resigned = {chain for chain in living(table, 3) if chain[0] == "R"}
    assert resigned
    for chain in resigned:
        assert chain[-1].partition("+")[0] == "on R"


def test_the_model_finds_the_hole_if_shares_were_given_in_any_order(monkeypatch: pytest.MonkeyPatch) -> None:
    def any_order(self: DeckTable, way: str) -> Iterator[str]:
        owed = self.owes(way)
        if owed is not None and owed[1]:
            gave = {int(step[1:]) for step in way.split()[1:]}
            yield from (f"{way} s{seat}" for seat in self.place.present - {self.owner} - gave)

    monkeypatch.setattr(DeckTable, "behind_way", any_order)
    with pytest.raises(Hole):
        explore(DeckTable(3, 0, 1, threshold=2))


@pytest.mark.parametrize(("seed", "seats", "threshold"), [(75, 4, 2), (75, 4, 3), (76, 3, 2)])
def test_sessions_owe_their_shares_as_the_model_says(seed: int, seats: int, threshold: int) -> None:
    with keeping():
        match = left(seed, seats, "dead", seed, CUPS, escrow=threshold)
    referee = match.living[0].session.referee
    owner, place = next(iter(referee.table.gone.items()))
    model = DeckTable(seats, owner, (owner + 1) % seats, threshold=threshold)
    way = "gone"
    for entry in referee.entries[place + 1 :]:
        owed = model.owes(way)
        assert owed is not None
        if not owed[1]:
            break
        assert not isinstance(entry, Folded)
        message = CODEC.parse(entry.message)
        if isinstance(message, Gone):
            return  # another one was taken for silent: the others go on as from the first place
        assert isinstance(message, Released)
        assert entry.seat == owed[0]
        way += f" s{entry.seat}"
    assert len(way.split()) == threshold + 1
    assert owner in referee.table.cards.released


@pytest.mark.parametrize(("threshold", "goes_on"), [(2, True), (3, False)])
def test_an_escrow_serves_as_long_as_so_many_others_are_there(threshold: int, goes_on: bool) -> None:
    """Who has resigned gave the key for cards away, and no share."""
    rng = random.Random(2)
    with keeping():
        mesh = Mesh(5, game=CUPS, options={"rounds": 2}, seats=4, decide=honest, escrow=threshold)
        mesh.run(rng, steps=110)
        mesh.seats[0].session.resign()
        mesh.run(rng, steps=60)
        assert 0 in mesh.seats[2].session.referee.table.gone
        match = Leaving(mesh, 1, "dead", rng).run()
    referee = match.living[-1].session.referee
    assert set(referee.table.gone) == {0, 1}
    assert referee.outcome is not None
    assert (referee.outcome.reason in ("points", "draw")) == goes_on
    assert (referee.outcome.reason == "unresponsive") != goes_on
    assert (1 in referee.table.cards.released) == goes_on
