"""The measurement of `make privacy`, by a clock that counts calls: it finds work that tells what it hides."""

from __future__ import annotations

import gc
import random
import sys
from collections.abc import Iterable, Iterator
from math import inf

import pytest

from protocol.record.asks.mix import Mixed
from protocol.record.asks.open_to import SealedOpening
from protocol.seat import replies
from protocol.wire.messages import Message
from tests.campaigns.timing import Difference, Pair, difference, pairs, welch
from tests.helpers.cheats.bout import Bout, owing
from tests.helpers.games.toy import TOY
from tests.helpers.seats.twins import Match, matches


class Calls:
    """A clock that goes on by one with every call that is made, Python's and C's."""

    def __init__(self) -> None:
        self._made = 0

    def __call__(self) -> int:
        return self._made

    def __enter__(self) -> Calls:
        gc.disable()  # finalisers of what other tests left behind would be counted with some work
        sys.setprofile(self._count)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        gc.enable()

    def _count(self, _: object, event: str, __: object) -> None:
        self._made += event in ("call", "c_call")


@pytest.fixture
def calls() -> Iterator[Calls]:
    with Calls() as clock:
        yield clock


@pytest.mark.parametrize(
    ("sample", "other", "t"),
    [
        ([1, 2, 3, 4, 5], [2, 3, 4, 5, 6], -1.0),
        ([4, 6], [1, 1, 1], 4.0),
        ([2, 2], [2, 2, 2], 0.0),
        ([3, 3], [2, 2], inf),
    ],
)
def test_welchs_t(sample: list[float], other: list[float], t: float) -> None:
    assert welch(sample, other) == pytest.approx(t)


def test_work_that_depends_on_what_it_hides_is_found(calls: Calls) -> None:
    """One more call in every third reply is enough."""
    rng = random.Random(2)

    def two(*often: int) -> Pair:
        works = [
            lambda odds=odds: lambda: [len("") for _ in range(5 + (rng.randrange(3) < odds))]
            for odds in often
        ]
        return lambda turned=False: works[::-1] if turned else works

    assert difference(two(0, 1), 400, calls, rng).tells
    assert not difference(two(1, 1), 400, calls, rng).tells


@pytest.mark.parametrize("match", [match for match in matches() if not match.proofs], ids=str)
def test_row_40_no_reply_makes_more_calls_for_what_it_hides(match: Match) -> None:
    """A few replies for each kind of message; `make privacy` takes 100,000, by the clock."""
    assert_equally_many_calls([match], replies_each=30)


@pytest.mark.parametrize("name", ["toy of 2, proofs", "cups of 2, proofs", "cups of 3, shares of keys"])
def test_row_40_no_reply_about_cards_makes_more_calls_for_what_it_hides(name: str) -> None:
    assert_equally_many_calls([match for match in matches() if match.name == name], replies_each=6)


def assert_equally_many_calls(several: Iterable[Match], replies_each: int) -> None:
    for what, make in pairs(several, steps=50):
        with Calls() as clock:
            t = difference(make, replies_each, clock, random.Random(3))
        assert (what, t) == (what, Difference(0.0, 0.0))


@pytest.mark.parametrize("kind", [SealedOpening, Mixed])
def test_row_40_sealing_and_mixing_make_equally_many_calls_whatever_the_faces(kind: type[Message]) -> None:
    bout = Bout(0, game=TOY, options={"looks": "yes"}, liar=1)  # its Mix is the program's
    assert bout.run(owing(kind))
    liar, owed, made = bout.liar, bout.liar.owes, set()
    assert owed is not None
    for face in (0, 1, 6, 127):
        own = dict.fromkeys(liar.session.known, face)
        replies.reply(liar.secrets, liar.referee, owed, own)  # what is cached is cached now
        with Calls() as clock:
            replies.reply(liar.secrets, liar.referee, owed, own)
            made.add(clock())
    assert len(made) == 1
