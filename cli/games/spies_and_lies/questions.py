"""The questions of Spies & Lies, their answers, and the warnings.

A line that breaks the order and a false mark are possible, since the game punishes them itself; a soldier
that is not in hand is refused, since at a table nobody could lay it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence, Set
from typing import Final

from cli.games.interface import (
    Ambiguous,
    Choice,
    Decided,
    NotPossible,
    Players,
    Question,
    Unknown,
    ViewContext,
)
from cli.games.spies_and_lies.consequences import best_first, consequence
from cli.games.spies_and_lies.names import called, soldier, soldiers, span
from cli.games.spies_and_lies.snapshot import Snapshot, snapshot
from cli.text.layout import series
from p2p_stratego.core.game import Ask, Choose, Commit, Open, Roll, Together
from p2p_stratego.core.view import View
from p2p_stratego.spies_and_lies.bots.beliefs import Evidence, chances
from p2p_stratego.spies_and_lies.rules import notation
from p2p_stratego.spies_and_lies.rules.checks import falsely_marked, out_of_order
from p2p_stratego.spies_and_lies.rules.observation import honest_marks
from p2p_stratego.spies_and_lies.rules.soldiers import MISSIONS, RANKS, SOLDIERS, Rank
from p2p_stratego.spies_and_lies.rules.state import State

_VERBS: Final = ("deploy", "mark", "guess", "captain", "marshal", "token", "no")
"""First words of this game's moves."""
_KINDS: Final[dict[str, str]] = {
    notation.NO_MARKS: "marks",
    notation.LAY: "token",
    notation.guess(1): "guess",
    notation.CAPTAIN_POINTS: "captain",
    notation.MARSHAL_TEN: "marshal",
}
"""By an option that it always has, which choice a Choose is."""


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
    "deploy": "four ranks or names, rising but for the Sergeant, such as 1 4 8 10",
    "marks": "the missions, such as 2 3, or none",
    "token": "yes (4 points if the guess is wrong) or no",
    "guess": "a rank or a name, such as 7 or bomb",
    "captain": "points, or the exhausted soldier to use",
    "marshal": "ten or five",
}
"""How each question is answered, as the end of "Type …"."""


def _deploy(moment: Snapshot, _: Players) -> Question:
    return Question(
        f"Day {moment.state.day}: which four soldiers lie under your missions 1 to 4?",
        _HOW["deploy"],
    )


def _marks(moment: Snapshot, _: Players) -> Question:
    due = span(moment.intel[-1])
    return Question(
        f"Intel {due}: which of your missions hold a soldier of {due}?",
        _HOW["marks"],
    )


def _token(moment: Snapshot, players: Players) -> Question:
    state = moment.state
    own = moment.line[state.mission - 1]
    card = f" ({soldier(own)})" if own else ""
    return Question(
        f"{players.names[state.guesser]} guesses your mission {state.mission}{card} next. Lay a token on it?",
        _HOW["token"],
    )


def _guess(moment: Snapshot, players: Players) -> Question:
    state = moment.state
    owner = 1 - state.guesser
    laid = f"{players.names[owner]} laid a token. " if moment.token else ""
    return Question(
        f"{laid}Which soldier lies under {players.whose(owner)} mission {state.mission}?",
        _HOW["guess"],
    )


def _captain(moment: Snapshot, players: Players) -> Question:
    return Question(f"{_missed(moment, players)} What does your Captain do?", _HOW["captain"])


def _marshal(moment: Snapshot, players: Players) -> Question:
    own = "exhausted Marshal, which your Captain uses," if moment.copied else "Marshal"
    return Question(f"{_missed(moment, players)} What does your {own} do?", _HOW["marshal"])


