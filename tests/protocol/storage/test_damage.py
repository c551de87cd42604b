"""What rot may do to a match, and how it is told: row 35."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import pytest

from protocol.errors import Malformed, Unsupported
from protocol.failures import Damaged, Missing, Part
from protocol.storage.match_store import DECISION, MASTER, SECRETS_MAGIC, Store
from protocol.storage.route import Place, Route
from protocol.wire import transcript
from protocol.wire.addresses import read
from protocol.wire.encoding import Frame
from protocol.wire.transcript import NotATranscript
from tests.helpers.links.peers import owner
from tests.helpers.machine.disk import RECORD, SECRET, beginnings, filled, open_match
from tests.helpers.machine.examples import THOROUGH


@pytest.mark.parametrize("name", ["transcript.p2ps", "secrets"])
def test_row_35_every_flipped_bit_is_noticed_and_nothing_is_lost_for_it(tmp_path: Path, name: str) -> None:
    folder = filled(tmp_path)
    file = folder / name
    good = file.read_bytes()
    home = owner(folder.parents[1], "Ada").home
    last = beginnings(good)[-1]
    # Every bit of the reader's input; of the files on the disk, one of each byte, in `make thorough` of the
    # secrets too every bit.
    if name == "transcript.p2ps":
        for bit in range(len(good) * 8):
            bad = bytearray(good)
            bad[bit // 8] ^= 1 << bit % 8
            try:
                contents = transcript.read(bytes(bad))
            except (Malformed, NotATranscript, Unsupported):
                continue
            assert contents.damage is not None
    for at in (
        range(len(good) * 8)
        if name == "secrets" and THOROUGH
        else (8 * byte + byte % 8 for byte in range(len(good)))
    ):
        bad = bytearray(good)
        bad[at // 8] ^= 1 << at % 8
        file.write_bytes(bad)
        if at // 8 < last:
            with pytest.raises((Damaged, Unsupported)):
                home.open(folder.name)
            assert file.read_bytes() == bad
        else:  # nothing whole stands behind it, as after a power cut
            with closing(home.open(folder.name)) as store:
                [kept] = store.set_aside
                assert (kept.offset, Path(kept.place).read_bytes()) == (last, bytes(bad[last:]))
            assert file.read_bytes() == good[:last]
            Path(kept.place).unlink()
    file.write_bytes(good)
    home.open(folder.name).close()


@pytest.mark.parametrize("name", ["transcript.p2ps", "secrets"])
def test_row_35_a_torn_last_record_is_cut_off_and_the_whole_ones_stay(tmp_path: Path, name: str) -> None:
    folder = filled(tmp_path)
    file = folder / name
    good = file.read_bytes()
    whole = open_match(folder)
    records, decisions = whole.recorded, dict(whole.secrets.decided)
    whole.close()
    seen = set()
    borders = {start + step for start in beginnings(good) for step in (-1, 0, 1)}
    for size in range(len(good) - 1, 0, -1):
        if not (THOROUGH or size % 3 == 0 or size in borders):
            continue
        file.write_bytes(good[:size])
        try:
            store = open_match(folder)
        except (Damaged, Unsupported):
            break  # not even the first record is whole: there is nothing to go on from
        assert store.recorded == records[: len(store.recorded)]
        assert store.secrets.decided.items() <= decisions.items()
        seen.add(file.stat().st_size)
        store.execute([RECORD if name == "transcript.p2ps" else SECRET])
        store.close()
        open_match(folder).close()
    assert len(seen) >= (3 if name == "transcript.p2ps" else 1)
    assert file.read_bytes() == good[:size], "what was not opened is left as it is"


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"p2p-stratego secrets 2\n",
        SECRETS_MAGIC,
        SECRETS_MAGIC + bytes(Frame(MASTER, b"short")),
        SECRETS_MAGIC + bytes(Frame(DECISION, SECRET.data)),
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) * 2,
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) + bytes(Frame(DECISION, b"noise")),
        SECRETS_MAGIC + bytes(Frame(MASTER, b"m" * 32)) + bytes(Frame(2, b"a record")),
    ],
)
def test_row_35_secrets_that_were_never_written_so_stop_the_match(tmp_path: Path, content: bytes) -> None:
    folder = filled(tmp_path)
    (folder / "secrets").write_bytes(content)
    with pytest.raises(Damaged, match=Part.RECORD.value):
        open_match(folder)


def test_a_route_that_cannot_be_read_is_damage(store: Store) -> None:
    ways = ("192.0.2.1:4000", "example.org:1", "[fe80::1%eth0]:2", f"relay://[::1]:9/{'0' * 26}")
    place = Place(tuple(read(way, zones=True) for way in ways), b"c" * 32)
    route = Route(bots={1: "recruit"}, hidden=True).with_place(2, place, 7)
    route = route.relocated(0, place, 4001, (read("192.0.2.1:4000"),))
    store.set_route(route)
    assert store.route == route
    rest = '"seats": {}, "bots": {}, "cards": {}'
    own = '{"addresses": ["0.0.0.0:1"], "certificate": "' + "00" * 32 + '"}'
    end = '"hidden": false, "mapped": []'
    bad = [
        f'{{"own": {at}, {rest}, "port": {port}, {end}}}'
        for at, port in (("1", 1), ("null", 65536), (own, 1))
    ]
    for content in (
        "noise",
        "{}",
        "[" * 100_000,
        *bad,
        f'{{"own": null, {rest}, "port": 1, "hidden": 1}}',
        f'{{"own": null, {rest}, "port": 1, "hidden": false, "mapped": [1]}}',
    ):
        Path(store.path).with_name("peer.json").write_text(content)
        with pytest.raises(Damaged):
            _ = store.route
    with pytest.raises(Missing):
        _ = store.certificate
    store.close()
    store.close()
