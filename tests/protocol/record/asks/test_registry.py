"""The table of Asks: nothing that the rules may ask is missing, nothing stands there twice."""

from __future__ import annotations

from typing import get_args

from p2p_stratego.core import game
from protocol.record.asks.registry import CODEC, DECISIONS, DRAWN, HASHES, KINDS, PROOFS


def test_every_ask_of_the_rules_has_one_module() -> None:
    assert set(PROOFS) == set(get_args(game.Ask))
    assert set(PROOFS) - set(HASHES) == {game.ClaimOneOf, *get_args(game.DeckAsk)}
    assert all(kind.ask is ask for profile in (HASHES, PROOFS) for ask, kind in profile.items())


def test_no_two_messages_share_a_type_or_a_tag() -> None:
    assert len({kind.shape.tag for kind in KINDS.values()}) == len(KINDS)
    for profile in (HASHES, PROOFS):
        listed = [message for ask in profile.values() for message in ask.messages]
        assert len({kind.shape.kind for kind in listed}) == len(listed)


def test_a_message_has_one_check_for_each_of_its_fields() -> None:
    for kind, message in KINDS.items():
        assert len(message.shape.checks) == len(kind.__slots__)
        assert message.words


def test_the_decisions_are_the_choices_and_the_commitments() -> None:
    assert {kind.__name__ for kind in DECISIONS} == {
        *("Choice", "HiddenChoice", "Commitments", "Mixed"),
        *("Shuffled", "Laid"),
    }
    assert CODEC.parse([1, "left"]) == CODEC.parse(CODEC.value(CODEC.parse([1, "left"])))


def test_an_order_is_in_the_answers_to_a_mix_and_a_shuffle_alone() -> None:
    assert {kind.__name__ for kind in DRAWN} == {"Commitments", "Laid", "Mixed", "Shuffled"}
