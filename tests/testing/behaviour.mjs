/** Defines the tests that every form of the service must pass (targets.mjs). */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { kiosk, newId, order, put, registry, send } from './harbour.mjs';
import { numbers, replays } from './replays.mjs';

const { esm, client } = await installed();

export function behavesAsTheService(name, start) {
  describe(name, () => {
    let service;
    before(async () => {
      service = await start({ registry });
    });
    after(() => service.stop());

    test('a new order is created with its read-only members filled and its digits preserved', async () => {
      const id = newId();
      const text = JSON.stringify(
        order(id, { EntityId: 2302, Notes: 'Ring "twice" {1,2}', Extra: [1.5, { a: '}' }] }),
      ).replace(':10}', ':"10.50"}');
      const created = await send(service, `/v3/ServiceOrder(${id})`, { body: text });
      assert.deepEqual([created.status, created.headers.get('content-type')], [201, 'application/json']);
      const { DateCreatedUtc: date } = created.json();
      assert.match(date, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{7}\+00:00$/);
      assert.ok(Math.abs(Date.parse(date) - Date.now()) < 3_600_000);
      const source = '{"Id":"7c9e6679-7425-40de-944b-e07fc1f90ae7","Name":"Storefront"}';
      assert.equal(
        created.text,
        `{"Id":"${id}","CompanyId":1501,"EntityId":2302,"WasCreatedWithInventoryHold":true,` +
          `"DateCreatedUtc":"${date}","OrderSource":${source},"IntegratorId":"7c9e6679-7425-40de-944b-e07fc1f90ae7",` +
          '"Items":[{"Name":"Pre-roll","CatalogItemId":"c3a1f0de-6b52-4d18-9e47-1f2a3b4c5d6e","Quantity":1,"SellAtPricePerUnit":10.50}],' +
          '"ReceiptNumber":"1","Notes":"Ring \\"twice\\" {1,2}","Extra":[1.5,{"a":"}"}]}',
      );
    });

    for (const { title, order: sent, equal, different } of replays) {
      test(`${title}: sending it again returns the same response, in either version and notation`, async () => {
        const own = sent(newId());
        const first = await put(service, own);
        assert.equal(first.status, 201, first.text);
        const text = JSON.stringify(own);
        for (const body of [text, first.text, ...equal(text)]) {
          const again = await put(service, own, { body, version: 'v2' });
          assert.deepEqual([again.status, again.text], [200, first.text], body);
        }
      });

      test(`${title}: another one with the same id is a conflict, changes nothing and takes no receipt number`, async () => {
        const own = sent(newId());
        const first = await put(service, own);
        const text = JSON.stringify(own);
        for (const version of ['v2', 'v3']) {
          for (const body of different(text)) isProblem(await put(service, own, { body, version }), 409, 'conflict');
        }
        assert.deepEqual([(await put(service, own)).status, (await put(service, own)).text], [200, first.text]);
        const next = await put(service, order(newId()));
        assert.equal(Number(next.json().ReceiptNumber), Number(first.json().ReceiptNumber) + 1);
      });
    }

    test('numbers in unknown members are compared by value, whatever their size', async () => {
      for (const group of numbers) {
        const own = order(newId(), { Extra: 'N' });
        const sent = (number) => put(service, own, { body: JSON.stringify(own).replace('"N"', `[${number}]`) });
        const [first, ...equal] = group;
        assert.equal((await sent(first)).status, 201, first);
        for (const number of equal) assert.equal((await sent(number)).status, 200, `${first} and ${number}`);
        const others = numbers.flat().filter((number) => !group.includes(number));
        for (const number of others) assert.equal((await sent(number)).status, 409, `${first} and ${number}`);
      }
    });

    test('receipt numbers are counted per location', async () => {
      const own = await start({ registry });
      try {
        for (const [EntityId, receipt] of [
          [2301, '1'],
          [2302, '1'],
          [2301, '2'],
          [2302, '2'],
          [2301, '3'],
        ]) {
          assert.equal((await put(own, order(newId(), { EntityId }))).json().ReceiptNumber, receipt);
        }
      } finally {
        await own.stop();
      }
    });

    test('the options of the integrator apply: empty taxes, passthrough records', async () => {
      const { token, IntegratorId } = kiosk;
      const sent = order(newId(), { IntegratorId, Taxes: [], Discount: { InvoiceLevel: 'ten percent' } });
      const headers = { authorization: `Bearer ${token}` };
      const created = await put(service, sent, { headers });
      assert.equal(created.status, 201, created.text);
      assert.equal(created.json().OrderSource.Name, 'Kiosk "2"');
      const passthrough = order(newId(), { IntegratorId, Taxes: [{ TaxAmount: '1.0' }] });
      assert.equal((await put(service, passthrough, { headers })).status, 201);
      isProblem(await put(service, { ...passthrough, Taxes: [{ TaxAmount: '1.00' }] }, { headers }), 409, 'conflict');
      // Records that can be read are compared by value, although they were passed through.
      const readable = (TaxAmount) => [{ TaxId: '0b9f7c1e-2d3a-4b5c-8d6e-7f8091a2b3c4', TaxAmount }];
      const taxed = order(newId(), { IntegratorId, Taxes: readable('1.0') });
      assert.equal((await put(service, taxed, { headers })).status, 201);
      assert.equal((await put(service, { ...taxed, Taxes: readable(1) }, { headers })).status, 200);
      isProblem(await put(service, { ...taxed, Taxes: readable('1.01') }, { headers }), 409, 'conflict');
      assert.deepEqual(isProblem(await put(service, order(newId(), { Taxes: [] })), 400, 'invalid-order'), [
        'taxes_empty /Taxes',
      ]);
    });

    test('an issue that a client reads has its code, params and hint', async () => {
      const { baseUrl, token, fetch } = service;
      const intake = client.createClient({ baseUrl, fetch, token: async () => token, maxRetries: 0 });
      // The client does not know that the prices of this location include taxes.
      const sent = order(newId(), { EntityId: 2303, Notes: 'n'.repeat(300) });
      const error = await intake.createOrder(sent).catch((error) => error);
      assert.ok(error instanceof client.RejectedError, error);
      assert.deepEqual(
        error.issues.map(({ code, severity, params }) => [code, severity, params]),
        [
          ['location_tax_inclusive', 'error', {}],
          ['text_long', 'warning', { limit: 250, length: 300 }],
        ],
      );
      const [, { message, hint }] = error.issues;
      assert.equal(hint, 'keep it within 250 characters');
      assert.ok(!message.includes(hint), message);

      const items = [{ ...order('').Items[0], Quantity: 0 }];
      const { text, json } = await put(service, order(newId(), { CompanyId: 0, Items: items }));
      const [issue] = esm.readError(text).issues;
      assert.deepEqual([issue.code, issue.params], ['integer_out_of_range', { min: 1, max: 2_147_483_647 }]);
      assert.deepEqual(json().errors, [
        {
          pointer: '/CompanyId',
          code: 'integer_out_of_range',
          detail: 'CompanyId must be between 1 and 2147483647',
          params: { min: 1, max: 2_147_483_647 },
        },
        {
          pointer: '/Items/0/Quantity',
          code: 'quantity_not_positive',
          detail: 'Quantity must be greater than 0',
        },
      ]);
    });

    test('the media types are application/json and text/json', async () => {
      for (const [contentType, accept, answered] of [
        ['application/json', 'application/json', 'application/json'],
        ['text/json', 'text/json', 'text/json; charset=utf-8'],
        ['Application/JSON; charset="UTF-8"', 'text/json;q=0.9, application/json;q=0.1', 'text/json; charset=utf-8'],
        ['text/json', '*/*;q=0.1, text/html', 'application/json'],
        ['text/json', 'application/json;q=0, TEXT/*', 'text/json; charset=utf-8'],
      ]) {
        const created = await put(service, order(newId()), { headers: { 'content-type': contentType, accept } });
        assert.deepEqual([created.status, created.headers.get('content-type')], [201, answered], contentType);
      }
      for (const contentType of [
        undefined,
        'application/xml',
        'application/json; charset=utf-16',
        'application/problem+json',
        'text/plain',
      ]) {
        isProblem(
          await put(service, order(newId()), { headers: { 'content-type': contentType } }),
          415,
          'unsupported-media-type',
        );
      }
      for (const coding of ['gzip', 'identity, gzip', 'gzip, identity']) {
        isProblem(
          await put(service, order(newId()), { headers: { 'content-encoding': coding } }),
          415,
          'unsupported-media-type',
        );
      }
      const encoded = { headers: { 'content-encoding': 'identity, Identity' } };
      assert.equal((await put(service, order(newId()), encoded)).status, 201);
      for (const accept of ['text/html', 'application/json;q=0', '*/*;q=0', 'application/xml, text/plain']) {
        isProblem(await put(service, order(newId()), { headers: { accept } }), 406, 'not-acceptable');
      }
    });

    test('a request without a known token is rejected, and the response does not contain the token', async () => {
      for (const authorization of [
        undefined,
        'Bearer',
        'Bearer soi_0000',
        'Basic dXNlcjpwYXNz',
        'soi_storefront',
        'Bearer  soi_storefront x',
      ]) {
        const refused = await put(service, order(newId()), { headers: { authorization } });
        isProblem(refused, 401, 'unauthenticated');
        assert.equal(refused.headers.get('www-authenticate'), 'Bearer');
        assert.doesNotMatch(refused.text, /soi_|dXNl|Pre-roll/);
      }
      assert.equal(
        (await put(service, order(newId()), { headers: { authorization: 'bearer soi_storefront' } })).status,
        201,
      );
    });

    test('a token covers only its companies and integrators, whatever else is wrong', async () => {
      for (const [member, value] of [
        ...[
          ['CompanyId', 1502],
          ['CompanyId', 9],
          ['EntityId', 2304],
          ['EntityId', 9],
        ],
        ...[
          ['IntegratorId', kiosk.IntegratorId],
          ['IntegratorId', '99999999222243338444555555555555'],
        ],
      ]) {
        const refused = await put(service, order(newId(), { [member]: value, Items: [] }));
        isProblem(refused, 403, 'forbidden');
        assert.ok(refused.json().detail.includes(member), refused.text);
      }
    });

    test('all issues are reported with code, pointer and message', async () => {
      const refused = await put(service, order(newId(), { EntityId: 2303 }));
      assert.deepEqual(isProblem(refused, 400, 'invalid-order'), ['location_tax_inclusive /EntityId']);
      const id = newId();
      const { Id: _, ...withoutId } = order(id, {
        notes: 'Ring twice',
        ReceiptNumber: '7',
        Items: [{ ...order(id).Items[0], Quantity: 0 }],
      });
      const more = await send(service, `/v3/ServiceOrder(${id})`, { body: JSON.stringify(withoutId) });
      assert.deepEqual(isProblem(more, 400, 'invalid-order'), [
        'missing /Id',
        'quantity_not_positive /Items/0/Quantity',
        'unknown_member /notes',
      ]);
      assert.equal(more.json().errors[2].detail, 'notes is not a known member; it is sent unchanged');
      for (const body of [
        '',
        '{',
        '[]',
        'null',
        new Uint8Array([0x22, 0xff, 0x22]),
        `${JSON.stringify(order(id))}\ufeff`,
      ]) {
        assert.equal(
          isProblem(await send(service, `/v3/ServiceOrder(${id})`, { body }), 400, 'invalid-order').length,
          1,
          String(body),
        );
      }
    });

    test('the Id of the body must equal the one of the path, in any form', async () => {
      assert.deepEqual(
        isProblem(
          await send(service, `/v3/ServiceOrder(${newId()})`, { body: JSON.stringify(order(newId())) }),
          400,
          'invalid-order',
        ),
        ['order_id_mismatch /Id'],
      );
      const id = newId();
      const paths = [
        ...[
          `/v3/ServiceOrder(${id})`,
          `/v3/ServiceOrder(${id.toUpperCase()})`,
          `/v3/ServiceOrder(${id.replaceAll('-', '')})`,
        ],
        ...[
          `/v3/ServiceOrder({${id}})`,
          `/v3/ServiceOrder((${id}))`,
          `/v3/ServiceOrder%28${id}%29`,
          `/v2/Service%4Frder(${id})?anything=1`,
        ],
      ];
      for (const [index, path] of paths.entries()) {
        assert.equal(
          (await send(service, path, { body: JSON.stringify(order(id)) })).status,
          index === 0 ? 201 : 200,
          path,
        );
      }
    });

    test('other paths are not found, other methods not allowed', async () => {
      const id = newId();
      for (const path of [
        ...[
          '/',
          `/v1/ServiceOrder(${id})`,
          `/V3/ServiceOrder(${id})`,
          `/v3/serviceorder(${id})`,
          `/v3/ServiceOrder(${id})/`,
          `/v3/ServiceOrder/${id}`,
        ],
        ...[
          `/v3/ServiceOrder('${id}')`,
          `/v3/ServiceOrder(${id}`,
          '/v3/ServiceOrder()',
          `/v3/ServiceOrder(${id.replaceAll(/[^-]/g, '0')})`,
          '/v3/ServiceOrder(%FF%FE)',
        ],
      ]) {
        isProblem(await send(service, path, { body: JSON.stringify(order(id)) }), 404, 'not-found');
      }
      for (const method of ['GET', 'POST', 'DELETE', 'PATCH', 'OPTIONS']) {
        const refused = await send(service, `/v3/ServiceOrder(${id})`, { method });
        isProblem(refused, 405, 'method-not-allowed');
        assert.equal(refused.headers.get('allow'), 'PUT');
      }
      const head = await send(service, `/v3/ServiceOrder(${id})`, { method: 'HEAD' });
      assert.deepEqual([head.status, head.headers.get('allow'), head.text], [405, 'PUT', '']);
    });

    test('a body that is too large is rejected', async () => {
      const own = await start({ registry, maxBodyBytes: 1000 });
      try {
        const room = 1000 - JSON.stringify(order(newId(), { Notes: '' })).length;
        assert.equal((await put(own, order(newId(), { Notes: 'x'.repeat(room) }))).status, 201);
        isProblem(await put(own, order(newId(), { Notes: 'x'.repeat(room + 1) })), 413, 'too-large');
      } finally {
        await own.stop();
      }
    });

    test('the operations can have a base path', async () => {
      const own = await start({ registry, basePath: '/covaorderintake' });
      try {
        assert.equal((await put(own, order(newId()))).status, 201);
      } finally {
        await own.stop();
      }
    });

    test('a fault happens to the request that asks for it', async () => {
      const sent = order(newId());
      const asking = (fault, options) => put(service, sent, { headers: { 'x-fault': fault }, ...options });
      for (const [fault, kind, retryAfter] of [
        ['401', 'unauthenticated', null],
        ['403', 'forbidden', null],
        ['404', 'not-found', null],
        ['409', 'conflict', null],
        ['429', 'rate-limited', '1'],
        ['500', 'internal', null],
        ['503', 'unavailable', '1'],
      ]) {
        const answer = await asking(fault);
        isProblem(answer, Number(fault), kind);
        assert.equal(answer.headers.get('retry-after'), retryAfter);
      }
      await assert.rejects(asking('drop'), TypeError);
      const started = performance.now();
      assert.equal((await asking('latency=300')).status, 201, 'no earlier fault has stored the order');
      assert.ok(performance.now() - started >= 295);
      for (const unknown of ['no such fault', '502', 'html', 'redirect', 'down-until=', 'latency=300001']) {
        const refused = await asking(unknown);
        isProblem(refused, 400, 'unknown-fault');
        for (const fault of ['latency=', '401', '403', '404', '409', '429', '500', '503', 'drop', 'down-until=']) {
          assert.ok(refused.json().detail.includes(fault), refused.text);
        }
      }
      isProblem(await asking('500', { method: 'POST' }), 405, 'method-not-allowed');
      for (const fault of ['latency=300000', '500', 'drop', 'no such fault']) {
        const headers = { 'x-fault': fault, authorization: 'Bearer soi_unknown' };
        isProblem(await put(service, sent, { headers }), 401, 'unauthenticated');
        isProblem(await send(service, '/v4/Order', { headers: { 'x-fault': fault } }), 404, 'not-found');
      }
    });

    test('a client that does not wait until the latency has passed has its order stored, and the next request finds it', async () => {
      const statusOf = async (timeoutMs) => {
        const sent = order(newId());
        const options = { headers: { 'x-fault': 'latency=300000' }, signal: AbortSignal.timeout(timeoutMs) };
        await assert.rejects(put(service, sent, options), { name: 'TimeoutError' });
        return (await put(service, sent)).status;
      };
      let status;
      // A request that has not reached the service in time is not stored: that time is too short on a slow machine.
      for (let timeoutMs = 50; timeoutMs < 30_000 && status !== 200; timeoutMs *= 4) status = await statusOf(timeoutMs);
      assert.equal(status, 200);
    });

    test('the service is down until the seconds have passed or the outage is ended', async () => {
      const sent = order(newId());
      const down = (seconds) => put(service, sent, { headers: { 'x-fault': `down-until=${seconds}` } });
      for (const answer of [await down(100), await put(service, sent), await down(100)]) {
        isProblem(answer, 503, 'unavailable');
        const left = Number(answer.headers.get('retry-after'));
        assert.ok(left > 0 && left <= 100, `${left} s`);
      }
      assert.equal((await down(0)).status, 201);
      assert.equal((await down(1)).headers.get('retry-after'), '1');
      // Until the second has passed.
      while ((await put(service, sent)).status === 503) await new Promise((resolve) => setTimeout(resolve, 20));
    });

    test('an order whose response was dropped is stored', async () => {
      const sent = order(newId());
      await assert.rejects(put(service, sent, { headers: { 'x-fault': 'drop-after' } }), TypeError);
      assert.equal((await put(service, sent)).status, 200);
    });
  });
}

/** Asserts that the response is a problem of this status and type (D29); returns code and pointer of its issues. */
function isProblem(answer, status, kind) {
  assert.equal(answer.status, status, answer.text);
  assert.equal(answer.headers.get('content-type'), 'application/problem+json');
  const { type, title, detail, errors = [], ...others } = answer.json();
  assert.deepEqual([type, others], [`urn:sales-order-intake:problem:${kind}`, { status }]);
  assert.ok(title && detail);
  return errors.map(({ code, pointer }) => `${code} ${pointer}`);
}
