// The events of a game, for the marks on the timeline and the jumps between them: from observations alone.

// By step: {kind, seat} or null.  `kind`: "day", "agent", "fight", "flag", "end"; `seat`: whose event it is, or
// null.  `observations`: by step, as anybody sees them; `unfinished`: whether the last one stands for a step that the
// record leaves unfinished.
export function momentsOf(observations, unfinished = false) {
  return observations.map((seen, at) => {
    if (unfinished && at === observations.length - 1) return null;
    if (seen.ended !== null) return { kind: 'end', seat: seen.ended.winners.length === 1 ? seen.ended.winners[0] : null };
    return MOMENTS[seen.game](seen, observations[at - 1]);
  });
}

// The step to open a game at: the last one, or the one before where the last only began a day.
export function openingStep(moments) {
  const last = moments.length - 1;
  return last > 0 && moments[last]?.kind === 'day' ? last - 1 : last;
}

function fightIn(seen) {
  const report = seen.report;
  if (report === null || report.attacker === null) return null;
  const winner = { won: report.seat, lost: 1 - report.seat, flag: report.seat }[report.result] ?? null;
  return { kind: report.result === 'flag' ? 'flag' : 'fight', seat: winner };
}

function dayOrPush(seen, before) {
  if (before === undefined || seen.day !== before.day) return { kind: 'day', seat: null };
  const pushes = (seen.report?.effects ?? []).filter((effect) => ['agent', 'undone', 'flag'].includes(effect.kind));
  if (pushes.length === 0) return null;
  return { kind: pushes.some((effect) => effect.kind === 'flag') ? 'flag' : 'agent', seat: pushes[0].side };
}

const ACT_KINDS = { won: 'fight', lost: 'fight', both: 'fight', hit: 'fight', flag: 'flag', 'betrayed-flag': 'flag', 'flag-back': 'flag', out: 'day', left: 'day' };

function actOrRound(seen, before) {
  const events = seen.report.filter((event) => ACT_KINDS[event.kind] !== undefined);
  const event = events.find(({ kind }) => ACT_KINDS[kind] === 'flag') ?? events[0];
  if (event !== undefined) {
    const winner = { lost: event.other, both: null }[event.kind];
    return { kind: ACT_KINDS[event.kind], seat: winner === undefined ? event.seat : winner };
  }
  return before === undefined || seen.round !== before.round ? { kind: 'day', seat: null } : null;
}

const SPY_KINDS = { captured: 'fight', killed: 'fight', counterspy: 'fight', escapes: 'fight', cashes: 'flag', controls: 'agent', intercepts: 'agent', left: 'day' };

function eventOrYear(seen, before) {
  const events = seen.report.filter((event) => SPY_KINDS[event.kind] !== undefined);
  const event = events.find(({ kind }) => SPY_KINDS[kind] === 'flag') ?? events[0];
  if (event !== undefined) return { kind: SPY_KINDS[event.kind], seat: seen.runs[event.power] ?? null };
  return before === undefined || seen.year !== before.year ? { kind: 'day', seat: null } : null;
}

const MOMENTS = { stratego: fightIn, 'spies-and-lies': dayOrPush, conquest: actOrRound, spies: eventOrYear };
