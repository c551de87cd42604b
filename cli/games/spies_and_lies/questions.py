"""The questions of Spies & Lies, their answers, and the warnings.

A line that breaks the order and a false mark are possible, since the game punishes them itself; a soldier
that is not in hand is refused, since at a table nobody could lay it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from cli.games.interface import Choice, Decided, NotPossible, Players, Question, Unknown, ViewContext
from cli.games.spies_and_lies.consequences import best_first, consequence
from cli.games.spies_and_lies.names import (
    capital,
    mission_of,
    missions,
    names,
    side_name,
    soldier,
    soldiers,
    span,
)
from cli.games.spies_and_lies.names import named as named_players
from cli.games.spies_and_lies.snapshot import Snapshot, snapshot
from cli.games.spies_and_lies.soldiers import can_rise, example, named, next_soldiers, read_line, words_of
from cli.games.typed_names import in_english
from cli.games.typed_names import shown as shown_answer
from cli.text.language import yes_or_no
from cli.text.layout import series
from p2p_stratego.core.game import Ask, Choose, Commit, Move, Open, OpenTo, Roll, Together
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules import notation
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked, out_of_order
from p2p_stratego.spies_and_lies.rules.components import (
    MISSIONS,
    RANKS,
    SOLDIERS,
    Rank,
    Side,
    in_range,
    title,
)
from p2p_stratego.spies_and_lies.rules.observation import honest_marks, own_line, todays_intel
from p2p_stratego.spies_and_lies.rules.state import State, place

_VERBS: Final = ("deploy", "mark", "guess", "captain", "marshal", "token", "no")
"""First words of this game's moves."""
_KINDS: Final[dict[str, str]] = {
    notation.NO_MARKS: "marks",
    notation.LAY: "token",
    notation.guess(1): "guess",
    notation.CAPTAIN_POINTS: "captain",
    notation.MARSHAL_TEN: "marshal",
}
"""By an option that it always has: the kind of a Choose."""


def kind(view: View[State]) -> str | None:
    """The kind of question to the seat: deploy, marks, token, guess, captain, marshal; None for none."""
    ask = view.decision
    if ask is None:
        return None
    if isinstance(ask, Commit):
        return "deploy"
    return next(name for option, name in _KINDS.items() if option in ask.options)


def question(view: View[State], players: Players) -> Question | None:
    """The question to the seat, and how to answer it."""
    asked = kind(view)
    return None if asked is None else _QUESTIONS[asked](snapshot(view), players)


_HOW: Final = {
    "deploy": mark("four ranks or names, rising but for the Sergeant, such as {example}"),
    "deploy two": mark("two ranks or names, rising but for the Sergeant, such as 4 8"),
    "marks": mark("the missions, such as 2 3, or the word none"),
    "token": mark("yes (4 points if the guess is wrong) or no"),
    "guess": mark("a rank or a name, such as 7 or bomb"),
    "captain": mark("points, or the exhausted soldier to use"),
    "marshal": mark("ten or five"),
}
"""How each question is answered, as the end of "Type …"."""


def _deploy(moment: Snapshot, players: Players) -> Question:
    day = _("Day {day}:", day=moment.state.day)
    if len(moment.asked) == len(MISSIONS):
        return Question(
            _("{day} which four soldiers lie under your missions 1 to 4?", day=day),
            _(_HOW["deploy"], example=example(moment)),
        )
    seen = [rank for rank in moment.seen if rank is not None]
    mate = moment.state.seating.mate(moment.seat)
    shown = ""
    if seen and mate is not None:
        shown = _(
            "Until you lay, you see {mate}'s {soldiers}. ", mate=players.names[mate], soldiers=soldiers(seen)
        )
    stuck = "" if can_rise(moment) else _("No rising order is left: lay any. ")
    under = missions(moment.asked)
    own = set(moment.asked) <= set(moment.own)
    return Question(
        _(
            "{shown}{stuck}{day} which two soldiers lie under your missions {under}?"
            if own
            else "{shown}{stuck}{day} which two soldiers lie under your side's missions {under}?",
            shown=shown,
            stuck=stuck,
            day=day,
            under=under,
        ),
        _(_HOW["deploy two"]),
    )


