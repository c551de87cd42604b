"""What the screen of a seat says of cards: all that the seat has observed, and no face that it has not."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from cli.games.interface import ViewContext
from cli.games.spies import description, panels, questions
from cli.games.spies.chain import chain
from cli.games.spies.looks import alone
from cli.games.spies.manifest import manifest
from cli.games.spies.map import board
from cli.games.spies.map.board import ROOMY
from cli.games.spies.records import pages
from cli.reports import sources
from cli.reports.match_json import plain
from cli.screen.match.renderer import draw
from cli.table.orders import actions
from cli.table.scene import presentation
from cli.table.seat.controller import TableController
from cli.text.layout import place_of, words
from p2p_stratego.core.game import Face, Slot
from p2p_stratego.core.view import View
from p2p_stratego.spies.bots.recruit import Recruit
from p2p_stratego.spies.formats import words as names
from p2p_stratego.spies.formats.narration import Unfolding
from p2p_stratego.spies.rules.atlas import CITY_NAMED, NAMES, POWERS
from p2p_stratego.spies.rules.counters import SECRET_FACE, spy_names, value
from p2p_stratego.spies.rules.game import GAME
from p2p_stratego.spies.rules.state import SPY_CODED, State
from p2p_stratego.spies.rules.underway import now
from protocol.record.asks.base import Answered
from tests.helpers.links.many import Many
from tests.helpers.spies.moments import PEOPLE, context
from tests.helpers.spies.observed import Observed, observed, shows

NAMED = re.compile(r"\b((?:ge|it|ru|fr|br)[1-5])(?: ([A-Z][a-z]+) \(\d\)|, the (cousin))")
TOLD = re.compile(
    r"[Tt]he secret of ([A-Z][a-z]+)(?:: [^.;:]*?|,? ?\(?)(genuine, worth|a counterspy of strength) (\d)"
)
POLICED = re.compile(r"police units? of ([A-Z][a-z]+), strength (\d+)")
OFTEN = 199
"""Every so many Asks the screens of all seats are read; a prime, so that all kinds of Asks come up."""


def shown(of: ViewContext) -> str:
    """Everything that the screen, line mode and the pages of a seat can say of a moment."""
    lines = [line for size in (board.LEAST, (ROOMY.columns, ROOMY.rows)) for line in board.draw(of, *size)]
    for city in ("", "prague", "berlin"):
        at = ViewContext(of.view, of.players, cursor=city)
        lines += [line for panel in panels.panels(at, 40) for line in panel.lines]
        lines += [panels.tray(at, 120), panels.explain(at)]
    sentences = [
        *description.board(of),
        *description.hand(of),
        *description.notes(of),
        *description.asked(of),
    ]
    sentences += [*manifest(of), *pages(of), description.banner(of.view)]
    ask, _ = of.view.since[-1]
    sentences += [*unfolded(of.view), chain(of.view)]
    sentences += [questions.waiting(of.view, of.players, ask)]
    if any(seat == of.view.seat for seat, _ in shows(ask, of.view.state.seats)):
        own = alone(of, ask)
        sentences += own.sentences if own is not None else ()
    return "\n".join([*map(words, lines), *sentences])


def unfolded(view: View[State]) -> list[str]:
    """What is told of an open step, to everybody."""
    step = Unfolding(view.state, PEOPLE)
    return [text for ask, answer in view.since for text in step.hear(ask, answer)]


def claims(text: str, state: State) -> Iterator[tuple[Slot, Face | None]]:
    """The slots that a text says something of, with the face, None where that is a sum."""
    for code, name, cousin in NAMED.findall(text):
        spy = state.spies[SPY_CODED[code]]
        yield spy.slot, spy_names(spy.power).index((name or cousin).lower())
    for city, kind, number in TOLD.findall(text):
        secret = state.named(CITY_NAMED[city.lower()])
        assert secret is not None
        yield state.secrets[secret].slot, int(number) + 10 * kind.startswith("a")


def public(state: State) -> set[Slot]:
    """The slots of cards that all have seen."""
    slots = {spy.slot for spy in state.spies if spy.face is not None}
    return slots | {lying.slot for lying in state.secrets if lying.face is not None}


def signs(of: ViewContext) -> Iterator[tuple[str, str]]:
    """By city, the signs of secrets that the big map shows there."""
    for line in board.draw(of, ROOMY.columns, ROOMY.rows):
        for style, part in line:
            place = place_of(style)
            if place is not None and re.fullmatch(r"[sc]\d", part):
                yield place, part


def assert_hides(moment: Observed, seat: int) -> int:
    """Nothing is told but what the seat has observed, and truly; how much is."""
    of = context(moment.view(seat))
    state, known = now(of.view), moment.known[seat]
    text = shown(of)
    pairs = set(claims(text, state))
    for slot, face in pairs:
        assert slot in known or slot in public(state), (seat, slot)
        assert moment.faces[slot] == face
    for power, strength in POLICED.findall(text):
        units = state.police[POWERS.index(power.lower())]
        assert any(unit.slot in known for unit in units), (seat, power)
        assert int(strength) > 0
    for city, sign in signs(of):
        there = [state.secrets[secret].slot for secret in state.secrets_in(CITY_NAMED[city])]
        seen = [slot for slot in there if slot in known or slot in public(state)]
        assert any(moment.faces[slot] == SECRET_FACE[sign] for slot in seen), (seat, city, sign)
    own = [spy for spy in state.spies if spy.where == "map" and state.runs[spy.power] == seat]
    assert {spy.slot for spy in own if spy.slot in known} <= {slot for slot, _ in pairs}
    return len(pairs)


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_a_seat_s_screens_tell_what_it_observed_and_nothing_else(seats: int) -> None:
    count = 0
    for number, moment in enumerate(observed(seats)):
        if number % OFTEN == 0:
            count += sum(assert_hides(moment, seat) for seat in range(seats))
    assert count > 150


def test_the_patterns_find_a_leak() -> None:
    """A screen that reads every face is caught."""
    moment = next(
        late
        for number, late in enumerate(observed(3))
        if number > 300 and any(spy.where == "map" for spy in late.state.spies)
    )
    wide = moment.knowing(tuple(moment.faces for _ in moment.known))
    text, state = shown(context(wide.view(0))), now(wide.view(0))
    leaked = {slot for slot, _ in claims(text, state)}
    assert any(slot not in moment.known[0] for slot in leaked)
    assert any(slot in leaked for slot in [spy.slot for spy in state.spies if state.runs[spy.power]])
    assert any(slot in leaked for slot in [lying.slot for lying in state.secrets if lying.owner == 4])
    assert names.content(SECRET_FACE["c4"]) == f"a counterspy of strength {value(SECRET_FACE['c4'])}"
    assert len(NAMES) == 61


def pages_of(table: TableController) -> str:
    """Everything that a running table shows its player."""
    texts = []
    for command in (
        "board",
        "hand",
        "moves",
        "notes",
        "looked",
        "records",
        "manifest",
        "history",
        "checks",
        "who",
    ):
        actions.enter(table, command)
        assert table.page is not None, command
        texts += [words(line) for line in table.page.lines]
    for columns, rows in ((80, 24), (120, 40)):
        screen = draw(presentation.scene(table), columns, rows)
        texts += [words(line) for line in (*screen.above, *screen.below)]
    return "\n".join(texts)


def test_at_real_tables_a_seat_reads_what_it_observed_and_all_records_are_the_same(tmp_path: Path) -> None:
    many = Many(tmp_path, GAME, 2, {})
    tables = [many.table(seat) for seat in many.seats]
    many.connect()
    bots = [Recruit(random.Random(seat)) for seat in many.seats]

    def there() -> bool:
        state = tables[0].session.referee.table.state
        for table in tables if state is not None else ():
            view = table.session.view
            sentences = unfolded(view)
            assert not sentences or set(sentences) <= set(table.log.history[-2 * len(sentences) :])
        return state is not None and state.phase == "turn" and state.power == 1

    many.play_on(bots, there)
    for seat, table in enumerate(tables):
        asked = [step.ask for step in table.session.referee.table.history if isinstance(step, Answered)]
        readable = {
            slot for ask in asked for reader, slots in shows(ask, 2) if reader == seat for slot in slots
        }
        known = table.session.known
        assert {slot for slot in known if slot < 2**15} <= readable
        text, state = pages_of(table), now(table.session.view)
        leaked = {slot for slot, _ in claims(text.replace("\n", " "), state)}
        assert leaked <= readable | public(state)
        assert len(leaked) >= 10
        drawn = {text for text in table.log.history if text.startswith("For you alone")}
        others = {text for other in tables if other is not table for text in other.log.history}
        assert drawn
        assert not drawn & others
    paths = [str(replica.store.path) for replica in many.replicas]
    exported = [json.dumps(plain(sources.replayed(path, sources.read(path)))) for path in paths]
    assert len(set(exported)) == 1
    many.close()
