"""The short code of a host, to be read out on the phone: 7-amber-violin.

The number names the place where the host waits.  The two words are 20 secret bits, by which a caller proves
that the host told them (protocol.lobby.code_exchange).  No code here waits or reads a clock.

Each of the 1,024 words has four to seven letters.  No two words begin with the same four letters, and two
words differ by at least two changed, added or missing letters.  So four letters are enough to type, and no
slip makes another word.
"""

from __future__ import annotations

import difflib
import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from protocol.crypto.spake2 import password_scalar
from protocol.failures import NotACode
from protocol.wire import labels

MAX_NUMBER: Final = 999
MAX_TEXT: Final = 64
"""Characters that `read` accepts."""
_WORDS: Final = 2
_BETWEEN: Final = re.compile(r"[\s\-_.,;:/\u2010-\u2015\u200b]+")
_FORM: Final = re.compile(r"\s*[0-9]{1,4}[\s\-_.,;:/\u2010-\u2015\u200b]+[A-Za-z]")
_TOLD: Final = 3
"""Words or beginnings of codes that a refusal names."""
_NEAR: Final = 0.7
"""How similar to a mistyped word a word of the list must be to be suggested, 0 to 1."""


@dataclass(frozen=True, slots=True)
class ShortCode:
    """`number`: 1 to MAX_NUMBER; `words`: two of the list."""

    number: int
    words: tuple[str, str] = field(repr=False)

    def __str__(self) -> str:
        """The one form of the code.  It holds the words: for the friend, never for a log."""
        return f"{self.number}-{'-'.join(self.words)}"

    def scalar(self) -> bytes:
        """w of SPAKE2, 32 bytes.  Takes a tenth of a second."""
        return password_scalar(str(self).encode(), labels.CODE_WORDS)


def new_code(number: int, choose: Callable[[Sequence[str]], str] = secrets.choice) -> ShortCode:
    """A new code with this `number`."""
    return ShortCode(number, (choose(WORDS), choose(WORDS)))


def is_code(text: str) -> bool:
    """Whether a text begins as a code does: with a number of a few digits, and a letter behind a gap."""
    return _FORM.match(text) is not None


def read(text: str) -> ShortCode:
    """The code in a typed text: in any case, with spaces or hyphens, its words shortened as long as unique.

    Raises NotACode.
    """
    number, *words = _parts(text)
    if not (number.isascii() and number.isdigit() and 0 < int(number) <= MAX_NUMBER):
        raise NotACode
    if len(words) != _WORDS:
        raise NotACode(near=tuple(completions(text)[:_TOLD]))
    first, second = map(_word, words)
    return ShortCode(int(number), (first, second))


def completions(text: str) -> list[str]:
    """The codes, or beginnings of codes, to which a typed beginning leads.

    Words are suggested from the second letter on.
    """
    *whole, begun = _parts(text)
    if not whole or len(whole) > _WORDS or len(begun) < 2:
        return []
    try:
        words = [_word(word) for word in whole[1:]]
    except NotACode:
        return []
    return ["-".join((whole[0], *words, word)) for word in WORDS if word.startswith(begun)]


def _parts(text: str) -> list[str]:
    return _BETWEEN.split(text[:MAX_TEXT].strip().lower()) or [""]


def _word(typed: str) -> str:
    """The word of the list that was meant.  Raises NotACode."""
    matches = [typed] if typed in WORDS else [word for word in WORDS if typed and word.startswith(typed)]
    if len(matches) != 1:
        near = matches[:_TOLD] or difflib.get_close_matches(typed, WORDS, _TOLD, _NEAR)
        raise NotACode(typed, tuple(near))
    return matches[0]


