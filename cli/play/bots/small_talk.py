"""What bots say at the table now and then: lines that fit their character and the moment.

A line follows from public facts alone, the states that every player sees: so it tells nothing of what lies
closed.  No line is said twice in a match.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from hashlib import sha256
from itertools import pairwise
from types import MappingProxyType
from typing import Any, Final, Literal, TypeAlias

from cli.games.drama import Capture, DramaEvent, Duel, PointsChange
from cli.games.interface import Players, terminal
from cli.reports.history import names
from p2p_stratego.core.game import Outcome, Seat
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import OUTSIDE_THE_RULES
from protocol.record.genesis import Genesis

Moment: TypeAlias = Literal["begins", "gains", "loses", "won", "lost"]

LINES: Final[Mapping[str, Mapping[Moment, tuple[str, ...]]]] = MappingProxyType(
    {
        "equilibrium": {
            "begins": (
                mark("Good evening. I have no habits; you will look for some all the same."),
                mark("Let us mix our choices, and see."),
            ),
            "gains": (
                mark("The odds were kind. In the long run they are."),
                mark("As expected, give or take."),
            ),
            "loses": (mark("A deviation. It will even out."), mark("Noted. It changes nothing in my sums.")),
            "won": (mark("Nothing personal: only arithmetic."),),
            "lost": (mark("Improbable, and well played."),),
        },
        "adaptive": {
            "begins": (mark("Show me how you play. I have time."), mark("Another game, another colour.")),
            "gains": (mark("I think I begin to know you."), mark("This colour suits me.")),
            "loses": (mark("Ah, a new side of you."), mark("I shall have to change colour.")),
            "won": (mark("Thank you. I learnt a lot about you."),),
            "lost": (mark("You changed faster than I did."),),
        },
        "marshal": {
            "begins": (
                mark("I have stood on this field before. Let us begin."),
                mark("A fine morning for a battle."),
            ),
            "gains": (mark("As in the old campaigns."), mark("Ground is taken one step at a time.")),
            "loses": (mark("A brave stroke. I salute it."), mark("One lost fight is no lost battle.")),
            "won": (mark("Well fought. Few have stood so long."),),
            "lost": (mark("The field is yours. I take off my hat."),),
        },
        "strategist": {
            "begins": (
                mark("Look at the whole map, not at one corner of it."),
                mark("Every border is a question."),
            ),
            "gains": (mark("That fits into the picture."), mark("The map looks tidier now.")),
            "loses": (mark("I gave that corner too little thought."), mark("Then the plan turns a little.")),
            "won": (mark("It came together, step by step."),),
            "lost": (mark("You saw further than I did."),),
        },
        "spymaster": {
            "begins": (mark("Take your time. I always do."), mark("We shall know more in a few years.")),
            "gains": (mark("Where else would it lie?"), mark("A fine place to hide. I should know.")),
            "loses": (mark("I shall remember that door."), mark("I looked in the wrong drawer.")),
            "won": (mark("I only asked where I would have hidden it."),),
            "lost": (mark("You had the better sources."),),
        },
        "agent": {
            "begins": (
                mark("I trust nobody. Do not take it amiss."),
                mark("I shall remember everything you do."),
            ),
            "gains": (mark("I suspected as much."), mark("Patience, and then a small step.")),
            "loses": (mark("That goes into my notes."), mark("And I thought I look at everything.")),
            "won": (mark("A long file is closed. Thank you for the game."),),
            "lost": (mark("Well hidden. You had me fooled."),),
        },
        "quartermaster": {
            "begins": (
                mark("I have counted my stores twice. We can begin."),
                mark("No hurry: I stay with my supplies."),
            ),
            "gains": (mark("Carefully does it."), mark("One more for the stores.")),
            "loses": (mark("Luckily I keep reserves."), mark("I shall lock the next door better.")),
            "won": (mark("Thrift wins, now and then."),),
            "lost": (mark("You opened every lock. Well done."),),
        },
        "diplomat": {
            "begins": (
                mark("What a pleasure to meet you. May the better one win."),
                mark("I am sure we can be open with each other."),
            ),
            "gains": (mark("How kind of you to let me."), mark("I hope you do not mind.")),
            "loses": (mark("I took you at your word, I confess."), mark("After you, of course.")),
            "won": (mark("You were a charming opponent."),),
            "lost": (mark("My compliments. I would believe you again."),),
        },
        "gambler": {
            "begins": (mark("All or nothing? I know my answer."), mark("I like these stakes. Let us play.")),
            "gains": (mark("Ha! Who dares wins."), mark("Did you see that? Double it!")),
            "loses": (mark("Easy come, easy go."), mark("Luck will be back. She always is.")),
            "won": (mark("What a run! I would do it all again."),),
            "lost": (mark("I bet too high, and it was worth it."),),
        },
        "cadet": {
            "begins": (
                mark("I have read the whole manual! Well, nearly."),
                mark("I am ready! What was the plan again?"),
            ),
            "gains": (mark("It worked? It worked!"), mark("I must write home about this.")),
            "loses": (mark("Oh. I knew that a moment ago."), mark("That was in the manual, I think.")),
            "won": (mark("I won? I must tell everybody!"),),
            "lost": (mark("I learnt so much. I hope I keep it."),),
        },
        "recruit": {
            "begins": (mark("Hello! Shall we just start?"), mark("I shut my eyes and jump. And you?")),
            "gains": (mark("Look at that, lucky me!"), mark("That went well, and I do not know why!")),
            "loses": (mark("Oops! Never mind."), mark("That hurt, but what fun!")),
            "won": (mark("I won, by pure luck!"),),
            "lost": (mark("You are good! Once more?"),),
        },
    }
)
"""By level and moment: the lines that its character may say."""
_BEGINNING: Final = 2
"""States up to which a match begins: a bot may have to wait until it can speak."""
_QUIET: Final = 8
"""Steps without a word after each line."""
_ONE_IN: Final = 2
"""Of so many moments worth a word, a bot speaks at one."""


class SmallTalk:
    """The talk of one bot in one match."""

    def __init__(self, match: Genesis, seat: Seat, level: str) -> None:
        self._match, self._seat = match, seat
        self._lines = LINES.get(level, {})
        self._events = terminal(match.game.name).events
        self._players = Players(names(match))
        self._heard: int | None = None
        """How many states were looked at; None: a match that went on before this bot sat down has no line."""
        self._spoke = 0
        """At how many states it spoke last."""

    def line(self, states: Sequence[Any], outcome: Outcome | None, heard: Collection[str]) -> str:
        """What the bot says now, "" for nothing.

        `states`: all that were reached, which every player sees; `heard`: all messages of the match so far.
        """
        moment, before = self._moment(states, outcome), self._heard
        self._heard = len(states)
        if moment is None or (before is None and moment != "begins"):
            return ""
        known = [*map(_, self._lines.get(moment, ()))]
        lines = [line for line in known if line not in heard]
        often = moment in ("gains", "loses")
        if not lines or (len(lines) < len(known) and not often) or (often and not self._speaks(len(states))):
            return ""
        self._spoke = len(states)
        return lines[self._drawn(len(states)) // _ONE_IN % len(lines)]

    def _moment(self, states: Sequence[Any], outcome: Outcome | None) -> Moment | None:
        heard = self._heard or 0
        if outcome is not None:
            plain = outcome.reason == "resigned" or outcome.reason not in OUTSIDE_THE_RULES
            if not (plain and outcome.winners):
                return None
            return "won" if self._seat in outcome.winners else "lost"
        if 0 < len(states) <= _BEGINNING:
            return "begins"
        fresh = states[max(heard - 1, 0) :] if heard <= len(states) else ()
        balance = sum(self._worth(fresh))
        return "gains" if balance > 0 else "loses" if balance < 0 else None

    def _worth(self, states: Sequence[Any]) -> Iterator[int]:
        """1 for what this seat gains in the steps between states, -1 for what it loses."""
        if self._events is None or len(self._match.sides) < len(self._match.players):
            return  # in teams an event has a side, and no seat
        for before, after in pairwise(states):
            for event in self._events(before, after, self._players):
                gaining = _gaining(event)
                if gaining is not None:
                    yield 1 if gaining == self._seat else -(len(self._match.players) == 2)

    def _speaks(self, count: int) -> bool:
        return count - self._spoke >= _QUIET and self._drawn(count) % _ONE_IN == 0

    def _drawn(self, count: int) -> int:
        """A number that follows from the match and the step, whatever lies closed."""
        drawn = sha256(self._match.id + bytes([self._seat]) + count.to_bytes(4)).digest()
        return int.from_bytes(drawn[:4])


def _gaining(event: DramaEvent) -> Seat | None:
    """The seat for which an event is a gain; None for none."""
    match event:
        case Duel(stands="left"):
            return event.left.seat
        case Duel(stands="right"):
            return event.right.seat
        case Capture():
            return event.seat
        case PointsChange() if event.end > event.start:
            return event.seat
    return None
