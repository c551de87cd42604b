// spec/stratego.md: Stratego, two seats.

import { broken, Ended, integerOf, oneOf, type Game, type Part, type Rules } from "../asks.js";

const [FLAG, SPY, SCOUT, MINER, MARSHAL, BOMB] = [0, 1, 2, 3, 10, 11];
const FACES = Array.from({ length: 12 }, (_, face) => face);
/** The faces in the order of the table of armies. */
const COLUMNS = [10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 11, 0];
const ARMIES = new Map([
  ["quickplay", [1, 1, 1, 1, 2, 2, 2, 2, 4, 1, 2, 1]],
  ["classic", [1, 1, 2, 3, 4, 4, 4, 5, 8, 1, 6, 1]],
  ["barrage", [1, 1, 0, 0, 0, 0, 0, 1, 2, 1, 1, 1]],
  ["duel", [1, 1, 0, 0, 0, 0, 0, 2, 2, 1, 2, 1]],
]);
const SIZE = 10;
const PLACES = 40;
const LONGEST = 100_000;
const COLUMN_LETTERS = "abcdefghij";
const CRATERS = new Set(["c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"].map(squareOf));
const DIRECTIONS = [[1, 0], [-1, 0], [0, 1], [0, -1]];

function squareOf(name: string): number {
  return (Number(name.slice(1)) - 1) * SIZE + COLUMN_LETTERS.indexOf(name[0]);
}

function nameOf(square: number): string {
  return COLUMN_LETTERS[square % SIZE] + String(Math.floor(square / SIZE) + 1);
}

function beside(square: number, [dx, dy]: number[]): number | null {
  const [x, y] = [(square % SIZE) + dx, Math.floor(square / SIZE) + dy];
  return x < 0 || x >= SIZE || y < 0 || y >= SIZE ? null : y * SIZE + x;
}

function neighbours(square: number): number[] {
  return DIRECTIONS.map((direction) => beside(square, direction)).filter((other) => other !== null);
}

/** By face how many, or null if the text names no army. */
function readArmy(text: string): number[] | null {
  let counts = ARMIES.get(text) ?? null;
  if (counts === null) {
    if (!/^(0|[1-9][0-9]?)(-(0|[1-9][0-9]?)){11}$/.test(text)) return null;
    counts = text.split("-").map(Number);
    const named = [...ARMIES.values()].some((army) => army.join("-") === text);
    const pieces = counts.reduce((sum, number) => sum + number);
    const immobile = counts[10] + counts[11];
    if (named || counts[11] !== 1 || pieces < 2 || pieces > PLACES || pieces === immobile) return null;
  }
  return FACES.map((face) => counts[COLUMNS.indexOf(face)]);
}

type Piece = { slot: number; side: number; face: number | null; moved: boolean; square: number | null };
type Move = { piece: Piece; from: number; to: number };

class Board {
  private readonly army: number[];
  private readonly quiet: number;
  private readonly tournament: boolean;
  private readonly pieces: Piece[] = [];
  private readonly at = new Map<number, Piece>();
  /** By side the squares of the piece that it moved last, in its moves without another one's in between. */
  private readonly tracks: { piece: Piece | null; squares: number[] }[] = [0, 1].map(() => ({ piece: null, squares: [] }));
  private readonly chase = [0, 0];
  private readonly lastMoves: ({ from: number; to: number } | null)[] = [null, null];
  /** Boards since the last attack, by square the slot. */
  private boards: Map<number, number>[] = [];
  private quietMoves = 0;
  private moves = 0;

  constructor(army: number[], quiet: number, tournament: boolean) {
    this.army = army;
    this.quiet = quiet;
    this.tournament = tournament;
  }

  *play(first: number): Rules {
    yield* this.setUp();
    let side = first;
    this.boards = [this.board()];
    for (;;) {
      const legal = this.legal(side);
      const answer: string = yield { ask: "choose", seat: side, options: this.options(side, legal) };
      if (answer === "none") {
        yield* this.claimNone(side);
        yield* this.afterNone(1 - side);
      }
      yield* this.carryOut(legal.get(answer)!);
      if (this.moves >= LONGEST) throw new Ended([], "long-draw");
      side = 1 - side;
    }
  }

