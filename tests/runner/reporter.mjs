/** Reporter of Node's test runner: prints each test as a line of JSON, and what a file with a failure has written. */
import { relative } from 'node:path';
import { inspect } from 'node:util';

/** @param {AsyncIterable<{ type: string, data: any }>} events */
export default async function* report(events) {
  const written = {};
  const failed = new Set();
  for await (const { type, data } of events) {
    const file = data.file && relative('', data.file);
    if (/^test:std(out|err)$/.test(type)) written[file] = (written[file] ?? '') + data.message;
    if (!/^test:(pass|fail)$/.test(type)) continue;
    const { duration_ms: ms, error, type: kind } = data.details;
    const title = `${file}${data.line ? `:${data.line}` : ''}  ${data.name}`;
    const skipped = data.skip === undefined ? undefined : data.skip || 'without a reason';
    const isFailure = type === 'test:fail' && error?.failureType !== 'subtestsFailed';
    if (isFailure) failed.add(file);
    const failure = isFailure ? inspect(error?.cause ?? error) : undefined;
    if (isFailure || kind !== 'suite') yield `${JSON.stringify({ title, ms, skipped, failure })}\n`;
  }
  for (const file of failed) if (written[file]) yield `${file} has written:\n${written[file]}\n`;
}
