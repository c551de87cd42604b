"""Which test shows what of all that must be refused, and must hold, of decks without a dealer."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).parents[2]
CHEATS: Final = "cheats/cards/test_decks.py"
PROOFS: Final = "protocol/crypto/proofs"
ROWS: Final[dict[str, tuple[tuple[str, str], ...]]] = {
    "a card twice, left out, changed, replaced, multiplied; no permutation; outputs exchanged; other bytes": (
        (f"{PROOFS}/test_shuffle.py", "test_row_68_no_crooked_shuffle_passes"),
        (CHEATS, "test_a_crooked_shuffle_is_refused"),
        (CHEATS, "test_a_field_of_another_length_is_no_message"),
    ),
    "another match, ask, seat, key or input": (
        (f"{PROOFS}/test_proofs.py", "test_row_71_a_proof_holds_in_one_match_ask_and_seat"),
        (CHEATS, "test_the_shuffle_of_another_seat_told_again_is_refused"),
    ),
    "every scalar of a proof changed, and k + L for k": (
        (f"{PROOFS}/test_shuffle.py", "test_row_72_every_scalar_of_a_proof_counts_and_has_one_form"),
        (CHEATS, "test_every_scalar_of_a_proof_counts"),
        (CHEATS, "test_a_scalar_with_another_encoding_is_no_message"),
    ),
    "every kind of point: off the curve, negative, not canonical, bit 255, identity": (
        ("protocol/crypto/group/test_backends.py", "test_the_encodings_of_points_are_taken_and_no_other"),
        (CHEATS, "test_what_is_no_point_is_no_message"),
    ),
    "keys: without proof, cancelling the others, another's": (
        (f"{PROOFS}/test_keys.py", "test_row_67_the_last_seat_cannot_choose_a_key_against_the_others"),
        (CHEATS, "test_a_key_without_its_secret_is_refused"),
    ),
    "tokens: for another card, exchanged, in another order, one of them false, another's": (
        (f"{PROOFS}/test_proofs.py", "test_row_69_tokens_are_given_for_their_cards_only"),
        (CHEATS, "test_false_tokens_are_refused"),
        (CHEATS, "test_another_message_than_the_one_owed_shows_nobody_a_card"),
    ),
    "openings and moves: another face, key or card": (
        (CHEATS, "test_a_false_opening_is_refused"),
        (CHEATS, "test_a_card_that_is_shown_falsely_is_refused"),
    ),
    "claims: false, shortened, in another order, elsewhere": (
        (f"{PROOFS}/test_proofs.py", "test_row_73_a_false_claim_breaks_its_rule"),
        (CHEATS, "test_a_false_claim_has_no_proof"),
        (CHEATS, "test_a_player_whose_word_is_false_can_only_be_silent"),
    ),
    "shares: false, another dealer's": (
        (f"{PROOFS}/test_escrow.py", "test_row_75_a_false_share_is_refused_when_it_is_released"),
        (
            "protocol/record/test_decks.py",
            "test_a_share_that_does_not_fit_is_complained_of_and_blamed_on_its_dealer",
        ),
    ),
    "each card is read by its drawer and with no other key": (
        (f"{PROOFS}/test_card.py", "test_a_card_is_read_by_its_drawer_and_by_nobody_else_s_keys"),
        ("protocol/record/test_decks.py", "test_each_card_is_read_by_its_drawer_and_with_no_other_key"),
    ),
    "a deck is what it was, as a multiset": (
        (
            f"{PROOFS}/test_card.py",
            "test_the_cards_stay_the_same_ones_through_any_run_of_draws_shows_and_returns",
        ),
        (
            "protocol/record/test_decks.py",
            "test_no_card_is_lost_or_made_by_any_run_of_draws_shows_returns_and_crashes",
        ),
    ),
    "orders are uniform": ((f"{PROOFS}/test_shuffle.py", "test_orders_are_uniform"),),
    "two implementations of the group agree": (
        ("protocol/crypto/group/test_backends.py", "test_both_implementations_agree_on_all_operations"),
    ),
    "kill -9 in a shuffle": (
        (
            "protocol/network/test_jobs.py",
            "test_row_76_a_player_killed_in_the_middle_of_its_shuffle_makes_it_when_it_is_back",
        ),
    ),
}


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_its_tests(row: str) -> None:
    for module, name in ROWS[row]:
        assert f"def {name}(" in (TESTS / module).read_text(encoding="utf-8")
