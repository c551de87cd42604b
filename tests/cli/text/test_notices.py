"""Row 89: notifications hold nothing that a terminal obeys, whatever another player is called."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cli.text import notices

HOSTILE = (
    "\x1b]52;c;cm0gLXJmIH4=\x07",
    "Eve;rm -rf ~",
    "\x9c\x9b31m",
    "\x1b\\\x1b]0;title\x07",
    "line\r\nbreak\u2028more",
    "\u202eevE",
    "x" * 500,
    "日本" * 60,
    "e" + "\u0301" * 200,
    "$(reboot) `reboot` && reboot | sh",
    "\ud800",
)


def text_in(sequence: str) -> str:
    """The only text of another player in a sequence."""
    whole = re.fullmatch(r"\x1b\](?:9|777;notify;P2P Stratego);([^;]*)\x1b\\", sequence)
    assert whole is not None
    return whole[1]


@pytest.mark.parametrize("how", ["osc9", "osc777"])
@given(name=st.text() | st.sampled_from(HOSTILE), ascii_only=st.booleans())
def test_row_89_a_name_adds_visible_characters_only(how: str, name: str, ascii_only: bool) -> None:
    sequence = notices.sequence(
        how, f"Your turn: Stratego with {name}", ascii_only=ascii_only, environment={}
    )
    text = text_in(sequence)
    assert text.startswith("Your turn: Stratego with")
    assert len(text) <= notices.MOST
    assert not re.search(r"[\x00-\x1f\x7f-\x9f;\u2028\u2029\u202a-\u202e\ud800-\udfff]", text)
    assert text.isascii() or not ascii_only


@given(st.text() | st.sampled_from(["--help", "-c reboot", "@/etc/passwd", "+x", "", " -x"]), st.booleans())
def test_row_89_no_sentence_is_an_option_of_a_command(sentence: str, ascii_only: bool) -> None:
    assert notices.plain(sentence, ascii_only=ascii_only)[0].isalnum()


def test_each_way_has_its_sequence() -> None:
    assert notices.sequence("bell", "\x1b]0;x\x07") == "\a"
    assert notices.sequence("off", "x") == notices.sequence("command", "x") == ""
    inside = notices.sequence("osc9", "Hi", environment={"TMUX": "/run/tmux"})
    assert inside == "\x1bPtmux;\x1b\x1b]9;Hi\x1b\x1b\\\x1b\\"