def _missed(moment: Snapshot, players: Players) -> str:
    """The guess that has just missed the seat's own card."""
    state, guesser = moment.state, players.names[moment.state.guesser]
    guess = SOLDIERS[moment.guess].name if moment.guess is not None else "nothing"
    own = SOLDIERS[moment.opened].name if moment.opened is not None else "card"
    return f"{guesser} guesses the {guess} at your mission {state.mission}: it is your {own}."


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
        return "Chance is drawn by both sides together."
    if isinstance(ask, Open):
        return "A card is being turned up."
    if isinstance(ask, Together):
        other = players.names[1 - view.seat]
        return f"{other} is still {'deploying' if state.phase == 'deploy' else 'marking missions'}."
    if not isinstance(ask, Choose):
        return "The other side is at work."
    seat = ask.seat
    what = {
        "token": "may lay a token on the card that you guess next",
        "guess": f"guesses {players.whose(1 - seat)} mission {state.mission}",
        "captain": "chooses what the Captain does",
        "marshal": "chooses what the Marshal does",
    }[kind(View(seat, state, {}, ask)) or "guess"]
    return f"{players.names[seat]} {what}."


def words_of(typed: str, verb: str) -> list[str]:
    """The typed words, without the verb in front; "1 Spy", as it is printed, is one word."""
    words = typed.lower().replace(",", " ").split()
    words = words[1:] if words and words[0] == verb else words
    return [word for place, word in enumerate(words) if not place or not _same(words[place - 1], word)]


def _same(rank: str, name: str) -> bool:
    """Whether these are the rank and the name of one soldier."""
    return any(rank == str(each) and called(name, each) for each in RANKS)


def named(word: str, among: Collection[Rank] = RANKS) -> Rank:
    """The soldier that a rank, a printed name or its beginning names.  Raises Misunderstood."""
    if word.isascii() and word.isdigit():
        if int(word[:3]) in RANKS:
            return int(word[:3])
        raise Unknown(f"There is no soldier of rank {word[:12]}: ranks go from 1 to 10.")
    found = [rank for rank in RANKS if called(word, rank)]
    found = found or [rank for rank in among if SOLDIERS[rank].name.lower().startswith(word)]
    found = found or [rank for rank in RANKS if SOLDIERS[rank].name.lower().startswith(word)]
    if not found:
        raise Unknown(f"“{word[:24]}” is no soldier. Type a rank from 1 to 10, or a name.")
    if len(found) > 1:
        raise Ambiguous(f"“{word[:24]}” could be {' or '.join(SOLDIERS[rank].name for rank in found)}.")
    return found[0]


def read(view: View[State], typed: str) -> Decided:
    """The decision that `typed` means.  Raises Misunderstood."""
    asked, decision = kind(view), view.decision
    said = typed.lower().split()
    if decision is None or asked is None:
        if said and said[0] in _VERBS:
            raise NotPossible("You have nothing to decide at the moment.")
        raise Unknown("Nothing is asked of you now. Type ? for help, or / and a message.")
    if isinstance(decision, Commit):
        return _read_line(snapshot(view), typed)
    printed = {_label(choice).lower(): choice.word for choice in _labelled(view, decision, asked)}
    plain = " ".join(said).partition(":")[0]
    if plain in printed:
        return printed[plain]
    verb = {"marks": "mark"}.get(asked, asked)
    if _is_other_move(said, verb):
        raise NotPossible(f"That is not asked now. Type {_HOW[asked]}.")
    if asked in ("guess", "captain"):
        return _read_soldier(view, decision, verb, typed)
    try:
        return notation.parse(typed, decision.options)
    except notation.MoveError:
        raise Unknown(f"“{typed.strip()[:40]}” does not answer that. Type {_HOW[asked]}.") from None


def _is_other_move(said: list[str], verb: str) -> bool:
    """Whether the words are a move of this game, but of another kind than `verb`."""
    if not said or said[0] not in _VERBS or said[0] == verb or (said[0] == "no" and verb == "token"):
        return False
    # Alone, these two are soldiers.
    return len(said) > 1 or said[0] not in ("captain", "marshal") or verb not in ("guess", "captain")


