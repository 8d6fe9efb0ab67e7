/** Tests which orders are the same order for `add` (D28): those with equal values, however they are written. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomOf } from '../node/random-orders.mjs';
import { PERSONAL, core, rejection, numbered } from './harness.mjs';
import { newStore, setUp } from './set-up.mjs';

const ORDERS = 300;
const PASSTHROUGH = { records: 'passthrough', allowEmptyTaxes: true };

/** Asserts that this order is another one than that of the outbox. */
async function assertDuplicate(adding, message) {
  const error = await rejection(adding);
  assert.deepEqual([error.name, error.reason], ['OutboxError', 'duplicate'], message);
  assert.doesNotMatch(error.message, PERSONAL);
}

test('an order is the same in a prepared request, with other options and for another version', async (t) => {
  const { outbox } = await setUp(t, { store: newStore() });
  const order = numbered(1, {
    Taxes: [],
    Discount: { InvoiceLevel: [{ Name: 'Member', Value: '1.50', ValueType: 2 }] },
  });
  await outbox.add(order, PASSTHROUGH);
  const { body } = await outbox.get(order.Id);
  for (const again of [
    outbox.add(order, { allowEmptyTaxes: true }),
    outbox.add(order, { ...PASSTHROUGH, version: 'v2' }),
    outbox.add(core.prepareRequest(order, { allowEmptyTaxes: true })),
    outbox.add({ ...order, CustomerId: null, ReceiptNumber: '7' }, { allowEmptyTaxes: true }),
  ]) {
    assert.equal((await again).state, 'waiting');
  }
  const entry = await outbox.get(order.Id);
  assert.deepEqual([entry.body, entry.version], [body, 'v3'], 'the entry is unchanged');
  await assertDuplicate(outbox.add({ ...order, Taxes: undefined }));
});

test('passthrough records that cannot be read are compared as JSON', async (t) => {
  const { outbox } = await setUp(t, { store: newStore() });
  const order = numbered(1, { Taxes: [{ Rate: '1.0' }], Discount: { Off: '1.0', InvoiceLevel: 'ten percent' } });
  await outbox.add(order, PASSTHROUGH);
  const reordered = { ...order, Discount: { InvoiceLevel: 'ten percent', Off: '1.0' }, CustomerId: null };
  assert.equal((await outbox.add(reordered, PASSTHROUGH)).state, 'waiting');
  for (const changes of [{ Taxes: [{ Rate: '1.00' }] }, { Taxes: [{ Rate: 1 }] }, { Discount: null }]) {
    await assertDuplicate(outbox.add({ ...order, ...changes }, PASSTHROUGH));
  }
  await assertDuplicate(outbox.add({ ...order, Taxes: undefined, Discount: undefined }));
});

test('an order of 10,000 items is the same in another notation', async (t) => {
  const { outbox } = await setUp(t);
  const items = (write) =>
    Array.from({ length: 10_000 }, (_, n) => ({ ...numbered(1).Items[0], Quantity: write(n + 1) }));
  await outbox.add(numbered(1, { Items: items((n) => n) }));
  assert.equal((await outbox.add(numbered(1, { Items: items((n) => `${n}.00`) }))).state, 'waiting');
  await assertDuplicate(outbox.add(numbered(1, { Items: items((n) => (n === 9_999 ? 9_998 : n)) })));
});

test('random orders are the same in every notation, and different after every change', async (t) => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000);
  t.diagnostic(`SEED=${seed}`);
  const random = choicesOf(seed);
  const { outbox } = await setUp(t);
  for (let n = 0; n < ORDERS; n++) {
    const order = randomOrder(n, random);
    const options = { allowEmptyTaxes: true, records: random.of(['strict', 'passthrough']) };
    await outbox.add(written(order, random), options);
    for (let form = 0; form < 3; form++) {
      const body = written(order, random);
      const again = { allowEmptyTaxes: true, records: random.of(['strict', 'passthrough']) };
      const { state } = await outbox.add(body, again).catch((cause) => {
        throw new Error(`SEED=${seed}: ${body}`, { cause });
      });
      assert.equal(state, 'waiting');
    }
    for (const changed of changesOf(order)) {
      const body = written(changed, random);
      await assertDuplicate(
        outbox.add(body, { ...options, records: random.of(['strict', 'passthrough']) }),
        `SEED=${seed}: ${body}`,
      );
    }
  }
});

/** Random choices with a seed. */
function choicesOf(seed) {
  const next = randomOf(seed);
  const below = (limit) => Math.floor(next() * limit);
  return { below, of: (values) => values[below(values.length)], is: (share = 0.5) => next() < share };
}

/** A decimal of an order, in units of 0.01; written in many ways. */
class Decimal {
  constructor(cents) {
    this.cents = cents;
  }
}
/** A GUID of an order. */
class Guid {
  constructor(number) {
    this.text = `abcdef01-0000-4000-8000-${String(number).padStart(12, '0')}`;
  }
}
/** A value that is not a member of the specification; only its notation varies. */
class Unknown {
  constructor(value) {
    this.value = value;
  }
}

