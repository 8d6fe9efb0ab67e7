/** The page of an outbox: what it shows, what it changes, and that nothing gets in or out that should not. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { numbered } from './harness.mjs';
import { ADDRESS, AUTHORIZATION, openPage, outboxPage, refuses, tokenIn } from './operator.mjs';

const idOf = (n) => numbered(n).Id;
const link = (n, more = '') => `?order=${idOf(n)}${more}`;
/** Returns what a person reads. */
const readable = (markup) =>
  markup
    .replace(/<style[\s\S]*?<\/style>|<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code))
    .replace(/\s+/g, ' ');
const idsIn = (markup) =>
  [...markup.matchAll(/href="\?order=0{8}-0{4}-4000-8000-(\d+)"/g)].map(([, n]) => Number(n) - 1);

describe('what it shows', () => {
  test('counts, and entries newest first with sentence and location, without contents', async (t) => {
    const shop = await openPage(t, { title: 'Orders of Tea & Co' });
    await shop.settled(numbered(0));
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(1));
    const { status, text } = await shop.get();
    assert.equal(status, 200);
    assert.deepEqual(idsIn(text), [1, 0]);
    const read = readable(text);
    assert.match(read, /Orders of Tea & Co stalled 0 refused 1 invalid 0 waiting 0 sending 0 created 1 cancelled 0/);
    assert.match(read, /The service rejected the order; its details and issues say why\. Location 1000\/2000, added/);
    assert.doesNotMatch(text, /Quonset|violet|Not sold/);
  });

  test('entries of a state, a reason, a location and an age; a filter that makes no sense is explained', async (t) => {
    const shop = await openPage(t);
    await shop.settled(numbered(0, { EntityId: 2001 }));
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(1));
    const found = async (query) => idsIn((await shop.get(query)).text);
    assert.deepEqual(await found('?state=refused'), [1]);
    assert.deepEqual(await found('?state=refused&state=created'), [1, 0]);
    assert.deepEqual(await found('?state=&reason=RejectedError&location=&age='), [1]);
    assert.deepEqual(await found('?location=1000/2001'), [0]);
    assert.deepEqual(await found('?age=hour'), [1, 0]);
    assert.deepEqual(await found('?age=over-hour'), []);
    for (const [query, message] of [
      ['?location=x', 'location must be CompanyId/EntityId, such as 1000/2000'],
      ['?reason=Bad', 'reason must be one of '],
      ['?state=lost', 'states must be some of '],
      ['?age=old', 'age must be one of '],
      ['?after=x', 'after must be the next of the page before'],
    ]) {
      const { status, text } = await shop.get(query);
      assert.equal(status, 400);
      assert.ok(readable(text).includes(message), query);
    }
  });

  test('older entries on further pages, with the same filter', async (t) => {
    const shop = await openPage(t);
    for (let n = 0; n < 120; n++) await shop.outbox.add(numbered(n));
    const seen = [];
    let query = '?state=waiting';
    for (let pages = 0; query; pages++) {
      assert.ok(pages < 3);
      const { text } = await shop.get(query);
      seen.push(...idsIn(text));
      query = /rel="next" href="([^"]+)"/.exec(text)?.[1]?.replaceAll('&#38;', '&') ?? '';
      if (query) assert.match(query, /^\?state=waiting&.*after=\d+$/);
    }
    assert.deepEqual(
      seen,
      Array.from({ length: 120 }, (_, n) => 119 - n),
    );
  });

  test('an entry with sentence, remedy, details, issues and history; its contents only on request, digit by digit', async (t) => {
    const shop = await openPage(t);
    shop.respond = refuses('Not sold here.');
    await shop.settled(
      numbered(1, { Items: [{ ...numbered(1).Items[0], SellAtPricePerUnit: '123456789012.1234567890' }] }),
    );
    const { text } = await shop.get(link(1));
    const read = readable(text);
    assert.match(read, /What to do: Replace the order by a corrected one/);
    assert.match(read, /The service does not have the order\./);
    assert.match(read, /Details: Not sold here\. error \/Items\/0\/Quantity Not sold here\./);
    assert.match(read, /Attempts 1 Last reason RejectedError Last status 422 Request id request-1/);
    assert.doesNotMatch(text, /Quonset|violet/);
    const shown = readable((await shop.get(link(1, '&contents=shown'))).text);
    assert.match(shown, /"LastName": "Quonset"/);
    assert.match(shown, /"SellAtPricePerUnit": 123456789012\.1234567890[ ,]/);
    assert.equal((await shop.get(link(7))).status, 404);
    assert.equal((await shop.get('?order=%3Cscript%3E')).status, 404);
  });

  test('how often a waiting order was tried, and when it is next', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    assert.match(readable((await shop.get()).text), /added less than a minute ago ?, attempts: 0 \(next: now\)/);
  });

  test('pauses, of all deliveries or of a location, with sentence and remedy', async (t) => {
    const shop = await openPage(t);
    shop.respond = () => new Response('', { status: 401 });
    await shop.outbox.start().add(numbered(0));
    await shop.until(async () => (await shop.outbox.counts()).pause, 'the pause');
    assert.match(
      readable((await shop.get()).text),
      /All deliveries are paused The service refuses the token, or the program has none\. Renew the token.*Since .* status 401/,
    );
  });
});

