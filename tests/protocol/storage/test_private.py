"""Everything in a home folder is its owner's alone: each level that is made, and each file that is opened."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from protocol.failures import Unsafe
from protocol.storage.files import Folder
from protocol.storage.home import CONTACTS, DOORSTEP, IDENTITY, SETTINGS, STATISTICS, Home


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


@pytest.fixture(params=[0o000, 0o002, 0o022, 0o077])
def umask(request: pytest.FixtureRequest) -> Iterator[None]:
    before = os.umask(request.param)
    yield
    os.umask(before)


def test_row_36_every_level_that_is_made_is_0700_whatever_the_umask(umask: None, tmp_path: Path) -> None:
    Folder.at(tmp_path / "a" / "b" / "c").close()
    assert [mode(tmp_path / level) for level in ("a", "a/b", "a/b/c")] == [0o700] * 3
    Folder.at(tmp_path / "a" / "b" / "c").close()


def test_a_level_that_was_there_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a").chmod(0o755)
    Folder.at(tmp_path / "a" / "b").close()
    assert (mode(tmp_path / "a"), mode(tmp_path / "a" / "b")) == (0o755, 0o700)


def test_a_file_or_a_link_to_nothing_in_the_way_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    (tmp_path / "link").symlink_to(tmp_path / "nowhere")
    for name in ("file", "link", "file/below"):
        with pytest.raises(Unsafe):
            Folder.at(tmp_path / name)


READS: dict[str, Callable[[Home], object]] = {
    IDENTITY: Home.identity,
    CONTACTS: Home.contacts,
    DOORSTEP: Home.doorstep,
    SETTINGS: Home.settings,
    STATISTICS: Home.statistics,
}


@pytest.mark.parametrize("name", READS)
def test_row_36_a_file_that_somebody_made_readable_is_private_once_it_was_read(
    name: str, tmp_path: Path
) -> None:
    with Home(tmp_path / "home") as home:
        home.remember(home.identity().key, "Ann")
        home.doorstep()
        home.save_settings({})
        home.save_statistics(b"{}")
        path = home.path / name
        path.chmod(0o644)
        READS[name](home)
        assert mode(path) == 0o600
        path.chmod(0o666)
        home.remember(home.identity().key, "Ben")
        home.save_settings({"name": "Ben"})
        READS[name](home)
        assert mode(path) == 0o600


def test_row_36_a_key_behind_a_link_is_neither_read_nor_told(tmp_path: Path) -> None:
    with Home(tmp_path / "other") as other:
        other.identity()
    with Home(tmp_path / "home") as home:
        assert home.key == b""
        (home.path / IDENTITY).symlink_to(tmp_path / "other" / IDENTITY)
        with pytest.raises(Unsafe):
            _ = home.key
