// The drawings and the words of both boards, from positions of games that the rulebooks play.
import assert from 'node:assert/strict';
import test from 'node:test';

import {drawSpiesAndLies, tellSpiesAndLies} from '../../../cli/page/view/board_spies_and_lies.mjs';
import {countedFaces, drawStratego, tellStratego} from '../../../cli/page/view/board_stratego.mjs';
import {drawSpies, tellSpies} from '../../../cli/page/view/board_spies.mjs';
import {gameOf} from '../../../cli/page/view/game_view.mjs';
import {SPIES_DATA} from '../../../cli/page/game_data.mjs';
import {observeSpies} from '../../../cli/page/rules/spies/spies.mjs';
import {spiesOpening} from '../../../cli/page/rules/spies/state.mjs';
import {momentsOf} from '../../../cli/page/view/moments.mjs';
import {fitted, html, nodesWhere, svg, textOf} from '../../../cli/page/view/tree.mjs';
import {verify} from '../../../cli/page/verdict.mjs';
import {duel, playerStrip} from '../../../cli/page/view/view.mjs';
import {isolated, listing, speaker} from '../../../cli/page/view/words.mjs';
import {vectorBytes} from './vectors.mjs';

const say = (name, fields = {}) => `${name}(${Object.values(fields).join(',')})`;
const classed = (tree, name) => nodesWhere(tree, (node) => (node.attributes.class ?? '').split(' ').includes(name));
const empty = Array(100).fill(null);
const piece = (seat, face, more = {}) => ({seat, slot: 0, face, shown: false, moved: false, couldBe: [], ...more});

function stratego(squares, more = {}) {
  const board = [...empty];
  for (const [square, occupant] of Object.entries(squares)) board[square] = occupant;
  return {
    game: 'stratego', phase: 'play', seat: 0, plies: 3, calm: 0, quiet: 200, army: 'x', size: 2, squares: board,
    craters: [42, 43, 46, 47, 52, 53, 56, 57], lost: [[], []], left: [[], []], report: null, ended: null, ...more,
  };
}

const card = (more = {}) => ({slot: 0, laid: true, rank: null, open: false, result: null, marked: false, out: false, ...more});

function lies(more = {}) {
  return {
    game: 'spies-and-lies', phase: 'mission', day: 1, turn: 0, starter: 0, guesser: 0, mission: 1, agent: 0, wall: 4,
    points: [0, 3], tokens: [1, 2], spare: 0, intel: [[4, 7], [1, 4]], intelLeft: 4, today: [1, 4], exhausted: [[7], [1]],
    active: [[], [3]], blast: [false, true], caught: [false, false], double: [false, false], moved: [0, 0],
    cards: [[card(), card(), card(), card()], [card(), card(), card(), card()]], report: null, ended: null, ...more,
  };
}

test('a closed piece shows nothing of its face', () => {
  const tree = drawStratego(stratego({0: piece(0, null), 99: piece(1, 10, {shown: true})}), 0, 'board');
  const [closed] = classed(tree, 'closed');
  assert.equal(textOf(closed), '');
  assert.equal(classed(closed, 'face').length, 0);
  assert.equal(textOf(classed(tree, 'shown')[0]), 'M');
  assert.equal(classed(tree, 'seen-mark').length, 1);
});

test('the board turns: each seat sees its own back row below', () => {
  const seen = stratego({0: piece(0, 2)});
  const top = (bottom) => Number(classed(drawStratego(seen, bottom, ''), 'body')[0].attributes.y);
  assert.ok(top(0) > 300);
  assert.ok(top(1) < 100);
});

test('the last move is an arrow, and what moved slides from where it stood', () => {
  const report = {seat: 0, move: 'a1a2', from: 0, to: 10, between: [], result: 'moved', attacker: null, defender: null};
  const tree = drawStratego(stratego({10: piece(0, 2)}, {report}), 0, '');
  assert.equal(classed(tree, 'way').length, 1);
  assert.equal(nodesWhere(tree, (node) => 'data-slide' in node.attributes)[0].attributes['data-slide'], '0 37');
  const none = {...report, from: null, to: null, result: 'none'};
  assert.equal(classed(drawStratego(stratego({}, {report: none}), 0, ''), 'way').length, 0);
});