describe('what it changes', () => {
  test('a refused order is sent again, and the page says so', async (t) => {
    const shop = await openPage(t);
    const { respond } = shop;
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(0));
    shop.respond = respond;
    const { status, response } = await shop.post(link(0), { action: 'retry' });
    assert.deepEqual([status, response.headers.get('location')], [303, link(0, '&done=retry')]);
    await shop.until(async () => (await shop.stateOf(numbered(0))) === 'created', 'the order');
    assert.match(readable((await shop.get(link(0, '&done=retry'))).text), /The order is sent again/);
  });

  test('all orders of a filter are sent again, on other pages too, and no others', async (t) => {
    const shop = await openPage(t);
    shop.respond = refuses('Not sold here.');
    for (let n = 0; n < 60; n++) await shop.outbox.add(numbered(n, { EntityId: n < 55 ? 2000 : 2001 }));
    shop.outbox.start();
    await shop.until(async () => (await shop.outbox.counts()).refused === 60, 'the refusals');
    const { status, response } = await shop.post('?location=1000/2000&age=hour', { action: 'retryAll' });
    const location = response.headers.get('location');
    assert.deepEqual([status, location], [303, '?location=1000%2F2000&age=hour&retried=55']);
    assert.match(readable((await shop.get(location)).text), /Orders that are sent again: 55\./);
  });

  test('a link that claims a change is believed only where the change was made', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const forged = ['retry', 'replace', 'cancel', 'forget'].map((action) => link(0, `&done=${action}`));
    for (const query of [...forged, '?retried=500', '?state=refused&retried=0'])
      assert.doesNotMatch((await shop.get(query)).text, /role="status"/, query);
    await shop.post(link(0), { action: 'cancel' });
    assert.doesNotMatch((await shop.get(link(0, '&done=forget'))).text, /role="status"/);
    assert.doesNotMatch((await shop.get(link(1, '&done=cancel'))).text, /role="status"/);
    assert.match(readable((await shop.get(link(0, '&done=cancel'))).text), /The order was withdrawn/);
    assert.doesNotMatch((await shop.get(link(0, '&done=cancel'))).text, /role="status"/);
  });

  test('a waiting order is withdrawn, and its contents are deleted', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    assert.equal((await shop.post(link(0), { action: 'cancel' })).status, 303);
    assert.equal(await shop.stateOf(numbered(0)), 'cancelled');
    assert.equal((await shop.post(link(0), { action: 'forget' })).status, 303);
    assert.equal((await shop.outbox.get(idOf(0))).body, null);
  });

  test('a corrected order replaces the refused one with every digit that was typed', async (t) => {
    const shop = await openPage(t);
    const { respond } = shop;
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(0));
    shop.respond = respond;
    const { body } = await shop.outbox.get(idOf(0));
    const order = body.replace(/"Quantity":[^,}]+/, '"Quantity":0.1234567890123456789');
    assert.notEqual(order, body);
    assert.equal((await shop.post(link(0), { action: 'replace', order })).status, 303);
    assert.match((await shop.outbox.get(idOf(0))).body, /"Quantity":0\.1234567890123456789[,}]/);
  });

  test('a corrected order with errors changes nothing: its issues are shown above what was typed', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const { body } = await shop.outbox.get(idOf(0));
    for (const [order, message] of [
      [body.replace(/"Quantity":[^,}]+/, '"Quantity":-1'), 'error /Items/0/Quantity Quantity must be greater than 0'],
      ['{"Id":', 'error'],
      [body.replace(idOf(0), idOf(1)), 'error /Id'],
    ]) {
      const { status, text } = await shop.post(link(0), { action: 'replace', order });
      assert.equal(status, 422);
      assert.ok(readable(text).includes(message), readable(text));
      assert.ok(readable(text).includes(order));
    }
    assert.equal((await shop.outbox.get(idOf(0))).body, body);
  });

  test('a change that is not possible any more is explained', async (t) => {
    const shop = await openPage(t);
    await shop.settled(numbered(0));
    const form = await shop.get(link(0));
    assert.doesNotMatch(form.text, /value="(retry|cancel|replace)"/);
    const { status, text } = await shop.post(link(0), { action: 'cancel' });
    assert.equal(status, 409);
    assert.match(readable(text), /Cannot cancel order .*, which is created/);
    assert.equal((await shop.post(link(0), { action: 'explode' })).status, 400);
    assert.equal((await shop.post('', { action: 'retry', token: tokenIn(form.text) })).status, 400);
  });
});

