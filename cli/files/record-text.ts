/** The core reads at most 32 MiB. It reports a longer text as too large without looking into it. */
export const MOST_CHARACTERS = 1 << 25;

/**
 * The text of an order while it is read, piece by piece. Of a text that is too long for the core it keeps one character more
 * than the core reads: the order is reported as too large, and the rest of the file is read.
 */
export class RecordText {
  #pieces: string[] = [];
  #length = 0;

  add(piece: string): void {
    if (piece === '' || this.#length > MOST_CHARACTERS) return;
    this.#pieces.push(piece.length > MOST_CHARACTERS ? piece.slice(0, MOST_CHARACTERS + 1) : piece);
    this.#length += piece.length;
  }

  /** Returns the text, and begins the next one. */
  take(): string {
    const [first = ''] = this.#pieces;
    const text = this.#pieces.length < 2 ? first : this.#pieces.join('');
    this.#pieces = [];
    this.#length = 0;
    return text;
  }
}
