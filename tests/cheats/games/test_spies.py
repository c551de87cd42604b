"""What players of SPIES! can say falsely, in matches between real ends; false proofs: test_spies_cards.py.

A match of three, and one of five, follow a script through the first turns and are kept; every lie is told
where its liar owes that entry, to seats that are fresh from the record before it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Final, NamedTuple

import pytest

from p2p_stratego.spies.rules.counters import CHIT_NAMES
from p2p_stratego.spies.rules.notation import words
from p2p_stratego.spies.rules.state import State
from protocol.audit.comparison import Copies
from protocol.audit.verdict import Verdict
from protocol.crypto.proofs import verification
from protocol.crypto.proofs.verification import keeping
from protocol.errors import Equivocation, Violation
from protocol.record.asks.choose import Choice
from protocol.record.asks.proofs.keys import Keys
from protocol.record.asks.proofs.moved import Moved
from protocol.record.asks.proofs.opened import Opened
from protocol.record.asks.proofs.proved import Proved
from protocol.record.asks.proofs.shuffled import Shuffled
from protocol.record.asks.proofs.tokens import Tokens
from protocol.record.evidence import read_record
from protocol.record.statements import Kind
from protocol.wire.messages import Message
from tests.helpers.cheats.spies import GAMES, Cut, Recording, cut
from tests.helpers.spies.dealt import BIDDING, THREE


@pytest.fixture(autouse=True)
def checked_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """All seats of a test live in one process: a proof that one of them has checked holds for all."""
    monkeypatch.setattr(verification, "REMEMBERED", 100_000)
    with keeping():
        yield


# What players say

Said = Callable[[Cut, State], str]


class Word(NamedTuple):
    """A false word instead of a line; `rest`: whether it is found out by what must follow it."""

    rows: tuple[int, ...]
    line: str
    words: str | Said
    rule: str
    rest: bool = True


def tile(word: str, face: int) -> Said:
    """To play or discard a tile that the power to move holds."""
    return lambda match, state: words(word, match.slot(face, state.tiles[state.power]))


def chit(word: str, true: str, *parts: str) -> Said:
    """To play a chit of one kind as another."""
    return lambda match, state: words(
        word, match.slot(CHIT_NAMES.index(true), state.hands[state.power]), *parts
    )


WORDS: Final[dict[str, Word]] = {
    "plays papers for a discovery": Word(
        (1,), "discovery ge1 prague", chit("discovery", "papers", "ge1", "prague"), "wrong-chit"
    ),
    "plays papers for a sanction": Word(
        (1,), "sanction ge2 fr5", chit("sanction", "papers", "ge2", "fr5"), "wrong-chit"
    ),
    "plays another's chit": Word(
        (1,),
        "discovery ge1 prague",
        lambda _, state: words("discovery", state.hands[2][0], "ge1", "prague"),
        "illegal-choice",
        rest=False,
    ),
    "hands over another's chit": Word(
        (2,), "hand escape", lambda _, state: words("hand", state.hands[3][0]), "illegal-choice", rest=False
    ),
    "returns another's chit": Word(
        (2,),
        "return papers",
        lambda _, state: words("return", state.hands[3][0]),
        "illegal-choice",
        rest=False,
    ),
    "plays a tile of another year": Word((4,), "tile 2", tile("tile", 1), "wrong-year"),
    "plays another's tile": Word(
        (5,), "tile 2", lambda _, state: words("tile", state.tiles[2][0]), "illegal-choice", rest=False
    ),
    "discards a tile of another year": Word((6,), "discard 8", tile("discard", 14), "false-discard"),
    "discards another's tile": Word(
        (6,), "discard 8", lambda _, state: words("discard", state.tiles[2][0]), "illegal-choice", rest=False
    ),
    "says that none fits": Word((7,), "discard 8", "no tile", "false-none"),
    "lets a weaker spy go": Word((10,), "captured # br4", "free", "false-comparison"),
    "captures a stronger spy": Word((10,), "free # br2", "captured", "false-comparison"),
    "calls a genuine secret a counterspy": Word((11,), "genuine", "counterspy", "false-secret"),
    "calls a counterspy genuine": Word((11,), "counterspy # athens", "genuine", "false-secret"),
    "calls its strong spy weak": Word((12,), "survives", "captured", "false-survival"),
    "calls its weak spy strong": Word((12,), "captured # ru4", "survives", "false-survival"),
    "denies its cousin": Word((13,), "cousin", "not cousin", "false-cousin"),
    "claims a cousin": Word((14,), "not cousin", "cousin", "false-cousin"),
    "moves six spaces": Word(
        (27,),
        "end # italy",
        "move it1 athens",
        "illegal-choice",
        rest=False,
    ),
    "spends thirteen action points": Word(
        (27,), "end # germany", "diplomacy russia", "illegal-choice", rest=False
    ),
    "plays a chit in a haven": Word(
        (27,), "sanction ge2 fr5", chit("sanction", "sanction", "ge4", "br3"), "illegal-choice", rest=False
    ),
    "searches a city twice": Word(
        (27,), "discovery ge1 prague", "search munich", "illegal-choice", rest=False
    ),
    "talks with itself": Word((27,), "diplomacy russia", "diplomacy germany", "illegal-choice", rest=False),
}
EVERYWHERE: Final = (
    "plays papers for a discovery",
    "lets a weaker spy go",
    "claims a cousin",
    "says that none fits",
)
"""Words that are tried at the table of five, too."""


@pytest.mark.parametrize(
    ("table", "word"),
    [*(("three", word) for word in WORDS), *(("five", word) for word in EVERYWHERE)],
    ids=lambda value: value,
)
def test_a_false_word_is_found_out(table: str, word: str) -> None:
    row = WORDS[word]
    match = cut(table, row.line)
    words = row.words if isinstance(row.words, str) else row.words(match, match.state)
    match.assert_caught(Choice(words), row.rule, rest=row.rest)


@pytest.mark.parametrize(
    ("line", "text"), [("end # germany", "search munich"), ("end # italy", "search naples")]
)
def test_two_powers_of_one_seat_cannot_search_each_other(line: str, text: str) -> None:
    """7.0 of SPIES!: captured so, a spy brought its own player points, pounds and a chit."""
    match = cut("mates", line)
    assert match.liar.seat == 0
    match.assert_caught(Choice(text), "illegal-choice")


def test_three_police_stand_in_no_city() -> None:
    match = cut("three", "police", Shuffled, Choice)
    digits = THREE.laying(0).split()[1]
    assert digits.count("1") == 4
    match.assert_caught(Choice(f"lay {digits.replace('2', '3', 1)}"), "illegal-choice")


# Secret purses

OVERDRAWN: Final = {
    "a bid": "0: bid 21",
    "a chit": """
        0: bid 20
        discard 2
        discovery ge1 prague
    """,
    "a trade": """
        0: bid 20
        discard 2
        end # germany
        discard 8
        diplomacy france
        propose france
        propose ? - 0 0
        pounds 24
        ready
        accept
    """,
}


@pytest.mark.parametrize("what", OVERDRAWN)
def test_nobody_pays_bids_or_trades_more_than_it_has(what: str) -> None:
    """It cannot prove what it says; so it is silent, or finds nothing better than junk."""
    played = Recording(BIDDING, OVERDRAWN[what], stuck=True)
    match = Cut(played, len(played.signed))
    assert match.liar.seat == (1 if what == "a trade" else 0)
    report = match.audited()
    assert (report.verdict, report.waited_for) == (Verdict.INCOMPLETE, (match.liar.seat,))
    match.assert_caught(match.best(), "overdrawn")


# Two versions, false ends, silence and talk


def test_two_versions_of_an_entry_show_up_in_two_copies() -> None:
    match = cut("three", "tile 2")
    entry = match.liar.entry(Choice(words("tile", match.slot(2, match.state.tiles[0]))))
    two = match.liar.entry(Choice(words("discard", match.slot(2, match.state.tiles[0]))))
    first, second = match.honest
    first.session.receive(read_record(entry))
    second.session.receive(read_record(two))
    with pytest.raises(Equivocation) as caught:
        first.session.receive(read_record(two))
    assert caught.value.seat == match.liar.seat
    for seat in match.honest:
        seat.persist()
    second.session.pause()
    copies = Copies(GAMES)
    for data in (second.transcript, first.transcript):
        copies.add(data)
    comparison = copies.compare()
    assert comparison.fault is not None
    assert (comparison.fault.seat, comparison.fault.rule) == (match.liar.seat, "equivocation")


def test_an_end_with_other_winners_is_false() -> None:
    """Both others give up; the one who is left has won, and says that nobody did."""
    match = cut("three", "tile 2")
    match.liar = match.recording.another(match.number)
    match.liars = [match.liar]
    for seat in match.honest:
        seat.session.resign()
    assert match.run(lambda bout: bout.liar.referee.outcome is not None)
    outcome = match.liar.referee.outcome
    assert outcome is not None
    assert outcome.winners == {match.liar.seat}
    statement = match.liar.statement(Kind.END, ((1, 2), outcome.reason))
    for refusal in match.lie([statement]):
        assert isinstance(refusal, Violation)
        assert (refusal.seat, refusal.what, refusal.rule) == (match.liar.seat, "statement", "false-end")
    report = match.audited()
    assert report.verdict is Verdict.CHEATED
    assert report.fault is not None
    assert (report.fault.seat, report.fault.rule) == (match.liar.seat, "false-end")


WITHHELD: Final[Mapping[str, tuple[str, list[type[Message]]]]] = {
    "a key": ("", [Keys]),
    "a share": ("tile 2", [Opened, Tokens]),
    "a shuffle": ("captured # it3", [Shuffled]),
    "an opening": ("tile 2", [Opened]),
    "a spy": ("br4", [Moved]),
    "a proof": ("captured # br4", [Proved]),
    "an answer": ("cousin", []),
}


@pytest.mark.parametrize("what", WITHHELD)
def test_who_withholds_something_is_on_record_and_no_cheat(what: str) -> None:
    line, kinds = WITHHELD[what]
    match = cut("three", line, *kinds)
    report = match.audited()
    assert (report.verdict, report.fault) == (Verdict.INCOMPLETE, None)
    assert report.waited_for == (match.liar.seat,)


def test_two_players_may_tell_each_other_what_they_saw() -> None:
    match = cut("three", "end # russia")
    for text in ("the secret of warsaw was c3", "falke is ge1"):
        match.tell(match.liar.statement(Kind.CHAT, (text,)))
    assert all(seat.session.fault is None for seat in match.honest)
    assert match.audited().verdict is Verdict.INCOMPLETE


# All rows

CARDS: Final = "test_spies_cards.py"
ELSEWHERE: Final[Mapping[int, tuple[str, str]]] = MappingProxyType(
    {
        3: (CARDS, "test_nothing_is_opened_as_another_face"),
        5: (CARDS, "test_nobody_lays_what_is_not_exactly_its_own"),
        8: (CARDS, "test_police_laid_anew_are_the_same_ones"),
        9: (CARDS, "test_nobody_lays_what_is_not_exactly_its_own"),
        15: (Path(__file__).name, "test_nobody_pays_bids_or_trades_more_than_it_has"),
        16: (CARDS, "test_no_bid_is_changed_when_those_of_the_others_are_known"),
        17: (CARDS, "test_no_chit_is_shuffled_away_doubled_or_brought_in"),
        18: (CARDS, "test_no_chit_is_shuffled_away_doubled_or_brought_in"),
        19: (CARDS, "test_a_false_share_of_a_decryption_is_refused"),
        20: (CARDS, "test_another_card_is_neither_shown_nor_given_nor_returned"),
        21: (CARDS, "test_another_card_is_neither_shown_nor_given_nor_returned"),
        22: (CARDS, "test_a_key_without_its_secret_is_refused"),
        23: (CARDS, "test_a_key_without_its_secret_is_refused"),
        24: (CARDS, "test_a_false_share_of_a_decryption_is_refused"),
        25: (CARDS, "test_what_is_no_point_is_no_message"),
        26: (CARDS, "test_tokens_for_a_peep_are_no_answer_to_anything"),
        27: (Path(__file__).name, "test_three_police_stand_in_no_city"),
        28: (Path(__file__).name, "test_two_versions_of_an_entry_show_up_in_two_copies"),
        29: (Path(__file__).name, "test_an_end_with_other_winners_is_false"),
        30: (Path(__file__).name, "test_who_withholds_something_is_on_record_and_no_cheat"),
        31: (Path(__file__).name, "test_two_players_may_tell_each_other_what_they_saw"),
    }
)
"""By row of the table of cheats: a module, and the test in it that shows what is no false word."""


def test_every_row_of_the_table_of_cheats_has_its_test() -> None:
    assert {row for word in WORDS.values() for row in word.rows} | set(ELSEWHERE) == set(range(1, 32))
    for module, name in ELSEWHERE.values():
        assert f"def {name}(" in Path(__file__).with_name(module).read_text(encoding="utf-8")
