"""The lesson of SPIES!: one year with three spies, Germany against France, with a coach beside the learner.

The decks lie in an order that all know (allocation `lesson`), so that the year has what it is to show: a spy
caught, a secret found and carried home, a search survived.  The coach reads the learner's view alone, and
goes on from whatever was decided.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final, NamedTuple

from p2p_stratego.core.game import Choose, Commit, Face, Move
from p2p_stratego.core.language import _, mark, n_
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.narration import listed
from p2p_stratego.core.view import Chance, View
from p2p_stratego.spies.bots.agent import Agent
from p2p_stratego.spies.formats.words import chit, city, content, pounds, spy, tile
from p2p_stratego.spies.rules import notation, reach
from p2p_stratego.spies.rules.atlas import (
    CAPITALS,
    CITY_NAMED,
    CODES,
    FRANCE,
    GERMANY,
    HAVENS,
    NAMES,
    SIGNED,
    City,
)
from p2p_stratego.spies.rules.counters import (
    CASH,
    CHIT_NAMES,
    DISCOVERY,
    ESCAPE,
    KINDS,
    PAPERS,
    REWARD,
    SPIES,
)
from p2p_stratego.spies.rules.observation import hand, secret_face, true_options
from p2p_stratego.spies.rules.police import Layings
from p2p_stratego.spies.rules.state import Event, SpyId, State, spy_code
from p2p_stratego.spies.rules.turn.actions import searchable
from p2p_stratego.spies.rules.turn.trade import Proposals
from p2p_stratego.spies.rules.underway import now

PLACES: Final = ("strasbourg", "paris", "vienna", "berlin", "berlin")
"""Where the coach has the learner's spies begin."""
TILE: Final = 2
"""The tile that it has the learner play: it pays the spy in Vienna."""
_HIDDEN: Final = ("strasbourg", "paris", "lille", "lyons", "marseilles", "bordeaux")
"""Where the tutor hides its secrets, in the order in which they are dealt."""
_POSTS: Final = {"paris": (4, 3), "lille": (1,), "lyons": (2,), "marseilles": (2,)}
"""The tutor's police by city, in the order of the map."""
_AT_HOME: Final = ("paris", "lyons", "bordeaux", "lille")
"""Where the tutor's other spies begin."""
_WEAKEST_FIRST: Final[tuple[Face, ...]] = (3, 2, 1, 0, 4)


class Tutor:
    """Plays France by a script: it guards Paris, sends its weakest spy to the learner's police, and searches.

    It answers nothing; where the script has no word, the agent decides.
    """

    def __init__(self, chance: Chance) -> None:
        self._agent = Agent(chance)

    def decide(self, view: View[State]) -> Move | tuple[Face, ...]:
        """The decision of the script."""
        asked, state = view.asked, now(view)
        if isinstance(asked, Commit):
            posts = tuple(strength for units in _POSTS.values() for strength in units)
            return _WEAKEST_FIRST if 0 in asked.faces else posts
        if isinstance(asked.options, Layings):
            return notation.lay(
                FRANCE, [CITY_NAMED[name] for name, units in _POSTS.items() for _unit in units]
            )
        if isinstance(asked.options, Proposals):
            return self._agent.decide(view)
        return next(_scripted(state, true_options(view)), None) or self._agent.decide(view)


def _scripted(state: State, options: list[Move]) -> Iterator[Move]:
    """What the tutor would choose of these options, the dearest first."""
    laid = sum(lying.owner == FRANCE and lying.where == "map" for lying in state.secrets)
    if state.phase == "secrets":
        yield from (move for name in _HIDDEN[laid:] if (move := notation.words("at", name)) in options)
    elif state.phase == "spies":
        yield _sent(state)
    elif state.phase == "police":
        yield from (move for move in options if move == notation.stand(()))
    elif state.phase == "turn":
        kinds = (notation.SEARCH + " ", "fr", "ge", notation.END, notation.NO_ANSWER, notation.DECLINE)
        yield from (move for kind in kinds for move in options if move.startswith(kind))


def _sent(state: State) -> Move:
    """The next spy's city: the first one goes where most of the learner's police stand."""
    placed = len([*state.own(FRANCE)])
    if placed:
        return notation.words("at", _AT_HOME[placed - 1])
    units = [unit.city for unit in state.police[GERMANY]]
    return notation.city(max(SIGNED[GERMANY], key=lambda at: (units.count(at), -at)))


