"""Diplomacy: the agent makes and accepts the proposals from which both sides gain.

Chits are sold unseen, by the one who knows them: a chit received is worth little, a chit sold is the worst of
the hand.  A rival's gain counts against a deal.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from p2p_stratego.core.game import Face, Move, Slot
from p2p_stratego.core.view import AnsweredAsk
from p2p_stratego.spies.bots.targets import Targets, faded
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.bots.worths import BY_HAND, Worths
from p2p_stratego.spies.rules.atlas import CAPITALS, Power
from p2p_stratego.spies.rules.counters import CASH, HAND, SPACES
from p2p_stratego.spies.rules.notation import READY, words
from p2p_stratego.spies.rules.purse import digits, pounds
from p2p_stratego.spies.rules.state import State, secret_name
from p2p_stratego.spies.rules.turn.trade import Proposals, Terms, Transfer, gives, may_talk, parsed, transfers

LEMON: Final = 0.55
"""How much of an unseen chit's worth a traded one has."""
WORST: Final = 0.45
"""The same of the worst chit in another's hand."""
LEAST_GAIN: Final = 0.2
"""The least gain of a proposal for its maker: talks cost an action point."""
ENOUGH: Final = 0.1
"""The least gain of a proposal for the one who accepts it."""
PATIENCE: Final = 3
"""Proposals a turn; each next one offers more."""
FIRST_OFFER: Final = 0.15
MORE: Final = 0.15
"""The other's least gain by the first proposal, and how much more by each next one."""
CHIT_PRICES: Final = (2, 3, 4, 5, 6, 8)
SECRET_PRICES: Final = (4, 8, 12, 16, 20, 25, 30, 40)


class Deal(NamedTuple):
    """A proposal: what its maker gives, and gets."""

    offered: int = 0
    """Pounds."""
    chits: tuple[int, ...] = ()
    """Places in the maker's hand."""
    wanted: int = 0
    number: int = 0
    """Chits wanted."""
    transfer: Transfer | None = None


