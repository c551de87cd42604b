"""The opponents' portraits: one each, told apart at a glance; the guide shows those of the table."""

from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import pytest

from cli.text.layout import ascii_text
from cli.text.portraits import CELLS, LINES, PORTRAITS, lines, svg
from cli.text.sanitize import cells
from p2p_stratego.core.characters import CHARACTERS

FACES = Path(__file__).parents[3] / "docs" / "guide" / "faces"
MOST_BYTES = 15_000


def test_every_opponent_has_a_face_of_its_own() -> None:
    assert {*CHARACTERS} <= {*PORTRAITS}
    for part in ("hat", "eyes", "mouth", "badge"):
        assert len({getattr(face, part) for face in PORTRAITS.values()}) == len(PORTRAITS)


@pytest.mark.parametrize("level", sorted(PORTRAITS))
def test_a_face_has_its_room_and_is_hidden_until_it_is_met(level: str) -> None:
    face, hidden = lines(level), lines(level, known=False)
    for shown in (face, hidden):
        assert [cells(line) for line in shown] == [CELLS] * LINES
    assert "?" not in ascii_text("".join(face)), "every sign has one in ASCII"
    assert face[:2] == hidden[:2]
    assert face[2:] != hidden[2:]
    assert lines("nobody") == ()


def test_in_ascii_no_two_faces_are_alike() -> None:
    assert len({ascii_text("".join(lines(level))) for level in PORTRAITS}) == len(PORTRAITS)


def test_the_faces_of_the_guide_are_those_of_the_table_and_small() -> None:
    assert {path.stem: path.read_text(encoding="utf-8") for path in FACES.glob("*")} == {
        level: svg(level) for level in PORTRAITS
    }
    assert sum(path.stat().st_size for path in FACES.glob("*")) <= MOST_BYTES
    for level in PORTRAITS:
        tags = {element.tag.rpartition("}")[2] for element in ElementTree.fromstring(svg(level)).iter()}  # noqa: S314 - ours
        assert tags <= {"svg", "path", "circle", "ellipse"}
