"""Diplomacy: the parts of a proposal, and the trade that follows."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from typing import NamedTuple

from p2p_stratego.core.game import Commit, Give, Move, Show, Slot, Turn
from p2p_stratego.spies.rules.act import Act, chosen, put, show_secret
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, RUSSIA, Power
from p2p_stratego.spies.rules.counters import HAND
from p2p_stratego.spies.rules.cup import take_out
from p2p_stratego.spies.rules.notation import ACCEPT, DECLINE, HIDDEN, READY, words
from p2p_stratego.spies.rules.purse import BASE, DIGITS, settle
from p2p_stratego.spies.rules.state import POLICE, SecretId, State, spy_code
from p2p_stratego.spies.rules.turn.tricks import BY_POLICE, may_guard, piece_on

MOST_PROPOSALS = 20
"""In a turn: each takes slots, and a turn must end."""
_NOTHING = "-"


class Terms(NamedTuple):
    """The first part of a proposal: "propose 3 014 0 2"."""

    offered: int | None
    """Pounds; None: the two alone know how many."""
    chits: tuple[int, ...]
    """Places in the proposer's hand, ascending."""
    wanted: int | None
    number: int
    """Chits wanted."""

    @property
    def move(self) -> Move:
        """The proposal as a move."""
        places = "".join(map(str, self.chits)) or _NOTHING
        pounds = [HIDDEN if sum_ is None else sum_ for sum_ in (self.offered, self.wanted)]
        return words("propose", pounds[0], places, pounds[1], self.number)

    @property
    def empty(self) -> bool:
        """Whether it names nothing."""
        return self.offered == 0 and self.wanted == 0 and not self.chits and not self.number


def may_talk(state: State, power: Power, other: Power) -> bool:
    """Whether one power may open talks with another."""
    return not (
        state.same_seat(power, other) or state.idle(other) or state.bound(other) or state.bound(power)
    )


def gives(state: State, power: Power) -> bool:
    """Whether a power may give anything: russia may not while it is bid for."""
    return power != RUSSIA or state.allocation != "bid"


@dataclass(frozen=True, slots=True)
class Proposals(Collection[Move]):
    """Every first part of a proposal that the two powers can carry out, by what everybody can see."""

    state: State
    power: Power
    other: Power

    def pounds(self, power: Power) -> Collection[int | None]:
        """The sums that a power can name for itself; None: the two alone know how many."""
        if not gives(self.state, power):
            return (0,)
        return (0, None) if self.state.secret else range(self.state.money[power] + 1)

    def numbers(self, chits: int) -> Iterator[int]:
        """How many chits can come back for so many given."""
        own, theirs = len(self.state.hands[self.power]), len(self.state.hands[self.other])
        most = theirs if gives(self.state, self.other) else 0
        for number in range(most + 1):
            if (number <= chits or own - chits + number <= HAND) and (
                chits <= number or theirs - number + chits <= HAND
            ):
                yield number

    def __contains__(self, move: object) -> bool:
        terms = parsed(move)
        if terms is None or terms.move != move:  # another spelling of the same terms is no option
            return False
        return (
            terms.offered in self.pounds(self.power)
            and terms.wanted in self.pounds(self.other)
            and all(place < self.own() for place in terms.chits)
            and terms.number in tuple(self.numbers(len(terms.chits)))
            and (not terms.empty or self.may_begin_empty())
        )

    def own(self) -> int:
        """The chits that may be offered."""
        return len(self.state.hands[self.power]) if gives(self.state, self.power) else 0

    def may_begin_empty(self) -> bool:
        """Whether the first part may name nothing: a secret can follow."""
        return bool(transfers(self.state, self.power, self.other, ()))

    def __iter__(self) -> Iterator[Move]:
        empty = self.may_begin_empty()
        for count in range(self.own() + 1):
            for chits in combinations(range(self.own()), count):
                for number in self.numbers(count):
                    for offered in self.pounds(self.power):
                        for wanted in self.pounds(self.other):
                            terms = Terms(offered, chits, wanted, number)
                            if empty or not terms.empty:
                                yield terms.move

    def __len__(self) -> int:
        pounds = len(self.pounds(self.power)) * len(self.pounds(self.other))
        chits = sum(
            comb(self.own(), count) * len(tuple(self.numbers(count))) for count in range(self.own() + 1)
        )
        return pounds * chits - (not self.may_begin_empty())


def parsed(move: object) -> Terms | None:
    """The terms that are spelt so; None if they are none."""
    if not isinstance(move, str):
        return None
    parts = move.split(" ")
    if len(parts) != 5 or parts[0] != "propose" or not all(map(_number, parts[1::2])):
        return None
    places = "" if parts[2] == _NOTHING else parts[2]
    # `isascii` first: `isdigit` is also true of superscripts, of which `int` makes nothing.
    if not (places.isascii() and (places.isdigit() or not places) and _number(parts[4])):
        return None
    if list(places) != sorted(set(places)) or parts[4] == HIDDEN:
        return None
    offered, wanted = (None if part == HIDDEN else int(part) for part in parts[1::2])
    return Terms(offered, tuple(map(int, places)), wanted, int(parts[4]))


def _number(part: str) -> bool:
    return part == HIDDEN or (part.isascii() and part.isdigit() and len(part) <= 5)


class Transfer(NamedTuple):
    """A secret that goes to a piece of the other power."""

    giver: Power
    receiver: Power
    secret: SecretId
    piece: str