function randomOrder(n, random) {
  const { Id } = numbered(n);
  const members = {
    Id,
    CompanyId: 1 + random.below(5),
    EntityId: 1 + random.below(5),
    IntegratorId: new Guid(7),
    Items: Array.from({ length: 1 + random.below(4) }, (_, index) => ({
      Name: random.of(['Tea', 'Té "verde"', 'A\\B/C', 'na\u00efve\u2028\ud83d\ude00']),
      CatalogItemId: new Guid(index),
      Quantity: new Decimal(100 * (1 + index) + 10 * random.below(10)),
      SellAtPricePerUnit: new Decimal(random.below(2000)),
      ...(random.is(0.3) && { Batch: 'B' }),
    })),
  };
  const optional = {
    FirstName: 'Xaviera',
    CustomerId: new Guid(8),
    Discount: random.is()
      ? {}
      : { InvoiceLevel: [{ Name: 'Member', Value: new Decimal(random.below(999)), ValueType: 2 }] },
    Taxes: [{ TaxId: new Guid(9), TaxAmount: new Decimal(random.below(500)) }].slice(random.below(2)),
    IsDelivery: random.is(),
    Notes: 'ring twice at the violet door',
    Extra: new Unknown({ b: [1.5, null, { x: 0.1, y: '1.0' }], a: true, 'c/~d': -7 }),
  };
  for (const [name, value] of Object.entries(optional)) if (random.is()) members[name] = value;
  return members;
}

/** Yields the order with one value changed, for every value but the Id. */
function* changesOf(order) {
  for (const [name, value] of Object.entries(order)) {
    if (name === 'Id') continue;
    for (const changed of changesOfValue(value)) yield { ...order, [name]: changed };
    if (!['CompanyId', 'EntityId', 'IntegratorId', 'Items'].includes(name)) {
      const { [name]: _, ...others } = order;
      yield others;
    }
  }
  yield { ...order, Extra2: null };
  const [first, second, ...rest] = order.Items;
  if (second) yield { ...order, Items: [second, first, ...rest] };
  if (second) yield { ...order, Items: [first, ...rest] };
  yield { ...order, Items: [...order.Items, first] };
}

function* changesOfValue(value) {
  if (value instanceof Decimal) yield new Decimal(value.cents + 1);
  else if (value instanceof Guid) yield new Guid(Number(value.text.slice(-6)) + 100);
  else if (value instanceof Unknown) yield new Unknown({ ...value.value, b: [1.5, null, { x: '0.1', y: '1.0' }] });
  else if (typeof value === 'string') yield `${value}.`;
  else if (typeof value === 'boolean') yield !value;
  else if (typeof value === 'number') yield value + 1;
  else {
    for (const [name, inner] of Object.entries(value)) {
      for (const changed of changesOfValue(inner)) {
        yield Array.isArray(value) ? value.with(Number(name), changed) : { ...value, [name]: changed };
      }
    }
  }
}

/** Returns the JSON of an order, in a random notation. */
function written(order, random) {
  const nulls = ['FirstName', 'LastName', 'CustomerId', 'Discount'].filter(
    (name) => !(name in order) && random.is(0.3),
  );
  const readOnly = random.is(0.2) ? { ReceiptNumber: '7', WasCreatedWithInventoryHold: false } : {};
  return notation({ ...order, ...readOnly, ...Object.fromEntries(nulls.map((name) => [name, null])) }, random);
}

function notation(value, random) {
  if (value instanceof Decimal) return decimalNotation(value.cents, random);
  if (value instanceof Guid) return JSON.stringify(guidNotation(value.text, random));
  if (value instanceof Unknown) return notation(value.value, random);
  if (Array.isArray(value))
    return `[${value.map((element) => notation(element, random)).join(random.of([',', ' ,\n']))}]`;
  if (typeof value === 'string') return stringNotation(value, random);
  if (typeof value === 'number' && !Number.isInteger(value)) return `${value}${random.of(['', '0', '00'])}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, inner]) => `${stringNotation(name, random)}:${notation(inner, random)}`,
  );
  for (let last = members.length - 1; last > 0; last--) {
    const other = random.below(last + 1);
    [members[last], members[other]] = [members[other], members[last]];
  }
  return `{${members.join(random.of([',', ', ']))}}`;
}

function decimalNotation(cents, random) {
  const plain = `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`;
  const forms = [plain, `${plain}00`, `${cents}e-2`, `${cents * 10}E-3`, String(cents / 100)];
  const form = random.of(forms);
  return random.is() ? form : `"${form}"`;
}

function guidNotation(guid, random) {
  const form = random.of([guid, guid.replaceAll('-', ''), `{${guid}}`, `(${guid})`]);
  return random.is() ? form : form.toUpperCase();
}

/** Escapes some characters. */
function stringNotation(text, random) {
  const escaped = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(text).replace(/(?<!\\)[a-zA-Z\u00ef]/g, (letter) =>
    random.is(0.1) ? escaped(letter) : letter,
  );
}
