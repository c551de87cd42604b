"""The vectors are what this program makes, and it reads them as they say."""

from __future__ import annotations

import json
from typing import Any

import pytest

from protocol import failures, invite, labels
from protocol.encoding import decode, encode, read_frame
from protocol.errors import Malformed
from protocol.keys import Identity, verify
from tests.vectors.generate import FOLDER, check
from tests.vectors.matches import judged


def load(name: str) -> Any:
    return json.loads((FOLDER / name).read_text(encoding="utf-8"))


def plain(value: Any) -> Any:
    """A value out of its JSON."""
    if isinstance(value, dict):
        return bytes.fromhex(value["hex"])
    return [plain(item) for item in value] if isinstance(value, list) else value


def test_the_vectors_are_what_this_program_makes() -> None:
    assert check() == [], "run python -m tests.vectors.generate, if the change was meant"


def test_values_and_their_encodings() -> None:
    for case in load("encoding.json")["good"]:
        data = bytes.fromhex(case["encoding"])
        assert decode(data) == plain(case["value"])
        assert encode(plain(case["value"])) == data


@pytest.mark.parametrize("case", load("encoding.json")["bad"], ids=lambda case: case["why"])
def test_bytes_that_encode_nothing(case: dict[str, str]) -> None:
    with pytest.raises(Malformed):
        decode(bytes.fromhex(case["encoding"]))


def test_frames() -> None:
    vectors = load("frames.json")
    for case in vectors["good"]:
        frame = read_frame(bytes.fromhex(case["frame"]), 0)
        assert frame is not None
        assert (frame.kind, frame.payload.hex()) == (case["kind"], case["payload"])
    for case in vectors["incomplete"]:
        assert read_frame(bytes.fromhex(case["frame"]), 0) is None
    for case in vectors["bad"]:
        with pytest.raises(Malformed):
            read_frame(bytes.fromhex(case["frame"]), 0)


def test_signatures() -> None:
    for case in load("signatures.json"):
        key = Identity(bytes.fromhex(case["seed"])).key
        assert key.hex() == case["key"]
        data, signature = bytes.fromhex(case["data"]), bytes.fromhex(case["signature"])
        assert case["label"] == labels.SIGN_ENTRY.decode()
        assert verify(key, labels.SIGN_ENTRY, data, signature) == case["valid"]


def test_invites() -> None:
    vectors = load("invites.json")
    for case in vectors["good"]:
        read = invite.read(case["invite"].lower().replace("1", "l"))
        assert (list(read.addresses), read.port) == (case["addresses"], case["port"])
        assert (read.certificate.hex(), read.secret.hex()) == (case["certificate"], case["secret"])
    for case in vectors["bad"]:
        with pytest.raises(getattr(failures, case["error"])):
            invite.read(case["invite"])


@pytest.mark.parametrize("name", load("transcripts.json"))
def test_transcripts(name: str) -> None:
    assert judged((FOLDER / "transcripts" / f"{name}.p2ps").read_bytes()) == load("transcripts.json")[name]
