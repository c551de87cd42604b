"""The table on the screen: the question, the choices, the scene.  Pure readings of a TableController."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Final, Literal, TypeAlias

from cli.games.interface import THE_END, Choice, Misunderstood, Question, ViewContext
from cli.reports import history
from cli.table.news.events import checks
from cli.table.pages.match_pages import COLUMNS
from cli.table.scene import keybar, palette, preferences, readers, undoing
from cli.table.scene.keybar import Situation
from cli.table.scene.scene import Mode, Scene
from cli.table.seat.coaching import WAITING
from cli.table.seat.controller import TableController
from cli.table.words import clocks, commands, connection, end_and_rematch, other_players, status
from cli.table.words.commands import Order
from cli.table.words.other_players import Fellow, clock_face
from cli.text.layout import series
from cli.text.theme import Tone
from p2p_stratego.core.game import Choose
from p2p_stratego.core.language import _, mark

ListName: TypeAlias = Literal["commands", "settings"]
"""The lists that a player can open."""


@dataclass(frozen=True, slots=True)
class Typed:
    """What the player is doing at the input line."""

    text: str = ""
    picked: str | None = None
    """The choice that was taken over by an arrow key or a click."""
    stem: str = ""
    """The text typed before that: the choices that go on from it are still offered."""
    chatting: bool = False
    cursor: str = ""
    """The place of the board that is pointed at."""
    listed: ListName | None = None
    """The list that is open over the board; the text is searched in it."""
    selected: int = 0
    """The row of it that is selected."""

    @property
    def offered_from(self) -> str:
        """The text that the offered choices go on from."""
        return self.text if self.picked is None else self.stem


def scene(table: TableController, typed: Typed | None = None) -> Scene:
    """Everything for the screen, with the typed text and the place pointed at."""
    line = typed or Typed()
    if line.listed is not None:
        return _with_list(table, line)
    asked, how = question(table)
    if line.chatting and table.pending is None:
        asked, how = _chatting(table)
    addressed = "" if table.pending else readers.addressed(table, line.text)
    # Told once is enough.
    if addressed and not (table.notice is not None and table.notice[1].startswith(addressed)):
        asked, how = addressed, _("your message, and Enter sends it")
    elif table.pending is None and table.timing.left is not None:
        asked = f"{time_left(table.timing.left)} {asked}"
    pending, busy = table.pending, table.pending is not None
    meant = line.text if pending is None else pending.line * pending.light
    context = table.context_with("" if line.chatting and not busy else meant, line.cursor)
    mode: Mode = "confirm" if busy else "chat" if line.chatting else "move"
    log, offers = table.log, choices(table, line.offered_from)
    return Scene(
        terminal=table.terminal,
        banner=_banner(table, context),
        context=context,
        link=link(table),
        clocks=clocks.shown(table.replica, table.players, table.environment.clock()),
        doing=doing(table),
        fellows=fellows(table),
        checked=_checked(table),
        history=tuple(log.history),  # a film shows the scene before it, which must not grow
        fresh=log.fresh,
        chat=tuple(log.chat),
        news=_news(table),
        own=log.own,
        proved=log.proved,
        alert=alert(table),
        goal=table.terminal.description.goal(context.view) if context and _goal_wanted(table) else "",
        coach=coached(table) or (_(WAITING) if table.coach.teaches else ""),
        lesson=table.coach.teaches,
        question=asked,
        how=how,
        mode=mode,
        typed=line.text,
        choices=() if line.chatting else offers,
        picked=line.picked,
        page=table.page,
        careful=table.pending.warnings if table.pending else (),
        side=table.side,
        keys=keybar.keys(_situation(table, line, mode, offered=bool(offers))),
    )


def _with_list(table: TableController, line: Typed) -> Scene:
    """The scene with a list over the board; the input line searches it."""
    below = scene(table, Typed(cursor=line.cursor))
    if line.listed == "commands":
        overlay = palette.overlay(table, line.text, line.selected)
    else:
        overlay = preferences.overlay(table.settings, line.selected, lesson=table.coach.teaches)
    keys = keybar.keys(Situation(overlay=True, settings=line.listed == "settings"))
    mode: Mode = "command" if line.listed == "commands" else "move"
    return replace(below, overlay=overlay, keys=keys, mode=mode, typed=line.text, choices=(), page=None)


def _situation(table: TableController, line: Typed, mode: Mode, *, offered: bool) -> Situation:
    """The facts that decide on the keys of this moment; `offered`: whether there are answers to pick."""
    pending, context, terminal = table.pending, table.context, table.terminal
    free = mode == "move" and context is not None and not table.over
    pages_ = {
        Order.LOOKED: terminal.alone is not None and bool(table.unread.looked_at(table.context)),
        Order.RECORDS: terminal.records is not None,
        Order.MANIFEST: terminal.manifest is not None,
    }
    return Situation(
        mode=mode,
        page=table.page is not None and not table.page.beside,
        light=pending is not None and pending.light,
        asked=table.asked,
        points=free and points(table),
        offered=offered,
        typed=bool(line.text),
        undo=undoing.possible(table),
        pausing=not table.asked and table.environment.pausing(),
        notes=context is not None and not table.over,
        coach=not table.over and table.coach.can_speak,
        pages=frozenset(order for order, has in pages_.items() if has and context is not None),
    )


def points(table: TableController) -> bool:
    """Whether arrow keys point at the board now; if not, they pick an answer."""
    pointer, context = table.terminal.pointer, table.context
    return pointer is not None and context is not None and bool(pointer.step(context, "right"))


def _banner(table: TableController, context: ViewContext | None) -> str:
    """How far the game is; play that its rules did not end, as by a resignation, is over too."""
    if context is None:
        return _("setting up")
    banner = table.terminal.description.banner(context.view)
    return banner + _(THE_END) * (
        table.over and table.session.outcome is not None and _(THE_END) not in banner
    )


def _goal_wanted(table: TableController) -> bool:
    return table.settings.goal and not table.over and not table.coach.teaches


def coached(table: TableController) -> str:
    """The coach's sentence, if the player wants a coach; else ""."""
    if not (table.settings.coach or table.coach.teaches):
        return ""
    return table.amiss or table.coach.sentence()


