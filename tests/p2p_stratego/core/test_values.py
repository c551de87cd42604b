"""Quick frozen values: they compare and change as those of the standard library."""

from __future__ import annotations

import dataclasses

import pytest

from p2p_stratego.core.values import frozen, replace


@frozen
class Place:
    row: int
    column: int
    name: str = ""


def test_a_replaced_value_is_a_new_one_as_dataclasses_make_it() -> None:
    place = Place(1, 2, "a")
    other = replace(place, column=3)
    assert (place, other) == (Place(1, 2, "a"), Place(1, 3, "a"))
    assert other == dataclasses.replace(place, column=3)
    assert len({place, replace(place), other}) == 2


def test_a_field_that_is_none_of_its_class_is_refused() -> None:
    with pytest.raises(AttributeError):
        replace(Place(1, 2), depth=3)