  private *setUp(): Part<void> {
    const faces = FACES.flatMap((face) => Array.from({ length: this.army[face] }, () => face));
    const slots = (side: number) => faces.map((_, k) => side * PLACES + k);
    yield {
      ask: "together",
      asks: [0, 1].map((seat) => ({ ask: "commit", seat, slots: slots(seat), faces, exactly: true, chosen: true }) as const),
    };
    let places: number[][] = [0, 1].map(() => slots(0));
    if (faces.length < PLACES) {
      const options = {
        has: (word: string) => /^squares [0-9a-f]{10}$/.test(word) && filled(word).length === faces.length,
      };
      const words: string[] = yield {
        ask: "together",
        asks: [0, 1].map((seat) => ({ ask: "choose", seat, options }) as const),
      };
      places = words.map(filled);
    }
    for (const side of [0, 1]) {
      places[side].forEach((place, k) => {
        // Blue sees the board from the other end.
        const square = side === 0 ? place : SIZE * SIZE - 1 - place;
        const piece: Piece = { slot: side * PLACES + k, side, face: null, moved: false, square };
        this.pieces.push(piece);
        this.at.set(square, piece);
      });
    }
  }

  private alive(side: number): Piece[] {
    return this.pieces.filter((piece) => piece.side === side && piece.square !== null);
  }

  private shown(side: number, face: number): number {
    return this.pieces.filter((piece) => piece.side === side && piece.face === face).length;
  }

  /** Bombs and flag that are still closed. */
  private immobileLeft(side: number): number {
    return this.army[BOMB] + this.army[FLAG] - this.shown(side, BOMB) - this.shown(side, FLAG);
  }

  private unmoved(side: number): Piece[] {
    return this.alive(side).filter((piece) => piece.face === null && !piece.moved);
  }

  // Section 3, as the two squares and the pursuit allow. `runs`: also more than one square.
  private movesOf(piece: Piece, runs: boolean): Move[] {
    const moves: Move[] = [];
    for (const direction of DIRECTIONS) {
      let to = beside(piece.square!, direction);
      while (to !== null && !CRATERS.has(to)) {
        const there = this.at.get(to);
        if (there?.side === piece.side) break;
        const move = { piece, from: piece.square!, to };
        if (this.isAllowed(move)) moves.push(move);
        if (there !== undefined || !runs) break;
        to = beside(to, direction);
      }
    }
    return moves;
  }

  private canRun(side: number): boolean {
    return this.shown(side, SCOUT) < this.army[SCOUT];
  }

  // Section 2, "Which moves are options", by their names.
  private legal(side: number): Map<string, Move> {
    const unmovedMove = this.unmoved(side).length > this.immobileLeft(side);
    const legal = new Map<string, Move>();
    for (const piece of this.alive(side)) {
      if (piece.face === FLAG || piece.face === BOMB) continue;
      if (piece.face === null && !piece.moved && !unmovedMove) continue;
      const runs = piece.face === null ? this.canRun(side) : piece.face === SCOUT;
      for (const move of this.movesOf(piece, runs)) legal.set(nameOf(move.from) + nameOf(move.to), move);
    }
    return legal;
  }

  private options(side: number, legal: Map<string, Move>): Set<string> {
    const words = new Set(legal.keys());
    if (!this.surelyMoves(side)) words.add("none");
    return words;
  }

  /** Everybody can see a move. */
  private surelyMoves(side: number): boolean {
    const known = this.alive(side).filter((piece) => (piece.face === null ? piece.moved : piece.face !== FLAG && piece.face !== BOMB));
    if (known.some((piece) => this.movesOf(piece, piece.face === SCOUT).length > 0)) return true;
    const free = this.unmoved(side).filter((piece) => this.movesOf(piece, false).length > 0);
    return free.length > this.immobileLeft(side);
  }

