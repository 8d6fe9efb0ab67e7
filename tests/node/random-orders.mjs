/** Generates random orders from a seed: plain ones, and orders that are not plain in every way that the tests cover. */

/** Creates a generator of numbers from 0 to 1 (mulberry32); the same seed gives the same orders. */
export function randomOf(seed) {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

export function pickOf(random) {
  return (values) => values[Math.floor(random() * values.length)];
}

/** Generates orders with a random generator: `plain()` creates an order, `spoil(order)` changes something in it. */
export function ordersOf(random) {
  const pick = pickOf(random);
  const hex = (length) => Array.from({ length }, () => '0123456789abcdef'[Math.floor(random() * 16)]).join('');
  const guid = () => `${hex(8)}-${hex(4)}-${hex(4)}-${hex(4)}-${hex(12)}`;
  const sometimes = (share, members) => random() < share && members();

  const price = () =>
    pick([19.99, 12.5, 4.2, 0.99, 249, 7.35, '12.50', '3', 0.01, 0.5, 1000000.01, '0.10', 4294967295, 7n, 5.05, 1]);
  const quantity = () => pick([1, 2, 3.5, 0.25, 12, 2.345, '2.500', 0.5, 1.5, 2.5, 100000, '4294967295', 0.005, 3n]);
  /** A decimal of a library, sometimes. */
  const decimal = (value) => (random() < 0.1 ? { toFixed: () => String(value), toJSON: () => 'not this' } : value);
  const item = () =>
    inSomeOrder({
      Name: pick([
        'Green tea',
        'Tee — grün',
        ' x',
        'House blend, 500 g 12345678901234567890',
        '茶',
        `${'"'.slice(1)}x`,
      ]),
      CatalogItemId: guid(),
      Quantity: decimal(quantity()),
      SellAtPricePerUnit: decimal(price()),
      ...sometimes(0.1, () => ({ PackageId: 'A-17' })),
      ...sometimes(0.1, () => ({ Batch: pick(['b 1', undefined]) })),
    });
  const tax = () => ({ TaxId: guid(), TaxAmount: decimal(pick([3.5, 1.75, 0, '2.00', 1, 12n])) });
  const list = (lengths, make) => Array.from({ length: pick(lengths) }, make);

  function plain() {
    return inSomeOrder({
      ...sometimes(0.9, () => ({ Id: guid() })),
      CompanyId: 1 + Math.floor(random() * 1e6),
      EntityId: 7,
      ...sometimes(0.4, () => ({ FirstName: pick(['Ada', '', 'Zoë', null]) })),
      ...sometimes(0.4, () => ({ LastName: pick(['Okafor', null]) })),
      ...sometimes(0.2, () => ({ CustomerId: pick([guid(), null]) })),
      IntegratorId: guid(),
      Items: list([1, 1, 1, 2, 2, 3, 3, 3, 5, 10, ...(random() < 0.05 ? [99, 100, 101, 205] : [])], item),
      ...sometimes(0.1, () => ({ Discount: null })),
      ...sometimes(0.4, () => ({ IsDelivery: random() < 0.5 })),
      ...sometimes(0.6, () => ({ Taxes: random() < 0.2 ? null : list([1, 2, 3, 8], tax) })),
      ...sometimes(0.4, () => ({ Notes: pick(['Please ring twice', '', 'ü'.repeat(20)]) })),
      ...sometimes(0.2, () => ({ TimeSlotDisplayString: 'now' })),
    });
  }

  /** Some programs write members in another order than the specification. */
  function inSomeOrder(record) {
    if (random() < 0.8) return record;
    const members = Object.entries(record).map((member) => ({ member, key: random() }));
    return Object.fromEntries(members.sort((a, b) => a.key - b.key).map(({ member }) => member));
  }

  /** @type {any[]} */
  const odd = [
    ...[undefined, null, '', ' ', '  x', 'a"b', 'a\\', 'tab\t', '\u007f', 'é', '\u0085', '\u00a0', '\u3000'],
    ...['\ud800', '\udc00x', '\ufffd', '😀 tea', 'x'.repeat(100), 'x'.repeat(101), 'é'.repeat(60), 'é'.repeat(101)],
    ...[0, -0, -1, NaN, Infinity, 1e21, 1e-7, 0.1 + 0.2, 2147483647, 2147483648, 1.005, 0.005, 0.015, 0.025, 10n, -10n],
    ...[true, {}, [], [null], () => 1, Symbol('s'), new Date(0), new String('s'), new Number(2)],
    ...[{ toJSON: () => 'j' }, { toString: () => '1.5' }, { toFixed: () => '1.50' }],
    ...[{ toFixed: () => 1.5 }, { toFixed: () => 'x' }, { toFixed: () => fail() }, { toFixed: '1' }, new Number(2.5)],
    ...[
      { toJSON: () => fail() },
      { toJSON: (key) => `at ${key}` },
      { toJSON: () => new Map() },
      { toJSON: () => [{ a: 5n }] },
    ],
    ...[
      new Map(),
      new Uint8Array([5]),
      Object.create(null),
      new Proxy([item()], {}),
      new Proxy({}, { get: fail }),
      lying(2),
      lying('x'),
    ],
    ...[Object.assign(new Date(0), { toFixed: () => '1' }), Object.assign(new String('3'), { toFixed: () => '1' })],
    ...['","Batch":"x', '1,"Batch":"', '1}', '1},{', '5"', '2}]', '1}]}', 'null', '1,', '1}],"Notes":"', '"', '""'],
    ...[
      '1.50',
      '01',
      '1.',
      '.5',
      '-1',
      '+1',
      '1e2',
      '0',
      '0.00',
      '0.001',
      '0.0001',
      '20000000000.55',
      '123456789.123456789',
    ],
    ...[
      'free',
      'NaN',
      'e1',
      'TEA-17',
      '99999999999999',
      '999999999999999',
      '9999999999999999',
      '00000000-0000-0000-0000-000000000000',
    ],
    guid().toUpperCase(),
    `{${guid()}}`,
    guid().replaceAll('-', ''),
    `${guid()}","Quantity":1,"SellAtPricePerUnit":2},{"Name":"y","CatalogItemId":"${guid()}`,
  ];

  function spoil(order) {
    const [Items, Taxes] = [memberOf(order, 'Items'), memberOf(order, 'Taxes')];
    const holders = [order, ...entries(Items, 3), ...entries(Taxes, 2)];
    const holder = pick(holders);
    const name = pick([
      ...[...Object.keys(holder), ...Object.keys(holder), ...Object.keys(holder)],
      ...['Unknown', 'PackageId', 'Batch', 'toJSON', 'CustomerId', 'Discount', 'OrderNumber', 'name', 'Notes', 'Taxes'],
      ...['ReceiptNumber', 'DateCreatedUtc', 'LineDollarAmount', 'Id'],
    ]);
    const way = random();
    if (way < 0.1) delete holder[name];
    else if (way < 0.14) define(holder, name, { get: () => fail(), enumerable: true });
    else if (way < 0.18) {
      const value = pick(odd);
      define(holder, name, { get: () => value, enumerable: true });
    } else if (way < 0.21) define(holder, name, { value: memberOf(holder, name), enumerable: false });
    else if (way < 0.24)
      Object.setPrototypeOf(holder, pick([null, { toJSON: () => 7 }, { Notes: 'inherited' }, Array.prototype]));
    else if (way < 0.28 && entries(Taxes, 2).length > 1) repeat(Taxes, 'TaxId');
    else if (way < 0.3)
      set(
        order,
        'Items',
        // biome-ignore lint/suspicious/noSparseArray: an order may hold one
        pick([[], Object.assign([item()], { more: 1 }), [item(), , item()], { 0: item(), length: 1 }]),
      );
    else set(holder, name, pick(odd));
  }

  return { plain, spoil };
}

/** Generates options, some of which have no effect. */
export function optionsOf(random) {
  const pick = pickOf(random);
  return pick([
    ...[undefined, undefined, undefined, {}, { version: 'v2' }, { version: 'v3', scale: 2 }, { rounding: 'half-even' }],
    ...[
      { rounding: 'half-down', scale: 3 },
      { scale: 0 },
      { scale: 1, rounding: 'half-even' },
      { scale: 4 },
      { version: undefined },
    ],
    ...[{ scale: 5 }, { version: 'v4' }, { rounding: 'up' }, { scale: '2' }, { scale: -0 }, { more: 1 }, null, 7],
    ...[
      { locationTaxPricing: null },
      { locationTaxPricing: 'Exclusive', records: 'strict' },
      { records: 'passthrough' },
    ],
    ...[{ locationTaxPricing: 'Inclusive' }, { locationTaxPricing: 'exclusive' }],
    ...[{ discountValueTypes: { amount: 1, percent: 2 } }, { discountValueTypes: { amount: 'A', percent: 'P' } }],
    ...[{ discountValueTypes: { amount: 1, percent: 1 } }, { discountValueTypes: { amount: 1, percent: NaN } }],
    ...[{ discountValueTypes: { amount: 1 } }, { discountValueTypes: { amount: 1, percent: 2, more: 3 } }],
    ...[{ discountValueTypes: { amount: '', percent: 'P' } }, { discountValueTypes: { amount: -1, percent: 1 } }],
    ...[{ allowEmptyTaxes: true }, { taxRates: [{ id: 'gst', rate: '0.05' }] }],
  ]);
}

function entries(list, most) {
  if (!Array.isArray(list)) return [];
  return list.slice(0, most).filter((entry) => typeof entry === 'object' && entry !== null);
}

function repeat([first, second], name) {
  set(second, name, memberOf(first, name));
}

/** Reads a member without calling a getter. */
function memberOf(holder, name) {
  return Object.getOwnPropertyDescriptor(holder, name)?.value;
}

/** Sets a member without calling a setter. */
function set(holder, name, value) {
  define(holder, name, { value, enumerable: true, writable: true });
}

function define(holder, name, descriptor) {
  Object.defineProperty(holder, name, { configurable: true, ...descriptor });
}

function fail() {
  throw new Error('no');
}

/** Creates a list of one entry that says that it has another length. */
function lying(length) {
  return new Proxy([1], { get: (list, name) => (name === 'length' ? length : Reflect.get(list, name)) });
}
