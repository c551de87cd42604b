"""What an answer of the adviser's in SPIES! is for, in a sentence: where a way leads, and what is paid there.

Like the coach it reads one seat's view and nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from p2p_stratego.core.game import Choose, Commit, Face, Move, Slot
from p2p_stratego.core.language import _, n_
from p2p_stratego.core.sampling import percent
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.deals import Deal
from p2p_stratego.spies.bots.hides import shelter
from p2p_stratego.spies.bots.places import deep
from p2p_stratego.spies.bots.targets import faded
from p2p_stratego.spies.bots.turn import Turn
from p2p_stratego.spies.bots.ways import cost
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.lessons import advice
from p2p_stratego.spies.rules import notation
from p2p_stratego.spies.rules.atlas import CAPITALS, CITY_NAMED, POWERS, City
from p2p_stratego.spies.rules.counters import (
    A_TILE,
    CASH,
    CHIT_NAMES,
    COUNTERSPIES,
    DISCOVERY,
    DOUBLE_CROSS,
    DROP,
    ESCAPE,
    INTERCEPT,
    MARKER,
    MEANS,
    RECRUIT,
    SANCTION,
    SPY_FACES,
    value,
)
from p2p_stratego.spies.rules.observation import hand
from p2p_stratego.spies.rules.points import multiple
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import SPY_CODED, Event, SecretId, SpyId, State
from p2p_stratego.spies.rules.tiles import TILES, is_coloured
from p2p_stratego.spies.rules.turn.trade import Proposals, parsed
from p2p_stratego.spies.rules.underway import now

_FACTS: Final = (
    notation.CAPTURED,
    notation.FREE,
    notation.IS_GENUINE,
    notation.IS_COUNTERSPY,
    notation.IS_COUSIN,
    notation.NO_COUSIN,
    notation.SURVIVES,
)
"""Answers of which one is true."""


def why(view: View[State], decided: Move | tuple[Face, ...]) -> str:
    """The reason for `decided`, an answer to the open decision of `view`."""
    decision, state = view.decision, now(view)
    if isinstance(decision, Commit):
        return _committed(decision)
    if not isinstance(decision, Choose) or not isinstance(decided, str):
        return ""
    turn = Turn(state, view)
    if isinstance(decision.options, Layings):
        return _guarding()
    if isinstance(decision.options, Proposals):
        return _proposed(turn, decided) or _best()
    word, *parts = decided.split(" ")
    if decided in SPY_CODED:
        return _whom(turn, SPY_CODED[decided])
    if word in CHIT_NAMES:
        kind = CHIT_NAMES.index(word)
        answers = notation.NO_ANSWER in decision.options
        return (_answered(turn, kind) if answers else _played(turn, decided)) or _best()
    if decided in _FACTS:
        return _("One answer alone is true; a false one is found out by its proof, and loses the game.")
    if word in ("move", "sail", "take"):
        return _moved(turn, decided) or _best()
    reason = _REASONS.get(word)
    return ("" if reason is None else reason(turn, parts)) or _best()


def _best() -> str:
    return _("Of all answers here, this one promises most.")


# Before a turn


def _committed(decision: Commit) -> str:
    if not decision.exactly:
        return _("These are the pounds of the proposal.")
    if tuple(decision.faces) == SPY_FACES:
        return _("The order is drawn by lot, so that the numbers of your spies tell nothing.")
    return _guarding()


def _guarding() -> str:
    return _("So the strongest police stand where your secrets count most, or where enemies come by.")


def _stood(turn: Turn, parts: Sequence[str]) -> str:
    if any(turn.worths.beliefs.face(int(secret)) in COUNTERSPIES for secret in parts):
        return _(
            "Under police a counterspy catches weaker spies, and police on other secrets hide which it is."
        )
    return _("Police on secrets let others fear that counterspies lie there.") if parts else ""


def _begun(turn: Turn, parts: Sequence[str]) -> str:
    """The place of the next secret, or of the next spy."""
    at = CITY_NAMED[parts[0]]
    state, power = turn.state, turn.power
    if state.phase == "secrets":
        return _hidden(turn, at)
    reserve = [
        spy for spy, piece in enumerate(state.spies) if (piece.power, piece.where) == (power, "reserve")
    ]
    return _onward(turn, reserve[0], at) if reserve else ""


def _hidden(turn: Turn, at: City) -> str:
    """The place of the next secret of the power that lays its secrets."""
    power, options = turn.power, turn.view.decision
    left = [
        secret
        for secret, lying in enumerate(turn.state.secrets)
        if (lying.owner, lying.where) == (power, "reserve")
    ]
    face = turn.worths.beliefs.face(left[0]) if left else None
    free = options.options if isinstance(options, Choose) else ()
    easier = sum(shelter(CITY_NAMED[move.split(" ")[1]], power) < shelter(at, power) for move in free)
    hard = 2 * easier >= len(free)
    if face in COUNTERSPIES and not hard:
        return _("A counterspy should be met: {city} is easy to reach.", city=words.city(at))
    if face is None or face in COUNTERSPIES:
        return ""
    fields = {"value": value(face), "city": words.city(at)}
    if hard:
        times = MEANS[power].multiples[-1]
        return _(
            "Worth {value}, times {times} at home at the end: {city} is hard to reach.", times=times, **fields
        )
    return _("Worth {value}: {city} is easy to reach, and safer cities stay free for more.", **fields)


def _bid(_turn: Turn, parts: Sequence[str]) -> str:
    if parts == ["0"]:
        return _("Russia would bring you less than your pounds do.")
    return _("Russia is worth so much to you; a higher bid would cost more than Russia brings.")


def _tile(turn: Turn, parts: Sequence[str]) -> str:
    face = turn.worths.known[int(parts[0])]
    name = words.tile(face)
    chits, money = advice.awards(turn.state, turn.view, face)
    gains = [n_("{count} chit", "{count} chits", chits)] * bool(chits) + [words.pounds(money)] * bool(money)
    if gains:
        return _("{tile} pays your spies where they stand: {gains}.", tile=name, gains=_and(gains))
    if is_coloured(face) and turn.worths.counts(turn.power):
        return _(
            "{tile} is of your colour, and so counts {points} points at the end.", tile=name, points=A_TILE
        )
    if turn.state.year == TILES[face].years[-1]:
        return _("{tile} can be played in no later year.", tile=name)
    return ""


def _discarded(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("None of your tiles brings more than its point now, and this one is the easiest to spare.")


def _and(gains: Sequence[str]) -> str:
    """One gain, or two."""
    return _("{first} and {second}", first=gains[0], second=gains[1]) if len(gains) > 1 else gains[0]


# Spies


def _payment(turn: Turn, secret: SecretId) -> str:
    """The pay for a secret that is cashed at home: "about 6 points, £20 and a chit"."""
    worths, lying = turn.worths, turn.state.secrets[secret]
    fields = {"pounds": words.pounds(CASH)}
    if not worths.counts(turn.power):
        return _("{pounds} and a chit", **fields)
    points = round(worths.beliefs.promise(secret).value * multiple(turn.power, lying.lost or turn.state.year))
    return n_(
        "about {count} point, {pounds} and a chit",
        "about {count} points, {pounds} and a chit",
        points,
        **fields,
    )


def _moved(turn: Turn, decided: Move) -> str:
    """What a spy sets out for: the secret, the home or the rest at the end of the way that is planned."""
    spy = SPY_CODED[decided.split(" ")[1]]
    plans = [plan for plan in turn.planner.plans(spy) if plan.move == decided]
    if not plans:
        return ""
    plan = max(plans, key=lambda plan: plan.gain)
    name = advice.named(turn.state, turn.view, spy)
    if plan.secret is not None:
        lying, payment = turn.state.secrets[plan.secret], _payment(turn, plan.secret)
        fields = {"spy": name, "secret": words.secret(lying.origin), "payment": payment}
        if lying.city == lying.origin:
            return _("{spy} goes for {secret}: at home it pays {payment}.", **fields)
        return _(
            "{spy} goes for {secret} in {city}: at home it pays {payment}.",
            city=words.city(lying.city),
            **fields,
        )
    if turn.worths.carried(spy) is not None:
        return _onward(turn, spy, plan.city)
    here, there = turn.state.spies[spy].city, plan.city
    night, targets = turn.dangers.night(spy, loaded=False), turn.targets
    nearer = targets.seek(spy, there) - targets.seek(spy, here)
    paid = targets.award(spy, there) - targets.award(spy, here)
    safer = min(1.0, night[here]) - min(1.0, night[there])
    if safer > 0 and safer * turn.planner.lost(spy, here) > max(nearer, paid):
        return _(
            "{spy} is safer in {city}: {odds} there, {odds2} here is its danger of being caught.",
            spy=name,
            city=words.city(there),
            odds=percent(min(1.0, night[there])),
            odds2=percent(min(1.0, night[here])),
        )
    if paid > max(nearer, 0.0):
        return _("A tile may soon pay {spy} in {city}.", spy=name, city=words.city(there))
    return _onward(turn, spy, there) if nearer > 0 else ""


def _onward(turn: Turn, spy: SpyId, at: City) -> str:
    """The use of a city to a spy that comes there: its way home, or to the secret that it wants most."""
    name, place = advice.named(turn.state, turn.view, spy), words.city(at)
    load = turn.worths.carried(spy)
    if load is not None:
        lying, power = turn.state.secrets[load], turn.power
        goal = lying.origin if lying.owner == power else CAPITALS[power]
        way, fields = cost(at, goal), {"spy": name, "home": words.city(goal)}
        if lying.owner == power:
            return _("{spy} brings back {secret}.", spy=name, secret=words.secret(lying.origin))
        if not way:
            return _(
                "{spy} brings its secret home to {home}, where it pays {payment}.",
                payment=_payment(turn, load),
                **fields,
            )
        return n_(
            "{spy} brings its secret home: from {city} it is about {count} space to {home}.",
            "{spy} brings its secret home: from {city} it is about {count} spaces to {home}.",
            max(1, round(way)),
            city=place,
            **fields,
        )
    aims = [
        (faded(prize, cost(at, turn.state.secrets[secret].city)), secret)
        for prize, secret in _wanted(turn, spy)
    ]
    hope, secret = max(aims, default=(0.0, -1))
    if hope <= 0:
        return ""
    way, aim = cost(at, turn.state.secrets[secret].city), words.secret(turn.state.secrets[secret].origin)
    if not way:
        return _(
            "{spy} stands by {secret}, which at home pays {payment}.",
            spy=name,
            secret=aim,
            payment=_payment(turn, secret),
        )
    return n_(
        "From {city} {secret} is about {count} space away: at home it pays {payment}.",
        "From {city} {secret} is about {count} spaces away: at home it pays {payment}.",
        max(1, round(way)),
        city=place,
        secret=aim,
        payment=_payment(turn, secret),
    )


def _wanted(turn: Turn, spy: SpyId) -> list[tuple[float, SecretId]]:
    """The secrets that a spy may go for, each with its promise, also of a spy that is not laid yet."""
    targets, state = turn.targets, turn.state
    if state.spies[spy].where == "map":
        return targets.wanted(spy)
    power = state.spies[spy].power
    return [
        (deep(targets, lying.city) * targets.prize(spy, secret), secret)
        for secret, lying in enumerate(state.secrets)
        if targets.open_to(power, secret)
    ]


def _landed(turn: Turn, parts: Sequence[str]) -> str:
    return _onward(turn, turn.state.mover, CITY_NAMED[parts[0]])


def _stayed(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("No port in reach is worth its points now.")


def _again(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("A new roll may reach a better port.")


# Actions


def _cashed(turn: Turn, parts: Sequence[str]) -> str:
    return advice.cash(turn.state, turn.view, [notation.words("cash", *parts)])


def _searched(turn: Turn, parts: Sequence[str]) -> str:
    """A search of a city, or of a spy that arrives."""
    if not parts:
        return _("This search is free, and may catch the spy.")
    move = notation.words(notation.SEARCH, *parts)
    return advice.search(turn.state, turn.view, turn.worths.beliefs, [move], 0.0)


def _whom(turn: Turn, spy: SpyId) -> str:
    """The spy that is searched next."""
    there = turn.state.spies[spy].city
    police = sum(turn.view.known.get(unit.slot, 0) for unit in turn.state.police_in(turn.power, there))
    return _(
        "Your police are stronger than {spy} {odds} of the time.",
        spy=advice.named(turn.state, turn.view, spy),
        odds=percent(turn.worths.beliefs.caught_by(spy, police)),
    )


def _played(turn: Turn, decided: Move) -> str:
    """A chit that is played in the own turn."""
    word, _slot, *parts = decided.split(" ")
    kind, state = CHIT_NAMES.index(word), turn.state
    name = advice.named(state, turn.view, SPY_CODED[parts[0]]) if parts and parts[0] in SPY_CODED else ""
    if kind == DISCOVERY:
        return advice.discovery(state, turn.view, turn.worths.beliefs, [decided])
    if kind == SANCTION:
        victim = advice.named(state, turn.view, SPY_CODED[parts[1]])
        counts = turn.worths.marker(turn.power, SPY_CODED[parts[1]]) > 0
        points = MARKER * multiple(turn.power, state.year) * counts
        if not points:
            return _("{victim} is out for good.", victim=victim)
        return n_(
            "{victim} is out for good: that counts {count} point.",
            "{victim} is out for good: that counts {count} points.",
            points,
            victim=victim,
        )
    if kind == ESCAPE:
        return _("{spy} comes free, and counts for its captor no more.", spy=name)
    if kind == RECRUIT:
        return _("{spy} can go out again.", spy=name)
    if kind == DROP:
        return _("{spy} is in danger there, and the secret that it hides stays yours.", spy=name)
    return ""


def _police(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("Your police would do more elsewhere by now.")


def _traded(_turn: Turn, parts: Sequence[str]) -> str:
    return _("A trade with {power} can pay you both.", power=words.power(POWERS.index(parts[0])))


def _ended(turn: Turn, _parts: Sequence[str]) -> str:
    """The end of a turn, or of the searches in a city."""
    if isinstance(turn.view.decision, Choose) and set(turn.view.decision.options) & set(SPY_CODED):
        return _("Nobody else there can be caught.")
    return _("Nothing pays more now.")


# Answers and choices


def _answered(turn: Turn, kind: int) -> str:
    """A chit played in answer."""
    state, view = turn.state, turn.view
    event = _stake(state)
    if state.report and state.report[-1].kind == "plays" and kind == DOUBLE_CROSS:
        last = state.report[-1]
        return _(
            "A Double-cross undoes the {chit} that {power} has played.",
            chit=words.chit(last.face),
            power=words.power(last.power),
        )
    if event is None:
        return ""
    if event.kind == "searches":
        return advice.searched(state, view, event)
    if event.kind == "discovers":
        if turn.worths.beliefs.face(event.secret) in COUNTERSPIES:
            return ""  # its sentence speaks of a trap, not of what an answer saves
        return advice.discovered(state, view, event)
    if event.kind == "sanctions":
        return _(
            "The Sanction would kill {spy}: this chit saves it.", spy=advice.named(state, view, event.other)
        )
    if event.kind == "drops" and kind == INTERCEPT:
        return _("An Intercept takes the secret that is hidden here.")
    if event.kind == "tries to escape":
        return _("A Double-cross keeps {spy} a prisoner.", spy=advice.named(state, view, event.spy))
    return ""


def _stake(state: State) -> Event | None:
    """The event that is answered."""
    return next((event for event in reversed(state.report) if event.kind in _ASKED), None)


_ASKED: Final = ("searches", "discovers", "sanctions", "drops", "tries to escape")


def _passed(turn: Turn, _parts: Sequence[str]) -> str:
    options = turn.view.decision
    if isinstance(options, Choose) and notation.SEARCH in options.options:
        return _("Your police there cannot be stronger than this spy.")
    return _("No chit that you could play here is worth its price.")


def _returned(turn: Turn, parts: Sequence[str]) -> str:
    """A chit that is given away: of a kind that is there several times, or the least useful."""
    slot: Slot = int(parts[0])
    power = next((power for power, held in enumerate(turn.state.hands) if slot in held), turn.power)
    kind = turn.view.known.get(slot)
    if kind is None:
        return ""
    same = hand(turn.state, power, turn.view.known).count(kind)
    if same > 1:
        return _(
            "{power} has {count} chits of the kind {chit}, and the last of them helps least.",
            power=words.power(power),
            count=same,
            chit=words.chit(kind),
        )
    return _(
        "Of these chits {chit} helps {power} least now.", chit=words.chit(kind), power=words.power(power)
    )


def _proposed(turn: Turn, decided: Move) -> str:
    state, terms = turn.state, parsed(decided)
    other = state.partner
    if terms is None or other is None:
        return ""
    if turn.trader.best(state.power, other, state.proposals - 1) is not None:
        return _("{power} should like it, and so should you.", power=words.power(other))
    if terms.offered == 0 and not terms.chits:
        return _("No trade seems good for both; this one asks, and gives nothing.")
    return _("No trade seems good for both; {power} may well decline.", power=words.power(other))


def trade(view: View[State], decided: Move) -> Deal | None:
    """The whole trade that the adviser begins with these terms; None if it begins none so."""
    turn, terms = Turn(now(view), view), parsed(decided)
    if terms is None or turn.state.partner is None:
        return None
    best = turn.trader.best(turn.power, turn.state.partner, turn.state.proposals - 1)
    if best is not None and turn.trader.terms(best[1]) == terms:
        return best[1]
    wanted = 1 if terms.wanted is None else terms.wanted  # of a closed purse a pound at least
    return Deal(terms.offered or 0, terms.chits, wanted, terms.number)


def _stated(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("All that you want of this trade is named.")


def _accepted(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("You get more by it than you give, the gain of the other side included.")


def _declined(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("You would get too little for what the other side gains.")


def _seized(_turn: Turn, _parts: Sequence[str]) -> str:
    return _("A secret that your spy carries home brings {pounds} and a chit.", pounds=words.pounds(CASH))


_REASONS: Final[Mapping[str, Callable[[Turn, Sequence[str]], str]]] = {
    "at": _begun,
    "stand": _stood,
    "bid": _bid,
    "tile": _tile,
    "discard": _discarded,
    "land": _landed,
    notation.STAY: _stayed,
    notation.AGAIN: _again,
    "cash": _cashed,
    notation.SEARCH: _searched,
    notation.POLICE_ANEW: _police,
    "diplomacy": _traded,
    "propose": _traded,
    notation.END: _ended,
    notation.NO_ANSWER: _passed,
    "return": _returned,
    "hand": _returned,
    notation.READY: _stated,
    notation.ACCEPT: _accepted,
    notation.DECLINE: _declined,
    notation.SEIZE: _seized,
}
"""By the first word of an answer: its reason, from its other words."""
