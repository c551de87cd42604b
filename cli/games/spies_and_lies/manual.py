"""The rules of Spies & Lies, in short and in our own words, and all about one soldier.

Every number and every ability comes from the game's tables, so that this page always agrees with play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games import manual
from cli.games.interface import Page, Unknown
from cli.games.manual import broken, prose
from cli.games.spies_and_lies.names import called, missions
from cli.text.layout import filled
from cli.text.sanitize import cells, escape
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either, listed
from p2p_stratego.spies_and_lies.rules import components as table
from p2p_stratego.spies_and_lies.rules import seating
from p2p_stratego.spies_and_lies.rules.components import SOLDIERS, Soldier

_TEXT: Final = (
    mark(
        """\
# What it is about
Between the two forts goes a double agent. Push it to the enemy's wall and, in any later turn, be the guess
yours or the enemy's, one step more: that takes the flag. If nobody has it after {days} days, the agent's
place decides: on one side's ground, the other side wins; in the middle, the side with more points wins, and
equal points are a draw."""
    ),
    mark(
        """\
# A day
1. Deploy. In secret, both lay a soldier under each of their missions 1 to {missions}, ranks rising from left
to right; the Sergeant fits anywhere. Breaking the order is possible, and costs dearly once it is seen.
2. Intel. A card shows a range of ranks ({ranges}). At the same time, both mark those of their missions whose
soldier is in it. A false mark is possible, and punished on sight; the Sergeant's may be false.
3. Missions. In turns each side guesses the rank at the enemy's next mission. Beforehand the owner may lay a
deception token on it: a bet that the guess will be wrong."""
    ),
    mark(
        """\
# After a guess: the first that fits
- The owner was caught out of order today: the card counts as identified, unguessed, the Sergeant too.
- Lower than a card that its owner has shown today: out of order. The agent goes back by what this side
moved it today, its points fall to 0, and the card counts as identified.
- Falsely marked: the card counts as identified.
- Guessed right: identified. The guesser scores {identified}, or {with_scout} with a Scout in force; the
soldier does nothing.
- A blast waits, or the Marshal meets a Spy in force, or the Bomb a Miner: it retreats and does nothing.
- Otherwise the soldier uses its ability (below). Nobody may decline a use, or a step of the agent."""
    ),
    mark(
        """\
Each side begins with one deception token. Laid on a card that is then not identified, it scores {deception}
more, also if the soldier retreats. There are {tokens} tokens in all, nobody holds more than {held}, and a
used one is gone."""
    ),
    mark(
        """\
# Points, agent, night
At {infiltration} points the marker returns to 0, points beyond that are lost (only the Colonel's stay), and
the agent moves as many steps as the day's number. At the wall it stops, whatever steps are left."""
    ),
    mark(
        """\
Before the first day chance lets one soldier of each side rest. At night it takes one of the four that each
side deployed, for a day. Points, agent and tokens stay; everything in force ends."""
    ),
    mark(
        """\
A side that takes the flag must show those of its cards of the day that are still closed. If one of its four
is out of order, or one that was still closed is falsely marked, the other side has won. A false mark that a
guess turned up was paid for then, and costs no more. A card that was not in hand at all is cheating, and
loses the game."""
    ),
    mark(
        """\
# Three or four players
Two sides; one or both are shared by two mates, who have soldiers, points and tokens in common. One mate
plays missions {first}, the other {second}: each lays, marks and opens its own cards, and guesses at the
enemy's cards there. The first mate lays first. The second may look at those two cards until it has laid its
own, to keep the order; the order is judged over all four. Mates may talk, but everybody at the table hears
it. They win and lose together. If one leaves, the other plays on for both; cards that the one who left had
laid stay face down and count as identified, and if their side takes the flag on that day, the other side has
won. In a return match everybody moves on by one seat."""
    ),
)
"""Its sections, a heading and its paragraphs each."""


def page(topic: str | None, columns: int) -> Page:
    """All about one soldier, `topic`; None: the rules in short.  Raises Unknown."""
    if topic is None:
        return manual.in_short(summary(columns))
    facts = find(topic)
    return manual.about(f"{facts.rank} {table.title(facts.rank)}", _facts(facts), columns)