test('both craters are drawn from either side', () => {
  for (const bottom of [0, 1]) {
    const places = classed(drawStratego(stratego({}), bottom, ''), 'crater').map((node) => node.attributes.transform);
    assert.deepEqual([...places].sort(), ['translate(126 200)', 'translate(274 200)']);
  }
});

test('the words of the board tell a closed piece by its square alone', () => {
  const seen = stratego({0: piece(0, null), 11: piece(0, 5, {moved: true}), 99: piece(1, 0, {shown: true})}, {lost: [[2, 2, 10], []]});
  const words = tellStratego(seen, ['Ann', 'Ben'], say).join('|');
  assert.equal(words, [
    'stratego.count(Ann,2,2)', 'stratego.moved(piece.5() b2)', 'stratego.unmoved(a1)',
    'stratego.fallen(piece.10(), piece.2() ×2)', 'stratego.count(Ben,1,2)', 'stratego.seen(piece.0() j10)',
  ].join('|'));
  assert.deepEqual(countedFaces([11, 0, 2, 2]), [[2, 2], [11, 1], [0, 1]]);
});

test('a card that its viewer cannot read shows nothing of its soldier', () => {
  const tree = drawSpiesAndLies(lies(), 0, 'table', say);
  assert.equal(classed(tree, 'closed').length, 8);
  assert.equal(classed(tree, 'rank').length, 0);
  assert.equal(classed(tree, 'target').length, 1);
  assert.ok(!textOf(tree).includes('soldier'));
});

test('a card shows its soldier, its result, its marks and the guess', () => {
  const cards = lies().cards;
  cards[1] = [card({rank: 7, open: true, result: 'activated', marked: true, out: true}), card({rank: 2}), card(), card()];
  const report = {guesser: 0, mission: 1, guess: 4, token: true, effects: [{kind: 'agent', side: 1, amount: 2}]};
  const tree = drawSpiesAndLies(lies({cards, report, agent: -2}), 0, 'table', say);
  assert.equal(textOf(classed(tree, 'fresh')[0]), '17soldier.7()result.activated()card.guess(4)');
  assert.equal(classed(tree, 'token').length, 1);
  assert.equal(classed(tree, 'mark').length, 1);
  assert.equal(classed(classed(tree, 'known')[0], 'result')[0].children[0], 'card.closed()');
  const agent = classed(tree, 'agent')[0];
  assert.equal(agent.attributes['data-slide'], '67.2 0');
});

test('the agent stands in the mirrored place for the other seat', () => {
  const place = (bottom) => classed(drawSpiesAndLies(lies({agent: 3}), bottom, '', say), 'agent')[0].attributes.transform;
  assert.equal(place(0), 'translate(300.8 156)');
  assert.equal(place(1), 'translate(99.2 156)');
});

test('the table in words', () => {
  const lines = tellSpiesAndLies(lies({agent: -5}), ['Ann', 'Ben'], say);
  assert.equal(lines[0], 'tell.flag(Ann)');
  assert.equal(lines[1], 'tell.intel(1–4)');
  assert.ok(lines.includes('note.exhausted(1 soldier.1()); note.force(3 soldier.3()); note.blast().'));
  assert.ok(lines.includes('tell.mission(4,card.back())'));
});

test('moments are fights and the end, days and pushes', () => {
  const fight = {seat: 1, from: 1, to: 2, result: 'lost', attacker: 3, defender: 5};
  const ended = {winners: [1], reason: 'flag', breach: null};
  assert.deepEqual(momentsOf([stratego({}), stratego({}, {report: fight}), stratego({}, {ended})]), [
    null, {kind: 'fight', seat: 0}, {kind: 'end', seat: 1},
  ]);
  const push = {effects: [{kind: 'points', side: 0, amount: 3}, {kind: 'agent', side: 0, amount: 1}]};
  assert.deepEqual(momentsOf([lies(), lies({report: push}), lies(), lies({day: 2})]).map((moment) => moment?.kind ?? null), ['day', 'agent', null, 'day']);
});

