// Acts: steps of the rules that change a state as they go, and can be stopped; Conquest and SPIES! are played so.

/** The act ends here: the game is over, or the player whose act it is has left. */
export class ActStopped extends Error {}

/** A list with another value at one place. */
export function withAt(list, at, value) {
  return list.map((old, place) => (place === at ? value : old));
}

/** The state behind the steps of an act, or behind as many as there were before it was stopped. */
export function* playAct(act, steps) {
  try {
    yield* steps(act);
  } catch (error) {
    if (!(error instanceof ActStopped)) {
      throw error;
    }
  }
  return Object.freeze(act.state);
}