def _read_line(moment: Snapshot, typed: str) -> tuple[Rank, ...]:
    words = words_of(typed, "deploy")
    line = [named(word, moment.hand) for word in words]
    for place, rank in enumerate(line):
        if rank in moment.state.exhausted[moment.seat]:
            raise NotPossible(f"Your {soldier(rank)} is exhausted today and cannot be laid.")
        if rank in line[:place]:
            raise NotPossible(f"You have one {SOLDIERS[rank].name} only, and named it twice.")
    if len(line) != len(MISSIONS):
        raise NotPossible(f"Four soldiers are needed, one a mission; that names {len(line)}.")
    return tuple(line)


def _read_soldier(view: View[State], decision: Choose, verb: str, typed: str) -> str:
    words = words_of(typed, verb)
    if verb == "captain" and words == ["points"]:
        return notation.CAPTAIN_POINTS
    if len(words) != 1:
        raise Unknown("Name one soldier, by its rank or its name.")
    tired = view.state.exhausted[view.seat]
    rank = named(words[0], tired if verb == "captain" else RANKS)
    move = f"{verb} {rank}"
    if move not in decision.options:
        raise NotPossible(f"Your {soldier(rank)} is not exhausted. Yours: {soldiers(tired)}.")
    return move


def reveals(view: View[State] | None, text: str) -> bool:
    """Whether most words of a message are soldiers, missions, or words of this game's moves.

    "Yes" and "no" answer whether a token is laid, so they count while a seat that has one waits for others.
    """
    words = re.findall(r"[^\W_]+", text.lower())
    may_lay = view is not None and view.decision is None and view.state.tokens[view.seat] > 0
    short = _TOKEN_WORDS if may_lay else ()
    telling = sum(_tells(word) or word in short for word in words)
    return 2 * telling > len(words)


_TOKEN_WORDS: Final = ("y", "yes", "n", "no")
_TELLING: Final = frozenset(("deploy", "mark", "guess", "token", "points", "none", "ten", "five"))
_LEAST: Final = 3
"""Letters that a soldier's name is known by in a message."""


def _tells(word: str) -> bool:
    """Whether a word is a number, a soldier's name or its beginning, or stands in a move."""
    named_so = any(each.name.lower().startswith(word) for each in SOLDIERS.values())
    return word.isdecimal() or word in _TELLING or (named_so and len(word) >= _LEAST)


def drafted(view: View[State], typed: str) -> tuple[Rank, ...]:
    """The soldiers of a deployment that is still being typed, as far as they are clear; at most four."""
    if kind(view) != "deploy":
        return ()
    line: list[Rank] = []
    hand = snapshot(view).hand
    for word in words_of(typed, "deploy")[: len(MISSIONS)]:
        try:
            rank = named(word, hand)
        except (Unknown, Ambiguous):
            break
        if rank not in hand or rank in line:
            break  # it cannot be laid, which shows before Enter
        line.append(rank)
    return tuple(line)


def choices(context: ViewContext) -> tuple[Choice, ...]:
    """How the line could go on, each choice a whole input, the true or most likely or best one first."""
    view: View[State] = context.view
    asked, decision = kind(view), view.decision
    if asked is None or decision is None:
        return ()
    if isinstance(decision, Commit):
        return _next_soldiers(snapshot(view), context.typed)
    said = context.typed.lower().partition(":")[0].strip()
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
            part.startswith(said)
            for shown in (choice.word, _label(choice).lower())
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
    enemy = context.players.names[1 - view.seat]
    labels = {choice.word: choice.shown for choice in _labelled(view, decision, asked)}
    return [
        Choice(option, f"{labels[option]}: {consequence(view, option, enemy)}")
        for option in best_first(view, list(decision.options))
    ]


