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
const ORDER_OPTIONS = [
  [{ taxrates: [] }, 'taxRates'],
  [{ verison: 'v2' }, 'version'],
  [{ allowEmptyTax: true }, 'allowEmptyTaxes'],
  [{ ID: 'optional' }, 'id'],
  [{ round: 'half-up' }, undefined],
  [{ taxes: [] }, undefined],
  [withTaxRate({ rat: 1 }), 'rate'],
  [withTaxRate({ layers: 1 }), 'layer'],
  [{ discountValueTypes: { amount: 1, percentage: 2 } }, 'percent'],
];
const CALL = [
  [{ timeout: 1 }, 'timeoutMs'],
  [{ totalTimeout: 1 }, 'totalTimeoutMs'],
  [{ retries: 1 }, 'maxRetries'],
  [{ maxRetry: 1 }, 'maxRetries'],
  [{ abortSignal: AbortSignal.timeout(1) }, 'signal'],
  [{ idempotencyKey: 'x' }, undefined],
];

/** @type {[string, (options: any) => unknown, [options: object, meant: string | undefined][]][]} */
const TABLE = [
  ...Object.entries(WITH_ORDER_OPTIONS).map(([name, call]) => /** @type {any} */ ([name, call, ORDER_OPTIONS])),
  [
    'readDecimal',
    (options) => core.readDecimal('1', options),
    [
      [{ decimals: ',' }, 'decimal'],
      [{ thousand: '.' }, 'thousands'],
      [{ group: '.' }, undefined],
      [{ scale: 2 }, undefined],
    ],
  ],
  [
    'createClient',
    (options) => clients.createClient({ ...service.clientOptions, ...options }),
    [
      ...CALL.slice(0, 4),
      [{ baseURL: 'https://x.example' }, 'baseUrl'],
      [{ url: 'https://x.example' }, 'baseUrl'],
      [{ accessToken: 'x' }, 'token'],
      [{ tokenTimeout: 1 }, 'tokenTimeoutMs'],
      [{ time_out: 1 }, 'timeoutMs'],
      [{ signal: AbortSignal.timeout(1) }, undefined],
      [{ onRetry() {} }, undefined],
      [{ retry: { base: 1 } }, 'baseMs'],
      [{ hooks: { request() {} } }, 'onRequest'],
      [{ hooks: { onFailure() {} } }, undefined],
    ],
  ],
  ['createOrder', WITH_ORDER_OPTIONS.createOrder, [...CALL, [{ earlierAttempt: 'none' }, 'earlierAttempts']]],
  [
    'createOrders',
    WITH_ORDER_OPTIONS.createOrders,
    [...CALL, [{ concurency: 2 }, 'concurrency'], [{ onprogress() {} }, 'onProgress'], [{ parallel: 2 }, undefined]],
  ],
  [
    'createOutbox',
    (options) => createOutbox({ ...outboxOptions(), ...options }),
    [
      // Of its time-outs, none is that of a request.
      [{ timeout: 1 }, undefined],
      [{ handlerTimeout: 1 }, 'handlerTimeoutMs'],
      [{ concurency: 1 }, 'concurrency'],
      [{ perLocation: 1 }, 'concurrencyPerLocation'],
      [{ onSetled() {} }, 'onSettled'],
      [{ deadline: 1 }, 'deadlineMs'],
      [{ hooks: { onAdded() {} } }, 'onAdd'],
      [{ retry: { cap: 1 } }, 'capMs'],
    ],
  ],
  [
    'outbox.add',
    WITH_ORDER_OPTIONS['outbox.add'],
    [
      [{ transation: {} }, 'transaction'],
      [{ delay: 5 }, undefined],
    ],
  ],
  [
    'outbox.settled',
    (options) => outbox.settled(minimalOrder().Id, options),
    [
      [{ timeout: 1 }, 'timeoutMs'],
      [{ poll: 1 }, undefined],
    ],
  ],
  ['outbox.stop', (options) => outbox.stop(options), [[{ timeout: 1 }, 'timeoutMs']]],
  [
    'outbox.list',
    (options) => outbox.list(options).next(),
    [
      [{ company: 1 }, 'companyId'],
      [{ limit: 1 }, undefined],
    ],
  ],
  [
    'outbox.page',
    (options) => outbox.page(options),
    [
      [{ newest: true }, 'newestFirst'],
      [{ content: true }, 'contents'],
    ],
  ],
  ['outbox.retryAll', (options) => outbox.retryAll(options), [[{ sate: 'stalled' }, 'state']]],
  [
    'sqliteStore',
    (options) => sqliteStore(':memory:', options),
    [
      [{ timeout: 1 }, 'busyTimeoutMs'],
      [{ busyTimeout: 1 }, 'busyTimeoutMs'],
      [{ readonly: true }, 'readOnly'],
    ],
  ],
  [
    'postgresStore',
    (options) => postgresStore({ connectionString: 'postgres://x', ...options }),
    [
      [{ conectionString: 'postgres://x' }, 'connectionString'],
      [{ queryTimeout: 1 }, 'queryTimeoutMs'],
      [{ ssl: true }, undefined],
    ],
  ],
  ['postgresSchema', postgresSchema, [[{ schemas: 'x' }, 'schema']]],
  [
    'outboxPage',
    (options) => outboxPage({ outbox, authorize: () => true, ...options }),
    [[{ autorize() {} }, 'authorize']],
  ],
  [
    'createTestService',
    testing.createTestService,
    [
      [{ baseURL: 'https://x.example' }, 'baseUrl'],
      [{ tokens: 'x' }, 'token'],
      [{ maxBody: 1 }, 'maxBodyBytes'],
      [{ registry: registry({ tokens: [{ token: 'x', company: [1], integrators: [] }] }) }, 'companies'],
    ],
  ],
];

test.after(() => outbox.stop());

for (const [name, call, cases] of TABLE) {
  test(`${name} names the option that was probably meant, and lists the others`, async () => {
    for (const [options, meant] of cases) {
      const error = await rejection(Promise.resolve().then(() => call(options)));
      assert.ok(error instanceof core.OptionError, `${JSON.stringify(options)}: ${error?.stack}`);
      assert.match(error.message, /^option \/\S+ is unknown[;.] /);
      assert.match(error.message, / The options are \w+(, \w+)*(;|$)/);
      assert.equal(/; did you mean (\w+)\? /.exec(error.message)?.[1], meant, error.message);
      assert.ok(error.message.startsWith(`option ${error.option} `), error.message);
    }
  });
}
