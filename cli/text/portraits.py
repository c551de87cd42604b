"""The opponents' portraits, put together from one table of parts: for a terminal, and as SVG for pages.

Every sign has an ASCII sign that stands for it (`cli.text.layout.ascii_line`).
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

LINES: Final = 5
CELLS: Final = 12
"""Lines of a portrait in a terminal, and cells of each."""
INK: Final = "#222"


class _Part(NamedTuple):
    """A part of a face: its cells, a | between lines; and its SVG, in a square of 96 with the eyes at 48."""

    cells: str
    svg: str


def _fill(colour: str, *paths: str) -> str:
    return "".join(f'<path fill="{colour}" d="{path}"/>' for path in paths)


def _stroke(path: str, wide: int = 3, colour: str = INK) -> str:
    return f'<path fill="none" stroke="{colour}" stroke-width="{wide}" stroke-linecap="round" d="{path}"/>'


def _dots(radius: float, *places: tuple[int, int], colour: str = INK) -> str:
    return "".join(f'<circle cx="{x}" cy="{y}" r="{radius:g}" fill="{colour}"/>' for x, y in places)


_STAR: Final = "l2 5 5 0-4 3 2 5-5-3-5 3 2-5-4-3 5 0z"
_HATS: Final = MappingProxyType(
    {
        "pot": _Part(
            "   ┌─────┐  |  ═╧═════╧══",
            _fill("#8a949e", "M28 37V20q0-8 8-8h24q8 0 8 8v17z", "M66 28h24v5H66z") + _dots(1.5, (86, 30)),
        ),
        "visor": _Part(
            "    ╭────╮  |   ═┴════┴══",
            _fill("#3465a4", "M26 36q0-24 24-24t22 24z") + _fill("#1f3f6b", "M26 34h58q-4 9-20 9-22 0-38-9z"),
        ),
        "fedora": _Part(
            "   ╭─┬◆┬─╮  | ══╧═════╧══",
            _fill("#8b1a1a", "M30 34V14q9 6 18 0 9 6 18 0v20z", "M16 38q32-12 64 0-32 7-64 0z")
            + _fill("#fff", "M56 10l11 3-4 16-11-3z")
            + _fill("#c00", "M60 14l3 6-5 4-2-6z"),
        ),
        "top hat": _Part(
            "    █████   |  ═════════ ",
            _fill("#222a44", "M31 34V4h34v30z", "M20 33h56v5H20z") + _fill("#c9a227", "M31 26h34v6H31z"),
        ),
        "peak": _Part(
            "  ╭═══════╮ |   ╰─────╯  ",
            _fill("#6b5526", "M18 26q30-22 60 0l-10 9H28z") + _fill("#332810", "M28 34h40q-2 8-20 8t-20-8z"),
        ),
        "trilby": _Part(
            "    ╭───╮   |  ══╧═══╧══ ",
            _fill("#4b5157", "M31 34l4-21q13 5 26 0l4 21z")
            + _fill("#2e3236", "M14 39q34-15 68 0-34 8-68 0z"),
        ),
        "curls": _Part(
            "            | ○╭───────╮○",
            _dots(6, (26, 42), (24, 52), (70, 42), (72, 52), colour="#bbb")
            + _stroke("M42 30q6-4 12 0", 2, "#bbb"),
        ),
        "crest": _Part(
            "   ▲ ▲ ▲ ▲  |  ╭───────╮ ",
            _fill("#1f7a46", "M27 40l1-24 9 12 5-20 8 18 8-17 3 20 8-10 1 21q-21-14-43 0z"),
        ),
        "bicorne": _Part(
            "   ╭──★──╮  | ╔═════════╗",
            _fill("#3d1f5c", "M8 40q10-34 40-34t40 34q-40-16-80 0z") + _fill("#e8c547", f"M48 12{_STAR}"),
        ),
        "plume": _Part(
            "     ░░░░░  |  ┌───────┐ ",
            _fill("#b5651d", "M27 38V28q0-12 21-12t21 12v10q-21-8-42 0z")
            + _stroke("M46 15q14-16 34 0", 7, "#c33"),
        ),
        "hood": _Part(
            "    ╭───╮   |  ╭─╯   ╰─╮ ",
            _fill("#40304d", "M22 72V40q0-30 26-30t26 30v32l-8-8V44q-18-14-36 0v20z"),
        ),
    }
)
_BROWS: Final = MappingProxyType(
    {
        "raised": _stroke("M37 40q4-3 8 0M51 40q4-3 8 0", 2),
        "one raised": _stroke("M37 43h8M51 40q5-5 9-1"),
        "soft": _stroke("M37 42q4-2 8 0M51 42q4-2 8 0", 2),
        "flat": _stroke("M36 43h10M50 43h10", 4),
        "stern": _stroke("M36 41l9 3M60 41l-9 3"),
        "bushy": _stroke("M35 42l10 2M61 42l-10 2", 5, "#ddd"),
        "none": "",
    }
)
_EYES: Final = MappingProxyType(
    {
        "happy": _Part("^   ^", _stroke("M38 49q3-5 6 0M52 49q3-5 6 0")),
        "wide": _Part(
            "o   O",
            _dots(4, (41, 48), colour="#fff")
            + _dots(5, (55, 48), colour="#fff")
            + _dots(2, (41, 48), (55, 48)),
        ),
        "wink": _Part("●   ─", _dots(3, (41, 48)) + _stroke("M52 48h7")),
        "monocle": _Part(
            "·   ◉",
            _dots(2.5, (41, 48), (55, 48))
            + _stroke("M49 48a6 6 0 1 0 12 0a6 6 0 1 0-12 0M61 50v16", 1, "#c9a227"),
        ),
        "half shut": _Part("─   ─", _dots(3, (41, 49), (55, 49)) + _stroke("M37 47h8M51 47h8")),
        "dark": _Part(
            "■■─■■",
            _fill(INK, "M34 45h12v4q0 5-6 5t-6-5zM50 45h12v4q0 5-6 5t-6-5z") + _stroke("M34 46h28", 2),
        ),
        "glasses": _Part(
            "◉───◉",
            _dots(2, (41, 48), (55, 48))
            + _stroke("M35 48a6 6 0 1 0 12 0a6 6 0 1 0-12 0M49 48a6 6 0 1 0 12 0a6 6 0 1 0-12 0", 2),
        ),
        "roaming": _Part(
            "●   ○", _dots(7, (39, 47), (57, 47), colour="#cfe8a0") + _dots(2.5, (36, 45), (60, 50))
        ),
        "keen": _Part("●   ●", _dots(3, (41, 49), (55, 49))),
        "bright": _Part("■   ■", _fill("#246", "M41 44l4 4-4 4-4-4zM55 44l4 4-4 4-4-4z")),
        "watching": _Part(
            "◉   ◉", _dots(4, (41, 48), (55, 48), colour="#fd6") + _dots(1.5, (41, 48), (55, 48))
        ),
    }
)
_MOUTHS: Final = MappingProxyType(
    {
        "grin": _Part(
            "╰───╯",
            _fill("#fff", "M38 58h20q-2 10-10 10t-10-10z") + _stroke("M38 58h20q-2 10-10 10t-10-10z", 2),
        ),
        "gape": _Part("  o  ", _dots(4, (48, 63))),
        "smirk": _Part("  ──╯", _stroke("M42 63q10 2 15-5")),
        "smile": _Part(" ╰─╯ ", _stroke("M40 60q8 8 16 0")),
        "tight": _Part("═════", _stroke("M36 58q12-5 24 0", 5, "#5a4526") + _stroke("M43 65h10", 2)),
        "straight": _Part(" ─── ", _stroke("M42 63h12")),
        "even": _Part(" ═══ ", _stroke("M42 61h12M42 65h12", 2)),
        "tongue": _Part("╰──~•", _stroke("M36 58q12 9 24 0") + _stroke("M56 61q12 2 14 12", 3, "#d33")),
        "moustache": _Part(
            "╭─┴─╮", _stroke("M48 57q-8-2-14 5M48 57q8-2 14 5", 5, "#ddd") + _stroke("M44 65h8", 2)
        ),
        "lips": _Part("  ─  ", _stroke("M44 62q4 2 8-1")),
        "scarf": _Part("░░░░░", _fill("#6a4f80", "M26 56q22 9 44 0v16q-22 10-44 0z")),
    }
)
_BADGES: Final = MappingProxyType(
    {
        "buttons": _Part("···", _dots(2, (48, 82), (48, 90), colour="#ffd")),
        "stripe": _Part("─▲─", _stroke("M40 90l8-7 8 7", 4, "#ffd24a")),
        "diamonds": _Part("◆◇◆", _fill("#fff", "M38 80l4 6-4 6-4-6z", "M58 80l4 6-4 6-4-6z")),
        "bow tie": _Part("▶·◀", _fill("#b22", "M38 76v12l10-6 10 6V76l-10 6z")),
        "key": _Part(
            "o─┼", _dots(4, (38, 85), colour="#e8c547") + _stroke("M41 85h17M54 85v5M58 85v5", 2, "#e8c547")
        ),
        "collar": _Part("\\│/", _fill("#2e3236", "M28 78l18 16 2-12 2 12 18-16-8-6-12 8-12-8z")),
        "formula": _Part(
            "x=y", _stroke("M34 80l6 8M40 80l-6 8M45 82h6M45 86h6M56 80l3 5M62 80l-6 10", 2, "#fff")
        ),
        "scales": _Part("~~~", _stroke("M32 82q4-6 8 0t8 0 8 0 8 0M36 89q4-6 8 0t8 0 8 0", 2, "#cfe8a0")),
        "stars": _Part("★★★", _fill("#e8c547", *(f"M{x} 78{_STAR}" for x in (34, 48, 62)))),
        "map": _Part("┼─┼", _fill("#f3e3b3", "M34 80h28v12H34z") + _stroke("M38 88l6-4 6 3 8-5", 2, "#c33")),
        "seal": _Part("═◆═", _dots(6, (48, 86), colour="#a22") + _fill("#fd6", "M48 82l4 4-4 4-4-4z")),
    }
)


class Portrait(NamedTuple):
    """A face, by the names of its parts, and the colours of its coat and its skin."""

    hat: str
    brows: str
    eyes: str
    mouth: str
    badge: str
    coat: str
    skin: str = "#f0c9a0"


PORTRAITS: Final[Mapping[str, Portrait]] = MappingProxyType(
    {
        "recruit": Portrait("pot", "raised", "happy", "grin", "buttons", "#6a8f3c"),
        "cadet": Portrait("visor", "raised", "wide", "gape", "stripe", "#3465a4"),
        "gambler": Portrait("fedora", "one raised", "wink", "smirk", "diamonds", "#8b1a1a", "#d9a878"),
        "diplomat": Portrait("top hat", "soft", "monocle", "smile", "bow tie", "#222a44"),
        "quartermaster": Portrait("peak", "flat", "half shut", "tight", "key", "#6b5526", "#c68e5f"),
        "agent": Portrait("trilby", "none", "dark", "straight", "collar", "#6b7278"),
        "equilibrium": Portrait("curls", "soft", "glasses", "even", "formula", "#1f6f6f", "#f3d6b8"),
        "adaptive": Portrait("crest", "none", "roaming", "tongue", "scales", "#1f7a46", "#8fc46a"),
        "marshal": Portrait("bicorne", "bushy", "keen", "moustache", "stars", "#3d1f5c", "#e3b58c"),
        "strategist": Portrait("plume", "stern", "bright", "lips", "map", "#8a3b12", "#a9714b"),
        "spymaster": Portrait("hood", "none", "watching", "scarf", "seal", "#40304d", "#c9a58a"),
    }
)
"""By level."""


def lines(level: str, *, known: bool = True) -> tuple[str, ...]:
    """The portrait of a level in LINES lines of CELLS cells; () for a level without one.

    `known`: else the face is hidden, and the hat alone tells who it will be.
    """
    face = PORTRAITS.get(level)
    if face is None:
        return ()
    eyes, mouth, badge = _EYES[face.eyes].cells, _MOUTHS[face.mouth].cells, _BADGES[face.badge].cells
    eyes, mouth, badge = (eyes, mouth, badge) if known else ("     ", "  ?  ", "───")
    return (*_HATS[face.hat].cells.split("|"), f"  │ {eyes} │ ", f"  │ {mouth} │ ", f"  ╰──{badge}──╯ ")


def svg(level: str) -> str:
    """The portrait of a level, which has one, as a file."""
    face = PORTRAITS[level]
    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 96" width="72" height="72">',
        _fill(face.coat, "M10 96q2-24 38-24t38 24z"),
        f'<ellipse cx="48" cy="50" rx="21" ry="25" fill="{face.skin}"/>',
        _HATS[face.hat].svg,
        _BROWS[face.brows],
        _EYES[face.eyes].svg,
        _MOUTHS[face.mouth].svg,
        _BADGES[face.badge].svg,
        "</svg>\n",
    ]
    return "".join(parts)
