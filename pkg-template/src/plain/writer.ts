/**
 * Writes the request body of a plain order: an object with common members only, each read once.
 *
 * Strings are written without escaping and without a look at them; the core counts the quotes (src/plain.rs). Values are
 * not judged here. Everything uncommon is left to the general writer (encode.ts).
 */

/** The body of an order, not judged yet. */
export interface PlainBody {
  /** The text, in parts of whole items that fit the shared memory. */
  parts: readonly string[];
  /** The Id, undefined if there is none. */
  id: string | undefined;
  /** The number of pairs of quotes of all keys and string values. */
  pairs: number;
  /** The items; none if the order was given as JSON. */
  items: readonly unknown[];
  taxIds: readonly string[];
}

/** Items in a part. */
export const PART_ITEMS = 100;

/** The number of pairs of a body that the caller gave as JSON: no value was put between its quotes. */
export const ANY_PAIRS = 0xffff_ffff;

export const ID_START = '{"Id":"';
const ID_END = ID_START.length + 36;

const ORDER = [
  ...['Id', 'CompanyId', 'EntityId', 'FirstName', 'LastName', 'CustomerId', 'IntegratorId', 'Items'],
  ...['Discount', 'IsDelivery', 'Taxes', 'Notes', 'TimeSlotDisplayString'],
];
const ITEM = ['Name', 'CatalogItemId', 'Quantity', 'SellAtPricePerUnit', 'PackageId', 'Batch'];
const TAX = ['TaxId', 'TaxAmount'];

type Members = Record<string, unknown>;

/**
 * Returns the body of an order, null if it may not be plain. A getter or a proxy of the order may throw.
 *
 * @param items Replaces its own.
 */
export function writeBody(order: unknown, items?: readonly unknown[]): PlainBody | null {
  if (typeof order === 'string') return bodyFromJson(order);
  if (!isRecord(order) || isObjectExtended()) return null;
  const { Id, CompanyId, EntityId, FirstName, LastName, CustomerId, IntegratorId } = order;
  const { Items: own, Discount, IsDelivery, Taxes, Notes, TimeSlotDisplayString } = order;
  const Items = items ?? own;
  if (typeof CompanyId !== 'number' || typeof EntityId !== 'number' || typeof IntegratorId !== 'string') return null;
  if (!isList(Items)) return null;
  const body = new Writing();
  body.start(Id);
  body.text += `"CompanyId":${CompanyId},"EntityId":${EntityId}`;
  body.nullable(',"FirstName":', FirstName);
  body.nullable(',"LastName":', LastName);
  body.nullable(',"CustomerId":', CustomerId);
  body.text += `,"IntegratorId":"${IntegratorId}","Items":[`;
  body.members += 4;
  body.pairs += 5;
  if (!body.items(Items)) return null;
  if (Discount !== undefined) body.value(',"Discount":', Discount, Discount === null);
  if (IsDelivery !== undefined) body.value(',"IsDelivery":', IsDelivery, typeof IsDelivery === 'boolean');
  if (Taxes !== undefined) body.taxes(Taxes);
  body.string(',"Notes":', Notes);
  body.string(',"TimeSlotDisplayString":', TimeSlotDisplayString);
  if (!body.isPlain || !hasMembers(order, body.members, ORDER)) return null;
  body.parts.push(`${body.text}}`);
  return { parts: body.parts, id: body.id, pairs: body.pairs, items: Items, taxIds: body.taxIds };
}

/** JSON that may already be the body. */
function bodyFromJson(json: string): PlainBody | null {
  if (!json.startsWith(ID_START) && !json.startsWith('{"CompanyId":')) return null;
  const taxIds = Array.from(json.matchAll(/"TaxId":"([^"]+)"/g), ([, id]) => id as string);
  const id = json.startsWith(ID_START) ? json.slice(ID_START.length, ID_END) : undefined;
  return { parts: [json], id, pairs: ANY_PAIRS, items: [], taxIds };
}

/** A body that is being written. A value of its own for each order: a getter may write another order in between. */
class Writing {
  text = '{';
  pairs = 0;
  members = 0;
  isPlain = true;
  readonly parts: string[] = [];
  id: string | undefined;
  taxIds: string[] = [];

  start(id: unknown): void {
    if (id === undefined) return;
    if (typeof id === 'string') this.id = id;
    else this.isPlain = false;
    this.text = `${ID_START}${this.id}",`;
    this.members = 1;
    this.pairs = 2;
  }

  /** Writes a member that is not a string. */
  value(key: string, value: unknown, isPlain: boolean): void {
    if (!isPlain) this.isPlain = false;
    else this.text += key + String(value);
    this.members++;
    this.pairs++;
  }

  string(key: string, value: unknown): void {
    if (value === undefined) return;
    if (typeof value !== 'string') this.isPlain = false;
    else this.text += `${key}"${value}"`;
    this.members++;
    this.pairs += 2;
  }

  nullable(key: string, value: unknown): void {
    if (value === null) this.value(key, value, true);
    else this.string(key, value);
  }

