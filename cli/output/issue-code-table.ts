import type { IssueCode } from 'sales-order-intake';
import { docUrl } from '../../pkg-template/src/doc-url.js';
import decisionTable from '../../docs/reference/decisions.md';
import codeTable from '../../src/issue-codes.md';
import examples from '../../examples/issue-examples.json';
import { FILE_CODES } from '../files/file-issue-codes.js';
import type { IssueExample } from './issue-example.js';

/** What is documented about an issue code. */
export interface CodeEntry {
  code: string;
  severity: 'error' | 'warning' | 'notice';
  meaning: string;
  /** Sections of the specification and decisions, such as `§4` and `D3`. */
  sources: readonly string[];
  /** The address of its page, if it has one. */
  docUrl?: string | undefined;
}

export interface Decision {
  name: string;
  question: string;
  decision: string;
}

/** Every code: those of the package in the order of the table, then those of files. */
export const codeEntries: CodeEntry[] = [
  ...[...codeTable.matchAll(/^\| `(\w+)` \| (\w+) \| (.*) \| (.*) \| (.*) \|$/gm)].map(
    ([, code = '', severity, meaning = '', , sources = '']) => ({
      code,
      severity: severity as CodeEntry['severity'],
      meaning: meaning.replaceAll('`', ''),
      sources: sources.split(', '),
      docUrl: docUrl(code as IssueCode),
    }),
  ),
  ...Object.entries(FILE_CODES).map(([code, entry]) => ({ code, ...entry })),
];

/** The decisions where the specification is silent. */
export const decisions: Decision[] = [...decisionTable.matchAll(/^\| .*?(D\d+) \| (.*?) \| (.*?) \| .* \|$/gm)].map(
  ([, name = '', question = '', decision = '']) => ({
    name,
    question: plain(question),
    decision: plain(decision),
  }),
);

/** A section of the specification. */
export interface Section {
  name: string;
  content: string;
}

/** The sections of the specification. A row can contain several. */
export const sections: Section[] = [...decisionTable.matchAll(/^\| <a id="s[^|]*>([\d., ]+) \| (.*) \|$/gm)].flatMap(
  ([, numbers = '', content = '']) =>
    numbers.split(', ').map((number) => ({ name: `§${number}`, content: plain(content) })),
);

export function exampleOf(code: string): IssueExample | undefined {
  return (examples as unknown as IssueExample[]).find((example) => example.code === code);
}

function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '');
}
