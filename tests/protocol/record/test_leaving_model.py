"""The small protocol by which a table goes on without a silent seat, in every run of three and four seats."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain, combinations, count
from typing import Any

import pytest

from protocol.record.silence.rules import ChainPlace, both_ways, may_accuse, silent
from tests.helpers.models import leaving as leaving_model
from tests.helpers.models.leaving import Hole, Table, explore, stuck

pytestmark = pytest.mark.model
FEWEST = {3: 200, 4: 300}
"""By number of seats: with fewer states at one table the model would have lost something that can happen."""


def tables(seats: int, crooked: int) -> Iterator[Table]:
    """Every table with `crooked` crooked seats, up to exchanging two accusers, who have equal parts.

    Of three all sign statements over later counts; of four the states would be too many.
    """
    talkers = frozenset(range(seats)) if seats == 3 else frozenset[int]()
    owners = (0, seats - 1) if seats == 3 else (0,)
    for owner in owners:
        accusers = [seat for seat in range(seats) if seat != owner][:-1]
        known = set()
        for bad in combinations(range(seats), crooked):
            for follower in (seat for seat in range(seats) if seat != owner):
                name = tuple(sorted((seat in bad, seat == follower) for seat in accusers))
                rest = tuple((seat in bad, seat == follower) for seat in range(seats) if seat not in accusers)
                if (name, rest) in known:
                    continue
                known.add((name, rest))
                for double in (False, True) if seats == 3 or not crooked else (False,):
                    yield Table(
                        seats, owner, follower, double=double, crooked=frozenset(bad), talkers=talkers
                    )


def every_table() -> Iterator[Table]:
    return chain.from_iterable(tables(seats, bad) for seats in (3, 4) for bad in range(seats - 1))


def explore_all() -> int:
    return sum(explore(table).states for table in every_table())


@pytest.mark.parametrize("table", [*every_table()], ids=map("table {}".format, count()))
def test_no_two_honest_copies_differ_and_nobody_honest_can_be_blamed(table: Table) -> None:
    assert explore(table).states > FEWEST[table.seats]


@pytest.mark.parametrize("seats", [3, 4])
def test_play_goes_on_if_the_accused_or_the_decider_answers(seats: int) -> None:
    """All honest, one of them dead: the living hold one chain that goes on, or say who is silent."""
    for table in tables(seats, 0):
        for dead in [frozenset[int](), *(frozenset({seat}) for seat in range(seats))]:
            mute = replace(table, dead=dead)
            runs = explore(mute)
            assert runs.final
            for state in runs.final:
                ends = {copy[1] for seat, copy in enumerate(state) if seat not in dead}
                if table.place.decider in dead and stuck(mute, state):
                    continue  # accused and decider are named; one more answer would let play go on
                if table.follower in dead:
                    assert all(end for end in ends)
                    continue
                assert len(ends) == 1
                assert next(iter(ends))[-1].startswith("on ")
                assert table.owner not in dead or next(iter(ends))[0] == "gone"


@pytest.mark.parametrize(
    ("name", "weaker"),
    [
        ("must_hold", lambda *_, **__: False),
        ("may_admit", lambda *_, **__: True),
        ("may_remove", lambda place, seat, _: seat == place.decider),
        ("superseded", lambda *_, **__: False),
        ("both_ways", lambda *_, **__: None),
        ("both_ways", lambda place, known: both_ways(place, replace(known, bare=()))),
        ("both_ways", lambda place, known: both_ways(place, replace(known, later=()))),
        ("needs_release", lambda *_, **__: False),
    ],
)
def test_the_model_finds_the_hole_if_one_rule_is_weaker(
    name: str, weaker: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(leaving_model, name, weaker)
    with pytest.raises(Hole):
        explore_all()


def test_of_two_seats_left_neither_removes_the_other() -> None:
    assert not ChainPlace(0, frozenset({0, 2})).many
    assert not may_accuse(ChainPlace(0, frozenset({0, 2})), 2, 0)


def test_owner_and_decider_are_silent_only_if_all_others_say_so_of_both() -> None:
    place = ChainPlace(1, frozenset(range(4)))
    accusations = [(seat, accused) for seat in (0, 2) for accused in (1, 3)]
    assert silent(place, accusations) == {1, 3}
    assert not silent(place, accusations[1:])