  items(items: readonly unknown[]): boolean {
    const { length } = items;
    let { text } = this;
    let separator = '';
    for (let i = 0; i < length; i++) {
      const item = items[i];
      if (!isRecord(item)) return false;
      const { Name, CatalogItemId, Quantity, SellAtPricePerUnit, PackageId, Batch } = item;
      const quantity = decimal(Quantity);
      const price = decimal(SellAtPricePerUnit);
      let members = 4;
      let end = '}';
      if (Batch !== undefined) {
        if (typeof Batch !== 'string') return false;
        end = `,"Batch":"${Batch}"}`;
        members++;
      }
      if (PackageId !== undefined) {
        if (typeof PackageId !== 'string') return false;
        end = `,"PackageId":"${PackageId}"${end}`;
        members++;
      }
      if (i > 0 && i % PART_ITEMS === 0) {
        // Makes the engine put the pieces together, so that they don't all live until the order is complete.
        // A result that is used, or a minifier may leave the call out.
        if (text.charCodeAt(0) === 0) return false;
        this.parts.push(text);
        text = '';
      }
      this.pairs += 2 * members - 8;
      if (
        typeof Name === 'string' &&
        typeof CatalogItemId === 'string' &&
        quantity !== undefined &&
        price !== undefined
      ) {
        this.pairs += 6;
        // In pairs: a string of few levels is made and flattened faster than a chain.
        text +=
          separator +
          '{"Name":"' +
          Name +
          ('","CatalogItemId":"' +
            CatalogItemId +
            ('","Quantity":' + quantity + (',"SellAtPricePerUnit":' + price + end)));
      } else {
        const values = [Name, CatalogItemId, Quantity, SellAtPricePerUnit];
        const start = this.requiredOf(values, [undefined, undefined, quantity, price]);
        if (start === undefined) return false;
        members -= values.filter((value) => value === undefined).length;
        text += separator + start + end;
      }
      if (!hasMembers(item, members, ITEM)) return false;
      separator = ',';
    }
    this.text = `${text}]`;
    return true;
  }

  /** Returns the required members of an item in which one is absent, or a string in place of a decimal. */
  requiredOf(values: readonly unknown[], decimals: readonly unknown[]): string | undefined {
    let text = '';
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue;
      const digits = decimals[index];
      if (digits === undefined && typeof value !== 'string') return undefined;
      text += `${text === '' ? '{' : ','}"${ITEM[index]}":${digits ?? `"${value}"`}`;
      this.pairs += digits === undefined ? 2 : 1;
    }
    return text;
  }

  taxes(taxes: unknown): void {
    if (!isList(taxes)) {
      this.value(',"Taxes":', taxes, taxes === null);
      return;
    }
    const { length } = taxes;
    let text = '';
    for (let i = 0; i < length; i++) {
      const tax = taxes[i];
      if (!isRecord(tax)) {
        this.value('', tax, false);
        return;
      }
      const { TaxId, TaxAmount } = tax;
      const amount = decimal(TaxAmount);
      if (typeof TaxId !== 'string' || amount === undefined || !hasMembers(tax, 2, TAX)) {
        this.value('', tax, false);
        return;
      }
      text += `${i > 0 ? ',' : ''}{"TaxId":"${TaxId}","TaxAmount":${amount}}`;
      this.taxIds.push(TaxId);
    }
    this.text += `,"Taxes":[${text}]`;
    this.members++;
    this.pairs += 1 + 3 * length;
  }
}

/**
 * Returns true if the members of a record are `count` of the known ones and no others. A member that is undefined is
 * absent; one that is not enumerable is not counted, so a record with such a member has too few.
 */
function hasMembers(record: Members, count: number, known: readonly string[]): boolean {
  let members = 0;
  let likely = 0;
  for (const name in record) {
    if (record[name] === undefined) continue;
    // Members mostly come in the order of the specification: then their names need no search.
    while (likely < known.length && known[likely] !== name) likely++;
    if (likely === known.length && !known.includes(name)) return false;
    members++;
  }
  return members === count;
}

/** Returns true if a program added members to all objects, which then seem to be members of the order. */
function isObjectExtended(): boolean {
  for (const _ in Object.prototype) return true;
  return false;
}

/** Returns true for an object literal, or what is as plain. */
export function isRecord(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && isPlain(value, Object.prototype);
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && isPlain(value, Array.prototype);
}

function isPlain(value: object, prototype: object): boolean {
  return Object.getPrototypeOf(value) === prototype && (value as { toJSON?: unknown }).toJSON === undefined;
}

/** Strings that may be written as numbers: the core looks at them. */
const DIGITS = /^-?[\d.]+$/;

/** Returns what is written for a decimal, undefined if the value is none. */
function decimal(value: unknown): number | string | bigint | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return value;
  if (typeof value === 'string') return DIGITS.test(value) ? value : undefined;
  return fixed(value);
}

/** Objects that are written as the primitive they hold (encode.ts), although numbers have toFixed too. */
const BOXED = /Number|String|Boolean|BigInt|Date/;

/** Returns the digits of a decimal of a library (D8), undefined for any other value. */
function fixed(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { toFixed } = value as { toFixed?: unknown };
  if (typeof toFixed !== 'function' || BOXED.test(Object.prototype.toString.call(value))) return undefined;
  const digits: unknown = toFixed.call(value);
  return typeof digits === 'string' ? digits : undefined;
}
