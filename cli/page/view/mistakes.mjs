// One player's costliest decisions as questions, with answers that the program judged when it made the page.
import {spokenOnly} from './art.mjs';
import {fill} from './mount.mjs';
import {html} from './tree.mjs';
import {isolated} from './words.mjs';

// The section, as trees.  `mistakes`: {seat, player, bot, questions: [{at, heading, asked, answers: [[text, [sentence]]],
// best: [sentence]}]}.
export function mistakesSection(mistakes, names, say) {
  const { bot, player, questions } = mistakes;
  return [
    html('h2', { id: 'mistakes-title' }, say('mistakes')),
    html('p', { class: 'source' }, isolated(say('mistakes.about', { bot, player }), names)),
    html('ol', { class: 'questions', role: 'list' }, questions.map((question, place) => questionOf(question, place, names, say))),
  ];
}

function questionOf(question, place, names, say) {
  const button = (what) => html('button', { type: 'button', 'data-mistake': what, 'data-question': place }, say(`mistakes.${what}`));
  const choices = question.answers.map(([text], at) => html('option', { value: at }, text));
  return html(
    'li',
    {},
    html('p', { dir: 'ltr' }, isolated(question.heading, names)),
    html('p', { class: 'asked', dir: 'ltr' }, isolated(question.asked, names)),
    html(
      'div',
      { class: 'tries' },
      button('board'),
      html('label', {}, spokenOnly(say('mistakes.answer')), html('select', { 'data-question': place }, html('option', { value: '' }, say('mistakes.choose')), choices)),
      button('best'),
    ),
    html('div', { id: `mistake-${place}`, class: 'worth', 'aria-live': 'polite' }),
  );
}

// What an answer, a number in a text, comes to: its sentences; none for no answer.
export function worthOfAnswer(question, answer) {
  return answer === '' ? [] : (question.answers[Number(answer)]?.[1] ?? []);
}

// Show the section in `place`, and obey its reader.  `act`: of the playback.
export function askAgain(place, mistakes, names, say, act) {
  fill(place, ...mistakesSection(mistakes, names, say));
  const show = (at, sentences) =>
    fill(document.getElementById(`mistake-${at}`), ...sentences.map((text) => html('p', { dir: 'ltr' }, isolated(text, names))));
  place.addEventListener('change', (event) => {
    const at = event.target.dataset.question;
    if (at !== undefined) show(at, worthOfAnswer(mistakes.questions[at], event.target.value));
  });
  place.addEventListener('click', (event) => {
    const button = event.target.closest('[data-mistake]');
    if (button === null) return;
    const question = mistakes.questions[button.dataset.question];
    if (button.dataset.mistake === 'best') {
      show(button.dataset.question, question.best);
      return;
    }
    act({ type: 'view', view: String(mistakes.seat) });
    act({ type: 'to', at: question.at });
    document.getElementById('game').scrollIntoView({ block: 'start' });
  });
}
