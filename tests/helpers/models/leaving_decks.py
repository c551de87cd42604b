"""The model of leaving at a table with decks: what is owed behind a Gone are shares of a key.

Behind a Gone of the owner, whose key nobody has, the others owe Released one after the other, the lowest
first, until as many shares are out as the escrow asks for; without an escrow nobody owes anything any more.
A seat that owes a share can resign instead, with its key for cards, which opens no share: then those who are
left must be enough.  A RESIGN at the first place carries a key too, so the match goes on behind it as behind
any.

Records behind a Gone are named by the whole way to them, as the hash of the chain does: `gone s0 k2` is the
RESIGN of seat 2 behind the share of seat 0; `on gone s0 s2` is the next entry of the game behind two shares.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from tests.helpers.models.leaving import Chain, Copy, Table

GONE = "gone"


@dataclass(frozen=True)
class DeckTable(Table):
    """A table with decks; `threshold`: its escrow."""

    threshold: int = 0

    # Who owes what behind a Gone

    def owes(self, way: str) -> tuple[int, bool] | None:
        """The seat that owes the record behind `way`, and whether it is a share; None if nobody does."""
        steps = way.split()[1:]
        gave = {int(step[1:]) for step in steps if step[0] == "s"}
        left = {int(step[1:]) for step in steps if step[0] == "k"}
        present = self.place.present - {self.owner} - left
        missing = sorted(present - gave)
        if not self.threshold or len(present) < 2:
            return None
        if len(gave) >= self.threshold:
            return (self.follower if self.follower in present else min(present)), False
        return (missing[0], True) if len(gave) + len(missing) >= self.threshold else None

    def behind_way(self, way: str) -> Iterator[str]:
        """The records that can stand behind `way`, all of one seat."""
        owed = self.owes(way)
        if owed is not None:
            seat, share = owed
            yield from (f"{way} s{seat}", f"{way} k{seat}") if share else (f"on {way}",)

    def author(self, record: str) -> int:
        if record.startswith(f"{GONE} "):
            return int(record.rsplit(" ", 1)[1][1:])
        if record.startswith(f"on {GONE}"):
            owed = self.owes(record.removeprefix("on "))
            assert owed is not None
            return owed[0]
        return super().author(record)

    # What an honest seat does

    def next(self, seat: int, known: frozenset[str], chain: Chain) -> Chain:
        if not chain or chain[0] != GONE:
            return super().next(seat, known, chain)
        if chain[-1].startswith("on "):
            return chain
        behind = sorted(known.intersection(self.behind_way(chain[-1])))
        return (*chain, behind[0]) if behind else chain

    def signs(self, seat: int, copy: Copy) -> Iterator[str]:
        _, chain = copy
        if not chain or chain[0] != GONE:
            yield from super().signs(seat, copy)
        elif not chain[-1].startswith("on "):
            yield from (record for record in self.behind_way(chain[-1]) if self.author(record) == seat)

    def matters(self, seat: int, copy: Copy, record: str) -> bool:
        known, chain = copy
        if not record.startswith((f"{GONE} ", f"on {GONE}")):
            return not (chain and chain[0] == GONE) and super().matters(seat, copy, record)
        return _before(record) in known and not (chain and chain[0] != GONE)

    # What crooked seats can do, and what records prove

    def forged(self, signed: frozenset[str]) -> frozenset[str]:
        made = {record for record in super().forged(signed) if not record.startswith(f"on {GONE}")}
        ways = [way for way in signed | made if way.startswith(GONE)]
        while ways:
            for record in self.behind_way(ways.pop()):
                if record not in signed and self.author(record) in self.crooked:
                    made.add(record)
                    ways += [record] * record.startswith(GONE)
        return frozenset(made)

    def culprits(self, known: frozenset[str]) -> frozenset[int]:
        """Also who signed two entries for one place, two RESIGNs, or went on behind its RESIGN."""
        places: Counter[tuple[int, int]] = Counter()
        keys = [record for record in known if _is_key(record)]
        resigned = Counter(map(self.author, keys))
        seats = {seat for seat, count in resigned.items() if count > 1}
        for record in known:
            if record.startswith((f"{GONE} ", f"on {GONE}")) and record not in keys:
                seat, rests = self.author(record), _before(record)
                places[seat, len(record.split()) - 1] += 1
                over = (_before(key) for key in keys if self.author(key) == seat)
                seats |= {seat for way in over if f"{rests} ".startswith(f"{way} ")}
            elif record.startswith("on "):
                places[self.follower, len(self.behind("E" if record[3] in "EF" else "R"))] += 1
        return super().culprits(known) | seats | {seat for (seat, _), count in places.items() if count > 1}


def _is_key(record: str) -> bool:
    """Whether it is a RESIGN with a key, behind a Gone."""
    return record.startswith(f"{GONE} ") and record.rsplit(" ", 1)[1][0] == "k"


def _before(record: str) -> str:
    """The record that this one rests on."""
    return record.removeprefix("on ") if record.startswith("on ") else record.rsplit(" ", 1)[0]