def _marks(moment: Snapshot, _unused: Players) -> Question:
    due = span(moment.intel[-1])
    return Question(
        _("Intel {due}: which of your missions hold a soldier of {due}?", due=due), _(_HOW["marks"])
    )


def _token(moment: Snapshot, players: Players) -> Question:
    state = moment.state
    own = moment.line[state.mission - 1]
    card = f" ({soldier(own)})" if own else ""
    return Question(
        _(
            "{guesser} guesses your mission {mission}{card} next. Lay a token on it?",
            guesser=_guesser(moment, players),
            mission=state.mission,
            card=card,
        ),
        _(_HOW["token"]),
    )


def _guess(moment: Snapshot, players: Players) -> Question:
    state = moment.state
    owner = state.seating.player(1 - state.guesser, state.mission)
    laid = _("{name} laid a token. ", name=players.names[owner]) if moment.token else ""
    return Question(
        _(
            "{laid}Which soldier lies under {owner}'s mission {mission}?",
            laid=laid,
            owner=players.names[owner],
            mission=state.mission,
        ),
        _(_HOW["guess"]),
    )


def _guesser(moment: Snapshot, players: Players) -> str:
    """The player whose guess is due, or was made."""
    state = moment.state
    return players.names[state.seating.player(state.guesser, state.mission)]


def _captain(moment: Snapshot, players: Players) -> Question:
    return Question(
        _("{missed} What does your Captain do?", missed=_missed(moment, players)), _(_HOW["captain"])
    )


def _marshal(moment: Snapshot, players: Players) -> Question:
    own = _("exhausted Marshal") if moment.copied else _("Marshal")
    return Question(
        _("{missed} What does your {own} do?", missed=_missed(moment, players), own=own), _(_HOW["marshal"])
    )


def _missed(moment: Snapshot, players: Players) -> str:
    """The guess that has just missed the seat's own card."""
    state, guesser = moment.state, _guesser(moment, players)
    guess = title(moment.guess) if moment.guess is not None else _("nothing")
    own = title(moment.opened) if moment.opened is not None else _("card")
    laid = _(", deception token on it") if moment.token else ""
    return _(
        "{guesser} guesses the {guess} at your mission {mission}{laid}: it is your {own}.",
        guesser=guesser,
        guess=guess,
        mission=state.mission,
        laid=laid,
        own=own,
    )


_QUESTIONS: Final[dict[str, Callable[[Snapshot, Players], Question]]] = {
    "deploy": _deploy,
    "marks": _marks,
    "token": _token,
    "guess": _guess,
    "captain": _captain,
    "marshal": _marshal,
}


def waiting(view: View[State], players: Players, ask: Ask) -> str:
    """The decision of the others, while the seat has none."""
    state = view.state
    if isinstance(ask, Roll):
        sides = _("both sides") if len(players.names) == 2 else _("everybody")
        return _("Chance is drawn by {sides} together.", sides=sides)
    if isinstance(ask, Open):
        return _("A card is being turned up.")
    if isinstance(ask, OpenTo):
        _unused, side, mission = place(ask.slot)
        own = mission_of(players, state.seating, side, mission)
        return _("{who} may look at {mission}.", who=capital(players.subject(ask.seat)), mission=own)
    if isinstance(ask, Together | Commit):
        asks = ask.asks if isinstance(ask, Together) else (ask,)
        others = [decision.seat for decision in asks if decision.seat != view.seat]
        sentences = _MARKING if isinstance(asks[0], Choose) else _DEPLOYING
        return _(sentences[len(others) > 1], players=named_players(players, others))
    if not isinstance(ask, Choose):
        return _("The other side is at work.")
    return _deciding(view, players, ask)


_MARKING: Final = (
    mark("{players} is still marking missions."),
    mark("{players} are still marking missions."),
)
_DEPLOYING: Final = (mark("{players} is still deploying."), mark("{players} are still deploying."))
"""Of one player, and of several."""