class Trader:
    """One seat in talks between two powers."""

    def __init__(self, worths: Worths, targets: Targets) -> None:
        self.worths = worths
        self.targets = targets
        self.state = worths.state

    # What a deal is worth

    def gains(self, deal: Deal, named: Sequence[Transfer], maker: Power, other: Power) -> tuple[float, float]:
        """The gain of a deal for its maker and for the other, each for itself alone."""
        worths = self.worths
        made = worths.change(maker, deal.wanted - deal.offered)
        got = worths.change(other, deal.offered - deal.wanted)
        made += self._comes(maker, deal.number) - self._goes(maker, deal.chits, len(deal.chits))
        got += self._comes(other, len(deal.chits)) - self._goes(other, None, deal.number)
        for transfer in named:
            lost, won = self._secret(transfer, transfer.giver), self._secret(transfer, transfer.receiver)
            made += won if transfer.receiver == maker else -lost
            got += won if transfer.receiver == other else -lost
        return made, got

    def _comes(self, power: Power, number: int) -> float:
        late = min(1.0, (self.worths.turns_left(power) + 0.2) / 2)
        return (
            self.worths.temper.trust
            * late
            * LEMON
            * number
            * BY_HAND[min(HAND, len(self.state.hands[power]) + number // 2)]
        )

    def _goes(self, power: Power, places: Sequence[int] | None, number: int) -> float:
        """The worth of chits that leave a hand: the chits at some places, or the worst chits."""
        if not number:
            return 0.0
        hand = self.state.hands[power]
        if not self.worths.mine(power):
            return WORST * number * BY_HAND[max(0, min(HAND, len(hand) - 1))]
        worst = self.by_keep(power)
        picked = worst[:number] if places is None else [hand[place] for place in places]
        return sum(self.kept(slot) for slot in picked)

    def kept(self, slot: Slot) -> float:
        """The worth of a chit in an own hand."""
        power = next(power for power, hand in enumerate(self.state.hands) if slot in hand)
        kind: Face | None = self.worths.known.get(slot)
        kept = 1.0 if kind is None else self.worths.keep(power, kind)
        full = len(self.state.hands[power]) >= HAND - 1  # the next draw would push a chit out
        return kept * (0.5 if full else 1.0)

    def by_keep(self, power: Power) -> list[Slot]:
        """The chits of an own hand, the worst first."""
        return sorted(self.state.hands[power], key=self.kept)

    def _secret(self, transfer: Transfer, power: Power) -> float:
        """The worth of a secret to a power that controls it where it is, for itself alone."""
        worths, lying = self.worths, self.state.secrets[transfer.secret]
        promise = worths.beliefs.promise(transfer.secret)
        if lying.owner == power:
            return worths.at_end(power, transfer.secret) if lying.city == lying.origin else 0.0
        way = cost(lying.city, CAPITALS[power])
        if way > SPACES * worths.turns_left(power):
            return 0.0
        load = worths.change(power, CASH) + worths.chit(power)
        if worths.counts(power):
            load += promise.genuine * promise.value * worths.multiple(power, lying.lost or None)
        return max(0.0, faded(load, way))

    def net(self, own: float, others: float) -> float:
        """A gain, less what a rival's gain costs."""
        return own - self.worths.rival * others

    # Proposals

    def best(self, maker: Power, other: Power, before: int) -> tuple[float, Deal] | None:
        """The best proposal after so many in this turn, and what it gains; None if none is good for both."""
        if before >= PATIENCE:
            return None
        must = FIRST_OFFER + MORE * before
        best: tuple[float, Deal] | None = None
        for deal in self._deals(maker, other):
            named = () if deal.transfer is None else (deal.transfer,)
            made, got = self.gains(deal, named, maker, other)
            gain = self.net(made, got)
            if gain < LEAST_GAIN or self.net(got, made) < must:
                continue
            if best is None or gain > best[0]:
                best = (gain, deal)
        return best

    def _deals(self, maker: Power, other: Power) -> Iterator[Deal]:
        """Pounds for a chit, a chit for pounds, pounds for a secret, a secret for pounds."""
        state, worths = self.state, self.worths
        proposals = Proposals(state, maker, other)
        spare = worths.pounds(maker) if gives(state, maker) else 0
        theirs = worths.pounds(other) if gives(state, other) else 0
        worst = tuple(state.hands[maker].index(slot) for slot in self.by_keep(maker)[:1])
        deals = [Deal(offered=price, number=1) for price in CHIT_PRICES if price <= spare]
        if worst:
            deals += [Deal(chits=worst, wanted=price) for price in CHIT_PRICES if price <= theirs]
            deals.append(Deal(chits=worst, number=1))
        for transfer in transfers(state, maker, other, ()):
            if transfer.giver == maker:
                deals += [Deal(wanted=price, transfer=transfer) for price in SECRET_PRICES if price <= theirs]
            else:
                deals += [Deal(offered=price, transfer=transfer) for price in SECRET_PRICES if price <= spare]
        return (deal for deal in deals if self.terms(deal).move in proposals)

    def terms(self, deal: Deal) -> Terms:
        """How a deal begins."""
        hidden = self.state.secret
        offered, wanted = (None if hidden and sum_ else sum_ for sum_ in (deal.offered, deal.wanted))
        return Terms(offered, deal.chits, wanted, deal.number)

    def talk(self, power: Power) -> tuple[float, Power] | None:
        """With whom a power should open talks, and what it gains."""
        before = self.state.proposals
        partners = [other for other in range(5) if other != power and may_talk(self.state, power, other)]
        offers = [(best[0], other) for other in partners if (best := self.best(power, other, before))]
        return max(offers, default=None)

    def proposal(self, maker: Power, other: Power) -> Move:
        """The proposal that is due, as it begins."""
        best = self.best(maker, other, self.state.proposals - 1)
        if best is not None:
            return self.terms(best[1]).move
        terms = Proposals(self.state, maker, other)
        nothing = Terms(0, (), 0, 0).move  # a player who asks for a hint could not type it
        return next((move for move in terms if move != nothing), nothing)

    def next_part(self, options: Sequence[Move], since: Sequence[AnsweredAsk]) -> Move:
        """The secret that is named next, or that the proposal is ready."""
        state = self.state
        if state.partner is not None and not parts(since):
            best = self.best(state.power, state.partner, state.proposals - 1)
            if best is not None and best[1].transfer is not None:
                move = part(state, best[1].transfer)
                if move in options:
                    return move
        return READY if READY in options else min(options)

    def amount(self, slots: tuple[Slot, ...]) -> tuple[Face, ...]:
        """The secret pounds of the proposal that is due, as digits."""
        state = self.state
        best = None if state.partner is None else self.best(state.power, state.partner, state.proposals - 1)
        deal = Deal() if best is None else best[1]
        return digits(deal.offered if state.amounts[0] == slots else deal.wanted)

    # Acceptance

    def accepts(self, since: Sequence[AnsweredAsk]) -> bool:
        """Whether the proposal under way is good for the power that is asked."""
        state, maker, other = self.state, self.state.power, self.state.partner
        terms = next((offer for _, answer in since if (offer := parsed(answer)) is not None), None)
        if terms is None or other is None:
            return False
        offered, wanted = self._pounds(terms)
        deal = Deal(offered, terms.chits, wanted, terms.number)
        named: list[Transfer] = []
        for move in parts(since):
            named += [
                transfer
                for transfer in transfers(state, maker, other, named)
                if part(state, transfer) == move
            ]
        made, got = self.gains(deal, named, maker, other)
        return self.net(got, made) >= ENOUGH

    def _pounds(self, terms: Terms) -> tuple[int, int]:
        """The pounds of a proposal, as the one who is asked reads them."""
        if not self.state.amounts:
            return terms.offered or 0, terms.wanted or 0
        known = self.worths.known
        _, offered, _, wanted = self.state.amounts
        read = [pounds(tuple(known[slot] for slot in slots)) for slots in (offered, wanted)]
        return read[0] + (terms.offered or 0), read[1] + (terms.wanted or 0)


def parts(since: Sequence[AnsweredAsk]) -> list[Move]:
    """The secrets that a proposal under way has named, as they were named."""
    moves = [answer for _, answer in since if isinstance(answer, str)]
    begun = max((place for place, move in enumerate(moves) if parsed(move)), default=len(moves))
    return [move for move in moves[begun:] if move.split(" ")[0] in ("give", "want")]


def part(state: State, transfer: Transfer) -> Move:
    """How a transfer is named in a proposal."""
    word = "give" if transfer.giver == state.power else "want"
    return words(word, secret_name(state, transfer.secret), transfer.piece)
