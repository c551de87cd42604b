"""Every attacker against every defender, as the page's table of fights says."""

from __future__ import annotations

import pytest

from p2p_stratego.conquest.rules.pieces import A_SIDE, ARMY, FACE_NAMED, FACES, FIGHTS, FIXED, NAMES
from p2p_stratego.core.game import Open
from tests.helpers.conquest.acts import Acts

RANKED = [name for name in NAMES if name not in ("flag", "cursed")]


def expected(attacker: str, defender: str) -> str:
    """The row and the column of the table."""
    if defender == "flag":
        return "flag"
    if attacker == "sorceress":
        special = {"cursed": "won", "king": "lost", "sorceress": "both"}
    elif attacker == "spy":
        special = {"cursed": "lost", "king": "won", "spy": "both"}
    else:
        special = {"cursed": "lost"}
    if defender in special:
        return special[defender]
    mine, its = FACE_NAMED[attacker], FACE_NAMED[defender]
    return "both" if mine == its else "won" if its < mine else "lost"


@pytest.mark.parametrize("defender", NAMES)
@pytest.mark.parametrize("attacker", RANKED)
def test_the_row_of_the_attacker_column_of_the_defender(attacker: str, defender: str) -> None:
    blue = {"a2": "flag"} if defender == "flag" else {"a2": defender, "l6": "flag"}
    acts = Acts({"red": {"a1": attacker, "h1": "flag"}, "blue": blue, "green": {"l1": "flag"}})
    acts.act("a1a2")
    result = expected(attacker, defender)
    assert acts.events[0] == result == FIGHTS[FACE_NAMED[attacker]][FACE_NAMED[defender]]
    assert acts.asks[1:3] == [Open(0), Open(18)]  # the attacker first
    if result in ("won", "flag"):
        assert acts.board["a2"] == f"red {attacker}!"
    elif result == "lost":
        assert acts.board["a2"] == f"blue {defender}!"
    else:
        assert "a2" not in acts.board
    assert "a1" not in acts.board
    assert acts.bag("red") == ([f"{attacker}!"] if result in ("lost", "both") else [])
    assert acts.bag("blue") == ([f"{defender}!"] if result in ("won", "both") else [])


def test_an_army_has_18_pieces_as_the_table_says() -> None:
    assert len(ARMY) == sum(A_SIDE) == 18
    names = [NAMES[face] for face in ARMY]
    assert names[:8] == ["flag", "king", "queen", "prince", "duke", "count", "knight", "baron"]
    assert names[8:] == ["sorceress"] * 3 + ["scout"] * 4 + ["spy"] + ["cursed"] * 2
    assert {NAMES[face] for face in FIXED} == {"flag", "cursed"}
    assert [NAMES[face] for face in FACES][1:3] == ["spy", "scout"]
