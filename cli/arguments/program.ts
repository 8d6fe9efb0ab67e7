import { type CommandName, commandNames, entryOf, globalFlags } from './command-table.js';
import { CONTROL, wrapped } from '../output/printable-text.js';
import { EXIT_MEANINGS } from '../problem.js';
import type { Output } from '../output/terminal.js';

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

/** Returns the help of the program: its commands, flags and exit codes. */
export function generalHelp(out: Output): string {
  const width = Math.max(...commandNames.map((name) => name.length));
  const lines = commandNames.map((name) => `  ${out.style('bold', name.padEnd(width))}  ${entryOf(name).summary}`);
  return [
    'Check, preview and send sales orders: PUT v2|v3/ServiceOrder({orderId}).',
    '',
    out.style('bold', 'Usage'),
    `  ${PROGRAM} COMMAND …`,
    `  ${PROGRAM} COMMAND --help`,
    '',
    out.style('bold', 'Commands'),
    ...lines,
    '',
    out.style('bold', 'Flags'),
    ...flagLines(out, globalFlags),
    '',
    out.style('bold', 'Exit codes'),
    ...Object.entries(EXIT_MEANINGS).map(([code, lines]) => `  ${code}  ${lines.join('\n     ')}`),
  ].join('\n');
}

export function commandHelp(name: CommandName, out: Output): string {
  const { summary, operands, flags, details, examples } = entryOf(name);
  const usage = [PROGRAM, name, operands, Object.keys(flags).length > 1 && '[flags]'].filter(Boolean).join(' ');
  return [
    `${summary}.`,
    '',
    out.style('bold', 'Usage'),
    `  ${usage}`,
    '',
    out.style('bold', 'Flags'),
    ...flagLines(out, flags),
    ...details.flatMap((paragraph) => [
      '',
      typeof paragraph === 'string' ? wrapped(paragraph, out.width) : paragraph.join('\n'),
    ]),
    '',
    out.style('bold', 'Examples'),
    ...examples.map((example) => `  ${PROGRAM} ${example}`),
  ].join('\n');
}

function flagLines(out: Output, flags: Readonly<Record<string, string>>): string[] {
  const rows = Object.entries(flags).map(([flag, about]) => ({
    flag: (flag.startsWith('--') ? `    ${flag}` : flag).replace(' …', ''),
    about,
  }));
  const width = Math.max(...rows.map(({ flag }) => flag.length));
  const indent = ' '.repeat(width + 4);
  return rows.map(({ flag, about }) => {
    const lines = wrapped(about, Math.max(40, out.width), indent).slice(indent.length);
    return `  ${out.style('bold', flag.padEnd(width))}  ${lines}`;
  });
}
