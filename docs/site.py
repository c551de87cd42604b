"""The site: gathers its pages, has mkdocs build them, and checks that none loads anything from elsewhere.

`python docs/site.py` writes `build/site`.  The pages are those of the repository, at the same places, so a
link works in both; mkdocs calls `on_config` and `on_page_markdown` as hooks.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

ROOT: Final = Path(__file__).resolve().parents[1]
PAGES: Final = ROOT / "build" / "pages"
SITE: Final = ROOT / "build" / "site"
GATHERED: Final = (
    "*.md",
    "LICENSE",
    "contrib/*",
    "docs/*.css",
    "docs/*.svg",
    "docs/guide/faces/*.svg",
    "docs/*.webp",
    "docs/**/*.md",
    "spec/*.md",
    "spec/*.pml",
    "tests/README.md",
    "conformance/*.md",
    "conformance/vectors/tables/*",
)
PARTS: Final = {
    "Playing": ("docs/guide/*.md", "docs/stratego.md", "docs/spies.md", "docs/tournament.md"),
    "On this machine": ("docs/home-folder.md", "docs/exit-codes.md"),
    "Specification": ("SPEC.md", "spec/*.md"),
    "Other implementations": ("conformance/*.md",),
    "Building": (
        "CONTRIBUTING.md",
        "docs/architecture.md",
        "docs/new-game.md",
        "docs/engines.md",
        "docs/research.md",
        "tests/*.md",
        "docs/decisions/*.md",
    ),
    "More": ("SECURITY.md", "docs/*.md", "CHANGELOG.md"),
}
"""The parts of the navigation; a page stands in the first one that has it."""
_MARKER: Final = re.compile(r"( *)((?:[-*]|\d+\.) +)")
_LOADED: Final = re.compile(
    r"""<(?:script|link|img|iframe)\b[^>]*?(?:src|href)=["']?((?:https?:)?//[^"' >]+)"""
)


def gather() -> None:
    """Copy all pages, and the files that they show or lead to, to PAGES."""
    shutil.rmtree(PAGES, ignore_errors=True)
    for pattern in GATHERED:
        for path in ROOT.glob(pattern):
            copy = PAGES / path.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, copy)


def navigation() -> list[Any]:
    """README, then the parts, their pages in the order of the last links to them in README and SPEC."""
    order: dict[str, int] = {}
    for name in ("README.md", "SPEC.md"):
        for target in re.findall(r"\]\(([^)#]+)", (PAGES / name).read_text(encoding="utf-8")):
            order.pop(target, None)
            order[target] = max(order.values(), default=0) + 1
    seen = {"README.md"}
    parts: list[Any] = ["README.md"]
    for title, patterns in PARTS.items():
        names = [str(path.relative_to(PAGES)) for pattern in patterns for path in sorted(PAGES.glob(pattern))]
        fresh = [name for name in dict.fromkeys(names) if name not in seen]
        first = [name for name in fresh if name == "SPEC.md" or name.endswith("/README.md")]
        rest = sorted(set(fresh) - set(first), key=lambda name: (order.get(name, sys.maxsize), name))
        seen.update(fresh)
        parts.append({title: [*first, *rest]})
    return parts


def on_config(config: Any) -> Any:
    """A hook of mkdocs."""
    config["nav"] = navigation()
    return config


def on_page_markdown(markdown: str, **_: object) -> str:
    """A hook of mkdocs: lists as Python-Markdown wants them.

    What stands within an item is indented by four; CommonMark, by which the pages are written, counts from
    the text of the item: two to four.  Behind an item of several paragraphs an empty line comes first.
    """
    lines, items = [], list[int]()
    fenced, apart = False, 0
    for line in markdown.split("\n"):
        fenced ^= line.startswith("```")
        indent = len(line) - len(line.lstrip())
        if fenced or not line.strip():
            lines.append(line)
            apart = len(items)
            continue
        while items and indent < items[-1]:
            items.pop()
        deep = indent - (items[-1] if items else 0)
        marker = _MARKER.match(line)
        if marker and deep < 4:
            if apart > len(items):
                lines.append("")
                apart = 0
            items.append(len(marker[0]))
            lines.append(" " * (4 * (len(items) - 1) + deep) + line.lstrip())
        else:
            lines.append(" " * (4 * len(items) + deep) + line.lstrip())
    return "\n".join(lines)


def loads() -> list[str]:
    """What a page of the site would fetch from somewhere else, with the page's name."""
    return [
        f"{page.relative_to(SITE)} loads {address}"
        for page in sorted(SITE.rglob("*.html"))
        for address in _LOADED.findall(page.read_text(encoding="utf-8"))
    ]


def main() -> int:
    gather()
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--clean", "--quiet"]
    built = subprocess.run(command, cwd=ROOT, check=False)
    if built.returncode:
        return built.returncode
    loaded = loads()
    print("\n".join(loaded) or f"{len(list(SITE.rglob('*.html')))} pages in {SITE.relative_to(ROOT)}")
    return 1 if loaded else 0


if __name__ == "__main__":
    sys.exit(main())
