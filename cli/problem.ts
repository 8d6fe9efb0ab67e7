/** Exit codes, the same for every command. They are part of the public contract. */
export const EXIT = {
  /** Done, nothing wrong. */
  done: 0,
  /** Some orders are invalid or were refused, or a file can't be read as orders. */
  invalid: 1,
  /** Unknown command or flag, missing file, or something that this Node lacks. */
  usage: 2,
  /** The service refused the token. */
  authentication: 4,
  /** Some orders are not settled yet: run it again; or stalled: see `outbox FILE list --state stalled`. */
  unknown: 5,
} as const;

export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** The meanings of the exit codes, in the lines of the help. */
export const EXIT_MEANINGS: Readonly<Record<ExitCode, readonly string[]>> = {
  0: ['done, nothing wrong'],
  1: ['some orders are invalid or were refused, or a file can’t be read as orders'],
  2: ['usage: unknown command, flag, missing file'],
  4: ['the service refused the token'],
  5: ['some orders are not settled yet: run it again;', 'or they have stalled: see outbox FILE list --state stalled'],
};

/** A failure that the user can do something about. Its message is complete, so no stack trace is shown. */
export class Problem extends Error {
  override readonly name = 'Problem';
  readonly exitCode: ExitCode;
  readonly hint: string | undefined;

  constructor(message: string, exitCode: ExitCode, hint?: string) {
    super(message);
    this.exitCode = exitCode;
    this.hint = hint;
  }
}

/** A mistake in the command itself. */
export function usageProblem(message: string, hint?: string): Problem {
  return new Problem(message, EXIT.usage, hint);
}

/** A file that can't be read as orders. */
export function fileProblem(message: string, hint?: string): Problem {
  return new Problem(message, EXIT.invalid, hint);
}

/** Returns the problem of an unknown word. The hint is the known word that was probably meant, or `otherwise`. */
export function unknownWord(message: string, word: string, words: readonly string[], otherwise?: string): Problem {
  const plain = (each: string) => each.toLowerCase().replace(/^--/, '').replaceAll('-', '_');
  const meant = words
    .map((each) => ({ each, distance: distanceOf(plain(word), plain(each)) }))
    .reduce((nearest, other) => (other.distance < nearest.distance ? other : nearest));
  const isNear = meant.distance <= Math.max(1, Math.floor(plain(word).length / 3));
  return usageProblem(message, isNear ? `Did you mean ${meant.each}?` : otherwise);
}

/** Counts the letters to insert, delete, replace or swap (optimal string alignment). */
function distanceOf(a: string, b: string): number {
  const rows: number[][] = [];
  // From an empty word, or to one.
  const at = (i: number, j: number) => rows[i]?.[j] ?? Math.max(i, j);
  for (let i = 1; i <= a.length; i++) {
    const row: number[] = [];
    rows[i] = row;
    for (let j = 1; j <= b.length; j++) {
      const isSame = a[i - 1] === b[j - 1];
      const least = Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + (isSame ? 0 : 1));
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      row[j] = isSwapped ? Math.min(least, at(i - 2, j - 2) + 1) : least;
    }
  }
  return at(a.length, b.length);
}
