// The action CONQUEST_DATA.cards of Conquest (spec/conquest.md, section 5).

import {askToChoose, askToClaim, askToMix, askToRoll, askToShow} from '../../verifier/record/asks.mjs';
import {CONQUEST_DATA} from '../../game_data.mjs';
import {ALL_ZONES, besideZone, ZONE_NAMES, zonesNamed} from './map.mjs';
import {ANY_FACE, CONQUEST_FACES, FLAG_FACE, freeZones, promisedPiece, SPY_FACE, zonesHeld} from './state.mjs';
import {captureFlag, discardCards} from './turns.mjs';

/** The free zones next to a piece of the player to move, ascending. */
function freeNearOwn(state) {
  return freeZones(state).filter((zone) => besideZone(zone).some((other) => state.board[other]?.seat === state.seat));
}

/** Every two CONQUEST_DATA.pieces on neighbouring zones of which one at least is no piece of the player to move, ascending. */
function neighbourPairs({board, seat}) {
  return ALL_ZONES.flatMap((zone) => besideZone(zone)
    .filter((other) => zone < other && board[zone] !== null && board[other] !== null
      && (board[zone].seat !== seat || board[other].seat !== seat))
    .map((other) => [zone, other]));
}

function hasOpenSpy(some, seat) {
  return some.some((piece) => piece?.seat === seat && piece.face === SPY_FACE);
}

/** By name: whether a card may be played by what all see, and what it does. */
const CARD_EFFECTS = {
  blitz: {
    may: () => true,
    * play(act) {
      act.change({moves: act.state.moves + 2});
    },
  },
  regroup: {may: (state) => zonesHeld(state, state.seat).length >= 3, play: regroup},
  reinforce: {
    may: (state) => state.bags[state.seat].length > 0 && freeNearOwn(state).length > 0,
    play: (act) => placeFromBag(act, freeNearOwn(act.state)),
  },
  secret: {
    may: (state) => !hasOpenSpy(state.bags[state.seat], state.seat) && neighbourPairs(state).length > 0,
    play: lookAtTwo,
  },
  surprise: {
    may: (state) => state.bags[state.seat].length > 0 && freeZones(state).length > 0,
    play: (act) => placeFromBag(act, freeZones(act.state)),
  },
  'new-spy': {may: mayRenewSpy, play: renewSpy},
  traitor: {may: () => true, play: nameTraitor},
};

/** Unless all see that the spy is not in the bag; a free zone. */
function mayRenewSpy(state) {
  const {bags, board, seat} = state;
  const hidden = bags[seat].some((piece) => piece.face === null) && !hasOpenSpy(board, seat);
  return (hidden || hasOpenSpy(bags[seat], seat)) && freeZones(state).length > 0;
}

/** One of the drawn CONQUEST_DATA.cards is played and carried out, or none; all are put away. */
export function* playACard(act) {
  const {state} = act;
  const kinds = CONQUEST_DATA.cards.filter(({name}, card) => state.drawn.includes(card) && CARD_EFFECTS[name].may(state));
  const answer = yield* act.chosen(new Set(['none', ...kinds.map(({name}) => name)].map((name) => `play ${name}`)));
  const name = answer.slice('play '.length);
  if (name === 'none') {
    act.tell('declined', state.seat, {cards: state.drawn});
  } else {
    act.tell('played', state.seat, {cards: [CONQUEST_DATA.cards.findIndex((card) => card.name === name)]});
    yield* CARD_EFFECTS[name].play(act);
  }
  discardCards(act);
  act.change({phase: 'move'});
}

/** The zones behind the first word of an answer. */
function zonesBehind(answer) {
  return zonesNamed(answer.slice(answer.indexOf(' ') + 1));
}

/** Three own CONQUEST_DATA.pieces change places in secret, in an order that their player decides. */
function* regroup(act) {
  const {state} = act;
  const held = zonesHeld(state, state.seat).map((zone) => ZONE_NAMES[zone]);
  const trios = {
    has: (move) => {
      const places = /^regroup (\S+) (\S+) (\S+)$/.exec(move)?.slice(1).map((name) => held.indexOf(name));
      return places !== undefined && places.every((place, at) => place > (places[at - 1] ?? -1));
    },
  };
  const zones = zonesBehind(yield* act.chosen(trios));
  const old = zones.map((zone) => state.board[zone]);
  const slots = act.newSlots(3);
  yield askToMix(state.seat, old.map((piece) => piece.slot), slots, CONQUEST_DATA.changedRule, true);
  act.laidAnew(old, slots).forEach((piece, at) => act.put(zones[at], piece));
  act.tell('regrouped', state.seat, {zones});
}

