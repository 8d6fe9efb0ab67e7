/** relay: POST /evaluate, for programs that show issues and totals before they send an order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../../node/installed.mjs';
import { item } from '../../node/orders.mjs';
import { numbered } from '../orders.mjs';
import { NOBODY, until } from '../program.mjs';
import { ask, put, relayed } from './relays.mjs';

const JSON_TYPE = { 'Content-Type': 'application/json' };

/** Evaluates an order, given as JSON. */
function evaluate(relay, order, options = '', headers = JSON_TYPE) {
  const body = `{"order":${order}${options && `,"options":${options}`}}`;
  return ask(relay, '/evaluate', { method: 'POST', headers, body });
}

/** JSON of an order with one line, whose numbers are as they are given. */
function withLine(quantity, price, more = {}) {
  const { Items, ...order } = numbered(0, more);
  const line = { ...item(), Quantity: 'QUANTITY', SellAtPricePerUnit: 'PRICE' };
  return JSON.stringify({ ...order, Items: [line] })
    .replace('"QUANTITY"', quantity)
    .replace('"PRICE"', price);
}

test('/evaluate responds with issues, totals and lines as the package has them, and stores nothing', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const { esm } = await installed();
  const order = numbered(0, { Items: [item({ Quantity: 2 }), item({ Quantity: 0, Batsh: 'x' })] });
  const options = { taxRates: [{ id: '0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9', rate: 0.0875 }], explain: true };
  const { status, headers, json } = await evaluate(relay, JSON.stringify(order), JSON.stringify(options));
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
  const { issues, lines, steps, ...totals } = esm.previewOrder(order, options);
  assert.deepEqual(json, JSON.parse(JSON.stringify({ ok: false, issues, totals, lines, steps })));
  assert.ok(json.issues.some(({ code }) => code === 'quantity_not_positive'));
  assert.deepEqual((await ask(relay, '/orders')).json.orders, []);
});

test('/evaluate keeps every digit of the order and of the rates', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const cents = async (quantity, price, options) => {
    const { status, json, text } = await evaluate(relay, withLine(quantity, price), options);
    assert.equal(status, 200, text);
    return json;
  };
  assert.equal((await cents('1', '12.50')).lines[0].unitPrice, '12.50');
  // As a number of JavaScript this would be 9007199254740992 and 9007199254740994.
  assert.equal((await cents('1', '9007199254740993')).totals.subtotal, '9007199254740993.00');
  assert.equal((await cents('1', '1234567890123.123456789012')).lines[0].unitPrice, '1234567890123.123456789012');
  const rate = (digits) => `{"taxRates":[{"id":"0a1b2c3d-4e5f-4061-8273-8495a6b7c8d9","rate":${digits}}]}`;
  const exact = await cents('1', '1000000000000000000', rate('0.1000000000000000015'));
  assert.equal(exact.totals.tax.total, '100000000000000001.50');
  assert.deepEqual(await cents('1', '1000000000000000000', rate('"0.1000000000000000015"')), exact);
});

test('a cart without an Id is evaluated with the option id', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const cart = withLine('1', '2', { Id: undefined });
  const { ok, issues } = (await evaluate(relay, cart)).json;
  const errors = issues.filter(({ severity }) => severity === 'error');
  assert.deepEqual([ok, errors.map(({ code, pointer }) => `${code} ${pointer}`)], [false, ['missing /Id']]);
  assert.equal((await evaluate(relay, cart, '{"id":"optional"}')).json.ok, true);
});

test('a wrong option or a body that is none is 400, and says where', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const order = withLine('1', '2');
  for (const [body, detail] of [
    [`{"order":${order},"options":{"scale":9}}`, /^option \/options\/scale must be .*4/],
    [`{"order":${order},"options":{"skale":2}}`, /\/options\/skale/],
    [`{"order":${order},"options":"scale"}`, /options/],
    [`{"order":${order},"options":[]}`, /options/],
    [order, /an object with the order in `order`.* line 1, column 5/],
    [`{"order":${order}`, /line 1, column/],
    [`{"order":${order},"order":{}}`, /line 1, column/],
    ['"Xanthippe"', /line 1, column/],
    ['', /line 1, column 0/],
  ]) {
    const { status, json } = await ask(relay, '/evaluate', { method: 'POST', headers: JSON_TYPE, body: `${body}` });
    assert.deepEqual([status, json.type], [400, 'urn:sales-order-intake:problem:invalid-body'], `${body}`);
    assert.match(json.detail, /** @type {RegExp} */ (detail));
    assert.doesNotMatch(json.detail, /Xanthippe/);
  }
  assert.equal((await evaluate(relay, order, 'null')).status, 200);
  const marked = `\ufeff{"order":${order}}`;
  assert.equal((await ask(relay, '/evaluate', { method: 'POST', headers: JSON_TYPE, body: marked })).status, 200);
});

/** Returns the JSON of an order with a number of equal lines. */
function withLines(count) {
  return JSON.stringify(numbered(0, { Items: Array(count).fill(item()) }));
}

/** Returns the JSON of options with a number of tax rates. */
function rates(count, more = {}) {
  const taxRates = Array.from({ length: count }, (_, n) => ({ id: `tax-${n}`, rate: '0.05' }));
  return JSON.stringify({ taxRates, ...more });
}

