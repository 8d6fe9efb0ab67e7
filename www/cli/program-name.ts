/** The name of the program, for scripts and usage. */
export const PROGRAM = 'sales-order-intake';

/** The program as the user has called it, for commands to copy: after `npx` its name alone would not be found. */
export const CALLED = process.env.npm_command === 'exec' ? `npx ${PROGRAM}` : PROGRAM;

/** Quotes a word for a POSIX shell, if it needs quotes. */
export function shellWord(word: string): string {
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
