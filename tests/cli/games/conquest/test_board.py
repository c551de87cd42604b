"""The map of Conquest: every line fits, everything essential is there, also without colour."""

from __future__ import annotations

from dataclasses import replace

import pytest

from cli.games.conquest import panels
from cli.games.conquest.cards import unplayable
from cli.games.conquest.map import board
from cli.games.conquest.map.board import Grid, between, zone_at
from cli.games.conquest.snapshot import SeenPiece, Snapshot, kind, own_moves, snapshot
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import ViewContext
from cli.screen.match.renderer import draw
from cli.table.pages.match_pages import guide
from cli.table.scene.scene import Scene
from cli.table.words.other_players import Fellow, summary
from cli.text import language
from cli.text.layout import ascii_line, place_of, words
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import MOUNTAINS, NAMES, TERRITORIES, ZONE_NAMED
from p2p_stratego.conquest.rules.cards import CARD_NAMED
from p2p_stratego.conquest.rules.game import GAME
from p2p_stratego.conquest.rules.state import State, opening
from p2p_stratego.core.game import Open
from p2p_stratego.core.language import install
from p2p_stratego.core.view import View
from tests.golden.screens import assert_as_it_was
from tests.helpers.conquest.moments import NAMES as PEOPLE
from tests.helpers.conquest.moments import asked, changed, context, first, players, views
from tests.helpers.program.screens import (
    SIZES,
    assert_every_line_fits,
    assert_makes_use,
    assert_news_leave_the_board,
    keys,
    rows,
)
from tests.helpers.program.terminal import displayed

TOLD = "Boris moves e5 to e6."
TWO, THREE, FOUR = views(2), views(3), views(4, 3, 40)
MOMENTS = {
    "drafting": context(first(THREE, lambda view: view.state.picks == 13)),
    "placing": context(asked(TWO, "army")),
    "placed": replace(context(asked(FOUR, "army")), view=replace(asked(FOUR, "army"), decision=None)),
    "cards": context(first(FOUR, lambda view: view.state.turn > 50 and kind(view) == "play")),
    "move": context(first(FOUR, lambda view: view.state.turn > 60 and kind(view) == "move")),
    "move-of-three": context(asked(THREE, "move", 20)),
    "move-of-two": context(asked(TWO, "move", 12)),
    "regroup": context(asked(FOUR, "regroup", 20)),
    "mix": context(asked(FOUR, "mix", 20)),
    "place": context(asked(FOUR, "place")),
    "watching": ViewContext(View(0, FOUR[-1].state, {}), players(4, None)),
}


FELLOWS = (
    Fellow(1, "Boris", "blue", "direct", rtt=0.023, owes=True),
    Fellow(2, "Chen", "green", "through", through="Boris"),
    Fellow(3, "Dana", "yellow", "away", seconds=125),
)


def scene(of: ViewContext, typed: str = "", cursor: str = "") -> Scene:
    of = replace(of, typed=typed, cursor=cursor)
    editor = TERMINAL.setup_editor
    assert editor is not None
    question = editor.question(of) or TERMINAL.questions.question(of.view, of.players)
    return Scene(
        terminal=TERMINAL,
        banner=TERMINAL.description.banner(of.view),
        context=of,
        link=("good", "direct 23 ms") if of.view.state.seats == 2 else summary(FELLOWS),
        fellows=FELLOWS[: of.view.state.seats - 1] if of.view.state.seats > 2 else (),
        checked=12,
        history=["All armies stand on the map.", TOLD],
        news=[(False, TOLD)],
        goal=TERMINAL.description.goal(of.view),
        question=question.text if question else "Boris is to move.",
        how=question.at_table if question else "",
        typed=typed,
        choices=editor.choices(of) or TERMINAL.questions.choices(of),
        keys=keys(TERMINAL),
    )


def drawn(of: ViewContext, columns: int = 63, height: int = 14) -> list[str]:
    return [words(line) for line in TERMINAL.board.draw(of, columns, height)]