test('an evaluation that would take too long is 400, and says what the limits are', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  for (const [order, options, detail] of /** @type {[string, string, RegExp][]} */ ([
    [withLine('1', '2'), rates(101), /^\/options\/taxRates must have at most 100 rates, not 101\.$/],
    [withLines(2001), rates(100), /^The items times the rates must be at most 200000, not 200100: /],
    // Whichever of the two is evaluated.
    [withLines(2001).replace('{', '{"Items":[],'), rates(100), /not 200100: /],
    [withLines(2001).replace(/\}$/, ',"Items":[]}'), rates(100), /not 200100: /],
    [
      withLine('1', '2'),
      `${'['.repeat(5000)}${']'.repeat(5000)}`,
      /^The options must not be nested deeper than 64 levels\.$/,
    ],
    [withLine('1', '2'), `{"scale":${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}}`, /nested deeper/],
  ])) {
    const { status, json } = await evaluate(relay, order, options);
    assert.deepEqual([status, json.type], [400, 'urn:sales-order-intake:problem:invalid-body']);
    assert.match(json.detail, detail);
  }
  // The brackets of a string are no levels.
  const { json } = await evaluate(relay, withLine('1', '2'), JSON.stringify({ version: `"${'['.repeat(100)}` }));
  assert.match(json.detail, /\/options\/version/);
  assert.equal((await evaluate(relay, `${'['.repeat(5000)}${']'.repeat(5000)}`)).json.ok, false);
});

test('an order that /evaluate says can be sent is accepted by a PUT, and no other', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const headers = { ...JSON_TYPE };
  for (const [quantity, price, isValid] of /** @type {[string, string, boolean][]} */ ([
    ['79228162514264337593543950335', '19.99', false],
    ['"79228162514264337593543950335"', '"19.99"', false],
    ['1', '79228162514264337593543950335', false],
    ['0', '1', false],
    ['1', '1000000000000000000', true],
    ['2', '19.99', true],
  ])) {
    const order = withLine(quantity, price);
    const { ok, issues } = (await evaluate(relay, order)).json;
    const { status, json } = await ask(relay, `/v3/ServiceOrder(${numbered(0).Id})`, {
      method: 'PUT',
      headers,
      body: order,
    });
    // The last ones are other orders with the same Id.
    assert.deepEqual([ok, status === 400], [isValid, !isValid], `${quantity} × ${price}: ${status}`);
    if (isValid) continue;
    const codes = issues.filter(({ severity }) => severity === 'error').map(({ code }) => code);
    for (const code of codes)
      assert.ok(
        json.errors.some((error) => error.code === code),
        code,
      );
  }
});

test('a large evaluation responds as a small one does, and a wrong option of it is 400', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const { esm } = await installed();
  const [order, options] = [withLines(1001), rates(2)];
  const { status, headers, json } = await evaluate(relay, order, options);
  assert.deepEqual([status, headers.get('content-type')], [200, 'application/json']);
  const { issues, lines, steps, ...totals } = esm.previewOrder(order, JSON.parse(options));
  assert.deepEqual(json, JSON.parse(JSON.stringify({ ok: true, issues, totals, lines, steps })));
  const wrong = await evaluate(relay, order, rates(2, { scale: 9 }));
  assert.equal(wrong.status, 400);
  assert.match(wrong.json.detail, /^option \/options\/scale must be/);
});

test('large evaluations hold up nothing else, and only a few of them wait', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  const [order, options] = [withLines(2000), rates(100)];
  const done = [];
  const all = Array.from({ length: 20 }, () => evaluate(relay, order, options).then((response) => done.push(response)));
  await until(() => done.length > 0, 'the first response');
  // Those that wait come first, if they are done where requests are.
  assert.equal((await put(relay)).status, 202);
  assert.equal((await ask(relay, '/ready')).status < 300, true);
  assert.ok(done.length < 20, `${done.length} evaluations were done before`);
  await Promise.all(all);
  const refused = done.filter(({ status }) => status !== 200);
  assert.ok(refused.length > 0 && refused.length < 12, `${refused.length} were refused`);
  for (const { status, headers } of refused) assert.deepEqual([status, headers.get('retry-after')], [503, '1']);
});

test('responses that are not read count towards the limit of memory, and leave room for orders', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY });
  // 30 MB.
  const body = `{"order":${withLines(2000)},"options":${rates(100, { explain: true })}}`;
  const init = { method: 'POST', headers: JSON_TYPE, body };
  const unread = await fetch(`${relay.url}/evaluate`, init);
  assert.equal(unread.status, 200);
  assert.equal((await ask(relay, '/evaluate', init)).status, 503);
  assert.equal((await put(relay)).status, 202);
  await unread.body?.cancel();
  await until(async () => (await ask(relay, '/evaluate', init)).status === 200, 'room for the response');
});

test('/evaluate has the limits of a PUT: method, media type, size and token', async (t) => {
  const relay = await relayed(t, { baseUrl: NOBODY, env: { SALES_ORDER_RELAY_CLIENT_TOKEN: 'of-the-shops' } });
  const authorized = { ...JSON_TYPE, Authorization: 'Bearer of-the-shops' };
  const order = withLine('1', '2');
  const statuses = [
    await ask(relay, '/evaluate', { headers: authorized }),
    await evaluate(relay, order, '', /** @type {any} */ ({ ...authorized, 'Content-Type': 'text/plain' })),
    await evaluate(relay, JSON.stringify('x'.repeat(1 << 20)), '', authorized),
    await evaluate(relay, order),
    await evaluate(relay, order, '', authorized),
  ].map(({ status }) => status);
  assert.deepEqual(statuses, [405, 415, 413, 401, 200]);
});
