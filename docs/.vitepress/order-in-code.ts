/** Finds the order in the code of an example, of which nothing else runs. */
import { runInNewContext } from 'node:vm';

export interface OrderInCode {
  order: Record<string, unknown>;
  options: Record<string, unknown>;
}

/** Any name has a function as its value: JSON leaves it out. */
const ANY_NAME = new Proxy({}, { has: () => true, get: (_, name) => name !== Symbol.unscopables && (() => {}) });

/** Returns the first object literal that has `Items`, and the constant `options`; null if there is no order. */
export function orderInCode(code: string): OrderInCode | null {
  const order = objectAt(code, /\{(?=[^{}[\]]*\bItems: )/);
  if (!Array.isArray(order?.Items)) return null;
  return { order, options: objectAt(code, /(?<=\bconst options = )\{/) ?? {} };
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function objectAt(code: string, start: RegExp): Record<string, unknown> | undefined {
  const from = code.search(start);
  for (let end = code.indexOf('}', from); from >= 0 && end > 0; end = code.indexOf('}', end + 1)) {
    try {
      const literal = code.slice(from, end + 1);
      return JSON.parse(JSON.stringify(runInNewContext(`with (names) (${literal})`, { names: ANY_NAME })));
    } catch {
      // The object ends at a later brace.
    }
  }
  return undefined;
}
