"""The decision that is due in SPIES!: its kind, its answers in the words in which they are typed, and how a
line is read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from cli.games.interface import Ambiguous, Decided, NotPossible, PlannedAnswers, Unknown
from cli.games.spies import laying, proposals, reach
from cli.games.spies.cities import as_spoken, cities_called, starting
from cli.games.spies.names import (
    CLEAR,
    DECLINE_ALL,
    DONE,
    by_number,
    going_on,
    in_any_order,
    matching,
    only_one,
    tokens,
    unpriced,
    word_for,
)
from cli.text.layout import series
from cli.text.sanitize import cells, escape
from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import BY_AIR, BY_RAIL, CAPITALS, CITY_NAMED, NAMES, POWERS, City, Power
from p2p_stratego.spies.rules.counters import ABROAD, CHIT_NAMES, HAND, spy_names
from p2p_stratego.spies.rules.game import free_cities
from p2p_stratego.spies.rules.notation import DECLINE, lay
from p2p_stratego.spies.rules.notation import city as at_city
from p2p_stratego.spies.rules.observation import due_commit, spy_face, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.purse import MOST, digits
from p2p_stratego.spies.rules.state import SEARCH_STAGE, SPY_CODED, SpyId, State
from p2p_stratego.spies.rules.turn.actions import PROPOSE, TALK, enemies
from p2p_stratego.spies.rules.turn.trade import MOST_PROPOSALS, Proposals, may_talk
from p2p_stratego.spies.rules.underway import now


def kind(view: View[State]) -> str:
    """The kind of decision that is due; "" for none."""
    decision = view.decision
    if decision is None:
        return ""
    if isinstance(decision, Commit):
        if not decision.exactly:
            return "pounds"
        return "spies" if 0 in decision.faces else "police"
    if isinstance(decision.options, Layings):
        return "lay"
    if isinstance(decision.options, Proposals):
        return "propose"
    return kind_of({option.split(" ")[0] for option in decision.options}, now(view))


def kind_of(first: set[str], state: State) -> str:
    """The kind of a choice between options that begin with these words."""
    if state.phase == "talk":
        return "talk"
    if "at" in first:
        return "secret" if state.phase == "secrets" else "place"
    if "search" in first and "pass" in first:
        return "arrival"
    if "seize" in first:
        return "seize"
    if "end" in first:
        return "whom" if first & set(SPY_CODED) else "turn"
    if "pass" in first:
        return "answer"
    if first & set(SPY_CODED):
        return "whom"
    return next((word for word in _FIRST if word in first), "fact")


_FIRST: Final = ("tile", "stand", "stay", "return", "hand", "bid", "pay", "accept", "ready", "give", "want")


_GONE: Final = {
    "reserve": mark("is not on the map yet"),
    "captured": mark("is a prisoner"),
    "box": mark("is a prisoner"),
    "killed": mark("has been killed"),
    "lost": mark("is out of the game"),
}
"""By place of a spy off the map, what is so."""


def reason(view: View[State], phrase: Sequence[str]) -> str:
    """The fact that makes the typed words impossible, as half a sentence; "" if there is none here."""
    state = now(view)
    if phrase and phrase[0] in (TALK, PROPOSE):
        return _talking(state, phrase)
    if phrase and "search".startswith(phrase[0]):
        return _searching(state, [city for word in phrase[1:] for city in cities_called(word)])
    spy = next((SPY_CODED[word] for word in phrase if word in SPY_CODED), None)
    if spy is None:
        return ""
    piece, name = state.spies[spy], words.spy(spy, spy_face(state, spy, view.known))
    if piece.power != state.power:
        return (
            _("{name} is a spy of {power}", name=name, power=words.power(piece.power))
            if spy == SPY_CODED.get(phrase[0])
            else ""
        )
    if piece.where != "map":
        return f"{name} {_(_GONE[piece.where])}"
    return _standing(state, spy, name, phrase)


def _talking(state: State, phrase: Sequence[str]) -> str:
    """The same of talks with a power, and of a proposal to it."""
    named = [name for name in POWERS if name.startswith(phrase[1])] if len(phrase) > 1 else []
    if len(named) != 1:
        return ""
    mover, other = state.power, POWERS.index(named[0])
    power = words.power(other)
    if other == mover:
        return _("it is the turn of {power}", power=power)
    if state.same_seat(mover, other):
        return _("{power} is yours, too, and two powers of one player do not trade", power=power)
    if state.idle(other):
        return _("the player of {power} has left", power=power)
    if not may_talk(state, mover, other):
        return _("since its pact Russia talks and trades no more")
    if other not in state.talks:
        return (
            _(
                "talks with {power} are not open: `diplomacy {name}` opens them",
                power=power,
                name=as_spoken(named[0]),
            )
            if state.ap
            else _("you have no action point left to open talks")
        )
    if phrase[0] == TALK:
        return _("talks with {power} are open already", power=power)
    if state.proposals >= MOST_PROPOSALS:
        return _("{count} proposals are as many as a turn has", count=MOST_PROPOSALS)
    return _("neither {power} nor you has anything to give", power=power)


def _searching(state: State, called: Sequence[str]) -> str:
    """The same of a search."""
    if len(called) != 1:
        return ""
    city = CITY_NAMED[called[0]]
    name = words.city(city)
    if not state.police_in(state.power, city):
        return _("you have no police in {city}", city=name)
    if city in state.searched:
        return _("{city} has been searched in this turn", city=name)
    if not enemies(state, state.power, city):
        return _("no spy of another player is in {city}", city=name)
    if state.stage > SEARCH_STAGE:
        return _("searches come before what spies do")
    return ""


def _standing(state: State, spy: SpyId, name: str, phrase: Sequence[str]) -> str:
    """The same of a spy on the map."""
    piece = state.spies[spy]
    capital, here = CAPITALS[piece.power], words.city(piece.city)
    if "cash".startswith(phrase[0]):
        if state.carried(spy) is None:
            return _("{name} carries no secret", name=name)
        return (
            "" if piece.city == capital else _("secrets are cashed in {city} only", city=words.city(capital))
        )
    goals = [CITY_NAMED[city] for word in phrase[1:] for city in cities_called(word)]
    moves = phrase[0] in SPY_CODED or "move".startswith(phrase[0])
    if moves and len(goals) == 1 and not {(piece.city, goals[0])} & (BY_RAIL | BY_AIR):
        return _("no railway or airline leads from {here} to {city}", here=here, city=words.city(goals[0]))
    if moves and not state.spaces(spy):
        return _("{name} has no spaces left", name=name)
    return _("{name} can do nothing in {here}", name=name, here=here) if len(phrase) == 1 else ""


_NAMED: Final = 6
_CELLS: Final = 66
"""The most answers that a refusal names: they fit three rows of a small screen."""


def offered(view: View[State]) -> dict[str, Move]:
    """By what is typed, every option that breaks no rule by all that the player knows; few enough to list."""
    if not isinstance(view.decision, Choose) or isinstance(view.decision.options, Layings | Proposals):
        return {}
    state = now(view)
    by_word: dict[str, Move] = {}
    for option in true_options(view):
        by_word.setdefault(word_for(state, view.known, option), option)
    return by_word


def forced(view: View[State]) -> Decided | None:
    """The present decision, if what the player holds leaves no choice: its program makes it."""
    if isinstance(view.decision, Commit):
        return due_commit(now(view), view.decision, view.known)
    by_word = offered(view)
    return next(iter(by_word.values())) if len(by_word) == 1 and _FACTS & set(by_word) else None


_FACTS: Final = frozenset(
    ("captured", "free", "genuine", "counterspy", "survives", "cousin", mark("not cousin"))
)
"""Answers about what cards show: a false one would be refused."""


def read(view: View[State], typed: str) -> Decided | PlannedAnswers:
    """The decision that `typed` means, with the answers planned behind it.  Raises Misunderstood."""
    phrase = tokens(typed)
    if laying.is_asked(view):
        return laying.read(view, phrase)
    if isinstance(view.decision, Commit):
        return _laid(view, view.decision, phrase)
    if not isinstance(view.decision, Choose):
        raise NotPossible(_("There is nothing to decide now."))
    if isinstance(view.decision.options, Layings):
        return _spread(view.decision.options, phrase)
    if isinstance(view.decision.options, Proposals):
        return proposals.read(view, view.decision.options, phrase)
    if kind(view) == "accept" and "all" in phrase:
        return _none_of_this_turn(view, phrase)
    by_word = offered(view)
    phrase = by_number(_aliased(tokens(unpriced(typed))), by_word)
    meant = _meant(view, phrase, by_word)
    if len(meant) == 1:
        return by_word[meant[0]]
    if len(meant) > 1:
        raise Ambiguous(_("“{typed}” could be {several}.", typed=escape(typed, 40), several=_several(meant)))
    begun = going_on(phrase, list(by_word)) if phrase else []
    if begun:
        raise Ambiguous(
            _(
                "“{typed}” says too little. You could say {several}.",
                typed=escape(typed, 40),
                several=_several(begun),
            )
        )
    planned = _several_moves(view, phrase) or _several_cities(view, phrase) or _several_chits(view, phrase)
    if planned is not None:
        return planned
    near = _near(phrase, by_word)
    why = reason(view, phrase) if DONE in by_word else ""
    could = _(" You could say {several}.", several=_several(near or list(by_word))) if near or not why else ""
    raise Unknown(
        _("“{typed}” is not possible now: {why}.{could}", typed=escape(typed, 40), could=could, why=why)
        if why
        else _("“{typed}” is not possible now.{could}", typed=escape(typed, 40), could=could)
    )


def _none_of_this_turn(view: View[State], phrase: Sequence[str]) -> PlannedAnswers:
    """To decline the offer, and all that come in the same turn.  Raises NotPossible for other words."""
    if not any(DECLINE.startswith(word) for word in phrase if word != "all"):
        raise NotPossible(
            _("Each offer is accepted by itself; {all} declines them all.", all=as_spoken(DECLINE_ALL))
        )
    turn = _turn(view)
    return PlannedAnswers(DECLINE, again=lambda later: kind(later) == "accept" and _turn(later) == turn)


def _turn(view: View[State]) -> tuple[int, Power]:
    """The year, and the power whose turn it is: together they come once in a game."""
    state = now(view)
    return state.year, state.power


def _several_moves(view: View[State], phrase: Sequence[str]) -> PlannedAnswers | None:
    """The moves of a spy to a city further away, or through cities that are named; None for another line."""
    if kind(view) != "turn":
        return None
    spy, *named = phrase[bool(phrase) and "move".startswith(phrase[0]) :] or [""]
    cities = [cities_called(word) for word in named]
    if spy not in SPY_CODED or not cities or any(len(called) != 1 for called in cities):
        return None
    way = tuple(CITY_NAMED[called[0]] for called in cities)
    if len(way) > 1:
        moves = reach.moves(view, SPY_CODED[spy], way)
        return PlannedAnswers(moves[0], moves[1:]) if moves else None
    way = reach.ways(view, SPY_CODED[spy]).get(way[0], ())
    moves = reach.moves(view, SPY_CODED[spy], way)
    return PlannedAnswers(moves[0], moves[1:], line=as_spoken(moving(spy, way))) if moves else None


def _several_cities(view: View[State], phrase: Sequence[str]) -> PlannedAnswers | None:
    """The places of the next secrets or spies, in their order; None for another line."""
    asked, state = kind(view), now(view)
    if asked not in ("secret", "place") or len(phrase) < 2:
        return None
    called = [cities_called(word) for word in phrase]
    if any(len(names) != 1 for names in called):
        return None
    cities = [CITY_NAMED[names[0]] for names in called]
    if asked == "secret":
        left = sum((lying.owner, lying.where) == (state.power, "reserve") for lying in state.secrets)
        possible = len(set(cities)) == len(cities) and set(cities) <= {*free_cities(state, state.power)}
    else:
        left = sum((spy.power, spy.where) == (state.power, "reserve") for spy in state.spies)
        there = [piece.city for _code, piece in state.own(state.power)]
        abroad = sum(state.territory[city] != state.power for city in (*there, *cities))
        possible = abroad <= ABROAD
    moves = tuple(at_city(city) for city in cities)
    return PlannedAnswers(moves[0], moves[1:]) if possible and len(moves) <= left else None


def _several_chits(view: View[State], phrase: Sequence[str]) -> PlannedAnswers | None:
    """Chits that go back in one line; None for another line."""
    if kind(view) != "return" or len(phrase) < 2:
        return None
    state = now(view)
    held = next(hand for hand in state.hands if len(hand) > HAND)
    left, moves = list(held), list[Move]()
    for word in phrase[phrase[0] == "return" :]:
        named = starting(word, CHIT_NAMES)
        kinds = {CHIT_NAMES.index(name) for name in ([word] if word in CHIT_NAMES else named)}
        slot = next((slot for slot in left if kinds == {view.known.get(slot)}), None)
        if slot is None:
            return None
        left.remove(slot)
        moves.append(f"return {slot}")
    return PlannedAnswers(moves[0], tuple(moves[1:])) if len(left) >= HAND else None


def moving(spy: str, way: Sequence[City]) -> str:
    """The line, in English, that takes a spy through these cities."""
    return " ".join((spy, *(NAMES[city] for city in way)))


def _meant(view: View[State], phrase: list[str], by_word: Mapping[str, Move]) -> list[str]:
    """The typed answers; of a letter or two, all answers that begin so."""
    if kind(view) == "stand":
        all_of_them = in_any_order(phrase, list(by_word), ended=True) if phrase else []
        return [word for word in all_of_them if len(word.split(" ")) == len(phrase)]
    meant = matching(phrase, by_word) or only_one(phrase, by_word)
    whole = any(word.split(" ")[-len(phrase) :] == phrase for word in meant)
    if not meant or whole or len("".join(phrase)) >= CLEAR:
        return meant
    return list(dict.fromkeys((*meant, *going_on(phrase, list(by_word)))))


def _near(phrase: Sequence[str], by_word: Mapping[str, Move]) -> list[str]:
    """The answers that go on from as many of the first words as any does, or name the spy that is named."""
    begun = [going_on(phrase[:end], list(by_word)) for end in range(len(phrase), 0, -1)]
    begun += [going_on([word], list(by_word)) for word in phrase if word in SPY_CODED]
    return next(filter(None, begun), [])


def _aliased(phrase: list[str]) -> list[str]:
    return [DONE] if phrase in (["end"], ["pass"], ["stop"]) else phrase


def _several(words: list[str]) -> str:
    shown = [as_spoken(word) for word in words[:_NAMED]]
    while len(shown) > 1 and cells(", ".join(shown)) > _CELLS:
        del shown[-1]
    left = len(words) - len(shown)
    return series([*shown, n_("{count} more", "{count} more", left)] if left > 0 else shown)


def _laid(view: View[State], decision: Commit, phrase: list[str]) -> tuple[Face, ...]:
    """Faces for the slots of a Commit: spies by name, or a secret number of pounds."""
    due = due_commit(now(view), decision, view.known)
    if due is not None:
        return due
    if not decision.exactly:
        if len(phrase) != 1 or not phrase[0].isdigit() or not 0 <= int(phrase[0][:4]) <= MOST:
            raise Unknown(_("Type a number of pounds, 0 to {most}.", most=MOST))
        return digits(int(phrase[0]))
    faces = [_face(view, word) for word in phrase]
    if sorted(faces) != sorted(decision.faces):
        raise NotPossible(
            _("Type all of these once, in your order: {wanted}.", wanted=" ".join(wanted(view, decision)))
        )
    return tuple(faces)


def wanted(view: View[State], decision: Commit) -> list[str]:
    """The names of spies that a Commit of exactly these faces has to name."""
    names = spy_names(now(view).power)
    return [names[face] for face in decision.faces]


def _face(view: View[State], word: str) -> Face:
    names = spy_names(now(view).power)
    faces = [face for face, name in enumerate(names) if name.startswith(word)]
    if len(faces) == 1:
        return faces[0]
    raise Unknown(_("“{word}” is none of yours.", word=word[:24]))


def _spread(options: Layings, phrase: list[str]) -> Move:
    """Cities with numbers of police: "berlin 2 hamburg", "berlin berlin hamburg"."""
    cities: list[str] = []
    for word in phrase:
        if word.isdigit():
            if not cities or not 1 <= int(word[:2]) <= options.units:
                raise Unknown(
                    _(
                        "Type each city with the number of police there, such as {example}.",
                        example=as_spoken("berlin 2 hamburg 1"),
                    )
                )
            cities += cities[-1:] * (int(word) - 1)
            continue
        cities_meant = cities_called(word)
        if len(cities_meant) != 1:
            raise Unknown(_("“{word}” is no city, or several.", word=word[:24]))
        cities += cities_meant
    move = lay(options.power, sorted(CITY_NAMED[name] for name in cities))
    if move in options:
        return move
    raise NotPossible(
        _(
            "Name {units} places: at most two police in a city of yours with a police sign, "
            "and at most one in all in your other cities.",
            units=options.units,
        )
    )
