"""Every run of AWAY, Gone, BACK and RESIGN at one place of the chain, at one table.

A state holds, for each honest seat, the records that reached it and its chain from that place on.  Honest
seats decide by protocol.record.silence.rules, as a session does.  A crooked seat may sign all that its key
can sign, and show each record to each seat, or not, at any time.  Records are:

- `E`, `F`: the owner's entry, and its second one if it owes two in a row; `R`: its RESIGN, folded there;
- `away T`: an AWAY of T over the place; `gone`: the decider's Gone, which holds the AWAY of each accuser;
- `back E T`, `back R T`: the BACK of T over the owner's record; `back E T+S`: it holds the BACK of S;
- `over E T`: the first statement of T over the owner's record, any but a BACK, with no entry of another seat
  below it; `more E T`: one of T over that record that stands behind such an entry, or behind a BACK of T;
- `on E`, `on F`, `on R`, `on gone`: the first entry of another seat behind; `on E+T`: it holds T's BACK.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations

from protocol.record.silence.rules import (
    ChainPlace,
    Grounds,
    Successor,
    both_ways,
    may_accuse,
    may_admit,
    may_remove,
    may_say_back,
    must_hold,
    needs_release,
    silent,
    superseded,
)

Chain = tuple[str, ...]
Copy = tuple[frozenset[str], Chain]
"""The records that reached a seat, and its chain from the place on."""
State = tuple[Copy, ...]
"""One Copy for each honest seat, ascending."""


class Hole(AssertionError):
    """A run in which the small protocol does not hold what it promises."""


@dataclass(frozen=True)
class Table:
    """One table: `seats` seats, of which `owner` owes the entry of the place, `double`: and the next one too.

    `follower`: the seat that owes the entry behind; `crooked`: seats that sign what they like; `dead`: honest
    seats that sign nothing any more; `talkers`: seats that sign statements of other kinds, too.
    """

    seats: int
    owner: int
    follower: int
    double: bool = False
    crooked: frozenset[int] = frozenset()
    dead: frozenset[int] = frozenset()
    talkers: frozenset[int] = frozenset()

    @cached_property
    def place(self) -> ChainPlace:
        return ChainPlace(self.owner, frozenset(range(self.seats)))

    @cached_property
    def honest(self) -> tuple[int, ...]:
        return tuple(seat for seat in range(self.seats) if seat not in self.crooked)

    def start(self) -> State:
        return ((frozenset(), ()),) * len(self.honest)

    # What records say

    def away(self, known: frozenset[str]) -> frozenset[int]:
        return frozenset(seat for seat in self.place.accusers if f"away {seat}" in known)

    def behind(self, first: str) -> tuple[str, ...]:
        """The owner's records from `first` on, up to the place of the follower."""
        return ("E", "F") if first == "E" and self.double else (first,)

    def backs(self, first: str, known: frozenset[str]) -> frozenset[int]:
        """Who says a BACK without a release over a record, in a statement or within one."""
        backs = [record.partition("+") for record in known if record.startswith(f"back {first} ")]
        return frozenset(int(held or plain.split()[-1]) for plain, _, held in backs)

    def later(self, first: str, known: frozenset[str]) -> frozenset[int]:
        """Who has signed a statement over a record."""
        kinds = (f"back {first} ", f"over {first} ", f"more {first} ")
        return frozenset(self.author(record) for record in known if record.startswith(kinds))

    def bare(self, first: str, known: frozenset[str]) -> frozenset[int]:
        """Whose first statement over a record shows nothing by which that stays."""
        return frozenset(seat for seat in range(self.seats) if f"over {first} {seat}" in known)

    def built(self, first: str, known: frozenset[str]) -> Successor | None:
        """The follower's entry behind the owner's record `first`, if all before it is known too."""
        own = self.behind(first)
        records = [record for record in known if record.partition("+")[0] == f"on {own[-1]}"]
        if not records or not known.issuperset(own):
            return None
        return Successor(self.follower, _carried(min(records)))

    # What an honest seat does

    def settle(self, seat: int, known: frozenset[str], chain: Chain) -> Chain:
        """The chain of `seat` after it admitted all that it may of `known`."""
        while True:
            longer = self.next(seat, known, chain)
            if longer == chain:
                return chain
            chain = longer

    def next(self, seat: int, known: frozenset[str], chain: Chain) -> Chain:
        away = self.away(known)
        if not chain:
            if "gone" in known:
                return ("gone",)
            holds = must_hold(self.place, seat, away)
            for first in ("E", "R"):
                backs, built = self.backs(first, known), self.built(first, known)
                if first in known and (not holds or may_admit(self.place, away, backs, built)):
                    return (first,)
            return ()
        first, built = chain[0], self.built(chain[0], frozenset(chain))
        late = first != "gone" and "gone" in known
        if late and superseded(self.place, self.later(first, known), built, gone=True):
            return ("gone",)
        if chain[-1] == "E" and self.double:
            return (*chain, "F") if "F" in known else chain
        behind = [record for record in known if record.partition("+")[0] == f"on {chain[-1]}"]
        return (*chain, min(behind)) if behind else chain

    def signs(self, seat: int, copy: Copy) -> Iterator[str]:
        """The records that an honest `seat` may sign now."""
        (known, chain), place = copy, self.place
        away = self.away(known)
        if not chain:
            if seat == self.owner:
                yield from ("E", "R")
            elif seat not in away and may_accuse(place, seat, self.owner):
                yield f"away {seat}"
            elif may_remove(place, seat, away):
                yield "gone"
            return
        first, built = chain[0], self.built(chain[0], frozenset(chain))
        if first != "gone" and seat != self.owner:
            released = f"back {first} {seat}"
            held = needs_release(place, seat, away & {seat}, built)
            mine = any(record.partition("+")[0] == released for record in known)
            if held and not mine:
                # Before anything else.
                for back in self.backs(first, known) - {seat}:
                    yield f"{released}+{back}"
                return
            if may_say_back(place, seat, away, built) and not mine:
                yield released
            plain = "more" if mine or built is not None else "over"
            if seat in self.talkers and f"over {first} {seat}" not in known:
                yield f"{plain} {first} {seat}"
        if seat == self.owner and chain == ("E",) and self.double:
            yield "F"
        elif (
            seat == self.follower and not chain[-1].startswith("on") and (chain[-1] != "E" or not self.double)
        ):
            late = first != "gone" and needs_release(place, seat, away & {seat}, built)
            backs = self.backs(first, known) - {seat}
            if late and not backs:
                raise Hole(f"seat {seat} admitted {first} without a BACK that its own entry needs")
            yield from [f"on {chain[-1]}+{back}" for back in backs] if late else [f"on {chain[-1]}"]

    # What crooked seats can do

    def forged(self, signed: frozenset[str]) -> frozenset[str]:
        """All records that the crooked seats can sign beside those that honest seats have `signed`."""
        made: set[str] = set()
        if self.owner in self.crooked:
            made |= {"E", "R"} | ({"F"} if self.double else set())
        made |= {f"away {seat}" for seat in self.place.accusers & self.crooked}
        there = signed | made
        bad = self.crooked - {self.owner}
        made |= {f"back {first} {seat}" for first in {"E", "R"} & there for seat in bad}
        made |= {f"over {first} {seat}" for first in {"E", "R"} & there for seat in bad & self.talkers}
        made |= {
            f"back {first} {seat}+{other}"
            for first in {"E", "R"} & there
            for seat in bad
            for other in self.backs(first, signed | made) - {seat}
        }
        if self.place.decider in self.crooked and self.place.accusers <= self.away(frozenset(there)):
            made.add("gone")
        there = signed | made
        if self.follower in self.crooked:
            for first in {"E", "R", "gone"} & there:
                if there.issuperset(own := self.behind(first)):
                    made.add(f"on {own[-1]}")
                    made |= {f"on {own[-1]}+{back}" for back in self.backs(first, frozenset(there))}
        return frozenset(made)

    def author(self, record: str) -> int:
        kind, _, rest = record.partition("+")[0].partition(" ")
        if kind in ("away", "back", "over", "more"):
            return int(rest.split()[-1])
        return {"gone": self.place.decider, "on": self.follower}.get(kind, self.owner)

    def matters(self, seat: int, copy: Copy, record: str) -> bool:
        """Whether a record can change what `seat` does, now or later, so that its arrival makes a new state.

        A record that rests on another one waits for it, as on every link.
        """
        known, chain = copy
        kind, _, rest = record.partition(" ")
        rest = rest.partition("+")[0]
        if kind in ("over", "more") or (chain and kind == "back"):
            # A Gone could undo no other copy than the owner's; it counts nobody twice.
            owns = seat == self.owner and chain == (rest[0],)
            return owns and not self.later(rest[0], known) - {self.owner}
        if chain and kind in ("E", "R"):
            return False
        if chain and (chain[0] == "gone" or chain[-1].startswith("on ")):
            return kind == "on" and rest == chain[-1]
        if kind == "F":
            return "E" in known
        if kind == "on":
            return rest in known
        if kind == "back":
            news = self.backs(rest[0], frozenset({record})) - self.backs(rest[0], known)
            return bool(news) and seat != self.owner and rest[0] in known and f"away {seat}" in known
        if kind == "away":
            if chain:  # the first AWAY that it knows makes it say BACK
                return seat != self.owner and not self.away(known)
            return seat == self.place.decider or (seat != self.owner and int(rest) == self.follower)
        return True

    # What records prove

    def culprits(self, known: frozenset[str]) -> frozenset[int]:
        """The seats that some of these records prove to be at fault."""
        seats: set[int] = set()
        if {"E", "R"} <= known:
            seats.add(self.owner)  # went-on
        away = self.place.accusers if "gone" in known else self.away(known)
        numbers = [
            len(self.behind(first))
            for first in ("E", "R", "gone")
            for record in known
            if record.partition("+")[0] == f"on {self.behind(first)[-1]}"
        ]
        if len(set(numbers)) < len(numbers):
            seats.add(self.follower)  # equivocation
        for first in {"E", "R"} & known:
            own, backs = self.behind(first), self.backs(first, known)
            on = [
                Successor(self.follower, _carried(r)) for r in known if r.partition("+")[0] == f"on {own[-1]}"
            ]
            for built in (None, *(on if known.issuperset(own) else ())):
                for backing in (frozenset[int](), backs):
                    grounds = Grounds(
                        away,
                        backing,
                        built,
                        later=self.later(first, known),
                        bare=self.bare(first, known),
                        gone="gone" in known,
                    )
                    culprit = both_ways(self.place, grounds)
                    if culprit is not None:
                        seats.add(culprit)
        return frozenset(seats)