describe('who may use it', () => {
  test('only those whom authorize lets in: true, and nothing that is like it', async (t) => {
    const { outbox } = await openPage(t);
    await outbox.add(numbered(0));
    for (const returned of [false, undefined, 'yes', 1, Promise.resolve(false)]) {
      const page = outboxPage({ outbox, authorize: () => returned });
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        const response = await page(new Request(ADDRESS, { method }));
        assert.equal(response.status, 401);
        assert.match(response.headers.get('www-authenticate'), /^Basic /);
        assert.doesNotMatch(await response.text(), /0000/);
      }
    }
    const failing = outboxPage({ outbox, authorize: () => Promise.reject(new Error('no session store')) });
    await assert.rejects(failing(new Request(ADDRESS)), /no session store/);
  });

  test('wrong options are errors that name the option', async (t) => {
    const { outbox } = await openPage(t);
    for (const [option, options] of Object.entries({
      '/authorize': { outbox },
      '/outbox': { authorize: () => true },
      '/canChange': { outbox, authorize: () => true, canChange: 'no' },
      '/title': { outbox, authorize: () => true, title: 5 },
      '/canDelete': { outbox, authorize: () => true, canDelete: true },
    }))
      assert.throws(() => outboxPage(options), { name: 'OptionError', option });
  });

  test('with canChange false it has no form that changes anything, and refuses such forms', async (t) => {
    const shop = await openPage(t, { canChange: false });
    await shop.outbox.add(numbered(0));
    for (const query of ['', link(0, '&contents=shown')])
      assert.doesNotMatch((await shop.get(query)).text, /method="post"|name="token"/);
    assert.equal((await shop.post(link(0), { action: 'cancel' })).status, 403);
    assert.equal(await shop.stateOf(numbered(0)), 'waiting');
  });

  test('GET and HEAD change nothing, other methods are refused', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const token = tokenIn((await shop.get(link(0))).text);
    assert.equal((await shop.get(link(0, `&action=cancel&token=${token}`))).status, 200);
    const head = await shop.ask(link(0), { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    for (const method of ['PUT', 'DELETE', 'OPTIONS', 'PATCH']) {
      const { status, response } = await shop.ask(link(0), { method });
      assert.deepEqual([status, response.headers.get('allow')], [405, 'GET,HEAD,POST']);
    }
    assert.equal(await shop.stateOf(numbered(0)), 'waiting');
  });
});

