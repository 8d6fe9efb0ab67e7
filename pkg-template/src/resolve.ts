/**
 * Decides what is written for a value of the caller: a primitive, an object to walk, or a *placeholder* for a value that
 * JSON cannot represent, `{"\u0000":"KIND"}`, which the core reports as an issue with code and pointer.
 *
 * JSON.stringify is not enough: it throws for bigint, cycles and getters that throw, silently turns NaN and holes into null,
 * which the service would read as 0, and can't be stopped.
 */

export const PLACEHOLDER_START = '{"\\u0000":';

/** One of the four below and nothing else, so that no object of a caller is mistaken for one. */
export interface Placeholder {
  readonly json: string;
}

/** Without a prototype, so that it does not look like a record of a caller. */
function placeholder(kind: string): Placeholder {
  return { __proto__: null, json: `${PLACEHOLDER_START}"${kind}"}` } as Placeholder;
}

export const NOT_FINITE = /* @__PURE__ */ placeholder('not_finite');
export const NOT_JSON = /* @__PURE__ */ placeholder('not_json');
export const TOO_DEEP = /* @__PURE__ */ placeholder('too_deep');
export const TOO_LARGE = /* @__PURE__ */ placeholder('too_large');

export function isPlaceholder(value: unknown): value is Placeholder {
  return value === NOT_JSON || value === NOT_FINITE || value === TOO_DEEP || value === TOO_LARGE;
}

/** Returns the names of the members, or the length of a list; a proxy may throw, or lie about its length. */
export function memberNames(value: object): string[] | number | Placeholder {
  try {
    if (!Array.isArray(value)) return Object.keys(value);
    const length: unknown = value.length;
    return typeof length === 'number' && length >= 0 ? length : NOT_JSON;
  } catch {
    return NOT_JSON;
  }
}

/** Reads a member or an entry; returns a placeholder if a getter or a proxy throws. */
export function read(holder: object, key: string | number): unknown {
  try {
    return (holder as Record<string | number, unknown>)[key];
  } catch {
    return NOT_JSON;
  }
}

/** Returns what is written for a value: a primitive, an object to walk, a placeholder, or undefined for an absent one. */
export function resolve(value: unknown, key: string | number, decimal: boolean): unknown {
  switch (typeof value) {
    case 'function':
    case 'symbol':
      return NOT_JSON;
    case 'bigint':
      return decimal ? String(value) : value;
    case 'object':
      if (value === null || isPlaceholder(value)) return value;
      try {
        return resolveObject(value, key, decimal);
      } catch {
        return NOT_JSON; // toJSON, toFixed, valueOf or a proxy threw
      }
    default:
      return value;
  }
}

function resolveObject(value: object, key: string | number, decimal: boolean): unknown {
  const own = unwrap(value);
  if (own !== value) return own;
  if (decimal && isDecimal(value)) return resolve(value.toFixed(), key, false);
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON !== 'function') return refuse(value);
  const json: unknown = ArrayBuffer.isView(value) ? value : toJSON.call(value, String(key));
  if (typeof json === 'object' && json !== null) return refuse(unwrap(json));
  return resolve(json, key, decimal);
}

/** Unwraps boxed primitives as JSON.stringify does; an invalid date is a placeholder, not null. */
function unwrap(value: object): unknown {
  if (isPlain(value)) return value;
  switch (tag(value)) {
    case 'Number':
      return Number(value);
    case 'String':
      return String(value);
    case 'Boolean':
    case 'BigInt':
      return value.valueOf();
    case 'Date':
      return Number.isNaN(Number(value)) ? NOT_JSON : value;
    default:
      return value;
  }
}

/** Rejects objects whose content is not in members: they would be written as an empty record. */
function refuse(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || isPlain(value)) return value;
  return ArrayBuffer.isView(value) || CONTAINERS.has(tag(value)) ? NOT_JSON : value;
}

const CONTAINERS: ReadonlySet<string> = new Set([
  'Map',
  'Set',
  'WeakMap',
  'WeakSet',
  'WeakRef',
  'Promise',
  'ArrayBuffer',
  'SharedArrayBuffer',
]);

/** Returns true for a decimal of decimal.js, big.js or bignumber.js (D8). */
function isDecimal(value: object): value is { toFixed(): unknown } {
  return 'toFixed' in value && typeof value.toFixed === 'function';
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null;
}

function tag(value: object): string {
  return Object.prototype.toString.call(value).slice('[object '.length, -1);
}