def _next_soldiers(moment: Snapshot, typed: str) -> tuple[Choice, ...]:
    """The soldiers left in hand as the next word of a deployment."""
    before = words_of(typed, "deploy")
    last = before.pop() if before and not typed.endswith((" ", ",")) else ""
    taken: set[Rank] = set()
    for word in before:
        try:
            taken.add(named(word, moment.hand))
        except (Unknown, Ambiguous):
            return ()
    if len(before) >= len(MISSIONS):
        return ()
    front = "".join(f"{word} " for word in before)
    to_come = len(MISSIONS) - len(before) - 1
    return tuple(
        Choice(f"{front}{rank}", soldier(rank))
        for rank in moment.hand
        if rank not in taken
        and _rises(taken, rank)
        and _can_follow(moment.hand, taken | {rank}) >= to_come
        and (str(rank).startswith(last) or SOLDIERS[rank].name.lower().startswith(last))
    )


def _rises(taken: Set[Rank], rank: Rank) -> bool:
    """Whether `rank` is in order behind the soldiers `taken`."""
    return SOLDIERS[rank].free or rank > _highest(taken)


def _can_follow(hand: Iterable[Rank], taken: Set[Rank]) -> int:
    """How many soldiers can still be laid in order behind those `taken`."""
    return sum(rank not in taken and _rises(taken, rank) for rank in hand)


def _highest(taken: Set[Rank]) -> Rank:
    return max((rank for rank in taken if not SOLDIERS[rank].free), default=0)


def _mark_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    """The honest marks first."""
    honest = honest_marks(view)
    rest = [move for move in decision.options if move not in honest]
    return [
        Choice(move, f"{_missions(move)} ({'true' if move in honest else 'false'})")
        for move in (*honest, *rest)
    ]


def _missions(move: str) -> str:
    return " ".join(map(str, sorted(notation.MARKS[move]))) or "none"


def _soldier_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    del view
    ranks = {f"{verb} {rank}": rank for verb in ("guess", "captain") for rank in RANKS}
    return [Choice(move, soldier(ranks[move]) if move in ranks else "6 points") for move in decision.options]


def _plain_choices(view: View[State], decision: Choose) -> Sequence[Choice]:
    del view
    return [Choice(move, _LABELS[move]) for move in decision.options]


_LABELS: Final = {
    notation.LAY: "yes",
    notation.KEEP: "no",
    notation.MARSHAL_TEN: "ten",
    notation.MARSHAL_FIVE: "five",
}
_CHOICES: Final[dict[str, Callable[[View[State], Choose], Sequence[Choice]]]] = {
    "marks": _mark_choices,
    "token": _plain_choices,
    "guess": _soldier_choices,
    "captain": _soldier_choices,
    "marshal": _plain_choices,
}


def warnings(view: View[State], decided: Decided) -> list[str]:
    """The penalties for a player caught at this: a sentence each."""
    if isinstance(decided, tuple):
        wrong = out_of_order(decided)
        if not wrong:
            return []
        return [
            f"Out of order: a higher rank lies before the {soldiers(decided[m - 1] for m in wrong)}.",
            "Once that is seen, the agent goes back what you moved it today, your points fall to 0, and this "
            "card and all your later ones of the day count as identified.",
            _FLAW,
        ]
    missions = notation.MARKS.get(decided)
    line = [rank for rank in snapshot(view).line if rank is not None]
    if missions is None or len(line) != len(MISSIONS):
        return []
    lies = falsely_marked(line, missions, snapshot(view).intel[-1])
    if not lies:
        return []
    which = series([f"mission {m} ({soldier(line[m - 1])})" for m in lies])
    return [
        f"That is false intel about {which}.",
        "A falsely marked card counts as identified when it is turned up, whatever is guessed.",
        _FLAW,
    ]


_FLAW: Final = "And taking the flag today would not count: your opponent would win."


def spoken(view: View[State], decided: Decided) -> str:
    """A decision as the object of a sentence."""
    del view
    if isinstance(decided, tuple):
        return f"lay {', '.join(map(soldier, decided))}"
    for moves, verb in ((notation.GUESSES, "guess"), (notation.COPIES, "captain as")):
        if decided in moves:
            return f"{verb} {soldier(moves[decided])}"
    return decided