describe('forged requests', () => {
  /** @type {Record<string, [fields: object, headers?: object, change?: (token: string) => string, isOther?: boolean]>} */
  const forgeries = {
    'without a token': [{ token: '' }],
    'with a token whose time was changed': [{}, {}, (token) => `9${token.slice(1)}`],
    'with a token of another secret': [{ token: `${Date.now() + 60_000}.${'0'.repeat(64)}` }],
    'from another site': [{}, { 'Sec-Fetch-Site': 'cross-site' }],
    'from another origin of the same site': [{}, { 'Sec-Fetch-Site': 'same-site' }],
    'from another origin, of a browser without Sec-Fetch-Site': [{}, { Origin: 'https://evil.test' }],
    'from a page without an origin': [{}, { Origin: 'null' }],
    'as text': [{}, { 'Content-Type': 'text/plain' }],
    'with other credentials than those of the token': [{}, {}, undefined, true],
  };
  for (const [what, [fields, headers = {}, change = undefined, isOther = false]] of Object.entries(forgeries))
    test(`a form ${what} changes nothing`, async (t) => {
      const authorize = ({ headers: sent }) => sent.has('authorization');
      const shop = await openPage(t, isOther ? { authorize } : {});
      await shop.outbox.add(numbered(0));
      const token = tokenIn((await shop.get(link(0))).text) ?? '';
      const changed = change ? { token: change(token) } : isOther ? { token } : {};
      const others = isOther ? { Authorization: `Basic ${btoa('other:secret')}` } : {};
      const { status } = await shop.post(
        link(0),
        { action: 'cancel', ...fields, ...changed },
        { ...headers, ...others },
      );
      assert.equal(status, what === 'as text' ? 415 : 403);
      assert.equal(await shop.stateOf(numbered(0)), 'waiting');
    });

  test('the same form with its token does: behind a proxy with TLS, and with a browser that says where it is from', async (t) => {
    for (const headers of [
      {},
      { Origin: 'http://shop.test' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://www.test' },
    ]) {
      const shop = await openPage(t);
      await shop.outbox.add(numbered(0));
      assert.equal((await shop.post(link(0), { action: 'cancel' }, headers)).status, 303);
    }
  });

  test('a form changes nothing after 12 hours', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const token = tokenIn((await shop.get(link(0))).text);
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 12 * 3_600_000 + 1 });
    assert.equal((await shop.post(link(0), { action: 'cancel', token })).status, 403);
    t.mock.timers.reset();
    assert.equal((await shop.post(link(0), { action: 'cancel', token })).status, 303);
  });

  test('what was typed is not lost if the token has expired', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const { status, text } = await shop.post(link(0), { action: 'replace', order: '{"my":"work"}', token: '' });
    assert.equal(status, 403);
    assert.ok(readable(text).includes('{"my":"work"}'));
    assert.ok(tokenIn(text));
  });

  test('a form that is too large is not read to its end', async (t) => {
    const shop = await openPage(t);
    let pulled = 0;
    const body = new ReadableStream({
      pull(controller) {
        pulled++;
        controller.enqueue(new Uint8Array(1 << 20));
      },
    });
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' };
    const { status } = await shop.ask('', { method: 'POST', headers, body, duplex: 'half' });
    assert.equal(status, 413);
    assert.ok(pulled < 10, String(pulled));
  });
});

