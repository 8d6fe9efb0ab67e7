/** Values of every type that a caller can give in place of any member, and objects that throw or lie. */
import { runInNewContext } from 'node:vm';
import { item, minimalOrder, TAX } from './orders.mjs';

const throws = () => {
  throw new Error('no');
};

/** Each function makes its values anew. */
export const VALUES = {
  'numbers, strings and other primitives': () => [
    ...[undefined, null, true, false, 0, -0, 1.5, 1e21, 1e-7, 0.1 + 0.2, 2 ** 60 + 2 ** 20, NaN, Infinity, -Infinity],
    ...['', 'x', 'a"b', 'a\\', '\\"', '\n', '\u0001', '\u007f', '\u2028', '\ud800', 'a\udc00', '😀', '\ufffd', 'é'],
    ...['1.50', '-0', '01', '1.', '.5', '+1', '1e2', '123456789012345', '1234567890123456', '12345678901234.5', ' 1'],
    ...[5n, -5n, 9007199254740993n, 12345678901234567890n, Symbol('s'), throws],
  ],
  'objects that are written as another value': () => [
    ...[
      new Number(3.5),
      new Number(NaN),
      new String('4.5'),
      new String('"'),
      new Boolean(false),
      Object(6n),
      Object(2n ** 70n),
    ],
    ...[new Date(0), new Date(NaN), { toJSON: () => '7.25' }, { toJSON: () => 7 }, { toJSON: () => undefined }],
    ...[
      { toJSON: (key) => `at ${key}` },
      { toJSON: () => new Number(2) },
      { toJSON: () => ({ Name: 'x' }) },
      { toJSON: throws },
    ],
    ...[{ toJSON: () => [item()] }, { toJSON: () => item() }, { toJSON: () => new Map() }, { toJSON: 'no function' }],
    ...[{ toJSON: () => throws }, { toJSON: () => new Date(NaN) }, Object.assign([], { toJSON: () => [1] })],
    ...[{ toFixed: () => '1.50' }, { toFixed: () => '12345678901234567.5' }, { toFixed: () => 2 }, { toFixed: throws }],
    ...[{ toFixed: () => undefined }, { toFixed: () => '1', toJSON: () => '2' }, { toFixed: '3' }, new Uint8Array([5])],
  ],
  'objects and lists': () => [
    ...[{}, [], [1], [undefined], new Array(3), [item(), 'x', null, [], 7n], [{ toJSON: () => item() }], [[item()]]],
    ...[item(), minimalOrder(), { InvoiceLevel: [{ Value: '5', ValueType: 1, Name: 'x', More: 2n }, null] }],
    ...[{ InvoiceLevel: { 0: 1 } }, { InvoiceLevel: null, Other: { Quantity: 5n, Value: { toFixed: () => '7' } } }],
    ...[
      [
        { TaxAmount: '3', TaxId: TAX, z: 1, a: '"' },
        { TaxId: 5, TaxAmount: null },
      ],
      Object.assign([item()], { more: 1 }),
    ],
    ...[
      Object.create(null),
      Object.create({ inherited: 1 }),
      Object.create(item()),
      new (class {
        Name = 'x';
      })(),
    ],
    ...[Object.assign(Object.create(null), { Name: 'x', ['__proto__']: 1 }), JSON.parse('{"__proto__": {"x": "1"}}')],
    ...[{ 1: 'b', 0: 'a', Name: 'c' }, { '"': '"', '\ud800': 1, '': 2, '\\': 3 }, { a: undefined }, { a: { b: [{}] } }],
    ...[Object.setPrototypeOf([1], Object.prototype), Object.setPrototypeOf({ Name: 'x' }, Array.prototype)],
    ...[Object.setPrototypeOf([1], null), Object.setPrototypeOf(new Map(), Object.prototype)],
    ...[
      new Map(),
      new Set(),
      new WeakMap(),
      new WeakRef({}),
      Promise.resolve(),
      new ArrayBuffer(2),
      /x/,
      new Error('x'),
    ],
    ...[runInNewContext('({ Name: "x", Quantity: new Number(2) })'), runInNewContext('[new Map(), { a: 1 }]')],
  ],
  'getters and proxies': () => [
    ...[
      accessor('Name', () => 'x'),
      accessor('Quantity', throws),
      accessor('Other', throws),
      accessor('toJSON', throws),
    ],
    ...[new Proxy(item(), {}), new Proxy([item()], {}), new Proxy({}, new Proxy({}, { get: () => throws })), revoked()],
    ...['ownKeys', 'getPrototypeOf', 'get', 'getOwnPropertyDescriptor'].flatMap((trap) => [
      new Proxy(item(), { [trap]: throws }),
      new Proxy([item()], { [trap]: throws }),
    ]),
    ...[{}, [], 'x', null, Number.NaN, -1, 0, 2, 50.3].map(lengthOf),
    ...[
      new Proxy(item(), {
        ownKeys: () => ['Name', 'Batch', 'More'],
        getOwnPropertyDescriptor: described,
        get: () => 'x',
      }),
    ],
    ...[new Proxy(item(), { getPrototypeOf: () => Array.prototype }), hidden()],
  ],
};

function accessor(name, get) {
  return Object.defineProperty(item(), name, { get, enumerable: true });
}

function hidden() {
  return Object.defineProperty(item(), 'Name', { value: 'hidden', enumerable: false });
}

function described() {
  return { value: 'x', enumerable: true, configurable: true };
}

function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

/** Creates a list of one item that says that it has another length. */
function lengthOf(length) {
  return new Proxy([item()], { get: (list, name) => (name === 'length' ? length : Reflect.get(list, name)) });
}
