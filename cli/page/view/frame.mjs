// The frame of the page: it is built once, and then redrawn part by part as its viewer goes through the game.
import {animate, elementOf, fill} from './mount.mjs';
import {icon, spokenOnly} from './art.mjs';
import {actionOfKey, bottomSeat, playbackOf, played, stayOf, viewerOf} from './playback.mjs';
import {html} from './tree.mjs';
import {isolated} from './words.mjs';
import {controls, duel, helpSheet, historyList, playerStrip, timelineMarks, viewChoice} from './view.mjs';

// The places of the page, built into `root`.
export function buildFrame(root, say) {
  const place = (name, tag = 'div', attributes = {}) => html(tag, { id: name, ...attributes });
  fill(
    root,
    html(
      'main',
      { id: 'game' },
      html('header', { class: 'top' }, place('headline'), html('div', { class: 'side' }, place('badge'), toolbar(say))),
      place('refusal', 'section', { role: 'alert' }),
      place('views'),
      html(
        'section',
        { class: 'table', 'aria-label': say('board') },
        place('upper'),
        place('board'),
        place('lower'),
        html('div', { class: 'timeline' }, place('marks'), html('input', { type: 'range', id: 'slider', min: 0, step: 1, 'aria-label': say('timeline') })),
        place('controls'),
      ),
      html('section', { class: 'caption', 'aria-label': say('step') }, place('banner', 'p'), place('duel'), place('told', 'div', { 'aria-live': 'polite' })),
      html('section', { class: 'history', 'aria-labelledby': 'history-title' }, html('h2', { id: 'history-title' }, say('history')), place('history', 'div', { tabindex: -1 }), html('p', { class: 'source' }, say('history.source'))),
      html('details', { class: 'in-words' }, html('summary', {}, say('board.words')), place('in-words', 'ul')),
    ),
    place('mistakes', 'section'),
    html(
      'section',
      { id: 'check', 'aria-labelledby': 'check-title' },
      html('div', { class: 'checked' }, html('h2', { id: 'check-title' }, say('check')), place('verdict', 'p'), place('roster'), place('facts', 'dl')),
      html('div', { class: 'about' }, html('h2', {}, say('about')), place('about'), place('another')),
    ),
    html('footer', { id: 'made' }),
    html('dialog', { id: 'help', 'aria-labelledby': 'help-title' }),
  );
}

function toolbar(say) {
  const button = (action, name) => html('button', { type: 'button', class: 'control', 'data-action': action, 'aria-label': say(`action.${action}`), title: say(`action.${action}`) }, name);
  return html(
    'div',
    { class: 'toolbar' },
    button('theme', [icon('auto'), icon('light'), icon('dark')]),
    button('save', icon('save')),
    button('print', icon('print')),
    button('help', icon('help')),
  );
}

// Show `game` (see gameOf) from step `at` on, and obey its viewer.
export function runGame(game, names, inSentences, say, at) {
  const moments = game.moments.flatMap((moment, step) => (moment === null ? [] : [step]));
  let state = playbackOf(game.count, moments, at, game.seats, game.sits);
  const sideNames = game.sideNames(names);
  let timer = 0;
  const byId = (name) => document.getElementById(name);

  fill(byId('views'), viewChoice(names, names.map((_, seat) => (game.sits ? seat % 2 : seat)), say));
  fill(byId('controls'), controls(say, document.documentElement.lang));
  fill(byId('marks'), timelineMarks(game.moments));
  fill(byId('history'), historyList(game.lines, inSentences, say));
  fill(byId('help'), helpSheet(say, names, game.name));
  byId('slider').max = String(state.last);
  byId('game').classList.add(game.name);

  const draw = (before) => {
    const viewer = viewerOf(state);
    const bottom = bottomSeat(state);
    const seen = game.seenBy(state.at, viewer);
    const sentences = game.wordsAt(state.at);
    const banner = game.banner(state.at);
    const [upper, lower] = game.strips(bottom).map((sides) => sides.map((side) => playerStrip(seen, side, sideNames, say)));
    fill(byId('upper'), ...upper);
    fill(byId('lower'), ...lower);
    fill(byId('board'), game.board(state.at, viewer, bottom, say('board.label', { where: banner })));
    fill(byId('banner'), banner, html('span', { class: 'of' }, say('step.of', { at: state.at + 1, count: game.count })));
    fill(byId('duel'), duel(seen, say) ?? '');
    fill(byId('told'), ...sentences.map((text) => html('p', { dir: 'ltr' }, isolated(text, inSentences))));
    fill(byId('in-words'), ...game.tell(state.at, viewer, sideNames).map((text) => html('li', { dir: 'ltr' }, isolated(text, [...sideNames, ...names]))));
    const slider = byId('slider');
    slider.value = String(state.at);
    slider.setAttribute('aria-valuetext', `${say('step.of', { at: state.at + 1, count: game.count })}: ${banner}`);
    for (const button of document.querySelectorAll('[data-action=toggle]')) {
      button.setAttribute('aria-label', say(state.playing ? 'action.pause' : 'action.toggle'));
      button.classList.toggle('playing', state.playing);
    }
    markHistory(byId('history'), state.at, before === null);
    if (before !== null && state.at === before.at + 1) animate(byId('board'), state.playing ? 350 : 240);
    clearTimeout(timer);
    if (state.playing) timer = setTimeout(() => act({ type: 'tick' }), stayOf(state, sentences.join('').length));
  };

  const act = (action) => {
    const before = state;
    state = played(state, action);
    if (state === before) return;
    for (const input of document.querySelectorAll('input[name=view]')) input.checked = input.value === state.view;
    byId('speed').value = String(state.speed);
    draw(before);
  };

  listen(act, byId, game.seats);
  draw(null);
  return act;
}

