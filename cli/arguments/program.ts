import { CONTROL } from '../output/printable-text.js';

/** The name of the program, for scripts and usage. */
export const PROGRAM = 'sales-order-intake';

/** The program as the user has called it, for commands to copy: after `npx` its name alone would not be found. */
export const CALLED = process.env.npm_command === 'exec' ? `npx ${PROGRAM}` : PROGRAM;

/** Quotes a word for a POSIX shell, if it needs quotes. Control characters are written as octal bytes: $'…\\302\\233…'. */
export function shellWord(word: string): string {
  if (word.search(CONTROL) >= 0) {
    const escaped = word.replace(/[\\']/g, '\\$&').replace(CONTROL, octal);
    return `$'${escaped}'`;
  }
  return /^[\w./:=@%+,-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

function octal(character: string): string {
  return [...Buffer.from(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
}

/** The build replaces it. */
declare const PACKAGE_VERSION: string;

/** Returns the version of the package that the program is part of. */
export function packageVersion(): string {
  return PACKAGE_VERSION;
}
