import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { IssueCode, PreviewOptions, Severity } from 'sales-order-intake';
import { FILE_CODES } from '../files/source-order.js';
import { docUrl } from '../../pkg-template/src/doc-url.js';
import examples from '../../examples/issue-examples.json';
import { entryReasons, type Explanation, pauseCauses } from 'sales-order-intake/outbox';
import { EXIT_MEANINGS } from '../problem.js';

/** The documentation of an issue code. */
export interface CodeEntry {
  code: string;
  severity: Severity;
  meaning: string;
  /** Sections of the specification and decisions, such as `§4` and `D3`. */
  sources: readonly string[];
  /** The address of its page, if it has one. */
  docUrl?: string | undefined;
}

const PACKAGE = dirname(createRequire(import.meta.url).resolve('sales-order-intake/package.json'));
const textOfPackage = (name: string) => readFileSync(join(PACKAGE, name), 'utf8');
const codeTable = textOfPackage('ISSUE-CODES.md');
const decisions = textOfPackage('DECISIONS.md');

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

/** What `explain` says about a word. */
export interface Explained {
  /** As `explain --json` prints it. */
  json: object;
  title: string;
  paragraphs: readonly string[];
  /** An issue code has more to show. */
  code?: CodeEntry;
}

/**
 * Decisions where the specification is silent, and its sections, by names such as `D18` and `§2.1`. A decision is below its
 * heading. A row of the table of sections can be about several of them.
 */
const sources = new Map<string, Explained>();
for (const [, name = '', asked = '', decided = ''] of decisions.matchAll(
  /^### <a id="d\d+"><\/a>(D\d+) (.*)\n\n([\s\S]*?)(?=\n\n#)/gm,
)) {
  const [question, decision] = [plain(asked), plain(decided)];
  const paragraphs = decision.split('\n\n');
  sources.set(name, { json: { name, question, decision }, title: `${name} ${question}`, paragraphs });
}
for (const [, numbers = '', text = ''] of decisions.matchAll(/^\| <a id="s[^|]*>([\d., ]+) \| (.*) \|$/gm)) {
  const content = plain(text);
  for (const name of numbers.split(', ').map((number) => `§${number}`))
    sources.set(name, { json: { name, content }, title: `${name} of the specification`, paragraphs: [content] });
}

export function exampleOf(code: string): IssueExample | undefined {
  return (examples as unknown as IssueExample[]).find((example) => example.code === code);
}

/** Returns the text of Markdown, each paragraph in one line. */
function plain(markdown: string): string {
  return markdown.replace(/[`*]/g, '').replace(/([^\n])\n(?!\n)/g, '$1 ');
}

/**
 * An entry of examples/issue-examples.json: an order that causes an issue, and the corrected one. A code may have none; its
 * page then shows an order of the vectors.
 */
interface IssueExample {
  code: IssueCode;
  /** Why it matters and what to do, in one or two sentences. */
  advice: string;
  /** @default 'order' */
  trigger?: IssueTrigger;
  /** @default 3 */
  version?: 2 | 3;
  /** Options with which the order has the issue. */
  options?: PreviewOptions;
  /** What causes the issue. A string is JSON, or what `trigger` says. */
  order: object | string;
  /** The corrected order; for the trigger `response`, a response without the issue. */
  fixed: object;
  /** Options with which the corrected order does not have the issue. */
  fixedOptions?: PreviewOptions;
}

/** What the `order` of an example is, and how `explain` introduces it. */
export const TRIGGERS = {
  /** An order, as JSON. */
  order: 'An order with this issue',
  /** An order that only a program can have: a JavaScript expression. */
  javascript: 'A JavaScript value with this issue',
  /** The body of a response that reports success. */
  response: 'A response with this issue',
  /** The body of a response to the order `fixed`. */
  'created-response': 'A response with this issue, to the order below',
  /** The body of a response that reports an error. */
  'error-response': 'The response of a service that causes it',
  /** An order without an Id, which buildOrder makes on a platform without secure random numbers. */
  'no-random-source': 'An order that has the issue on a platform without secure random numbers',
};

export type IssueTrigger = keyof typeof TRIGGERS;

/** The states that `outbox list` and the relay show: reasons of entries, and causes of pauses. */
const STATES: Readonly<Record<string, Readonly<Explanation>>> = { ...entryReasons, ...pauseCauses };

/** The words that have an explanation, besides exit codes. */
export const knownWords = [...codeEntries.map(({ code }) => code), ...Object.keys(STATES), ...sources.keys()];

/** Returns everything with this name: a number can be an exit code and a section. */
export function explanationsOf(word: string): Explained[] {
  const found: Explained[] = [];
  const [exit, lines] = Object.entries(EXIT_MEANINGS).find(([code]) => code === word) ?? [];
  if (lines) {
    const meaning = `${lines.join(' ')}.`.replace(/^./, (first) => first.toUpperCase());
    found.push({ json: { exitCode: Number(exit), meaning }, title: `Exit code ${exit}`, paragraphs: [meaning] });
  }
  const entry = codeEntries.find(({ code }) => code === word.toLowerCase().replaceAll('-', '_'));
  const [state, explanation] = Object.entries(STATES).find(([name]) => name.toLowerCase() === word.toLowerCase()) ?? [];
  const source = sources.get(word.toUpperCase()) ?? sources.get(word) ?? sources.get(`§${word}`);
  if (entry) found.push({ json: { ...entry, ...exampleOf(entry.code) }, title: word, paragraphs: [], code: entry });
  else if (state && explanation) {
    const { meaning, remedy } = explanation;
    const kind = state in pauseCauses ? 'cause' : 'reason';
    found.push({ json: { [kind]: state, meaning, remedy }, title: state, paragraphs: [meaning, remedy] });
  } else if (source) found.push(source);
  return found;
}
