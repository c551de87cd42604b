"""A place in a recorded game, and what each key makes of it: the player of replays, without screen and clock.

Everything is a pure function of the place before.  A front end draws `Replay`, tells it what was pressed, and
calls `ticked` when the seconds of `pause` have passed while it plays by itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from cli.games.interface import terminal
from cli.reports.history import Story
from cli.studies.analysis.analysing import Analysed
from p2p_stratego.core.game import Face, Seat, Slot
from p2p_stratego.core.language import _

SPEEDS: Final = (0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0)
"""How many times as quick as a reader needs it."""
USUAL: Final = 2
"""The place in SPEEDS to begin with."""
_LETTERS: Final = 18.0
"""Letters of a note that are read in a second."""
LINGER: Final = 2.0
"""How much longer a step stays that is worth jumping to."""
FAR: Final = 10
MOST_SOUGHT: Final = 60
"""Characters that can be searched for."""
Pane: TypeAlias = Literal["board", "moves", "keys", "analysis", "whole"]
"""What is shown beside the board; "whole": the analysis in its place."""
_FAR: Final = {"next": 1, "back": -1, "forth": FAR, "far back": -FAR}


@dataclass(frozen=True, slots=True)
class Replay:
    """A place in a recorded game: step `at` from 1, with `seat` at the bottom of the board.

    `open`: whether all that is known at the end is shown from the beginning; `eyes`: the seat whose hidden
    things are shown beside the opened ones, or None; `live`: how a watched game is connected; `heard`: what
    was said beside it.
    """

    story: Story
    at: int = 1
    seat: Seat = 0
    open: bool = False
    live: str = ""
    heard: tuple[str, ...] = ()
    eyes: Seat | None = None
    playing: bool = False
    speed: int = USUAL
    """A place in SPEEDS."""
    pane: Pane = "board"
    """What is shown beside, or in place of, the board."""
    origin: int = 1
    """The step at which the list of moves was opened."""
    typing: str | None = None
    """The text to search for while it is typed."""
    sought: str = ""
    """The text that was searched for last."""
    analysed: Analysed | None = None
    """The analysis as far as it has come, if there is one."""
    judges: bool = False
    """Whether the game can be analysed here."""
    judging: bool = False
    """Whether that is under way."""
    notice: str = ""
    """What the last key came to, where the screen does not show it."""

    @classmethod
    def of(cls, story: Story) -> Replay:
        """The beginning, as the owner of the record saw it, or else as everybody did; an annotated game is
        open, as its notes speak of hidden things.
        """
        return cls(story, seat=story.own or 0, eyes=story.own, open=bool(story.notes))

    # What is there

    @property
    def last(self) -> bool:
        """Whether no step follows yet."""
        return self.at >= len(self.story.steps)

    @property
    def everything(self) -> dict[Slot, Face]:
        """All faces that are known at the end, to everybody or to the owner of the record."""
        steps = self.story.steps
        return {**self.story.secrets, **(steps[-1].faces if steps else {})}

    @property
    def known(self) -> Mapping[Slot, Face]:
        """The faces that are shown at this step."""
        if self.open:
            return self.everything
        return self.seen_by(self.eyes)

    def seen_by(self, eyes: Seat | None) -> Mapping[Slot, Face]:
        """The faces that a seat could read at this step, as far as they are known; None: everybody."""
        story, now = self.story, self.story.steps[self.at - 1].faces
        if eyes is None or not story.read:
            return now
        since, until = story.read[eyes], self.at + (self.last and bool(story.since))
        return {
            slot: face
            for slot, face in self.everything.items()
            if slot in now or since.get(slot, until + 1) <= until
        }

    @property
    def views(self) -> tuple[Seat | None, ...]:
        """Whose eyes one can look through, in the order of the key: the owner, the others, everybody."""
        everything = self.everything
        seats = [seat for seat, read in enumerate(self.story.read) if not everything.keys().isdisjoint(read)]
        return (*sorted(seats, key=lambda seat: seat != self.story.own), None)

    @property
    def events(self) -> list[int]:
        """The steps that are worth jumping to, and the last one; of an annotated game those with a note."""
        steps, notes = self.story.steps, self.story.notes
        return [
            at
            for at, step in enumerate(steps, start=1)
            if (at in notes if notes else step.moment) or at == len(steps)
        ]

    @property
    def note(self) -> str:
        """What an annotator wrote beside this step; "" for nothing."""
        return self.story.notes.get(self.at, "")

    @property
    def hits(self) -> list[int]:
        """The steps that tell what is sought."""
        wanted = self.sought.casefold()
        if not wanted:
            return []
        return [
            at
            for at, step in enumerate(self.story.steps, start=1)
            if wanted in f"{step.moment} {' '.join(step.sentences)}".casefold()
        ]

    def pause(self, pace: float) -> float:
        """Seconds after which the next step follows in play by itself; `pace`: those that a reader needs."""
        longer = LINGER if self.story.steps[self.at - 1].moment else 1.0
        return (pace * longer + len(self.note) / _LETTERS) / SPEEDS[self.speed]

    # What happens to it

    def grown(self, story: Story, live: str, heard: tuple[str, ...] = ()) -> Replay:
        """The same place in a `story` that has gone on; at the last step, the new last one."""
        steps = len(story.steps)
        at = max(steps, 1) if self.last else min(self.at, steps)
        return replace(self, story=story, live=live, at=at, heard=heard)

    def ticked(self) -> Replay:
        """The next step of a game that plays by itself; it stops at the last one."""
        if not self.playing or self.last:
            return replace(self, playing=False)
        on = replace(self, at=self.at + 1)
        return replace(on, playing=not on.last)

    def to(self, at: int) -> Replay:
        """Step `at`, or the nearest one there is; play by itself stops."""
        return replace(self, at=min(max(at, 1), len(self.story.steps)), playing=False, notice="")

    def go(self, where: str) -> Replay:
        """The place after a command of `cli.screen.replay.replay.KEYS`, or after "whole analysis".

        Raises KeyError for another word.
        """
        at = self._step(where)
        if at is not None:
            return self.to(at)
        here = replace(self, notice="")
        match where:
            case "found" | "found back":
                return self._to_found(forth=where == "found")
            case "play":
                again = self.last and not self.playing and not self.live
                return replace(here, playing=not self.playing and not self.live, at=1 if again else self.at)
            case "faster" | "slower":
                speed = self.speed + (1 if where == "faster" else -1)
                return replace(here, speed=min(max(speed, 0), len(SPEEDS) - 1))
            case "turn" if not terminal(self.story.game).turns:
                return replace(here, notice=_("This map always lies the same way."))
            case "turn":
                return replace(here, seat=(self.seat + 1) % len(self.story.names))
            case "open" if self.seen_by(self.eyes) == self.everything:
                return replace(here, open=False, notice=_("All that is known is open."))
            case "open":
                return replace(here, open=not self.open)
            case "view":
                return here._next_view()
            case _:
                return here._pane(where)

    def _step(self, where: str) -> int | None:
        """The step to which a command goes that only moves; None for another command."""
        match where:
            case "next" | "back" | "forth" | "far back":
                return self.at + _FAR[where]
            case "first":
                return 1
            case "last":
                return len(self.story.steps)
            case "event":
                return next((at for at in self.events if at > self.at), self.at)
            case "event back":
                return next((at for at in reversed(self.events) if at < self.at), self.at)
            case "enter" if self.pane == "board":
                return self.at + 1
            case "found" if not self.sought:
                return self.at + 1
            case _:
                return None

    def _next_view(self) -> Replay:
        """Through the next eyes, with their seat at the bottom of the board."""
        views = self.views
        eyes = views[(views.index(self.eyes) + 1) % len(views)] if self.eyes in views else views[0]
        return replace(self, eyes=eyes, seat=self.seat if eyes is None else eyes, open=False)

    def _pane(self, where: str) -> Replay:
        """The place after a command about the panes beside the board."""
        match where:
            case "moves":
                pane: Pane = "board" if self.pane == "moves" else "moves"
                return replace(self, pane=pane, origin=self.at)
            case "analysis":
                judged = self.pane in ("analysis", "whole")
                return replace(self, pane="board" if judged else "analysis")
            case "whole analysis":
                return replace(self, pane="whole")
            case "keys":
                return replace(self, pane="board" if self.pane == "keys" else "keys", playing=False)
            case "search":
                return replace(self, typing="", playing=False)
            case "close" if self.pane == "moves":
                return replace(self.to(self.origin), pane="board")
            case "close":
                return replace(self, pane="board", sought="")
            case "enter":
                return replace(self, pane="board")
            case _:
                raise KeyError(where)

    @property
    def closes(self) -> bool:
        """Whether there is something that the command "close" closes: else its key leaves the replay."""
        return self.pane != "board" or bool(self.sought)

    # Searching

    def typed(self, text: str) -> Replay:
        """The text to search for with `text` behind it, as far as that is printable."""
        if self.typing is None:
            return self
        more = "".join(character for character in text if character.isprintable())
        return replace(self, typing=(self.typing + more)[:MOST_SOUGHT])

    def erased(self) -> Replay:
        """The text to search for without its last character; without any, the search is given up."""
        return replace(self, typing=self.typing[:-1] if self.typing else None)

    def given_up(self) -> Replay:
        """The search is given up while it is typed."""
        return replace(self, typing=None)

    def searched(self) -> Replay:
        """The next step that tells the typed text, from this one on; nothing typed: the text before."""
        sought = (self.typing or "").strip() or self.sought
        here = replace(self, typing=None, sought=sought, notice="", playing=False)
        if not sought or self.at in here.hits:
            return here
        return here._to_found(forth=True)

    def _to_found(self, *, forth: bool) -> Replay:
        """The next step that tells what is sought, or the one before; behind the last comes the first."""
        hits = self.hits
        if not hits:
            return replace(self, notice=_("No step tells “{text}”.", text=self.sought) if self.sought else "")
        if forth:
            return self.to(next((at for at in hits if at > self.at), hits[0]))
        return self.to(next((at for at in reversed(hits) if at < self.at), hits[-1]))
