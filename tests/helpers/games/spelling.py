"""All that can be said where an answer is asked for word by word."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator, Sequence
from typing import Any


def ways(
    ask: Callable[[], Generator[Sequence[str], str, Any]], begun: tuple[str, ...] = ()
) -> Iterator[tuple[tuple[str, ...], Any]]:
    """All sequences of words that can be said, each with the answer that it comes to."""
    asking = ask()
    try:
        offered = next(asking)
        for word in begun:
            assert word in offered
            offered = asking.send(word)
    except StopIteration as end:
        yield begun, end.value
        return
    assert len(offered) == len({*offered}) > 0
    for word in tuple(offered):
        yield from ways(ask, (*begun, word))
