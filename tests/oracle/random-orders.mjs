// Generates random orders, often with what goes wrong with money: half cents, grams, results of floating-point
// arithmetic, 28 digits, discounts larger than the order, amounts that do not fit.

import { randomOf } from '../node/random-orders.mjs';

const ROUNDINGS = ['half-up', 'half-even', 'half-down'];
const VALUE_TYPES = [
  { amount: 1, percent: 2 },
  { amount: 'Amount', percent: 'Percent' },
  { amount: 0, percent: 'P' },
];

/** Creates a random generator that returns the same numbers on every machine. */
export function generator(seed) {
  const next = randomOf(seed);
  const below = (limit) => Math.floor(next() * limit);
  return {
    below,
    chance: (probability) => next() < probability,
    between: (low, high) => low + below(high - low + 1),
    pick: (choices) => choices[below(choices.length)],
    digits: (count) => Array.from({ length: count }, () => below(10)).join(''),
  };
}

/** Generates an order and the options of its preview. */
export function randomCase(random) {
  const catalog = Array.from({ length: 4 }, () => guid(random));
  const types = random.pick(VALUE_TYPES);
  const order = {
    Id: guid(random),
    CompanyId: 7,
    EntityId: 11,
    IntegratorId: guid(random),
    Items: Array.from({ length: random.between(1, 12) }, (_, index) => item(random, index, catalog)),
    ...(random.chance(0.6) && { Discount: discount(random, types) }),
    ...(random.chance(0.35) && { Taxes: supplied(random) }),
  };
  const options = {
    version: random.pick(['v2', 'v3']),
    ...(random.chance(0.7) && { scale: random.between(0, 4) }),
    ...(random.chance(0.7) && { rounding: random.pick(ROUNDINGS) }),
    ...(random.chance(0.7) && { roundTaxPer: random.pick(['line', 'tax']) }),
    ...(random.chance(0.95) && { discountValueTypes: types }),
    ...(random.chance(0.8) && { taxRates: rates(random, catalog) }),
  };
  return { order, options };
}

function item(random, index, catalog) {
  return {
    ...(random.chance(0.8) && { Name: `Item ${index}` }),
    CatalogItemId: spelled(random, random.pick(catalog)),
    Quantity: quantity(random),
    SellAtPricePerUnit: price(random),
  };
}

function quantity(random) {
  const draw = random.below(1000);
  if (draw < 300) return random.between(1, 30);
  if (draw < 650) return `${random.below(60)}.${random.digits(random.between(1, 2))}5`;
  if (draw < 750) return 0.1 * random.between(1, 9) + 0.2;
  if (draw < 850) return `${random.below(9)}.${random.digits(random.between(3, 26))}1`;
  if (draw < 900) return `${random.between(1, 99)}e-${random.between(0, 3)}`;
  if (draw < 985) return '0.5';
  if (draw < 990) return 0;
  if (draw < 995) return `-${random.between(1, 9)}`;
  return `${random.between(1, 9)}${random.digits(random.between(12, 27))}`;
}

function price(random) {
  const draw = random.below(1000);
  if (draw < 300) return `${random.below(120)}.${random.digits(2)}`;
  if (draw < 500) return `${random.below(40)}.${random.digits(2)}5`;
  if (draw < 650) return random.below(20000) / 100;
  if (draw < 720) return 1.1 * random.between(1, 9);
  if (draw < 800) return random.pick([0, '0', '0.00', -0]);
  if (draw < 900) return `${random.below(9)}.${random.digits(random.between(3, 26))}7`;
  if (draw < 985) return random.between(1, 500);
  if (draw < 990) return '-0.01';
  return `${random.between(1, 9)}${random.digits(random.between(12, 27))}`;
}

function discount(random, types) {
  if (random.chance(0.05)) return random.pick([null, {}, { InvoiceLevel: [] }, { Percent: 10 }]);
  return { InvoiceLevel: Array.from({ length: random.between(1, 4) }, (_, index) => entry(random, types, index)) };
}

function entry(random, types, index) {
  const name = random.chance(0.5) && { Name: `Discount ${index}` };
  const draw = random.below(100);
  if (draw < 2) return { ...name, Value: '5', ValueType: 'something else' };
  if (draw < 4) return { ...name, Value: '100.01', ValueType: types.percent };
  if (draw < 5) return { ...name, Value: -1, ValueType: types.amount };
  if (draw < 50) {
    const value = random.pick([0, 5, 10, 12.5, 100, '33.333', '7.25', `${random.below(99)}.${random.digits(6)}`]);
    return { ...name, Value: value, ValueType: types.percent };
  }
  const value = random.chance(0.15)
    ? `${random.between(1, 9)}${random.digits(random.between(3, 28))}`.slice(0, 28)
    : `${random.below(25)}.${random.digits(random.between(1, 4))}`;
  return { ...name, Value: value, ValueType: types.amount };
}

function supplied(random) {
  return Array.from({ length: random.between(1, 4) }, () => ({
    TaxId: spelled(random, guid(random)),
    TaxAmount: random.chance(0.01)
      ? `${random.between(1, 7)}${random.digits(23)}`
      : random.pick([
          0,
          1,
          2.5,
          '3.335',
          '0.10',
          `${random.below(8)}.${'0'.repeat(28)}`,
          `${random.below(30)}.${random.digits(random.between(1, 5))}`,
        ]),
  }));
}

function rates(random, catalog) {
  return Array.from({ length: random.below(4) }, (_, index) => ({
    id: `tax ${index}`,
    ...(random.chance(0.5) && { name: `Tax ${index}` }),
    rate: random.pick([
      0,
      0.05,
      0.13,
      '0.09975',
      '0.07',
      '1.5',
      `0.05${'0'.repeat(26)}`,
      `0.${random.digits(random.between(1, 27))}`,
    ]),
    ...(random.chance(0.5) && { type: random.pick(['Percentage', 'Percentage', 'FlatRate']) }),
    ...(random.chance(0.5) && { layer: random.below(2) }),
    ...(random.chance(0.3) && {
      catalogItemIds: catalog.filter(() => random.chance(0.5)).map((id) => spelled(random, id)),
    }),
  }));
}

function guid(random) {
  const hex = Array.from({ length: 32 }, () => random.below(16).toString(16)).join('');
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}

/** Returns the GUID in one of its four forms (D1). */
function spelled(random, id) {
  return random.pick([id, id, id.toUpperCase(), id.replaceAll('-', ''), `{${id}}`, `(${id})`]);
}