def zones(of: ViewContext, columns: int = 63, height: int = 14) -> dict[str, str]:
    """The drawing of each zone without its borders, by its name."""
    drawn: dict[str, list[str]] = {}
    for line in TERMINAL.board.draw(of, columns, height):
        here: dict[str, str] = {}
        for style, part in line:
            name = place_of(style)
            if name is not None:
                here[name] = here.get(name, "") + part
        for name, part in here.items():
            drawn.setdefault(name, []).append(part[1:])
    return {name: "\n".join(parts[1:]) for name, parts in drawn.items()}


def bare(**more: object) -> Snapshot:
    """A map on which nobody owns anything."""
    state = opening(2, GAME.options({}), 0)
    usual: dict[str, object] = {
        "state": state,
        "seat": 0,
        "asked": "",
        "pieces": {},
        "owners": (None,) * len(TERRITORIES),
        "bag": (),
        "hand": None,
    }
    return Snapshot(**{**usual, **more})  # type: ignore[arg-type]  # the fields are checked by the dataclass


def charted(moment: Snapshot) -> list[str]:
    return [words(line) for line in board.chart(moment, *board.LEAST)]


@pytest.mark.parametrize("moment", MOMENTS)
@pytest.mark.parametrize(("columns", "height"), SIZES)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_every_line_fits_at_every_size(moment: str, columns: int, height: int, ascii_only: bool) -> None:
    assert_every_line_fits(scene(MOMENTS[moment]), columns, height, ascii_only=ascii_only)


@pytest.mark.parametrize("moment", MOMENTS)
def test_news_leave_the_board_whole(moment: str) -> None:
    assert_news_leave_the_board(scene(MOMENTS[moment]))


@pytest.mark.parametrize("columns", range(63, 140, 7))
@pytest.mark.parametrize("height", range(14, 50, 5))
def test_a_map_makes_use_of_what_it_is_given_and_no_more(columns: int, height: int) -> None:
    assert_makes_use(TERMINAL.board, MOMENTS["move"], columns, height)


@pytest.mark.parametrize(("columns", "height"), [(63, 14), (63, 20), (87, 26), (135, 38)])
def test_every_zone_can_be_hit_and_has_the_same_room(columns: int, height: int) -> None:
    places = zones(MOMENTS["move"], columns, height)
    assert set(places) == set(NAMES)
    assert len({tuple(map(len, cells.split("\n"))) for cells in places.values()}) == 1


def test_the_smallest_screen_shows_the_whole_map() -> None:
    assert board.LEAST == (63, 14)
    shown = draw(scene(MOMENTS["move"]), 80, 24).table
    assert [words(line)[:63] for line in shown[:14]] == drawn(MOMENTS["move"])


def test_borders_stand_between_territories_and_mountains_where_they_are() -> None:
    lines = charted(bare())
    grid = Grid(5, 2)
    for zone in range(len(NAMES)):
        column, row = divmod(zone, 6)
        x, y = grid.corner(zone)
        west, north = zone_at(column - 1, row), zone_at(column, row + 1)
        assert (
            lines[y + 1][x] == {"rim": "│", "border": "│", "mountain": "▲", "open": " "}[between(west, zone)]
        )
        above = lines[y][x + 4]
        assert above == {"rim": "─", "border": "─", "mountain": "▲", "open": " "}[between(north, zone)]
    assert sum(line.count("▲") for line in lines) == sum(1 if b - a == 6 else 4 for a, b in MOUNTAINS)


def test_every_territory_is_named_once_with_its_city_and_its_owner() -> None:
    owners = tuple(number % 4 for number in range(len(TERRITORIES)))
    shown = "\n".join(charted(bare(owners=owners)))
    for number, territory in enumerate(TERRITORIES):
        label = f"{territory.letter}{'★' if territory.city else '·'}{'RBGY'[number % 4]}"
        assert shown.count(label) == 1, label


def test_owners_are_told_by_sign_and_by_colour() -> None:
    owners = (0, None, -1, *(1,) * 21)
    lines = board.chart(bare(owners=owners), *board.LEAST)
    text = "\n".join(map(words, lines))
    assert "A·R" in text
    assert "B★─" in text
    assert "C·?" in text
    tinted = {place_of(style) for line in lines for style, _ in line if "class:land0" in style}
    assert tinted == {NAMES[zone] for zone in TERRITORIES[0].zones}