test('a game that ended outside the rules is over at its last step, and who broke a rule lets nobody win', () => {
  for (const [name, winners] of [
    ['complete-resigned', 1], ['complete-agreed-draw', 0], ['cheated-illegal-choice', 0], ['unresponsive', 0], ['incomplete', null],
  ]) {
    const game = gameOf(verify(vectorBytes(`transcripts/${name}.p2ps`)), [], say);
    const last = game.seenBy(game.count - 1, 'all');
    assert.equal(last.ended?.winners.length ?? null, winners, name);
    assert.equal(game.banner(game.count - 1) === 'banner.over()', winners !== null, name);
    const strips = [0, 1].map((seat) => playerStrip(last, seat, ['Ann', 'Ben'], say));
    assert.equal(strips.flatMap((strip) => classed(strip, 'won')).length, winners ?? 0, name);
    if (winners !== null) assert.equal(strips.flatMap((strip) => classed(strip, 'turn')).length, 0, name);
    assert.equal(game.seenBy(0, 'all').ended, null, name);
  }
});

test('a map of Conquest shows each seat its own pieces, the fight of a step, and who holds what', () => {
  const game = gameOf(verify(vectorBytes('transcripts/complete-conquest.p2ps')), [], say);
  const at = game.moments.findIndex((moment) => moment?.kind === 'fight');
  const names = ['Ann', 'Ben', 'Cid', 'Dan'].slice(0, game.seats);
  const map = (viewer) => game.board(at, viewer, 0, 'map');
  const closed = (viewer) => classed(map(viewer), 'closed').length;
  assert.ok(closed('nobody') > closed(0) && closed(0) >= closed('all'));
  assert.equal(classed(map(0), 'mountain').length, 16);
  assert.equal(classed(map(0), 'town').length, 8);
  assert.ok(classed(map(0), 'last-move').length === 1 && classed(map(0), 'of1').length > 0);
  const strip = playerStrip(game.seenBy(at, 'all'), 1, game.sideNames(names), say);
  assert.ok(textOf(strip).startsWith('Ben'));
  assert.equal(classed(duel(game.seenBy(at, 'all'), say), 'fighter').length, 2);
  assert.ok(game.tell(at, 'nobody', names).some((line) => line.startsWith('conquest.hidden')));
});

test('the sides of a table of mates have one line each, with both names', () => {
  const game = gameOf(verify(vectorBytes('transcripts/complete-four.p2ps')), [], say);
  const names = game.sideNames(['Ann', 'Ben', 'Cid', 'Dan']);
  assert.deepEqual(names, ['Annlist.last()Cid', 'Benlist.last()Dan']);
  assert.deepEqual([game.strips(0), game.strips(1)], [[[1], [0]], [[0], [1]]]);
  const last = game.seenBy(game.count - 1, 'all');
  assert.equal([0, 1].flatMap((side) => classed(playerStrip(last, side, names, say), 'won')).length, 1);
});

test('trees hold text as text, and leave out what is not there', () => {
  const tree = html('p', {class: 'x', hidden: false, id: null, open: true}, null, '', ['<img onerror=x>', svg('g')], 0);
  assert.deepEqual(tree.attributes, {class: 'x', open: ''});
  assert.deepEqual(tree.children.map((child) => child.tag ?? child), ['<img onerror=x>', 'g', '0']);
  assert.deepEqual(fitted('Spy', 13, 80), {'font-size': 13});
  assert.ok(fitted('Oberstleutnant der Reserve', 13, 80)['font-size'] < 13);
});

test('names stand isolated in a sentence, the longer one first', () => {
  const parts = isolated('Ann, An and Ann: An!', ['An', 'Ann']);
  assert.deepEqual(parts.map((part) => part.tag ?? part), ['', 'bdi', ', ', 'bdi', ' and ', 'bdi', ': ', 'bdi', '!']);
  assert.equal(parts.map((part) => (part.tag ? textOf(part) : part)).join(''), 'Ann, An and Ann: An!');
  assert.deepEqual(isolated('nobody', ['Ann', '']), ['nobody']);
});

