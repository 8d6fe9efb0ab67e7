/** Tests the errors of the core. commonjs.test.mjs tests that those of another copy of the package are recognised. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import { thrown } from '../thrown.mjs';
import { installed } from './installed.mjs';
import { cart, ID, item, minimalOrder } from './orders.mjs';

const { esm } = await installed();
const { buildOrder, CoreInitError, docUrl, InternalError, OptionError, OrderValidationError, prepareRequest } = esm;

const make = ({ OrderValidationError: V, OptionError: O, CoreInitError: C, InternalError: I }) => ({
  OrderValidationError: new V(ID, []),
  OptionError: new O('wrong', '/scale'),
  CoreInitError: new C('csp', 'forbidden'),
  InternalError: new I('trapped'),
});

test('every error has a docUrl if the package has one for codes, and it is not enumerable', () => {
  for (const error of Object.values(make(esm))) {
    assert.equal(typeof error.docUrl, typeof docUrl('missing'));
    assert.ok('docUrl' in error && !Object.keys(error).includes('docUrl'));
  }
});

/** A class to derive from, as programs without types do. */
const { InternalError: Base } = /** @type {{ InternalError: new (...args: any[]) => Error }} */ (esm);

test('a class that a program derives has the usual instances', () => {
  class Mine extends Base {}
  const another = (() => {
    class Mine extends Base {}
    return Mine;
  })();
  class Below extends Mine {
    constructor() {
      super('x');
      this.name = 'Below';
    }
  }
  for (const type of [Mine, another, Below]) {
    assert.equal(new esm.InternalError('x') instanceof type, false);
    const own = new type('x');
    assert.ok(own instanceof type && own instanceof esm.InternalError);
    assert.equal(own instanceof esm.OptionError, false);
  }
  assert.ok(new Below() instanceof Mine && !(new Mine('x') instanceof Below) && !(new another('x') instanceof Mine));
  assert.equal(new Below().name, 'Below');
  assert.match(String(new Below()), /^Below: x/);
});

test('a derived class that restates the name of its base is another class', () => {
  class InternalError extends Base {
    get name() {
      return /** @type {const} */ ('InternalError');
    }
  }
  assert.equal(new esm.InternalError('x') instanceof InternalError, false);
  assert.ok(new InternalError('x') instanceof esm.InternalError);
});

test('what instanceof needs does not show in errors', () => {
  for (const error of Object.values(make(esm))) {
    assert.deepEqual(Object.keys(error), Object.keys({ ...error }));
    assert.ok(!inspect(error).includes('sales-order-intake.error'));
    for (const key of Reflect.ownKeys(error))
      if (typeof key === 'symbol' || key === 'name')
        assert.equal(Object.getOwnPropertyDescriptor(error, key)?.enumerable, false);
  }
  assert.deepEqual(make(esm).OptionError, make(esm).OptionError);
  assert.deepEqual(Object.keys(make(esm).OptionError), ['option']);
});

test('OptionError is a TypeError; the others are not', () => {
  const errors = make(esm);
  for (const [name, error] of Object.entries(errors)) assert.equal(error instanceof TypeError, name === 'OptionError');
  assert.ok(OptionError.prototype instanceof TypeError);
});

test('CoreInitError and InternalError have their cause', () => {
  const cause = new Error('why');
  assert.equal(new CoreInitError('network', 'x', { cause }).cause, cause);
  assert.equal(new CoreInitError('network', 'x').reason, 'network');
  assert.equal(new InternalError('x', { cause }).cause, cause);
});

test('OrderValidationError has the Id of the order, or null if it has no readable one', () => {
  const of = (input, options) => thrown(() => esm.prepareRequest(input, options));
  assert.equal(of(minimalOrder({ Items: [] })).orderId, ID);
  assert.equal(of(cart()).orderId, null);
  assert.equal(of(minimalOrder({ Id: 'x' })).orderId, null);
  assert.equal(of(minimalOrder({ Id: `{${ID.toUpperCase()}}`, Items: [] })).orderId, ID);
  assert.ok(of(cart()) instanceof OrderValidationError);
});

test('prepareRequest throws an error with all issues, whose message contains no value of the order', () => {
  const order = minimalOrder({ CompanyId: 0, FirstName: 'Ada', Notes: 5, Items: [item({ Quantity: -17 })], Extra: 1 });
  const error = thrown(() => prepareRequest(order));
  assert.ok(error instanceof esm.OrderValidationError && error instanceof Error);
  assert.equal(error.name, 'OrderValidationError');
  assert.deepEqual(/** @type {any} */ (error).issues, buildOrder(order).issues);
  assert.equal(
    error.message,
    `order ${order.Id} has 3 errors: integer_out_of_range at /CompanyId, quantity_not_positive at /Items/0/Quantity, not_a_string at /Notes`,
  );
  assert.match(String(error.stack), /^OrderValidationError: /);
});

test('a message about many errors lists three and counts the others', () => {
  const error = thrown(() => prepareRequest(minimalOrder({ Items: new Array(5).fill(item({ Quantity: 0 })) })));
  assert.match(
    error.message,
    /^order [-0-9a-f]{36} has 5 errors: (quantity_not_positive at \/Items\/\d\/Quantity, ){3}2 more$/,
  );
  assert.equal(thrown(() => prepareRequest('{')).message, 'the order has 1 error: not_json at the order');
});
