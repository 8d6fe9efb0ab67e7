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
  /** The number of items. */
  count: number;
  taxIds: readonly string[];
}

/** Items in a part. */
export const PART_ITEMS = 100;

/** The number of pairs of a body that the caller gave as JSON: no value was put between its quotes. */
const ANY_PAIRS = 0xffff_ffff;

const ID_START = '{"Id":"';
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
  return { parts: body.parts, id: body.id, pairs: body.pairs, count: Items.length, taxIds: body.taxIds };
}

/** JSON that may already be the body. */
function bodyFromJson(json: string): PlainBody | null {
  if (!json.startsWith(ID_START) && !json.startsWith('{"CompanyId":')) return null;
  const taxIds = Array.from(json.matchAll(/"TaxId":"([^"]+)"/g), ([, id]) => id as string);
  const id = json.startsWith(ID_START) ? json.slice(ID_START.length, ID_END) : undefined;
  return { parts: [json], id, pairs: ANY_PAIRS, count: 0, taxIds };
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
    let optional = 0;
    let start = '{"Name":"';
    for (let i = 0; i < length; i++) {
      const item = items[i];
      if (!isRecord(item)) return false;
      const { Name, CatalogItemId, Quantity, SellAtPricePerUnit, PackageId, Batch } = item;
      if (typeof Name !== 'string' || typeof CatalogItemId !== 'string') return false;
      const quantity = isDecimal(Quantity) ? Quantity : fixed(Quantity);
      const price = isDecimal(SellAtPricePerUnit) ? SellAtPricePerUnit : fixed(SellAtPricePerUnit);
      if (quantity === undefined || price === undefined) return false;
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
      if (!hasMembers(item, members, ITEM)) return false;
      optional += members - 4;
      if (i > 0 && i % PART_ITEMS === 0) {
        // Makes the engine put the pieces together, so that they don't all live until the order is complete.
        // A result that is used, or a minifier may leave the call out.
        if (text.charCodeAt(0) === 0) return false;
        this.parts.push(text);
        text = '';
      }
      // In pairs: a string of few levels is made and flattened faster than a chain.
      text +=
        start +
        Name +
        ('","CatalogItemId":"' +
          CatalogItemId +
          ('","Quantity":' + quantity + (',"SellAtPricePerUnit":' + price + end)));
      start = ',{"Name":"';
    }
    this.text = `${text}]`;
    this.pairs += 6 * length + 2 * optional;
    return true;
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
      const amount = isDecimal(TaxAmount) ? TaxAmount : fixed(TaxAmount);
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

/** Values that are written as their text. A string is not looked at: without quotes it can't be more than one value. */
function isDecimal(value: unknown): value is number | string | bigint {
  return typeof value === 'number' || typeof value === 'string' || typeof value === 'bigint';
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
