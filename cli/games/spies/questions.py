"""The questions of SPIES!; this module is `cli.games.interface.Questions`."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from cli.games.interface import Choice, Decided, Players, Question, ViewContext
from cli.games.spies import laying, proposals, ready_made
from cli.games.spies.answers import kind, kind_of, offered, read, wanted
from cli.games.spies.chain import answering, arrived, chain, landing_cost, sea_rolled, spy_sentence
from cli.games.spies.cities import as_spoken, starting
from cli.games.spies.knowledge import price
from cli.games.spies.names import DECLINE_ALL, DONE, going_on, in_any_order, tokens, word_for
from cli.text.layout import series
from p2p_stratego.core.game import Ask, Choose, Claim, ClaimOneOf, Commit, Mix, Open, Roll, Together
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.view import View
from p2p_stratego.spies.formats import words
from p2p_stratego.spies.rules.atlas import CODES, NAMES, POWERS, SEA_NAMES, SIGNED
from p2p_stratego.spies.rules.counters import CHIT_NAMES, HAND, SPACES, spy_names
from p2p_stratego.spies.rules.notation import ACCEPT, AGAIN, END
from p2p_stratego.spies.rules.observation import secret_face, spy_face
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import POLICE_STAGE, SEARCH_STAGE, State, spy_code
from p2p_stratego.spies.rules.turn.actions import PROPOSE
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    if isinstance(ask, Open):
        return _("A card is being turned up.")
    if isinstance(ask, Roll):
        return _("The die of the sea is being rolled together.")
    if isinstance(ask, Claim | ClaimOneOf):
        return _behind(chain(view), _("{name} proves what it said.", name=players.names[ask.seat]))
    if isinstance(ask, Together):
        late = series([players.names[part.seat] for part in ask.asks])
        if view.state.phase == "talk":
            talks = _("The talks before {year} end when all are ready", year=view.state.year)
            if len(ask.asks) == 1:
                return _("{talks}; {late} is not yet.", talks=talks, late=late)
            return (
                _(
                    "{talks}; words still to come, in this order: {late}.", talks=talks, late=late
                )  # the first one holds the others back
            )
        return _("All bid for Russia; waiting for {late}.", late=late)
    if isinstance(ask, Mix):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    if isinstance(ask, Choose):
        return _(
            "{about}{name} {doing}.",
            about=_about(view, ask),
            name=players.names[ask.seat],
            doing=_doing(view, ask),
        )
    if isinstance(ask, Commit):
        return f"{players.names[ask.seat]} {_laying(now(view), ask)}."
    return _("Cards are being dealt or shown: every step is proved.")


def _laying(state: State, ask: Commit | Mix) -> str:
    """The pieces that another player lays in secret."""
    if isinstance(ask, Mix):
        return _("lays the police of {power}", power=words.power(state.power))
    if not ask.exactly:
        return _("lays its pounds")
    pieces = _("spies") if 0 in ask.faces else _("police")
    return _("lays the {what} of {power}", what=pieces, power=words.power(state.power))


def _about(view: View[State], ask: Choose) -> str:
    """The facts behind the decision, in sentences; "" if nothing has just happened."""
    if isinstance(ask.options, Layings | Proposals):
        return ""
    asked = kind_of({option.split(" ")[0] for option in ask.options}, now(view))
    if asked == "arrival":
        return _behind(arrived(view))
    return _behind(chain(view)) if asked in ("answer", "fact", "seize") else ""


def _behind(sentence: str, more: str = "") -> str:
    """Sentences with a space behind them, if there are any, and more sentences."""
    return f"{sentence} {more}" if sentence else more


def _doing(view: View[State], ask: Choose) -> str:
    """The decision of another player, and its subject."""
    state = now(view)
    power = words.power(state.power)
    if isinstance(ask.options, Layings):
        return _("lays the police of {power}", power=power)
    if isinstance(ask.options, Proposals):
        return _("composes a proposal")
    first = {option.split(" ")[0] for option in ask.options}
    asked = kind_of(first, state)
    if asked == "accept" and (proposal := proposals.proposed(view)) is not None:
        given, wanted, maker, other = proposal
        return _(
            "thinks about an offer: {power} gives {given}; {power2} gives {wanted}",
            power=words.power(maker),
            given=given,
            power2=words.power(other),
            wanted=wanted,
        )
    if asked == "turn":
        return _(
            "is to move: {power}, {counted}",
            power=power,
            counted=n_("{count} point", "{count} points", state.ap),
        )
    if asked == "answer" and state.report:
        return _("is asked for {get}", get=_(_ANSWERS.get(state.report[-1].kind, mark("an answer"))))
    if asked == "return":
        held = max(map(len, state.hands))
        return _("chooses what goes back: of {held} chits, {held2}", held=held, held2=held - HAND)
    if asked == "stay":
        sea, rolled = sea_rolled(view)
        return _(
            "is in the {sea} sea with {spy_told}: it rolled {rolled}",
            sea=words.sea(SEA_NAMES.index(sea)),
            spy_told=spy_sentence(view, state.mover),
            rolled=rolled,
        )
    city = words.city(state.searched[-1]) if state.searched else ""
    return _(_DOES.get(asked, mark("decides")), power=power, city=city)


_ANSWERS: Final[Mapping[str, str]] = {
    "searches": mark("Papers or an Escape"),
    "discovers": mark("a Cover or a Double-cross"),
    "sanctions": mark("a Cover, an Escape or a Double-cross"),
    "drops": mark("an Intercept"),
    "tries to escape": mark("a Double-cross"),
    "plays": mark("a Double-cross"),
}
"""By the last event: the chits that could answer it."""
_DOES: Final[Mapping[str, str]] = {
    "secret": mark("lays the secrets of {power}"),
    "place": mark("lays the spies of {power}"),
    "stand": mark("lays the police of {power}"),
    "tile": mark("chooses a tile for {power}"),
    "whom": mark("chooses whom the police of {power} search in {city}"),
    "arrival": mark("decides whether to search it"),
    "seize": mark("decides whether to take the secret of the victim"),
    "hand": mark("chooses chits to hand over"),
    "pay": mark("pays for Russia"),
    "ready": mark("composes a proposal"),
    "give": mark("composes a proposal"),
    "want": mark("composes a proposal"),
    "fact": mark("compares cards in private"),
}


__all__ = ["choices", "kind", "question", "read", "reveals", "spoken", "waiting", "warnings"]


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it."""
    asked = kind(view)
    if not asked:
        return None
    put = _QUESTIONS.get(asked)
    simple = _SIMPLE.get(asked)
    asked_now = put(view, players) if put is not None else None
    if asked_now is None and simple is not None:
        asked_now = Question(_(simple.text), _(simple.how))
    if asked_now is None or asked not in ready_made.KINDS:
        return asked_now
    return replace(asked_now, proposes=True, tells_enter=asked != "talk")  # of talks "ready" is told


