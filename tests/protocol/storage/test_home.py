"""The home folder: who we are, our settings, and our matches, each open in one place (row 32)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

import pytest

from protocol.channel import tls
from protocol.failures import Damaged, InUse, Missing, NoSuchMatch
from protocol.storage.home import Home
from tests.helpers.links.peers import owner, saved_match, two_stores
from tests.helpers.machine.disk import mode

# Who we are


def test_the_key_is_made_once_and_found_again(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        first = home.identity()
    with Home(tmp_path) as home:
        assert home.identity().key == first.key
        assert home.exposed == []
    assert b"PRIVATE KEY" in (tmp_path / "identity.key").read_bytes()


def test_a_key_that_others_could_read_is_repaired_and_the_user_is_told(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        first = home.identity()
        (tmp_path / "identity.key").chmod(0o644)
        assert home.identity().key == first.key
        assert len(home.exposed) == 1
        assert mode(tmp_path / "identity.key") == 0o600


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"noise",
        b"-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
        b"-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n",
    ],
)
def test_a_damaged_key_is_never_replaced(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "identity.key").write_bytes(content)
    with Home(tmp_path) as home, pytest.raises(Damaged):
        home.identity()
    assert (tmp_path / "identity.key").read_bytes() == content


def test_a_key_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "identity.key").write_bytes(tls.make().pem)
    with Home(tmp_path) as home, pytest.raises(Damaged):
        home.identity()


def test_the_same_entropy_gives_the_same_player(tmp_path: Path) -> None:
    keys = []
    for name in ("one", "two"):
        with Home(tmp_path / name, lambda n: b"\x07" * n) as home:
            keys.append(home.identity().key)
    assert keys[0] == keys[1]


def test_settings_survive_and_damage_to_them_costs_nothing_else(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        assert home.settings() == {}
        home.save_settings({"name": "Ada"})
        assert home.settings() == {"name": "Ada"}
        for content in ("noise", "[1]", "[" * 100_000):
            (tmp_path / "settings.json").write_text(content)
            assert home.settings() is None


# Matches


def test_saved_matches_are_listed_and_found_by_the_start_of_their_id(tmp_path: Path) -> None:
    ada = owner(tmp_path / "ada", "Ada")
    assert ada.home.games() == []
    ids = []
    for _ in range(2):
        store, other = two_stores(tmp_path)
        ids.append(Path(store.path).parent.name)
        assert not ada.home.free(ids[-1])
        store.close()
        assert ada.home.free(ids[-1])
        other.close()
    (tmp_path / "ada" / "games" / "not-a-match").mkdir()
    assert [saved.id for saved in ada.home.games()] == sorted(ids)
    assert all(saved.path.is_file() for saved in ada.home.games())
    assert ada.home.find(ids[0].upper()) == ids[0]
    assert ada.home.find(ids[0][:20]) == ids[0]
    with pytest.raises(NoSuchMatch, match="no match"):
        ada.home.find("zz")
    with pytest.raises(Missing):
        ada.home.open("0" * 32)


def test_several_matches_with_one_beginning_are_not_guessed_between(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        (tmp_path / "games").mkdir(mode=0o700)
        for name in ("aa" + "0" * 30, "ab" + "0" * 30):
            (tmp_path / "games" / name).mkdir()
        with pytest.raises(NoSuchMatch, match="several"):
            home.find("a")


def test_row_32_a_match_is_open_in_one_place_only(tmp_path: Path) -> None:
    store, other = two_stores(tmp_path)
    name = Path(store.path).parent.name
    with Home(tmp_path / "ada") as again:
        with pytest.raises(InUse):
            again.open(name)
        store.close()
        again.open(name).close()
    other.close()


def test_row_32_a_closed_match_is_free_while_a_process_that_is_just_started_has_its_descriptors(
    tmp_path: Path,
) -> None:
    """Until it runs its program it shares them, and with them the lock."""
    store, other = two_stores(tmp_path)
    shared = list[int]()
    for number in os.listdir("/dev/fd"):
        with suppress(OSError):  # the listing's own
            shared.append(os.dup(int(number)))
    store.close()
    with Home(tmp_path / "ada") as again:
        assert again.free(store.name)
    for descriptor in shared:
        os.close(descriptor)
    other.close()


def test_row_32_of_50_processes_one_gets_the_match(tmp_path: Path) -> None:
    name = saved_match(tmp_path).name
    go, start = os.pipe()
    hold, let_go = os.pipe()
    hear, tell = os.pipe()
    children = []
    for _ in range(50):
        child = os.fork()
        if child == 0:  # pragma: no cover  # in another process
            os.close(start)
            os.close(let_go)
            os.read(go, 1)  # until the parent closes the other end: all start at once
            try:
                Home(tmp_path / "ada").open(name)
                os.write(tell, b"1")
            except InUse:
                os.write(tell, b"0")
            finally:
                os.read(hold, 1)
                os.kill(os.getpid(), 9)
        children.append(child)
    os.close(start)
    os.close(tell)
    output = b""
    while len(output) < 50:
        output += os.read(hear, 50)
    os.close(let_go)
    for child in children:
        os.waitpid(child, 0)
    for end in (go, hold, hear):
        os.close(end)
    assert sorted(output) == sorted(b"1" + b"0" * 49)
    with Home(tmp_path / "ada") as home:
        assert home.free(name), "a killed process must not keep its lock"


def test_what_a_killed_process_left_of_the_key_is_removed(tmp_path: Path) -> None:
    with Home(tmp_path) as home:
        identity = home.identity()
        stray = tmp_path / "new-0123456789abcdef"
        stray.write_bytes((tmp_path / "identity.key").read_bytes())
        (tmp_path / "new-ideas.txt").write_text("not ours")
        (tmp_path / "new-maps").mkdir()
        assert home.identity().key == identity.key
        assert not stray.exists()
        assert (tmp_path / "new-ideas.txt").read_text() == "not ours"
