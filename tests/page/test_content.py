"""The page of a match: what it holds, and which matches have none."""

from __future__ import annotations

import base64
import gzip
import json
import re
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cli.page import build, content, wording
from cli.reports import describe, sources
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.game import Options
from p2p_stratego.registry import GAMES
from protocol.audit.verdict import Replayed, replay
from tests.helpers.games.players import honest
from tests.helpers.in_javascript.matches import random_player
from tests.helpers.in_javascript.spies import LESSON
from tests.helpers.machine.node import ROOT, run_node
from tests.helpers.seats.pair import Table

DATA = ROOT / "conformance/vectors/transcripts"


def replay_of(data: bytes) -> Replayed:
    return replay(data, GAMES)


def held(page: bytes, block: str) -> bytes:
    """The bytes of a block of a page."""
    packed = re.search(rf'id="{block}">([^<]*)<'.encode(), page)
    assert packed
    return gzip.decompress(base64.b64decode(packed[1]))


def content_of(page: bytes) -> dict[str, Any]:
    read: dict[str, Any] = json.loads(held(page, "told"))
    return read


@pytest.fixture(scope="module")
def whole() -> bytes:
    """A game of Stratego that was played to its end, with talk."""
    table = Table(5, game=GAMES["stratego"], options={"army": "quickplay"}, decide=honest)
    table.play(steps=30)
    table.seats[1].session.say("well played, </script>")
    return table.play().seats[0].transcript


def test_a_page_holds_the_record_as_it_is_and_a_line_for_each_step(whole: bytes) -> None:
    page = content.page(replay_of(whole), whole, "en")
    assert held(page, "record") == whole
    read = content_of(page)
    steps = [line for line in read["story"] if line["kind"] == "step"]
    assert [line["at"] for line in steps] == list(range(len(read["steps"])))
    spoken = next(line for line in read["story"] if line["kind"] == "said")
    assert spoken["text"][0].endswith("well played, </script>")
    assert len(page) < build.MOST
    assert "pieces a side" in read["options"]
    assert "army " not in read["options"]


def test_a_page_says_what_the_check_in_it_will_find(whole: bytes) -> None:
    read = content_of(content.page(replay_of(whole), whole, "en"))
    verdict = json.loads(run_node(["--input-type=module", "-e", _VERIFY], data=whole).stdout)
    assert verdict["status"] == read["expected"]["verdict"]
    assert verdict["winners"] == read["expected"]["winners"]
    assert verdict["shown"] == read["steps"]


_VERIFY = """
import {readFileSync} from 'node:fs';
import {verify} from './cli/page/verdict.mjs';
const {status, winners, shown} = verify(new Uint8Array(readFileSync(0)));
console.log(JSON.stringify({status, winners, shown: shown.map((one) => Math.max(one.entry, 0))}));
"""


@pytest.mark.parametrize("game", content.GAMES)
def test_every_label_that_the_page_shows_is_there(game: str) -> None:
    labels = wording.labels(game, 2)
    script = build.bundle()
    used = set(re.findall(r"say\('([\w .-]+)'", script))
    others = [wording.labels(name, 2).keys() for name in content.GAMES]
    assert used <= set().union(*others)
    assert all(text.strip() for text in labels.values())


def test_a_match_without_a_page_is_refused_with_what_to_use_instead(
    whole: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(describe, "has_page", lambda _genesis: False)  # as that of a game from a package
    with pytest.raises(Sorry, match="has no page") as refusal:
        content.page(replay_of(whole), whole, "en")
    assert refusal.value.code == Exit.UNSUPPORTED
    assert "export FILE" in str(refusal.value)


@pytest.mark.parametrize(
    ("game", "seats"), [("conquest", 3), ("spies-and-lies", 4), ("stratego", 2), ("spies", 2)]
)
def test_matches_of_any_size_and_with_proofs_have_a_page(
    game: str, seats: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual: dict[str, Options] = {"stratego": {"army": "duel"}, "spies": LESSON}
    options = usual.get(game, {})
    player = honest if game == "spies" else random_player(game, Random(1), lies=False)
    table = Table(1, game=GAMES[game], seats=seats, options=options, decide=player, proofs=game != "spies")
    data = table.play(steps=60).seats[0].transcript
    monkeypatch.setattr(build, "MOST", 100_000)  # proofs take room
    page = content.page(replay_of(data), data, "en")
    assert {f"seat.{seat}" for seat in range(seats)} <= content_of(page)["labels"].keys()
    monkeypatch.setattr(build, "MOST_WITH_PROOFS", 100_000)
    with pytest.raises(Sorry, match="too long"):
        content.page(replay_of(data), data, "en")


def test_a_tampered_record_and_one_without_a_board_have_no_page(whole: bytes) -> None:
    spoilt = bytearray(whole)
    spoilt[len(spoilt) // 2] ^= 1
    with pytest.raises(Sorry, match="damaged or forged") as refusal:
        content.page(replay_of(bytes(spoilt)), bytes(spoilt), "en")
    assert refusal.value.code == Exit.TAMPERED
    begun = Table(1).seats[0].transcript
    with pytest.raises(Sorry, match="not even set up"):
        content.page(replay_of(begun), begun, "en")


def test_a_page_that_would_be_too_long_is_refused(whole: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(build, "MOST", 100_000)
    with pytest.raises(Sorry, match="100000 are the most"):
        content.page(replay_of(whole), whole, "en")


@pytest.mark.parametrize("name", ["cheated-not-a-message", "incomplete", "complete-flag"])
def test_unfinished_and_broken_matches_have_a_page_too(name: str, tmp_path: Path) -> None:
    path = DATA / f"{name}.p2ps"
    data = path.read_bytes()
    replayed = sources.replayed(str(path), data)
    page = content.page(replayed, data, "en")
    assert content_of(page)["expected"]["verdict"] == replayed.report.verdict.value


def test_row_92_the_words_of_a_page_hold_no_result_and_no_verdict(whole: bytes) -> None:
    """The page finds them in the record, and the names that it shows; sentences alone are the writer's."""
    words = content_of(content.page(replay_of(whole), whole, "en"))
    assert not {"headline", "page_title", "verdict"} & words.keys()
    assert "are not checked here" in words["labels"]["about.words"]