def panels(table: TableController) -> list[str]:
    """The panels there are, by name."""
    context = table.context
    own = table.terminal.panels.panels(context, COLUMNS) if context else []
    names = [panel.name for panel in own]
    if fellows(table):
        names.insert(1, "table")
    return [*["coach"] * table.coach.teaches, *names, "chat", "history"]


def question(table: TableController) -> tuple[str, str]:
    """The question to the player, or the awaited decision; and how to answer, or nothing."""
    if table.pending is not None:
        return table.pending.question, _("yes or no")
    outcome = table.session.outcome
    if outcome is not None and table.over and table.coach.teaches:
        return table.coach.closing(), "" if table.environment.keys else _("leave")
    if outcome is not None and table.over:
        ending = end_and_rematch.ending(table.session, outcome, table.players.names)
        # Where numbers are offered, the words for two of them would hide the others.
        numbered = table.offers and not table.offers[0].why_not and not any(table.replica.rematch_wanted)
        if numbered and not table.replica.answerable:
            return ending, _("a number, or leave")
        return ending, end_and_rematch.afterwards(table.replica, table.players)
    if other_players.has_left(table.replica):
        here = other_players.bots_here(table.replica, table.players)
        play = _("it plays") if len(here) == 1 else _("they play")
        bots = (
            _(" {here} would leave with you: {play} in this program.", here=series(list(here)), play=play)
            if here
            else ""
        )
        return _(status.LEFT) + bots, _("leave")
    if table.over:
        return end_and_rematch.settling(table.replica, table.players), ""
    if table.timing.passing:
        return _(_PASSING), ""
    if table.asked:
        asked = _asked(table)
        if asked is not None:
            only = only_answer(table) or _coached_line(table)
            return asked.text, _("{answer}, or press Enter", answer=only) if only else asked.at_table
    pausing = table.environment.keys and table.environment.pausing()
    waiting = (
        _("The lesson is over.")
        if table.environment.parting()
        else status.waiting(table.replica, table.terminal, table.players)
    )
    # No turn of the player's comes behind a lesson's end, to which Esc could skip.
    keys = _(" Enter goes on at once.") if table.environment.parting() else _(_SKIPS)
    return waiting + keys * pausing, ""


_SKIPS: Final = mark(" Enter goes on at once, Esc skips to your turn.")
_PASSING: Final = mark("You pass. It goes out in a moment, so that nobody learns from its timing.")


def time_left(seconds: float) -> str:
    """How long the open question still waits, as a clause of its own."""
    return _("{clock_face} left.", clock_face=clock_face(math.ceil(seconds)))


def stands_in_question(table: TableController, text: str) -> bool:
    """Whether a sentence of the news is how the game ended, which the question tells."""
    outcome = table.session.outcome
    if outcome is None or not table.ended:
        return False
    return text == end_and_rematch.ending(table.session, outcome, table.players.names)


def stands_in_notice(table: TableController, text: str) -> bool:
    """Whether a sentence of the news is an offer of a draw, or an acceptance, which the notice tells."""
    session, referee = table.session, table.session.referee
    offer = session.draw_offer
    if offer is None or noticed(table) != ("warn", status.offered_draw(table.replica, table.players, offer)):
        return False
    statements = (offer, *referee.endings.acceptances(offer, referee.count).values())
    return text in [history.speak(statement, session.genesis) for statement in statements]


def _news(table: TableController) -> Sequence[tuple[bool, str]]:
    """The news but for the end, which stands in the question."""
    return [news for news in table.log.recent if not stands_in_question(table, news[1])]


def _checked(table: TableController) -> int:
    """The commitments checked so far, where somebody cheated: all else is known to be as it should."""
    session, outcome = table.session, table.session.outcome
    wrong = session.fault is not None or (outcome is not None and outcome.reason == "cheated")
    return checks(session).proofs if wrong else 0


