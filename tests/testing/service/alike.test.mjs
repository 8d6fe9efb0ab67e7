/** Tests that the test service and the reference service respond to the same requests with the same bytes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { installed } from '../../node/installed.mjs';
import { input, listed, subjects } from '../../vectors/vectors.mjs';
import { kiosk, newId, order, registry, send } from '../harbour.mjs';
import { inProcess, reference } from '../targets.mjs';

const { esm } = await installed();
const HEADERS = ['content-type', 'allow', 'www-authenticate', 'retry-after'];

/** Sends a request and returns the comparable parts of the response: the date is always different. */
async function asked(target, { path, ...request }) {
  const { status, headers, text } = await send(target, path, request);
  const body = text.replace(/"DateCreatedUtc":"[^"]*"/, '"DateCreatedUtc":"…"');
  return { status, headers: HEADERS.map((name) => headers.get(name)), body };
}

async function onBoth(options, ask) {
  const targets = await Promise.all([inProcess(options), reference(options)]);
  try {
    await ask((request) => Promise.all(targets.map((target) => asked(target, request))));
  } finally {
    await Promise.all(targets.map((target) => target.stop()));
  }
}

test('both services respond alike to every vector', async () => {
  const counts = { 201: 0, 400: 0 };
  for (const vectors of grouped(sent()).values()) {
    await onBoth({ registry: registryFor(vectors), maxBodyBytes: 1 << 26 }, async (both) => {
      for (const { title, accepted, ...request } of vectors) {
        const [ours, theirs] = await both(request);
        assert.deepEqual(ours, theirs, title);
        // Undefined for an order that only the package completes: a service rejects it.
        if (accepted !== undefined) assert.equal(ours.status, accepted ? 201 : 400, `${title}: ${ours.body}`);
        counts[ours.status]++;
      }
    });
  }
  assert.ok(counts[201] > 100 && counts[400] > 150, JSON.stringify(counts));
});

test('both services respond alike to other requests, valid and invalid', async () => {
  const id = newId();
  const body = JSON.stringify(order(id));
  const path = `/v3/ServiceOrder(${id})`;
  const headers = (headers) => ({ path, body, headers });
  const changed = (changes) => ({ path, body: JSON.stringify(order(id, changes)) });
  await onBoth({ registry, maxBodyBytes: 2000 }, async (both) => {
    for (const request of [
      ...[
        { path: '/', body },
        { path: '/v3', body },
        { path: '/v3/', body },
        { path: '/v3/orders', body },
        { path: `${path}/lines`, body },
        { path: '/v3/%FF', body },
      ],
      ...['GET', 'POST', 'DELETE', 'OPTIONS', 'HEAD'].map((method) => ({ path, method })),
      ...[undefined, 'Bearer', 'Bearer x', 'Basic x', 'soi_storefront'].map((authorization) =>
        headers({ authorization }),
      ),
      ...[
        'text/html',
        '*/*;q=0',
        'application/json;q=0.000',
        'text/*;q=0, text/json',
        'text/json;q=x',
        'text/json, text/json;q=0',
        'text/json;q=0, text/json',
      ].map((accept) => headers({ accept })),
      ...[undefined, 'text/plain', 'application/json; charset=latin1', 'application/json; charset=UTF8'].map((type) =>
        headers({ 'content-type': type }),
      ),
      ...['gzip', 'Identity'].map((coding) => headers({ 'content-encoding': coding })),
      ...[
        ...['401', '403', '404', '409', '429', '500', '503', 'latency=1', 'latency=300001', 'teapot'],
        ...['down-until=10', 'latency=1', 'down-until=0', 'down-until=86401', 'down-until=x', 'latency='],
      ].map((fault) => headers({ 'x-fault': fault })),
      ...[
        { CompanyId: 1502 },
        { CompanyId: '1502' },
        { EntityId: 2304 },
        { EntityId: 2303 },
        { EntityId: 0 },
        { CompanyId: 9, EntityId: null },
        // A name with a lone surrogate: the order can't be read at all.
        { CompanyId: 1502, '\ud800': 1 },
        { CompanyId: 1502, Notes: '\ud800' },
      ].map(changed),
      ...[
        { IntegratorId: kiosk.IntegratorId },
        { IntegratorId: kiosk.IntegratorId.slice(1) },
        { IntegratorId: 7, Items: 'none' },
      ].map(changed),
      ...[
        { Notes: 'x'.repeat(2000) },
        { Notes: 'changed' },
        { Id: newId() },
        { OrderSource: 'x', ReceiptNumber: 7 },
        { Items: [null, {}] },
      ].map(changed),
      ...[
        '',
        ' ',
        '{}',
        '"{}"',
        `[${body}]`,
        body.replace('"EntityId"', '"EntityId":2304,"EntityId"'),
        body.replace('2301', '2301.0'),
        `\ufeff${body}`,
      ].map((text) => ({ path, body: text })),
      { path, body: new Uint8Array([...new TextEncoder().encode(body), 0xff]) },
      { path: `${path}?a=1`, body },
      ...[1, 2].map(() => ({
        path: `/v2/ServiceOrder(${kiosk.IntegratorId})`,
        body: JSON.stringify(order(kiosk.IntegratorId, { IntegratorId: kiosk.IntegratorId, Taxes: [] })),
        headers: { authorization: `Bearer ${kiosk.token}` },
      })),
    ]) {
      const [ours, theirs] = await both(request);
      assert.deepEqual(ours, theirs, JSON.stringify(request));
    }
  });
});

