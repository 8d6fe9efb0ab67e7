/** relay: what it responds to an order that it does not send any more. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbered } from '../orders.mjs';
import { serviceOf, sql } from '../program.mjs';
import { ask, logOf, put, relayed, settled } from './relays.mjs';

const GUID = numbered(0).Id;
const problem = (name) => `urn:sales-order-intake:problem:${name}`;

/** Ends the relay, and starts another one with the same file. */
async function restarted(t, relay, service, between) {
  relay.child.kill('SIGTERM');
  assert.equal((await relay.child.ended).code, 0);
  await between();
  return relayed(t, { ...service, outbox: relay.file });
}

for (const status of [400, 409, 422]) {
  test(`an order that the service has refused with ${status} is refused again, as the service worded it`, async (t) => {
    const errors = [
      { pointer: '/Items/0/Quantity', code: 'too_large', detail: 'At most 5 each.', params: { limit: 5 } },
      { pointer: '/Notes', code: 'house_rule', detail: 'No notes for Xanthippe.' },
    ];
    const body = JSON.stringify({ title: 'Refused', detail: 'Xanthippe orders too much.', errors });
    const service = await serviceOf(t, () => ({ status, body }));
    const relay = await relayed(t, service);
    assert.equal((await put(relay)).status, 202);
    assert.equal((await settled(relay)).state, 'refused');
    const again = await put(relay);
    assert.deepEqual(
      [again.status, again.headers.get('content-type'), again.headers.get('location')],
      [status, 'application/problem+json', `/orders/${GUID}`],
    );
    const { type, title, errors: repeated, ...others } = again.json;
    assert.equal(type, problem('refused'));
    assert.equal(title, 'The service has refused the order');
    assert.deepEqual(others, {
      status,
      detail: 'Xanthippe orders too much.',
      orderId: GUID,
      state: 'refused',
      outcome: 'not-created',
      reason: status === 409 ? 'ConflictError' : 'RejectedError',
    });
    assert.deepEqual(repeated[0], errors[0]);
    // A code that is not of this package (D30).
    assert.deepEqual(
      [repeated[1].pointer, repeated[1].code, repeated[1].detail],
      ['/Notes', 'rejected_by_service', 'No notes for Xanthippe.'],
    );
    // The reason is for the sender of the order, not for the log.
    assert.equal(logOf(relay.child, 'request').at(-1).status, status);
    assert.doesNotMatch(relay.child.shown.out, /Xanthippe|too much|each/);
    assert.equal(service.paths.length, 1, 'the service is not asked again');
  });
}

test('a refusal whose status is not about the order is repeated as 422, and one without a reason says so', async (t) => {
  const service = await serviceOf(t, () => ({ status: 400, body: '{"Message":"no"}' }));
  let relay = await relayed(t, service);
  await put(relay);
  await settled(relay);
  for (const status of ['NULL', '401', '408', '429', '503']) {
    relay = await restarted(t, relay, service, () =>
      sql(relay.file, `UPDATE outbox_entry SET status = ${status}, detail = NULL, issues = NULL`, 'SELECT 1'),
    );
    const { status: repeated, json } = await put(relay);
    assert.deepEqual([repeated, json.status, json.state], [422, 422, 'refused'], status);
    assert.equal(json.detail, 'The service has refused the order, without a reason.');
    assert.equal(json.errors, undefined);
  }
});

test('an order that has stalled is 409, which says that it may have been created and how it is sent once more', async (t) => {
  let isFixed = false;
  const service = await serviceOf(t, ({ count }) =>
    isFixed ? { status: 201 } : { status: count === 1 ? 500 : 422, body: '{"Message":"no"}' },
  );
  const relay = await relayed(t, service);
  await put(relay);
  assert.equal((await settled(relay)).state, 'stalled');
  const { status, headers, json } = await put(relay);
  assert.deepEqual([status, headers.get('location')], [409, `/orders/${GUID}`]);
  const { title: _, ...others } = json;
  assert.deepEqual(others, {
    type: problem('stalled'),
    status: 409,
    detail:
      'The relay does not send this order any more. It may have been created: do not send it with a new Id. ' +
      `POST /orders/${GUID}/retry sends it once more, with the same Id.`,
    orderId: GUID,
    state: 'stalled',
    outcome: 'unknown',
    reason: 'RejectedError',
  });
  // The body of the response.
  isFixed = true;
  assert.equal((await ask(relay, `/orders/${GUID}/retry`, { method: 'POST' })).status, 200);
  assert.equal((await settled(relay)).state, 'created');
  assert.ok([200, 204].includes((await put(relay)).status));
});
