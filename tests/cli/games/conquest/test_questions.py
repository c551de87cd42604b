"""The questions of Conquest: offered answers are answers, refusals say why, cheats are warned of."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import pytest

from cli.games.conquest.explained import explanation
from cli.games.conquest.snapshot import kind, own_moves, snapshot
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import UNSETTLED, Ambiguous, Misunderstood, NotPossible, PlannedAnswers, ViewContext
from cli.games.typed_names import in_english
from cli.text import language
from cli.text.layout import ascii_text
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import LETTERS, NAMES
from p2p_stratego.conquest.rules.cards import NEW_SPY, SECRET
from p2p_stratego.conquest.rules.pieces import FIXED, KING, SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Ask, Choose, Claim, Commit, Mix, Open, OpenTo, Roll, Together
from p2p_stratego.core.language import install
from p2p_stratego.core.self_play import allowed
from p2p_stratego.core.view import View
from tests.golden.sentences import Row, assert_answers, decided
from tests.golden.sentences import asked as questions_of
from tests.helpers.conquest.acts import FOUR_AT_WAR, THREE_AT_WAR, Acts, held
from tests.helpers.conquest.moments import asked, context, first, players, views

ASKED = TERMINAL.questions
GAMES = (views(2, 1), views(2, 3, 20, "charge"), views(3, 2), views(4, 3, 40))
ALL = tuple(view for game in GAMES for view in game)
KINDS = ("take", "play", "place", "regroup", "mix", "look", "accuse", "move")


def read(view: View[State], typed: str) -> object:
    return ASKED.read(view, typed)


def drawn(card: int) -> View[State]:
    """A view that may play this card among others."""
    return first(ALL, lambda view: kind(view) == "play" and card in view.state.drawn)


def _offered(view: View[State]) -> list[str]:
    assert isinstance(view.decision, Choose)
    return list(view.decision.options)


def hides_spy(view: View[State]) -> bool:
    """Whether the view may play Secret information, with its closed spy in the bag."""
    bag = view.state.bags[view.seat]
    closed = any(piece.face is None and view.known.get(piece.slot) == SPY for piece in bag)
    return kind(view) == "play" and closed and notation.play(SECRET) in _offered(view)


def blocked(view: View[State]) -> str | None:
    """A step of an own piece across a mountain onto a free zone."""
    for zone, other in (("d2", "e2"), ("f5", "g5"), ("i3", "i4"), ("c3", "c4"), ("h2", "i2")):
        for source, target in ((zone, other), (other, zone)):
            mine = view.state.board[NAMES.index(source)]
            free = view.state.board[NAMES.index(target)] is None
            if mine and mine.seat == view.seat and free and mine.face not in (None, 2, *FIXED):
                return f"{source}{target}"
    return None


def charging(scout: str) -> View[State]:
    """Red's duke goes first, blue's has gone too; how scouts go is agreed on."""
    setup = {"red": {"a2": "duke", "a1": "flag"}, "blue": {"a3": "count", "l1": "flag", "l3": "duke"}}
    acts = Acts(setup, scout=scout)
    acts.act("a2a3")
    acts.act("l3l4")
    return acts.view()


AWAITED: dict[str, Ask] = {
    "a territory is awaited": Choose(1, ("take A",)),
    "a card is awaited": Choose(1, ("play none",)),
    "a move is awaited": Choose(2, ("a1a2",)),
    "an answer is awaited": Choose(1, ("yes", "no")),
    "a flag is awaited": Choose(1, ("flag a1",)),
    "a piece is awaited": Open(3),
    "a claim is awaited": Claim(1, "rule", (1,), frozenset({1})),
    "chance is awaited": Roll(6),
    "a look is awaited": OpenTo(4, 2),
    "a mix is awaited": Mix(1, (1, 2), (3, 4), "rule"),
    "armies are awaited": Together((Commit(0, (1,), (1,)), Commit(1, (2,), (1,)), Commit(2, (3,), (1,)))),
}


def places() -> dict[str, View[State]]:
    """The moments of `conquest.txt`, by name."""
    return {
        "taking first": GAMES[0][0],
        "taking the sixth": first(GAMES[0], lambda view: view.state.picks == 5),
        "playing a card": drawn(0),
        "playing, without the Traitor": first(ALL, lambda v: kind(v) == "play" and 6 not in v.state.drawn),
        "playing, with an empty bag": first(
            ALL, lambda v: kind(v) == "play" and 2 in v.state.drawn and not v.state.bags[v.seat]
        ),
        "playing, with the spy in the bag": first(ALL, hides_spy),
        "moving": asked(GAMES[3], "move", 40),
        "moving, a mountain before": first(
            ALL, lambda view: kind(view) == "move" and blocked(view) is not None
        ),
        "moving on": first(ALL, lambda v: kind(v) == "move" and v.state.made > 0),
        "moving first": first(ALL, lambda v: kind(v) == "move" and not v.state.made),
        "moving is possible, none is allowed": first(
            ALL,
            lambda v: kind(v) == "move" and notation.NONE in _offered(v) and own_moves(v) != [notation.NONE],
        ),
        "mixing": asked(GAMES[3], "mix"),
        "regrouping": asked(GAMES[3], "regroup"),
        "accusing": first(ALL, lambda view: kind(view) == "accuse"),
        "looking": asked(GAMES[3], "look"),
        "nothing is asked": replace(GAMES[0][0], decision=None),
        "scouts run": charging("run"),
        "scouts charge": charging("charge"),
        "the capture is for another, and known": held(Acts(THREE_AT_WAR), red="green").view("b2"),
        "the capture is for another, perhaps": held(Acts(THREE_AT_WAR), red="green").view(),
    }


def zones_of(view: View[State]) -> dict[str, str]:
    """Zones to type, by their names in braces."""
    state, seat = now(view), view.seat
    own = [NAMES[zone] for zone in state.zones_held(seat)]
    enemy = [NAMES[zone] for zone, piece in enumerate(state.board) if piece and piece.seat != seat]
    fixed = [
        NAMES[zone]
        for zone in state.zones_held(seat)
        if (piece := state.board[zone]) and piece.face is None and view.known[piece.slot] in FIXED
    ]
    return {
        **{f"own{number}": name for number, name in enumerate(own)},
        "enemy": enemy[0] if enemy else "",
        "free": next(NAMES[zone] for zone, piece in enumerate(state.board) if piece is None),
        "taken": next((LETTERS[at] for at, owner in enumerate(state.taken) if owner is not None), ""),
        "blocked": blocked(view) or "",
        "fixed": next((m for m in _offered(view) if m[:2] in fixed), "") if kind(view) == "move" else "",
    }


def test_a_moment_is_asked_about_answered_warned_of_and_refused_in_words() -> None:
    moments = places()

    def answer(row: Row) -> Iterator[str]:
        if row.place in AWAITED:
            yield ASKED.waiting(replace(GAMES[2][0], decision=None), players(3, 0), AWAITED[row.place])
        elif row.typed is None:
            of = moments[row.place]
            yield from questions_of(TERMINAL, of, players(of.state.seats, of.seat))
        else:
            of = moments[row.place]
            yield from decided(TERMINAL, of, row.typed.format(**zones_of(of)))

    assert_answers("conquest", answer)


@pytest.mark.parametrize("what", KINDS)
def test_each_decision_is_asked_in_words_and_answers_are_offered(what: str) -> None:
    seen = [view for view in ALL if kind(view) == what][:40]
    assert seen
    for view in seen:
        of = context(view)
        question = ASKED.question(view, of.players)
        assert question is not None
        assert question.how
        assert ASKED.choices(of)


@pytest.mark.parametrize("what", ["take", "play", "place", "mix", "look", "move"])
def test_every_offered_answer_is_an_answer_and_can_be_spoken(what: str) -> None:
    for view in [view for view in ALL if kind(view) == what][:60]:
        for choice in ASKED.choices(context(view)):
            decided = ASKED.read(view, choice.word)
            assert not isinstance(decided, PlannedAnswers)
            assert view.decision is not None
            assert allowed(view.decision, decided), choice
            assert ASKED.spoken(view, decided)
            assert not ASKED.warnings(view, decided), choice


@pytest.mark.parametrize("spoken", sorted(language.NAMES))
def test_every_offered_answer_can_be_typed_as_it_is_shown_in_ascii_too(spoken: str) -> None:
    language.install(spoken)
    try:
        for what in ("take", "play", "place", "mix", "look", "move"):
            for view in [view for view in ALL if kind(view) == what][:20]:
                for choice in ASKED.choices(context(view)):
                    for shown in (choice.shown, ascii_text(choice.shown)):
                        typed = in_english(shown, TERMINAL.names())
                        assert ASKED.read(view, typed) == ASKED.read(view, choice.word), shown
    finally:
        install(None)


def test_offers_go_on_from_what_is_typed() -> None:
    for view in [view for view in ALL if kind(view) == "move"][:30]:
        whole = ASKED.choices(context(view))[0].word
        for cut in range(1, len(whole)):
            assert whole in {choice.word for choice in ASKED.choices(context(view, typed=whole[:cut]))}
    view = asked(GAMES[3], "regroup")
    word, next_word, last_word = (choice.word for choice in ASKED.choices(context(view))[:3])
    second = [choice.word for choice in ASKED.choices(context(view, typed=f"{word} "))]
    assert f"{word} {next_word}" in second
    assert f"{word} {word}" not in second
    third = [choice.word for choice in ASKED.choices(context(view, typed=f"{word} {next_word} "))]
    assert ASKED.read(view, f"{word} {next_word} {last_word}") == notation.regroup(
        NAMES.index(name) for name in (word, next_word, last_word)
    )
    assert f"{word} {next_word} {last_word}" in third


def test_nothing_impossible_is_offered_for_a_move() -> None:
    for view in [view for view in ALL if kind(view) == "move"][:200]:
        offered = {choice.word for choice in ASKED.choices(context(view))}
        assert offered == set(own_moves(view))


@pytest.mark.parametrize(
    ("typed", "letter"),
    [("take b", "B"), ("B6", "B"), ("north hold", "B"), ("take keyfort", "J"), ("Q", "Q")],
)
def test_a_territory_is_taken_by_letter_zone_or_name(typed: str, letter: str) -> None:
    assert read(GAMES[0][0], typed) == f"take {letter}"


def test_players_whose_pieces_are_laid_put_them_on_the_map() -> None:
    """They were said to choose still, right below the news that every army is laid and nobody changes it."""
    ask = Together((Choose(0, ("zones 0",)), Choose(1, ("zones 0",))))
    waiting = ASKED.waiting(replace(GAMES[0][0], seat=0), players(2, 0), ask)
    assert waiting == "Boris is putting the army on the map."


def test_an_attack_is_spoken_of_as_one() -> None:
    view = Acts({"red": {"a1": "flag", "a2": "duke"}, "blue": {"a3": "count", "l1": "flag"}}).view()
    assert ASKED.spoken(view, "a2a3") == "attack a3 from a2 with the Duke (7)"
    assert ASKED.spoken(view, "a2b2") == "move the Duke (7) from a2 to b2"


def test_a_territory_is_asked_for_by_an_example_that_is_free() -> None:
    for view in [view for view in ALL if kind(view) == "take"]:
        question = ASKED.question(view, players(view.state.seats, view.seat))
        assert question is not None
        letter = question.how.partition("such as take ")[2][0]
        assert notation.take(LETTERS.index(letter)) in _offered(view)
        with pytest.raises(NotPossible, match="Which territory"):
            read(view, "take")


def test_a_refused_line_names_only_cards_that_can_be_played_honestly() -> None:
    """It named New spy with the spy on the map: to play it there is a false claim, and loses."""
    setup = {"red": {"a1": "flag", "a2": "spy", "a3": "duke"}, "blue": {"l1": "flag"}}
    view = Acts(setup, cards=("new-spy", "regroup", "blitz")).view()
    with pytest.raises(Misunderstood, match="Type regroup, blitz or none"):
        read(view, "blah")
    language.install("de")
    try:
        with pytest.raises(Misunderstood, match="Tippe Umgruppieren, Blitz oder nichts"):
            read(view, "blah")
    finally:
        install(None)


def test_a_card_is_played_by_its_name() -> None:
    view = first(ALL, lambda view: kind(view) == "play" and 0 in view.state.drawn)
    assert read(view, "blitz") == read(view, "play blitz") == read(view, "Blitz!") == "play blitz"
    assert read(view, "none") == read(view, "play none") == "play none"


@pytest.mark.parametrize(
    ("code", "card", "typed", "could"),
    [
        ("en", NEW_SPY, "n", "New spy or none"),
        ("de", NEW_SPY, "n", "Neuer Spion oder nichts"),
        ("nl", SECRET, "ge", "Geheime informatie of geen"),
    ],
)
def test_a_beginning_of_none_plays_no_card(code: str, card: int, typed: str, could: str) -> None:
    view = first(ALL, lambda view: kind(view) == "play" and card in view.state.drawn)
    language.install(code)
    try:
        with pytest.raises(Ambiguous, match=could):
            read(view, in_english(typed, TERMINAL.names()))
    finally:
        language.install("en")


def test_a_piece_that_may_not_move_is_warned_of_and_can_be_moved_all_the_same() -> None:
    tried = 0
    for view in [view for view in ALL if kind(view) == "move"]:
        state = now(view)
        for zone in state.zones_held(view.seat):
            piece = state.board[zone]
            assert piece is not None
            if piece.face is None and view.known[piece.slot] in FIXED:
                moves = [move for move in _offered(view) if move.startswith(NAMES[zone])]
                for move in moves[:1]:
                    assert read(view, move) == move
                    assert ASKED.warnings(view, move)
                    tried += 1
    assert tried


def test_saying_none_although_a_piece_can_step_is_warned_of() -> None:
    view = first(
        ALL,
        lambda v: kind(v) == "move" and notation.NONE in _offered(v) and own_moves(v) != [notation.NONE],
    )
    warnings = ASKED.warnings(view, notation.NONE)
    assert "the record proves the cheat" in warnings[-1]
    assert ASKED.warnings(view, notation.NONE, settled=False) == [*warnings[:-1], UNSETTLED]
    stuck = first(ALL, lambda v: kind(v) == "move" and own_moves(v) == [notation.NONE])
    assert ASKED.warnings(stuck, notation.NONE) == []


def test_stop_and_none_are_said_only_when_they_can_be() -> None:
    begun = first(ALL, lambda v: kind(v) == "move" and v.state.made > 0)
    assert read(begun, "stop") == "stop"
    with pytest.raises(NotPossible):
        read(begun, "none")
    fresh = first(ALL, lambda v: kind(v) == "move" and not v.state.made)
    with pytest.raises(NotPossible):
        read(fresh, "stop")


def test_pieces_are_regrouped_and_laid_back_by_name_letter_or_number() -> None:
    view = asked(GAMES[3], "mix")
    assert isinstance(view.decision, Commit)
    faces = tuple(view.decision.faces)
    names = ("cursed", "spy", "scout", "sorceress", "baron", "knight", "count", "duke", "prince", "queen",
             "king", "flag")  # fmt: skip
    assert read(view, " ".join(names[face] for face in faces)) == faces
    assert read(view, ", ".join(str(face) if face < 10 else names[face] for face in faces)) == faces


def test_an_accusation_names_a_zone_and_a_kind() -> None:
    view = first(ALL, lambda view: kind(view) == "accuse")
    state = now(view)
    enemy = next(zone for zone, piece in enumerate(state.board) if piece and piece.seat != view.seat)
    assert read(view, f"{NAMES[enemy]} king") == notation.accuse(enemy, KING)
    assert read(view, f"accuse {NAMES[enemy]} the k") == notation.accuse(enemy, KING)


def test_a_look_names_two_pieces_side_by_side() -> None:
    view = asked(GAMES[3], "look")
    pair = ASKED.choices(context(view))[0].word
    assert read(view, pair) == read(view, f"look {' '.join(reversed(pair.split()))}") == f"look {pair}"


def test_nothing_is_asked_of_who_only_waits() -> None:
    view = replace(GAMES[0][0], decision=None)
    assert ASKED.question(view, players(2, 0)) is None
    assert ASKED.choices(context(view)) == ()
    for typed in ("a1a2", "hello"):
        with pytest.raises(Misunderstood):
            read(view, typed)


def test_a_message_that_reads_as_a_move_or_as_what_was_seen_is_noticed() -> None:
    for text in ("c4c5", "c4 is the king", "king queen spy", "a1 b2 c3"):
        assert ASKED.reveals(None, text), text
    for text in ("hello all", "well played", "the king is dead, long live the king of us all here"):
        assert not ASKED.reveals(None, text), text


@pytest.mark.parametrize("seen", [("b2",), ()])
def test_the_player_is_asked_before_a_capture_that_gives_the_game_away(seen: tuple[str, ...]) -> None:
    assert ASKED.warnings(held(Acts(THREE_AT_WAR), red="green").view(*seen), "a2b2")
    for acts in (
        Acts(THREE_AT_WAR),
        held(Acts(FOUR_AT_WAR), red="green"),
        held(Acts(THREE_AT_WAR), red="blue"),
    ):
        assert ASKED.warnings(acts.view(*seen), "a2b2") == []
    assert ASKED.warnings(held(Acts(THREE_AT_WAR), red="green").view("b4"), "a2a3") == []


@pytest.mark.parametrize(
    ("red", "sentence"), [("green", "for Chen!"), ("blue", "the Flag!"), (None, "the Flag!")]
)
def test_a_capture_for_another_player_is_called_so_before_it_is_made(red: str | None, sentence: str) -> None:
    acts = Acts(THREE_AT_WAR) if red is None else held(Acts(THREE_AT_WAR), red=red)
    of = ViewContext(acts.view("b2"), players(3, 0), typed="a2b2")
    assert "".join(text for _, text in explanation(of, snapshot(of))).endswith(sentence)