  private *claimNone(side: number): Part<void> {
    const closed = this.alive(side).filter((piece) => piece.face === null);
    const free = closed.filter((piece) => this.movesOf(piece, false).length > 0);
    const running = closed.filter((piece) => !free.includes(piece) && this.movesOf(piece, true).length > 0);
    yield* this.claim(side, "false-no-move", free, [FLAG, BOMB]);
    yield* this.claim(side, "false-no-move", running, FACES.filter((face) => face !== SCOUT));
  }

  private *claim(seat: number, rule: string, pieces: Piece[], faces: number[]): Part<void> {
    const slots = pieces.sort((a, b) => a.square! - b.square!).map(({ slot }) => slot);
    if (slots.length > 0) yield { ask: "claim", seat, rule, slots, faces };
  }

  private *afterNone(other: number): Part<never> {
    if (this.surelyMoves(other)) throw new Ended([other], "no-moves");
    const legal = this.legal(other);
    const answer: string = yield { ask: "choose", seat: other, options: this.options(other, legal) };
    if (answer === "none") {
      yield* this.claimNone(other);
      throw new Ended([], "draw");
    }
    yield* this.carryOut(legal.get(answer)!, false);
    throw new Ended([other], "no-moves");
  }

  private *open(piece: Piece, mover: boolean, ran: boolean): Part<void> {
    if (piece.face !== null) return;
    piece.face = yield { ask: "open", slot: piece.slot };
    const face = piece.face!;
    if (this.shown(piece.side, face) > this.army[face]) throw broken(piece.side, "wrong-faces");
    if ((face === FLAG || face === BOMB) && (piece.moved || mover)) throw broken(piece.side, "bomb-or-flag-moved");
    if (ran && face !== SCOUT) throw broken(piece.side, "ran-but-no-scout");
  }

  private *carryOut({ piece, from, to }: Move, mayDraw = true): Part<void> {
    const ran = !neighbours(from).includes(to);
    const target = this.at.get(to) ?? null;
    if (ran || target !== null) yield* this.open(piece, true, ran);
    if (target !== null) yield* this.open(target, false, false);
    if (piece.face === null && !piece.moved) {
      yield* this.claim(piece.side, "bomb-or-flag-moved", [piece], FACES.filter((face) => face !== FLAG && face !== BOMB));
    }
    piece.moved = true;
    this.track(piece, from, to);
    this.pursue(piece.side, from, to, target !== null);
    this.at.delete(from);
    piece.square = null;
    if (target === null) {
      this.place(piece, to);
    } else {
      this.fight(piece, target, to);
    }
    this.recordChase(piece.side, to, target !== null);
    this.moves += 1;
    this.quietMoves = target === null ? this.quietMoves + 1 : 0;
    if (mayDraw && this.quiet > 0 && this.quietMoves >= this.quiet) throw new Ended([], "quiet-draw");
  }

  private place(piece: Piece, square: number): void {
    piece.square = square;
    this.at.set(square, piece);
  }

  private fight(attacker: Piece, defender: Piece, square: number): void {
    if (defender.face === FLAG) throw new Ended([attacker.side], "flag");
    const [a, d] = [attacker.face!, defender.face!];
    const wins = d === BOMB ? a === MINER : a > d || (a === SPY && d === MARSHAL);
    if (d === BOMB && !wins) return;
    if (wins || a === d) {
      defender.square = null;
      this.at.delete(square);
    }
    if (wins) this.place(attacker, square);
  }

  // Two squares.

  private track(piece: Piece, from: number, to: number): void {
    const track = this.tracks[piece.side];
    if (track.piece !== piece) {
      track.piece = piece;
      track.squares = [from];
    }
    track.squares.push(to);
  }

  private isAllowed(move: Move): boolean {
    return !this.isTwoSquares(move) && !this.isPursuit(move);
  }