def gives_up(view: View[State]) -> bool:
    """Whether the lesson is over when the tutor is asked: it has searched in its turn, or it cannot."""
    state = now(view)
    between = state.phase == "turn" and state.power == FRANCE and not view.since
    return between and (bool(state.searched) or not searchable(state, FRANCE))


def _answers(view: View[State]) -> bool:
    """Whether the tutor is asked in the learner's turn: then it answers soon."""
    state = now(view)
    return state.phase == "turn" and state.power == GERMANY


# What to do


class Step(NamedTuple):
    """The next thing that the coach proposes."""

    text: str
    line: str | None
    """What is typed for it; "": Enter proposes it, and Enter sends it; None: whatever the learner likes."""


def coach(view: View[State]) -> str:
    """The coach's text for the learner, who runs Germany."""
    if view.state.ended is not None or (view.decision is None and gives_up(view)):
        return _praise(now(view))
    state = now(view)
    texts = [*_came(state, view)]
    if view.decision is None:
        return "\n".join(texts)
    step = _step(view, state)
    if step.line:
        texts = [*texts, step.text, _("Type {line}", line=step.line)]
    else:
        enter = [_("Press Enter for a proposal, and Enter again to send it.")] * (step.line is not None)
        texts = [*texts, step.text, *enter]
    return "\n".join(texts)


def line(view: View[State]) -> str:
    """The line that the coach has the learner type now; "" where Enter proposes one, or all are welcome."""
    over = view.state.ended is not None or view.decision is None
    return "" if over else _step(view, now(view)).line or ""


def _step(view: View[State], state: State) -> Step:
    """The proposal in the present question."""
    if state.phase == "turn" and isinstance(view.decision, Choose):
        options = (
            [*view.decision.options] if not isinstance(view.decision.options, Layings | Proposals) else []
        )
        if state.power == GERMANY and notation.END in options and not view.since:
            return _action(view, state, options)
        return _answer(view, state)
    return _BEFORE[state.phase if state.phase in _BEFORE else "tile"](view, state)


def _secrets(_view: View[State], _state: State) -> Step:
    return Step(
        _(
            "You are Germany, against France, in 1933. First hide your secrets, one in a city: those at home "
            "count in the end, and a counterspy bites whoever comes for it."
        ),
        "",
    )


def _police(_view: View[State], _state: State) -> Step:
    return Step(
        _("Now your police. They search the city where they stand, and catch each spy weaker than they are."),
        "",
    )


def _spies(view: View[State], state: State) -> Step:
    if isinstance(view.decision, Commit):
        return Step(
            _("Your five spies get numbers. Others see the number, and you alone the name behind it."), ""
        )
    placed = len([*state.own(GERMANY)])
    abroad = sum(state.territory[piece.city] != GERMANY for _code, piece in state.own(GERMANY))
    left = [name for name in PLACES[placed:] if abroad < 4 or name == PLACES[-1]]
    return Step(
        _(
            "Three spies go abroad: to Strasbourg, where something may be hidden; to Paris; and to Vienna, "
            "which your tile pays. The others stay at home."
        ),
        _typed(*(left or [PLACES[-1]])),
    )


def _tile(view: View[State], state: State) -> Step:
    drawn = any(view.known.get(slot) == TILE for slot in state.tiles[GERMANY])
    if drawn and any(piece.city == CITY_NAMED[PLACES[2]] for _code, piece in state.own(GERMANY)):
        return Step(
            _(
                "Each turn begins with a tile. {tile} pays each spy abroad that stands in its cities: yours "
                "in Vienna draws two chits.",
                tile=tile(TILE),
            ),
            f"play {TILE}",
        )
    return Step(_("Each turn begins with a tile; it pays the spies that stand in its cities."), "")


_BEFORE: Final = {"secrets": _secrets, "police": _police, "spies": _spies, "tile": _tile}


def _typed(*names: str) -> str:
    """Cities as they are typed."""
    return " ".join(city(CITY_NAMED[name]).lower() for name in names)