// Mark the lines of the step that is shown, and keep them in sight without moving the page: the last of them whole, as
// far as the first one stays.
function markHistory(list, at, first) {
  let shown = null;
  let end = 0;
  for (const button of list.querySelectorAll('button[data-at]')) {
    const here = Number(button.dataset.at) === at;
    button.parentElement.classList.toggle('current', here);
    button.tabIndex = here ? 0 : -1;
    if (here) {
      button.setAttribute('aria-current', 'step');
      shown ??= button;
      end = button.offsetTop + button.offsetHeight;
    } else button.removeAttribute('aria-current');
  }
  if (shown === null || list.scrollHeight <= list.clientHeight) return;
  const top = Math.min(Math.max(shown.offsetTop - list.clientHeight / 3, end + 8 - list.clientHeight), shown.offsetTop - 40);
  const calm = first || matchMedia('(prefers-reduced-motion: reduce)').matches;
  list.scrollTo({ top, behavior: calm ? 'auto' : 'smooth' });
}

// Whether an element that has the focus does something with a key by itself.
function hasKeyOfItsOwn(element, key) {
  if (element.matches('input[type=radio]')) return key.startsWith('Arrow');
  if (element.matches('input[type=range]')) return /^(Arrow|Home|End|Page)/.test(key);
  return element.matches('input, select') || key === ' ' || key === 'Enter';
}

function listen(act, byId, seats) {
  byId('controls').addEventListener('click', (event) => {
    const action = event.target.closest('[data-action]')?.dataset.action;
    if (action !== undefined) act({ type: action });
  });
  byId('views').addEventListener('change', (event) => act({ type: 'view', view: event.target.value }));
  byId('slider').addEventListener('input', (event) => act({ type: 'to', at: Number(event.target.value) }));
  byId('controls').addEventListener('change', (event) => act({ type: 'speed', speed: Number(event.target.value) }));
  byId('history').addEventListener('click', (event) => {
    const line = event.target.closest('button[data-at]');
    if (line !== null) act({ type: 'to', at: Number(line.dataset.at) });
  });
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
    const on = event.target.closest?.('input, select, summary, button, a');
    if (on !== null && on !== undefined && hasKeyOfItsOwn(on, event.key)) return;
    const action = actionOfKey(event.key, seats);
    if (action === null) return;
    event.preventDefault();
    act(action);
    if (on?.matches('#history button')) byId('history').querySelector('[aria-current]')?.focus({ preventScroll: true });
  });
  swipes(byId('board'), act);
}

// On a touch screen: a swipe over the board goes a step on or back.
function swipes(board, act) {
  let start = null;
  board.addEventListener('touchstart', (event) => {
    start = event.touches.length === 1 ? event.touches[0] : null;
  }, { passive: true });
  board.addEventListener('touchend', (event) => {
    if (start === null) return;
    const [x, y] = [event.changedTouches[0].clientX - start.clientX, event.changedTouches[0].clientY - start.clientY];
    start = null;
    if (Math.abs(x) > 40 && Math.abs(x) > 2 * Math.abs(y)) act({ type: x < 0 ? 'next' : 'back' });
  }, { passive: true });
}