_TEXT: Final = """
acorn actor adobe adult affair afford agent alarm album alert alley almond alpine amber anchor angle answer
antler apple apricot apron arcade arch arena arrow artist aspen asphalt atlas attic aunt autumn avenue award
awning axle azure baby bacon badge bagel bakery balcony ballet bamboo banana banjo banner barley barrel
basil basket bathtub battery beach beaded beauty beaver bedroom beetle begin bell beret berry bicycle birch
bishop bison blanket blazer blink block bloom blossom blouse blue boat bobcat boiler bolero bonfire bonus
book boost border botany bottle boulder bounce bowl bracket braid branch brass brave bread breeze brick
bridge brief bright bronze brother brown brush bubble bucket buddy budget buffalo buggy bugle builder bundle
bunny burger burrow butter buzzer cabbage cabin cable cactus cadet cafe calcium camel canal candle canoe
canvas canyon captain caravan carbon cargo carpet carrot carve casino castle caviar cedar cellar cement
center chair chalk change chapel charm cheese cherry chess chicken chief chimney church cinema circle citrus
city civic clam clear clerk clever click cliff clinic cloak closet cloud clown coach coast cobalt cobra
cocoa coffee collie colony comet comic compass concert copper coral cork corner cosmos cottage cougar
country cousin cover coyote crab cradle crane crater crayon cream cricket crocus cross cruise crumb crystal
cube cuckoo curtain cushion custom cycle daisy dancer dapper dawn decide deck decor degree delta denim
dentist deputy detail device diamond diary diesel dinner disco diver doctor dolphin domino donkey donut door
dragon drawer dress drift drum dune duplex dust dwarf dynamo eagle early earth easel east echo eclipse
editor effort elbow embark empire enamel encore energy engine enjoy ensign entry equator erase errand escape
essay estate evening evolve exact excite exhibit exit exotic expert explore extra fabric factory falcon
family fancy farmer father fence fern fiber fiddle field figure film filter final finger fire fiscal fish
flag flair flame flannel flask flight flint float flood florist flute foam folder forest forum fossil
freckle freight friday fringe frog frost fruit funnel furnace future fuzzy galaxy gallery game garage garden
garlic gauge gazelle gecko genius gentle giant gift giraffe glacier glass glider globe goblet goggle gold
goose grain granite grape gravel green grill grocery groove ground guess guide guitar gull habit hail hamlet
hammer hamster happy harvest haste hawk hazel heart heater heavy hedge height helium helmet herald herb
heron hidden hiking hill hinge hippo history hobby hockey hoist holiday hollow honey hood horizon hornet
hotel house hunter hurdle hurry husky hybrid hydrant hyena iceberg icicle ideal igloo image import inbox
inch income indigo infant inform input insect inside intact island ivory jacket jaguar jasmine jazz jelly
jersey jewel jigsaw jogger joker journey judge juice jungle juniper jury karate kayak kennel ketchup kettle
keyhole kidney kingdom kiosk kitchen kite kitten kiwi knee knob koala label lace lagoon lamb lantern laptop
large lasagna laser laugh laundry laurel lava leader leaf learn lease leather lecture legal legend lemon
lentil leopard letter level library lilac lily lime linen lion liquid little lizard llama lobster local
locker locust lodge lonely lotion lotus lounge lucky luggage lumber lunch luxury lyric machine madam magic
magnet mailbox mammoth mango manor maple marble margin marina market marsh marvel mask mason master matrix
meadow melody member memory mercury merit mermaid meteor method milk mineral minute mirror mobile model
molar moment monday month moon mortar mosaic moss mother motor movie muffin mural museum music mustard
mutual myth napkin narwhal nature navy nectar needle nephew nerve nest network nickel nimble ninja noble
noise nomad noodle north notice novel nugget nurse nutmeg nylon oasis oatmeal object oboe obtain ocean
octopus office olive omega omelet onion onward opal opera option orange orbit orchard organ orient origami
ostrich otter outdoor outlet oven owner oxygen oyster paddle page painter palace palm pancake panda panel
pantry papaya paper parade parcel parent park partner pasta patio patrol pattern peanut pearl pebble pecan
pelican pencil penguin people pepper perfume permit person pesto pewter phone photo piano pickle picnic
picture pigeon pillow pilot pine pioneer pirate pitch pizza planet plaster plate plaza plenty plum pocket
poem point polish polo pond poplar poppy porch port postage potato pottery powder prairie present pretzel
price profile proud prune public pudding pulse puma pumpkin puppet purple puzzle pyramid python quail quartz
queen quilt quince quiver quiz rabbit raccoon radar radio raft railway rainbow raisin rally rapid rattle
raven razor recess recipe record referee refine relay relish remote repair reply report rescue resin retro
rhythm ribbon rigid rinse ripple ritual road robin robot robust rodeo roof rookie rooster rope rouge rowboat
royal rubber ruby rudder ruler rumba runner russet rustic safari sailor salad salmon salt salute sample
sandal satin saturn scarf scenic school science scooter score scout screen script scroll scuba seal season
sector seed senior sequel series sermon shadow shake shampoo shark shawl sheep shelf sheriff shield ship
shirt shoe shovel shower shrimp shrub shuttle signal silent silver siren sister skate sketch skiing skill
sleeve slide sling slipper slogan slope smell smile smoke snack snail snow soap soccer sock sofa soldier
solid sonata sound south spare speaker speech spice spider spinach spiral splash sponge spoon spray spring
sprout spruce square squid stable stadium staff stage stall star station steam step stereo stick stone stool
stork straw street studio stump suburb suede sugar suit summer supper surf sushi swallow swan sweater swift
swim syrup system taco talent tank target tarmac tavern taxi teacher temple tennis tenor tent terrace theme
thimble thorn thread throw thumb thunder ticket tiger timber tissue title today token tomato tongue tonic
tooth topaz tornado touch tower tractor trade trail tree trend tribe trolley troop trophy trout truck
trumpet truth tulip tuna tundra turban turkey turnip turtle tutor twig typhoon uncle under unicorn uniform
update urchin usage useful usher utopia vacuum valid vampire vanilla vase vault velvet vendor venus veranda
verify vessel victory video village vinegar violin visitor vitamin voice volcano volley vowel voyage vulture
waffle wagon walnut walrus waltz warm wash watch water wave wedding wharf wheat wheel whirl whisker white
wicker window winter wolf wonder wool word wreath wren wrist writer yacht yard yellow young zebra zenith
zigzag zinc zinnia zipper zither zodiac zombie zone
"""
WORDS: Final = tuple(_TEXT.split())
"""In alphabetical order."""
