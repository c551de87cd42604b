"""Values that are made by the thousand: a record of a match makes three of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[T]) -> type[T]:
    """A dataclass with slots that is frozen for the type checker, and nothing checks it at run time.

    `dataclass(frozen=True)` sets each field through `object.__setattr__` and takes twice as long.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