def _chatting(table: TableController) -> tuple[str, str]:
    """The text in place of the question, while a message is typed."""
    waits = _(" Your question waits meanwhile.") if table.asked else ""
    return _("A message to {others}.{waits}", others=others(table), waits=waits), _(
        "it, and Enter sends it; Esc or Tab goes back to the game"
    )


def others(table: TableController) -> str:
    """The other players, by name."""
    names = table.players.names
    return series([name for seat, name in enumerate(names) if seat != table.replica.seat])


def _asked(table: TableController) -> Question | None:
    return drafted(table) or table.terminal.questions.question(table.session.view, table.players)


def drafted(table: TableController) -> Question | None:
    """The question of the set-up that the player lays out; None if there is none."""
    context = table.context
    return table.setting_up.question(context) if table.setting_up and context else None


def link(table: TableController) -> tuple[Tone, str]:
    """How the other side, or the table, is connected; at the end of a lesson, that it is over."""
    if table.ended and table.coach.teaches:
        return "dim", _("lesson over")
    environment = table.environment
    return connection.link(table.replica, table.players, environment.rtt(), environment.clock())


def doing(table: TableController) -> tuple[str, ...]:
    """The attempts at a way to the others, or at a better one: the longest form first."""
    return connection.doing(table.replica, table.players, table.environment.clock())


def fellows(table: TableController) -> tuple[Fellow, ...]:
    """The other players of a table of three or more."""
    return connection.fellows(table.replica, table.players, table.environment.clock())


def alert(table: TableController) -> tuple[Tone, str] | None:
    """The notices besides the question, the most urgent first."""
    return table.notice or noticed(table)


def clocks_sentence(table: TableController) -> str:
    """All clocks as a sentence; "" without clocks."""
    return clocks.sentence(table.replica, table.players, table.environment.clock())


def noticed(table: TableController) -> tuple[Tone, str] | None:
    """The most urgent notice that is no answer to our player's own input."""
    replica, players, now = table.replica, table.players, table.environment.clock()
    notice = status.alert(replica, players, now)
    if time_over := clocks.accused(replica, players, now):
        return "warn", time_over
    offered = table.session.draw_offer is not None or (notice is not None and notice[0] == "bad")
    time_over = "" if offered else clocks.run_out(replica, players) or clocks.own_over(replica, players, now)
    return ("warn", time_over) if time_over else notice


def choices(table: TableController, typed: str) -> tuple[Choice, ...]:
    """The possible continuations of the typed text."""
    if table.pending is not None:
        return _words((_("yes"), _("no")))
    if table.over and table.coach.teaches:
        return _words((_("leave"),))
    if table.over:
        sequel = [offer.order for offer in table.offers if not offer.why_not]
        known = dict.fromkeys([*sequel, *end_and_rematch.offered(table.replica)])
        return _words(filter(None, (commands.continued(order, typed) for order in known)))
    offers = readers.choices(table, typed)
    if offers:
        return offers
    return (*_words(accepting(table, typed)), *_answers(table, typed))


def accepting(table: TableController, typed: str) -> tuple[str, ...]:
    """The command that takes the offer of a draw that others have made, if `typed` begins it: one or none."""
    word = commands.continued(Order.ACCEPT, typed)
    return (word,) if table.session.draw_offer is not None and word else ()


def _answers(table: TableController, typed: str) -> tuple[Choice, ...]:
    """The answers to the open question that go on from the typed text, or else the commands that do."""
    offers: tuple[Choice, ...] = ()
    context = table.context_with(typed)
    if table.asked and context is not None:
        setups = table.setting_up.choices(context) if table.setting_up else ()
        offers = setups or table.terminal.questions.choices(context)
        if not offers and typed and table.notice is not None and (afresh := table.context) is not None:
            offers = table.terminal.questions.choices(afresh)  # the line was refused: what would do instead
    own = commands.starting(typed, private=not readers.closed(table))
    return offers or _words(word for word in own if word not in accepting(table, typed))


def _coached_line(table: TableController) -> str:
    """The line that the coach of a lesson names, which Enter lays out on a screen: another example beside it
    would contradict the coach.
    """
    return table.coach.line if table.environment.keys else ""


def only_answer(table: TableController) -> str:
    """The line of the one answer that Enter gives to the open question; "" where there are several, or where
    it proposes one.
    """
    decision, context = table.session.view.decision, table.context
    if not table.asked or not isinstance(decision, Choose) or context is None:
        return ""
    asked = _asked(table)
    if asked is None or asked.proposes or drafted(table) is not None:
        return ""
    offers = table.terminal.questions.choices(context)
    if len(offers) != 1:
        return ""
    with suppress(Misunderstood):
        if isinstance(table.terminal.questions.read(context.view, offers[0].word), str):
            return offers[0].word
    return ""


def _words(words: Iterable[str]) -> tuple[Choice, ...]:
    return tuple(Choice(word, word) for word in words)
