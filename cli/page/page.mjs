// The page as it runs: it unpacks what it holds, checks the record in slices, and then shows the game.
import {toHex} from './verifier/wire/bytes.mjs';
import {sha256} from './verifier/crypto/sha2.mjs';
import {icon} from './view/art.mjs';
import {buildFrame, runGame} from './view/frame.mjs';
import {gameOf} from './view/game_view.mjs';
import {LONGEST_CHECKED, namesOf, refusalOf, resultOf, rosterInWords, shareOf, toneOf, verdictSentence} from './view/judge.mjs';
import {askAgain} from './view/mistakes.mjs';
import {fill} from './view/mount.mjs';
import {inSlices} from './view/slices.mjs';
import {html} from './view/tree.mjs';
import {Bloated, unpackContent, unpackRecord} from './view/unpack.mjs';
import {verifying} from './verdict.mjs';
import {badge, headline, roster} from './view/view.mjs';
import {harmlessName, isolated, speaker} from './view/words.mjs';

const SLICE = 12;
const THEMES = ['auto', 'light', 'dark'];

async function startPage() {
  const content = await unpackContent();
  const record = await unpackRecord();
  const say = speaker(content.labels);
  const place = (name) => document.getElementById(name);
  buildFrame(place('page'), say);
  fill(place('headline'), html('p', { class: 'kicker' }, content.title));
  fill(place('made'), say('made', { program: content.program }));
  fill(place('about'), aboutCheck(say('about.running'), say));
  obeyToolbar(place, content, record);
  offerAnother(place, say);

  const result = await checkInSlices(record, (progress) => {
    fill(place('badge'), badge('running', say('badge.running', { share: shareOf(progress) })));
  });
  const refusal = refusalOf(result, content.expected, toHex(sha256(record)), content.steps);
  fill(place('roster'), roster(rosterInWords(result, document.documentElement.lang, say), say));
  if (refusal !== '') {
    refuse(place, refusal, result, say);
    return;
  }
  // Names, result and verdict are those of the record; the words in the page can only add sentences to them.
  const names = namesOf(result, say);
  const inSentences = [...names, ...content.names];
  const shown = resultOf(result, names, say);
  document.title = `${content.title}: ${shown}`;
  fill(place('headline'), headline(shown, content, inSentences));
  fill(place('verdict'), html('span', { class: toneOf(result.status), dir: 'ltr' }, isolated(verdictSentence(result, say), names)));
  fill(place('badge'), badge(toneOf(result.status), say(`badge.${result.status}`)));
  fill(place('about'), aboutCheck(say('about.done'), say));
  fill(place('facts'), factsOf(result, content, say));
  const asked = /^#(\d{1,4})$/.exec(location.hash);
  const game = gameOf(result, content.story, say);
  document.documentElement.dataset.state = 'shown';
  const act = runGame(game, names, inSentences, say, asked === null ? game.opening : Number(asked[1]) - 1);
  if (content.mistakes) askAgain(place('mistakes'), content.mistakes, inSentences, say, act);
}

function checkInSlices(record, heard, wanted = {}) {
  return inSlices(verifying(record, wanted), SLICE, heard);
}

// The game is not shown: only why, and the checks if one of them is the reason.
function refuse(place, refusal, result, say) {
  document.documentElement.dataset.state = 'refused';
  fill(place('refusal'), icon('failed'), html('p', {}, say(refusal)));
  fill(place('badge'), badge('failed', say('badge.refused')));
  fill(place('verdict'), html('span', { class: toneOf(result.status) }, verdictSentence(result, say)));
  place('roster').parentElement.classList.toggle('why', refusal === 'refused.tampered');
  fill(place('headline'), html('h1', {}, say('refused')));
  document.title = say('refused');
}

// `check`: what the page checks, or has checked.
function aboutCheck(check, say) {
  return [check, say('about.words'), say('about.doubt')].map((text) => html('p', {}, text));
}

function factsOf(result, content, say) {
  const fact = (name, ...value) => html('div', {}, html('dt', {}, name), html('dd', {}, ...value));
  const code = (text) => html('span', { class: 'code' }, text);
  return [
    ...result.genesis.players.map((player, seat) => fact(say(`seat.${seat}`), html('bdi', {}, harmlessName(player.name)), code(` [${player.fingerprint}]`))),
    fact(say('fact.match'), code(result.genesis.id)),
    ...(content.options ? [fact(say('fact.options'), content.options)] : []),
  ];
}

function obeyToolbar(place, content, record) {
  const help = place('help');
  const does = {
    theme: () => {
      const now = THEMES.indexOf(document.documentElement.dataset.theme);
      document.documentElement.dataset.theme = THEMES[(now + 1) % THEMES.length];
    },
    print: () => print(),
    help: () => (help.open ? help.close() : help.showModal()),
    'close help': () => help.close(),
    save: () => saveFile(record, content.file_name),
  };
  document.addEventListener('click', (event) => {
    does[event.target.closest('[data-action]')?.dataset.action]?.();
    if (event.target === help) help.close();
  });
  document.addEventListener('keydown', (event) => {
    if (event.key === '?' && !event.ctrlKey && !event.metaKey && !event.altKey) does.help();
  });
}

function saveFile(bytes, name) {
  const address = URL.createObjectURL(new Blob([bytes], { type: 'application/octet-stream' }));
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 10_000);
}

// Another transcript can be chosen, or dropped anywhere on the page, to be checked.
function offerAnother(place, say) {
  fill(
    place('another'),
    html('label', { class: 'drop' }, html('input', { type: 'file', id: 'file', accept: '.p2ps' }), html('span', {}, say('another'))),
    html('div', { id: 'another-result', role: 'status' }),
  );
  place('file').addEventListener('change', (event) => checkFile(event.target.files[0], place, say));
  document.addEventListener('dragover', (event) => {
    event.preventDefault();
    document.documentElement.classList.add('dragging');
  });
  document.addEventListener('dragleave', () => document.documentElement.classList.remove('dragging'));
  document.addEventListener('drop', (event) => {
    event.preventDefault();
    document.documentElement.classList.remove('dragging');
    checkFile(event.dataTransfer.files[0], place, say);
    place('another').scrollIntoView({ block: 'center' });
  });
}

async function checkFile(file, place, say) {
  if (file === undefined) return;
  const shown = place('another-result');
  const name = html('h3', {}, html('bdi', {}, file.name.slice(0, 80)));
  if (file.size > LONGEST_CHECKED) {
    fill(shown, name, html('p', { class: 'failed' }, say('another.long')));
    return;
  }
  const bytes = new Uint8Array(await file.arrayBuffer());
  const result = await checkInSlices(bytes, (progress) => fill(shown, name, html('p', {}, say('badge.running', { share: shareOf(progress) }))), { states: false });
  fill(
    shown,
    name,
    html('p', { class: toneOf(result.status) }, html('bdi', {}, verdictSentence(result, say))),
    result.genesis === null ? null : result.genesis.players.map((player) => html('p', {}, `[${player.fingerprint}] `, html('bdi', {}, harmlessName(player.name)))),
    roster(rosterInWords(result, document.documentElement.lang, say), say),
  );
}

startPage().catch((error) => {
  const why = document.getElementById(error instanceof Bloated ? 'bloated' : 'broken');
  document.getElementById('page').replaceChildren(why.content.cloneNode(true));
  document.documentElement.dataset.state = 'refused';
  throw error;
});
