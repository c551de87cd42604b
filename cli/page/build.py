"""Builds a page: style, script and data in one file of HTML, which loads nothing and runs only this script.

The Content-Security-Policy names the hashes of style and script, and allows nothing else (threat 92).  Data
stand in blocks that no browser runs, as base64 of gzip, so that no byte of a record can end a block.
"""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import posixpath
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).parent
ENTRANCE: Final = "page.mjs"
STYLES: Final = ("tokens.css", "page.css", "board.css", "print.css")
MOST: Final = 700_000
"""Bytes of a page: what a mail or a messenger takes without a second thought."""
_IMPORT: Final = re.compile(r"^import \{[^}]*\} from '((?:\.\.?/)+[a-z0-9_/]+\.mjs)';\n", re.MULTILINE)
_EXPORT: Final = re.compile(r"^export (?=(?:async )?(?:function|class|const|let)\b)", re.MULTILINE)
_COMMENT: Final = re.compile(r"^[ \t]*(?://[^\n]*|/\*\*(?:(?!\*/).)*\*/)[ \t]*\n", re.MULTILINE | re.DOTALL)
"""Comments on lines of their own: in the page they would take the room of two hundred moves."""
_FIELD: Final = re.compile(r"\{([a-z]+)\}")

Read = Callable[[str], str]
"""The text of a source by its path in this folder: "view/tree.mjs"."""


@dataclass(frozen=True, slots=True)
class Frame:
    """The few words of the page that stand there before its script has run."""

    language: str
    """As in the attribute `lang`: "en"."""
    program: str
    title: str
    waiting: str
    scriptless: str
    broken: str
    bloated: str


def source(name: str) -> str:
    """The text of one of the files in this folder, by its path in it."""
    return (FOLDER / name).read_text(encoding="utf-8")


def bundle(entrance: str = ENTRANCE, read: Read = source) -> str:
    """The module `entrance` and all that it imports as one module: those imported stand first.

    No two of the modules declare the same name, so their imports and exports only have to be left out.
    """
    done: dict[str, str] = {}
    open_ones: list[str] = []

    def take(name: str) -> None:
        if name in done:
            return
        if name in open_ones:
            raise ValueError(f"modules import each other: {' -> '.join([*open_ones, name])}")
        open_ones.append(name)
        text = read(name)
        for needed in _IMPORT.findall(text):
            take(posixpath.normpath(posixpath.join(posixpath.dirname(name), needed)))
        open_ones.pop()
        done[name] = _EXPORT.sub("", _COMMENT.sub("", _IMPORT.sub("", text))).strip()

    take(entrance)
    return _safe("\n".join(done.values()) + "\n")


def _safe(script: str) -> str:
    """`script`, if it can stand in an element: no text in it ends that, or begins a comment in it."""
    if re.search(r"</script|<!--|<script", script, re.IGNORECASE):
        raise ValueError("a module holds the beginning or the end of a script element")
    return script


def style(names: Iterable[str] = STYLES, read: Read = source) -> str:
    """The style sheets, one behind the other, without comments."""
    whole = "\n".join(read(name) for name in names)
    whole = re.sub(r"/\*.*?\*/", "", whole, flags=re.DOTALL)
    if "</" in whole:
        raise ValueError("a style sheet holds the end of an element")
    return re.sub(r"\n\s*", "\n", whole).strip()


def policy(script: str | None, css: str) -> str:
    """The Content-Security-Policy: this style and, if there is one, this script; no address at all."""
    scripts = "'none'" if script is None else f"'{_hash(script)}'"
    return (
        f"default-src 'none'; script-src {scripts}; style-src '{_hash(css)}'; "
        "base-uri 'none'; form-action 'none'"
    )


def _hash(text: str) -> str:
    digest = hashlib.sha256(text.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"


def packed(data: bytes) -> str:
    """Base64 of gzip; the same bytes give the same text on every day."""
    return base64.b64encode(gzip.compress(data, 9, mtime=0)).decode()


def page(frame: Frame, content: Mapping[str, Any], record: bytes, script: str | None = None) -> bytes:
    """The whole page.  `content`: its words and facts, plain values; `record`: a transcript."""
    code = bundle() if script is None else script
    css = style()
    fields = {
        "language": escape(frame.language),
        "policy": policy(code, css),
        "program": escape(frame.program),
        "title": escape(frame.title),
        "waiting": escape(frame.waiting),
        "scriptless": escape(frame.scriptless),
        "broken": escape(frame.broken),
        "bloated": escape(frame.bloated),
        "style": css,
        "told": packed(json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()),
        "record": packed(record),
        "script": code,
    }
    return filled("page.html", fields)


def filled(template: str, fields: Mapping[str, str]) -> bytes:
    """A page's template of this folder, around the head of every page.

    Fields are filled in one pass, so that no field's text is taken for a field.
    """

    def fill(text: str, given: Mapping[str, str]) -> str:
        return _FIELD.sub(lambda field: given[field[1]], text)

    return fill(source(template), {**fields, "head": fill(source("head.html"), fields)}).encode()
