import { codeEntries } from '../../output/issue-code-table.js';
import { entryOf, type CommandName, type Flag } from '../command-table.js';

/** The words that a command's operands can be; undefined if they are files, and empty if there are none. */
export function operandWords(name: CommandName): readonly string[] | undefined {
  const { are } = entryOf(name).operands;
  if (are === 'files') return name === 'outbox' ? ['list', 'retry', 'cancel', 'forget', 'replace'] : undefined;
  if (are === 'codes') return codeEntries.map(({ code }) => code);
  return are === 'none' ? [] : are;
}

/** Returns true if the operands of a command can be files. */
export function takesFiles(name: CommandName): boolean {
  return entryOf(name).operands.are === 'files';
}

export function flagsOf(name: CommandName): [string, Flag][] {
  const help: Flag = { type: 'boolean', short: 'h', about: 'Show this help.' };
  return Object.entries({ ...entryOf(name).flags, help });
}
