/** The fast lane: an order is written, judged and, if it is plain, its results are built here; null leaves it to the general path. */
import { judge } from '../loader.js';
import { type Setting, settingOf } from './setting.js';
import { type PlainBody, writeBody } from './writer.js';

/** A plain order. */
export interface PlainOrder {
  body: string;
  setting: Setting;
  flags: number;
  taxIds: readonly string[];
  /** The amounts, valid until the next call. */
  numbers: Float64Array;
}

export function judged(input: unknown, options: unknown, onPart?: (lines: Float64Array) => void): PlainOrder | null {
  let setting: Setting | null;
  let written: PlainBody | null;
  try {
    // In this order, like the general path.
    written = writeBody(input);
    setting = written && settingOf(options);
  } catch {
    // A getter or a proxy threw: the general path reports where.
    return null;
  }
  if (written === null || setting === null) return null;
  const { parts, pairs, taxIds } = written;
  const judgement = judge(parts, pairs, setting.code, onPart);
  if (judgement === null) return null;
  return { body: joined(parts), setting, taxIds, ...judgement };
}

function joined(parts: readonly string[]): string {
  return parts.length === 1 ? (parts[0] as string) : parts.join('');
}
