/** Tests what is said of an unknown option: by every function of every entry that takes options, and in options of options. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed, installedFile } from '../node/installed.mjs';
import { minimalOrder } from '../node/orders.mjs';
import { rejection } from '../thrown.mjs';

const { esm: core, slim, client: clients, testing } = await installed();
const load = (path) => import(installedFile(`dist/esm/${path}/index.js`));
const [{ createOutbox }, { sqliteStore }] = [await load('outbox'), await load('outbox/sqlite')];
const { postgresStore, postgresSchema } = await load('outbox/postgres');
const { outboxPage } = await load('outbox/page');

const service = testing.createTestService();
const client = clients.createClient(service.clientOptions);
const outboxOptions = () => ({ client, store: sqliteStore(':memory:') });
const outbox = createOutbox(outboxOptions());
const registry = (changes) => ({
  companies: [{ id: 1, locations: [{ id: 2 }] }],
  integrators: [{ id: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', name: 'Shop' }],
  tokens: [],
  ...changes,
});
const withTaxRate = (changes) => ({
  taxRates: [
    { id: 'gst', rate: '0.05' },
    { id: 'pst', rate: '0.07', ...changes },
  ],
});

/** Functions with the options of the core, beside any others that they have. */
const WITH_ORDER_OPTIONS = {
  buildOrder: (options) => core.buildOrder(minimalOrder(), options),
  validateOrder: (options) => core.validateOrder(minimalOrder(), options),
  previewOrder: (options) => core.previewOrder(minimalOrder(), options),
  prepareRequest: (options) => core.prepareRequest(minimalOrder(), options),
  evaluateOrder: (options) => core.evaluateOrder(minimalOrder(), options),
  createEvaluator: (options) => core.createEvaluator(options),
  salesOrderSchema: (options) => core.salesOrderSchema('v3', options)['~standard'].validate(minimalOrder()),
  'evaluateOrder of the slim entry': (options) => slim.evaluateOrder(minimalOrder(), options),
  createOrder: (options) => client.createOrder(minimalOrder(), options),
  createOrders: async (options) => client.createOrders([minimalOrder()], options),
  'outbox.add': (options) => outbox.add(minimalOrder(), options),
  'outbox.replace': (options) => outbox.replace(minimalOrder(), options),
};
/**
 * Returns options of which one is unknown, each with the option that was probably meant, or none.
 *
 * @returns {[options: object, meant: string | undefined][]}
 */
const meant = (text) =>
  text.split(' ').map((each) => {
    const [path, option] = each.split('→');
    return [path.split('.').reduceRight((value, name) => ({ [name]: value }), 1), option || undefined];
  });
const ORDER_OPTIONS = [
  ...meant('taxrates→taxRates verison→version allowEmptyTax→allowEmptyTaxes ID→id round→ taxes→'),
  [withTaxRate({ rat: 1 }), 'rate'],
  [withTaxRate({ layers: 1 }), 'layer'],
  [{ discountValueTypes: { amount: 1, percentage: 2 } }, 'percent'],
];
const REQUEST = 'timeout→timeoutMs totalTimeout→totalTimeoutMs retries→maxRetries maxRetry→maxRetries';
const CALL = `${REQUEST} abortSignal→signal idempotencyKey→`;
const OF_CLIENT =
  'baseURL→baseUrl url→baseUrl accessToken→token tokenTimeout→tokenTimeoutMs time_out→timeoutMs signal→ onRetry→';
// Of its time-outs, none is that of a request.
const OF_OUTBOX =
  'timeout→ handlerTimeout→handlerTimeoutMs concurency→concurrency perLocation→concurrencyPerLocation onSetled→onSettled';
const { createOrder, createOrders, 'outbox.add': add } = WITH_ORDER_OPTIONS;
const inMemory = (options) => sqliteStore(':memory:', options);
const onPostgres = (options) => postgresStore({ connectionString: 'postgres://x', ...options });
const pageOf = (options) => outboxPage({ outbox, authorize: () => true, ...options });
const clientWith = (options) => clients.createClient({ ...service.clientOptions, ...options });
const unknownCompanies = registry({ tokens: [{ token: 'x', company: [1], integrators: [] }] });

/** @type {[string, (options: any) => unknown, [options: object, meant: string | undefined][]][]} */
const TABLE = [
  ...Object.entries(WITH_ORDER_OPTIONS).map(([name, call]) => /** @type {any} */ ([name, call, ORDER_OPTIONS])),
  [
    'readDecimal',
    (options) => core.readDecimal('1', options),
    meant('decimals→decimal thousand→thousands group→ scale→'),
  ],
  [
    'createClient',
    clientWith,
    meant(`${REQUEST} ${OF_CLIENT} retry.base→baseMs hooks.request→onRequest hooks.onFailure→`),
  ],
  ['createOrder', createOrder, meant(`${CALL} earlierAttempt→earlierAttempts`)],
  ['createOrders', createOrders, meant(`${CALL} concurency→concurrency onprogress→onProgress parallel→`)],
  [
    'createOutbox',
    (options) => createOutbox({ ...outboxOptions(), ...options }),
    meant(`${OF_OUTBOX} deadline→deadlineMs hooks.onAdded→onAdd retry.cap→capMs`),
  ],
  ['outbox.add', add, meant('transation→transaction delay→')],
  ['outbox.settled', (options) => outbox.settled(minimalOrder().Id, options), meant('timeout→timeoutMs poll→')],
  ['outbox.stop', (options) => outbox.stop(options), meant('timeout→timeoutMs')],
  ['outbox.list', (options) => outbox.list(options).next(), meant('company→companyId limit→')],
  ['outbox.page', (options) => outbox.page(options), meant('newest→newestFirst content→contents')],
  ['outbox.retryAll', (options) => outbox.retryAll(options), meant('sate→state')],
  ['sqliteStore', inMemory, meant('timeout→busyTimeoutMs busyTimeout→busyTimeoutMs readonly→readOnly')],
  ['postgresStore', onPostgres, meant('conectionString→connectionString queryTimeout→queryTimeoutMs ssl→')],
  ['postgresSchema', postgresSchema, meant('schemas→schema')],
  ['outboxPage', pageOf, meant('autorize→authorize')],
  [
    'createTestService',
    testing.createTestService,
    [...meant('baseURL→baseUrl tokens→token maxBody→maxBodyBytes'), [{ registry: unknownCompanies }, 'companies']],
  ],
];

test.after(() => outbox.stop());

for (const [name, call, cases] of TABLE) {
  test(`${name} names the option that was probably meant, and lists the others`, async () => {
    for (const [options, expected] of cases) {
      const error = await rejection(Promise.resolve().then(() => call(options)));
      assert.ok(error instanceof core.OptionError, `${JSON.stringify(options)}: ${error?.stack}`);
      assert.match(error.message, /^option \/\S+ is unknown[;.] /);
      assert.match(error.message, / The options are \w+(, \w+)*(;|$)/);
      assert.equal(/; did you mean (\w+)\? /.exec(error.message)?.[1], expected, error.message);
      assert.ok(error.message.startsWith(`option ${error.option} `), error.message);
    }
  });
}
