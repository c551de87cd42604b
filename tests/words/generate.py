"""Write the catalogues of `cli/locale`, or say what of them this program would write otherwise.

`python -m tests.words.generate` takes the sentences from the sources, keeps their translations, and writes
each language's `.po`, which translators edit, and the `.mo` made from it.  With `--check` it changes nothing,
prints what differs, and exits with 1 if anything does.  The same on every machine: no date, no line number.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from cli.text.language import DOMAIN, ENGLISH, FOLDER, NAMES
from tests.words.finding import fields, findings

LANGUAGES: Final = tuple(code for code in NAMES if code != ENGLISH)
_WIDTH: Final = 110


class _Undated(Catalog):
    """A catalogue whose head names neither times nor tools."""

    @property
    def mime_headers(self) -> list[tuple[str, str]]:
        return [
            ("Language", str(self.locale)),
            ("MIME-Version", "1.0"),
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Transfer-Encoding", "8bit"),
            ("Plural-Forms", self.plural_forms),
        ]


def path(language: str) -> Path:
    """The translations of one language."""
    return FOLDER / language / "LC_MESSAGES" / f"{DOMAIN}.po"


@cache
def read(language: str) -> Catalog:
    """The translations as they stand in the file; none if there is no file."""
    if not path(language).exists():
        return Catalog(locale=language)
    with path(language).open("rb") as file:
        return read_po(file, locale=language)


@cache
def merged(language: str) -> Catalog:
    """Every sentence of the sources, in their order, with its translation if there is one."""
    old, new = read(language), _Undated(locale=language, charset="utf-8", fuzzy=False)
    new.header_comment = f"# P2P Stratego in {NAMES[language]}."
    sentences = findings()[0]
    plurals = {sentence.singular: sentence.many for sentence in sentences if sentence.many is not None}
    for sentence in sentences:
        many = plurals.get(sentence.singular) if sentence.context is None else None
        key = sentence.singular if many is None else (sentence.singular, many)
        known = old.get(sentence.singular, sentence.context)
        string = known.string if known and known.pluralizable == (many is not None) else None
        message = new.add(key, string or None, locations=[(sentence.path, 0)], context=sentence.context)
        message.flags = {"python-brace-format"} if fields(many or sentence.singular) else set()
        message.locations = sorted(set(message.locations))
    return new


def files(language: str) -> Iterator[tuple[Path, bytes]]:
    """Both files of one language."""
    catalogue, text, compiled = merged(language), BytesIO(), BytesIO()
    write_po(text, catalogue, width=_WIDTH, include_lineno=False)
    write_mo(compiled, catalogue)
    yield path(language), text.getvalue()
    yield path(language).with_suffix(".mo"), compiled.getvalue()


def forms(message: Message) -> list[str]:
    """Each plural of a translation, or the one form; an empty text for what is missing."""
    if message.string is None or isinstance(message.string, str):
        return [message.string or ""]
    return [*message.string]


def missing(language: str) -> list[str]:
    """The sentences without a whole translation."""
    return [str(message.id) for message in merged(language) if message.id and not all(forms(message))]


def differences() -> list[str]:
    """What is wrong in the sources or stands otherwise in the folder, in sentences."""
    problems = [str(mistake) for mistake in findings()[1]]
    wanted = {path: data for language in LANGUAGES for path, data in files(language)}
    problems += [
        f"{file} would be written otherwise: make words" for file in wanted if not _same(file, wanted[file])
    ]
    for language in LANGUAGES:
        problems += [f"{language} lacks: {sentence}" for sentence in missing(language)]
    there = {file for file in FOLDER.rglob("*") if file.is_file()}
    return problems + [f"{file} is no catalogue" for file in sorted(there - wanted.keys())]


def _same(file: Path, data: bytes) -> bool:
    return file.is_file() and file.read_bytes() == data


def main(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.words.generate")
    parser.add_argument("--check", action="store_true", help="compare only")
    if parser.parse_args(arguments).check:
        problems = differences()
        print("\n".join(problems) or "all catalogues are as this program writes them")
        return 1 if problems else 0
    for mistake in findings()[1]:
        print(mistake, file=sys.stderr)
    for language in LANGUAGES:
        for file, data in files(language):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        print(
            f"{language}: {len(merged(language))} sentences, {len(missing(language))} without a translation"
        )
    return 1 if findings()[1] else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
