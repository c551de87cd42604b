"""Police of SPIES! laid in one line: cities with the strengths there, and the secrets that they stand on.

The rules ask three times: for the order of the strengths in secret, for the cities, and for the secrets.  The
player answers once; the line plans all three answers.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from cli.games.interface import Choice, NotPossible, PlannedAnswers, Unknown, ViewContext
from cli.games.spies.cities import as_spoken, cities_called, starting
from cli.games.spies.names import AS_THEY_STAND, ONE_A_CITY, TWO_BY_TWO, tokens
from cli.games.typed_names import begins
from cli.text.layout import series
from p2p_stratego.core.game import Commit
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import capital
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, SIGNED, City, Power
from p2p_stratego.spies.rules.counters import A_CITY, COUNTERSPIES
from p2p_stratego.spies.rules.notation import lay, stand
from p2p_stratego.spies.rules.observation import secret_face
from p2p_stratego.spies.rules.police import guarded, guards, layings
from p2p_stratego.spies.rules.state import Police, SecretId, State, secret_name
from p2p_stratego.spies.rules.underway import now

Plan = dict[City, list[int]]
"""By city, the strengths of the police there."""
ON: Final = "on"
NONE: Final = "none"
_STANDING: Final = mark("It is free: under police a counterspy catches weaker spies. none: no secret.")
"""The price and the gain of standing on a secret: one row of a small screen."""


def is_asked(view: View[State]) -> bool:
    """Whether police are to be laid now, from the first of the three questions on."""
    decision = view.decision
    return isinstance(decision, Commit) and decision.exactly and 0 not in decision.faces


def form(view: View[State]) -> str:
    """How police are laid, by the example of the power that lays them."""
    return _(
        "cities and strengths: “{example}”, or “{on_none}”",
        example=f"{example(view)} {as_spoken(f'{ON} {NAMES[SIGNED[now(view).power][0]]}')}",
        on_none=as_spoken(f"{ON} {NONE}"),
    )


def example(view: View[State]) -> str:
    """A short line that lays some police of the power that lays them now."""
    power, decision = now(view).power, view.decision
    units = sorted(decision.faces, reverse=True) if isinstance(decision, Commit) else []
    capital, *others = (NAMES[city] for city in SIGNED[power])
    shortest = min(others, key=lambda name: len(as_spoken(name)))
    first, second, last = units[0], units[1], units[-1]
    return as_spoken(f"{capital} {first} {last} {shortest} {second}")


def read(view: View[State], phrase: Sequence[str]) -> PlannedAnswers:
    """All answers that a line plans.  Raises Misunderstood."""
    state, decision = now(view), view.decision
    if not isinstance(decision, Commit):
        raise NotPossible(_("No police are laid now."))
    named = [whole for name, whole in _whole(view, decision) if phrase and _begins(name, " ".join(phrase))]
    if len(named) == 1:
        return replace(read(view, named[0].split()), line=as_spoken(named[0]))
    before, standing = _parted(phrase)
    plan = _plan(view, before)
    wrong = _wrong(state, decision, plan)
    if left := _left(decision, plan):
        wrong.append(_("Still to lay: {map}.", map=" ".join(map(str, left))))
    if wrong:
        raise NotPossible(_("{wrong} Type {form}.", wrong=" ".join(wrong), form=form(view)))
    cities = [city for city in _in_order(state.power, plan) for _unused in plan[city]]
    move = lay(state.power, cities)
    faces = tuple(strength for city in _in_order(state.power, plan) for strength in plan[city])
    possible = candidates(state, cities)
    if standing is None:
        return PlannedAnswers(faces, (move,))
    chosen = _secrets(state, possible, standing)
    _require_units(state, plan, chosen)
    return PlannedAnswers(faces, (move, stand(chosen)) if possible else (move,))


def _begins(name: str, typed: str) -> bool:
    """Whether the name of a whole laying, in English or as it is shown, begins with what is typed."""
    return begins((name, _(name)), typed)


def _parted(phrase: Sequence[str]) -> tuple[Sequence[str], Sequence[str] | None]:
    """The words before "on", and those behind it, None without it."""
    if ON not in phrase:
        return phrase, None
    at = list(phrase).index(ON)
    return phrase[:at], phrase[at + 1 :]


def _plan(view: View[State], phrase: Sequence[str]) -> Plan:
    """Cities with strengths: "berlin 4 1 hamburg 3".  Raises Unknown."""
    plan: Plan = {}
    city: City | None = None
    for word in phrase:
        if word.isdigit():
            if city is None:
                raise Unknown(
                    _("A city comes first, then the strengths there. Type {form}.", form=form(view))
                )
            plan[city].append(int(word[:2]))
            continue
        city = _city(view, word)
        plan.setdefault(city, [])
    return {city: units for city, units in plan.items() if units}


def _city(view: View[State], word: str) -> City:
    """The city of the power that is meant.  Raises Unknown."""
    state = now(view)
    names = cities_called(word)
    own = [name for name in names if CITY_NAMED[name] in SIGNED[state.power]]
    meant = own if len(own) == 1 else names
    if len(meant) != 1:
        raise Unknown(_("“{word}” is no city, or several. Type {form}.", word=word[:24], form=form(view)))
    city = CITY_NAMED[meant[0]]
    if state.territory[city] != state.power:
        power = words.power(state.power)
        raise Unknown(
            _(
                "{city} is not in {power}'s territory. Type {form}.",
                city=words.city(city),
                power=power,
                form=form(view),
            )
        )
    return city


def _wrong(state: State, decision: Commit, plan: Plan) -> list[str]:
    """The faults of a plan by the rules, as sentences."""
    signed = SIGNED[state.power]
    full = [words.city(city) for city in signed if len(plan.get(city, ())) > A_CITY]
    sentences = [_("At most two police stand in {full}.", full=series(full))] * bool(full)
    others = layings(state, state.power).unsigned
    if sum(len(plan.get(city, ())) for city in others) > 1:
        sentences.append(
            _("At most one in all stands in {value}.", value=series([words.city(city) for city in others]))
        )
    many = Counter(strength for units in plan.values() for strength in units)
    many.subtract(Counter(decision.faces))
    if over := " ".join(str(face) for face in sorted((+many).elements(), reverse=True)):
        sentences.append(_("You have no more of these: {over}.", over=over))
    return sentences


def _in_order(power: Power, plan: Mapping[City, object]) -> list[City]:
    """The cities in the order in which the rules take the units: first the cities with a sign."""
    signed = [city for city in SIGNED[power] if city in plan]
    return signed + sorted(city for city in plan if city not in SIGNED[power])


def candidates(state: State, cities: Sequence[City]) -> list[SecretId]:
    """The secrets that police could stand on once they stand in these cities."""
    units = tuple(Police(-1, city) for city in cities)
    police = (*state.police[: state.power], units, *state.police[state.power + 1 :])
    return guards(state._replace(police=police), state.power)


def _secrets(state: State, possible: Sequence[SecretId], phrase: Sequence[str]) -> list[SecretId]:
    """The secrets that are named by the cities where they began.  Raises Misunderstood."""
    if not phrase or list(phrase) == [NONE]:
        return []
    names = {secret_name(state, secret): secret for secret in possible}
    chosen = set()
    for word in phrase:
        names_meant = [word] if word in names else starting(word, names)
        if len(names_meant) != 1:
            could = f": {series([as_spoken(name) for name in names])}" if names else ""
            raise NotPossible(
                _(
                    "Police cannot stand on a secret “{word}” so, but on these{could}.",
                    word=word[:24],
                    could=could,
                )
            )
        chosen.add(names[names_meant[0]])
    return sorted(chosen)


def _require_units(state: State, plan: Plan, chosen: Sequence[SecretId]) -> None:
    standing = Counter(state.secrets[secret].city for secret in chosen)
    for city, number in standing.items():
        if number > len(plan.get(city, ())):
            raise NotPossible(
                _("Each of the police stands on one secret: too few are in {city}.", city=words.city(city))
            )


# Completion


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """Whole layings that begin as is typed; before them cities, strengths that are left, and secrets."""
    view: View[State] = context.view
    decision = view.decision
    if not isinstance(decision, Commit):
        return ()
    phrase = context.typed.lower().split()
    whole = [
        Choice(as_spoken(laying), _(name))
        for name, laying in _whole(view, decision)
        if laying.startswith(context.typed.lower()) or _begins(name, context.typed)
    ]
    if not phrase:
        signed = SIGNED[now(view).power]
        return (*whole, *(_choice(NAMES[city]) for city in signed))
    whole_word = context.typed.endswith(" ") or phrase[-1].isdigit() or _complete(view, decision, phrase)
    begun = "" if whole_word else phrase.pop()
    start = "".join(f"{word} " for word in phrase)
    words_next = dict.fromkeys(starting(begun, _next(view, decision, phrase)))
    return (*(_choice(word, start) for word in words_next), *whole)


def _choice(word: str, start: str = "") -> Choice:
    """A word that can come behind the start of a line."""
    return Choice(as_spoken(start + word), as_spoken(word))


def _complete(view: View[State], decision: Commit, phrase: Sequence[str]) -> bool:
    """Whether a line lays all units, and says no more."""
    if ON in phrase:
        return False
    try:
        plan = _plan(view, phrase)
    except Unknown:
        return False
    return Counter(strength for units in plan.values() for strength in units) == Counter(decision.faces)


def _whole(view: View[State], decision: Commit) -> Iterator[tuple[str, str]]:
    """English names, and lines, of layings to begin from: as they stand, and the strongest in the capital."""
    state = now(view)
    if state.police[state.power] and all(unit.slot in view.known for unit in state.police[state.power]):
        plan: Plan = {}
        for unit in state.police[state.power]:
            plan.setdefault(unit.city, []).append(view.known[unit.slot])
        standing = [secret for secret, lying in enumerate(state.secrets) if guarded(lying, state.power)]
        yield AS_THEY_STAND, line(state, plan, standing)
    strengths, signed = sorted(decision.faces, reverse=True), SIGNED[state.power]
    for name, most in ((TWO_BY_TWO, A_CITY), (ONE_A_CITY, 1)):
        if len(strengths) <= most * len(signed):  # Britain has more police than cities with a sign
            plan = {}
            for number, strength in enumerate(strengths):
                plan.setdefault(signed[number // most], []).append(strength)
            yield name, line(state, plan, counterspies(view, plan))


def counterspies(view: View[State], plan: Plan) -> list[SecretId]:
    """The counterspies among the secrets that police could stand on: uncontrolled ones do nothing at home."""
    state, counterspies_free = now(view), list[SecretId]()
    room = {city: len(units) for city, units in plan.items()}
    for secret in candidates(state, [city for city, units in plan.items() for _unit in units]):
        face, city = secret_face(state, secret, view.known), state.secrets[secret].city
        if face in COUNTERSPIES and room[city]:
            room[city] -= 1
            counterspies_free.append(secret)
    return counterspies_free


def line(state: State, plan: Plan, standing: Sequence[SecretId]) -> str:
    """A laying as it is typed."""
    parts = [
        f"{NAMES[city]} {' '.join(map(str, sorted(plan[city], reverse=True)))}"
        for city in _in_order(state.power, plan)
    ]
    secrets = [secret_name(state, secret) for secret in standing] or [NONE]
    return " ".join([*parts, ON, *secrets])


def _next(view: View[State], decision: Commit, phrase: Sequence[str]) -> Iterator[str]:
    """The words that could come next."""
    state = now(view)
    before, standing = _parted(phrase)
    try:
        plan = _plan(view, before)
    except Unknown:
        return
    left = _left(decision, plan)
    if standing is None:
        last = next((word for word in reversed(before) if not word.isdigit()), None)
        if last is not None and _room(state, plan, _city(view, last)):
            yield from (str(face) for face in sorted(set(left), reverse=True))
        if left:
            yield from (NAMES[city] for city in _open_cities(state, plan) if NAMES[city] not in before)
        elif before:
            yield from (f"{ON} {name}" for name in (NONE, *_names(state, plan)))
        return
    names = _names(state, plan)
    yield from (name for name in names if name not in standing and NONE not in standing)
    if not standing:
        yield NONE


def _names(state: State, plan: Plan) -> list[str]:
    """The secrets that police laid so could stand on, by the cities where they began."""
    cities = [city for city, units in plan.items() for _unit in units]
    return [secret_name(state, secret) for secret in candidates(state, cities)]


def _room(state: State, plan: Plan, city: City) -> bool:
    """Whether one more may be laid in a city that has been named."""
    if city in SIGNED[state.power]:
        return len(plan.get(city, ())) < A_CITY
    return not any(other not in SIGNED[state.power] for other in plan)


def _left(decision: Commit, plan: Plan) -> list[int]:
    """The strengths that are not laid yet, the highest first."""
    left = Counter(decision.faces)
    left.subtract(Counter(strength for units in plan.values() for strength in units))
    return sorted((+left).elements(), reverse=True)


def _open_cities(state: State, plan: Plan) -> Iterator[City]:
    """Where police may still be laid."""
    yield from (city for city in SIGNED[state.power] if len(plan.get(city, ())) < A_CITY)
    if not any(city not in SIGNED[state.power] for city in plan):
        yield from layings(state, state.power).unsigned


def pointed(context: ViewContext, city: City) -> str:
    """The line after a city was pointed at: the strongest unit that is left goes there."""
    view: View[State] = context.view
    decision = view.decision
    if not isinstance(decision, Commit):
        return context.typed
    phrase = tokens(context.typed)
    state = now(view)
    try:
        before, standing = _parted(phrase)
        plan = _plan(view, before)
    except Unknown:
        return context.typed
    left = _left(decision, plan)
    if standing is not None or not left:
        return _stood_on(context, plan, city, standing)
    if city not in set(_open_cities(state, plan)):
        return context.typed
    plan.setdefault(city, []).append(left[0])
    return " ".join(f"{NAMES[at]} {' '.join(map(str, units))}" for at, units in plan.items())


def _stood_on(context: ViewContext, plan: Plan, city: City, standing: Sequence[str] | None) -> str:
    """The line after a city was pointed at when all are laid: the police stand on its next secret.

    Where the cursor is already, nothing is added: Enter there sends the line.
    """
    state, typed = now(context.view), context.typed.strip()
    cities = [at for at, units in plan.items() for _ in units]
    names = [
        secret_name(state, secret)
        for secret in candidates(state, cities)
        if state.secrets[secret].city == city
    ]
    left = [name for name in names if name not in (standing or ())]
    if not left or standing == [NONE] or context.cursor == NAMES[city]:
        return context.typed
    return f"{typed} {left[0]}" if standing is not None else f"{typed} {ON} {left[0]}"


def goes_on(phrase: Sequence[str]) -> bool:
    """Whether a line of cities and strengths can go on with these words, the last of them perhaps begun."""
    return all(word.isdigit() or starting(word, (ON, NONE, *NAMES)) for word in phrase)


def facts(view: View[State]) -> list[str]:
    """The words of a laying: cities, secrets, and whole layings by name; nothing if no laying is due."""
    decision = view.decision
    if not isinstance(decision, Commit) or not is_asked(view):
        return []
    state = now(view)
    others = layings(state, state.power).unsigned
    possible = candidates(state, (*SIGNED[state.power], *others))
    secrets = series([as_spoken(secret_name(state, secret)) for secret in possible])
    return [
        _(
            "Cities with a police sign: {value}.",
            value=series([as_spoken(NAMES[city]) for city in SIGNED[state.power]]),
        ),
        *[_("One in all in: {value}.", value=series([as_spoken(NAMES[city]) for city in others]))]
        * bool(others),
        _("Police there could stand on the secrets of {secrets}.", secrets=secrets),
        _(_STANDING),
        _(
            "You can say whole layings: {value}.",
            value=series([_(name) for name, _unused in _whole(view, decision)]),
        ),
    ]


def explained(context: ViewContext) -> str:
    """The sum of the typed line: the strength in each city, and the remaining police."""
    view: View[State] = context.view
    decision = view.decision
    phrase = tokens(context.typed)
    if not is_asked(view) or not isinstance(decision, Commit):
        return ""
    if not phrase:
        return _("Type {form}.", form=form(view))
    for name, whole in _whole(view, decision):
        if _begins(name, " ".join(phrase)):
            return f"{capital(_(name))}: {as_spoken(whole)}."
    try:
        plan = _plan(view, _parted(phrase)[0])
    except Unknown as error:
        if context.typed.endswith(" "):
            return str(error)
        return explained(replace(context, typed=f"{' '.join(phrase[:-1])} "))  # the last word is only begun
    if wrong := _wrong(now(view), decision, plan):
        return " ".join(wrong)
    parts = [f"{words.city(city)} {'+'.join(map(str, units))}" for city, units in plan.items()]
    sentence = f"{', '.join(parts)}{'. ' if parts else ''}"
    left = " ".join(map(str, _left(decision, plan)))
    if left:
        return _(
            "Left: {left}; then {on} and secrets, or {on} {none}. {laying}",
            left=left,
            on=as_spoken(ON),
            none=as_spoken(NONE),
            laying=sentence,
        ).rstrip()
    if ON in phrase:
        return _(_STANDING)
    return _(
        "All are laid. Enter sends them; or go on with {on} and secrets, or {on} {none}. {laying}",
        on=as_spoken(ON),
        none=as_spoken(NONE),
        laying=sentence,
    ).rstrip()