@dataclass(frozen=True)
class Explored:
    """The states of one table: how many there are, and those in which nothing can happen any more."""

    states: int
    final: tuple[State, ...]


def _carried(entry: str) -> frozenset[int]:
    """The author of the BACK that an entry carries."""
    return frozenset(map(int, entry.partition("+")[2]))


def explore(table: Table) -> Explored:
    """Visit every state that `table` can reach.  Raises Hole in a bad one."""
    following, check = _steps(table), _checks(table)
    seen = {table.start()}
    waiting = deque(seen)
    final = []
    while waiting:
        state = waiting.popleft()
        check(state)
        after = following(state)
        if not after:
            final.append(state)
        waiting.extend(after - seen)
        seen |= after
    return Explored(len(seen), tuple(final))


# A state is little but a new combination of copies: what follows from one or two is computed once.


def _steps(table: Table) -> Callable[[State], set[State]]:
    """The function from a state to those that can follow it."""

    @cache
    def pool(signed: frozenset[str]) -> frozenset[str]:
        """All records that there can be."""
        return signed | table.forged(signed)

    @cache
    def own(seat: int, copy: Copy) -> frozenset[str]:
        return frozenset() if seat in table.dead else frozenset(table.signs(seat, copy))

    @cache
    def admitted(seat: int, copy: Copy, record: str) -> Copy | None:
        """The copy after the arrival of a record, if that matters."""
        known, chain = copy
        if record not in own(seat, copy) and not table.matters(seat, copy, record):
            return None
        more = known | {record}
        return more, table.settle(seat, more, chain)

    @cache
    def moves(seat: int, copy: Copy, signed: frozenset[str]) -> tuple[Copy, ...]:
        arriving = own(seat, copy) | (pool(signed) - copy[0])
        return tuple(after for record in arriving if (after := admitted(seat, copy, record)) is not None)

    signed_in = _signed(table)

    def following(state: State) -> set[State]:
        signed = signed_in(state)
        return {
            (*state[:at], after, *state[at + 1 :])
            for at, seat in enumerate(table.honest)
            for after in moves(seat, state[at], signed)
        }

    return following