def _deciding(view: View[State], players: Players, ask: Choose) -> str:
    """The decision of a player, in a sentence."""
    state, player = view.state, players.names[ask.seat]
    seating, number = state.seating, state.mission
    guesser = seating.player(state.guesser, number)
    asked = kind(View(ask.seat, state, {}, ask)) or "guess"
    if asked == "token" and guesser == view.seat:
        return _("{player} may lay a token on the card that you guess next.", player=player)
    if asked == "token":
        return _(
            "{player} may lay a token on the card that {guesser} guesses next.",
            player=player,
            guesser=players.names[guesser],
        )
    if asked == "captain":
        return _("{player} chooses what the Captain does.", player=player)
    if asked == "marshal":
        return _("{player} chooses what the Marshal does.", player=player)
    return _(
        "{player} guesses {mission}.",
        player=player,
        mission=mission_of(players, seating, 1 - state.guesser, number),
    )


def read(view: View[State], typed: str) -> Decided:
    """The decision that `typed` means.  Raises Misunderstood."""
    asked, decision = kind(view), view.decision
    words = typed.lower().split()
    if decision is None or asked is None:
        if words and words[0] in _VERBS:
            raise NotPossible(_("You have nothing to decide at the moment."))
        raise Unknown(_("Nothing is asked of you now. Type ? for help, or / and a message."))
    if isinstance(decision, Commit):
        return read_line(snapshot(view), typed)
    printed = {
        label: choice.word
        for choice in _labelled(view, decision, asked)
        for label in (_label(choice).lower(), in_english(_label(choice), names()).lower())
    }
    plain = " ".join(words).partition(":")[0]
    if plain in printed:
        return notation.parse(printed[plain], decision.options)
    if asked == "token" and (laid := yes_or_no(typed)) is not None:
        return notation.LAY if laid else notation.KEEP
    verb = {"marks": "mark"}.get(asked, asked)
    if _is_other_move(words, verb):
        raise NotPossible(_("That is not asked now. Type {how}.", how=_(_HOW[asked])))
    if asked in ("guess", "captain"):
        return _read_soldier(view, decision, verb, typed)
    try:
        return notation.parse(typed, decision.options)
    except notation.MoveError:
        raise Unknown(
            _("“{strip}” does not answer that. Type {how}.", strip=typed.strip()[:40], how=_(_HOW[asked]))
        ) from None


def _is_other_move(words: list[str], verb: str) -> bool:
    """Whether the words are a move of this game, but of another kind than `verb`."""
    if not words or words[0] not in _VERBS or words[0] == verb or (words[0] == "no" and verb == "token"):
        return False
    # Alone, these two are soldiers.
    return len(words) > 1 or words[0] not in ("captain", "marshal") or verb not in ("guess", "captain")


def _read_soldier(view: View[State], decision: Choose, verb: str, typed: str) -> str:
    words = words_of(typed, verb)
    if verb == "captain" and words in (["points"], ["6"], ["6", "points"]):
        return notation.CAPTAIN_POINTS
    if len(words) != 1:
        raise Unknown(_("Name one soldier, by its rank or its name."))
    tired = view.state.exhausted[view.state.seating.side(view.seat)]
    rank = named(words[0], tired if verb == "captain" else RANKS)
    move = f"{verb} {rank}"
    if move not in decision.options:
        raise NotPossible(
            _(
                "Your {soldier} is not exhausted. Yours: {soldiers}.",
                soldier=soldier(rank),
                soldiers=soldiers(tired),
            )
        )
    return move


def reveals(view: View[State] | None, text: str) -> bool:
    """Whether most words of a message are soldiers, missions, or words of this game's moves.

    "Yes" and "no" answer whether a token is laid, so they count while a seat that has one waits for others.
    """
    words = re.findall(r"[^\W_]+", text.lower())
    may_lay = view is not None and view.decision is None and view.state.tokens[_side(view)] > 0
    short = _TOKEN_WORDS if may_lay else ()
    telling = sum(_tells(word) or word in short for word in words)
    return 2 * telling > len(words)


