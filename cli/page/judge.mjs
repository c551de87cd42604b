// What a check means to a reader: whether the page may show the game, and in which words.  Pure functions.

// Bytes of the longest transcript that is checked here; a longer one is refused before it is read.
export const LONGEST_CHECKED = 4_000_000;

// Why the page must not show its game, as the name of a label; "" if it may.  `expected`: the findings of the
// program that wrote the page; `steps`: by step of its words, the entry that completed it.
export function refusalOf(result, expected, digest, steps) {
  if (digest !== expected.sha256) return 'refused.changed';
  if (result.genesis === null || result.verdict === 'tampered') return 'refused.tampered';
  if (result.verdict !== expected.verdict || result.genesis.id !== expected.id) return 'refused.other';
  const won = result.outcome === null ? null : [...result.outcome.winners].sort();
  if (JSON.stringify(won) !== JSON.stringify(expected.winners)) return 'refused.other';
  const reached = result.shown.map((one) => one.entry);
  if (steps.length !== reached.length || steps.some((entry, at) => entry !== reached[at])) return 'refused.words';
  return '';
}

// How a verdict looks: "passed", "warned" or "failed".
export function toneOf(verdict) {
  return { complete: 'passed', incomplete: 'warned', unresponsive: 'warned' }[verdict] ?? 'failed';
}

// A verdict with what it rests on, as a sentence.
export function verdictSentence(result, say) {
  const names = result.genesis?.players.map((player) => player.name) ?? [];
  const parts = [say(`verdict.${result.verdict}`)];
  if (result.outcome !== null && result.outcome !== undefined && result.verdict === 'complete') {
    const winners = result.outcome.winners;
    parts.push(winners.length === 1 ? say('outcome.won', { name: names[winners[0]] }) : say('outcome.draw'));
  }
  if (result.culprit !== null && result.culprit !== undefined) {
    parts.push(say('fault', { name: names[result.culprit] ?? result.culprit, place: result.place ?? '', rule: result.rule ?? '' }));
  }
  return parts.join(' ');
}
