"""Evidence: what records show about a pairing, whatever their order, and what nobody can make them show."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cli.studies.tournament import event as events
from cli.studies.tournament import evidence, html, pairing, report
from cli.studies.tournament import table as tables
from cli.studies.tournament.event import Entrant, Event, EventError, Round, Ruling, System
from cli.studies.tournament.evidence import Decided, Judged
from p2p_stratego.registry import GAMES
from protocol.audit import proof as proofs
from tests.golden.dialogues import assert_told
from tests.helpers.games.players import honest
from tests.helpers.machine.modules import VECTORS
from tests.helpers.program.events import key, played, transcript
from tests.helpers.seats.pair import Table, any_decision

NAMES = ("Ann", "Ben", "Cleo", "Dan")
WALL = 3


def event(system: System = "round-robin", names: Sequence[str] = NAMES, *, words: bool = True) -> Event:
    players = tuple(Entrant(key(name), name) for name in names)
    options = dict(GAMES["spies-and-lies"].options({"wall": WALL}))
    rounds = events.most_rounds(system, len(names))
    return Event("Cup", "ab" * 16, "spies-and-lies", options, system, rounds, words, players)


def paired(of: Event, number: int) -> Round:
    pairs, byes = pairing.berger(len(of.players), number)
    return Round(number, pairs, byes, events.word(of, number, pairs))


def match(of: Event, announced: Round, table: int, seed: int, **how: object) -> list[bytes]:
    """Both records of the match of a pairing, as it was announced."""
    pair = announced.pairings[table - 1]
    names = [of.entrant(number).name for number in pair[1:]]
    settings_: dict[str, object] = {"options": {"wall": WALL}, "word": announced.word, "loser": 0} | how
    played_ = played(*names, seed=seed, **settings_)  # type: ignore[arg-type]  # the helper's own arguments
    return [transcript(played_, seat) for seat in (0, 1)]


def judged(*copies: bytes) -> Judged:
    result = evidence.judged({evidence.digest(data): data for data in copies})
    assert result is not None
    return result


def decide(of: Event, rounds: Sequence[Round], matches: Sequence[Judged], *rulings: Ruling) -> Decided:
    """The first pairing."""
    return evidence.decided(of, rounds, matches, rulings)[0]


CUP = event()
ROUND = paired(CUP, 1)


def test_a_match_that_was_played_to_its_end_is_a_result() -> None:
    result = judged(*match(CUP, ROUND, 1, 1))
    assert (result.verdict, result.halves, result.problem, result.confirmed) == (
        "complete",
        (0, 2),
        None,
        True,
    )
    decision = decide(CUP, [ROUND], [result])
    assert (decision.halves, decision.origin, decision.problems) == ((0, 2), "play", ())


def test_row_123_a_match_in_which_decisions_could_be_taken_back_is_none_of_a_tournament() -> None:
    table = Table(51, options={"wall": WALL}, decide=honest, takebacks=True).play()
    result = judged(table.seats[0].transcript)
    assert (result.verdict, result.halves, result.problem) == ("complete", None, "terms")


def test_row_94_a_record_counts_once_however_many_copies_there_are() -> None:
    ours, theirs = match(CUP, ROUND, 1, 2)
    (copies,) = evidence.sorted_out({evidence.digest(data): data for data in (ours, theirs, ours)})
    result = evidence.judged(copies)
    assert result is not None
    assert result.halves == (0, 2)
    assert decide(CUP, [ROUND], [result]).halves == (0, 2)


def test_who_has_withdrawn_loses_by_forfeit_unless_a_match_or_a_ruling_says_more() -> None:
    played_match = judged(*match(CUP, ROUND, 1, 1))
    first, second = ROUND.pairings[0][1:]

    def result(left: dict[int, int], *rulings: Ruling, matches: Sequence[Judged] = ()) -> tuple[object, str]:
        decision = evidence.decided(CUP, [ROUND], matches, rulings, left)[0]
        assert decision.game.forfeit == (decision.origin == "withdrawal")
        return decision.halves, decision.origin

    assert result({first: 1}) == ((0, 2), "withdrawal")
    assert result({second: 1}) == ((2, 0), "withdrawal")
    assert result({first: 1, second: 1}) == ((0, 0), "withdrawal")
    assert result({first: 2}) == (None, "")
    assert result({second: 1}, matches=[played_match]) == ((0, 2), "play"), "games that were played stand"
    assert result({first: 1}, Ruling(1, 1, "1/2-1/2", "agreed before")) == ((1, 1), "ruling")


def test_row_94_a_match_of_another_event_or_round_has_another_word() -> None:
    other = Event(**{name: getattr(CUP, name) for name in Event.__slots__} | {"nonce": "cd" * 16})
    elsewhere = judged(*match(other, paired(other, 1), 1, 3))
    assert decide(CUP, [ROUND], [elsewhere]).matches == ()
    plain = judged(*match(CUP, ROUND, 1, 3, word=""))
    assert decide(CUP, [ROUND], [plain]).matches == ()
    free = event(words=False)
    assert decide(free, [paired(free, 1)], [plain]).halves == (0, 2), "without words nothing tells them apart"


def test_row_94_other_options_and_changed_seats_give_no_result() -> None:
    wide = judged(*match(CUP, ROUND, 1, 4, options={"wall": 4}))
    assert decide(CUP, [ROUND], [wide]).problems == ("terms",)
    turned = played("Dan", "Ann", seed=5, options={"wall": WALL}, word=ROUND.word, loser=0)
    decision = decide(CUP, [ROUND], [judged(transcript(turned))])
    assert (decision.halves, decision.problems) == (None, ("seats",))


def test_row_94_two_matches_for_one_pairing_wait_for_a_ruling() -> None:
    first, second = judged(*match(CUP, ROUND, 1, 6)), judged(*match(CUP, ROUND, 1, 7, loser=1))
    decision = decide(CUP, [ROUND], [first, second])
    assert (decision.halves, decision.problems) == (None, ("several",))
    assert decision == decide(CUP, [ROUND], [second, first])
    ruled = decide(CUP, [ROUND], [first, second], Ruling(1, 1, "1/2-1/2", "both agree"))
    assert (ruled.halves, ruled.origin, ruled.problems) == ((1, 1), "ruling", ("several",))


def test_an_unfinished_match_names_who_owes_and_gives_no_result() -> None:
    result = judged(*match(CUP, ROUND, 1, 8, loser=None, steps=40))
    assert (result.halves, result.problem) == (None, "incomplete")
    assert result.seats
    again = judged(*match(CUP, ROUND, 1, 9))
    decision = decide(CUP, [ROUND], [result, again])
    assert (decision.halves, decision.problems) == ((0, 2), ("incomplete",)), (
        "they played again, and ended that one"
    )


def test_a_dispute_names_what_has_no_end_and_what_the_result_stands_by() -> None:
    open_ = judged(*match(CUP, ROUND, 1, 8, loser=None, steps=40))
    ended = judged(*match(CUP, ROUND, 1, 9))

    def matters(
        matches: Sequence[Judged], rulings: Sequence[Ruling] = (), left: dict[int, int] | None = None
    ) -> list[str]:
        decisions = evidence.decided(CUP, [ROUND], matches, rulings, left or {})
        return [
            text for _depth, text in report.matters(tables.made(CUP, [ROUND], decisions, []), decisions[0])
        ]

    lines = matters([ended, open_])
    assert lines == matters([open_, ended])
    assert_told("tournament", "what a result stands by", "\n".join(lines), "stands by", ENDED=ended.id[:16])
    assert [line[:22] for line in lines if line.startswith("match")] == [f"match {open_.id[:16]}"]
    ruled = matters([open_], [Ruling(1, 1, "1-0", "agreed")])
    assert_told("tournament", "a ruling settles", "\n".join(ruled), "settled")
    left = matters([open_], left={ROUND.pairings[0].first: 1})
    assert_told("tournament", "a withdrawal settles", "\n".join(left), "settled")
    assert not any("settled" in line or "stands by" in line for line in matters([open_]))


def test_row_94_one_side_alone_makes_no_match() -> None:
    data = (VECTORS / "transcripts/incomplete-not-agreed.p2ps").read_bytes()
    assert evidence.judged({evidence.digest(data): data}) is None


@pytest.mark.parametrize(
    ("files", "problem", "gives"),
    [
        (("equivocated-entry",), "equivocated", True),
        (("cheated-out-of-turn",), "cheated", True),
        (("unresponsive",), "absence", False),
        (("tampered-signature",), "damaged", False),
        (("incomplete",), "incomplete", False),
        (("complete-agreed-draw",), None, True),
    ],
)
def test_what_each_verdict_comes_to(files: tuple[str, ...], problem: str | None, gives: bool) -> None:
    result = judged(*((VECTORS / f"transcripts/{name}.p2ps").read_bytes() for name in files))
    assert result.problem == problem
    assert (result.halves is not None) == gives
    assert (result.proof is not None) == (problem in ("cheated", "equivocated"))
    if result.proof is not None:
        fault = proofs.check(result.proof, GAMES)
        assert result.seats == (fault.seat,)
        assert result.halves is not None
        assert result.halves[fault.seat] == 0


def test_two_versions_in_two_copies_prove_what_no_copy_shows(records: Path) -> None:
    result = judged((records / "fork.p2ps").read_bytes(), (records / "fork-too.p2ps").read_bytes())
    assert result.problem == "equivocated"
    assert result.proof is not None


def test_row_94_a_cheat_loses_by_proof_and_the_director_sees_it() -> None:
    seed = next(
        seed
        for seed in range(20, 40)
        if judged(match(CUP, ROUND, 1, seed, loser=None, decide=any_decision)[0]).problem == "cheated"
    )
    decision = decide(CUP, [ROUND], [judged(*match(CUP, ROUND, 1, seed, loser=None, decide=any_decision))])
    assert decision.origin == "proof"
    assert decision.problems == ("cheated",)
    assert decision.halves in ((2, 0), (0, 2))


def test_a_drawn_knockout_is_played_again_with_the_seats_either_way() -> None:
    cup = event("knockout")
    pairs, byes = pairing.knockout(4, 1, [])
    first = Round(1, pairs, byes, events.word(cup, 1, pairs))
    result = judged(*match(cup, first, 1, 10))
    drawn = Judged(
        **{name: getattr(result, name) for name in Judged.__slots__} | {"id": "00" * 32, "halves": (1, 1)}
    )
    assert decide(cup, [first], [drawn]).problems == ("drawn",)
    assert decide(cup, [first], [drawn, result]).halves == (0, 2)


# Two directors


ROUNDS = [paired(CUP, 1), paired(CUP, 2)]
FILES = [
    *match(CUP, ROUNDS[0], 1, 11),
    *match(CUP, ROUNDS[0], 2, 12, loser=1),
    match(CUP, ROUNDS[1], 1, 13, loser=None, steps=40)[0],
    *match(CUP, ROUNDS[1], 2, 14),
    match(CUP, ROUNDS[1], 2, 15)[1],
]
RULINGS = [Ruling(2, 1, "1-0", "Ann did not come back"), Ruling(2, 2, "0-0", "two matches")]


def told_of(
    files: Sequence[bytes], rounds: Sequence[Round], rulings: Sequence[Ruling]
) -> tuple[str, str, bytes]:
    matches = [
        evidence.judged(copies)
        for copies in evidence.sorted_out({evidence.digest(data): data for data in files})
    ]
    random.Random(len(files)).shuffle(matches)
    decisions = evidence.decided(CUP, rounds, [result for result in matches if result is not None], rulings)
    table = tables.made(CUP, rounds, decisions, [])
    return "\n".join(report.whole(table)), str(tables.plain(table)), html.page(table)


@settings(max_examples=5, deadline=None)
@given(st.randoms(use_true_random=False))
def test_row_94_two_directors_with_the_same_files_get_the_same_table(rng: random.Random) -> None:
    usual = told_of(FILES, ROUNDS, RULINGS)
    files = rng.sample(FILES, len(FILES)) + rng.choices(FILES, k=2)
    assert told_of(files, ROUNDS, rng.sample(RULINGS, 2)) == usual
    text = usual[0]
    assert "did not come" in text
    assert "more than one" in text


def test_row_94_names_and_reasons_are_text_in_a_page_that_runs_nothing() -> None:
    bad = "<img src=x>&"
    cup = event(names=[bad, "Ben"])
    first = paired(cup, 1)
    decisions = evidence.decided(cup, [first], [], [Ruling(1, 1, "1-0", "<script>alert(1)</script>\x1b[2J")])
    table = tables.made(cup, [first], decisions, [])
    page = html.page(table).decode()
    assert "<script" not in page
    assert "<img" not in page
    assert "script-src 'none'" in page
    assert "default-src 'none'" in page
    assert "\x1b" not in page
    assert "\x1b" not in "\n".join(report.whole(table))


# Files


def test_files_come_back_as_they_were_written() -> None:
    assert events.read_event(events.event_json(CUP)) == CUP
    assert events.read_round(events.round_json(ROUND), CUP) == ROUND
    assert events.read_ruling(events.ruling_json(RULINGS[0])) == RULINGS[0]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"format": 1', b'"format": 2'),
        (b'"wall": 3', b'"wall": 30'),
        (b'"rounds": 3', b'"rounds": 4'),
        (b'"words": true', b'"words": 1'),
        (b'"name": "Ben"', b'"name": "Ann"'),
        (b'"name": "Ben"', b'"name": "Ben\\u202e"'),
        (b'"system": "round-robin"', b'"system": "lottery"'),
        (b'"game": "spies-and-lies"', b'"game": "chess"'),
        (b'"nonce": "ab', b'"nonce": "AB'),
        (key("Ben").encode(), b"00" * 32),
        (b"{", b"["),
    ],
)
def test_row_94_an_event_in_another_form_is_refused(old: bytes, new: bytes) -> None:
    data = events.event_json(CUP)
    assert old in data
    with pytest.raises(EventError):
        events.read_event(data.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"   4\n", b"   3\n"),
        (b"   4\n", b"   9\n"),
        (b"   4\n", b"   true\n"),
        (b'"table": 1', b'"table": 2'),
    ],
)
def test_row_94_a_round_with_other_pairings_does_not_have_its_word(old: bytes, new: bytes) -> None:
    data = events.round_json(ROUND)
    assert old in data
    with pytest.raises(EventError):
        events.read_round(data.replace(old, new, 1), CUP)