test('labels are filled by name, once, and never from a prototype', () => {
  const fill = speaker({greet: '{first} and {other}, {toString}', odd: 7});
  assert.equal(fill('greet', {first: '{other}', other: '<b>'}), '{other} and <b>, {toString}');
  assert.equal(fill('constructor'), 'constructor');
  assert.equal(fill('odd'), '7');
  assert.equal(listing(say, ['a', 'b', 'c']), 'alist.between()blist.last()c');
});

test('the last move of a round of Conquest stands under that round', () => {
  const result = verify(vectorBytes('transcripts/complete-conquest.p2ps'));
  const states = result.shown.map(({state}) => state);
  const story = states.map((_, at) => ({at, kind: 'step', text: ['']}));
  const {lines} = gameOf(result, story, say);
  const headings = lines.flatMap(({heading, at}) => (heading ? [[heading, at]] : []));
  const firstOf = (round) => states.findIndex((_, at) => at > 0 && states[at - 1].round === round);
  assert.deepEqual(headings[0], ['banner.draft()', 0]);
  assert.deepEqual(headings.slice(1, 3), [1, 2].map((round) => [`banner.round(${round})`, firstOf(round)]).filter(([, at]) => at > 0));
});

const start = spiesOpening(2, new Map([['allocation', 'lesson'], ['talk', 0]]));

function europe(change = {}) {
  const spies = start.spies.map((spy, at) => (at < 2 ? {...spy, where: 'map', city: 48 + at} : spy));
  const police = start.police.map((units, power) => (power === 3 ? [{slot: 530, city: 22, face: null}] : units));
  const secrets = start.secrets.map((lying) => (lying.slot === 32 ? {...lying, city: 48, on: 0, by: 0} : lying));
  return {...start, phase: 'turn', spies, police, secrets, ...change};
}

test('nobody reads the face of a spy on the map of SPIES!, but its player and who was shown it', () => {
  const faces = {[start.spies[0].slot]: 1, [start.spies[1].slot]: SPIES_DATA.cousin, 32: 3};
  const drawn = (viewer, state = europe()) => drawSpies(observeSpies(state, viewer, faces), 0, 'map', say);
  assert.equal(classed(drawn('nobody'), 'strength').length, 0);
  assert.equal(classed(drawn(1), 'strength').length, 0);
  assert.equal(classed(drawn(0), 'strength').length, 2);
  assert.equal(classed(drawn(0), 'cousin').length, 1);
  const shown = europe();
  const seen = {...shown, spies: shown.spies.map((spy, at) => (at === 0 ? {...spy, seen: [[1, 40_000]]} : spy))};
  assert.deepEqual(classed(drawn(1, seen), 'strength').map(textOf), [String(SPIES_DATA.strengths[1])]);
  assert.equal(classed(drawn('all'), 'read').length, 1);
  assert.equal(classed(drawn('nobody'), 'read').length, 0);
});

test('a step of SPIES! is an arrow, and its cities are lit; the map turns', () => {
  const before = europe();
  const event = {kind: 'moves', power: 0, spy: 1, secret: -1, city: 7, other: -1, face: -1, numbers: [], word: ''};
  const after = {...before, spies: before.spies.map((spy, at) => (at === 1 ? {...spy, city: 7} : spy)), report: [event]};
  const tree = drawSpies(observeSpies(after, 'nobody'), 0, 'map', say, before);
  assert.equal(classed(tree, 'way').length, 1);
  assert.equal(classed(tree, 'touched').length, 1);
  const top = (turned) => Number(classed(drawSpies(observeSpies(after, 'nobody'), turned, '', say, before), 'touched')[0].attributes.y);
  assert.ok(Math.abs(top(0) - top(1)) > 10);
  const [germany] = tellSpies(observeSpies(after, 'nobody'), ['Ada', 'Ben'], say);
  assert.match(germany, /Ada/);
});

test('a strip of SPIES! tells the money and the hands of all powers of a seat', () => {
  const seen = {...observeSpies(europe({runs: [0, 0, null, 1, null]}), 'nobody')};
  const text = textOf(playerStrip(seen, 0, ['Ada', 'Ben'], say));
  assert.match(text, /power\.0/);
  assert.match(text, /power\.1/);
  assert.match(textOf(playerStrip({...seen, gone: [1]}, 1, ['Ada', 'Ben'], say)), /strip\.gone/);
});
