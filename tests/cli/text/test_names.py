"""No name passes for a fingerprint, for a frame, or for a line of this program (threats 23 and 24)."""

from __future__ import annotations

import re
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.text import language
from cli.text.layout import hung
from cli.text.names import bot_name, flaw, person, shown
from cli.text.sanitize import CHAT_CELLS, NAME_CELLS, cells, escape
from p2p_stratego.core.characters import CHARACTERS, short_name
from p2p_stratego.registry import GAMES
from protocol.errors import Malformed
from protocol.limits import MAX_NAME
from protocol.record.genesis import check_name

PRINT = "AAAA-BBBB-CCCC-DDDD"
DECEIVING = [
    "Red resigns. You win!",
    "Red resigns",
    "Rеd rеsigns",  # Cyrillic е
    "You win",
    "Boris claims the game",
    "Boris [AAAA-BBBB-CCCC-DDDD]",
    "[AAAA-BBBB-CCCC-DDDD] Boris",
    "AAAA-BBBB-CCCC-DDDD",
    "AAAA–BBBB–CCCC–DDDD",  # en dashes
    "AAAA−BBBB−CCCC",  # minus signs, and only three groups
    "Boris (red)",
    "Boris【x】",
    "Boris［x］",
    "<U+202E>",
    "“Boris”",
    "Boris: I resign",
    "Boris:",
    "Boris resigned。",
    "Game over!",
]
PEOPLE = [
    "Anna",
    "Anna Łukasz",
    "J. R. Smith",
    "Dr. No",
    "Sammy Davis Jr.",
    "o'Brien",
    "O’Brien",
    "Jean-Luc",
    "Anne-Marie Saint-Just",
    "हिन्दी",
    "山田太郎",
    "Win",
    "Recruit bot",
    "Agent bot",
    "Player 2",
    "P!nk",
]


def reachable(name: str) -> bool:
    try:
        check_name(name)
    except Malformed:
        return False
    return True


SEEN = st.characters(categories=("L", "M", "N", "P", "S"))
NAMES = (
    st.text(alphabet=st.one_of(SEEN, st.sampled_from("AAAA-–[]. !")), min_size=1, max_size=MAX_NAME)
    .map(lambda text: unicodedata.normalize("NFC", text).strip())
    .filter(reachable)
)
"""Names that the protocol lets through."""


def looks_like_a_fingerprint(text: str) -> bool:
    return bool(re.search(r"\w{4}-\w{4}-\w{4}", text))


@pytest.mark.parametrize("name", DECEIVING)
def test_row_24_our_own_player_has_no_such_name(name: str) -> None:
    assert flaw(name) is not None


@pytest.mark.parametrize("name", PEOPLE)
def test_names_of_people_are_left_alone(name: str) -> None:
    assert reachable(name)
    assert flaw(name) is None
    assert shown(name) == name


def test_letters_lose_their_accents_where_ascii_alone_is_drawn() -> None:
    assert shown("Bén Müller", ascii_only=True) == "Ben Muller"
    assert shown("Зоя", ascii_only=True).startswith("<U+0417>")


@pytest.mark.parametrize("name", DECEIVING)
@pytest.mark.parametrize("ascii_only", [False, True])
def test_row_24_somebody_elses_is_shown_harmless_and_in_quotation_marks(name: str, ascii_only: bool) -> None:
    text = shown(name, ascii_only=ascii_only)
    assert text[0] + text[-1] == ('""' if ascii_only else "“”")
    inner = text[1:-1]
    assert not set(inner) & set("[]()“”!") or ascii_only
    assert not re.search(r"[.!?:] |[.!?:]$", inner)
    assert not looks_like_a_fingerprint(inner)


def test_row_24_a_forged_result_is_one_name() -> None:
    assert shown("Red resigns. You win!") == "“Red resigns You win”"
    assert shown("Boris [AAAA-BBBB-CCCC-DDDD]", 40) == "“Boris AAAABBBBCCCCDDDD”"


@given(NAMES)
def test_row_24_no_name_holds_a_frame_a_fingerprint_or_the_end_of_a_sentence(name: str) -> None:
    text = shown(name)
    inner = text[1:-1] if text.startswith("“") else text
    assert cells(text) <= NAME_CELLS
    assert text.isprintable()
    plain = re.sub(r"<U\+[0-9A-F]+>", "", inner).removesuffix("…")
    assert not any(unicodedata.category(c) in ("Ps", "Pe") for c in plain)
    assert not looks_like_a_fingerprint(plain)
    assert not re.search(r"[!?:;。！？](\s|$)", plain)


@given(NAMES)
def test_row_24_the_fingerprint_of_a_person_is_the_only_one(name: str) -> None:
    assert person(name, PRINT).endswith(f" [{PRINT}]")
    text = person(name, PRINT)
    assert text.count("[") == text.count("]") == 1
    assert text.count(PRINT) == 1


def test_seats_in_parentheses_are_ours() -> None:
    """Namesakes are told apart by their seats, so no name ends like that."""
    for game in GAMES.values():
        for seat in {name for count in game.seat_counts for name in game.seat_names(count)}:
            assert flaw(f"Boris ({seat})") is not None


# Lines on a terminal that has no say in where they break


def widest(character: str) -> int:
    """Cells on the terminal that takes most: spacing marks one, signs and wide letters two."""
    category = unicodedata.category(character)
    if category in ("Mn", "Me", "Cf"):
        return 0
    wide = unicodedata.east_asian_width(character) in "AWF" or (category[0] in "PS" and character > "~")
    return 2 if wide else 1


CHAT = st.text(
    alphabet=st.one_of(st.characters(), st.sampled_from("क\u093e\u0903あ“… Red resigns.")), max_size=200
)


@given(CHAT, st.integers(min_value=10, max_value=100))
def test_row_23_no_line_of_chat_reaches_the_edge_or_begins_where_ours_do(text: str, columns: int) -> None:

    first, *others = hung(f"Boris: {escape(text, CHAT_CELLS)}", columns)
    assert first.startswith("Boris:")
    assert all(line.startswith("  ") for line in others)
    assert all(sum(map(widest, line)) <= columns for line in (first, *others))


@given(NAMES, CHAT, st.integers(min_value=10, max_value=100))
def test_row_23_nor_does_one_behind_a_label(name: str, text: str, columns: int) -> None:

    _, *others = hung(escape(text), columns, f"{shown(name)}: ")
    assert all(line.startswith("  ") for line in others)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("de", {"Recruit bot": "Rekrut-Bot", "Marshal bot 2": "Feldmarschall-Bot 2", "Anna": "Anna"}),
        ("nl", {"Recruit bot": "Rekruut-bot", "Marshal bot 2": "Maarschalk-bot 2", "Bot": "Bot"}),
        ("en", {"Recruit bot": "Recruit bot"}),
    ],
)
def test_a_bot_is_named_in_the_players_language(code: str, names: dict[str, str]) -> None:
    language.install(code)
    try:
        assert {name: shown(name) for name in names} == names
        for level, known in CHARACTERS.items():
            assert known.bot == f"{short_name(level)} bot"
            assert bot_name(level).partition(" ")[2] in shown(known.bot)
    finally:
        language.install("en")
