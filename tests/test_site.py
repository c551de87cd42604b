"""The site that `make docs` builds, as far as it can be judged without mkdocs."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """docs/site.py, which writes to a folder of the test."""
    path = Path(__file__).parents[1] / "docs" / "site.py"
    spec = importlib.util.spec_from_file_location("docs_site", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    monkeypatch.setattr(module, "PAGES", tmp_path / "pages")
    monkeypatch.setattr(module, "SITE", tmp_path / "site")
    return module


def test_every_page_of_the_repository_stands_once_in_the_navigation(site: ModuleType) -> None:
    site.gather()
    pages = {str(path.relative_to(site.PAGES)) for path in site.PAGES.rglob("*.md")}
    first, *parts = site.navigation()
    listed = [first, *(name for part in parts for names in part.values() for name in names)]
    assert sorted(listed) == sorted(pages)
    (specification,) = [part["Specification"] for part in parts if "Specification" in part]
    assert specification[:3] == ["SPEC.md", "spec/encoding.md", "spec/asks.md"]


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("1. one\n   goes on\n2. two", "1. one\n    goes on\n2. two"),
        ("1. one\n   - a\n   - b", "1. one\n    - a\n    - b"),
        ("10. ten\n\n    | a |\n    |---|\n11. eleven", "10. ten\n\n    | a |\n    |---|\n\n11. eleven"),
        ("1. one\n\n       code\n", "1. one\n\n        code\n"),
        ("a:\n\n    1. code", "a:\n\n    1. code"),
    ],
)
def test_lists_are_indented_as_the_program_that_draws_them_reads_it(
    site: ModuleType, written: str, shown: str
) -> None:
    assert site.on_page_markdown(written) == shown


def test_a_page_that_loads_something_from_elsewhere_is_told(site: ModuleType) -> None:
    site.SITE.mkdir()
    (site.SITE / "good.html").write_text(
        '<script src="js/own.js"></script><a href="https://example.org">x</a>'
    )
    (site.SITE / "bad.html").write_text('<link rel="stylesheet" href="//fonts.example.org/a.css">')
    assert site.loads() == ["bad.html loads //fonts.example.org/a.css"]
