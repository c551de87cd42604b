"""The archive of the kit: whole in itself, and the same bytes each time."""

from __future__ import annotations

import io
import posixpath
import re
import tarfile
from pathlib import Path

import pytest

from conformance import archive
from conformance.archive import NAME, contents, main, packed
from conformance.run import FILE
from tests.helpers.machine.modules import VECTORS

ELSEWHERE = ("http://", "https://", "mailto:")


def test_it_holds_the_specification_the_runner_all_vectors_and_what_was_forged(tmp_path: Path) -> None:
    (tmp_path / "forged").mkdir()
    (tmp_path / "forged" / FILE).write_text("{}")
    names = {name for name, _ in contents(tmp_path)}
    vectors = {
        f"conformance/vectors/{path.relative_to(VECTORS)}" for path in VECTORS.rglob("*") if path.is_file()
    }
    assert names >= {"SPEC.md", "spec/auditors.md", "conformance/README.md", "conformance/run.py"} | vectors
    assert f"conformance/forged/{FILE}" in names
    assert not [name for name in names if name.endswith(".py") and name not in archive.PROGRAMS]


def test_every_link_of_its_pages_leads_to_a_file_in_it(tmp_path: Path) -> None:
    """An author of another implementation has no other file."""
    files = dict(contents(tmp_path))
    lost = [
        (name, link)
        for name, data in files.items()
        if name.endswith(".md")
        for link in re.findall(r"\]\(([^)#\s]+)", data.decode())
        if not link.startswith(ELSEWHERE)
        and posixpath.normpath(posixpath.join(posixpath.dirname(name), link)) not in {*files, "spec"}
    ]
    assert lost == []


def test_the_order_of_the_files_changes_nothing_and_the_runner_can_be_run() -> None:
    files = [("SPEC.md", b"spec"), ("conformance/run.py", b"run")]
    data = packed(iter(files))
    assert data == packed(iter(files[::-1]))
    with tarfile.open(fileobj=io.BytesIO(data)) as tar:
        members = {member.name: (member.mode, member.mtime, member.uid) for member in tar}
    assert members == {f"{NAME}/SPEC.md": (0o644, 0, 0), f"{NAME}/conformance/run.py": (0o755, 0, 0)}


def test_the_command_writes_it_beside_what_it_forged(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archive, "FROM_HERE", ("LICENSE",))
    written = []
    for _ in range(2):
        assert main(["--count", "1", "--seats", "--", str(tmp_path)]) == 0
        written.append((tmp_path / f"{NAME}.tar.gz").read_bytes())
    assert written[0] == written[1]
    assert (tmp_path / "conformance" / "forged" / FILE).is_file()
