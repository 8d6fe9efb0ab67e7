import { partsOf } from '../../pkg-template/src/json-parts.js';

/** JSON as it was written: every digit, every string and every repeated member stays. */
export type Json =
  | { type: 'value'; text: string }
  | { type: 'array'; items: readonly Json[] }
  | { type: 'object'; members: readonly Member[] };
export type Member = readonly [name: string, value: Json];

/** The core rejects an order that is nested more deeply (`too_deep`). */
const MOST_DEPTH = 64;

/** Returns null for text that is not JSON, or is nested too deeply to be read. */
export function parseJson(text: string): Json | null {
  try {
    JSON.parse(text);
    return parsed(text.trim(), 0);
  } catch {
    return null;
  }
}

function parsed(text: string, depth: number): Json {
  if (depth > MOST_DEPTH) throw new RangeError('nested too deeply');
  const parts = partsOf(text, 0).map(({ key, value: { start, end } }): Member => {
    return [`${key}`, parsed(text.slice(start, end), depth + 1)];
  });
  if (text.startsWith('[')) return { type: 'array', items: parts.map(([, item]) => item) };
  return text.startsWith('{') ? { type: 'object', members: parts } : { type: 'value', text };
}

/** Returns compact JSON; with `line`, a line break and the indentation of the value, JSON for people. */
export function jsonText(json: Json, line = ''): string {
  if (json.type === 'value') return json.text;
  const deeper = line && `${line}  `;
  const [open, close] = json.type === 'array' ? '[]' : '{}';
  const parts =
    json.type === 'array'
      ? json.items.map((item) => jsonText(item, deeper))
      : json.members.map(([name, value]) => `${JSON.stringify(name)}:${line && ' '}${jsonText(value, deeper)}`);
  return parts.length === 0 ? `${open}${close}` : `${open}${deeper}${parts.join(`,${deeper}`)}${line}${close}`;
}

/** Returns JSON with line breaks and indentation; what is not JSON as it is. */
export function indented(text: string): string {
  const json = parseJson(text);
  return json ? jsonText(json, '\n') : text;
}