  private isTwoSquares({ piece, to }: Move): boolean {
    const { piece: last, squares } = this.tracks[piece.side];
    if (last !== piece || squares.length < 4) return false;
    const [d, c, b, a] = squares.slice(-4);
    if (to === b && a === c && b === d) return true;
    return this.tournament && isStretched([a, b, c, d, to]);
  }

  // Pursuit.

  private board(): Map<number, number> {
    return new Map([...this.at].map(([square, piece]) => [square, piece.slot]));
  }

  // Rule 1.
  private pursue(side: number, from: number, to: number, attack: boolean): void {
    const other = this.lastMoves[1 - side];
    if (attack) {
      this.chase[0] = 0;
      this.chase[1] = 0;
    } else {
      this.chase[1 - side] = other !== null && neighbours(other.to).includes(from) ? this.chase[1 - side] + 1 : 0;
    }
    this.lastMoves[side] = { from, to };
  }

  // Rule 2, behind the move.
  private recordChase(side: number, to: number, attack: boolean): void {
    this.chase[side] = this.threatens(side, to) ? this.chase[side] + 1 : 0;
    if (attack) this.boards = [];
    this.boards.push(this.board());
  }

  private threatens(side: number, square: number): boolean {
    return neighbours(square).some((next) => this.at.get(next)?.side === 1 - side);
  }

  // Rule 3.
  private isPursuit({ piece, from, to }: Move): boolean {
    const counter = this.chase[piece.side];
    if (counter < 2 || this.at.has(to) || !this.threatens(piece.side, to)) return false;
    const last = this.lastMoves[piece.side];
    if (last !== null && last.from === to && last.to === from) return false;
    const after = this.board();
    after.delete(from);
    after.set(to, piece.slot);
    const present = this.boards.length - 1;
    for (let k = 1; k <= counter - 1 && present - k >= 0; k += 1) {
      if (this.areAlike(after, this.boards[present - k])) return true;
    }
    return false;
  }

  private areAlike(board: Map<number, number>, other: Map<number, number>): boolean {
    return board.size === other.size && [...board].every(([square, slot]) => {
      const there = other.get(square);
      return there !== undefined && (there === slot || this.isLike(slot, there));
    });
  }

  private isLike(slot: number, other: number): boolean {
    const [a, b] = [slot, other].map((number) => this.pieces.find((piece) => piece.slot === number)!);
    return a.side === b.side && a.face !== null && a.face === b.face;
  }
}

/** The places whose bits are set, ascending. */
function filled(word: string): number[] {
  const bits = BigInt("0x" + word.slice(8));
  return Array.from({ length: PLACES }, (_, place) => place).filter((place) => (bits >> BigInt(place)) & 1n);
}

/** Under `tournament`: the last four squares and the target on one line, and the line is stretched. */
function isStretched(squares: number[]): boolean {
  const columns = squares.map((square) => square % SIZE);
  const rows = squares.map((square) => Math.floor(square / SIZE));
  const line = new Set(columns).size === 1 ? rows : new Set(rows).size === 1 ? columns : null;
  if (line === null) return false;
  return [line, line.map((coordinate) => -coordinate)].some(
    ([a, b, c, d, n]) => d < c && c > b && b < a && d < a && n < Math.min(a, c),
  );
}

export const stratego: Game = {
  name: "stratego",
  version: 2,
  options: [
    { name: "army", allows: (value) => typeof value === "string" && readArmy(value) !== null },
    oneOf("first", "red", "blue"),
    integerOf("quiet", 0, 1000),
    oneOf("shuttle", "letter", "tournament"),
  ],
  needsProofs: false,
  talk: false,
  sides: (seats) => (seats === 2 ? [0, 1] : null),
  *rules(options) {
    const army = readArmy(options.get("army") as string)!;
    const board = new Board(army, options.get("quiet") as number, options.get("shuttle") === "tournament");
    yield* board.play(options.get("first") === "red" ? 0 : 1);
  },
};