def _power(view: View[State]) -> str:
    return words.power(now(view).power)


def _secret(view: View[State], _unused: Players) -> Question:
    state = now(view)
    own = [
        (number, lying.city < 0) for number, lying in enumerate(state.secrets) if lying.owner == state.power
    ]
    left = [number for number, open_ in own if open_]
    face = secret_face(state, left[0], view.known)
    content = _("closed") if face is None else words.content(face)
    if len(left) == len(own):
        return Question(
            _(
                "{power} hides its {count} secrets; the first is {content}. Most players let the program "
                "propose a laying: Enter.",
                power=_power(view),
                count=len(own),
                content=content,
            ),
            _("one of your cities, or one for each secret in turn"),
        )
    return Question(
        _(
            "{power} hides a secret, {content}; {left} to hide. In which city?",
            power=_power(view),
            content=content,
            left=len(left),
        ),
        _("a city of yours"),
    )


def _police(view: View[State], _unused: Players) -> Question:
    decision = view.decision
    faces = sorted(decision.faces, reverse=True) if isinstance(decision, Commit) else []
    units = " ".join(map(str, faces))
    return Question(
        _(
            "{power} posts its police, {units}: where, and on which secrets?",
            power=_power(view),
            units=units,
        ),
        _("cities and strengths: “{example}”", example=laying.example(view)),
    )


