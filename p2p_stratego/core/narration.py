"""The words of a game: the interface that every game's narration implements, and the ends they share.

A narration tells public things only, the same to every seat.  `names` holds one name a seat, in the
order of the seats: "Red" and "Blue", or the players' names, made safe for a terminal by the caller.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from p2p_stratego.core.game import Ask, Options, Outcome
from p2p_stratego.core.language import _, mark


class Narration(Protocol):
    """One game in plain English; a module with these functions is one."""

    def step(self, before: Any, after: Any, names: Sequence[str]) -> Sequence[str]:
        """The events of one step from state `before` (None: the set-up) to `after`, a line each."""
        ...

    def ending(self, outcome: Outcome, names: Sequence[str]) -> str:
        """How the game ended, in a sentence."""
        ...

    def reason(self, reason: str) -> str:
        """A reason of the game's own rules in a few words, for lists; any other reason unchanged."""
        ...

    def breach(self, rule: str) -> str:
        """The offence against `rule`, as the end of a sentence that begins with the offender's name."""
        ...

    def options(self, options: Options, seats: int) -> list[str]:
        """The agreed variant for so many seats, a clause for each thing worth knowing."""
        ...


class Unfolding(Protocol):
    """The narrator of one open step, for a game whose steps have many Asks.

    Its sentences are the first ones that `Narration.step` has for the step, in the same order.  They do not
    name a card that is opened later.
    """

    def hear(self, ask: Ask, answer: Any) -> Sequence[str]:
        """The sentences that follow from the next answer; none for the answer that completes the step."""
        ...


class Words(NamedTuple):
    """The words for an end from outside a game's rules."""

    sentence: str
    """With `{W}` for the winners, `{L}` for the losers, `{C}` for the cheat, `{breach}` for its offence, and
    `{all}` for "both" or "all"."""
    short: str
    """Behind "won", "lost" or "a draw", in a list."""


OUTSIDE_THE_RULES: Final[Mapping[str, Words]] = {
    "resigned": Words(mark("{W} wins: {L} has resigned."), mark("resigned")),
    "deserted": Words(mark("{W} wins: all others have left."), mark("all others left")),
    "agreed-draw": Words(mark("A draw, as {all} agreed."), mark("agreed")),
    "unresponsive": Words(mark("{W} claims the game: {L} did not answer."), mark("claimed")),
    "unrevealed": Words(mark("{W} wins: some did not show what they had claimed."), mark("claims not shown")),
    "cheated": Words(mark("{W} wins: {C} {breach}."), mark("cheating")),
}
"""By reason; the same for every game."""
COLOURS: Final = (mark("red"), mark("blue"), mark("green"), mark("yellow"))
"""Seats by the names that games give them, for translators: shown by `_`."""
VOID: Final = mark("The game is void: {C} {breach}.")
"""A fault during play among three sides or more: nobody wins."""
STOPPED: Final = mark("Nobody wins: the game cannot go on, for some do not answer.")
"""Among three or more, too many are silent."""
UNSHOWN: Final = mark("Nobody wins: some did not show what they had claimed.")
"""The winners are among those that never proved their claims."""
_MANY: Final = {"wins": "win", "claims": "claim", "has": "have", "is": "are", "was": "were", "takes": "take"}
"""The verbs of sentences about one, and about several."""
SEVERAL: Final = (
    mark("{W} win: {reason}."),
    mark("{W} win: {L} has resigned."),
    mark("{W} wins: {L} have resigned."),
    mark("{W} win: {L} have resigned."),
    mark("{W} win: all others have left."),
    mark("{W} claim the game: {L} did not answer."),
    mark("{W} win: some did not show what they had claimed."),
    mark("{W} win: {C} {breach}."),
)
"""The sentences that `agreeing` makes of those above, for translators; each game has its own."""


