/** The page of an outbox: what it shows, what it changes, and that nothing gets in or out that should not. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request } from 'node:http';
import { describe, test } from 'node:test';
import { numbered } from './harness.mjs';
import { ADDRESS, AUTHORIZATION, openPage, outboxPage, refuses, served } from './operator.mjs';

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
    assert.match(read, /Orders of Tea & Co .* invalid 0 stalled 0 refused 1 waiting 0 sending 0 created 1 cancelled 0/);
    assert.match(read, /The service rejected the order; its details and issues say why\. Location 1000\/2000 , added/);
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

  test('the oldest first, from a line that says how long it has waited', async (t) => {
    const shop = await openPage(t);
    for (let n = 0; n < 3; n++) await shop.outbox.add(numbered(n));
    const [, query = ''] =
      /href="([^"]+)">The oldest order has waited for [^<]+ (?:milliseconds?|seconds?)</.exec(
        (await shop.get()).text,
      ) ?? [];
    assert.equal(query, '?state=waiting&#38;state=sending&#38;sort=oldest');
    const { text } = await shop.get(query.replaceAll('&#38;', '&'));
    assert.deepEqual(idsIn(text), [0, 1, 2]);
    assert.match(readable(text), /Orders that match, oldest first/);
  });

  test('an order by the beginning of the number that the shop gave it, by its receipt number, and by its Id', async (t) => {
    const shop = await openPage(t);
    shop.respond = ({ body }) => new Response(body.replace(/}$/, ',"ReceiptNumber":"104"}'), { status: 201 });
    await shop.settled(numbered(0), 'cart 7');
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(1), '1042');
    await shop.settled(numbered(2), '1051');
    const found = async (q) => idsIn((await shop.get(`?q=${encodeURIComponent(q)}`)).text);
    assert.deepEqual(await found('cart'), [0]);
    assert.deepEqual(await found('art'), []);
    assert.deepEqual(await found('10'), [2, 1]);
    assert.deepEqual(await found('104'), [0, 1]);
    for (const id of [idOf(1), ` ${idOf(1).toUpperCase()} `]) {
      const { status, response } = await shop.get(`?q=${encodeURIComponent(id)}`);
      assert.deepEqual([status, response.headers.get('location')], [303, link(1)]);
    }
    assert.deepEqual(await found(idOf(7)), []);
    assert.match(readable((await shop.get('?q=104')).text), /cart 7 .*Receipt 104.* 1042 /);
    assert.equal((await shop.get('?q=%07')).status, 400);
  });

  test('how many orders of each location need a person or wait, with links to them', async (t) => {
    const shop = await openPage(t);
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(0, { EntityId: 2001 }));
    await shop.outbox.add(numbered(1, { EntityId: 'x' }), { invalid: 'keep' });
    const { text } = await shop.get();
    assert.match(readable(text), /oldest waits 1000\/2001 0 0 1 0 – 1000\/\? 1 0 0 0 –/);
    assert.ok(text.includes('<a href="?location=1000%2F2001&#38;state=refused">1</a>'));
  });

  test('what became of the orders of the last 24 hours, by the time they were added', async (t) => {
    const shop = await openPage(t);
    await shop.settled(numbered(0));
    shop.respond = refuses('Not sold here.');
    await shop.settled(numbered(1));
    const { text } = await shop.get();
    assert.match(readable(text), /The last 24 hours 24 hours ago now refused 1 created 1/);
    assert.equal(text.match(/<rect class="(?:created|refused)" x="231" /g)?.length, 2);
  });

  test('itself again after some seconds, if that was chosen', async (t) => {
    const shop = await openPage(t);
    const refresh = async (query) => (await shop.get(query)).response.headers.get('refresh');
    const { text } = await shop.get('?state=stalled');
    assert.ok(text.includes('href="?state=stalled&#38;refresh=30"'));
    assert.deepEqual(
      [await refresh(''), await refresh('?refresh=30'), await refresh('?refresh=0;url=https://evil.test')],
      [null, '30', null],
    );
    assert.match((await shop.get('?state=stalled&refresh=30')).text, /<a href="\?state=stalled">Stop refreshing/);
  });

  test('an entry with sentence, remedy, details and issues; its contents only on request, digit by digit', async (t) => {
    const shop = await openPage(t);
    shop.respond = refuses('Not sold here.');
    const item = { ...numbered(1).Items[0], SellAtPricePerUnit: '123456789012.1234567890' };
    await shop.settled(numbered(1, { Items: [item] }), 'cart 7');
    const { text } = await shop.get(link(1));
    const read = readable(text);
    assert.match(read, /refused cart 7/);
    assert.match(read, /What to do: Replace the order by a corrected one/);
    assert.match(read, /The service does not have the order\./);
    assert.match(read, /Details: Not sold here\. Error Item 1, Quantity: Not sold here\./);
    assert.match(read, /Reference cart 7 Location 1000\/2000 Version v3 Attempts 1 Request id request-1/);
    assert.doesNotMatch(text, /Quonset|violet/);
    const shown = readable((await shop.get(link(1, '&contents=shown'))).text);
    assert.match(shown, /"LastName": "Quonset"/);
    assert.match(shown, /"SellAtPricePerUnit": 123456789012\.1234567890[ ,]/);
    shop.respond = ({ body }) =>
      new Response(body.replace(/}$/, ',"Total":1.0,"ReceiptNumber":"R-5"}'), { status: 201 });
    await shop.outbox.retry(idOf(1));
    await shop.until(async () => (await shop.stateOf(numbered(1))) === 'created', 'the creation');
    assert.match(
      readable((await shop.get(link(1, '&contents=shown'))).text),
      /that the service returned.*"Total": 1\.0, /,
    );
    assert.match(readable((await shop.get(link(1))).text), /Receipt R-5/);
    assert.equal((await shop.get(link(7))).status, 404);
    assert.equal((await shop.get('?order=%3Cscript%3E')).status, 404);
  });

  test('what happened to an order, in the time zone of the operator: an outage, a refusal, a correction, and who did what', async (t) => {
    const authorize = ({ headers }) => headers.has('authorization') && 'Kim & Co';
    const shop = await openPage(t, { authorize, timeZone: 'Asia/Kolkata' });
    const { respond } = shop;
    shop.respond = () => {
      shop.respond = refuses('Not sold here.');
      return new Response('', { status: 429 });
    };
    await shop.settled(numbered(0));
    shop.respond = respond;
    const { body } = await shop.outbox.get(idOf(0));
    await shop.post(link(0), { action: 'replace', order: body, '/Notes': 'none' });
    const { addedAt } = await shop.outbox.settled(idOf(0));
    const { text } = await shop.get(link(0));
    const events = [...text.matchAll(/<li class="[\w-]+"><p><time[^>]+>([^<]+)<\/time><\/p>(.*?)<\/li>/gs)];
    const rejected = 'The service rejected the order; its details and issues say why.';
    assert.deepEqual(
      events.map(([, , event]) =>
        readable(event)
          .trim()
          .replace(/, [\d.]+ (?:milliseconds?|seconds?)/, ''),
      ),
      [
        'Added',
        'Attempt : not created, status 429 The service asked for a pause (429).',
        `Attempt : not created, status 422 ${rejected}`,
        'Final result : refused',
        'Corrected by Kim & Co',
        'Attempt : created, status 201',
        'Final result : created',
      ],
    );
    const inKolkata = new Date(addedAt.getTime() + 5.5 * 3_600_000).toISOString();
    const [, time = ''] = events[0] ?? [];
    assert.match(time, /^\w{3} \d+, \d{4}, \d+:\d\d:\d\d\s[AP]M GMT\+5:30$/);
    assert.ok(time.includes(inKolkata.slice(13, 19)), `${time} ${inKolkata}`);
  });

  test('how often a waiting order was tried, and when it is next', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    assert.match(readable((await shop.get()).text), /added (?:now|\d+ \w+ ago) , Attempts: 0 \(next: now\)/);
  });

  test('pauses, of all deliveries or of a location, with sentence and remedy', async (t) => {
    const shop = await openPage(t);
    shop.respond = () => new Response('', { status: 401 });
    await shop.outbox.start().add(numbered(0));
    await shop.until(async () => (await shop.outbox.counts()).pause, 'the pause');
    const text = readable((await shop.get()).text);
    assert.match(
      text,
      /All deliveries are paused The service refuses the token, or the program has none\. Renew the token.*Since .* status 401/,
    );
    assert.match(text, /Attempts: \d \(paused\)/);
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
    assert.match(readable((await shop.get(location)).text), /Orders that are sent again: 55 /);
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
    assert.match(readable((await shop.get(link(0, '&done=cancel'))).text), /The order was cancelled/);
    assert.doesNotMatch((await shop.get(link(0, '&done=cancel'))).text, /role="status"/);
  });

  test('a waiting order is sent now, cancelled, and its contents are deleted, each in the name of whoever did it', async (t) => {
    const long = `Kim\t${'x'.repeat(300)}`;
    const shop = await openPage(t, { authorize: async ({ headers }) => headers.get('x-account') ?? long });
    await shop.outbox.add(numbered(0));
    assert.equal((await shop.post('', { action: 'retryAll' }, { 'X-Account': 'Robin' })).status, 303);
    assert.equal((await shop.post(link(0), { action: 'cancel' })).status, 303);
    assert.equal(await shop.stateOf(numbered(0)), 'cancelled');
    const doers = (await shop.outbox.history(idOf(0))).map(({ what, by }) => [what, by]);
    assert.deepEqual(doers.slice(1), [
      ['retry', 'Robin'],
      ['cancel', `Kim ${'x'.repeat(196)}`],
    ]);
    assert.equal((await shop.post(link(0), { action: 'forget' })).status, 303);
    assert.equal((await shop.outbox.get(idOf(0))).body, null);
    assert.equal((await shop.outbox.history(idOf(0))).at(-1).by.length, 200);
  });

  /** Returns the fields of the form that corrects an order, as a browser sends them. */
  const formIn = (text) => {
    const [, form = ''] = /<form method="post" action="[^"]+#correct">(.*?)<\/form>/s.exec(text) ?? [];
    const decoded = (value) => value.replace(/&#(\d+);/g, (_, code) => String.fromCharCode(code));
    const inputs = [...form.matchAll(/<input (?!type="checkbox)[^>]*name="([^"]+)"[^>]* value="([^"]*)"/g)];
    const areas = [...form.matchAll(/<textarea [^>]*name="([^"]+)"[^>]*>\n([^<]*)</g)];
    return Object.fromEntries(
      [...inputs, ...areas].map(([, name = '', value = '']) => [decoded(name), decoded(value)]),
    );
  };

  test('an invalid order is shown as a form, with issues at their fields and the totals', async (t) => {
    const shop = await openPage(t);
    const [tea] = numbered(0).Items;
    const order = numbered(0, {
      EntityId: undefined,
      Items: [tea, { ...tea, Quantity: -1 }],
      Taxes: [{ TaxId: idOf(9), TaxAmount: '1.10' }],
    });
    await shop.outbox.add(order, { invalid: 'keep', earlierAttempts: 'unknown' });
    const { text } = await shop.get(link(0, '&correct=shown'));
    assert.match(
      text,
      /<label for="field-2">Location <code>EntityId<\/code><\/label>\s*<input id="field-2" name="\/EntityId" aria-invalid="true" aria-describedby="field-2-issues"/,
    );
    assert.match(text, /id="field-2-issues"><span class="issue error">Error: <bdi lang="en">EntityId is missing/);
    assert.match(readable(text), /Error Item 2, Quantity: Quantity must be greater than 0/);
    assert.match(readable(text), /Item 1: 39\.98 .* Totals Subtotal unknown Discount 0\.00 Tax 1\.10 Total unknown/);
    const form = formIn(text);
    assert.deepEqual([form['/Items/1/Quantity'], form['/Taxes/0/TaxAmount'], form['/EntityId']], ['-1', '1.10', '']);
    const fields = { ...form, '/EntityId': '2000', '/Items/1/Quantity': '3' };
    const checked = await shop.post(link(0, '&correct=shown'), { ...fields, action: 'check' });
    assert.equal(checked.status, 200);
    assert.match(readable(checked.text), /Subtotal 99\.95 Discount 0\.00 Tax 1\.10 Total 101\.05/);
    assert.doesNotMatch(checked.text, /class="issue error"/);
    assert.equal(await shop.stateOf(order), 'invalid');
    assert.equal(
      (await shop.post(link(0, '&correct=shown'), { ...formIn(checked.text), action: 'replace' })).status,
      303,
    );
    assert.equal(await shop.stateOf(order), 'waiting');
    assert.match(readable((await shop.get(link(0))).text), /Final result : invalid The order is invalid.*Corrected/);
  });

  test('items are added and removed in the form', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0, { Items: [] }), { invalid: 'keep' });
    const query = link(0, '&correct=shown');
    const press = async (action, fields) => (await shop.post(query, { ...fields, action })).text;
    let text = await press('add', formIn((await shop.get(query)).text));
    text = await press('add', { ...formIn(text), '/Items/0/Name': 'Wrong' });
    const [{ CatalogItemId }] = numbered(0).Items;
    const tea = { Name: 'Tea', Quantity: '0.125', SellAtPricePerUnit: '8.00', CatalogItemId };
    const typed = Object.fromEntries(Object.entries(tea).map(([name, value]) => [`/Items/1/${name}`, value]));
    text = await press('check', { ...formIn(text), ...typed, remove: '/Items/0' });
    assert.match(readable(text), /Item 1: 1\.00 /);
    assert.doesNotMatch(text, /Items\/1|Wrong/);
    await press('replace', formIn(text));
    const { body } = await shop.outbox.get(idOf(0));
    assert.match(body, /"Items":\[{[^{}]*"Quantity":0\.125,"SellAtPricePerUnit":8\.00[^{}]*}]/);
  });

  test('what the form has no field for, and what nobody has changed, is sent as it was written', async (t) => {
    const shop = await openPage(t);
    const { respond } = shop;
    shop.respond = refuses('Not sold here.');
    const [tea] = numbered(0).Items;
    const strange = {
      'a/b~"c"': ['x', 1.5, { deep: null }],
      Colour: '\ufeffred',
      Notes: 'one\r\ntwo\ttabs & <b>',
      IsDelivery: true,
    };
    const items = Array.from({ length: 150 }, () => ({ ...tea, Quantity: '2.50', Gift: true }));
    await shop.settled(numbered(0, { ...strange, FirstName: null, Items: items }));
    shop.respond = respond;
    const before = (await shop.outbox.get(idOf(0))).body;
    const { text } = await shop.get(link(0, '&correct=shown'));
    assert.match(readable(text), /Item 100: 49\.98 .* Entries that are not shown, and stay as they are: 50 /);
    const form = formIn(text);
    const fields = { ...form, '/IsDelivery': 'true', '/Notes': form['/Notes'].replace(/\r\n?|\n/g, '\r\n') };
    assert.equal((await shop.post(link(0), { ...fields, action: 'replace' })).status, 303);
    assert.equal((await shop.outbox.get(idOf(0))).body, before);
    await shop.outbox.settled(idOf(0));
  });

  test('a changed field keeps the type that its member needs, and every digit that was typed', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0, { CompanyId: '1000', EntityId: 'x', Gift: 1 }), { invalid: 'keep' });
    const form = formIn((await shop.get(link(0, '&correct=shown'))).text);
    const typed = {
      '/EntityId': ' 2000',
      '/Items/0/Quantity': '0.123',
      '/Items/0/SellAtPricePerUnit': '5.0000000000000000001',
    };
    const texts = { '/FirstName': '12', '/Notes': 'a\r\nb', '/LastName': '', '/IsDelivery': 'false', '/Gift': '2.50' };
    assert.equal((await shop.post(link(0), { ...form, ...typed, ...texts, action: 'replace' })).status, 303);
    const { body } = await shop.outbox.get(idOf(0));
    for (const part of [
      '"CompanyId":1000,',
      '"EntityId":2000,',
      '"Quantity":0.123,',
      ':5.0000000000000000001',
      '"Gift":2.50',
    ])
      assert.ok(body.includes(part), `${part} in ${body}`);
    const { FirstName, LastName, Notes, IsDelivery } = JSON.parse(body);
    assert.deepEqual([FirstName, LastName, Notes, IsDelivery], ['12', undefined, 'a\nb', false]);
  });

  test('a corrected order with errors changes nothing: the form has what was typed', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const { body } = await shop.outbox.get(idOf(0));
    /** @type {[Record<string, string>, string][]} */
    const corrections = [
      [{ order: body, '/Items/0/Quantity': '-1' }, 'Quantity must be greater than 0'],
      [{ order: body, '/Items/0/Quantity': 'two' }, 'Error: Quantity must be'],
      [{ order: body.replace(idOf(0), idOf(1)) }, 'Error Id: Id differs'],
      [{ order: '{"Id":' }, 'The corrected order has errors'],
    ];
    for (const [fields, message] of corrections) {
      const { status, text } = await shop.post(link(0), { action: 'replace', ...fields });
      assert.equal(status, 422);
      assert.ok(readable(text).includes(message), readable(text));
      if (fields['/Items/0/Quantity'])
        assert.equal(formIn(text)['/Items/0/Quantity'].trim(), fields['/Items/0/Quantity']);
    }
    assert.equal((await shop.outbox.get(idOf(0))).body, body);
  });

  test('a form from before a correction does not undo it unnoticed', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    const query = link(0, '&correct=shown');
    const form = formIn((await shop.get(query)).text);
    const replace = (fields, quantity) =>
      shop.post(query, { ...fields, '/Items/0/Quantity': quantity, action: 'replace' });
    assert.equal((await replace(form, '3')).status, 303);
    const { text: checked } = await shop.post(query, { ...form, action: 'check' });
    const { status, text } = await replace(formIn(checked), '4');
    assert.equal(status, 409);
    assert.match(readable(text), /The order was corrected meanwhile, so nothing was changed/);
    assert.match((await shop.outbox.get(idOf(0))).body, /"Quantity":3,/);
    assert.equal((await replace(formIn(text), '4')).status, 303);
    assert.match((await shop.outbox.get(idOf(0))).body, /"Quantity":4,/);
  });

  test('a change that is not possible any more is explained', async (t) => {
    const shop = await openPage(t);
    await shop.settled(numbered(0));
    const form = await shop.get(link(0));
    assert.doesNotMatch(form.text, /value="(retry|cancel|replace)"/);
    const { status, text } = await shop.post(link(0), { action: 'cancel' });
    assert.equal(status, 409);
    assert.match(readable(text), /Nothing was changed, because of the state that the order has now: created/);
    assert.equal((await shop.post(link(0), { action: 'explode' })).status, 400);
    assert.equal((await shop.post('', { action: 'retry' })).status, 400);
  });
});

