"""One strict reading of JSON, for every file and every answer of another program."""

from __future__ import annotations

import ast
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli.studies.statistics import keeping
from cli.studies.tournament import event as events
from p2p_stratego.core import scenario, strict_json
from p2p_stratego.core.strict_json import NotJson
from protocol.errors import Malformed
from protocol.failures import Damaged, InviteFailure
from protocol.network.transport.mapping import read_igd
from protocol.rendezvous import invite
from protocol.replication import clocks
from protocol.storage import contacts, index, standing_door
from protocol.storage.home import SETTINGS, Home
from protocol.storage.ledger import read_ledger
from protocol.storage.route import read_route

ROOT = Path(__file__).parents[3]
HOSTILE = {
    "a float over all floats": (b"1e400", "number"),
    "a float below all": (b"-1e400", "number"),
    "NaN": (b"NaN", "number"),
    "Infinity": (b"-Infinity", "number"),
    "an integer of 65 bits": (str(2**64).encode(), "number"),
    "an integer of a million digits": (b"9" * 1_000_000, "number"),
    "arrays in arrays": (b"[" * 40 + b"]" * 40, "deep"),
    "a hundred thousand arrays": (b"[" * 100_000 + b"]" * 100_000, "deep"),
    "objects in objects": (b'{"a":' * 40 + b"1" + b"}" * 40, "deep"),
    "a key twice": (b'{"port": 1, "port": 2}', "twice"),
    "no UTF-8": (b'"\xff"', "encoding"),
    "half of it": (b'{"port": ', "syntax"),
    "too long": (b" " * strict_json.MOST + b"1", "long"),
}
READERS: dict[str, tuple[Callable[[bytes], Any], type[Exception]]] = {
    "scenario": (scenario.load, scenario.ScenarioError),
    "event": (events.read_event, events.EventError),
    "contacts": (contacts.read, Malformed),
    "doorstep": (standing_door.read, Malformed),
    "index": (lambda data: index.decode(data, "", 0), Malformed),
    "route": (lambda data: read_route(data, "peer"), Damaged),
    "ledger": (lambda data: read_ledger(data, "posts"), Damaged),
    "invite": (invite.read_record, InviteFailure),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_row_109_what_means_several_things_or_fits_no_number_is_refused(name: str) -> None:
    data, why = HOSTILE[name]
    with pytest.raises(NotJson) as refused:
        strict_json.read(data)
    assert refused.value.why == why


@pytest.mark.parametrize("name", HOSTILE)
@pytest.mark.parametrize("reader", READERS)
def test_row_109_every_reader_refuses_it_by_its_own_type(reader: str, name: str) -> None:
    read, refusal = READERS[reader]
    data = HOSTILE[name][0]
    for given in (data, b'{"version": ' + data + b"}", b'{"expires": ' + data + b', "uses": 1}'):
        with pytest.raises(refusal):
            read(given)


@pytest.mark.parametrize("name", HOSTILE)
def test_row_109_what_may_be_missing_counts_as_missing(name: str, tmp_path: Path) -> None:
    data = HOSTILE[name][0]
    assert keeping.decode(data) == {}
    assert clocks.read_clocks(data) is None
    assert read_igd(data).granted is None
    with Home(tmp_path / "home") as home:
        (home.path / SETTINGS).write_bytes(data)
        assert home.settings() is None


@pytest.mark.parametrize("field", ["expires", "uses", "port"])
def test_row_109_an_invite_on_disk_with_a_number_without_end_is_a_damaged_one(field: str) -> None:
    values = {"invite": '"x"', "expires": "1.5", "uses": "1", "keys": "[]", "port": "0", field: "1e400"}
    text = ", ".join(f'"{key}": {value}' for key, value in values.items())
    with pytest.raises(InviteFailure):
        invite.read_record(f"{{{text}}}".encode())


def test_what_is_json_is_read() -> None:
    data = b'\xef\xbb\xbf{"a": [1, -2, 0.5, 1e308, true, null, "\xc3\xa4"], "b": 18446744073709551615}'
    assert strict_json.read(data) == {"a": [1, -2, 0.5, 1e308, True, None, "ä"], "b": 2**64 - 1}
    assert strict_json.read(b"[" * 32 + b"]" * 32)


def test_no_other_module_reads_json() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{node.lineno}"
        for floor in ("p2p_stratego", "protocol", "cli")
        for path in (ROOT / floor).rglob("*.py")
        if path.name != "strict_json.py"
        if "json." in (text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Attribute) and node.attr in ("load", "loads", "JSONDecoder")
        if isinstance(node.value, ast.Name) and node.value.id == "json"
    ]
    assert wrong == []
