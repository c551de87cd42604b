"""The actions of a turn: the choices of a power now, and the course of each."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from p2p_stratego.core.game import Claim, Face, Move, Turn
from p2p_stratego.spies.rules.act import FALSE_COUSIN, Act, chosen, open_spy, show_secret
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, HAVENS, NAMES, POWERS, SEA_NAMES, City, Power
from p2p_stratego.spies.rules.counters import (
    CASH,
    CHIT_NAMES,
    COUSIN,
    COVER,
    DISCOVERY,
    DOUBLE_CROSS,
    DROP,
    ESCAPE,
    KINDS,
    RECRUIT,
    SANCTION,
    SPY_FACES,
    Chit,
)
from p2p_stratego.spies.rules.cup import draw
from p2p_stratego.spies.rules.notation import (
    END,
    IS_COUSIN,
    NO_ANSWER,
    NO_COUSIN,
    POLICE_ANEW,
    SEARCH,
    SEIZE,
    chit,
    words,
)
from p2p_stratego.spies.rules.police import police_anew
from p2p_stratego.spies.rules.state import (
    NOTHING,
    POLICE,
    POLICE_STAGE,
    SEARCH_STAGE,
    SPY_CODED,
    SPY_STAGE,
    SecretId,
    SpyId,
    State,
    secret_name,
    spy_code,
)
from p2p_stratego.spies.rules.turn import discovery, movement, trade, tricks
from p2p_stratego.spies.rules.turn.answers import affordable, asked, play
from p2p_stratego.spies.rules.turn.discovery import from_friend
from p2p_stratego.spies.rules.turn.search import escaped, killed, search
from p2p_stratego.spies.rules.turn.tricks import may_guard
from p2p_stratego.spies.rules.turns import finish


def victims(state: State, spy: SpyId) -> Iterator[SpyId]:
    """The spies that a spy may sanction."""
    piece = state.spies[spy]
    if piece.city in HAVENS:
        return
    for other in state.spies_in(piece.city):
        if not state.same_seat(state.spies[other].power, piece.power):
            yield other


def sanction(act: Act, slot: int, spy: SpyId, victim: SpyId) -> Turn[None]:
    """A Sanction with all that follows.  Raises Stopped."""
    power, other = act.state.spies[spy].power, act.state.spies[victim].power
    yield from play(act, power, SANCTION, slot)
    act.tell("sanctions", power, spy=spy, other=victim)
    cousin = yield from _says_cousin(act, victim)
    if cousin and not (yield from _says_cousin(act, spy)):
        yield from killed(act, spy, other)
        return
    answer = yield from asked(act, other, power, (COVER, ESCAPE, DOUBLE_CROSS))
    if answer is None or not answer.stands:
        yield from _kill(act, spy, victim)
    elif answer.kind == ESCAPE:
        escaped(act, victim, answer.parts[0])
    elif answer.kind == COVER:
        act.tell("sanction fails", power, spy=spy)
    else:
        yield from _turned(act, spy, victim, victim_is_cousin=cousin)


def _says_cousin(act: Act, spy: SpyId) -> Turn[bool]:
    """Whether a spy is the cousin: its owner says so, and it is opened; or it proves that it is none."""
    power = act.state.spies[spy].power
    answer = yield from chosen(act, power, (IS_COUSIN, NO_COUSIN))
    piece = act.state.spies[spy]
    if answer == NO_COUSIN and piece.face is None:
        not_it = frozenset(SPY_FACES) - {COUSIN}
        yield Claim(act.state.seat(power), FALSE_COUSIN, (piece.slot,), not_it)
        return False
    face: Face = yield from open_spy(act, spy)
    if answer is not None and (answer == IS_COUSIN) != (face == COUSIN):
        raise act.breached(power, FALSE_COUSIN)
    if face == COUSIN:
        act.tell("is the cousin", power, spy=spy)
    return face == COUSIN


def _turned(act: Act, spy: SpyId, victim: SpyId, *, victim_is_cousin: bool) -> Turn[None]:
    """A Double Cross turns the Sanction on the assassin, unless it is a cousin and the victim is none."""
    face = yield from open_spy(act, spy)
    if face == COUSIN and not victim_is_cousin:
        act.tell("is the cousin", act.state.spies[spy].power, spy=spy)
        return
    yield from killed(act, spy, act.state.spies[victim].power)


def _kill(act: Act, spy: SpyId, victim: SpyId) -> Turn[None]:
    """The victim is killed, and the assassin may take the secret that it controlled.

    Excepted are secrets that russia fetched while the assassin's player ran it: otherwise a player could hand
    itself secrets through russia.
    """
    power = act.state.spies[spy].power
    secret = act.state.carried(victim)
    before = None if secret is None else act.state.secrets[secret]
    yield from killed(act, victim, power)
    if secret is None or before is None or act.state.carried(spy) is not None:
        return
    if from_friend(act.state, power, before):
        return
    answer = yield from chosen(act, power, (SEIZE, NO_ANSWER))
    if answer == SEIZE:
        act.secret(secret, lost=before.lost, away=before.away)
        act.control(secret, power, spy)
        act.tell("controls", power, spy=spy, secret=secret)
        yield from show_secret(act, secret, power)


MOST_HANDLED = 100
"""The most times in a turn that secrets change hands within a power.  Each is free, and a turn must end."""


def takeable(state: State, spy: SpyId) -> Iterator[SecretId]:
    """The secrets that a spy may take without a Discovery."""
    power, city = state.spies[spy].power, state.spies[spy].city
    if state.handled >= MOST_HANDLED or state.carried(spy) is not None:
        return
    for secret in state.secrets_in(city):
        lying = state.secrets[secret]
        if lying.by == power or (
            lying.by is None and lying.owner == power and state.territory[city] == power
        ):
            yield secret


def can_leave(state: State, spy: SpyId) -> bool:
    """Whether a spy may leave its secret uncontrolled."""
    secret = state.carried(spy)
    return (
        secret is not None
        and state.handled < MOST_HANDLED
        and may_guard(state, state.spies[spy].power, secret)
    )


def can_give(state: State, spy: SpyId) -> bool:
    """Whether a spy may give its secret to police."""
    piece = state.spies[spy]
    return can_leave(state, spy) and state.idle_police(piece.power, piece.city) > 0


def can_cash(state: State, spy: SpyId) -> bool:
    """Whether a spy brought a foreign secret home."""
    piece, secret = state.spies[spy], state.carried(spy)
    return (
        secret is not None
        and piece.city == CAPITALS[piece.power]
        and state.secrets[secret].owner != piece.power
    )


def take(act: Act, spy: SpyId, secret: SecretId) -> None:
    """A spy takes a secret of its own side."""
    _handled(act)
    act.control(secret, act.state.spies[spy].power, spy)
    act.tell("takes", act.state.spies[spy].power, spy=spy, secret=secret)


def give(act: Act, spy: SpyId) -> None:
    """A spy gives its secret to police."""
    secret = held(act.state, spy)
    _handled(act)
    act.control(secret, act.state.spies[spy].power, POLICE)
    act.tell("gives", act.state.spies[spy].power, spy=spy, secret=secret)


def leave(act: Act, spy: SpyId) -> None:
    """A spy leaves its secret uncontrolled."""
    secret = held(act.state, spy)
    _handled(act)
    act.release(secret)
    act.tell("leaves", act.state.spies[spy].power, spy=spy, secret=secret)


def cash(act: Act, spy: SpyId) -> Turn[None]:
    """A foreign secret goes on the record.  Raises Stopped."""
    secret, power = held(act.state, spy), act.state.spies[spy].power
    act.secret(secret, where="cashed", by=power, on=NOTHING)
    act.tell("cashes", power, spy=spy, secret=secret)
    act.gain(power, CASH)
    yield from draw(act, power, 1, why="secret")


def held(state: State, spy: SpyId) -> SecretId:
    """The secret of a spy that has one."""
    secret = state.carried(spy)
    if secret is None:
        raise RuntimeError(f"spy {spy} has no secret")
    return secret


def _handled(act: Act) -> None:
    act.set(handled=act.state.handled + 1)


PROPOSE: Final = "propose"
TALK: Final = "diplomacy"


@dataclass(frozen=True, slots=True)
class Choices(Collection[Move]):
    """All that the power to move may do now, by what everybody can see.

    Whether a move is among them follows from those of its kind: to list all takes most of an audit.
    """

    state: State

    def __contains__(self, move: object) -> bool:
        if not isinstance(move, str):
            return False
        word, _, behind = move.partition(" ")
        return move in self._of(word, behind.partition(" ")[0])

    def __iter__(self) -> Iterator[Move]:
        state, power = self.state, self.state.power
        yield from _searches(state, power)
        if not state.bound(power):
            yield from _police(state)
            for spy, _ in state.own(power):
                yield from _steps(state, spy)
            for kind in _TARGETS:
                yield from _plays(state, power, kind)
            yield from _talks(state, power)
        yield END

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _of(self, word: str, part: str) -> Iterable[Move]:
        """Those that begin with this word; of steps of spies those whose next part this is."""
        state, power = self.state, self.state.power
        if word == END:
            return (END,)
        if word == SEARCH:
            return _searches(state, power)
        if state.bound(power):
            return ()
        if word == POLICE_ANEW:
            return _police(state)
        if word in (TALK, PROPOSE):
            return _talks(state, power)
        kind = _KIND_NAMED.get(word)
        if kind is not None:
            return _plays(state, power, kind)
        spy = SPY_CODED.get(part)
        own = spy is not None and spy in dict(state.own(power))
        return _steps(state, spy) if spy is not None and own else ()


def _searches(state: State, power: Power) -> Iterator[Move]:
    return (words(SEARCH, NAMES[city]) for city in searchable(state, power))


def _police(state: State) -> Iterator[Move]:
    if state.stage < POLICE_STAGE:
        yield POLICE_ANEW


def searchable(state: State, power: Power) -> list[City]:
    """The cities where a power may search now."""
    if state.ap < 1 or state.stage > SEARCH_STAGE:
        return []
    cities = sorted({unit.city for unit in state.police[power]} - set(state.searched))
    return [city for city in cities if enemies(state, power, city)]


def enemies(state: State, power: Power, city: City) -> list[SpyId]:
    """The spies in a city that a power may search: those of other seats."""
    return [spy for spy in state.spies_in(city) if not state.same_seat(state.spies[spy].power, power)]


def _steps(state: State, spy: SpyId) -> Iterator[Move]:
    """What a spy of the power to move may do without a chit."""
    code = spy_code(spy)
    yield from (words("move", code, NAMES[city]) for city in movement.neighbours(state, spy))
    yield from (words("sail", code, SEA_NAMES[sea]) for sea in movement.seas(state, spy))
    if state.carried(spy) is None:
        yield from (words("take", code, secret_name(state, secret)) for secret in takeable(state, spy))
        return
    if can_give(state, spy):
        yield words("give", code)
    if can_leave(state, spy):
        yield words("leave", code)
    if can_cash(state, spy):
        yield words("cash", code)


def _plays(state: State, power: Power, kind: Chit) -> Iterator[Move]:
    """The ways to play a chit of this kind, from each slot: what lies there is hidden."""
    if affordable(state, power, kind):
        parts = list(_TARGETS[kind](state, power))
        yield from (chit(kind, slot, *part) for slot in state.hands[power] for part in parts)


def _talks(state: State, power: Power) -> Iterator[Move]:
    for other in range(len(POWERS)):
        if not trade.may_talk(state, power, other):
            continue
        if other not in state.talks:
            if state.ap:
                yield words(TALK, POWERS[other])
        elif state.proposals < trade.MOST_PROPOSALS and len(trade.Proposals(state, power, other)):
            yield words(PROPOSE, POWERS[other])


def _discoveries(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy, _ in state.own(power):
        for secret in discovery.targets(state, spy):
            yield spy_code(spy), secret_name(state, secret)


def _sanctions(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy, _ in state.own(power):
        yield from ((spy_code(spy), spy_code(victim)) for victim in victims(state, spy))


def _drops(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    yield from ((spy_code(spy),) for spy, _ in state.own(power) if tricks.can_drop(state, spy))


def _escapes(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy in tricks.prisoners(state, power):
        yield from ((spy_code(spy), NAMES[haven]) for haven in HAVENS)


def _recruits(state: State, power: Power) -> Iterator[tuple[str, ...]]:
    for spy in tricks.fallen(state, power):
        yield from ((spy_code(spy), NAMES[city]) for city in tricks.homes(state, power))


_TARGETS: Final[dict[Chit, Callable[[State, Power], Iterator[tuple[str, ...]]]]] = {
    DISCOVERY: _discoveries,
    SANCTION: _sanctions,
    DROP: _drops,
    ESCAPE: _escapes,
    RECRUIT: _recruits,
}
"""By chit that is played in one's own turn: the words possible behind its slot."""
_KIND_NAMED: Final = {CHIT_NAMES[kind]: kind for kind in _TARGETS}


