"""Moments: what a table keeps to go back is small, and going back finds everything as it stood."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from typing import Any, Final

import pytest

from p2p_stratego.core.game import Choose, Commit, Open
from protocol.audit.verdict import Verdict
from protocol.record.asks.base import HiddenSlot, Moment, Table
from protocol.record.asks.choose import Choice
from protocol.record.asks.commit import Commitments
from protocol.record.asks.open import Opening
from protocol.record.cards import Cards
from protocol.record.claims import ClaimLedger
from tests.helpers.cheats.bout import judge_all
from tests.helpers.games.cups import CUPS
from tests.helpers.games.players import honest
from tests.helpers.games.scripts import SALT, Match
from tests.helpers.games.toy import TOY
from tests.helpers.machine.examples import runs
from tests.helpers.seats import pair
from tests.helpers.seats.takebacks import take_back_around_a_leaving, take_back_at_random

TAKEBACKS: Final = 4


def held(thing: object, seen: set[int]) -> Iterator[Collection[object]]:
    """Every collection in `thing`, to any depth, that is not in `seen`."""
    if id(thing) in seen or isinstance(thing, str | bytes):
        return
    seen.add(id(thing))
    if isinstance(thing, dict | list | tuple | set | frozenset):
        yield thing
        for part in [*thing, *(thing.values() if isinstance(thing, dict) else ())]:
            yield from held(part, seen)
    elif isinstance(thing, Moment | Table | Cards | ClaimLedger | HiddenSlot):
        for name in thing.__dataclass_fields__:
            yield from held(getattr(thing, name, None), seen)


def test_row_47_a_moment_costs_the_same_however_long_the_match_is() -> None:
    """Else a match would cost time and room with the square of its length."""
    turns = [
        (Commit(0, slots, (1, 2), exactly=False), Open(slots[0]), Choose(1, ("on",)))
        for slots in (tuple(range(10 * at, 10 * at + 10)) for at in range(30))
    ]
    match, kept = Match(*turns, takebacks=True), list[int]()
    for turn in turns:
        slots = turn[0].slots
        match.say(Commitments(tuple(match.commitment(0, slot, 1) for slot in slots)), Opening(1, SALT))
        moment = match.table.moment
        assert moment is not None
        match.table.moment = None
        shared = set[int]()
        list(held(match.table, shared))
        match.table.moment = moment
        kept.append(sum(map(len, held(moment, shared))))
        match.say(Choice("on"))
    assert len(match.table.hidden) == 300
    assert kept[0] == kept[-1]


def facts(table: Table, cards: Cards) -> list[Any]:
    """All that goes back with a takeback, as a value of its own."""
    lacking = [slot for slot in table.never_laid if table.lacks(slot)]
    ledger = table.ledger
    return [
        *(dict(part) for part in (table.hidden, table.faces, table.looks, ledger.opened_at, cards.decks)),
        *(list(part) for part in (table.dead, lacking, cards.log, ledger.claims, table.history)),
        [table.rolls, table.tosses, table.state, cards.looks, cards.shuffled, cards.mixes, cards.proofs],
    ]


@pytest.fixture
def backs(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Of each time that a table goes back, all of which are compared with what stood: how many seats have
    gone between the moment and then.
    """
    stood: dict[int, tuple[Moment, list[Any], int]] = {}
    at_moment, back_at = Table.at_moment, Table.back_at
    went: list[int] = []

    def noted(table: Table, *rest: Any) -> Moment:
        moment = at_moment(table, *rest)
        stood[id(moment)] = moment, facts(table, table.cards), len(table.gone)
        return moment

    def checked(table: Table, moment: Moment) -> Table:
        before = facts(table, table.cards)
        back = back_at(table, moment)
        _moment, kept, gone = stood[id(moment)]
        assert facts(back, back.cards) == kept
        assert facts(table, table.cards) == before
        went.append(len(table.gone) - gone)
        return back

    monkeypatch.setattr(Table, "at_moment", noted)
    monkeypatch.setattr(Table, "back_at", checked)
    return went


TOYS: Final = {"looks": "yes", "claims": "yes"}


@pytest.mark.parametrize(
    ("game", "options", "proofs"),
    [(TOY, {"rounds": 1, **TOYS}, False), (CUPS, {}, True)],
    ids=["hashes", "decks"],
)
def test_going_back_finds_everything_as_it_stood(
    game: Any, options: dict[str, Any], backs: list[int], *, proofs: bool
) -> None:
    table = pair.Table(4, game=game, options=options, decide=honest, proofs=proofs, seats=2, takebacks=True)
    assert take_back_at_random(table, TAKEBACKS, random.Random(1)) > 2
    assert {report.verdict for report in judge_all(table.seats)} == {Verdict.COMPLETE}
    assert len(backs) > TAKEBACKS


LEAVINGS: Final = [
    (TOY, {"rounds": 2, **TOYS}, False, 12),
    (TOY, {"rounds": 2, **TOYS}, False, 7),
    (CUPS, {}, True, 7),  # takes a second
]


@pytest.mark.parametrize(("game", "options", "proofs", "seed"), LEAVINGS[: runs(1, len(LEAVINGS))])
def test_it_does_so_though_one_of_three_has_left(
    game: Any, options: dict[str, Any], seed: int, backs: list[int], *, proofs: bool
) -> None:
    """Also from a decision behind the leaving to an Ask that was put before it: who is gone stays gone."""
    table = pair.Table(
        seed, game=game, options=options, decide=honest, proofs=proofs, seats=3, takebacks=True
    )
    assert take_back_around_a_leaving(table, random.Random(seed)) > 1
    assert all(seat.session.fault is None for seat in table.seats)
    assert {report.verdict for report in judge_all(table.seats)} == {Verdict.COMPLETE}
    assert len({seat.session.referee.head for seat in table.seats}) == 1
    assert any(backs)
