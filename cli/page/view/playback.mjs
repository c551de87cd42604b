// The place of a viewer in a game: a value, and a pure function from a place and an action to the next place.

export const SPEEDS = [0.5, 1, 2, 4];

// `moments`: the numbers of the steps that are events, ascending; `at`: a step from 0 to `last`; `seats`: how many have
// eyes; `sits`: whether a viewer sits at the bottom, as seats of two sides do.
export function playbackOf(count, moments, at = count - 1, seats = 2, sits = true) {
  const last = Math.max(count - 1, 0);
  return {
    last,
    moments: [...moments],
    at: clamped(at, last),
    playing: false,
    speed: SPEEDS.indexOf(1),
    view: 'all',
    views: ['all', ...Array.from({ length: seats }, (_, seat) => String(seat)), 'nobody'],
    sits,
    turned: false,
  };
}

function clamped(at, last) {
  return Number.isInteger(at) ? Math.min(Math.max(at, 0), last) : last;
}

// The next value.  Actions: {type: "next" | "back" | "first" | "last" | "event" | "event back" | "toggle" |
// "pause" | "tick" | "faster" | "slower" | "turn"}, {type: "to", at}, {type: "view", view}, {type: "speed", speed}.
// Whatever a viewer does by hand ends the autoplay, but for speed and view.
export function played(state, action) {
  const to = (at) => ({ ...state, at: clamped(at, state.last), playing: false });
  switch (action.type) {
    case 'next':
      return to(state.at + 1);
    case 'back':
      return to(state.at - 1);
    case 'first':
      return to(0);
    case 'last':
      return to(state.last);
    case 'to':
      return to(action.at);
    case 'event':
      return to(state.moments.find((moment) => moment > state.at) ?? state.last);
    case 'event back':
      return to(state.moments.findLast((moment) => moment < state.at) ?? 0);
    case 'pause':
      return { ...state, playing: false };
    case 'toggle':
      if (state.playing) return { ...state, playing: false };
      return { ...state, playing: state.last > 0, at: state.at === state.last ? 0 : state.at };
    case 'tick': {
      if (!state.playing) return state;
      const at = Math.min(state.at + 1, state.last);
      return { ...state, at, playing: at < state.last };
    }
    case 'faster':
      return { ...state, speed: Math.min(state.speed + 1, SPEEDS.length - 1) };
    case 'slower':
      return { ...state, speed: Math.max(state.speed - 1, 0) };
    case 'speed':
      return SPEEDS[action.speed] === undefined ? state : { ...state, speed: action.speed };
    case 'view':
      return state.views.includes(action.view) ? { ...state, view: action.view } : state;
    case 'turn':
      return { ...state, turned: !state.turned };
    default:
      return state;
  }
}

// The side at the bottom of the board, 0 or 1.
export function bottomSeat(state) {
  const side = state.sits && typeof viewerOf(state) === 'number' ? viewerOf(state) % 2 : 0;
  return state.turned ? 1 - side : side;
}

// The viewer as the rulebooks' observation takes it: a seat, "all" or "nobody".
export function viewerOf({ view }) {
  return view === 'all' || view === 'nobody' ? view : Number(view);
}

// Milliseconds that a step of autoplay stays: events and long sentences stay longer.
export function stayOf(state, letters) {
  const event = state.moments.includes(state.at) ? 500 : 0;
  return Math.round((900 + event + 12 * Math.min(letters, 240)) / SPEEDS[state.speed]);
}

// The action of a key, or null.  `key` is KeyboardEvent.key; chords never reach this.  `seats`: of the game; each has a
// number, and the next two are all open and nobody's eyes.
export function actionOfKey(key, seats = 2) {
  if (/^[1-9]$/.test(key)) {
    const view = [...Array.from({ length: seats }, (_, seat) => String(seat)), 'all', 'nobody'][Number(key) - 1];
    return view === undefined ? null : { type: 'view', view };
  }
  return Object.hasOwn(KEY_ACTIONS, key) ? KEY_ACTIONS[key] : null;
}

const KEY_ACTIONS = {
  ArrowRight: { type: 'next' },
  l: { type: 'next' },
  j: { type: 'next' },
  ArrowLeft: { type: 'back' },
  h: { type: 'back' },
  k: { type: 'back' },
  ArrowDown: { type: 'event' },
  n: { type: 'event' },
  ArrowUp: { type: 'event back' },
  p: { type: 'event back' },
  Home: { type: 'first' },
  End: { type: 'last' },
  ' ': { type: 'toggle' },
  '+': { type: 'faster' },
  '-': { type: 'slower' },
  t: { type: 'turn' },
};