def _lay(view: View[State], _unused: Players) -> Question:
    state = now(view)
    units = state.police[state.power]
    order = " ".join(str(view.known.get(unit.slot, "?")) for unit in units)
    return Question(
        _(
            "Where do the police of {power} stand? Their strengths in order: {order}.",
            power=_power(view),
            order=order,
        ),
        _("each city with a number, such as {example}", example=as_spoken("berlin 2 hamburg 1")),
    )


def _spies(view: View[State], _unused: Players) -> Question:
    code = CODES[now(view).power]
    return Question(
        _(
            "Which spy of {power} is {code}1, which {code}2, and so on? Others see the numbers only.",
            power=_power(view),
            code=code,
        ),
        _("all names, such as {spy_names}", spy_names=as_spoken(" ".join(spy_names(now(view).power)))),
    )


def _place(view: View[State], _unused: Players) -> Question:
    state = now(view)
    at = next(
        number
        for number, piece in enumerate(state.spies)
        if piece.power == state.power and piece.where == "reserve"
    )
    spy = words.spy(at, spy_face(state, at, view.known))
    if not any(True for _piece in state.own(state.power)):
        return Question(
            _(
                "Where do the spies of {power} begin, at most four of them abroad? The first is {spy}.",
                power=_power(view),
                spy=spy,
            ),
            _("a city for this spy, or one for each in turn"),
        )
    return Question(_("Where does {spy} begin? At most four begin abroad.", spy=spy), _("a city"))


def _tile(view: View[State], _unused: Players) -> Question:
    return Question(
        _(
            "{year}, {power}: play a tile of this year (1 point) or discard one.",
            year=now(view).year,
            power=_power(view),
        ),
        _("play or discard and its number"),
    )


def _turn(view: View[State], _unused: Players) -> Question:
    state = now(view)
    stage = (
        _("Police, searches, then spies")
        if state.stage < POLICE_STAGE
        else _("Searches, then spies")
        if state.stage <= SEARCH_STAGE
        else _("Spies")
    )
    actions = [word for word in offered(view) if word.startswith(("move", "search", "cash"))]
    how = (
        _("an action, such as {action}, or {done}", action=as_spoken(actions[0]), done=as_spoken(DONE))
        if actions
        else as_spoken(DONE)
    )
    last = state.report[-1] if state.report else None
    trades = [word for word in offered(view) if word.startswith(PROPOSE)]
    if last is not None and last.kind == "diplomacy" and f"{PROPOSE} {POWERS[last.other]}" in trades:
        other = words.power(last.other)
        text = _("{power} listens: now propose {power} a trade.", power=other)
        return Question(
            text, _("{propose}, or another action", propose=as_spoken(f"{PROPOSE} {POWERS[last.other]}"))
        )
    return Question(f"{_power(view)}, {n_('{count} point', '{count} points', state.ap)}: {stage}.", how)


def _whom(view: View[State], _unused: Players) -> Question:
    city = words.city(now(view).searched[-1])
    if isinstance(view.decision, Choose) and END in view.decision.options:
        return Question(
            _("Whom do you search next in {city}?", city=city),
            _("a spy, or {done} for nobody else", done=as_spoken(DONE)),
        )
    return Question(_("Whom do you search in {city}?", city=city), _("a spy"))


def _arrival(view: View[State], _unused: Players) -> Question:
    return Question(
        _("{arrived}, where you have police. Search it?", arrived=arrived(view)[:-1]), _("search or no")
    )


def _answer(view: View[State], _unused: Players) -> Question:
    power = answering(view)
    opening = _("Do you answer") if power is None else _("Does {power} answer", power=words.power(power))
    event = next((event for event in reversed(now(view).report) if event.kind == "drops"), None)
    there = _(" You have a piece there.") if event is not None and event == now(view).report[-1] else ""
    return Question(
        _("{chain}{there} {who}?", chain=chain(view), there=there, who=opening).strip(), _("a chit, or no")
    )


def _sail(view: View[State], _unused: Players) -> Question:
    state, (sea, rolled) = now(view), sea_rolled(view)
    spy, at = spy_sentence(view, state.mover), words.city(state.spies[state.mover].city)
    left = _(
        "{counted} and {counted2} left",
        counted=n_("{count} point", "{count} points", state.ap),
        counted2=n_("{count} space", "{count} spaces", state.spaces(state.mover)),
    )
    again = _("again: a new roll; ") if AGAIN in _options(view) else ""
    return Question(
        _(
            "{spy} has put out to the {sea} sea and rolled {rolled}; {left}. Where does it land?",
            spy=spy,
            sea=words.sea(SEA_NAMES.index(sea)),
            rolled=rolled,
            left=left,
        ),
        _(
            "a port (its points and spaces); {again}{stay}: in {at}",
            again=again,
            stay=as_spoken("stay"),
            at=at,
        ),
    )


