/** Tests responses without a web stream: of React Native and jsdom, of node-fetch, and those that tests write by hand. */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { describe, test } from 'node:test';
import { minimalOrder } from '../node/orders.mjs';
import { clientOf } from './clients.mjs';
import { settle } from './clock.mjs';

const { Id } = minimalOrder();
const CREATED = JSON.stringify({ ...minimalOrder(), ReceiptNumber: 'R-1' });
const JSON_HEADERS = { 'Content-Type': 'application/json' };
/** Longer than what the client reads of a response. */
const HUGE = 40 << 20;

/**
 * How each fetch gives a response with this text.
 *
 * @type {Record<string, (text: string, status?: number) => any>}
 */
const RESPONSES = {
  'whose body is undefined': (text, status = 201) => ({
    ...{ status, ok: status < 300, headers: new Headers(JSON_HEADERS), body: undefined },
    text: async () => text,
  }),
  'whose body is null': (text, status = 201) => ({
    ...{ status, ok: status < 300, headers: new Headers(JSON_HEADERS), body: null },
    text: async () => text,
  }),
  'whose body is a stream of Node': (text, status = 201) => ({
    ...{ status, ok: status < 300, headers: new Headers(JSON_HEADERS), body: Readable.from([Buffer.from(text)]) },
    text: async () => text,
  }),
  'written by hand': (text, status = 201) => ({ status, headers: new Headers(JSON_HEADERS), text: async () => text }),
};

/** Creates a client whose fetch gives these responses, one after the other, and counts its requests. */
function clientWith(...responses) {
  const requests = [];
  const fetch = async (url, init) => {
    requests.push({ url, init });
    const response = responses[Math.min(requests.length, responses.length) - 1];
    return typeof response === 'function' ? response(init) : response;
  };
  return { requests, sender: clientOf('https://intake.test', { fetch }) };
}

for (const [title, responseWith] of Object.entries(RESPONSES)) {
  describe(`a response ${title}`, () => {
    test('is read: the order is created, in one request', async () => {
      const { requests, sender } = clientWith(responseWith(CREATED));
      const { status, attempts, order, issues } = await sender.createOrder(minimalOrder());
      assert.deepEqual([status, attempts, order?.Id, order?.ReceiptNumber], [201, 1, Id, 'R-1']);
      assert.deepEqual(issues, []);
      assert.equal(requests.length, 1);
    });

    test('is read if it is a problem of the service', async () => {
      const problem = JSON.stringify({ detail: 'EntityId is unknown' });
      const { requests, sender } = clientWith(responseWith(problem, 400));
      await assert.rejects(sender.createOrder(minimalOrder()), {
        ...{ name: 'RejectedError', status: 400, outcome: 'not-created', detail: 'EntityId is unknown' },
      });
      assert.equal(requests.length, 1);
    });

    test('is read again after a 503', async () => {
      const { sender } = clientWith(responseWith('', 503), responseWith(CREATED));
      const { attempts, order } = await sender.createOrder(minimalOrder());
      assert.deepEqual([attempts, order?.ReceiptNumber], [2, 'R-1']);
    });

    test('that proves nothing is no creation (D26)', async () => {
      const { sender } = clientWith(responseWith('<!doctype html><p>Maintenance', 200));
      await assert.rejects(sender.createOrder(minimalOrder(), { maxRetries: 0 }), { outcome: 'unknown' });
    });

    test('that is huge is no order, and its text is not in the error', async () => {
      const notes = 'x'.repeat(HUGE);
      const { sender } = clientWith(responseWith(CREATED.replace('R-1', notes)));
      await assert.rejects(sender.createOrder(minimalOrder(), { maxRetries: 0 }), (error) => {
        assert.equal(/** @type {any} */ (error).outcome, 'unknown');
        assert.ok(JSON.stringify(error).length + String(/** @type {any} */ (error).message).length < 100_000);
        return true;
      });
    });

    test('whose text() rejects is a lost connection', async () => {
      const failing = { ...responseWith(CREATED), text: () => Promise.reject(new TypeError('terminated')) };
      if (failing.body) failing.body = Readable.from(brokenBody());
      const { sender } = clientWith(failing);
      await assert.rejects(sender.createOrder(minimalOrder(), { maxRetries: 0 }), {
        ...{ name: 'ConnectionError', outcome: 'unknown' },
      });
    });
  });

  describe(`while text() hangs, in a response ${title}`, () => {
    const hanging = () => {
      const response = responseWith(CREATED);
      const body = response.body && new Readable({ read() {} });
      return { ...response, ...(body && { body }), text: () => new Promise(() => {}) };
    };

    test('an abort rejects at once', async () => {
      const controller = new AbortController();
      const reason = new Error('the user left');
      const { sender } = clientWith(() => {
        // After the client has begun to read.
        void settle().then(() => controller.abort(reason));
        return hanging();
      });
      await assert.rejects(sender.createOrder(minimalOrder(), { signal: controller.signal }), {
        ...{ name: 'AbortedError', outcome: 'unknown' },
      });
    });

    test('the time of an attempt ends it, and the next one creates the order', async () => {
      const { sender } = clientWith(hanging(), responseWith(CREATED));
      const { attempts, order } = await sender.createOrder(minimalOrder());
      assert.deepEqual([attempts, order?.ReceiptNumber], [2, 'R-1']);
    });
  });
}

