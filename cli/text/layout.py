"""Lines of styled text, their widths, and the regions in them that can be pointed at.

A line is a tuple of (style, text) pairs, as prompt_toolkit reads them; `cli.text.theme` names the styles.
A region carries its name among its styles: the code that draws a thing marks its place once, so clicks and
overlays need no geometry.  A Canvas is a rectangle of cells to draw on, for maps whose lines cross; at the
end it is read as lines.  All functions are pure.  Text given to them is our own or has passed
`cli.text.sanitize`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Final, TypeAlias

from cli.text.sanitize import ELLIPSIS, PLAIN, cell, cells, crop, most_cells
from p2p_stratego.core.narration import listed

Fragment: TypeAlias = tuple[str, str]
Line: TypeAlias = tuple[Fragment, ...]

EMPTY: Final[Line] = ()
NO_BREAK: Final = "\u00a0"
MAX_LINE: Final = 8192
"""Characters of a line that are kept: no command, invite or chat is longer."""


def styled(text: str, *names: str) -> Line:
    """`text` in the classes `names`, those given later winning over earlier ones."""
    return ((_classes(names), text),) if text else EMPTY


@lru_cache(maxsize=1024)
def _classes(names: tuple[str, ...]) -> str:
    return " ".join(f"class:{name}" for name in names)


def width(line: Line) -> int:
    """The cells that `line` takes."""
    return cells("".join([text for _, text in line]))


def whole(text: str) -> str:
    """`text` with no-break spaces."""
    return text.replace(" ", NO_BREAK)


def own_line(command: str) -> str:
    """A command behind the words of a sentence that `hung` breaks: it stands whole, on a line of its own."""
    return f"\n{' ' * _HANG}{whole(command)}"


def series(parts: Sequence[str]) -> str:
    """Several things in a sentence: "a, b and c"."""
    return listed(parts)


def longest(texts: Iterable[str], limit: int) -> str:
    """The first of `texts`, the longest first, that takes at most `limit` cells; else the last."""
    candidates = list(texts)
    return next((text for text in candidates if cells(text) <= limit), candidates[-1])


def told_apart(names: Sequence[str], limit: int) -> list[str]:
    """Each of `names` in at most `limit` cells, at least 3; those that are cut alike keep their ends too.

    A name that is cut is its first word alone if that has room, with its number: "Recruit bot" and "Recruit
    bot 2" are "Recruit" and "Recruit 2" in 9 cells, "Recr…" and "Rec 2" in 5.
    """
    short = [_first_word(name, limit) for name in names]
    for end in range(1, limit - 1):
        alike = {text for text in short if short.count(text) > 1}
        if not alike:
            break
        for at, name in enumerate(names):
            tail = name[-end:]
            if short[at] in alike and cells(name) > limit > cells(tail):
                short[at] = crop(name, limit - cells(tail)) + tail
    return short


def _first_word(name: str, limit: int) -> str:
    """A name in at most `limit` cells, at least 3: whole, or its first word and its number, or cut."""
    first, last = name.partition(" ")[0], name.rpartition(" ")[2]
    if cells(name) <= limit or not first:
        return crop(name, limit)
    room = limit - cells(last) - 1
    if not last.isdecimal() or room < 1:
        return crop(first, limit)
    short = first if cells(first) <= room else crop(first, room + 1)[:-1].rstrip("-")
    return f"{short} {last}"


def words(line: Line) -> str:
    """`line` without its styles."""
    return "".join(text for _, text in line)


def fit(line: Line, limit: int) -> Line:
    """`line` in exactly `limit` cells: filled up with blanks, or cut with an ellipsis."""
    taken = width(line)
    if taken <= limit:
        return (*line, ("", " " * (limit - taken))) if taken < limit else line
    kept: list[Fragment] = []
    left = limit
    for style, text in line:
        if cells(text) >= left:
            # More text follows, or the line would have fitted: cut here.
            part = crop(text, left) if cells(text) > left else crop(text, left - 1) + ELLIPSIS
            kept.append((style, part))
            break
        kept.append((style, text))
        left -= cells(text)
    return fit(tuple(kept), limit) if width(tuple(kept)) < limit else tuple(kept)


def shortened(text: str, limit: int) -> str:
    """`text` in at most `limit` cells, at least 2: cut behind a word, with an ellipsis."""
    if cells(text) <= limit:
        return text
    return words(wrapped(styled(text), limit - 1)[0]).rstrip(",;:(") + ELLIPSIS


def both_ends(left: Line, right: Line, limit: int) -> Line:
    """`left` and `right` at the ends of `limit` cells; where both do not fit, `left` is cut."""
    return (*fit(left, max(limit - width(right), 0)), *fit(right, min(width(right), limit)))


def centred(line: Line, limit: int) -> Line:
    """`line` in the middle of `limit` cells."""
    return fit((("", " " * max((limit - width(line)) // 2, 0)), *line), limit)


def overlaid(line: Line, style: str) -> Line:
    """`line` with the class `style` added to every part of it."""
    return tuple((f"{old} class:{style}".strip(), text) for old, text in line)


def beside(left: Sequence[Line], right: Sequence[Line], left_width: int, between: Line = EMPTY) -> list[Line]:
    """Two columns: `left` in `left_width` cells, then `between`, then `right`."""
    rows = max(len(left), len(right))
    return [
        (
            *fit(left[row] if row < len(left) else EMPTY, left_width),
            *between,
            *(right[row] if row < len(right) else EMPTY),
        )
        for row in range(rows)
    ]


def wrapped(
    line: Line,
    limit: int,
    hang: int = 0,
    measure: Callable[[str], int] = cells,
    *,
    kept: Callable[[str], bool] | None = None,
) -> list[Line]:
    """`line` broken at spaces into lines of at most `limit` cells, all but the first moved in by `hang`.

    `measure`: how many cells a text takes; `kept`: which words longer than a line are not broken.
    """
    return [*(_broken_before if kept is None else _broken)(line, limit, hang, measure, kept)]


def _broken(
    line: Line, limit: int, hang: int, measure: Callable[[str], int], kept: Callable[[str], bool] | None
) -> tuple[Line, ...]:
    """The lines, as `wrapped` gives them."""
    rows: list[list[Fragment]] = [[]]
    used = 0
    for style, word in _words(line, max(limit - hang, 1), measure, kept):
        # A word that ends with a slash is a piece of a broken path: a path begins in a line of its own.
        full = word.endswith("/") or used + measure(word.rstrip()) > limit
        if full and used > (hang if len(rows) > 1 else 0):
            rows.append([("", " " * hang)] if hang else [])
            used = hang
            if word.isspace():
                continue
        rows[-1].append((style, word))
        used += measure(word)
    return tuple(_stripped(row) for row in rows)


_broken_before: Final = lru_cache(maxsize=1024)(_broken)
"""A screen breaks the same lines again with each key."""


def filled(text: str, width: int) -> str:
    """`text` with spaces up to a width in cells; a longer one stays whole."""
    return text + " " * (width - cells(text))


def padded(text: str, width: int) -> str:
    """`text`, cut or filled up with spaces to a width in cells."""
    cut = crop(text, width)
    return cut + " " * (width - cells(cut))


_HANG: Final = 2
_COMMAND: Final = re.compile(r"`p2p-stratego [^`]*`")
_LEAST: Final = 8
"""Cells of text in a line, however narrow the terminal is."""


def hung(text: str, columns: int | None, label: str = "", *, whole_words: bool = False) -> list[str]:
    """`text` behind `label` in lines of at most `columns` cells, all but the first moved in; None: one line.

    What no-break spaces hold together, such as a command, is not broken, however long; `whole_words`: nor
    is any other word, such as a path, and nor is a command of this program between backticks.

    Text of others may stand in it, and must never begin a line (threat 23); it holds no such space.
    """
    if columns is None:
        return [(label + re.sub(r" *\n *", " ", text)).replace(NO_BREAK, " ")]
    if whole_words:
        text = _COMMAND.sub(lambda match: whole(match[0]), text)
    text, *own = text.split("\n")
    hang = len(label) or len(text) - len(text.lstrip(" ")) + _HANG
    hang = max(min(hang, columns - _LEAST), _HANG)
    limit = max(columns, _HANG + _LEAST)

    def kept(word: str) -> bool:
        return whole_words or NO_BREAK in word

    lines = wrapped(styled(label + text), limit, hang, most_cells, kept=kept)
    return [words(line) for line in (*lines, *(_stripped([("", command)]) for command in own))]


def _words(
    line: Line, limit: int, measure: Callable[[str], int], kept: Callable[[str], bool] | None
) -> Iterator[Fragment]:
    """The words of `line`, each with the spaces behind it; a word longer than `limit` comes in pieces, unless
    it is `kept`.

    A per cent sign stays with its number.
    A path is broken behind a slash, if its parts are short enough.
    """
    split = _split_before if kept is None else _split
    for style, text in line:
        for word in split(text, limit, measure, kept):
            yield style, word


def _split(
    text: str, limit: int, measure: Callable[[str], int], kept: Callable[[str], bool] | None
) -> tuple[str, ...]:
    """The words of `text`, as `_words` gives them."""
    words = []
    word = ""
    for character in text:
        longer = measure(word) + measure(character)
        over = longer > limit + (character == " ") and not (kept is not None and kept(word))
        if (word.endswith(" ") and character not in " %") or over:
            cut = len(word) if " " in word + character else word.rfind("/") + 1 or len(word)
            words.append(word[:cut])
            word = word[cut:]
        word += character
    return (*words, word) if word else tuple(words)


_split_before: Final = lru_cache(maxsize=1024)(_split)
"""The same text is broken in another style, as one that is new and then is not."""


def _stripped(row: list[Fragment]) -> Line:
    while row and not row[-1][1].strip():
        row.pop()
    if row:
        row[-1] = (row[-1][0], row[-1][1].rstrip())
    # prompt_toolkit draws a no-break space as a sign of its own; its work is done here.
    return tuple((style, text.replace(NO_BREAK, " ")) for style, text in row)


# One cell for one cell, so that a screen keeps its shape.  A character outside the table (a letter of a name)
# loses its accent or becomes a question mark.
_SIGNS: Final = (
    ("╭╮╰╯┌┐└┘┬┴├┤┼╔╗╚╝╤╧", "+++++++++++++++++++"),
    ("─│═║━▐▌▝▘█▀■□░╱╲╳", "-|=|=()()#=*.:/\\+"),
    ("⚑●○◉◆◇▼▲▶◀✓✗❯⚠★", "P@o*$-v^><vx>!*"),
    ("…·•–—−→←↑↓×’‘“”‹›£", "~.*---><^vx''\"\"<>L"),
)
_ASCII: Final = str.maketrans({sign: plain for pair in _SIGNS for sign, plain in zip(*pair, strict=True)})
_BACK: Final = re.compile(r"class:back([0-9])(?:\.alt)?(?= |$)")
"""The colour of blocks and walls, which is too dark for the thin strokes of ASCII."""


def ascii_text(text: str) -> str:
    """`text` with ASCII characters only, in as many cells."""
    if text.isascii():  # as most are
        return text
    text = text.translate(_ASCII)
    return text if text.isascii() else "".join(_ascii(c) for c in text)


def ascii_line(line: Line) -> Line:
    """`line` with ASCII characters only, in as many cells; a piece's back has its side's colour of text."""
    return tuple((_plain_style(style), ascii_text(text)) for style, text in line)


@lru_cache(maxsize=1024)
def _plain_style(style: str) -> str:
    return _BACK.sub(r"class:seat\1", style)


def _ascii(character: str) -> str:
    if character.isascii():
        return character
    wide = cell(character)
    first = unicodedata.normalize("NFKD", character)[:1]
    plain = PLAIN.get(first, first)[:1]
    return plain if plain.isascii() and wide == 1 else "?" * wide


def block(lines: Iterable[Line], columns: int, rows: int) -> list[Line]:
    """`lines` as exactly `rows` lines of exactly `columns` cells; further lines are dropped."""
    kept = [fit(line, columns) for line in lines][:rows]
    return kept + [fit(EMPTY, columns)] * (rows - len(kept))


def indented(line: Line, columns: int) -> list[Line]:
    """`line` wrapped to `columns`, one cell in, what follows the first row three."""
    return wrapped((("", " "), *line), columns, 3)


def boxed(
    title: str, lines: Sequence[Line], columns: int, style: str = "rule", *, foot: str = ""
) -> list[Line]:
    """`lines` in a frame of `columns` cells with a title, and perhaps with a text in its lower edge."""

    def edge(left: str, text: str, right: str) -> Line:
        named = crop(text, columns - 6)
        shown = (*styled(f"{left}─ ", style), *styled(named, "panel"), *styled(" ", style))
        shown = shown if named else styled(f"{left}─", style)
        return (*shown, *styled("─" * (columns - width(shown) - 1) + right, style))

    body = [(*styled("│ ", style), *fit(line, columns - 4), *styled(" │", style)) for line in lines]
    return [edge("╭", title, "╮"), *body, edge("╰", foot, "╯")]


CHOICE: Final = "choice-"
"""The prefix of places that are offered choices; a number follows."""
_NAMED: Final = re.compile(r"class:at-([a-z0-9-]+)")


def marked(place: str) -> str:
    """The class that says: this is `place`, 1 or more lower-case letters, digits and hyphens."""
    return f"at-{place}"


def place_of(style: str) -> str | None:
    """The place that text of this style belongs to, if any."""
    match = _NAMED.search(style)
    return match[1] if match else None


class Canvas:
    """Cells of one column each, by column and row from the top left."""

    def __init__(self, columns: int, rows: int) -> None:
        self.columns, self.rows = columns, rows
        self._cells = [[("", " ")] * columns for _ in range(rows)]

    def put(self, column: int, row: int, text: str, *styles: str) -> None:
        """Write `text`, each character one cell wide, over all that stood there."""
        style = " ".join([f"class:{name}" for name in styles])
        cells = self._cells[row]
        for at, character in enumerate(text, column):
            cells[at] = (style, character)

    def tint(self, column: int, row: int, columns: int, rows: int, style: str) -> None:
        """Put the class `style` under all that stands in a part of it."""
        for y in range(row, row + rows):
            for x in range(column, column + columns):
                old, character = self._cells[y][x]
                self._cells[y][x] = (f"class:{style} {old}".strip(), character)

    def copy(self) -> Canvas:
        """Another canvas on which the same stands."""
        other = Canvas(0, self.rows)
        other.columns, other._cells = self.columns, [row.copy() for row in self._cells]
        return other

    def lines(self, places: Sequence[Sequence[str]]) -> list[Line]:
        """All rows.  `places`: by row and column the class by which clicks find a cell; or ""."""
        lines: list[Line] = []
        for row, marks in zip(self._cells, places, strict=True):
            runs = groupby(zip(row, marks, strict=True), key=lambda cell: (cell[0][0], cell[1]))
            lines.append(
                tuple(
                    (f"{style} class:{at}".strip() if at else style, "".join(part[0][1] for part in run))
                    for (style, at), run in runs
                )
            )
        return lines
