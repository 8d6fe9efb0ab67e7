import { OptionError, type PreviewOptions, validateOrder } from 'sales-order-intake';
import type { Invocation } from './invocation.js';
import { usageProblem } from '../problem.js';
import { locate } from '../files/json-location.js';
import type { SourceOptions } from '../files/order-source.js';
import { spanIn } from '../files/position.js';
import { wholeText } from '../files/text-chunks.js';

/** How the files of a command are read. */
export function sourceOptions(invocation: Invocation): SourceOptions {
  return { map: invocation.text('map'), format: invocation.text('format') };
}

/** The package's options, from `--options` and `--v2`. @throws Problem that names the position of a wrong option. */
export async function orderOptions(invocation: Invocation): Promise<PreviewOptions> {
  const version = invocation.has('v2') ? ({ version: 'v2' } as const) : {};
  const file = invocation.text('options');
  if (file === undefined) return version;
  const json = await wholeText(file);
  const options = parsed(file, json);
  try {
    validateOrder('{}', options);
  } catch (error) {
    if (!(error instanceof OptionError)) throw error;
    throw usageProblem(`${positionOf(file, json, error.option)}: ${error.message}`);
  }
  return { ...options, ...version };
}

function parsed(file: string, json: string): PreviewOptions {
  try {
    return JSON.parse(json) as PreviewOptions;
  } catch (error) {
    throw usageProblem(`${file} is not valid JSON: ${(error as Error).message}`);
  }
}

function positionOf(file: string, json: string, pointer: string): string {
  const path = pointer
    .split('/')
    .slice(1)
    .map((segment) => (/^\d+$/.test(segment) ? Number(segment) : segment.replaceAll('~1', '/').replaceAll('~0', '~')));
  const { start, end } = locate(json, path, 'value');
  const { line, column } = spanIn(json, { line: 1, column: 1 }, start, end);
  return `${file}:${line}:${column}`;
}