_TOKEN_WORDS: Final = ("y", "yes", "n", "no")
_TELLING: Final = frozenset(("deploy", "mark", "guess", "token", "points", "none", "ten", "five"))
_LEAST: Final = 3
"""Letters that a soldier's name is known by in a message."""


def _tells(word: str) -> bool:
    """Whether a word is a number, a soldier's name or its beginning, or stands in a move."""
    named_so = any(facts.name.lower().startswith(word) for facts in SOLDIERS.values())
    return word.isdecimal() or word in _TELLING or (named_so and len(word) >= _LEAST)


def _side(view: View[State]) -> Side:
    return view.state.seating.side(view.seat)


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """How the line could go on, each choice a whole input, the true or most likely or best one first."""
    view: View[State] = context.view
    asked, decision = kind(view), view.decision
    if asked is None or decision is None:
        return ()
    if isinstance(decision, Commit):
        return next_soldiers(snapshot(view), context.typed)
    typed = context.typed.lower().partition(":")[0].strip()
    if asked == "marks":
        typed = typed.removeprefix("mark").lstrip()  # the missions alone are offered
    if asked == "guess":
        offered: Sequence[Choice] = _likely_guesses(context)
    elif asked in ("captain", "marshal"):
        offered = _with_consequences(context, decision, asked)
    else:
        offered = _labelled(view, decision, asked)
    return tuple(
        choice
        for choice in offered
        if any(
            part.startswith(typed)
            for shown in (choice.word, _label(choice).lower(), in_english(_label(choice), names()).lower())
            for part in (shown, *shown.split())
        )
    )


def _label(choice: Choice) -> str:
    """How a choice is shown, without its consequences."""
    return choice.shown.partition(":")[0]


def _labelled(view: View[State], decision: Choose, asked: str) -> Sequence[Choice]:
    """Every option of a question, by its short name."""
    return _CHOICES[asked](view, decision)


def _likely_guesses(context: ViewContext) -> Sequence[Choice]:
    """The soldiers that the card can be, the likeliest first; without notes, all that fit the rules."""
    state: State = context.view.state
    owner = 1 - state.guesser
    if context.notes:
        shares = chances(Evidence.of(state, owner))[state.mission - 1]
        ranks = sorted(shares, key=lambda rank: -shares[rank])
    else:
        shown = [card.rank for card in state.cards[owner] if card is not None]
        ranks = [rank for rank in RANKS if rank not in state.exhausted[owner] and rank not in shown]
    return [Choice(notation.guess(rank), soldier(rank)) for rank in ranks]


def _with_consequences(context: ViewContext, decision: Choose, asked: str) -> Sequence[Choice]:
    """The Captain's and the Marshal's options with their consequences, the best one first."""
    view: View[State] = context.view
    enemy = side_name(context.players, 1 - _side(view))
    labels = {choice.word: choice.shown for choice in _labelled(view, decision, asked)}
    return [
        Choice(option, f"{labels[option]}: {consequence(view, option, enemy)}")
        for option in best_first(view, list(decision.options))
    ]


def _mark_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    """The true marks first, then those by which the Sergeant alone lies, as he may."""
    honest, intel = honest_marks(view), todays_intel(view)
    line = [(mission, rank) for mission, rank in zip(MISSIONS, own_line(view), strict=True) if rank]

    def lies(move: Move) -> bool:
        return intel is not None and any(
            (mission in notation.MARKS[move]) != in_range(rank, intel) for mission, rank in line
        )

    allowed = sorted(honest, key=lies)
    rest = [move for move in decision.options if move not in honest]
    return [
        *[_marking(move, _mark_label(lies=lies(move))) for move in allowed],
        *[_marking(move, _("false")) for move in rest],
    ]


def _mark_label(*, lies: bool) -> str:
    return _("the Sergeant lies") if lies else _("true")


def _marking(move: Move, label: str) -> Choice:
    typed = notation.missions_typed(move)
    return Choice(typed, f"{shown_answer(typed, {})} ({label})")


def _soldier_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    del view
    ranks = {f"{verb} {rank}": rank for verb in ("guess", "captain") for rank in RANKS}
    return [Choice(move, soldier(ranks[move]) if move in ranks else _("points")) for move in decision.options]


