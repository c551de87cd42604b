"""The example games, as data: which record, what it shows, and the notes at its steps."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from cli.reports.rows import Plain
from cli.shell.exit_codes import Exit, Sorry
from p2p_stratego.core.language import _, mark
from p2p_stratego.core.narration import either
from p2p_stratego.registry import ENTRIES

_FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class Example:
    """One game; `about` and the notes are English, translated where they are shown."""

    name: str
    """The name of its file, and the word that asks for it."""
    game: str
    about: str
    """What it shows, in a clause."""
    english: Mapping[int, str]
    """By step, counted from 1: the note."""

    @property
    def path(self) -> Path:
        """The record."""
        return _FOLDER / f"{self.name}.p2ps"

    @property
    def notes(self) -> Mapping[int, str]:
        """The notes in the player's language."""
        return {step: _(note) for step, note in self.english.items()}

    @property
    def title(self) -> str:
        """The title of its game."""
        return ENTRIES[self.game].title

    def line(self) -> str:
        """The game and what it shows."""
        return f"{self.title}: {_(self.about)}"

    def plain(self) -> Plain:
        """As a program lists it."""
        return {"example": self.name, "game": self.game, "about": _(self.about)}


EXAMPLES: Final = (
    Example(
        "walls",
        "spies-and-lies",
        mark("two tokens, full markers, and a flag that is taken from the wall"),
        {
            5: mark(
                "The Sergeant may stand anywhere. In front it looks like a low soldier, and Ben "
                "names the Spy."
            ),
            7: mark(
                "Ben's Bomb went off one guess ago: to name this card blasts it, and Ann will "
                "miss two soldiers tomorrow."
            ),
            10: mark(
                "The Marshal could score 10. Ben takes 5, and 5 from Ann: his marker turns over "
                "all the same, and hers falls."
            ),
            11: mark("Ann's Colonel is exhausted, and works nevertheless: the Captain may do what he does."),
            16: mark(
                "One right guess is enough: 9 and 2 turn the marker over, and on day 2 that is two steps."
            ),
            17: mark(
                "Ann's only token lies on the General. Ben names a Sergeant under it, and pays "
                "twice: two steps, and 4 points for the token."
            ),
            22: mark("Ben answers in kind: his Colonel under a token takes two steps back."),
            29: mark(
                "The Captain again, now for the exhausted Marshal: 10 points at once, and the "
                "agent stands at the wall."
            ),
            31: mark(
                "At the wall any step takes the flag, and the General makes two. It counts "
                "because Ann's line was in order and honestly marked."
            ),
        },
    ),
    Example(
        "last-card",
        "spies-and-lies",
        mark("a Sergeant that lies with its mark, and a game that hangs on the last card"),
        {
            10: mark(
                "Ben's Spy is in force, so Ann's Marshal retreats: useless, but for the token on "
                "it, which pays 4."
            ),
            21: mark(
                "In the last place one expects somebody high. Under Ben's token lies the "
                "Sergeant: 4 and 4 points, and the marker turns over."
            ),
            25: mark(
                "Ben marks three missions, and may: the Sergeant can be marked whatever the intel asks for."
            ),
            27: mark(
                "Ann's Scout is in force: each right guess pays her 4 now. 6 and 4 turn the marker over."
            ),
            29: mark(
                "A token pays beside what the soldier does: Ben's marker turns over, and his Bomb waits."
            ),
            31: mark(
                "Here lies the marked Sergeant. By the marks the Colonel was the likeliest, and Ann named it."
            ),
            32: mark(
                "Nobody named Ann's Marshal: 10 points, three steps, and the agent is on Ben's ground again."
            ),
            33: mark(
                "Everything hangs on this card. The General is the likeliest, with 54 of 100: it "
                "is, and Ann wins."
            ),
        },
    ),
    Example(
        "colonel",
        "stratego",
        mark("scouts that pay with their lives, a Marshal that meets a bomb, and a Colonel behind the lines"),
        {
            5: mark(
                "A scout runs across the board to see what stands there. It pays with itself, and "
                "shows one piece."
            ),
            9: mark(
                "A Sergeant tries the piece that came so far: now the Marshal is known. That was the price."
            ),
            16: mark(
                "An open Marshal fears bombs and the Spy alone, so Ann's goes through the corner, "
                "piece by piece."
            ),
            38: mark(
                "Now Ben's Marshal is known, too. Where two Marshals meet both fall, so they keep apart."
            ),
            53: mark(
                "The General turns aside, and finds the Spy. From now on only a bomb or Ann's "
                "Marshal stops Ben's."
            ),
            65: mark(
                "The Marshal tries a piece that never moved, and it is a bomb. Such pieces are "
                "for Miners, or for somebody who is worth less."
            ),
            79: mark("The Colonel has come in behind the lines, where pieces stand that never moved."),
            97: mark(
                "Ann's Marshal is at the other end of the board. Nobody at home is stronger than "
                "a Colonel, and that is enough."
            ),
        },
    ),
    Example(
        "back-door",
        "stratego",
        mark("a General lost to a bomb, and a Captain that goes round to the back door"),
        {
            4: mark("Scouts first: what a scout opens, it pays for with itself."),
            12: mark(
                "Ann attacks what came near: the Marshals fall together, and from now on the "
                "Generals are the strongest."
            ),
            24: mark(
                "The General goes deep, and attacks a piece that never moved: a bomb. But bombs "
                "often stand beside flags, so it tells Ann something."
            ),
            28: mark(
                "Ben's Major came within two moves of Ann's flag. The Colonel stood beside its "
                "way, closed until now."
            ),
            44: mark("The Captain comes round the bomb that the General found."),
            46: mark("Again a piece that never moved, and again nothing strong stands there."),
            48: mark(
                "A bomb and a Miner stood beside d10. The Captain takes what they hid: the "
                "General's death had shown the way."
            ),
        },
    ),
    Example(
        "king",
        "conquest",
        mark("a King that conquers alone, a Traitor that stops it, and a Sorceress who ends the game"),
        {
            30: mark(
                "With five moves, and two more by Blitz!, Ann's King goes first: what it beats "
                "comes back only by cards."
            ),
            44: mark(
                "Second round, second march: two Scouts more. But the King is known now, and far from home."
            ),
            75: mark(
                "The King goes on through Ben's land. The cities behind it lie empty: what nobody "
                "stands beside soon belongs to nobody."
            ),
            103: mark(
                "A piece that everybody knows is the Traitor's prey: Ben names the King, is "
                "right, and it is gone without a fight."
            ),
            121: mark("Ben's Spy tries a corner where Ann's flag could be, and finds Cursed land."),
            143: mark(
                "Surprise attack: a piece from the bag, on any free zone. It is the Sorceress, "
                "and she lands beside Cursed land."
            ),
            144: mark("The Sorceress takes Cursed land, which the King cannot. Ben's flag lies behind it."),
        },
    ),
    Example(
        "surprise",
        "conquest",
        mark("a spy that looks, and a surprise from the bag two steps from the flag"),
        {
            35: mark("The King opens the road, and Ben's Queen goes to the bag."),
            46: mark(
                "Secret information: Ann looks at two closed pieces, alone. One of them is Ben's "
                "flag, and Ben cannot know that she has seen it."
            ),
            60: mark(
                "Surprise attack: any free zone. She takes the one beside the Cursed land that "
                "stands before the flag."
            ),
            62: mark("Two attacks, and the game is over: she looked first, and struck later."),
        },
    ),
)


def named(name: str) -> Example:
    """The example of this name.  Raises Sorry."""
    for example in EXAMPLES:
        if example.name == name.lower():
            return example
    names = either([example.name for example in EXAMPLES])
    raise Sorry(_("There is no such example. They are {names}.", names=names), Exit.USAGE)