async function* brokenBody() {
  yield Buffer.from(CREATED.slice(0, 20));
  throw new TypeError('terminated');
}

/** A value that throws whatever is done with it. */
function revoked() {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

const throwing = (name) => ({
  get [name]() {
    throw revoked();
  },
});

for (const [title, fetch] of /** @type {[string, any][]} */ ([
  ['throws', () => assert.fail('x')],
  [
    'throws a revoked proxy',
    () => {
      throw revoked();
    },
  ],
  ['rejects with a revoked proxy', () => Promise.reject(revoked())],
  ['rejects with undefined', () => Promise.reject()],
  ['rejects with an error whose code can not be read', () => Promise.reject(throwing('code'))],
  ['resolves to undefined', async () => undefined],
  ['resolves to a response without headers', async () => ({ status: 201, text: async () => CREATED })],
  ['resolves to a response whose status can not be read', async () => throwing('status')],
  [
    'resolves to a response whose text is rejected',
    async () => ({
      ...{ status: 201, headers: new Headers(), body: null, text: () => Promise.reject(revoked()) },
    }),
  ],
])) {
  test(`a fetch that ${title} leaves the outcome unknown`, async () => {
    const error = await clientOf('https://intake.test', { fetch, maxRetries: 0 })
      .createOrder(minimalOrder())
      .catch((thrown) => thrown);
    assert.deepEqual([error.name, error.outcome, error.attempts], ['ConnectionError', 'unknown', 1]);
  });
}

test('a token function that throws a revoked proxy leaves the outcome not-created', async () => {
  const fetch = async () => assert.fail('nothing is sent');
  const token = () => {
    throw revoked();
  };
  const error = await clientOf('https://intake.test', { fetch, token, maxRetries: 0 })
    .createOrder(minimalOrder())
    .catch((thrown) => thrown);
  assert.deepEqual([error.name, error.outcome, error.attempts], ['AuthenticationError', 'not-created', 0]);
});

for (const [title, cancel] of /** @type {[string, any][]} */ ([
  ['throws', () => assert.fail('x')],
  ['returns nothing', () => {}],
  ['rejects', () => Promise.reject(revoked())],
])) {
  test(`a stream whose cancel ${title} harms nothing after a time-out`, async () => {
    const reader = { read: () => new Promise(() => {}), cancel };
    const response = { status: 201, headers: new Headers(), body: { getReader: () => reader } };
    const { requests, sender } = clientWith(response);
    const error = await sender.createOrder(minimalOrder(), { maxRetries: 0 }).catch((thrown) => thrown);
    assert.deepEqual([error.name, error.outcome, requests.length], ['TimeoutError', 'unknown', 1]);
  });
}
