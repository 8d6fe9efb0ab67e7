import { commandNames, entryOf, type Flag } from '../command-table.js';
import { PROGRAM } from '../program-name.js';
import { flagsOf, operandWords, takesFiles } from './words.js';

/** Returns a script for fish. */
export function fishCompletion(): string {
  const isFirst = `-n '__fish_use_subcommand'`;
  return [
    `complete -c ${PROGRAM} -f`,
    ...commandNames.map((name) => `complete -c ${PROGRAM} ${isFirst} -a ${name} -d ${quoted(entryOf(name).summary)}`),
    ...commandNames.flatMap((name) => {
      const isHere = `-n '__fish_seen_subcommand_from ${name}'`;
      const words = operandWords(name) ?? [];
      return [
        ...(takesFiles(name) ? [`complete -c ${PROGRAM} ${isHere} -F`] : []),
        ...(words.length > 0 ? [`complete -c ${PROGRAM} ${isHere} -a ${quoted(words.join(' '))}`] : []),
        ...flagsOf(name).map(([flag, entry]) => `complete -c ${PROGRAM} ${isHere} ${specOf(flag, entry)}`),
      ];
    }),
  ].join('\n');
}

function specOf(flag: string, { type, short, about, choices, isFile }: Flag): string {
  const value = type === 'boolean' ? '' : choices ? ` -x -a ${quoted(choices.join(' '))}` : isFile ? ' -r -F' : ' -x';
  return `-l ${flag}${short ? ` -s ${short}` : ''}${value} -d ${quoted(about)}`;
}

function quoted(text: string): string {
  return `'${text.replace(/['\\]/g, '\\$&')}'`;
}