def test_pieces_are_told_apart_without_colour() -> None:
    pieces = {
        0: SeenPiece(0, 9),
        1: SeenPiece(0, 10, moved=True),
        2: SeenPiece(0, 2, shown=True),
        3: SeenPiece(1, None),
        4: SeenPiece(2, None, moved=True),
        5: SeenPiece(3, 7, shown=True),
        6: SeenPiece(3, 11),
    }
    lines = board.chart(bare(pieces=pieces), *board.LEAST)
    for part in (" 9  ", " K• ", " 2! ", "▐B ▌", "▐G•▌", "▐Y7▌", "▐yF▌"):
        assert any(part in words(line) for line in lines), part
    plain = [words(ascii_line(line)) for line in lines]
    for part in ("(B )", "(G*)", "(Y7)", "(yF)"):
        assert any(part in line for line in plain), part
    assert any("class:tile0" in style for line in lines for style, _ in line)
    assert any("class:face2" in style for line in lines for style, _ in line)


def test_the_last_move_is_shown_and_where_pieces_fell() -> None:
    trail = (ZONE_NAMED["c4"], ZONE_NAMED["c5"])
    shown = charted(bare(pieces={trail[1]: SeenPiece(1, None)}, trail=trail, emptied=frozenset({0})))
    assert any("‹▐B ▌›" in line for line in shown)
    assert any(" ↑ " in line for line in shown)
    assert sum(line.count("✗") for line in shown) == 1


def test_the_cursor_goes_before_all_other_signs() -> None:
    for name in ("a1", "f6", "l1", "g3"):
        shown = drawn(replace(MOMENTS["move"], cursor=name))
        assert sum(line.count("[") for line in shown) == 1
        assert sum(line.count("]") for line in shown) == 1


def test_a_picked_piece_shows_where_it_can_go() -> None:
    of = MOMENTS["move"]
    move = TERMINAL.questions.choices(of)[0].word
    moment = snapshot(replace(of, typed=move[:2]))
    assert moment.picked == ZONE_NAMED[move[:2]]
    assert ZONE_NAMED[move[2:4]] in moment.goals
    shown = zones(replace(of, typed=move[:2]))
    free = [NAMES[goal] for goal in moment.goals if goal not in moment.pieces]
    assert all("○" in shown[name] for name in free)


def test_who_has_no_seat_reads_no_closed_piece() -> None:
    assert all(seen.face is None or seen.shown for seen in snapshot(MOMENTS["watching"]).pieces.values())


def test_while_territories_are_taken_the_map_shows_whose_they_are() -> None:
    of = MOMENTS["drafting"]
    places = zones(of)
    for number, owner in enumerate(of.view.state.taken):
        sign = "·" if owner is None else "rbg"[owner]
        assert all(sign in places[NAMES[zone]] for zone in TERRITORIES[number].zones)


def test_the_draft_stands_on_the_map_while_the_army_is_placed() -> None:
    places = zones(MOMENTS["placing"])
    draft = MOMENTS["placing"].draft
    letters = "X123456789KF"
    for zone, face in draft.places.items():
        assert letters[face] in places[NAMES[zone]]
    assert sum("✗" in cells for cells in places.values()) == 0


def test_every_player_is_there_at_a_glance_on_the_smallest_screen() -> None:
    of = MOMENTS["move"]
    shown = "\n".join(words(line) for line in rows(scene(of)))
    state = of.view.state
    for seat in range(4):
        assert f"{'RBGY'[seat]} {PEOPLE[seat]}" in shown
        land = sum(owner == seat for owner in state.territories)
        figures = f"{land}/{state.cities(seat)}★ {len(state.zones_held(seat))}+{len(state.bags[seat])} "
        assert figures in shown, figures
    assert f"pile {state.pile.size}" in shown
    assert "Your bag" in shown or "Bag " in shown


def test_cards_that_cannot_be_played_are_shown_with_the_reason() -> None:
    of = context(
        first(
            FOUR,
            lambda view: kind(view) == "play" and not view.state.bags[view.seat] and 2 in view.state.drawn,
        )
    )
    shown = "\n".join(words(line) for line in rows(scene(of)))
    assert f"({unplayable(of.view, CARD_NAMED['reinforce'])})" in shown