/** Returns the vectors that have an order, each with its own Id, because both services store what they receive. */
function sent() {
  return subjects.flatMap(({ name, vectors }) =>
    vectors
      .filter(({ call, expect }) => ['validate', 'build', 'prepare'].includes(call) && expect.throws === undefined)
      // The services do not know what a ValueType means (D14).
      .filter(({ options }) => options?.discountValueTypes === undefined)
      .map((vector, index) => request(name, vector, `${name}-${index}`)),
  );
}

function request(name, vector, key) {
  const { title, call, options = {}, expect } = vector;
  const given = input(vector);
  const written = typeof given === 'string' ? given : JSON.stringify(given);
  const own = written.slice(0, 10_000).match(/"Id"\s*:\s*"([^"]+)"/)?.[1] ?? '';
  const id = esm.parseGuid(own);
  const fresh = esm.deriveOrderId(kiosk.IntegratorId, key);
  const body = id === null ? written : written.replace(own, likewise(own, fresh));
  const pathId = options.orderId !== undefined && esm.parseGuid(options.orderId) !== id ? options.orderId : fresh;
  const issues = listed(expect.issues);
  return {
    title: `${name}: ${title}`,
    path: `/${options.version ?? 'v3'}/ServiceOrder(${pathId})`,
    body,
    registered: {
      taxPricing: options.locationTaxPricing ?? undefined,
      allowEmptyTaxes: options.allowEmptyTaxes,
      records: options.records,
    },
    accepted: call === 'validate' || id !== null ? !issues.some((issue) => issue.startsWith('error ')) : undefined,
  };
}

/** Returns another GUID in the form and case of this one. */
function likewise(form, guid) {
  const digits = [...guid.replaceAll('-', '')];
  const text = form.replace(/[0-9a-f]/gi, () => digits.shift());
  return /[A-F]/.test(form) ? text.toUpperCase() : text;
}

function byRegistered({ registered }) {
  return JSON.stringify(registered);
}

function grouped(vectors) {
  const groups = new Map();
  for (const vector of vectors) groups.set(byRegistered(vector), [...(groups.get(byRegistered(vector)) ?? []), vector]);
  return groups;
}

/** Returns a registry with every location and integrator of the vectors. */
function registryFor(vectors) {
  const [
    {
      registered: { taxPricing, ...meant },
    },
  ] = vectors;
  const orders = vectors.map(({ body }) => parsed(body));
  const isId = (id) => Number.isInteger(id) && id >= 1 && id <= 0x7fff_ffff;
  const places = orders.filter(({ CompanyId, EntityId }) => isId(CompanyId) && isId(EntityId));
  const companies = [...new Set(places.map(({ CompanyId }) => CompanyId))].map((id) => ({
    id,
    locations: [...new Set(places.filter(({ CompanyId }) => CompanyId === id).map(({ EntityId }) => EntityId))].map(
      (id) => ({ id, taxPricing }),
    ),
  }));
  const integrators = [
    ...new Set(
      orders.map(({ IntegratorId }) => typeof IntegratorId === 'string' && esm.parseGuid(IntegratorId)).filter(Boolean),
    ),
  ];
  return {
    companies,
    integrators: integrators.map((id) => ({ id, name: 'Storefront', ...meant })),
    tokens: [{ token: 'soi_alike', companies: companies.map(({ id }) => id), integrators }],
  };
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