def ending(outcome: Outcome, names: Sequence[str], reasons: Mapping[str, str], breach: str = "") -> str:
    """The end of a game in a sentence; a reason without words of its own stands as it is.

    `reasons`: the game's own, marked, with `{W}` for the winners and `{L}` for the losers, followed by a verb
    for one of them; `breach`: the offence of the cheat, as the end of a sentence that begins with its name.
    """
    winners = [name for seat, name in enumerate(names) if seat in outcome.winners]
    losers = [name for seat, name in enumerate(names) if seat not in outcome.winners]
    cheats = losers if outcome.breach is None else [names[outcome.breach.seat]]
    plain = mark("{W} wins: {reason}.") if winners else mark("A draw: {reason}.")
    outside = OUTSIDE_THE_RULES.get(outcome.reason)
    sentence = reasons.get(outcome.reason) or (outside.sentence if outside else plain)
    if not winners:
        sentence = {"cheated": VOID, "unresponsive": STOPPED, "unrevealed": UNSHOWN}.get(
            outcome.reason, sentence
        )
    for sign, group in (("{W}", winners), ("{L}", losers), ("{C}", cheats)):
        sentence = agreeing(sentence, sign) if len(group) > 1 else sentence
    return _(
        sentence,
        W=listed(winners),
        L=listed(losers),
        C=listed(cheats),
        reason=outcome.reason,
        breach=breach,
        all=all_of(len(names)),
    )


class Ends(NamedTuple):
    """The words of one game for its ends, each marked: three functions of a `Narration`."""

    reasons: Mapping[str, str]
    """By reason: a sentence, see `ending`."""
    short: Mapping[str, str]
    """By reason: a few words, for lists."""
    breaches: Mapping[str, str]
    """By rule: the offence, as the end of a sentence that begins with the offender's name."""

    def ending(self, outcome: Outcome, names: Sequence[str]) -> str:
        """See `Narration.ending`; a reason from outside the rules stays as it is."""
        broke = self.breach(outcome.breach.rule) if outcome.breach else ""
        return ending(outcome, names, self.reasons, broke)

    def reason(self, reason: str) -> str:
        """See `Narration.reason`."""
        return _(self.short.get(reason, reason))

    def breach(self, rule: str) -> str:
        """See `Narration.breach`."""
        return _(self.breaches[rule]) if rule in self.breaches else _("broke a rule: {rule}", rule=rule)


def agreeing(sentence: str, before: str) -> str:
    """`sentence`, English, with the verb right behind each `before` in the plural: a sentence in SEVERAL."""
    parts = sentence.split(f"{before} ")
    for at, part in enumerate(parts[1:], start=1):
        verb, space, rest = part.partition(" ")
        parts[at] = (
            _MANY.get(verb.rstrip(":"), verb.rstrip(":")) + verb[len(verb.rstrip(":")) :] + space + rest
        )
    return f"{before} ".join(parts)


class Fields:
    """The fields of sentences about one thing; each is worked out only if a sentence has it."""

    def __init__(self, readers: Mapping[str, Callable[..., object]], *about: object) -> None:
        """`readers`: by field, its value for the things in `about`."""
        self._readers, self._about = readers, about

    def __getitem__(self, field: str) -> object:
        return self._readers[field](*self._about)


def listed(names: Sequence[str]) -> str:
    """Several in a sentence: "Anna, Boris and Chen"."""
    if len(names) < 2:
        return "".join(names)
    return _("{others} and {last}", others=", ".join(names[:-1]), last=names[-1])


def either(parts: Sequence[str]) -> str:
    """Things of which one is meant: "a, b or c"."""
    if len(parts) < 2:
        return "".join(parts)
    return _("{others} or {last}", others=", ".join(parts[:-1]), last=parts[-1])


def joined(*sentences: str) -> str:
    """The sentences that are not empty, in one text."""
    return " ".join(sentence for sentence in sentences if sentence)


def capital(clause: str) -> str:
    """A clause as the beginning of a sentence."""
    return clause[:1].upper() + clause[1:]


def ordinal(number: int) -> str:
    """A number as in a row: "1st"."""
    ends = {1: mark("{number}st"), 2: mark("{number}nd"), 3: mark("{number}rd")}
    usual = mark("{number}th")
    return _(usual if number % 100 in (11, 12, 13) else ends.get(number % 10, usual), number=number)


def all_of(players: int) -> str:
    """ "both" of two players, "all" of more."""
    return _("both") if players == 2 else _("all")
