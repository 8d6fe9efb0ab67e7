import { EXIT, type ExitCode } from './exit-code.js';

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
