import { OptionError, type PreviewOptions, validateOrder } from 'sales-order-intake';
import type { Invocation } from './invocation.js';
import { usageProblem } from '../problem.js';
import { showReading } from '../output/progress.js';
import { parsedJson, positionIn } from '../files/json-location.js';
import { ordersOf } from '../files/orders.js';
import type { SourceOrder } from '../files/source-order.js';
import { type Stream, wholeText } from '../files/text-chunks.js';

/** Reads the orders of a file as the flags say, one at a time, and shows how far it is. */
export function ordersIn(
  file: string,
  invocation: Invocation,
  options: PreviewOptions = {},
): Promise<Stream<SourceOrder>> {
  showReading(invocation.terminal);
  return ordersOf(file, options, invocation.text('map'), invocation.text('format'));
}

/** Returns the package's options from `--options`, `--v2` and `--strict`. @throws Problem with the position of a wrong option. */
export async function orderOptions(invocation: Invocation): Promise<PreviewOptions> {
  const flags = {
    ...(invocation.has('v2') && ({ version: 'v2' } as const)),
    ...(invocation.has('strict') && { strict: true }),
  };
  const file = invocation.text('options');
  if (file === undefined) return flags;
  const json = await wholeText(file);
  const options = parsedJson(file, json) as PreviewOptions;
  try {
    validateOrder('{}', options);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    const [, ...segments] = error.option.split('/');
    const path = segments.map((segment) =>
      /^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    throw usageProblem(`${positionIn(file, json, path, 'value')}: ${error.message}`);
  }
  return { ...options, ...flags };
}
