"""One player's place at one match, and at its return matches: the state that every front end shares.

No terminal here and no waiting: a front end calls `refresh` when something may have changed.
`cli.table.scene.presentation` reads the table for the screen; `cli.table.orders.actions` carries out typed
lines.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from secrets import SystemRandom
from typing import Any

from cli.games.drama import Result
from cli.games.interface import Decided, GameTerminal, Page, PlannedAnswers, Players, ViewContext, terminal
from cli.games.setup_store import SetupStore
from cli.games.typed_names import in_english
from cli.reports import describe, history
from cli.reports.rows import SHOWN_ID
from cli.shell.explain import sentence
from cli.shell.settings import Settings
from cli.shell.version import PROGRAM
from cli.table.news.events import EventLog, NewsItem
from cli.table.pages import end_page, match_pages
from cli.table.pages.end_page import Aftermath, Offer
from cli.table.seat.coaching import Coach
from cli.table.seat.setup import SettingUp
from cli.table.seat.timing import Timing
from cli.table.seat.unread import Unread
from cli.table.words import clocks, commands, connection, end_and_rematch, other_players, status
from cli.table.words.call_attempts import OwnRelay
from cli.table.words.commands import Order
from cli.text import language
from cli.text.theme import Tone
from p2p_stratego.core.game import Choose, Commit, Face, Mix, Seat, Slot, Together
from p2p_stratego.core.language import _
from p2p_stratego.core.lesson import Lesson
from p2p_stratego.core.view import Chance
from p2p_stratego.registry import ENTRIES
from protocol.failures import Failure
from protocol.record.asks.registry import is_drawn
from protocol.replication.replica import Replica, Status
from protocol.seat.session import Session


@dataclass(frozen=True, slots=True)
class Environment:
    """The table's access to the world around it."""

    clock: Callable[[], float]
    """The replica's: seconds, monotonic."""
    rtt: Callable[[], float | None] = lambda: None
    """Seconds to another player and back."""
    verdict: Callable[[], str | None] = lambda: ""
    """The audit's verdict on the record as it stands; None while it is under way."""
    keys: bool = True
    """Whether there is a screen with keys, rather than lines."""
    setups: SetupStore | None = None
    """Where drafts of set-ups are kept; None: nowhere."""
    chance: Chance = field(default_factory=SystemRandom)
    """For random set-ups."""
    command: str = PROGRAM
    """The command that runs this program in this player's home folder."""
    pausing: Callable[[], bool] = lambda: False
    """Whether the opponent waits for the player to read the last step."""
    parting: Callable[[], bool] = lambda: False
    """Whether the tutor of a lesson is about to give up, so that nothing is to be decided any more."""
    go_on: Callable[[], None] = lambda: None
    """Ends that pause."""
    hurry: Callable[[bool], None] = lambda _wanted: None
    """Has the opponents pause no more, or again."""
    hold: Callable[[], float] = lambda: 0.0
    """Draws how many seconds a pass is held back, so that its moment tells nothing."""
    call: Callable[[str], None] = lambda _: None
    """Runs the player's own command with a sentence, soon."""
    relays: Callable[[], Sequence[OwnRelay]] = tuple
    """The relays at which others can call our player."""
    remember: Callable[[Settings, Settings], None] = lambda _before, _after: None
    """Saves the differences between two settings."""
    befriend: Callable[[Seat], str] | None = None
    """Lets the player of a seat ask ours for other games: a sentence about it."""
    watch: Callable[[bool], tuple[str, str]] | None = None
    """Lets spectators in, or no longer: a sentence about it, and the invite or nothing.  None: nobody can
    call us.
    """

    lesson: Lesson | None = None
    """The lesson of this match; None in ordinary play."""
    lesson_number: int = 1
    """Which of the game's lessons that is."""
    aftermath: Callable[[], Aftermath] | None = None
    """What is known so far about the match, which is over; looks for it, when it is asked first.  None: the
    table offers nothing after the end but another match.
    """
    kept_by_bots: Callable[[], Mapping[Slot, Face]] = dict
    """All faces that the bots of this program could read at the end of the match, which is over."""
    practise: Callable[[], None] = lambda: None
    """Has the bots of this program keep that the match is practice, too."""
    share: Callable[[], None] = lambda: None
    """Writes the files with which the match, which is over, can be shown to a friend; soon."""


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A question of the table's own that waits for yes or no."""

    question: str
    warnings: tuple[str, ...]
    action: Callable[[], None]
    line: str = ""
    """The typed line that led to it, which comes back for editing if the answer is no."""
    light: bool = False
    """It only asks whether to send a move that the board shows meanwhile: Enter says yes."""


