import {
  evaluateOrder,
  type Issue,
  type PreviewOptions,
  readError,
  readOrder,
  validateOrder,
} from 'sales-order-intake';
import { codeFrame, COLOURS } from '../output/issue-text.js';
import { EXIT, type ExitCode, type Problem, unknownWord } from '../problem.js';
import type { Invocation } from '../arguments/invocation.js';
import {
  codeEntries,
  type CodeEntry,
  exampleOf,
  type IssueTrigger,
  TRIGGERS,
  type Explained,
  explanationsOf,
  knownWords,
} from '../output/explanation.js';
import { textTable, wrapped } from '../output/printable-text.js';
import { CALLED } from '../arguments/program.js';
import { spanOfValue } from '../files/json-location.js';
import type { Output } from '../output/terminal.js';

/** Functions that return the package's issues for the example of a trigger, if the issue has a position in it. */
const REPORTS: { [Trigger in IssueTrigger]?: (json: string, options?: PreviewOptions) => readonly Issue[] } = {
  order: (json, options) => [...evaluateOrder(json, options).issues, ...validateOrder(json, options).issues],
  response: (json) => readOrder(json).issues,
  'error-response': (json) => readError(json).issues,
};
const FIXED: { [Trigger in IssueTrigger]?: string } = {
  response: 'A response without it',
  'created-response': 'The order that was sent',
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out } = invocation.terminal;
  const asJson = invocation.has('json');
  const word = invocation.operand;
  if (word === '') {
    if (asJson) for (const entry of codeEntries) out.json(entry);
    else out.line(listOfCodes(out));
    return EXIT.done;
  }
  const found = explanationsOf(word);
  if (found.length === 0) throw unknownName(word);
  for (const [index, each] of found.entries()) {
    if (asJson) out.json(each.json);
    else if (each.code) explainCode(each.code, out);
    else out.line(`${index > 0 ? '\n' : ''}${explained(each, out)}`);
  }
  return EXIT.done;
}

function explained({ title, paragraphs }: Explained, out: Output): string {
  return `${out.style('bold', title)}\n${paragraphs.map((each) => wrapped(each, out.width)).join('\n\n')}`;
}

function unknownName(word: string): Problem {
  const message = `there is no issue code, reason, cause, exit code, decision or section ${word}`;
  return unknownWord(message, word, knownWords, `${CALLED} explain lists all codes.`);
}

function listOfCodes(out: Output): string {
  const width = Math.max(...codeEntries.map(({ code }) => code.length));
  const rows = codeEntries.map(({ code, severity, meaning }) => [code, severity, meaning]);
  // In a file or a pipe no meaning needs to be cut.
  const most = out.isTerminal ? Math.max(30, out.width - width - 12) : Number.POSITIVE_INFINITY;
  return textTable(rows, [{}, {}, { most }]).join('\n');
}

function explainCode({ code, severity, meaning, sources, docUrl }: CodeEntry, out: Output): void {
  const example = exampleOf(code);
  const paragraph = (text: string) => out.line(`${wrapped(text, out.width)}\n`);
  out.line(`${out.style('bold', code)}  ${out.style(COLOURS[severity], severity)}\n`);
  paragraph(meaning);
  if (example) {
    const { advice, trigger = 'order', version, fixed, fixedOptions } = example;
    const order = textOf(example.order);
    const options = version ? { version: `v${version}` as const, ...example.options } : example.options;
    paragraph(advice);
    part(TRIGGERS[trigger], order, options);
    const issue = REPORTS[trigger]?.(order, options).find((each) => each.code === code);
    if (issue) out.line(`${reportText(issue, trigger === 'order' ? order : undefined, out)}\n`);
    part(FIXED[trigger] ?? 'Corrected', textOf(fixed), fixedOptions);
  }
  if (sources.length > 0)
    out.line(sources.map((name) => explanationsOf(name).map((each) => explained(each, out))[0] ?? name).join('\n\n'));
  if (docUrl) out.line(`\n${docUrl}`);

  function part(title: string, text: string, options: object | undefined): void {
    out.line(out.style('bold', `${title}:`));
    out.line(`${indented(text === '' ? '(an empty body)' : text)}\n`);
    if (options) out.line(`${out.style('dim', 'with the options')} ${JSON.stringify(options)}\n`);
  }
}

/** Shows an issue. If it is about a value of an order, that value is underlined. */
function reportText({ severity, message, hint, path }: Issue, order: string | undefined, out: Output): string {
  const lines = [`${out.style(COLOURS[severity], `${severity}:`)} ${message}`];
  if (hint) lines.push(`  hint: ${hint}`);
  if (order !== undefined && path.length > 0) {
    lines.push(codeFrame(spanOfValue(order, path, 'value'), out, COLOURS[severity]));
  }
  return lines.join('\n');
}

function textOf(order: object | string): string {
  return typeof order === 'string' ? order : JSON.stringify(order, null, 2);
}

function indented(text: string): string {
  return text.replace(/^(?=.)/gm, '  ');
}
