"""Every word of the protocol that people read is in the catalogue."""

from __future__ import annotations

from cli.reports import protocol_words
from protocol.audit.verdict import Verdict
from protocol.errors import RULES
from protocol.record.asks.registry import KINDS


def test_the_words_of_the_protocol_are_there_for_translators() -> None:
    assert set(protocol_words.OWED) == {kind.words for kind in KINDS.values()}
    assert set(protocol_words.RULES) == set(RULES.values())
    assert set(protocol_words.VERDICTS) == {verdict.value for verdict in Verdict}
