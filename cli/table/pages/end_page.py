"""The end of a match as one player sees it: a picture, the result, when it turned, and what can come next.

Pure: from values to lines.  A screen shows the page beside the board or over it, lines print its words.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from cli.games.drama import Finale, Result
from cli.games.interface import Page
from cli.reports import describe
from cli.table.words.commands import Order
from cli.text.layout import EMPTY, Line, beside, own_line, styled, whole, width, words, wrapped
from cli.text.sanitize import escape
from p2p_stratego.core.game import Seat
from p2p_stratego.core.language import _, _c, mark

_PICTURE: Final = 18
"""Cells of the picture, with a margin."""
_FULL: Final = "█▀▐▌"
"""The signs of a picture in the colour of the player's side."""
_WARM: Final[Mapping[Result, str]] = {
    "won": mark("Well played!"),
    "lost": mark("Nobody wins them all: the next one can be yours."),
    "drawn": mark("Neither side gave in."),
}
NO_MISTAKES: Final = mark("you made none")
"""Why there is nothing to learn from."""
NEVER_TURNED: Final = mark("it never did")
"""Why there is no step to look at, behind the question where it turned."""
DIGITS: Final = "1234567"
"""The keys after the end, in the order of what is offered.  No command and no move is a digit alone."""
_VISITS: Final[Mapping[Order, tuple[Sequence[str], Sequence[str]]]] = {
    Order.ANALYSIS: (("replay", "--analysis"), ("analyse",)),
    Order.MISTAKES: (("mistakes",), ("mistakes", "--plain")),
    Order.REPLAY: (("replay",), ("replay", "--plain")),
}
"""The commands that the player visits from the table, and comes back: on a screen, in lines."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """What is known about a match that is over, as far as a look at its record has come."""

    turned: str = ""
    """When it turned, as a sentence."""
    standing: tuple[str, ...] = ()
    """The player's place on the ladder, and its rating: a sentence each."""
    following: str | None = None
    """The name of the next opponent on the ladder; "": there is none; None: not known yet."""
    level: str = ""
    """The level of that opponent."""
    closed: str = ""
    """Why nobody comes next, in a few words."""
    costly: int | None = None
    """How many of the player's decisions come back as questions; None: not known yet."""
    shared: tuple[str, ...] = ()
    """What became of sharing it: sentences, and last the lines for a messenger."""


class Offer(NamedTuple):
    """Something to do after the end; `why_not`: why it does nothing now, "" if it does something."""

    order: Order
    title: str
    why_not: str = ""


def offers(after: Aftermath, *, judged: bool, ladder: bool, rematch: str, moved: str) -> list[Offer]:
    """What can be done after the end, in the order of their digits, which stays while a match is shown.

    After a long slide, in which no step stands out, the analysis is offered by another name.

    `judged`: the game has an analysis; `ladder`: all others are bots of one level; `rematch`: why there is
    no return match, or ""; `moved`: who sits where in it.
    """
    following = (
        _("Meet the next opponent")
        if after.following is None
        else _("Next opponent: {name}", name=after.following)
        if after.following
        else _("Next opponent")  # a short title, since the reason behind it is long
    )
    # What is not known yet is not offered: a player would choose it, and be told that there is nothing.
    none = _("a moment …") if after.following is None else after.closed or _("nobody is stronger")
    costly = _(NO_MISTAKES) if after.costly == 0 else ""
    calm = after.costly == 0 and not after.turned
    turned = (
        _("Look where it turned")
        if calm or not after.costly or after.turned
        else _("Look how the chances went")
    )
    return [
        Offer(Order.REMATCH, _("Play again, {moved}", moved=moved), rematch),
        *[Offer(Order.NEXT, following, "" if after.following else none)] * ladder,
        *[Offer(Order.ANALYSIS, turned, _(NEVER_TURNED) if calm else "")] * judged,
        *[Offer(Order.MISTAKES, _("Learn from your mistakes"), costly)] * judged,
        Offer(Order.REPLAY, _("See it again")),
        Offer(Order.SHARE, _("Show it to a friend")),
        Offer(Order.PROOF, _("Proof, and commands")),
    ]


def why_not(offered: Sequence[Offer], order: Order, *, ended: bool) -> str:
    """Why an order of the end does nothing now, in a few words; "" for one that does something."""
    if not ended:
        return _("the game goes on")
    reasons = {offer.order: offer.why_not for offer in offered}
    return reasons.get(order, _("not after this game"))


def words_of_visit(order: Order, match: str, *, plain: bool) -> tuple[str, ...]:
    """The words of the command to visit; `match`: the beginning of its id; `plain`: in lines."""
    first, *rest = _VISITS[order][plain]
    return (first, match, *rest)


def folder_for_friend(match: str) -> str:
    """The folder that a match is shared in; `match`: the beginning of its id.

    The name is no id: a folder with one would stand before the match wherever a command names it.
    """
    return f"p2p-stratego-{match}"


def visits(order: Order) -> bool:
    """Whether the player goes to a command of this program with it, and comes back."""
    return order in _VISITS