def _options(view: View[State]) -> Collection[str]:
    return view.decision.options if isinstance(view.decision, Choose) else ()


def _return(view: View[State], _unused: Players) -> Question:
    state = now(view)
    power = next(power for power, held in enumerate(state.hands) if len(held) > HAND)
    drawn = next((event for event in reversed(state.report) if event.kind == "draws"), None)
    name, number = words.power(power), len(state.hands[power])
    why = "" if drawn is None else _(" has drawn {number} and", number=drawn.numbers[0])
    back = number - HAND
    return Question(
        (
            _(
                "{name}{why} now has {number} chits, and may keep ten: {back} must go back. Which ones?",
                name=name,
                why=why,
                number=number,
                back=back,
            )
            if back > 1
            else _(
                "{name}{why} now has {number} chits, and may keep ten: {back} must go back. Which one?",
                name=name,
                why=why,
                number=number,
                back=back,
            )
        ),
        _("a chit") if back == 1 else _("{count} chits, or one after the other", count=back),
    )


def _accept(view: View[State], players: Players) -> Question:
    proposal = proposals.proposed(view)
    how = _("accept, decline or {all}, for this turn", all=as_spoken(DECLINE_ALL))
    if proposal is None:
        return Question(_("{power} offers a trade. Do you accept?", power=_power(view)), how)
    gives, wants, power, other = proposal
    proposer = players.names[now(view).seat(power)]
    deal = _(
        "{power} gives {gives}; {power2} gives {wants}",
        power=words.power(power),
        gives=gives,
        power2=words.power(other),
        wants=wants,
    )
    return Question(_("{who} offers: {deal}. Do you accept?", who=proposer, deal=deal), how)


def _propose(view: View[State], _unused: Players) -> Question:
    state = now(view)
    other = words.power(state.partner) if state.partner is not None else _("the other")
    return Question(
        _("What does {power} give {other}, and what for?", power=_power(view), other=other),
        _("a trade, such as {example}; a secret with the piece that takes it", example=proposals.example()),
    )


def _fact(view: View[State], _unused: Players) -> Question:
    return Question(_("Say what is so: a false answer would be refused."), series(list(offered(view))))


def _talk(view: View[State], _unused: Players) -> Question:
    return Question(
        _("The talks before {year}: say what you like, and believe what you like.", year=view.state.year),
        _("/ and a message to all, to NAME and one to that player alone; ready ends them for you"),
    )


_QUESTIONS: Final[Mapping[str, Callable[[View[State], Players], Question]]] = {
    "secret": _secret,
    "police": _police,
    "lay": _lay,
    "spies": _spies,
    "place": _place,
    "tile": _tile,
    "turn": _turn,
    "whom": _whom,
    "arrival": _arrival,
    "answer": _answer,
    "stay": _sail,
    "return": _return,
    "accept": _accept,
    "propose": _propose,
    "fact": _fact,
    "talk": _talk,
}

