/** Decides whether two orders are equal (D28), as src/canonical.rs does for the reference service. */
import { OrderValidationError, prepareRequest } from 'sales-order-intake';
import { memberOf } from '../www/options/check.js';

/** Members of an order for which null equals absent, by their pointers. */
const NULLABLE = ['/FirstName', '/LastName', '/CustomerId', '/Discount', '/Taxes'];
/** The same, in orders whose Discount and Taxes records are read. In passthrough records null is a value. */
const NULLABLE_IF_STRICT = [...NULLABLE, '/Discount/InvoiceLevel'];

/**
 * Returns true if two bodies with the same Id are the same order, however their members are written. The version of the
 * operation does not count, and neither do the options that the orders were read with.
 */
export function isSameOrder(body: string, other: string): boolean {
  return body === other || orderValue(body) === orderValue(other);
}

/**
 * Returns a string that equal orders share: numbers count by value, null equals absent in members that may be null, and
 * the order of members does not count. The records Discount and Taxes are read if that gives a valid order.
 *
 * @param body What prepareRequest returned for the order.
 */
export function orderValue(body: string): string {
  try {
    return valueOfBody(prepareRequest(body, { allowEmptyTaxes: true }).body, NULLABLE_IF_STRICT);
  } catch (error) {
    if (!(error instanceof OrderValidationError)) throw error;
    return valueOfBody(body, NULLABLE);
  }
}

/** Returns the value of a body in which GUIDs have one form, decimals are numbers, and read-only members are absent. */
function valueOfBody(body: string, nullable: readonly string[]): string {
  return new ValueReader(body, nullable).read('');
}

const TOKEN = /"[^"\\]*(?:\\.[^"\\]*)*"|[[\]{}]|[^\s,:[\]{}"]+/g;

/** Reads valid JSON by its tokens: JSON.parse would lose digits of decimals, and members that appear twice. */
class ValueReader {
  readonly #tokens: readonly string[];
  readonly #nullable: readonly string[];
  #next = 0;

  constructor(json: string, nullable: readonly string[]) {
    this.#tokens = json.match(TOKEN) ?? [];
    this.#nullable = nullable;
  }

  /** Reads the value at this pointer; the core permits 64 levels, so the recursion is bounded. */
  read(pointer: string): string {
    const token = this.#take();
    if (token === '{') return this.#members(pointer);
    if (token === '[') return this.#elements(pointer);
    if (token.startsWith('"')) return stringValue(token);
    return /^[-\d]/.test(token) ? numberValue(token) : token;
  }

  #members(pointer: string): string {
    const members: [name: string, value: string][] = [];
    for (let token = this.#take(); token !== '}'; token = this.#take()) {
      const below = memberOf(pointer, JSON.parse(token) as string);
      const value = this.read(below);
      if (value !== 'null' || !this.#nullable.includes(below)) members.push([stringValue(token), value]);
    }
    // A name may appear twice in an unknown member: the sorting is stable.
    members.sort(([name], [other]) => (name < other ? -1 : Number(name > other)));
    return `{${members.map((member) => member.join(':')).join()}}`;
  }

  #elements(pointer: string): string {
    const elements: string[] = [];
    while (this.#tokens[this.#next] !== ']') elements.push(this.read(`${pointer}/-`));
    this.#next++;
    return `[${elements.join()}]`;
  }

  #take(): string {
    const token = this.#tokens[this.#next++];
    if (token === undefined) throw new SyntaxError('the JSON has ended early');
    return token;
  }
}

/** Returns a string with one form of every escape. */
function stringValue(token: string): string {
  return token.includes('\\') ? JSON.stringify(JSON.parse(token)) : token;
}

/** Returns a number as its digits and an exponent, without zeros at either end: `-3.50` becomes `-35e-1`. */
function numberValue(token: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e\+?(.+))?$/i.exec(token) ?? [];
  const all = `${whole}${fraction}`;
  const digits = all.replace(/0+$/, '');
  const significant = digits.replace(/^0+/, '');
  // Of any length: a number of JavaScript would make large exponents equal.
  const shift = BigInt(exponent) - BigInt(fraction.length) + BigInt(all.length - digits.length);
  return significant === '' ? '0' : `${sign}${significant}e${shift}`;
}
