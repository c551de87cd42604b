"""Conquest in sentences: the map read out, notes, the rules; and the chances behind the notes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations

import pytest

from cli.games.conquest import manual
from cli.games.conquest.cards import unplayable
from cli.games.conquest.explained import explanation
from cli.games.conquest.names import face_called
from cli.games.conquest.notes import groups
from cli.games.conquest.panels import looked
from cli.games.conquest.snapshot import kind, snapshot
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import Ambiguous, Unknown
from cli.text.layout import width, words
from p2p_stratego.conquest.bots.layouts import chances, could_be
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORIES
from p2p_stratego.conquest.rules.cards import CARDS, KINDS
from p2p_stratego.conquest.rules.effects import possible
from p2p_stratego.conquest.rules.pieces import A_SIDE, FACES, PIECES, faces_in
from p2p_stratego.conquest.rules.state import Piece
from tests.golden.sentences import Row, assert_answers
from tests.helpers.conquest.moments import NAMES as PEOPLE
from tests.helpers.conquest.moments import asked, changed, context, first, views

FOUR = views(4, 3, 40)
LATE = context(asked(FOUR, "move", 60))


def test_the_map_is_read_out_row_by_row_with_owners_players_and_every_piece() -> None:
    lines = TERMINAL.description.board(LATE)
    rows = [line for line in lines if line[:1].isdigit()]
    assert [line[0] for line in rows] == list("654321")
    whole = "\n".join(lines)
    for seat, name in enumerate(PEOPLE[:4]):
        assert f"{name} ({('red', 'blue', 'green', 'yellow')[seat]}" in whole
    for territory in TERRITORIES:
        assert territory.name in whole
    for at, seen in snapshot(LATE).pieces.items():
        assert NAMES[at] in whole, (NAMES[at], seen)
    assert "The pile has" in whole
    assert sum(line.count("^") for line in lines[:14]) == 17  # the mountains


def test_before_play_it_says_what_there_is() -> None:
    assert any("Nobody's" in line for line in TERMINAL.description.board(context(FOUR[0])))
    assert "nothing to note" in TERMINAL.description.notes(context(FOUR[0]))[0]
    left = TERMINAL.description.asked(context(FOUR[0]))[0]
    assert all(f"{territory.letter} {territory.name}" in left for territory in TERRITORIES)


def test_the_hand_names_every_own_piece_on_the_map_and_in_the_bag() -> None:
    text = " ".join(TERMINAL.description.hand(LATE))
    state, seat = LATE.view.state, LATE.view.seat
    for zone in state.zones_held(seat):
        assert NAMES[zone] in text
    assert ("the bag" in text) == bool(state.bags[seat])


def test_notes_name_what_each_closed_piece_can_be() -> None:
    lines = TERMINAL.description.notes(LATE)
    assert "layouts equally likely" in lines[-1]
    for owner in LATE.view.state.still_in:
        if owner != LATE.view.seat:
            for zones, odds in groups(LATE, snapshot(LATE), owner):
                assert sum(odds.values()) == pytest.approx(1.0)
                assert any(all(NAMES[zone] in line for zone in zones) for line in lines)


def test_chances_agree_with_counting_every_layout() -> None:
    """Of four closed pieces of three kinds: all their orders, each as likely as another."""
    hidden = [10, 9, 4, 3]
    opened = Counter({face: A_SIDE[face] for face in FACES}) - Counter(hidden)
    bag = tuple(
        Piece(100 + at, 1, face, could=1 << face) for at, face in enumerate(sorted(opened.elements()))
    )
    closed = (
        Piece(1, 1, could=1 << 10 | 1 << 9 | 1 << 4 | 1 << 3),
        Piece(2, 1, could=1 << 10 | 1 << 9),
        Piece(3, 1, could=1 << 9 | 1 << 4 | 1 << 3),
        Piece(4, 1, could=1 << 10 | 1 << 9 | 1 << 4 | 1 << 3),
    )
    bags = ((), (*bag, *closed), (), ())
    state = changed(LATE.view, board=(None,) * 72, bags=bags, flag_slots=(None,) * 4).state
    layouts = [
        order
        for order in permutations(hidden)
        if all(piece.could >> face & 1 for piece, face in zip(closed, order, strict=True))
    ]
    odds = chances(state, 1, {})
    for at, piece in enumerate(closed):
        expected = Counter(order[at] for order in layouts)
        assert odds[piece.could] == pytest.approx(
            {face: count / len(layouts) for face, count in expected.items()}
        )


def test_what_a_seat_knows_narrows_what_others_can_be() -> None:
    state, known = LATE.view.state, dict(LATE.view.known)
    for piece in state.board:
        if piece is not None and piece.face is None and piece.seat != LATE.view.seat:
            faces = could_be(state, piece.seat, known, piece)
            assert set(faces) <= faces_in(piece.could) or piece.slot in known
            if piece.slot in known:
                assert faces == {known[piece.slot]: 1.0}


def test_the_thing_pointed_at_is_explained_in_a_line() -> None:
    def line_of(name: str, typed: str = "") -> str:
        of = replace(LATE, cursor=name, typed=typed)
        return words(explanation(of, snapshot(of)))

    for at, seen in snapshot(LATE).pieces.items():
        text = line_of(NAMES[at])
        assert text.startswith(f"{NAMES[at]}, ")
        if seen.seat == LATE.view.seat:
            assert "your " in text
        elif seen.face is None:
            assert "closed, " in text
            assert "%" in text
        else:
            assert ("known to all" in text) != ("you alone" in text)
    empty = next(zone for zone in range(72) if zone not in snapshot(LATE).pieces)
    assert "zones " in line_of(NAMES[empty])


def test_a_card_that_cannot_be_played_is_told_exactly_then() -> None:
    for view in [view for view in FOUR if kind(view) == "play"][:80]:
        for card in CARDS:
            if not possible(view.state, card):
                assert unplayable(view, card), KINDS[card].name


def test_a_look_is_told_with_its_place_and_owner() -> None:
    view = first(FOUR, lambda v: any(p and p.seen >> v.seat & 1 and p.seat != v.seat for p in v.state.board))
    at, piece = next(
        (at, p)
        for at, p in enumerate(view.state.board)
        if p and p.seen >> view.seat & 1 and p.seat != view.seat
    )
    (line,) = looked(context(view), piece.slot)
    assert line.startswith(f"{NAMES[at]}, ")
    assert f"{PEOPLE[piece.seat]}'s" in line
    assert looked(context(view), 9999) == []


@pytest.mark.parametrize("columns", [60, 72, 96])
def test_every_page_of_the_rules_fits(columns: int) -> None:
    topics = [None, *(piece.name for piece in PIECES), *(kind.name for kind in KINDS)]
    topics += [territory.name for territory in TERRITORIES]
    for topic in topics:
        page = TERMINAL.manual.page(topic, columns)
        assert page.lines
        assert all(width(line) <= columns for line in page.lines)


def test_the_rules_in_short_name_everything() -> None:
    text = " ".join(" ".join(manual.summary(72)).split())
    for kind_ in KINDS:
        assert kind_.title in text


def test_what_is_not_in_the_game_has_no_page() -> None:
    with pytest.raises(Unknown):
        manual.about("bishop")
    with pytest.raises(Ambiguous):
        manual.about("re")


def test_the_rules_in_short_and_what_is_not_in_them_are_told_in_words() -> None:
    def answer(row: Row) -> Iterator[str]:
        if row.typed is None:
            yield from filter(None, manual.summary(100))
        else:
            title, facts = manual.about(row.typed)
            yield from (f"─ {title} ─", *facts)

    assert_answers("conquest-rules", answer)


def test_pieces_are_called_by_name_letter_short_name_or_number() -> None:
    for face, piece in enumerate(PIECES):
        assert face_called(piece.name) == [face]
        assert face_called(piece.letter) == [face]
    assert face_called("10") == [10]
    assert face_called("zz") == []
