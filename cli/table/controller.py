"""The table: what every front end shares.  It turns a match into a scene, and typed lines into actions.

No terminal here and no waiting: the screen and line mode call `refresh` when something may have changed,
`enter` when a line was typed, and show what the table says.  Everything a player asks for goes through one
place, so that both front ends understand the same things and refuse the same things.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from secrets import SystemRandom
from typing import Final

from cli.commands.games import SHOWN_ID
from cli.games.interface import (
    Choice,
    Decided,
    Misunderstood,
    NotPossible,
    Page,
    Question,
    Room,
    Sight,
    Voices,
    room,
)
from cli.games.setup_store import Shelf
from cli.lines.console import yes_or_no
from cli.reports import history
from cli.shell.settings import Settings
from cli.shell.version import PROGRAM
from cli.table import actions, commands, pages, status
from cli.table.actions import COLUMNS
from cli.table.events import Checks, Item, News, checks
from cli.table.scene import Scene, Tone
from cli.table.setup import READY, SettingUp
from p2p_stratego.core.game import Open, Outcome, Roll
from p2p_stratego.core.view import Chance
from protocol.errors import Refusal
from protocol.failures import Failure, NotNow
from protocol.network.replica import Replica
from protocol.seat.session import Session

_TOLD: Final = 8
"""Sentences of what just happened that are kept."""


@dataclass(frozen=True, slots=True)
class Environment:
    """What a table cannot know by itself."""

    clock: Callable[[], float]
    """The replica's: seconds, monotonic."""
    rtt: Callable[[], float | None] = lambda: None
    """Seconds to the other side and back."""
    verdict: Callable[[], str] = lambda: ""
    """What an audit says of the record as it stands."""
    keys: bool = True
    """Whether there is a screen with keys, rather than lines."""
    shelf: Shelf | None = None
    """Where drafts of set-ups are kept; None: nowhere."""
    chance: Chance = field(default_factory=SystemRandom)
    """For set-ups that the player wants to be dealt."""
    command: str = PROGRAM
    """How this program is run so that it comes back to this player's home folder."""


@dataclass(frozen=True, slots=True)
class Pending:
    """A question of the table's own that waits for yes or no."""

    question: str
    warnings: tuple[str, ...]
    action: Callable[[], None]