def transfers(state: State, power: Power, other: Power, named: Collection[Transfer]) -> list[Transfer]:
    """The secrets that may still be named, with the pieces that could take them; `named`: earlier ones."""
    possible = []
    for giver, receiver in ((power, other), (other, power)):
        if not gives(state, giver):
            continue
        for secret, lying in enumerate(state.secrets):
            handed = lying.by == giver and lying.where == "map" and (lying.on >= 0 or lying.on == POLICE)
            if handed and lying.owner != giver and all(transfer.secret != secret for transfer in named):
                possible += [
                    Transfer(giver, receiver, secret, piece)
                    for piece in _free(state, receiver, secret, named)
                ]
    return possible


def _free(state: State, power: Power, secret: SecretId, named: Collection[Transfer]) -> list[str]:
    """The pieces of a power beside a secret that control nothing and were not named."""
    city = state.secrets[secret].city
    taken = [transfer.piece for transfer in named if transfer.receiver == power]
    pieces = [
        spy_code(spy)
        for spy, piece in state.own(power)
        if piece.city == city and state.carried(spy) is None and spy_code(spy) not in taken
    ]
    busy = sum(
        transfer.receiver == power
        and transfer.piece == BY_POLICE
        and state.secrets[transfer.secret].city == city
        for transfer in named
    )
    if may_guard(state, power, secret) and state.idle_police(power, city) > busy:
        pieces.append(BY_POLICE)
    return pieces


def trade(act: Act, power: Power, other: Power) -> Turn[None]:
    """A proposal and its answer.  Raises Stopped."""
    act.set(proposals=act.state.proposals + 1, partner=other)
    yield from _proposed(act, power, other)
    act.set(partner=None, amounts=())


def _proposed(act: Act, power: Power, other: Power) -> Turn[None]:
    proposal = yield from chosen(act, power, Proposals(act.state, power, other))
    terms = parsed(proposal)
    if terms is None:
        return
    chits = tuple(act.state.hands[power][place] for place in terms.chits)
    yield from _amounts(act, power, other, terms)
    named: list[Transfer] = []
    while options := _more(act.state, power, other, terms, named):
        if options == [READY] and not act.state.secret:
            break
        addition = yield from chosen(act, power, options)
        if addition is None:
            return
        if addition == READY:
            break
        word, city, piece = addition.split()
        giver, receiver = (power, other) if word == "give" else (other, power)
        secret = act.state.named(CITY_NAMED[city])
        named += [
            transfer
            for transfer in transfers(act.state, power, other, named)
            if transfer == (giver, receiver, secret, piece)
        ]
    answer = yield from chosen(act, other, (ACCEPT, DECLINE))
    if answer == ACCEPT:
        yield from _pounds(act, power, other, terms)
        yield from _chits(act, power, other, chits, terms.number)
        for transfer in named:
            act.control(transfer.secret, transfer.receiver, piece_on(transfer.piece))
            yield from show_secret(act, transfer.secret, transfer.receiver)
    given = [sum(transfer.giver == giver for transfer in named) for giver in (power, other)]
    offered, wanted = (-1 if pounds is None else pounds for pounds in (terms.offered, terms.wanted))
    numbers = (offered, len(chits), given[0], wanted, terms.number, given[1])
    act.tell("trade", power, other=other, numbers=numbers, word="" if answer == ACCEPT else DECLINE)


def _more(state: State, power: Power, other: Power, terms: Terms, named: Collection[Transfer]) -> list[Move]:
    """The options of the proposer: a secret that it gives or wants, or that it is ready."""
    moves = [
        words(
            "give" if transfer.giver == power else "want",
            NAMES[state.secrets[transfer.secret].origin],
            transfer.piece,
        )
        for transfer in transfers(state, power, other, named)
    ]
    return [*moves, *([READY] if named or not terms.empty else [])]


def _amounts(act: Act, power: Power, other: Power, terms: Terms) -> Turn[None]:
    """Secret pounds: the proposer lays them, and the other sees them."""
    seats = [act.state.seat(party) for party in (power, other)]
    amounts: list[tuple[Slot, ...]] = []
    for pounds in (terms.offered, terms.wanted):
        if pounds is not None:
            amounts += [(), ()]
            continue
        first = act.state.next_purse
        slots = tuple(range(first, first + DIGITS))
        copies = act.copies(DIGITS)
        act.set(next_purse=first + DIGITS, amounts=(*amounts, slots, copies))
        yield Commit(seats[0], slots, frozenset(range(BASE)))
        yield Show(slots, seats[1], copies)
        amounts += [slots, copies]
    act.set(amounts=tuple(amounts))


def _pounds(act: Act, power: Power, other: Power, terms: Terms) -> Turn[None]:
    """Pounds change hands: each first pays what it gives."""
    if terms.offered is not None:
        act.gain(power, -terms.offered)
        act.gain(other, terms.offered)
    if terms.wanted is not None:
        act.gain(other, -terms.wanted)
        act.gain(power, terms.wanted)
    offered, offered_seen, wanted, wanted_seen = act.state.amounts
    if offered:
        yield from settle(act, power, 0, offered, -1)
    if wanted:
        yield from settle(act, other, 0, wanted_seen, -1)
        yield from settle(act, power, 0, wanted, 1)
    if offered:
        yield from settle(act, other, 0, offered_seen, 1)


def _chits(act: Act, power: Power, other: Power, chits: tuple[Slot, ...], number: int) -> Turn[None]:
    """Chits change hands unseen by all others."""
    back: list[Slot] = []
    for _ in range(number):
        hand = [slot for slot in act.state.hands[other] if slot not in back]
        answer = yield from chosen(act, other, [words("hand", slot) for slot in hand])
        back.append(hand[0] if answer is None else int(answer.split()[1]))
    for giver, receiver, slots in ((power, other, chits), (other, power, tuple(back))):
        if slots:
            yield Give(slots, act.state.seat(receiver))
        for slot in slots:
            take_out(act, giver, slot)
        act.set(hands=put(act.state.hands, receiver, act.state.hands[receiver] + slots))