describe('hostile contents', () => {
  const PAYLOADS = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)' autofocus='",
    '</textarea></pre></style></title><svg onload=alert(1)>',
    '`$(alert(1))`&lt;script&gt;<!--',
    'javascript:alert(1)//\u202Egnp.exe\u0000',
  ];

  for (const payload of PAYLOADS)
    test(`${JSON.stringify(payload)} in every member is text in every view`, async (t) => {
      const shop = await openPage(t, { title: payload });
      const members = ['FirstName', 'LastName', 'Notes', 'TimeSlotDisplayString', 'OrderNumber'];
      const hostile = Object.fromEntries(members.map((name) => [name, payload]));
      const order = numbered(0, { ...hostile, Items: [{ ...numbered(0).Items[0], Name: payload, Batch: payload }] });
      const safe = encodeURIComponent(payload);
      shop.respond = () =>
        new Response(
          JSON.stringify({ detail: payload, errors: [{ pointer: `/${payload}`, code: payload, message: payload }] }),
          { status: 422, headers: { 'Content-Type': 'application/json', 'X-Request-Id': safe } },
        );
      const refused = await shop.settled(order);
      assert.deepEqual([refused.state, refused.detail], ['refused', payload]);
      const views = [
        '',
        link(0),
        link(0, '&contents=shown'),
        link(0, `&done=${safe}&contents=${safe}`),
        `?state=${safe}&reason=${safe}&location=${safe}&age=${safe}&after=${safe}&retried=${safe}`,
        `?order=${safe}`,
      ];
      const texts = await Promise.all(views.map(async (query) => (await shop.get(query)).text));
      texts.push((await shop.post(link(0), { action: 'replace', order: payload })).text);
      texts.push((await shop.post(link(0), { action: payload })).text);
      shop.respond = ({ body }) =>
        new Response(JSON.stringify({ ...JSON.parse(body), OrderSource: { Name: payload } }), { status: 201 });
      await shop.post(link(0), { action: 'retry' });
      await shop.until(async () => (await shop.stateOf(order)) === 'created', 'the creation');
      texts.push((await shop.get(link(0, '&contents=shown'))).text);
      assert.ok(texts.some((text) => text.includes('OrderSource')));
      for (const text of texts) assertNoForeignMarkup(text);
    });

  /**
   * Everything that is not of the page itself would be an element, an attribute or an address that its templates do not
   * have.
   */
  function assertNoForeignMarkup(text) {
    const [before = '', after = ''] = text.split(/<style nonce="[\da-f-]+">[^<]*<\/style>/);
    assert.notEqual(after, '');
    const names =
      'html|head|meta|title|style|body|header|main|nav|section|form|div|h1|h2|h3|p|ul|ol|li|dl|dt|dd|a|span|strong|code|pre|time|label|input|select|option|textarea|button|details|summary|blockquote';
    const attributes =
      'lang|charset|name|content|class|href|rel|aria-label|aria-current|role|tabindex|method|action|type|value|selected|pattern|placeholder|required|autocomplete|spellcheck|datetime';
    const rest = (before + after)
      .replace('<!doctype html>', '')
      .replaceAll(new RegExp(`</(?:${names})>|<(?:${names})(?:\\s+(?:${attributes})(?:="[^"<>]*")?)*>`, 'g'), '');
    assert.doesNotMatch(rest, /[<>"'`]/, rest);
    for (const [, address] of (before + after).matchAll(/href="([^"]*)"/g)) assert.match(address ?? '', /^\?/);
  }
});

test('every response forbids scripts, frames, other origins, storage and guessing of types', async (t) => {
  const shop = await openPage(t);
  await shop.outbox.add(numbered(0));
  for (const { response, text } of [await shop.get(), await shop.get(link(0)), await shop.get(link(9))]) {
    const policy = response.headers.get('content-security-policy');
    assert.match(
      policy,
      /^default-src 'none'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; style-src 'nonce-[\w-]+'$/,
    );
    assert.ok(text.includes(`<style nonce="${/nonce-([\w-]+)/.exec(policy)?.[1]}">`));
    assert.doesNotMatch(text, /<script|\son\w+=|style="|https?:/);
    for (const [name, value] of Object.entries({
      'cache-control': 'no-store',
      'content-type': 'text/html; charset=utf-8',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'same-origin',
    }))
      assert.equal(response.headers.get(name), value);
  }
  const { response } = await shop.post(link(0), { action: 'cancel' });
  assert.equal(response.headers.get('cache-control'), 'no-store');
});

test('a store that fails, or an outbox that was stopped, is a page with status 503', async (t) => {
  const shop = await openPage(t);
  await shop.outbox.stop();
  const { status, text } = await shop.ask('', { headers: { Authorization: AUTHORIZATION } });
  assert.equal(status, 503);
  assert.match(readable(text), /The outbox has been stopped/);
});