def action(act: Act) -> Turn[None]:
    """An action of the power to move.  Raises Stopped."""
    power = act.state.power
    answer = yield from chosen(act, power, Choices(act.state))
    if answer is None or answer == END:
        yield from finish(act)
        return
    word, *parts = answer.split()
    if word == PROPOSE:
        yield from trade.trade(act, power, POWERS.index(parts[0]))
        return
    if word == TALK:
        other = POWERS.index(parts[0])
        act.points(power, 1)
        act.set(talks=(*act.state.talks, other))
        act.tell("diplomacy", power, other=other)
        return
    act.set(talks=())
    if word == POLICE_ANEW:
        yield from police_anew(act, power)
    elif word == SEARCH:
        yield from _search(act, power, CITY_NAMED[parts[0]])
    else:
        act.set(stage=SPY_STAGE)
        yield from _spies(act, word, parts)


def _search(act: Act, power: Power, city: City) -> Turn[None]:
    """The spies in a city one by one, as the searcher names them, until it has enough."""
    act.points(power, 1)
    act.set(stage=SEARCH_STAGE, searched=(*act.state.searched, city))
    done: set[SpyId] = set()
    while left := [spy for spy in enemies(act.state, power, city) if spy not in done]:
        options = [spy_code(spy) for spy in left] + ([END] if done else [])
        answer = yield from chosen(act, power, options)
        if answer is None or answer == END:
            return
        done.add(SPY_CODED[answer])
        yield from search(act, power, SPY_CODED[answer])


