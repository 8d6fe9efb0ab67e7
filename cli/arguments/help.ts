import { type CommandName, commandNames, entryOf, globalFlags, HELP } from './command-table.js';
import { wrapped } from '../output/printable-text.js';
import { EXIT_MEANINGS } from '../problem.js';
import { PROGRAM } from './program.js';
import type { Output } from '../output/terminal.js';

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
  const { summary, operands, flags, details = [], examples } = entryOf(name);
  const usage = [PROGRAM, name, operands.usage, Object.keys(flags).length > 0 && '[flags]'].filter(Boolean).join(' ');
  return [
    `${summary}.`,
    '',
    out.style('bold', 'Usage'),
    `  ${usage}`,
    '',
    out.style('bold', 'Flags'),
    ...flagLines(out, { ...flags, ...HELP }),
    ...details.flatMap((paragraph) => ['', paragraph.startsWith(' ') ? paragraph : wrapped(paragraph, out.width)]),
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