def _action(view: View[State], state: State, options: list[Move]) -> Step:
    """A search, a secret brought home, one on its way, one found, one to go for; else the end of the turn."""
    for move in options:
        if move.startswith(notation.SEARCH + " "):
            at = CITY_NAMED[move.split(" ")[1]]
            text = _(
                "A French spy stands in {city}, before your police. Searches come first, and cost a point.",
                city=city(at),
            )
            return Step(text, f"search {_typed(NAMES[at])}")
    carriers = [
        agent
        for agent, _piece in state.own(GERMANY)
        if (load := state.carried(agent)) is not None and state.secrets[load].owner != GERMANY
    ]
    for agent in carriers:
        if f"cash {spy_code(agent)}" in options:
            text = _(
                "It is home. Cash the secret: {pounds}, a chit, and points on your record.",
                pounds=pounds(CASH),
            )
            return Step(text, f"cash {spy_code(agent)}")
        if way := _way(state, agent, CAPITALS[GERMANY]):
            text = n_(
                "Now home to Berlin: {count} point. On a screen, its name alone lights the cities in its "
                "reach.",
                "Now home to Berlin: {count} points. On a screen, its name alone lights the cities in its "
                "reach.",
                len(way),
            )
            return Step(text, f"{spy_code(agent)} {_typed(*(NAMES[city] for city in way))}")
    home = any(lying.where == "cashed" and lying.by == GERMANY for lying in state.secrets)
    return (None if home else _found(view, state, options)) or Step(
        _("That was your turn: France is next. Keep an answer ready: it may search your spies."), "done"
    )


def _found(view: View[State], state: State, options: list[Move]) -> Step | None:
    """A Discovery, or the way to one; None if there is none to be had in this turn."""
    aims = [
        (move.split(" ")[2], CITY_NAMED[move.split(" ")[3]])
        for move in options
        if move.startswith(CHIT_NAMES[DISCOVERY]) and view.known.get(int(move.split(" ")[1])) == DISCOVERY
    ]
    if aims:
        code, at = min(aims, key=lambda aim: (aim[1] != CITY_NAMED[PLACES[0]], aim[0]))
        text = _(
            "{spy} stands where a secret lies. A Discovery looks at it, for {pounds} and two points: it is "
            "yours if it is genuine; a counterspy bites.",
            spy=code,
            pounds=pounds(KINDS[DISCOVERY].pounds),
        )
        return Step(text, f"{chit(DISCOVERY).lower()} {code} {_typed(NAMES[at])}")
    if DISCOVERY not in hand(state, GERMANY, view.known) or state.money[GERMANY] < KINDS[DISCOVERY].pounds:
        return None
    ways = [
        (way, agent)
        for agent, _piece in state.own(GERMANY)
        if state.carried(agent) is None
        for lying in state.secrets
        if lying.where == "map" and lying.by is None and lying.owner not in (GERMANY, None)
        if (way := _way(state, agent, lying.city))
        and len(way) + KINDS[DISCOVERY].points <= state.ap
        and lying.city == way[-1]
    ]
    if not ways:
        return None
    way, agent = min(ways, key=lambda choice: (len(choice[0]), choice[1]))
    text = _(
        "No spy of yours stands where a foreign secret lies, but {spy} can get to one: the numbers on the "
        "map are the points that takes.",
        spy=spy_code(agent),
    )
    return Step(text, f"{spy_code(agent)} {_typed(*(NAMES[city] for city in way))}")


def _way(state: State, agent: SpyId, goal: City) -> tuple[City, ...]:
    """The shortest way by link to a city, as far as it can be gone in this turn; () for none."""
    return reach.ways(state, agent, len(NAMES)).get(goal, ())[: reach.in_a_turn(state, agent)]


def _answer(view: View[State], state: State) -> Step:
    """Whom to search, or an answer to a search; in all other questions the learner is free."""
    options = true_options(view)
    spies = [move for move in options if move[:-1] == CODES[FRANCE]]
    if spies:
        return Step(_("Whom do they search? The French see your police, and you see the spy."), spies[0])
    if notation.SEARCH in options:
        return Step(_("A French spy comes where you have police: search it, it costs nothing now."), "search")
    if notation.NO_ANSWER not in options:
        return Step(_("Here you are free: all that is offered is allowed."), None)
    held = hand(state, GERMANY, view.known)
    if PAPERS in held and any(move.startswith(CHIT_NAMES[PAPERS]) for move in options):
        text = _(
            "France searches your spy. Papers in order, for {pounds}, and it goes free.",
            pounds=pounds(KINDS[PAPERS].pounds),
        )
        return Step(text, chit(PAPERS).lower())
    if ESCAPE in held and any(move.startswith(CHIT_NAMES[ESCAPE]) for move in options):
        text = _("France searches your spy. You have no Papers, but an Escape takes it to a haven.")
        return Step(text, f"{chit(ESCAPE).lower()} {_typed(NAMES[HAVENS[0]])}")
    return Step(_("Nothing has to be answered here: keep your chits."), "no")