def find(text: str) -> Soldier:
    """The soldier that a rank, a printed name or its beginning names.  Raises Unknown unless one fits."""
    wanted = text.strip().casefold()
    soldiers = [
        soldier
        for soldier in SOLDIERS.values()
        if wanted
        and (
            wanted == str(soldier.rank)
            or soldier.name.casefold().startswith(wanted)
            or table.title(soldier.rank).casefold().startswith(wanted)
            or called(wanted, soldier.rank)
        )
    ]
    if len(soldiers) != 1:
        names = ", ".join(f"{soldier.rank} {table.title(soldier.rank)}" for soldier in SOLDIERS.values())
        reason = _("several soldiers") if soldiers else _("no soldier")
        raise Unknown(
            _(
                "“{text}” is {what}. Name one of these: {names}.",
                text=escape(text, 40),
                what=reason,
                names=names,
            )
        )
    return soldiers[0]


def _cards(rank: int | None = None) -> list[str]:
    """The intel cards there are, or those whose range holds `rank`: ["1–4", "4–7"]."""
    cards = sorted(set(table.INTEL_DECK))
    return [f"{low}–{high}" for low, high in cards if rank is None or low <= rank <= high]


def summary(width: int) -> list[str]:
    """The whole game on a page or two, as lines of at most `width` columns."""
    text = "\n\n".join(
        _(
            section,
            days=table.DAYS,
            missions=len(table.MISSIONS),
            ranges=", ".join(_cards()),
            identified=table.IDENTIFICATION,
            with_scout=table.IDENTIFICATION_WITH_SCOUT,
            deception=table.DECEPTION,
            tokens=table.TOKENS,
            held=table.TOKENS_HELD_AT_MOST,
            infiltration=table.INFILTRATION,
            first=missions(seating.FIRST),
            second=missions(seating.SECOND),
        )
        for section in _TEXT
    )
    lines = [*prose(text, width), "", _("SOLDIERS, one of each a side")]
    wide = max(11, *(cells(table.title(soldier.rank)) for soldier in SOLDIERS.values()))
    for soldier in SOLDIERS.values():
        row = f"{soldier.rank:>2} {filled(table.title(soldier.rank), wide)} {_(soldier.ability)}."
        lines += broken(row, width, hang=wide + 4)
    lines += ["", *broken(_("`p2p-stratego rules SOLDIER` tells more about one of them."), width)]
    return lines


def _facts(soldier: Soldier) -> Iterator[str]:
    yield _("When it is not guessed: {ability}.", ability=_(soldier.ability))
    if soldier.points:
        yield _("Moves its owner's marker by {points}.", points=soldier.points)
    if soldier.keeps_excess:
        yield _(
            "Other points beyond {infiltration} are lost when the marker returns to 0; these stay.",
            infiltration=table.INFILTRATION,
        )
    if soldier.steps:
        yield _(
            "Pushes the agent {steps} toward the enemy's fort, and stops at the wall; if it stood there "
            "before this turn, one step takes the flag.",
            steps=soldier.steps,
        )
    if soldier.wins_token:
        yield (
            _(
                "The token comes from the spare ones: none is won when they are gone, or with "
                "{tokens_held_at_most} in hand.",
                tokens_held_at_most=table.TOKENS_HELD_AT_MOST,
            )
        )
    if soldier.lasts:
        yield _("Stays in force until the night.")
    if soldier.blast:
        yield (
            _(
                "The blast is used up by that guess, whatever comes of it; if the card is identified, or "
                "counts so without a guess, chance "
                "takes two of the enemy's soldiers at night instead of one."
            )
        )
    if soldier.yields_to is not None:
        yield _("Retreats while the enemy has a {name} in force.", name=table.title(soldier.yields_to))
    stoppers = [table.title(other.rank) for other in SOLDIERS.values() if other.yields_to == soldier.rank]
    if stoppers:
        yield _("While it is in force, the enemy's {stoppers} retreats.", stoppers=listed(stoppers))
    if soldier.chooses:
        yield _("Its owner says which, when it has been shown.")
    if soldier.free:
        yield _("Never breaks the order, and its mark is never false.")
    cards = _cards(soldier.rank)
    if soldier.free:
        yield _("In the range of intel {cards}; mark it or not, as you like.", cards=listed(cards))
    else:
        yield _(
            "Its true mark: with intel {cards} turned up, and only then. A false one is possible, and "
            "punished on sight.",
            cards=either(cards),
        )
