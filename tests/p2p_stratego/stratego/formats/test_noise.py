"""Whatever a stranger's file holds, it is read or refused with a typed error: nothing else ever happens."""

from __future__ import annotations

import json

from hypothesis import given, settings
from hypothesis import strategies as st

from p2p_stratego.core.scenario import ScenarioError, load
from p2p_stratego.registry import play_scenario
from p2p_stratego.stratego.formats import army_file, record, setups
from p2p_stratego.stratego.formats.diagram import TextError
from p2p_stratego.stratego.rules import armies
from p2p_stratego.stratego.rules.notation import MoveError, parse
from tests.helpers.stratego.boards import write_line
from tests.helpers.stratego.texts import DIAGRAM, DUEL, LINE, RECORD

PIECES = st.sampled_from(
    ["", "\n", " ", "#", ":", "?", ".", "~", "0", "²", "10", "a4a5", "none", "red", "wins", "M", "é", "\x1c"]
)

fuzzed = settings(max_examples=150)


@st.composite
def spoilt(draw: st.DrawFn, text: str) -> str:
    """The text with a few places overwritten, left out or written twice."""
    for _ in range(draw(st.integers(1, 4))):
        start = draw(st.integers(0, len(text)))
        stop = draw(st.integers(start, min(len(text), start + 30)))
        new = draw(st.one_of(PIECES, st.text(max_size=5), st.just(text[start:stop] * 2)))
        text = text[:start] + new + text[stop:]
    return text


@fuzzed
@given(spoilt(RECORD))
def test_a_spoilt_record_is_read_or_refused(text: str) -> None:
    try:
        again = record.read(text)
    except record.RecordError:
        return
    assert record.read(record.write(again)) == again


@fuzzed
@given(spoilt(f"{DIAGRAM}{LINE}\n"))
def test_a_spoilt_file_of_set_ups_is_read_or_refused(text: str) -> None:
    try:
        layout = setups.read(text, armies.ARMIES["barrage"])
    except setups.SetupError:
        return
    assert [setups.read_line(write_line(setup)) for setup in layout] == layout


@fuzzed
@given(spoilt(army_file.write(armies.ARMIES["quickplay"])))
def test_a_spoilt_file_of_an_army_is_read_or_refused(text: str) -> None:
    try:
        army = army_file.read(text)
    except TextError:
        return
    assert armies.army(army.text) == army


@fuzzed
@given(spoilt(json.dumps(DUEL)))
def test_a_spoilt_scenario_is_played_or_refused(text: str) -> None:
    try:
        *_, last = play_scenario(load(text.encode(errors="surrogatepass")))
    except ScenarioError:
        return
    assert "reason" in last


@fuzzed
@given(st.one_of(st.text(max_size=40), spoilt("a4 x a5")))
def test_whatever_is_typed_is_understood_or_refused(text: str) -> None:
    try:
        move = parse(text, ["a4a5", "b4b5"])
    except MoveError:
        return
    assert move in ("a4a5", "b4b5")