/** Chance takes a piece from the mixed bag; it comes to one of `zones`, closed. */
function* placeFromBag(act, zones) {
  const {seat, bags} = act.state;
  const slots = act.newSlots(bags[seat].length);
  yield askToMix(seat, bags[seat].map((piece) => piece.slot), slots, CONQUEST_DATA.changedRule);
  act.bag(seat, act.laidAnew(bags[seat], slots));
  yield* placePiece(act, yield askToRoll(slots.length), zones, 'placed');
}

/** A piece of the bag comes to one of `zones`. */
function* placePiece(act, at, zones, kind) {
  const {seat, bags} = act.state;
  const piece = bags[seat][at];
  act.bag(seat, bags[seat].filter((_, place) => place !== at));
  act.change({hand: piece});
  const [zone] = zonesBehind(yield* act.chosen(new Set(zones.map((free) => `place ${ZONE_NAMES[free]}`))));
  act.change({hand: null});
  act.put(zone, piece);
  act.tell(kind, seat, {zones: [zone]});
}

/** The bag is shown, to prove that the spy is not in it; then two neighbouring CONQUEST_DATA.pieces are looked at. */
function* lookAtTwo(act) {
  const {seat} = act.state;
  const faces = [];
  for (const at of act.state.bags[seat].keys()) {
    if (act.state.bags[seat][at].face === null) {
      const face = yield* act.shownInBag(at);
      if (face === SPY_FACE) {
        throw act.breached(seat, CONQUEST_DATA.noSpyRule);
      }
      faces.push(face);
    }
  }
  act.tell('bag-shown', seat, {faces});
  const pairs = neighbourPairs(act.state).map((pair) => `look ${pair.map((zone) => ZONE_NAMES[zone]).join(' ')}`);
  const zones = zonesBehind(yield* act.chosen(new Set(pairs)));
  for (const zone of zones) {
    yield* lookAt(act, zone);
  }
  act.tell('looked', seat, {zones});
}

/** The player to move looks at a piece alone, unless it is open or its own. */
function* lookAt(act, zone) {
  const {seat, board} = act.state;
  const piece = board[zone];
  if (piece.face === null && piece.seat !== seat) {
    yield askToShow(piece.slot, seat);
    act.put(zone, {...piece, seen: piece.seen | (1 << seat)});
  }
}

/** The spy comes from the bag to any free zone, open. */
function* renewSpy(act) {
  const {seat, bags} = act.state;
  let at = bags[seat].findIndex((piece) => piece.face === SPY_FACE);
  if (at < 0) {
    const closed = bags[seat].flatMap((piece, place) => (piece.face === null ? [`draw ${place}`] : []));
    at = Number((yield* act.chosen(new Set(closed))).slice('draw '.length));
    if ((yield* act.shownInBag(at)) !== SPY_FACE) {
      throw act.breached(seat, CONQUEST_DATA.noSpyRule);
    }
  }
  yield* placePiece(act, at, freeZones(act.state), 'spy-placed');
}

/** The player names the kind of an enemy piece aloud; a right guess fells it, or captures a flag. */
function* nameTraitor(act) {
  const {seat, board} = act.state;
  const accusations = ALL_ZONES.filter((zone) => board[zone] !== null && board[zone].seat !== seat)
    .flatMap((zone) => CONQUEST_DATA.pieces.map(({name}, face) => [`accuse ${ZONE_NAMES[zone]} ${name}`, [zone, face]]));
  const named = new Map(accusations);
  const [zone, face] = named.get(yield* act.chosen(named));
  const piece = board[zone];
  const right = piece.face === null ? yield* isHit(act, zone, face) : piece.face === face;
  const about = {zones: [zone], faces: [face], other: piece.seat};
  if (!right) {
    act.tell('missed', seat, about);
  } else if (face === FLAG_FACE) {
    act.tell('betrayed-flag', seat, about);
    act.put(zone, null);
    yield* captureFlag(act, seat, piece.seat, piece.slot);
  } else {
    act.tell('hit', seat, about);
    act.fall(zone);
  }
}

/** Whether a closed piece is what the Traitor named, by its owner's word. */
function* isHit(act, zone, face) {
  const piece = act.state.board[zone];
  const answer = yield askToChoose(piece.seat, new Set(['yes', 'no']));
  if (answer === 'yes') {
    const shown = yield* act.shown(zone);
    if (shown !== null && shown !== face) {
      throw act.breached(piece.seat, CONQUEST_DATA.falseHitRule);
    }
    return shown !== null; // null: the owner left between its answer and the opening
  }
  if (answer === 'no') {
    yield askToClaim(piece.seat, CONQUEST_DATA.falseMissRule, [piece.slot], CONQUEST_FACES.filter((other) => other !== face));
    act.put(zone, promisedPiece(piece, CONQUEST_DATA.falseMissRule, ANY_FACE & ~(1 << face))); // it binds the piece from now on
    yield* lookAt(act, zone);
  }
  return false;
}
