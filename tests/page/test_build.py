"""One file of HTML: its script and style are joined, named by their hashes, and hold nothing of a record."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
from html.parser import HTMLParser

import pytest

from cli.page import build

FRAME = build.Frame("en", "program 1", "A & B </title><script>", "wait {script}", "none", "broken", "much")


class Reader(HTMLParser):
    """The elements of a page as a browser finds them."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self._key = ""
        self.texts: dict[str, str] = {}
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        attributes = dict(attrs)
        self.tags.append((tag, attributes))
        self._key = attributes.get("id") or attributes.get("type") or tag

    def handle_endtag(self, tag: str) -> None:
        self._key = ""

    def handle_data(self, data: str) -> None:
        self.texts[self._key] = self.texts.get(self._key, "") + data


def of(texts: dict[str, str]) -> build.Read:
    return texts.__getitem__


def test_modules_are_joined_in_the_order_of_their_imports() -> None:
    texts = {
        "a.mjs": "import {b} from './b.mjs';\nimport {c} from './c.mjs';\nb(c);\n",
        "b.mjs": "import {\n  c,\n} from './c.mjs';\nexport function b() {}\n",
        "c.mjs": "// Says\n/**\n * a lot.\n */\nexport const c = 'export const';\n"
        "export class D {}  // kept\nexport async function e() {}\n",
    }
    assert build.bundle("a.mjs", of(texts)) == (
        "const c = 'export const';\nclass D {}  // kept\nasync function e() {}\nfunction b() {}\nb(c);\n"
    )


@pytest.mark.parametrize(
    "texts",
    [
        {"a.mjs": "import {b} from './b.mjs';\n", "b.mjs": "import {a} from './a.mjs';\n"},
        {"a.mjs": "const a = '</ScRipt>';\n"},
        {"a.mjs": "const a = '<!--';\n"},
    ],
    ids=["a circle", "the end of the element", "a comment"],
)
def test_modules_that_cannot_stand_in_one_element_are_a_bug(texts: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="module"):
        build.bundle("a.mjs", of(texts))


def test_the_whole_script_holds_no_import_and_no_export() -> None:
    assert not re.search(r"^(import|export)\b", build.bundle(), re.MULTILINE)


def test_row_92_the_policy_allows_this_script_and_this_style_and_no_address() -> None:
    page = build.page(FRAME, {"a": 1}, b"record").decode()
    read = Reader(page)
    policy = next(
        attributes["content"]
        for tag, attributes in read.tags
        if tag == "meta" and attributes.get("http-equiv") == "Content-Security-Policy"
    )
    digests = {
        kind: base64.b64encode(hashlib.sha256(read.texts[kind].encode()).digest()).decode()
        for kind in ("module", "style")
    }
    assert policy == (
        f"default-src 'none'; script-src 'sha256-{digests['module']}'; "
        f"style-src 'sha256-{digests['style']}'; base-uri 'none'; form-action 'none'"
    )
    assert not re.search(r"url\(|@import|expression\(", read.texts["style"])
    assert [attributes for _, attributes in read.tags if {"style", "src", "href"} & set(attributes)] == []
    assert [name for _, attributes in read.tags for name in attributes if name.startswith("on")] == []


def test_row_92_no_byte_of_words_or_record_stands_in_the_page_as_it_is() -> None:
    texts = {"chat": "</script><img src=x onerror=alert(1)>", "name": "{script}"}
    record = b"</script><script>alert(1)</script>"
    read = Reader(build.page(FRAME, texts, record).decode())
    assert [tag for tag, _ in read.tags].count("script") == 3
    assert gzip.decompress(base64.b64decode(read.texts["record"])) == record
    assert json.loads(gzip.decompress(base64.b64decode(read.texts["told"]))) == texts
    assert read.texts["title"] == FRAME.title
    assert FRAME.waiting in read.texts["p"]


def test_the_same_match_gives_the_same_page() -> None:
    assert build.page(FRAME, {"a": "ä"}, b"r") == build.page(FRAME, {"a": "ä"}, b"r")


def test_each_colour_stands_once_for_light_and_dark_and_none_is_missing() -> None:
    lines = re.findall(r"^  (--[\w-]+): (.+);$", build.source("tokens.css"), re.MULTILINE)
    table = dict(lines)
    assert len(table) == len(lines)
    both = {name for name, value in lines if re.fullmatch(r"var\(--light, .+\) var\(--dark, .+\)", value)}
    assert table.keys() - both == {"--serif", "--sans", "--mono", "--on-tile"}
    used = set(re.findall(r"var\((--[\w-]+)\)", build.style(("page.css", "board.css", "print.css"))))
    assert used - {"--wide"} <= table.keys()
