/**
 * Writes an order as the JSON of its request body: the members of the specification in its order, then unknown members in
 * the order of the caller.
 *
 * Most strings are written raw, without a look at their characters (members.ts). The core counts the quotes and backslashes
 * that it reads, and rejects JSON that has another number of them, a control character or U+FFFD, which a lone surrogate
 * becomes. Then {@link escaped} returns the JSON with escapes.
 */
import { encodeText, limited, quote } from './json.js';
import { type OrderWriting, RAW_UNIT, recordJson } from './members.js';
import { DECIMALS, orderJson } from './record-writers.js';

/** JSON for the core. */
export interface Written {
  readonly text: string;
  /**
   * The number of quotes and backslashes outside raw strings. The JSON has exactly as many if no raw string has one. -1 if no
   * string is raw, so there is nothing to count.
   */
  readonly marks: number;
  /** The locations of the raw strings: only the first `rawCount` numbers are valid. */
  readonly raw: readonly number[] | undefined;
  readonly rawCount: number;
}

const ORDER_DECIMALS: ReadonlySet<string> = /* @__PURE__ */ new Set(DECIMALS);

/** The orders of one program are alike: once one has needed escapes, long texts of later ones are escaped at once. */
let hasRawTexts = true;
let escapedOrders = 0;
/** Orders that are escaped at once after one whose short strings needed escapes. */
const ESCAPED_ORDERS = 8;

/**
 * Returns the JSON of the order that a caller passes: JSON already, or any other value. `options` are those of the call, as JSON.
 */
export function writeInput(order: unknown, options: string): Written {
  // A string that says so would have escapes.
  const passes = options.includes('"records":"passthrough"');
  return typeof order === 'string' ? ofJson(encodeText(order)) : writeOrder(order, passes);
}

/** Returns JSON in which no string is raw: that which a caller gave, or which the core has read before. */
export function ofJson(text: string): Written {
  return { text, marks: -1, raw: undefined, rawCount: 0 };
}

/**
 * Returns the JSON of an order, which may be any value. A string is a value too, not JSON. `passes`: the records that are not published
 * are sent unread.
 */
export function writeOrder(order: unknown, passes = false): Written {
  const hasRaw = escapedOrders === 0;
  if (!hasRaw) escapedOrders--;
  const writing = newOrderWriting(hasRaw, passes);
  const json = recordJson(writing, order, '', orderJson, '}');
  const text = limited(json, writing);
  const { raw, rawCount, marks } = writing;
  return rawCount > 0 && text === json ? { text, marks, raw, rawCount } : ofJson(text);
}

/** Returns the same JSON with every raw string escaped. Does not read the caller's objects again. */
export function escaped({ text, raw, rawCount }: Written): Written {
  if (!hasRawTexts) escapedOrders = ESCAPED_ORDERS;
  hasRawTexts = false;
  const writing = newOrderWriting(false);
  let json = '';
  let end = 0;
  for (let i = 0; i < rawCount; i++) {
    const stored = raw?.[i] as number;
    const start = Math.floor(stored / RAW_UNIT);
    json += text.slice(end, start - 1);
    end = start + (stored % RAW_UNIT) + 1;
    json += quote(writing, text.slice(start, end - 1));
  }
  return ofJson(limited(json + text.slice(end)));
}

function newOrderWriting(hasRaw: boolean, passes = false): OrderWriting {
  return {
    decimals: ORDER_DECIMALS,
    ancestors: [],
    spent: 0,
    marks: 0,
    plain: isObjectExtended() ? undefined : Object.prototype,
    raw: hasRaw ? new Array<number>(32) : undefined,
    rawCount: 0,
    hasRawTexts,
    at: 0,
    passesThrough: passes,
  };
}

/** Returns true if a program added members to all objects, which then seem to be members of the order. */
function isObjectExtended(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}
