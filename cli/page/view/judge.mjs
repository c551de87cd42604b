// The meaning of a check for a reader: whether the page may show the game, and the words for it.  Pure functions.

import {harmlessName, listing} from './words.mjs';

/** Bytes of the longest transcript that is checked here; a longer one is refused before it is read. */
export const LONGEST_CHECKED = 4_000_000;

/**
 * Why the page must not show its game, as the name of a label; '' if it may.
 * @param {object} result Of `verify`.
 * @param {{sha256: string, verdict: string, id: string, winners: ?number[], fault: ?Array}} expected The findings of
 *   the program that wrote the page; of a fault: seat, what, number, rule.
 * @param {string} digest SHA-256 of the record in the page.
 * @param {number[]} steps By step of the page's words, the entry that completed it; 0 for one before the first.
 */
export function refusalOf(result, expected, digest, steps) {
  if (digest !== expected.sha256) return 'refused.changed';
  if (result.status === 'failed') return 'refused.failed';
  if (result.genesis === null || result.status === 'tampered') return 'refused.tampered';
  if (result.status !== expected.verdict || result.genesis.id !== expected.id) return 'refused.other';
  const won = result.outcome === null ? null : [...result.outcome.winners].sort();
  if (JSON.stringify(won) !== JSON.stringify(expected.winners)) return 'refused.other';
  const fault = result.culprit === null ? null : [result.culprit, result.place.what, result.place.number, result.rule];
  if (JSON.stringify(fault) !== JSON.stringify(expected.fault)) return 'refused.other';
  const reached = result.shown.map((position) => Math.max(position.entry, 0));
  if (steps.length !== reached.length || steps.some((entry, at) => entry !== reached[at])) return 'refused.words';
  return '';
}

/** The look of a verdict: 'passed', 'warned' or 'failed'. */
export function toneOf(status) {
  const tones = { complete: 'passed', incomplete: 'warned', unresponsive: 'warned', unsupported: 'warned' };
  return Object.hasOwn(tones, status) ? tones[status] : 'failed';
}

/** The progress of a check, in per cent. */
export function shareOf(progress) {
  return Math.min(Math.round((100 * progress.done) / Math.max(progress.total, 1)), 100);
}

/** The players as the page shows them, by seat: by the checked record alone, namesakes told apart by their seats. */
export function namesOf(result, say) {
  const names = result.genesis.players.map((player) => harmlessName(player.name));
  return new Set(names).size === names.length ? names : names.map((name, seat) => `${name} (${say(`seat.${seat}`)})`);
}

/** The winner, in a few words, by the checked record alone; without a proven winner, the players. */
export function resultOf(result, names, say) {
  const many = names.length > 2 ? '.many' : '';
  const fields = { player: names[0], other: names[1], all: listing(say, names) };
  if (result.status !== 'complete' || result.outcome === null) return say(`headline.played${many}`, fields);
  const { winners } = result.outcome;
  if (winners.length === 0 || winners.length === names.length) return say(`headline.drew${many}`, fields);
  const listed = (some) => listing(say, some.map((seat) => names[seat]));
  const losers = names.flatMap((_, seat) => (winners.includes(seat) ? [] : [seat]));
  return say(`headline.won${winners.length > 1 ? '.many' : ''}`, { winner: listed(winners), loser: listed(losers) });
}

/** A verdict with what it rests on, as sentences. */
export function verdictSentence(result, say) {
  const names = result.genesis?.players.map((player) => harmlessName(player.name)) ?? [];
  const parts = [say(`verdict.${result.status}`)];
  if (result.outcome !== null && result.status === 'complete') {
    const winners = result.outcome.winners;
    const listed = listing(say, winners.map((seat) => names[seat]));
    const won = say(winners.length === 1 ? 'outcome.won' : 'outcome.won.many', { name: listed });
    parts.push(winners.length === 0 ? say('outcome.draw') : won);
  }
  if (result.culprit !== null) parts.push(faultSentence(result, say));
  const takebacks = result.counts?.takebacks ?? 0;
  if (takebacks > 0) parts.push(say(`practice${takebacks === 1 ? '.one' : ''}`, { takebacks }));
  return parts.join(' ');
}

/** A fault: its seat, its place, and the broken rule. */
function faultSentence({ genesis, culprit, place, rule }, say) {
  const name = harmlessName(genesis.players[culprit].name);
  return say('fault', { name, place: say(`place.${place.what}`, { number: place.number }), rule: say(`rule.${rule}`) });
}

/** Why a check has failed: by whose fault, or at which record with nobody to blame. */
function failureSentence(result, say) {
  return result.culprit === null ? say('detail.failed', { number: result.at + 1 }) : faultSentence(result, say);
}

/** The checks with their details in the reader's words, by the counts that the check itself has made. */
export function rosterInWords(result, language, say) {
  const seats = result.genesis?.players.length ?? 0;
  const counts = { ...result.counts, seats, size: result.size.toLocaleString(language) };
  const there = result.checks.filter(({ name }) => !['claims', 'proofs'].includes(name) || counts[name] > 0);
  return there.map((check) => {
    if (check.state === 'failed') return { ...check, detail: failureSentence(result, say) };
    const count = { choices: counts.decisions, chance: counts.rolls, claims: counts.claims }[check.name];
    const endorsed = counts.endorsed > 0 ? '.endorsed' : '';
    const forms = { signatures: endorsed, proofs: endorsed, commitments: isFinal(result) ? '.final' : '' };
    const form = count === 1 ? '.one' : (forms[check.name] ?? '');
    const torn = check.name === 'file' && result.torn ? '.torn' : '';
    return { ...check, detail: say(`detail.${check.name}${form}${torn}`, counts) };
  });
}

/** Whether nothing can be opened any more. */
function isFinal(result) {
  return result.culprit !== null || result.status === 'complete';
}
