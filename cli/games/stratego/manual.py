"""The rules of Stratego, in short and in our own words, and all about one piece.

Numbers, armies and fights come from the game's tables, so that this page always agrees with play.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from cli.games import manual
from cli.games.interface import Ambiguous, Page, Unknown
from cli.games.manual import broken, prose
from cli.games.stratego.names import LETTERS, face_called, grouped
from cli.text.layout import filled, series
from cli.text.sanitize import cells, escape
from p2p_stratego.core.game import Face
from p2p_stratego.core.language import _, mark
from p2p_stratego.stratego.formats.narration import called, piece
from p2p_stratego.stratego.rules.armies import ARMIES, ORDER
from p2p_stratego.stratego.rules.options import ARMY, QUIET
from p2p_stratego.stratego.rules.pieces import BOMB, FACES, FIGHTS, FLAG, IMMOBILE, MOBILE, PIECES, SCOUT

_TEXT: Final = (
    mark(
        """\
# What it is about
Both sides hide a flag among their pieces, and nobody sees the other's ranks. A side wins by taking the
enemy's flag, or by leaving the enemy without a move."""
    ),
    mark(
        """\
# Setting up
Both sides fill squares of their own four rows, red on rows 1 to 4, blue on 7 to 10, with one army: {usual}
unless another was agreed on. First both lay their ranks in secret; if the army does not fill all 40 squares,
both then say at the same time which ones they fill. So neither can react to the other's choice."""
    ),
    mark(
        """\
# A move
One piece, one square forward, back or aside, onto an empty square or an enemy: never onto a friend or one
of the two craters. Bombs and the flag never move. A scout goes any number of empty squares in a straight line
and may attack at the end of it; a piece that goes two squares or more is turned up as the scout that it
is."""
    ),
    mark(
        """\
# An attack
Both pieces are turned up, and stay so until the end of the game. The higher rank wins, and takes the square
if it attacked; equal ranks both fall.
- A bomb stays where it is and beats every attacker but the miner, which clears it away.
- The spy beats the marshal if the spy attacks.
- Any piece that attacks the flag takes it, and wins."""
    ),
    mark(
        """\
# No move left
A side that cannot move says "none" and loses; if the other side cannot move either, it is a draw. After
{quiet} moves in a row without an attack it is a draw too, unless another number, up to {most} or 0 for
never, was agreed on."""
    ),
    mark(
        """\
# No endless games
- Two squares: no piece may move more than three times in a row, back and forth, between the same two
squares. The player who began has to stop first. With `--shuttle tournament` a scout that has turned twice on
one line may turn back once more only as far as the square where it turned first.
- Pursuit: a player who keeps threatening a piece that keeps running away may not repeat a position of that
chase; going straight back to the square just left is allowed."""
    ),
    mark(
        """\
# What you claim
By laying an army you claim that it is the one agreed on; by moving a piece, that it is neither bomb nor flag;
by "none", that you cannot move. Nobody can check that at once. When play is over, everything claimed is
opened: a player who claimed falsely loses, however the game stood; one who refuses to open wins nothing.
Where moves can be taken back, as against bots, nobody has to open anything; there the board shows at the end
what the bots hid."""
    ),
)
"""Its sections, a heading and its paragraphs each."""


def summary(width: int) -> list[str]:
    """The whole game on a page or two, as lines of at most `width` columns."""
    lines = prose(
        "\n\n".join(_(section, usual=ARMY.usual, quiet=QUIET.usual, most=QUIET.most) for section in _TEXT),
        width,
    )
    lines += ["", _("PIECES, and how many of each an army has")]
    names = list(ARMIES)
    wide = max(14, *(cells(piece(face)) for face in ORDER))
    lines.append(" " * (wide + 4) + " ".join(name.rjust(9) for name in names))
    for face in ORDER:
        counts = " ".join(f"{ARMIES[name].counts[face] or '-':>9}" for name in names)
        lines.append(f" {LETTERS[face]}  {filled(piece(face), wide)}{counts}")
    lines += [
        "",
        *broken(_("`p2p-stratego rules --game stratego PIECE` tells more about one of them."), width),
    ]
    return lines


def page(topic: str | None, columns: int) -> Page:
    """All about one piece, `topic`; None: the rules in short.  Raises Unknown or Ambiguous."""
    if topic is None:
        return manual.in_short(summary(columns))
    face = find(topic)
    return manual.about(piece(face), _facts(face), columns)


def find(text: str) -> Face:
    """The piece with this name, beginning of a name, letter or rank.  Raises Misunderstood."""
    faces = face_called(text.strip())
    if len(faces) == 1:
        return faces[0]
    names = ", ".join(piece(face) for face in ORDER)
    if faces:
        raise Ambiguous(
            _("“{text}” is several pieces. Name one of these: {names}.", text=escape(text, 40), names=names)
        )
    raise Unknown(_("“{text}” is no piece. Name one of these: {names}.", text=escape(text, 40), names=names))


def _facts(face: Face) -> Iterator[str]:
    yield _("On the board it is {letter}.", letter=LETTERS[face])
    yield _(_MOVES[PIECES[face].reach])
    if face in IMMOBILE:
        yield from _when_attacked(face)
    else:
        yield from _when_attacking(face)
    yield (
        _("In the armies: ") + ", ".join(f"{name} {army.counts[face]}" for name, army in ARMIES.items()) + "."
    )


_MOVES: Final = (
    mark("It never moves; a player who moves it loses the game."),
    mark("It moves one square at a time."),
    mark(
        "It moves any number of empty squares in a straight line, and may attack at the end of it. "
        "Two squares "
        "or more show everybody its rank."
    ),
)
"""By reach."""


def _when_attacked(face: Face) -> Iterator[str]:
    if face == FLAG:
        yield _("Any piece that attacks it takes it, and wins the game.")
    for result, sentence in (
        ("lost", mark("Attacking it, {pieces} fall.")),
        ("won", mark("Only {pieces} clears it away.")),
    ):
        attackers = [attacker for attacker in MOBILE if FIGHTS[attacker][face] == result]
        if attackers:
            yield _(sentence, pieces=_pieces(attackers))


def _when_attacking(face: Face) -> Iterator[str]:
    for result, sentence in (
        ("won", mark("Attacking, it beats {pieces}.")),
        ("lost", mark("Attacking, it falls to {pieces}.")),
    ):
        defenders = [other for other in FACES if FIGHTS[face][other] == result]
        if defenders:
            yield _(sentence, pieces=_pieces(defenders))
    if FIGHTS[face][face] == "both":
        yield _("Against another {piece}, both fall.", piece=called(face))
    beaten = [other for other in MOBILE if FIGHTS[other][face] == "won"]
    if beaten:
        yield _("Attacked, it falls to {pieces}.", pieces=_pieces(beaten))
    if face == SCOUT:
        yield _("Only it can go more than one square.")
    if FIGHTS[face][BOMB] == "won":
        yield _("Only it clears bombs away.")


def _pieces(faces: list[Face]) -> str:
    """A few by their names, many by their letters."""
    if len(faces) > 2:
        return grouped(faces).replace(" ", ", ")
    return series([_("the {piece}", piece=called(face)) for face in faces])
