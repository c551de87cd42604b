import type { Play } from "./play.js";
import { HashTable } from "./hashes.js";
export class CardTable extends HashTable { constructor(play: Play) { super(play); } }