@pytest.mark.parametrize("spoken", sorted(language.NAMES))
def test_every_card_of_a_turn_stands_whole_in_80_columns_first_those_to_be_played(spoken: str) -> None:
    language.install(spoken)
    try:
        for view in (view for view in FOUR if kind(view) == "play"):
            line = words(panels.tray(context(view), 80))
            assert "…" not in line
            assert line.count("·") == len(set(view.state.drawn)) - 1
            reasons = ["(" in part for part in words(panels.tray(context(view), 300)).split("·")]
            assert reasons == sorted(reasons)
    finally:
        install(None)


def test_the_cards_of_another_player_stand_under_its_name_and_none_at_the_end() -> None:
    view = first(FOUR, lambda view: kind(view) == "play" and bool(view.state.drawn))
    state, other = view.state, (view.seat + 1) % 4
    name = context(view).players.names[state.seat]
    line = words(panels.tray(context(replace(view, seat=other, decision=None)), 200))
    assert line.startswith(f" {name}'s cards: ")
    assert words(panels.tray(context(view), 200)).startswith(" Cards: ")
    over = replace(changed(view, phase="over"), decision=None)
    assert "ards:" not in words(panels.tray(context(over), 200))


def test_others_see_an_attacker_turned_together_with_the_piece_that_it_fights() -> None:
    def closed(view: View[State], move: str) -> bool:
        between = notation.zones(move)
        ends = () if between is None else tuple(view.state.board[at] for at in between)
        return len(ends) == 2 and all(there is not None and there.face is None for there in ends)

    own = first(FOUR, lambda v: kind(v) == "move" and any(closed(v, m) for m in own_moves(v)))
    move = next(move for move in own_moves(own) if closed(own, move))
    source, target = (own.state.board[at] for at in notation.zones(move) or ())
    assert source is not None
    assert target is not None
    assert own.decision is not None
    third = next(seat for seat in range(4) if seat not in (own.seat, target.seat))
    since = ((own.decision, move), (Open(source.slot), own.known[source.slot]))
    known = {source.slot: own.known[source.slot]}
    here = ZONE_NAMED[move[:2]]
    for seat in (third, target.seat):
        seen = snapshot(context(replace(own, seat=seat, known=known, decision=None, since=since))).pieces[
            here
        ]
        assert (seen.face, seen.shown, seen.piece) == (None, False, None)
    seen = snapshot(context(replace(own, decision=None, since=since))).pieces[here]
    assert seen.face == own.known[source.slot]


GOLDENS = {
    "conquest-drafting-80x24": ("drafting", "take b", "b6", 80, 24, False),
    "conquest-placing-80x24": ("placing", "", "", 80, 24, False),
    "conquest-cards-80x24": ("cards", "", "", 80, 24, False),
    "conquest-move-80x24": ("move", "", "", 80, 24, False),
    "conquest-move-80x24-ascii": ("move", "", "", 80, 24, True),
    "conquest-three-100x30": ("move-of-three", "", "", 100, 30, False),
    "conquest-two-140x45": ("move-of-two", "", "", 140, 45, False),
    "conquest-regroup-200x60": ("regroup", "", "", 200, 60, False),
}


@pytest.mark.parametrize("name", GOLDENS)
def test_a_screen_looks_as_it_did(name: str) -> None:
    moment, typed, cursor, columns, height, ascii_only = GOLDENS[name]
    of = scene(MOMENTS[moment], typed, cursor)
    assert_as_it_was(name, displayed(of, columns, height, ascii_only=ascii_only))


@pytest.mark.parametrize("spoken", ["de", "nl"])
def test_a_screen_in_another_language_looks_as_it_did(spoken: str) -> None:
    language.install(spoken)
    try:
        of = scene(MOMENTS["drafting"], "take b", "b6")
        assert_as_it_was(f"conquest-drafting-80x24-{spoken}", displayed(of, 80, 24))
    finally:
        install(None)


def test_the_help_page_names_every_sign() -> None:
    text = "\n".join(words(line) for line in guide(72, TERMINAL, screen=True).lines)
    for sign, _ in board.SIGNS:
        assert sign.strip() in text
