"""The questions of Conquest: offered answers are answers, refusals say why, cheats are warned of."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest

from cli.games.conquest.explained import explanation
from cli.games.conquest.snapshot import kind, own_moves, snapshot
from cli.games.conquest.terminal import TERMINAL
from cli.games.interface import Ambiguous, Misunderstood, NotPossible, PlannedAnswers, Unknown, ViewContext
from cli.games.typed_names import in_english
from cli.text import language
from cli.text.layout import ascii_text
from p2p_stratego.conquest.rules import notation
from p2p_stratego.conquest.rules.atlas import NAMES, TERRITORIES
from p2p_stratego.conquest.rules.cards import NEW_SPY, SECRET
from p2p_stratego.conquest.rules.pieces import FIXED, KING, SPY
from p2p_stratego.conquest.rules.state import State
from p2p_stratego.conquest.rules.underway import now
from p2p_stratego.core.game import Choose, Claim, Commit, Mix, Open, OpenTo, Roll, Together
from p2p_stratego.core.language import install
from p2p_stratego.core.self_play import allowed
from p2p_stratego.core.view import View
from tests.helpers.conquest.acts import FOUR_AT_WAR, THREE_AT_WAR, Acts, held
from tests.helpers.conquest.moments import asked, context, first, players, views

ASKED = TERMINAL.questions
GAMES = (views(2, 1), views(2, 3, 20, "charge"), views(3, 2), views(4, 3, 40))
ALL = tuple(view for game in GAMES for view in game)
KINDS = ("take", "play", "place", "regroup", "mix", "look", "accuse", "move")


def read(view: View[State], typed: str) -> object:
    return ASKED.read(view, typed)


@pytest.mark.parametrize("what", KINDS)
def test_each_decision_is_asked_in_words_and_answers_are_offered(what: str) -> None:
    found = [view for view in ALL if kind(view) == what][:40]
    assert found
    for view in found:
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
    one, two, three = (choice.word for choice in ASKED.choices(context(view))[:3])
    second = [choice.word for choice in ASKED.choices(context(view, typed=f"{one} "))]
    assert f"{one} {two}" in second
    assert f"{one} {one}" not in second
    third = [choice.word for choice in ASKED.choices(context(view, typed=f"{one} {two} "))]
    assert ASKED.read(view, f"{one} {two} {three}") == notation.regroup(
        NAMES.index(name) for name in (one, two, three)
    )
    assert f"{one} {two} {three}" in third


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


def test_a_taken_territory_says_so() -> None:
    view = first(GAMES[0], lambda view: view.state.picks == 5)
    place = next(number for number, owner in enumerate(view.state.taken) if owner is not None)
    with pytest.raises(NotPossible, match=f"{TERRITORIES[place].name} is taken already"):
        read(view, f"take {TERRITORIES[place].letter}")
    with pytest.raises(Unknown, match="no territory"):
        read(view, "narnia")


def test_a_card_is_played_by_its_name_and_others_say_why_not() -> None:
    view = first(ALL, lambda view: kind(view) == "play" and 0 in view.state.drawn)
    assert read(view, "blitz") == read(view, "play blitz") == read(view, "Blitz!") == "play blitz"
    assert read(view, "none") == read(view, "play none") == "play none"
    without = first(ALL, lambda view: kind(view) == "play" and 6 not in view.state.drawn)
    with pytest.raises(NotPossible, match="Traitor is not among the cards you drew"):
        read(without, "traitor")
    empty = first(ALL, lambda v: kind(v) == "play" and 2 in v.state.drawn and not v.state.bags[v.seat])
    with pytest.raises(NotPossible, match="cannot be played: bag empty"):
        read(empty, "reinforce")
    with pytest.raises(Unknown, match="is no card"):
        read(view, "ace of spades")


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


def test_secret_information_with_the_spy_in_the_bag_is_warned_of() -> None:
    def hidden_spy(view: View[State]) -> bool:
        bag = view.state.bags[view.seat]
        closed = any(piece.face is None and view.known.get(piece.slot) == SPY for piece in bag)
        return kind(view) == "play" and closed and notation.play(SECRET) in _options(view)

    def _options(view: View[State]) -> list[str]:
        return list(view.decision.options) if isinstance(view.decision, Choose) else []

    found = [view for view in ALL if hidden_spy(view)]
    for view in found[:5]:
        warned = ASKED.warnings(view, notation.play(SECRET))
        assert "Your spy is in the bag" in warned[0]
        assert "record proves" in warned[1]


def test_a_piece_that_may_not_move_is_warned_of_and_can_be_moved_all_the_same() -> None:
    seen = Counter[bool]()
    for view in [view for view in ALL if kind(view) == "move"]:
        state = now(view)
        for zone in state.zones_held(view.seat):
            piece = state.board[zone]
            assert piece is not None
            if piece.face is None and view.known[piece.slot] in FIXED:
                moves = [move for move in _offered(view) if move.startswith(NAMES[zone])]
                for move in moves[:1]:
                    assert read(view, move) == move
                    warned = " ".join(ASKED.warnings(view, move))
                    assert "may never move" in warned
                    seen["at once" in warned] += 1
    assert seen[False] > 0


def _offered(view: View[State]) -> list[str]:
    assert isinstance(view.decision, Choose)
    return list(view.decision.options)


def test_saying_none_although_a_piece_can_step_is_warned_of() -> None:
    view = first(
        ALL,
        lambda v: kind(v) == "move" and notation.NONE in _offered(v) and own_moves(v) != [notation.NONE],
    )
    assert "can step" in ASKED.warnings(view, notation.NONE)[0]
    stuck = first(ALL, lambda v: kind(v) == "move" and own_moves(v) == [notation.NONE])
    assert ASKED.warnings(stuck, notation.NONE) == []


def test_a_move_that_is_not_possible_says_why() -> None:
    view = asked(GAMES[3], "move", 40)
    own = view.state.zones_held(view.seat)
    other = next(zone for zone, piece in enumerate(view.state.board) if piece and piece.seat != view.seat)
    with pytest.raises(NotPossible, match="you have no piece there"):
        read(view, f"{NAMES[other]} f6")
    with pytest.raises(NotPossible, match="needs two different zones"):
        read(view, f"{NAMES[own[0]]}{NAMES[own[0]]}")
    with pytest.raises(Unknown, match="There is no zone m3"):
        read(view, "m3 a1")
    with pytest.raises(Unknown, match="is no move"):
        read(view, "hello there")
    for zone in own:
        with pytest.raises(Misunderstood, match=r"Where does your|cannot move now"):
            read(view, NAMES[zone])


def test_across_a_mountain_says_so() -> None:
    def blocked(view: View[State]) -> str | None:
        for one, other in (("d2", "e2"), ("f5", "g5"), ("i3", "i4"), ("c3", "c4"), ("h2", "i2")):
            for source, target in ((one, other), (other, one)):
                mine = view.state.board[NAMES.index(source)]
                free = view.state.board[NAMES.index(target)] is None
                if mine and mine.seat == view.seat and free and mine.face not in (None, 2, *FIXED):
                    return f"{source}{target}"
        return None

    view = first(ALL, lambda view: kind(view) == "move" and blocked(view) is not None)
    with pytest.raises(NotPossible, match="a mountain is between them"):
        read(view, blocked(view) or "")


def test_stop_and_none_are_said_only_when_they_can_be() -> None:
    begun = first(ALL, lambda v: kind(v) == "move" and v.state.made > 0)
    assert read(begun, "stop") == "stop"
    with pytest.raises(NotPossible, match="Say stop"):
        read(begun, "none")
    fresh = first(ALL, lambda v: kind(v) == "move" and not v.state.made)
    with pytest.raises(NotPossible, match="must be made"):
        read(fresh, "stop")


def test_pieces_are_regrouped_and_laid_back_by_name_letter_or_number() -> None:
    view = asked(GAMES[3], "mix")
    assert isinstance(view.decision, Commit)
    faces = tuple(view.decision.faces)
    names = ("cursed", "spy", "scout", "sorceress", "baron", "knight", "count", "duke", "prince", "queen",
             "king", "flag")  # fmt: skip
    assert read(view, " ".join(names[face] for face in faces)) == faces
    assert read(view, ", ".join(str(face) if face < 10 else names[face] for face in faces)) == faces
    with pytest.raises(NotPossible, match="Type all three"):
        read(view, "king king king")
    three = asked(GAMES[3], "regroup")
    own = three.state.zones_held(three.seat)
    with pytest.raises(NotPossible, match="three different zones: 2 are named"):
        read(three, f"{NAMES[own[0]]} {NAMES[own[1]]}")


def test_an_accusation_names_a_zone_and_a_kind() -> None:
    view = first(ALL, lambda view: kind(view) == "accuse")
    state = now(view)
    enemy = next(zone for zone, piece in enumerate(state.board) if piece and piece.seat != view.seat)
    own = state.zones_held(view.seat)[0]
    assert read(view, f"{NAMES[enemy]} king") == notation.accuse(enemy, KING)
    assert read(view, f"accuse {NAMES[enemy]} the k") == notation.accuse(enemy, KING)
    with pytest.raises(NotPossible, match="Type its kind too"):
        read(view, NAMES[enemy])
    with pytest.raises(NotPossible, match="is your own"):
        read(view, f"{NAMES[own]} king")
    with pytest.raises(Ambiguous, match="Spy, Scout or Sorceress"):
        read(view, f"{NAMES[enemy]} s")
    with pytest.raises(Unknown, match="is no piece"):
        read(view, f"{NAMES[enemy]} bishop")


def test_a_look_names_two_pieces_side_by_side() -> None:
    view = asked(GAMES[3], "look")
    pair = ASKED.choices(context(view))[0].word
    assert read(view, pair) == read(view, f"look {' '.join(reversed(pair.split()))}") == f"look {pair}"
    free = next(zone for zone, piece in enumerate(now(view).board) if piece is None)
    with pytest.raises(NotPossible, match="Nothing stands on"):
        read(view, f"{pair.split()[0]} {NAMES[free]}")
    with pytest.raises(Unknown, match="two zones side by side"):
        read(view, pair.split()[0])


def test_nothing_is_asked_of_who_only_waits() -> None:
    view = replace(GAMES[0][0], decision=None)
    assert ASKED.question(view, players(2, 0)) is None
    assert ASKED.choices(context(view)) == ()
    with pytest.raises(NotPossible, match="nothing to decide"):
        read(view, "a1a2")
    with pytest.raises(Unknown, match="Nothing is asked"):
        read(view, "hello")


@pytest.mark.parametrize(
    ("ask", "told"),
    [
        (Choose(1, ("take A",)), "Boris takes a territory."),
        (Choose(1, ("play none",)), "Boris chooses a card."),
        (Choose(2, ("a1a2",)), "Chen is to move."),
        (Choose(1, ("yes", "no")), "Boris is to answer."),
        (Choose(1, ("flag a1",)), "Boris is to place a flag."),
        (Open(3), "A piece is being turned up."),
        (Claim(1, "rule", (1,), frozenset({1})), "A claim is being put on record."),
        (Roll(6), "Chance is being drawn together."),
        (OpenTo(4, 2), "Chen is looking at a piece."),
        (Mix(1, (1, 2), (3, 4), "rule"), "Boris is mixing pieces."),
        (
            Together((Commit(0, (1,), (1,)), Commit(1, (2,), (1,)), Commit(2, (3,), (1,)))),
            "Boris and Chen are still placing.",
        ),
    ],
)
def test_what_is_waited_for_is_told_by_name(ask: object, told: str) -> None:
    view = replace(GAMES[2][0], decision=None)
    assert ASKED.waiting(view, players(3, 0), ask) == told  # type: ignore[arg-type]  # one Ask of each kind


def test_a_message_that_reads_as_a_move_or_as_what_was_seen_is_noticed() -> None:
    for text in ("c4c5", "c4 is the king", "king queen spy", "a1 b2 c3"):
        assert ASKED.reveals(None, text), text
    for text in ("hello all", "well played", "the king is dead, long live the king of us all here"):
        assert not ASKED.reveals(None, text), text


@pytest.mark.parametrize(("seen", "words"), [(("b2",), "this one goes to"), ((), "If this is a flag")])
def test_the_player_is_asked_before_a_capture_that_gives_the_game_away(
    seen: tuple[str, ...], words: str
) -> None:
    (told,) = ASKED.warnings(held(Acts(THREE_AT_WAR), red="green").view(*seen), "a2b2")
    assert words in told
    for acts in (
        Acts(THREE_AT_WAR),
        held(Acts(FOUR_AT_WAR), red="green"),
        held(Acts(THREE_AT_WAR), red="blue"),
    ):
        assert ASKED.warnings(acts.view(*seen), "a2b2") == []
    assert ASKED.warnings(held(Acts(THREE_AT_WAR), red="green").view("b4"), "a2a3") == []


@pytest.mark.parametrize(
    ("red", "told"), [("green", "for Chen!"), ("blue", "the Flag!"), (None, "the Flag!")]
)
def test_a_capture_for_another_player_is_called_so_before_it_is_made(red: str | None, told: str) -> None:
    acts = Acts(THREE_AT_WAR) if red is None else held(Acts(THREE_AT_WAR), red=red)
    of = ViewContext(acts.view("b2"), players(3, 0), typed="a2b2")
    assert "".join(text for _, text in explanation(of, snapshot(of))).endswith(told)


@pytest.mark.parametrize(("scout", "words"), [("run", "to a free one."), ("charge", "an enemy behind them.")])
def test_how_far_a_piece_goes_is_told_as_it_was_agreed_on(scout: str, words: str) -> None:
    setup = {"red": {"a2": "duke", "a1": "flag"}, "blue": {"a3": "count", "l1": "flag", "l3": "duke"}}
    acts = Acts(setup, scout=scout)
    acts.act("a2a3")
    acts.act("l3l4")
    with pytest.raises(NotPossible, match=re.escape(words)):
        read(acts.view(), "a3 l4")