describe('who may use it', () => {
  test('only those whom authorize lets in: true or a name, and nothing that is like it', async (t) => {
    const { outbox } = await openPage(t);
    await outbox.add(numbered(0));
    for (const returned of [false, undefined, '', 1, Promise.resolve(false)]) {
      const page = outboxPage({ outbox, authorize: () => returned });
      for (const method of ['GET', 'HEAD', 'POST', 'DELETE']) {
        const response = await page(new Request(ADDRESS, { method }));
        assert.equal(response.status, 401);
        assert.match(response.headers.get('www-authenticate'), /^Basic /);
        // A nonce is random.
        assert.doesNotMatch((await response.text()).replace(/nonce="[^"]*"/g, ''), /0000/);
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
      '/timeZone': { outbox, authorize: () => true, timeZone: 'Mars/Olympus' },
      '/locale': { outbox, authorize: () => true, locale: 'not a language' },
      '/canDelete': { outbox, authorize: () => true, canDelete: true },
    }))
      assert.throws(() => outboxPage(options), { name: 'OptionError', option });
  });

  test('with canChange false it has no form that changes anything, and refuses such forms', async (t) => {
    const shop = await openPage(t, { canChange: false });
    await shop.outbox.add(numbered(0));
    for (const query of ['', link(0, '&contents=shown'), link(0, '&correct=shown')])
      assert.doesNotMatch((await shop.get(query)).text, /method="post"/);
    assert.equal((await shop.post(link(0), { action: 'cancel' })).status, 403);
    assert.equal(await shop.stateOf(numbered(0)), 'waiting');
  });

  test('GET and HEAD change nothing, other methods are refused', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0));
    assert.equal((await shop.get(link(0, '&action=cancel'))).status, 200);
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
  /** @type {Record<string, Record<string, string>>} */
  const forgeries = {
    'from another site': { 'Sec-Fetch-Site': 'cross-site' },
    'from another origin of the same site': { 'Sec-Fetch-Site': 'same-site', Origin: 'https://shop.test' },
    'from another origin, of a browser without Sec-Fetch-Site': { Origin: 'https://evil.test' },
    'from another port of the same host, of such a browser': { Origin: 'https://shop.test:8443' },
    'from a page without an origin': { Origin: 'null' },
    'as text': { 'Content-Type': 'text/plain' },
  };
  for (const [what, headers] of Object.entries(forgeries))
    test(`a form ${what} changes nothing`, async (t) => {
      const shop = await openPage(t);
      await shop.outbox.add(numbered(0));
      const { status } = await shop.post(link(0), { action: 'cancel' }, headers);
      assert.equal(status, what === 'as text' ? 415 : 403);
      assert.equal(await shop.stateOf(numbered(0)), 'waiting');
    });

  test('a form of the page itself does, whichever process made it: behind a proxy with TLS, and with a browser that says where it is from', async (t) => {
    for (const headers of [
      {},
      { Origin: 'http://shop.test' },
      { 'Sec-Fetch-Site': 'same-origin', Origin: 'https://www.test' },
      { Host: '192.0.2.1:3000', Origin: 'http://192.0.2.1:3000' },
    ]) {
      const shop = await openPage(t);
      await shop.outbox.add(numbered(0));
      assert.equal((await shop.post(link(0), { action: 'cancel' }, headers)).status, 303);
    }
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
  test('an order with an error in each of its many items is shown in linear time', async (t) => {
    const shop = await openPage(t);
    await shop.outbox.add(numbered(0, { Items: [] }), { invalid: 'keep' });
    const order = JSON.stringify({ Items: Array(50_000).fill({ Name: 'Tea' }) });
    const startedAt = performance.now();
    const { status, text } = await shop.post(link(0, '&correct=shown'), { order, action: 'check' });
    // It would take minutes if each field searched all issues.
    assert.ok(performance.now() - startedAt < 45_000);
    assert.equal(status, 200);
    assert.match(text, /name="\/Items\/1000\/Quantity" aria-invalid="true"/);
    assert.doesNotMatch(text, /name="\/Items\/49999\/Quantity"/);
  });

  const PAYLOADS = [
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    "' onfocus='alert(1)' autofocus='",
    '</textarea></pre></style></title><svg onload=alert(1)>',
    '`$(alert(1))`&lt;script&gt;<!--',
    'javascript:alert(1)//\u202Egnp.exe\u0000',
  ];

  for (const payload of PAYLOADS)
    test(`${JSON.stringify(payload)} in every place is text in every view`, async (t) => {
      const line = payload.replace('\0', '');
      const authorize = ({ headers }) => headers.has('authorization') && line;
      const shop = await openPage(t, { title: payload, authorize });
      const members = ['FirstName', 'LastName', 'Notes', 'TimeSlotDisplayString', 'OrderNumber', payload];
      const hostile = Object.fromEntries(members.map((name) => [name, payload]));
      const items = [{ ...numbered(0).Items[0], Name: payload, Batch: payload, [payload]: payload }];
      const order = numbered(0, { ...hostile, Items: items, Extra: { [payload]: [{ [payload]: payload }] } });
      const safe = encodeURIComponent(payload);
      shop.respond = () =>
        new Response(
          JSON.stringify({ detail: payload, errors: [{ pointer: `/${payload}`, code: payload, message: payload }] }),
          { status: 422, headers: { 'Content-Type': 'application/json', 'X-Request-Id': safe } },
        );
      const refused = await shop.settled(order, line);
      assert.deepEqual([refused.state, refused.detail, refused.reference], ['refused', payload, line]);
      await shop.outbox.add({ ...order, Id: idOf(1), EntityId: payload }, { invalid: 'keep', reference: line });
      const views = [
        '',
        link(0),
        link(0, '&contents=shown'),
        link(0, '&correct=shown'),
        link(1, '&correct=shown&contents=shown'),
        link(0, `&done=${safe}&contents=${safe}`),
        `?state=${safe}&reason=${safe}&location=${safe}&age=${safe}&after=${safe}&retried=${safe}&sort=${safe}&refresh=${safe}`,
        `?q=${encodeURIComponent(line)}`,
        `?order=${safe}`,
      ];
      const texts = await Promise.all(views.map(async (query) => (await shop.get(query)).text));
      const { body } = await shop.outbox.get(idOf(0));
      for (const action of ['check', 'add', payload])
        texts.push(
          (await shop.post(link(0), { action, order: body, '/Items/0/Quantity': payload, [payload]: payload })).text,
        );
      texts.push((await shop.post(link(0), { action: 'replace', order: payload })).text);
      shop.respond = ({ body }) =>
        new Response(JSON.stringify({ ...JSON.parse(body), OrderSource: { Name: payload }, ReceiptNumber: payload }), {
          status: 201,
        });
      await shop.post(link(0), { action: 'retry' });
      await shop.until(async () => (await shop.stateOf(order)) === 'created', 'the creation');
      texts.push((await shop.get(link(0, '&contents=shown'))).text, (await shop.get()).text);
      assert.ok(texts.some((text) => text.includes('OrderSource')));
      assert.ok(texts.some((text) => text.includes('Sent again</strong> by <bdi>')));
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
      'html|head|meta|title|style|body|header|main|nav|section|form|div|h1|h2|h3|p|ul|ol|li|dl|dt|dd|a|span|strong|em|bdi|code|pre|time|label|input|select|option|textarea|button|details|summary|blockquote|fieldset|legend|table|thead|tbody|tr|th|td|svg|rect';
    const attributes =
      'lang|charset|name|content|class|href|rel|aria-label|aria-labelledby|aria-current|aria-hidden|aria-invalid|aria-describedby|role|tabindex|method|action|type|value|selected|pattern|placeholder|required|autocomplete|spellcheck|maxlength|inputmode|datetime|id|for|scope|rows|viewBox|preserveAspectRatio|x|y|width|height';
    const tag = new RegExp(`</(?:${names})>|<(?:${names})(?:\\s+(?:${attributes})(?:="[^"<>]*")?)*\\s*/?>`, 'g');
    const rest = (before + after).replace('<!doctype html>', '').replaceAll(tag, '');
    assert.doesNotMatch(rest, /[<>"'`]/, rest);
    for (const [, address] of (before + after).matchAll(/(?:href|action)="([^"]*)"/g))
      assert.match(address ?? '', /^(?:\?|#field-\d+$)/);
  }
});

// cspell:ignore ungültig Bestellung wird gesendet Standort Zwischensumme Rabatt Steuer berechnet Summe unbekannt MESZ Angenommen
test('it is in German if its locale is; all other locales are English', async (t) => {
  const shop = await openPage(t, { locale: 'de-AT', timeZone: 'Europe/Vienna' });
  await shop.outbox.add(numbered(0, { EntityId: 'x' }), { invalid: 'keep' });
  const list = await shop.get();
  assert.match(list.text, /<html lang="de">/);
  assert.match(
    readable(list.text),
    /Bestellungen .* ungültig 1 .* Die Bestellung ist ungültig und wird nicht gesendet\. Standort/,
  );
  const form = await shop.get(link(0, '&correct=shown'));
  assert.match(readable(form.text), /Zwischensumme 39,98 Rabatt 0,00 Steuer berechnet die Kasse Summe unbekannt/);
  assert.match(readable(form.text), /\d\d\.\d\d\.\d{4}, \d\d:\d\d:\d\d (?:MEZ|MESZ) Angenommen/u);
  assert.match(form.text, /name="\/Items\/0\/SellAtPricePerUnit" inputmode="decimal" value="19,99"/);
  const { body } = await shop.outbox.get(idOf(0));
  const typed = {
    order: body,
    '/EntityId': '2000',
    '/Items/0/SellAtPricePerUnit': '19,99',
    '/Items/0/Quantity': '1,50',
  };
  await shop.post(link(0), { ...typed, action: 'replace' });
  const sent = (await shop.outbox.get(idOf(0))).body;
  assert.match(sent, /"Quantity":1\.50,"SellAtPricePerUnit":19\.99/);
  assert.equal((await shop.post(link(0), { ...typed, '/Items/0/Quantity': '1.500', action: 'replace' })).status, 422);
  for (const [locale, mark] of Object.entries({
    'de-CH': '.',
    'en-ZA': new Intl.NumberFormat('en-ZA').format(0.5)[1],
  })) {
    const other = await openPage(t, { locale });
    await other.outbox.add(numbered(0));
    const { text } = await other.get(link(0, '&correct=shown'));
    assert.ok(readable(text).includes(` 39${mark}98 `), locale);
    assert.ok(text.includes(`value="19${mark}99"`), locale);
  }
  for (const locale of ['fr', 'en-GB', 'nds-DE']) {
    const { text } = await (await openPage(t, { locale })).get();
    assert.match(text, /<html lang="en">.*The last 24 hours.*24 hours ago/s);
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

test('on Node, a request whose host or method no Request takes is responded to with 400', async (t) => {
  const { page } = await openPage(t);
  const origin = await served(t, page);
  for (const options of [{ headers: { host: 'a b' } }, { headers: { host: '[' } }, { method: 'TRACE' }]) {
    const [response] = await once(request(origin, options).end(), 'response');
    assert.equal(response.resume().statusCode, 400);
  }
  assert.equal((await fetch(origin)).status, 401);
});