# What came


def _came(state: State, view: View[State]) -> Iterator[str]:
    """What happened last, as far as there is something to learn from it."""
    papers = False
    for event in state.report:
        papers = papers or (event.kind, event.power, event.face) == ("plays", GERMANY, PAPERS)
        teller = _TOLD.get(event.kind)
        if teller is not None:
            yield from filter(None, [teller(event, state, view)])
    if papers and any(event.kind == "searches" for event in state.report):
        yield _("The search is survived: your papers are in order. Well done!")


def _caught(event: Event, _state: State, _view: View[State]) -> str:
    name = spy(event.spy, event.face)
    if event.power == GERMANY:
        return _(
            "Caught! {spy} sits in your prison, for {pounds} and a chit.", spy=name, pounds=pounds(REWARD)
        )
    return _("{spy} is caught. Next time answer with Papers, or move on in time.", spy=name)


def _strong(event: Event, _state: State, _view: View[State]) -> str:
    return (
        _("{spy} is as strong as your police, or stronger: it goes free.", spy=spy_code(event.spy))
        if event.power == GERMANY
        else _("{spy} is too strong for the French police: it goes free. Well done!", spy=spy_code(event.spy))
    )


def _controls(event: Event, state: State, view: View[State]) -> str:
    if event.power != GERMANY:
        return ""
    face = secret_face(state, event.secret, view.known)
    return (
        ""
        if face is None
        else _("Found: {content}! {spy} carries it now.", content=content(face), spy=spy_code(event.spy))
    )


def _bit(_event: Event, _state: State, _view: View[State]) -> str:
    return _("A counterspy! It is out of the game now, and may have taken your spy with it.")


def _cashed(event: Event, state: State, _view: View[State]) -> str:
    if event.power != GERMANY:
        return ""
    return _(
        "The secret is home, and your purse holds {pounds}. Well done!", pounds=pounds(state.money[GERMANY])
    )


_TOLD: Final[Mapping[str, Callable[[Event, State, View[State]], str]]] = {
    "captured": _caught,
    "too strong": _strong,
    "controls": _controls,
    "counterspy": _bit,
    "cashes": _cashed,
}


def _praise(state: State) -> str:
    """The end: what was done, and that it was well done."""
    cashed = sum(lying.where == "cashed" and lying.by == GERMANY for lying in state.secrets)
    caught = sum(piece.where == "captured" and piece.captor == GERMANY for piece in state.spies)
    free = sum(piece.where == "map" and piece.power == GERMANY for piece in state.spies)
    survived = state.power == FRANCE and bool(state.searched) and free == SPIES
    done = [
        *[n_("{count} secret brought home", "{count} secrets brought home", cashed)] * bool(cashed),
        *[n_("{count} spy caught", "{count} spies caught", caught)] * bool(caught),
        *[_("a search survived")] * survived,
        n_("{count} spy of yours at large", "{count} spies of yours at large", free),
    ]
    if not cashed:
        return _(
            "Your year: {done}. Next time carry a secret home to Berlin, and the lesson is yours.",
            done=listed(done),
        )
    return _(
        "Well done, spymaster! Your year: {done}. France gives up; a whole game has seven years and five "
        "powers.",
        done=listed(done),
    )


def _carried_home(view: View[State]) -> bool:
    """Whether the learner brought a secret home."""
    return any(lying.where == "cashed" and lying.by == GERMANY for lying in view.state.secrets)


LESSON: Final = Lesson(
    options={"allocation": "lesson", "talk": 0},
    tutor=Tutor,
    coach=coach,
    line=line,
    over=gives_up,
    quick=_answers,
    met=_carried_home,
    learnt=(
        mark("Secrets at home count in the end; a counterspy catches who comes for it."),
        mark("Police search the city where they stand, before any spy moves."),
        mark("A spy moves a city for a point, up to five; the map shows how far."),
        mark("A Discovery finds a secret; cashed at home it brings pounds and points."),
        mark("Papers answer a search; an Escape takes a spy to a haven."),
    ),
)