class TableController:
    """A match as its player sees it: notices, the open page, the draft of a set-up."""

    def __init__(self, replica: Replica, settings: Settings, environment: Environment) -> None:
        self.replica = replica
        self.settings = settings
        self.environment = environment
        self.left = False
        """The player wants to go; the match is saved."""
        self.onward: int | None = None
        """The number of the lesson that the player wants to go on with; None: of none."""
        self.wish: Order | None = None
        """What the player wants to see or play away from the table; who fulfils it empties this."""
        self.page: Page | None = None
        self.side: str | None = None
        """The panel that the player wants to see first."""
        self.pending: Confirmation | None = None
        """The table's own question."""
        self.timing = Timing(environment.clock, environment.hold)
        self.returned = ""
        """A line that was not confirmed, for the player to edit; a front end takes it and empties this."""
        self.setting_up: SettingUp | None = None
        self._sit_down()
        self.notice = None
        self._there: Mapping[Seat, bool] = {}
        """By seat, whether each other player is there, as noticed last."""

    def _sit_down(self) -> None:
        """Begin to read a match: the first, or the one after it."""
        self.session: Session = self.replica.session
        self.terminal: GameTerminal = terminal(self.replica.match.game.name)
        self.players = Players(history.names(self.replica.match), self.replica.seat)
        self.unread = Unread(self.session, self.terminal, self.players)
        self.coach = Coach(
            self.session,
            self.replica.match.game.name,
            self.environment.lesson,
            self.environment.lesson_number,
            lambda: other_players.alone_with_bots(self.replica),
        )
        self.log = self._fresh_log()
        self._then: Sequence[Decided] = ()
        """Decisions that were typed with an earlier one, for the questions that follow from it."""
        self._standing: PlannedAnswers | None = None
        """The last answer that is given to later questions, too."""
        self._asked = False
        self.end_shown = False
        self._end_page: Page | None = None
        self._end_due = False
        """Whether the page of the end waits until pages that came before it are read."""
        self._verdict: str | None = None
        self._kept_by_bots: Mapping[Slot, Face] = {}
        """Once the match is over: what its bots knew, which no record proves."""
        self._after = Aftermath()
        self._set_up_anew()

    def _set_up_anew(self) -> None:
        """Begin the draft of a set-up, where the game has one; a return match begins with the last one."""
        editor, environment, last = self.terminal.setup_editor, self.environment, self.setting_up
        if editor is not None:
            anew = SettingUp(editor, self.replica.match, environment.setups, environment.chance)
            anew.written = None if last is None else last.written
            self.setting_up = anew

    # How things stand

    @property
    def context(self) -> ViewContext | None:
        """The context for the game's parts; None before the match is set up."""
        return self.context_with("")

    def context_with(self, typed: str, cursor: str = "") -> ViewContext | None:
        """The context with the typed text, whose names are put into English, and the place pointed at."""
        if self.session.referee.table.state is None:
            return None
        draft = None if self.setting_up is None else self.setting_up.draft
        if commands.read(typed) is None:
            typed = in_english(typed, self.terminal.names())
        notes, settled = self.settings.notes, not self.session.genesis.takebacks
        view = self.session.view
        if self._kept_by_bots:
            view = replace(view, known={**self._kept_by_bots, **view.known})
        return ViewContext(view, self.players, typed, notes, cursor, draft, settled)

    @property
    def amiss(self) -> str:
        """What keeps our draft of a set-up from being ready, in a sentence; "" for nothing."""
        context = self.context
        return "" if self.setting_up is None or context is None else self.setting_up.amiss(context)

    @property
    def asked(self) -> bool:
        """Whether a decision is due that the player makes, and not its program."""
        due = self.session.decision is not None and not self.timing.passing
        return due and not self.environment.parting()

    @property
    def waits_for_player(self) -> bool:
        """Whether the match waits for a person; if not, it goes on by itself at once."""
        owed = self.session.referee.owed
        if self.over or owed is None:
            return self.over
        parts = owed.ask.asks if isinstance(owed.ask, Together) else (owed.ask,)
        return any(isinstance(part, Choose | Commit | Mix) and not is_drawn(part) for part in parts)

    @property
    def over(self) -> bool:
        """Whether play has ended."""
        return self.session.over

    @property
    def ended(self) -> bool:
        """Whether the outcome stands: the record is complete, or a claim of ours closes it."""
        return self.replica.finished or self.replica.claimed

    @property
    def notice(self) -> tuple[Tone, str] | None:
        """An answer to the last input that failed, or that needs to be seen.

        A failure stays until the next input; any other notice goes as soon as the circumstances change.
        """
        notice = self._notice
        holds = notice is None or notice[0] == "bad" or self._noticed == self._circumstances()
        return notice if holds else None

    @notice.setter
    def notice(self, notice: tuple[Tone, str] | None) -> None:
        self._notice, self._noticed = notice, self._circumstances()

    def _circumstances(self) -> tuple[object, ...]:
        """The facts that decide on the possible actions of the moment."""
        session, replica = self.session, self.replica
        claimable = replica.claimable_in == 0
        return replica.status, session.live, session.decision, session.draw_offer, claimable, session.over

    # How it goes on

    def refresh(self) -> tuple[list[NewsItem], bool]:
        """Take in the news, and whether the player's turn has just come."""
        if self.replica.session is not self.session:
            self._sit_down()
        self._hear_aftermath()
        items = self.log.read()
        self.follow()
        items += self.log.read()  # the next question may be open already: it comes behind what led to it
        if items and self.notice is not None and self.notice[0] != "bad":
            self.notice = None  # it was about earlier circumstances
        self._welcome()
        self.page = self.unread.look(self.context, self.page) or self.page
        if self.unread.happen(items, keys=self.environment.keys, summary=self.settings.summary):
            self.turn_page()
        turn = self.asked and not self._asked
        self._asked = self.asked
        if self.ended != self.end_shown:  # a claim can be answered after all
            self.end_shown = self._end_due = self.ended
            self.pending = None  # what was asked about the running match
            self._kept_by_bots = self.environment.kept_by_bots() if self.ended else {}
            self._tick()
            if not (self.ended and self.unread.is_open(self.page)):  # the page of a day is read before
                self.page = None
                self.turn_page()
        elif self.shows_end:
            self._show_end()
        return items, turn

    def _tick(self) -> None:
        """Keep the tick of a lesson that is learnt."""
        word = self.coach.learnt
        if word and word not in self.settings.learnt:
            self.prefer(learnt=(*self.settings.learnt, word))

    def _welcome(self) -> None:
        """Tell on a screen that a player is back, once the copies agree; lines tell it themselves."""
        replica = self.replica
        if replica.status is Status.CONNECTED and not self.session.live:
            return
        before, now = self._there, self.environment.clock()
        self._there, sentences = connection.presence(replica, self.players, before, now)
        back = any(there and before.get(seat) is False for seat, there in self._there.items())
        quiet = self.notice is None and status.alert(replica, self.players, now) is None
        if back and quiet and self.environment.keys:
            self.notice = ("good", " ".join(sentences))

    def turn_page(self) -> None:
        """Open the next page that waits to be read, if none is open; that of the end comes last."""
        if self.page is None:
            self.page = self.unread.turn()
        if self.page is None and self._end_due:
            self._show_end()

    def _show_end(self) -> None:
        """Open the page of the end, as it stands."""
        self._end_due = False
        page = self._ended_page()
        if page != self._end_page or self.page is None:
            self.page = self._end_page = page

    @property
    def shows_end(self) -> bool:
        """Whether the page of the end of a match is open on a screen."""
        return self.environment.keys and self.page is not None and self.page is self._end_page

    def show_end_again(self) -> None:
        """Open the page of the end of a match that is over."""
        self.page = None
        self._show_end()

    @property
    def more_to_read(self) -> bool:
        """Whether a page waits that has not been opened."""
        return bool(self.unread.waiting) or self._end_due

    def _hear_aftermath(self) -> None:
        """Take in what a look at the record of a match that is over has found; lines tell it as news."""
        environment, before = self.environment, self._after
        if not self.ended or environment.aftermath is None:
            return
        offered = self.offers
        now = self._after = environment.aftermath()
        if environment.keys:
            if now.shared != before.shared:
                self.show_shared()
            return
        known = {before.turned, *before.standing, *before.shared}
        for text in (now.turned, *now.standing, *now.shared):
            if text and text not in known:
                self.log.remark(text)
        if self._end_page is not None:  # the list of what comes next was printed: its rows change no more
            for text in end_page.changed(offered, self.offers):
                self.log.remark(text)

    def show_shared(self) -> bool:
        """Open the page about the folder for a friend; whether there is one."""
        if self._after.shared:
            self.page = match_pages.texts(_("Show it to a friend"), self._after.shared, match_pages.COLUMNS)
        return bool(self._after.shared)

    @property
    def verdict(self) -> str | None:
        """The audit's verdict on the match, which is over; None while it is under way."""
        if self._verdict is None:
            self._verdict = self.environment.verdict()
        return self._verdict

    @property
    def offers(self) -> Sequence[Offer]:
        """What can be done after the end; nothing before it."""
        if self.ended and self.coach.teaches:
            return (Offer(Order.NEXT, self.coach.following()),)
        if not self.ended or self.environment.aftermath is None:
            return ()
        again = "" if Order.REMATCH in end_and_rematch.offered(self.replica) else _("not now")
        moved = _("one seat on") if len(self.players.names) > 2 else _("seats swapped")
        return end_page.offers(
            self._after, judged=self._judged, ladder=self._on_ladder, rematch=again, moved=moved
        )

    @property
    def _judged(self) -> bool:
        """Whether the game has an analysis."""
        return ENTRIES[self.replica.match.game.name].analysis is not None

    @property
    def _on_ladder(self) -> bool:
        """Whether all others are bots of one level of this program."""
        match, levels = self.replica.match, self.replica.route.bots
        known = ENTRIES[match.game.name].bots
        return len(levels) == len(match.players) - 1 and len({*levels.values()} & {*known}) == 1

    def follow(self) -> None:
        """Make the decisions that follow from the player's set-up, or from its holdings."""
        if self.session.referee.table.state is None:
            return
        try:
            while (decided := self._following()) is not None:
                before = self._question
                self.replica.decide(decided)
                if self._question == before:
                    break  # it is made, and waits for what others owe
            self._keep_time()
        except Failure as error:
            self.notice = ("bad", sentence(error))

    @property
    def _question(self) -> tuple[int, object]:
        """The identity of the open question: the next one may be put in the same words."""
        return self.session.referee.table.serial, self.session.decision

    def take_back(self) -> None:
        """Take the player's last decision back, with those that its program made behind it.

        Raises what the replica raises.
        """
        self._then, self._asked, self._standing = (), False, None
        self.replica.take_back()
        self._set_up_anew()
        while self.session.referee.takeable(self.replica.seat) is not None and self._answers_itself():
            self.replica.take_back()

    @property
    def practice(self) -> bool:
        """Whether a decision was taken back or a hint shown, so that the match counts for no statistics."""
        return bool(self.session.referee.table.taken_back) or self.replica.store.practice

    def _answers_itself(self) -> bool:
        """Whether the program answers the open question, so that the player would not be asked."""
        self._note_question()
        return self.timing.passing or self._following() is not None

    def _following(self) -> Decided | None:
        """The decision that follows from the set-up, from the holdings or from a plan; None if none does."""
        decided = None
        if self.setting_up is not None:
            decided = self.setting_up.follow(self.session.view, over=self.over)
        if decided is None and self.terminal.forced is not None and self.asked and not self.over:
            decided = self.terminal.forced(self.session.view)
        if decided is None and self._then:
            decided = self._planned()
        return self._repeated() if decided is None else decided

    def _note_question(self) -> None:
        """Let the clock of questions follow the open one."""
        limit, session = None, self.session
        if self.terminal.limit is not None and session.decision is not None and not self.over:
            limit = self.terminal.limit(session.view)
        # With the question itself: a Gone that supersedes a record can put another one under the same number.
        key = (self.replica.match.id, session.referee.table.serial, session.decision)
        self.timing.follow(key, limit, alone=other_players.alone_with_bots(self.replica))

    def _keep_time(self) -> None:
        """Answer for the player if its time is up, or if it does not want to be asked."""
        self._note_question()
        due = self.timing.answer()
        if due is None:
            return
        decided, remark = due
        if remark:
            self.log.remark(remark)
        self.replica.decide(decided)
        if self.session.decision is None:
            self.timing.follow(None, None, alone=False)

    @property
    def due(self) -> float:
        """The next moment, by the clock, at which the table changes by time alone."""
        now = self.environment.clock()
        changes = clocks.changes_at(self.replica, now, screen=self.environment.keys)
        return min(self.timing.due, connection.settles(self.replica, now), changes)

    def _planned(self) -> Decided | None:
        """The next planned decision once its question is open; another question voids the whole plan."""
        asked = self.session.decision
        if asked is None or self.over:
            return None
        decided, *then = self._then
        if isinstance(asked, Choose):
            fits = decided in asked.options
        else:
            fits = not isinstance(decided, str) and len(decided) == len(asked.slots)
        self._then = then if fits else ()
        return decided if fits else None

    def _repeated(self) -> Decided | None:
        """The answer that the player wanted to be given to the open question, too; None if it gave none."""
        standing = self._standing
        if standing is None or standing.again is None or not self.asked or self.over:
            return None
        return standing.first if standing.again(self.session.view) else None

    def decide(self, decided: Decided | PlannedAnswers) -> None:
        """Make the player's decision, and later those that it plans.  Raises what the replica raises."""
        planned = decided if isinstance(decided, PlannedAnswers) else PlannedAnswers(decided)
        self.log.decided()
        self._asked = False
        self.environment.hurry(False)
        self._then = planned.then
        if planned.again is not None:
            self._standing = planned
        if not self.timing.keeps(planned.first):
            self.replica.decide(planned.first)

    def confirm(
        self,
        question: str,
        action: Callable[[], None],
        warnings: Sequence[str] = (),
        line: str = "",
        *,
        light: bool = False,
    ) -> None:
        """Ask the player to confirm `action`, after `warnings`; `line`: the typed line that led to this;
        `light`: see Confirmation.
        """
        self.pending = Confirmation(question, tuple(warnings), action, line, light)

    @property
    def planned(self) -> Sequence[Decided]:
        """The decisions made ahead, which are not signed yet."""
        return self._then

    def drop_plan(self) -> int:
        """Drop the decisions made ahead; how many there were."""
        dropped, self._then = len(self._then), ()
        return dropped

    def prefer(self, **changes: Any) -> None:
        """Change settings for now, and for later games."""
        before, self.settings = self.settings, self.settings.changed(**changes)
        self.environment.remember(before, self.settings)
        if (before.language, before.ascii) != (self.settings.language, self.settings.ascii):
            language.install(self.settings.language, ascii_only=self.settings.ascii)
            self._tell_anew()

    def _tell_anew(self) -> None:
        """Tell all that happened once more, in another language."""
        self.unread.begin()
        self.log = self._fresh_log()
        self.log.read()

    def _fresh_log(self) -> EventLog:
        alone = other_players.alone_with_bots(self.replica)
        untold = [_(text) for text in self.terminal.among_people if alone]
        looks, lesson = self.unread.looks, self.coach.teaches
        return EventLog(self.session, self.players, looks, untold, lesson=lesson)

    def take_pending(self) -> Confirmation | None:
        """The table's own question, which is then closed."""
        asked, self.pending = self.pending, None
        return asked

    def cancel(self) -> None:
        """Close what is open: a page, a question of the table's own, a notice."""
        if self.pending is not None:
            self.returned = self.pending.line
        self.page = self.pending = self.notice = None

    def go(self) -> None:
        """Leave the table; the match is saved."""
        self.left = True

    def go_on_learning(self) -> None:
        """Leave a lesson that is over, for the one that comes behind it; behind the last one for a game."""
        self.onward = self.coach.onward
        if self.onward is None:
            self.wish = Order.NEXT
        self.go()

    def _ended_page(self) -> Page:
        if self.coach.teaches:
            return match_pages.lesson_end(
                self.coach.ending(), match_pages.COLUMNS, screen=self.environment.keys
            )
        outcome, screen = self.session.outcome, self.environment.keys
        seat, sides = self.replica.seat, self.replica.match.sides
        won = outcome is not None and seat in outcome.winners
        kind: Result = "won" if won else "lost"
        if outcome is not None and not outcome.winners:
            kind = "drawn"
        fair = outcome is not None and outcome.reason not in ("cheated", "unresponsive")
        result = (
            end_and_rematch.result(outcome, seat, sides, self.session.referee) if outcome else _("The end")
        )
        if fair and kind == "drawn":
            result = ""  # the question says that it is a draw, and why
        scores = self.terminal.scores
        counted = [*scores(self.session.view.state)] if outcome is not None and scores is not None else []
        if counted:
            sums = " : ".join(map(str, [counted[seat], *counted[:seat], *counted[seat + 1 :]]))
            result = _("{result}, {score}", result=result, score=sums) if result else sums
        finale, back = self.terminal.finale, self.session.referee.table.taken_back
        practice = describe.practice(back) if self.practice else ""
        facts = end_page.EndFacts(
            result, kind, seat, finale, self.verdict, self.offers, fair, practice, self._opened_by_bots()
        )
        return end_page.the_end(facts, self._after, match_pages.COLUMNS, screen=screen)

    def _opened_by_bots(self) -> str:
        """Where the faces come from that the board shows beyond the record, in a sentence; "" for none."""
        context, board = self.context, self.terminal.description.board
        if context is None or board(context) == board(replace(context, view=self.session.view)):
            return ""
        seat = self.replica.seat
        return describe.kept_by_bots([name for at, name in enumerate(self.players.names) if at != seat])

    def proof_page(self) -> Page:
        """The audit of the match, which is over, and the commands that show it again."""
        match, command = self.replica.match, self.environment.command
        name = match.id.hex()[:SHOWN_ID]
        commands = [(_("See it again"), f"{command} replay {name}")]
        if self._judged:
            commands.append((_("Look where it turned"), f"{command} analyse {name}"))
            commands.append((_("Learn from your mistakes"), f"{command} mistakes {name}"))
        folder = end_page.folder_for_friend(name)
        commands.append((_("Show it to a friend"), f"{command} export {name} --share {folder}"))
        path, screen = str(self.replica.store.path), self.environment.keys
        return end_page.proof(self.verdict, commands, path, match_pages.COLUMNS, screen=screen)