def _signed(table: Table) -> Callable[[State], frozenset[str]]:
    """The function from a state to all records that honest seats have signed."""

    @cache
    def of(seat: int, copy: Copy) -> frozenset[str]:
        return frozenset(record for record in copy[0] if table.author(record) == seat)

    def signed(state: State) -> frozenset[str]:
        return frozenset().union(*map(of, table.honest, state))

    return signed


def agree(chain: Chain, other: Chain) -> bool:
    """Whether one chain is the beginning of the other."""
    return all(a == b for a, b in zip(chain, other, strict=False))


def _checks(table: Table) -> Callable[[State], None]:
    """The function that raises Hole in a bad state.

    No honest seat can be blamed; honest copies differ only if what they hold proves a fault; what another
    seat than the owner has signed for is undone by no Gone without a fault.  The owner's own copy may stand
    for a while on its own record: a Gone supersedes it on arrival.
    """
    honest, signed_in = frozenset(table.honest), _signed(table)
    culprits = cache(table.culprits)

    @cache
    def nobody_honest_is_blamed(signed: frozenset[str]) -> None:
        """By no subset of all records that there can be."""
        blamed = culprits(signed | table.forged(signed)) & honest
        if blamed:
            raise Hole(f"{table}: honest seats {sorted(blamed)} can be blamed by {sorted(signed)}")

    @cache
    def differ_by_a_fault_only(seat: int, copy: Copy, other: int, another: Copy) -> None:
        (known, chain), (theirs, longer) = copy, another
        both = known | theirs
        if agree(chain, longer) or culprits(both):
            return
        ends = [
            table.settle(s, both, c) if s == table.owner else c for s, c in ((seat, chain), (other, longer))
        ]
        if table.owner not in (seat, other) or not agree(*ends):
            raise Hole(f"{table}: seats {seat} and {other} hold {chain} and {longer} without a fault")

    @cache
    def nothing_is_undone(everything: frozenset[str]) -> None:
        for first in {"E", "R"} & everything if "gone" in everything else ():
            others = table.later(first, everything) | _built_on(table, first, everything)
            if others - {table.owner} and not culprits(everything):
                undone = f"what {sorted(others)} have signed for is undone by {sorted(everything)}"
                raise Hole(f"{table}: {undone}")

    def check(state: State) -> None:
        nobody_honest_is_blamed(signed_in(state))
        for (seat, copy), (other, another) in combinations(zip(table.honest, state, strict=True), 2):
            differ_by_a_fault_only(seat, copy, other, another)
        nothing_is_undone(frozenset().union(*(known for known, _ in state)))

    return check


def _built_on(table: Table, first: str, known: frozenset[str]) -> frozenset[int]:
    """Who has signed an entry behind a record of the owner."""
    built = table.built(first, known)
    return frozenset() if built is None else frozenset({built.seat})


def stuck(table: Table, state: State) -> bool:
    """Whether nobody alive can go on in a final state, and all may say that owner and decider are silent."""
    away = {
        seat
        for seat, (known, _) in zip(table.honest, state, strict=True)
        if f"away {seat}" in known and seat not in table.dead
    }
    place = table.place
    return bool(silent(place, ((s, accused) for s in away for accused in (place.owner, place.decider))))
