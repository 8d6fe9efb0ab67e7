/**
 * Reporter of Node's test runner: prints failures, with what their file wrote, and what was skipped. Writes every test with
 * its duration to the file that the variable TESTS names, one JSON object a line.
 */
import { appendFileSync } from 'node:fs';
import { relative } from 'node:path';
import { inspect } from 'node:util';

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  /** The output of each file, printed only if one of its tests fails. */
  const written = new Map();
  const failed = new Set();
  const suites = new Map();
  for await (const { type, data } of events) {
    const file = data.file && relative('', data.file);
    if (type === 'test:stdout' || type === 'test:stderr') written.set(file, (written.get(file) ?? '') + data.message);
    if (type === 'test:start') suites.set(`${file} ${data.nesting}`, data.name);
    if (type !== 'test:pass' && type !== 'test:fail') continue;
    const isSuite = data.details.type === 'suite';
    const name = [...titlesAbove(suites, file, data.nesting), data.name].join(' › ');
    const skipped = data.skip === undefined ? undefined : data.skip || 'without a reason';
    const passed = type === 'test:pass';
    const { duration_ms: ms, error } = data.details;
    if (!isSuite) record({ file, name, ms, passed, skipped, error: messageOf(error) });
    if (passed || error?.failureType === 'subtestsFailed') continue;
    failed.add(file);
    yield `\n✖ ${file}${data.line ? `:${data.line}` : ''}\n  ${name}\n${indented(inspect(error?.cause ?? error))}\n`;
  }
  for (const file of failed) if (written.get(file)) yield `\n${file} wrote:\n${indented(written.get(file))}\n`;
}

function titlesAbove(suites, file, nesting) {
  return Array.from({ length: nesting }, (_, level) => suites.get(`${file} ${level}`)).filter(Boolean);
}

const messageOf = (error) => error && String(error.cause?.message ?? error.message);

function record(test) {
  if (process.env.TESTS) appendFileSync(process.env.TESTS, `${JSON.stringify(test)}\n`);
}

const indented = (text) => text.trimEnd().replace(/^/gm, '    ');