_SIMPLE: Final[Mapping[str, Question]] = {
    "stand": Question(
        mark(
            "On which secrets do the police stand? It is free: under police a counterspy catches weaker "
            "spies. Name the cities where these began; none: on no secret."
        ),
        mark("these cities, or none"),
    ),
    "seize": Question(mark("The victim controlled a secret. Does your spy take it?"), mark("seize or no")),
    "hand": Question(mark("Which chit do you hand over?"), mark("a chit")),
    "bid": Question(
        mark("How much do you bid for Russia? All bids are shown at once."), mark("a number of pounds")
    ),
    "pay": Question(mark("Which of your powers pays how much?"), mark("two numbers")),
    "ready": Question(
        mark("Which secrets are part of it?"), mark("give or want, its city and the piece; or ready")
    ),
    "give": Question(
        mark("Which secrets are part of it?"), mark("give or want, its city and the piece; or ready")
    ),
    "want": Question(
        mark("Which secrets are part of it?"), mark("give or want, its city and the piece; or ready")
    ),
    "pounds": Question(mark("How many pounds? Only you and the other will know."), mark("a number")),
}


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """The choices that begin with the typed text, the most promising first."""
    view: View[State] = context.view
    if laying.is_asked(view):
        return laying.choices(context)
    if isinstance(view.decision, Commit):
        due = wanted(view, view.decision) if view.decision.exactly else []
        return _next_of(due, context.typed)
    if kind(view) == "propose":
        return proposals.choices(context)
    if isinstance(view.decision, Choose) and isinstance(view.decision.options, Layings):
        return _next_of([NAMES[city] for city in SIGNED[now(view).power]], context.typed, again=True)
    phrase = tokens(context.typed)
    price_of = partial(landing_cost, view)
    possible = [*offered(view), *[DECLINE_ALL] * (kind(view) == "accept")]
    lines = sorted(possible, key=lambda word: (_rank(word), price_of(word) or 0))  # else as in the rules
    ended = context.typed.endswith(" ")
    if kind(view) == "stand":
        lines = in_any_order(phrase, sorted(lines, key=lambda word: word != "none"), ended=ended)
    else:
        lines = going_on(phrase, lines, ended=ended)
    abroad = kind(view) == "answer" and answering(view) != now(view).power
    return tuple(Choice(as_spoken(word), _shown(word, price_of(word), free=abroad)) for word in lines)


def _shown(word: str, points: int | None, *, free: bool) -> str:
    """The form of an offered answer: a tile with its name, a chit with its price.

    `points`: its price in points at sea; `free`: whether chits cost pounds alone.
    """
    verb, _, number = word.partition(" ")
    if verb in ("play", "discard") and number.isdigit():
        return f"{verb} {words.tile(int(number))}"
    if verb not in CHIT_NAMES:
        text = as_spoken(number if verb in _UNSAID else word)
        return text if points is None else f"{text} ({points})"
    cost = price(CHIT_NAMES.index(verb))
    return f"{as_spoken(word)} {cost.partition('/')[0] if free else cost}"


_UNSAID: Final = ("land", "hand", "return", "bid", "pay")
"""Verbs that the question names; they need not be typed."""


def _next_of(parts: list[str], typed: str, *, again: bool = False) -> tuple[Choice, ...]:
    """The typed words and one of `parts`; each may be named once, unless `again`."""
    phrase = typed.lower().split()
    begun = "" if not phrase or typed.endswith(" ") else phrase.pop()
    left = list(parts)
    for word in phrase:
        if not again and word in left:
            left.remove(word)
    start = "".join(f"{word} " for word in phrase)
    return tuple(
        Choice(as_spoken(start + part), as_spoken(part)) for part in dict.fromkeys(starting(begun, left))
    )


_USEFUL: Final = (
    *("cash", "play", "discovery", "search", "seize", "accept", "propose"),
    *("move", "take", "sail", "escape"),
)


def _rank(word: str) -> int:
    verb = word.split(" ", 1)[0]
    if word in (DONE, "no", "none", "stay", "decline", AGAIN):
        return len(_USEFUL) + 1
    if word == DECLINE_ALL:
        return len(_USEFUL) + 2
    return _USEFUL.index(verb) if verb in _USEFUL else len(_USEFUL)


def warnings(view: View[State], decided: Decided, *, settled: bool = True) -> list[str]:
    """A gift for nothing is asked about twice; no choice that is offered breaks a rule."""
    del settled
    if decided == ACCEPT and proposals.one_sided(view):
        return [_("You give something, and get nothing for it.")]
    return []


def spoken(view: View[State], decided: Decided) -> str:
    """The decision as the object of a sentence."""
    if not isinstance(decided, str):
        return _("what is laid")
    return as_spoken(word_for(now(view), view.known, decided))


def reveals(view: View[State] | None, text: str) -> bool:
    """Whether a message reads as a move: it begins with a piece, or a verb of this game and a piece."""
    del view
    phrase = tokens(text)
    pieces = {spy_code(spy) for spy in range(len(POWERS) * SPACES)}
    return bool(phrase) and (phrase[0] in pieces or (len(phrase) > 1 and phrase[1] in pieces))
