import { similarName } from '../pkg-template/src/similar-name.js';

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
  const meant = similarName(word, words);
  return usageProblem(message, meant === undefined ? otherwise : `Did you mean ${meant}?`);
}