class TableController:
    """One player's place at one match, and at its return matches."""

    def __init__(self, replica: Replica, settings: Settings, environment: Environment) -> None:
        self.replica = replica
        self.settings = settings
        self.left = False
        """The player wants to go; the match is saved."""
        self.page: Page | None = None
        self.side: str | None = None
        self.environment = environment
        self._pending: Pending | None = None
        self._sit_down()
        self.notice = None

    def _sit_down(self) -> None:
        """Begin to read a match: the first, or the one after it."""
        self._session: Session = self.replica.session
        self.room: Room = room(self.replica.match.game.name)
        self.voices = Voices(history.names(self.replica.match), self.replica.seat)
        self._news = News(self._session)
        self.history: list[str] = []
        self.chat: list[tuple[str, str, str]] = []
        self._told: list[tuple[bool, str]] = []
        self._decided = False  # what happened before the last decision is told no more once there is news
        self._own = False  # whether the first of what is told is what the last decision led to
        self._asked = False
        self.end_shown = False
        drafting, environment = self.room.drafting, self.environment
        self.setting_up: SettingUp | None = None
        if drafting is not None:
            self.setting_up = SettingUp(drafting, self.replica.match, environment.shelf, environment.chance)

    # What there is to see

    @property
    def sight(self) -> Sight | None:
        """What the room draws from; None while the set-up is under way."""
        if self._session.referee.table.state is None:
            return None
        draft = None if self.setting_up is None else self.setting_up.draft
        return Sight(self._session.view, self.voices, notes=self.settings.notes, draft=draft)

    @property
    def sides(self) -> list[str]:
        """The panels there are, by name."""
        sight = self.sight
        own = self.room.panels(sight, COLUMNS) if sight else []
        return [*(panel.name for panel in own), "chat", "history"]

    @property
    def asked(self) -> bool:
        """Whether the player has something to decide."""
        return self._session.decision is not None

    @property
    def waits_for_player(self) -> bool:
        """Whether the match waits for somebody's decision; if not, it goes on by itself at once."""
        owed = self._session.referee.owed
        return self.over or (owed is not None and not isinstance(owed.ask, Open | Roll))

    @property
    def pending(self) -> Pending | None:
        """What the table itself asks."""
        return self._pending

    @property
    def notice(self) -> tuple[Tone, str] | None:
        """An answer to the last input that did not do what was wanted, or that needs to be seen.

        But for a failure, it holds only as long as everything is as it was then.
        """
        told = self._notice
        return told if told is None or told[0] == "bad" or self._noticed == self._circumstances() else None

    @notice.setter
    def notice(self, told: tuple[Tone, str] | None) -> None:
        self._notice, self._noticed = told, self._circumstances()

    def _circumstances(self) -> tuple[object, ...]:
        """What decides on what can be done at the moment."""
        session, replica = self._session, self.replica
        claimable = replica.claimable_in == 0
        return replica.status, session.live, session.decision, session.draw_offer, claimable, session.over

    @property
    def over(self) -> bool:
        """Whether play has ended."""
        return self._session.over

    @property
    def ended(self) -> bool:
        """Whether the outcome stands: the record is complete, or a claim of ours closes it."""
        return self.replica.finished or self.replica.claimed

    def refresh(self) -> tuple[list[Item], bool]:
        """Take in what happened: what is new, and whether it has just become the player's turn."""
        if self.replica.session is not self._session:
            self._sit_down()
        items = self._news.read()
        for item in items:
            self._take(item)
        if items and self.notice is not None and self.notice[0] != "bad":
            self.notice = None  # it was about how things stood before
        self._follow()
        turn = self.asked and not self._asked
        self._asked = self.asked
        if self.ended != self.end_shown:  # a claim can be answered after all
            self.end_shown = self.ended
            self.page = self._ended_page() if self.ended else None
        return items, turn

    def _follow(self) -> None:
        """Make the decisions that follow from what the player has set up."""
        if self.setting_up is None or self._session.referee.table.state is None:
            return
        try:
            decided = self.setting_up.follow(self._session.view, over=self.over)
            if decided is not None:
                self.replica.decide(decided)
        except Failure as error:
            self.notice = ("bad", str(error))

    def _take(self, item: Item) -> None:
        if item.kind == "chat" and item.seat is not None:
            self.chat.append((f"class:seat{item.seat}", self.voices.names[item.seat], item.text))
            return
        self.history.append(item.text)
        news = (item.opened, item.text)
        if self._decided and item.kind == "step":
            self._told, self._decided, self._own = [news], False, True
        else:
            own, others = self._told[: self._own], self._told[self._own :]
            self._told = [*own, *[*others, news][-_TOLD:]]

    def scene(
        self,
        typed: str = "",
        picked: str | None = None,
        *,
        chatting: bool = False,
        top: int = 0,
        cursor: str = "",
    ) -> Scene:
        """Everything for the screen, with what is being typed and pointed at."""
        question, how = self.question()
        busy = self._pending is not None
        sight = self.pointing("" if busy or chatting else typed, cursor)
        return Scene(
            room=self.room,
            banner=self.room.banner(sight.view) if sight else "setting up",
            sight=sight,
            link=self.link(),
            checked=self.checks().proofs,
            history=self.history,
            chat=self.chat,
            told=self._told,
            own=self._own,
            alert=self.alert(),
            question=question,
            how=how,
            mode="confirm" if busy else "chat" if chatting else "move",
            typed=typed,
            choices=() if chatting else self.choices(typed),
            picked=picked,
            page=self.page,
            top=top,
            careful=self._pending.warnings if self._pending else (),
            side=self.side,
            keys=pages.keys(self.room),
        )

    def pointing(self, typed: str, cursor: str) -> Sight | None:
        """The sight with what is being typed and pointed at."""
        sight = self.sight
        return replace(sight, typed=typed, cursor=cursor) if sight else None

    def checks(self) -> Checks:
        """What was verified so far."""
        return checks(self._session)

    def question(self) -> tuple[str, str]:
        """What the player is asked now, or what is waited for; and how to answer, or nothing."""
        if self._pending is not None:
            return self._pending.question, "yes or no"
        outcome = self._session.outcome
        if outcome is not None and self.over:
            return self.ending(outcome), status.afterwards(self.replica)
        if self.over:
            return status.settling(self.replica, self.voices), ""
        if self.asked:
            question = self._question()
            if question is not None:
                return question.text, question.how
        return status.waiting(self.replica, self.room, self.voices), ""

    def _question(self) -> Question | None:
        sight = self.sight
        drafted = self.setting_up.question(sight) if self.setting_up and sight else None
        return drafted or self.room.question(self._session.view, self.voices)

    def ending(self, outcome: Outcome) -> str:
        """How the game ended."""
        return status.ending(self._session, outcome, self.room, self.voices.names)

    def link(self) -> tuple[Tone, str]:
        """How the other side is connected."""
        return status.link(self.replica, self.environment.rtt(), self.environment.clock())

    def alert(self) -> tuple[Tone, str] | None:
        """What needs to be noticed besides the question, the most urgent first."""
        return self.notice or status.alert(self.replica, self.voices)

    def choices(self, typed: str) -> tuple[Choice, ...]:
        """How what is typed could go on."""
        if self._pending is not None:
            return _words(("yes", "no"))
        if self.over:
            return _words(w for w in status.offered(self.replica) if w.startswith(typed.strip().lower()))
        found: tuple[Choice, ...] = ()
        sight = self.pointing(typed, "")
        if self.asked and sight is not None:
            drafted = self.setting_up.choices(sight) if self.setting_up else ()
            found = drafted or self.room.choices(sight.view, typed)
        return found or _words(commands.starting(typed))

    # What the player does

    def enter(self, typed: str) -> None:
        """Do what a typed line says; afterwards `notice` tells what was wrong with it, if anything."""
        self.notice = None
        self.page = None
        self._follow()
        try:
            if self._pending is not None:
                self._answer(self._pending, typed)
            elif typed.strip():
                order = commands.read(typed)
                if order is None:
                    self._move(typed)
                else:
                    actions.do(self, *order)
        except (Misunderstood, NotNow) as error:
            self.notice = ("warn", str(error))
        except (Refusal, Failure) as error:
            self.notice = ("bad", str(error))

    def show(self, command: str) -> None:
        """Do a command that only shows something, which answers no question of the table's own."""
        asked, self._pending = self._pending, None
        self.enter(command)
        self._pending = asked

    def cancel(self) -> None:
        """Close what is open: a page, a question of the table's own, a notice."""
        self.page = self._pending = self.notice = None

    def say(self, text: str) -> None:
        """Say something to the other side."""
        self.enter(f"/{text}")

    def leave(self) -> None:
        """Leave, after a question if the match goes on; asked for again in that question, at once."""
        asked, self._pending = self._pending, None  # whatever else was asked is not agreed to by leaving
        if asked is not None and asked.action == self.go:
            self.go()
        else:
            self.enter("leave")

    def go(self) -> None:
        """The player is gone from here."""
        self.left = True

    def _answer(self, pending: Pending, typed: str) -> None:
        said = yes_or_no(typed)
        if said is None:
            self.notice = ("warn", "Please answer yes or no.")
            return
        self._pending = None
        if said:
            pending.action()

    def confirm(self, question: str, action: Callable[[], None], warnings: Sequence[str] = ()) -> None:
        """Ask the player to confirm `action`, after `warnings`."""
        self._pending = Pending(question, tuple(warnings), action)

    def _move(self, typed: str) -> None:
        if self.over:
            raise NotPossible(f"The game has ended. Type {status.afterwards(self.replica)}.")
        sight = self.pointing(typed, "")
        if sight is None:
            raise NotPossible("The game is still being set up.")
        if self.setting_up is not None and self.setting_up.question(sight) is not None:
            self._set_up(self.setting_up, sight)
            return
        view = sight.view
        decided = self.room.read(view, typed)
        warnings = self.room.warnings(view, decided)
        if warnings:
            spoken = self.room.spoken(view, decided)
            self.confirm(f"Really {spoken}?", lambda: self._decide(decided), warnings)
        else:
            self._decide(decided)

    def _set_up(self, setting_up: SettingUp, sight: Sight) -> None:
        """Change what is to be set up, or lay it."""
        if sight.typed.strip().lower() not in READY:
            setting_up.change(sight, sight.typed)
            return
        decided = setting_up.drafting.decide(sight)

        def lay() -> None:
            setting_up.keep()
            self._decide(decided)

        warnings = setting_up.drafting.warnings(sight)
        if warnings:
            self.confirm(f"Really {self.room.spoken(sight.view, decided)}?", lay, warnings)
        else:
            lay()

    def _decide(self, decided: Decided) -> None:
        self._decided, self._asked = True, False
        self.replica.decide(decided)

    def _ended_page(self) -> Page:
        outcome = self._session.outcome
        ending = self.ending(outcome) if outcome else ""
        again = f"{self.environment.command} replay {self.replica.match.id.hex()[:SHOWN_ID]}"
        path, screen = self.replica.store.path, self.environment.keys
        return pages.the_end((ending, self.environment.verdict(), again), path, COLUMNS, screen=screen)


def _words(words: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(word, word) for word in words)