class EndFacts(NamedTuple):
    """The facts for the page at the end of a match.  How it ended stands in the question."""

    result: str
    """For the player; "" where the question says as much."""
    kind: Result
    seat: Seat
    finale: Finale
    verdict: str | None
    """Of the audit; None while it is under way."""
    offers: Sequence[Offer] = ()
    fair: bool = True
    """Whether it was played to an end: there is nothing warm to say of any other."""
    practice: str = ""
    """Why it counts for nothing, as a clause; "" if it counts."""
    kept: str = ""
    """Where the faces come from that the record does not open, in a sentence; "" without such faces."""


def the_end(facts: EndFacts, after: Aftermath, columns: int, *, screen: bool) -> Page:
    """The page at the end of a match.

    A screen has the picture, with the words beside it over the board, or below it beside the board.
    """
    sentences, below = _sentences(facts, after), _below(facts)
    rows = [_row(*pair) for pair in zip(DIGITS, facts.offers, strict=False)]
    if not screen:
        lines = [part for line in (*sentences, *below) for part in (*wrapped(line, columns), EMPTY)]
        if rows:
            lines += [
                styled(_("Type a number:")),
                *(part for row in rows for part in wrapped(row, columns, 6)),
            ]
        return Page(_("The end"), lines[:-1] if not rows else lines)
    picture = [_coloured(line, f"seat{facts.seat}") for line in facts.finale[facts.kind]]
    broken = [part for line in sentences for part in wrapped(line, columns - _PICTURE)]
    top = max((len(picture) - len(broken)) // 2, 0)
    over = beside(picture, [EMPTY] * top + broken, _PICTURE)
    # What can be done stands above what is merely explained: in a small window it is all seen at once.
    more = [EMPTY, *below] if below else []
    smaller = [part for line in more for part in wrapped(line, columns)]
    return Page(
        _("The end"),
        [*over, EMPTY, *_abreast(rows, columns), *smaller],
        beside=True,
        slim=[*picture, *sentences, EMPTY, *rows, *more],
    )


def _abreast(rows: Sequence[Line], columns: int) -> Sequence[Line]:
    """The rows in two columns, if they fit side by side."""
    half = (len(rows) + 1) // 2
    left, right = rows[:half], rows[half:]
    wide = max(map(width, left), default=0) + 2
    fits = wide + max(map(width, right), default=0) <= columns
    return beside(left, right, wide) if fits else rows


def _sentences(facts: EndFacts, after: Aftermath) -> list[Line]:
    """The result and what is known about it, a sentence or two a line, above what can be done."""
    result = styled(f"{facts.result}. " if facts.result else "", "question")
    lines: list[Line] = [(*result, *styled(_(_WARM[facts.kind]) if facts.fair else ""))]
    lines += [styled(text, "told") for text in (after.turned, *after.standing) if text]
    if facts.verdict and not describe.is_complete(facts.verdict):
        lines.append(styled(_("Audit: {verdict}", verdict=facts.verdict), "warn"))
    return lines


def _below(facts: EndFacts) -> list[Line]:
    """What a player need not know to go on."""
    practice = _sentence(facts.practice) if facts.practice else ""
    return [styled(text) for text in (practice, facts.kept) if text]


def _sentence(clause: str) -> str:
    """A clause as a sentence of its own."""
    return f"{clause[0].upper()}{clause[1:]}."


def _row(digit: str, offer: Offer) -> Line:
    """An offer with its digit, which is missing while it would do nothing."""
    if offer.why_not:
        return styled(f"    {offer.title} ({offer.why_not})", "dim")
    return (*styled(f" {digit}  ", "key"), *styled(offer.title))


def changed(before: Sequence[Offer], now: Sequence[Offer]) -> list[str]:
    """The offers that are others than before, a line each: for a list that has been printed."""
    rows = zip(DIGITS, now, strict=False)
    return [words(_row(digit, offer)).strip() for digit, offer in rows if offer not in before]


def _coloured(line: str, style: str) -> Line:
    """A line of a picture: its full signs in the colour of a side."""
    return tuple(
        part
        for full, signs in groupby(line, key=_FULL.__contains__)
        for part in styled("".join(signs), style if full else "text")
    )


def proof(
    verdict: str | None, commands: Sequence[tuple[str, str]], path: str, columns: int, *, screen: bool
) -> Page:
    """What was audited, the `commands` that do the same later, each with what it does, and the record.

    In lines a command has a line of its own, to be copied.
    """
    audit = (
        styled(_("Audit: under way …"), "dim")
        if verdict is None
        else styled(
            _("Audit: {verdict}", verdict=verdict), "good" if describe.is_complete(verdict) else "warn"
        )
    )
    lines = [*wrapped(audit, columns), EMPTY]
    for about, command in commands:
        sentence = _c("a command", "{about}: {command}", about=about, command=own_line(command))
        head, own = sentence.split("\n")
        lines += [styled(head), *(wrapped(styled(own), columns) if screen else [styled(own)])]
    where = f"  {escape(path)}"
    lines += [EMPTY, styled(_("The record is"))]
    lines += wrapped(styled(where), columns) if screen else [styled(whole(where))]
    return Page(_("Proof, and commands"), lines)
