import { entryReasons, type Explanation, pauseCauses } from 'sales-order-intake/outbox';
import { EXIT_MEANINGS } from '../problem.js';
import { type CodeEntry, documented, exampleOf, type IssueExample, type Source } from './issue-code-table.js';

/** The states that `outbox list` and the relay show: reasons of entries, and causes of pauses. */
const STATES: Readonly<Record<string, Readonly<Explanation>>> = { ...entryReasons, ...pauseCauses };

export const stateNames = Object.keys(STATES);

/** An explanation, as `explain --json` prints it. */
export type Explained =
  | { exitCode: number; meaning: string }
  | ({ reason: string } & Explanation)
  | ({ cause: string } & Explanation)
  | (CodeEntry & Partial<Omit<IssueExample, 'code'>>)
  | Source;

/** Returns everything with this name: a number can be an exit code and a section. */
export function explanationsOf(word: string): Explained[] {
  const found: Explained[] = [];
  const [exit, lines] = Object.entries(EXIT_MEANINGS).find(([code]) => code === word) ?? [];
  if (lines) {
    const meaning = `${lines.join(' ')}.`.replace(/^./, (first) => first.toUpperCase());
    found.push({ exitCode: Number(exit), meaning });
  }
  const entry = documented(word);
  const state = stateNames.find((name) => name.toLowerCase() === word.toLowerCase());
  if (entry && 'code' in entry) found.push({ ...entry, ...exampleOf(entry.code) });
  else if (state !== undefined) {
    const { meaning, remedy } = STATES[state] as Explanation;
    found.push(state in pauseCauses ? { cause: state, meaning, remedy } : { reason: state, meaning, remedy });
  } else if (entry) found.push(entry);
  return found;
}