def _spies(act: Act, word: str, parts: list[str]) -> Turn[None]:
    """The step of a spy."""
    if word in _PLAYS:
        slot, *named = parts
        yield from _PLAYS[word](act, int(slot), SPY_CODED[named[0]], *named[1:])
        return
    spy = SPY_CODED[parts[0]]
    if word == "move":
        yield from movement.move(act, spy, CITY_NAMED[parts[1]])
    elif word == "sail":
        yield from movement.sail(act, spy, SEA_NAMES.index(parts[1]))
    elif word == "cash":
        yield from cash(act, spy)
    elif word == "take":
        secret = act.state.named(CITY_NAMED[parts[1]])
        if secret is not None:
            take(act, spy, secret)
    elif word == "give":
        give(act, spy)
    else:
        leave(act, spy)


def _discover(act: Act, slot: int, spy: SpyId, city: str) -> Turn[None]:
    secret = act.state.named(CITY_NAMED[city])
    if secret is not None:
        yield from discovery.discovery(act, slot, spy, secret)


def _sanction(act: Act, slot: int, spy: SpyId, victim: str) -> Turn[None]:
    yield from sanction(act, slot, spy, SPY_CODED[victim])


_PLAYS: Final[dict[str, Callable[..., Turn[None]]]] = {
    KINDS[DISCOVERY].name: _discover,
    KINDS[SANCTION].name: _sanction,
    KINDS[DROP].name: tricks.drop,
    KINDS[ESCAPE].name: tricks.escape,
    KINDS[RECRUIT].name: tricks.recruit,
}