def _plain_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    del view
    return [Choice(move, _(_LABELS[move])) for move in decision.options]


_LABELS: Final = {
    notation.LAY: mark("yes"),
    notation.KEEP: mark("no"),
    notation.MARSHAL_TEN: mark("ten"),
    notation.MARSHAL_FIVE: mark("five"),
}
_CHOICES: Final[dict[str, Callable[[View[State], Choose], Sequence[Choice]]]] = {
    "marks": _mark_choices,
    "token": _plain_choices,
    "guess": _soldier_choices,
    "captain": _soldier_choices,
    "marshal": _plain_choices,
}


def warnings(view: View[State], decided: Decided, *, settled: bool = True) -> list[str]:
    """The penalties for a player caught at this, and why a guess cannot be right: a sentence each."""
    del settled  # false intel shows in play
    moment = snapshot(view)
    alone = not view.state.seating.is_team(moment.side)
    if isinstance(decided, tuple):
        laid = dict(zip(moment.asked, decided, strict=True))
        line = [laid.get(mission, moment.before[mission - 1]) for mission in MISSIONS]
        wrong = [rank for m in out_of_order(line) if (rank := line[m - 1]) is not None]
        if not wrong:
            return []
        return [
            _("Out of order: a higher rank lies before the {soldiers}.", soldiers=soldiers(wrong)),
            _(_CAUGHT[alone]),
            _(_FLAW[alone]),
        ]
    if decided in notation.GUESSES:
        return _impossible(view.state, notation.GUESSES[decided])
    marked = notation.MARKS.get(decided)
    if marked is None or not any(moment.line):
        return []
    lies = falsely_marked(moment.line, marked, moment.intel[-1])
    if not lies:
        return []
    which = series(
        [_("mission {m} ({soldier})", m=m, soldier=soldier(moment.line[m - 1] or 0)) for m in lies]
    )
    return [
        _("That is false intel about {which}.", which=which),
        _("A falsely marked card counts as identified when it is turned up, whatever is guessed."),
        _("And taking the flag while it is closed would not count: the other side would win."),
    ]


def _impossible(state: State, named: Rank) -> list[str]:
    """Why no card of the enemy's can be the named soldier, as everybody can see; nothing if one can."""
    owner = 1 - state.guesser
    if named in state.exhausted[owner]:
        return [_("The {soldier} is exhausted today: it cannot be there.", soldier=soldier(named))]
    if named in Evidence.of(state, owner).shown:
        return [_("The {soldier} has been seen today: it cannot be there again.", soldier=soldier(named))]
    return []


_CAUGHT: Final = (
    mark(
        "Once that is seen, the agent goes back by as much as your side moved it today, your side has no "
        "points left, and this card and all later ones of your side count as identified for the day."
    ),
    mark(
        "Once that is seen, the agent goes back by as much as you moved it today, your points fall to 0, and "
        "this card and all your later ones of the day count as identified."
    ),
)
"""Out of order, with a mate; alone."""
_FLAW: Final = (
    mark("And taking the flag today would not count: the other side would win."),
    mark("And taking the flag today would not count: your opponent would win."),
)
"""Out of order, with a mate; alone."""


def spoken(view: View[State], decided: Decided) -> str:
    """A decision as the object of a sentence."""
    del view
    if isinstance(decided, tuple):
        return _("lay {map}", map=", ".join(map(soldier, decided)))
    if decided in notation.MARKS:
        marked = [str(mission) for mission in sorted(notation.MARKS[decided])]
        return (
            (
                _("mark missions {marked}", marked=series(marked))
                if len(marked) > 1
                else _("mark mission {marked}", marked=series(marked))
            )
            if marked
            else _("mark nothing")
        )
    if decided in notation.GUESSES:
        return _("guess {soldier}", soldier=soldier(notation.GUESSES[decided]))
    if decided in notation.COPIES:
        return f"{_('captain as')} {soldier(notation.COPIES[decided])}"
    return {notation.LAY: _("token"), notation.KEEP: _("no token")}.get(decided, decided)
