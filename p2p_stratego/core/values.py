"""Values that are made by the thousand: an entry of a match takes three of them, a turn of its game two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """A dataclass with slots, frozen for the type checker alone: nothing checks that at run time.

    `dataclass(frozen=True)` sets each field through `object.__setattr__` and takes twice as long.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)


_readers: dict[type[Any], Callable[[Any], tuple[Any, ...]]] = {}
"""By class: the function that reads the values of all its fields, in their order."""


def replace(value: T, **changes: Any) -> T:
    """As `dataclasses.replace`, for a `frozen` class of two or more fields, in a third of the time."""
    cls: type[Any] = type(value)
    read = _readers.get(cls)
    if read is None:
        read = _readers[cls] = attrgetter(*(field.name for field in fields(cls)))
    made: T = cls(*read(value))
    for name, change in changes.items():
        setattr(made, name, change)
    return made
