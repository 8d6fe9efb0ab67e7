/** The shared vectors at a service: it creates what the core accepts, and reports the same issues of the others. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { installed } from '../node/installed.mjs';
import { input, listed, subjects } from '../vectors/vectors.mjs';
import { kiosk, send } from './harbour.mjs';

const { esm } = await installed();

/** Defines the tests that every form of the service must pass (targets.mjs). */
export function judgesTheVectors(name, start) {
  describe(name, () => {
    for (const vectors of grouped(sent()).values()) {
      const [{ registered }] = vectors;
      test(`vectors with ${JSON.stringify(registered)} get the statuses and issues that they expect`, async () => {
        const service = await start({ registry: registryFor(vectors), maxBodyBytes: 1 << 26 });
        try {
          for (const { title, issues, isAccepted, ...request } of vectors) {
            const { status, text } = await send(service, request.path, request);
            assert.equal(status, isAccepted ? 201 : 400, `${title}: ${text}`);
            if (isAccepted) {
              const again = await send(service, request.path, { body: text });
              assert.deepEqual([again.status, again.text], [200, text], `${title}: the created order is the sent one`);
            } else {
              const found = JSON.parse(text).errors.map(({ code, pointer }) => `${code} ${pointer}`);
              assert.deepEqual(found, issues, title);
            }
          }
        } finally {
          await service.stop();
        }
      });
    }
  });
}

test('the vectors have orders of both kinds', () => {
  const [accepted, others] = [true, false].map((is) => sent().filter(({ isAccepted }) => isAccepted === is).length);
  assert.ok(accepted > 100 && others > 150, `${accepted} are accepted, ${others} are not`);
});

/** Returns the vectors that have an order which a service can judge, each with its own Id. */
function sent() {
  return subjects.flatMap(({ name, vectors }) =>
    vectors
      .filter(({ call, expect }) => ['validate', 'build', 'prepare'].includes(call) && expect.throws === undefined)
      // The service does not know what a ValueType means (D14), nor that a caller takes warnings as errors.
      .filter(({ options }) => options?.discountValueTypes === undefined && options?.strict === undefined)
      .map((vector, index) => request(name, vector, `${name}-${index}`))
      .filter((vector) => vector !== undefined),
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
  // Only the package completes an order, and only with its location does the service know the location's prices.
  const isJudged = call === 'validate' || id !== null;
  const isLocated = options.locationTaxPricing !== 'Inclusive' || Number.isInteger(parsed(body).EntityId);
  if (!isJudged || !isLocated) return undefined;
  // Read-only members are dropped without a warning, because an earlier response may be sent again (D22).
  const issues = listed(expect.issues).filter((issue) => !issue.includes(' read_only_member '));
  return {
    title: `${name}: ${title}`,
    path: `/${options.version ?? 'v3'}/ServiceOrder(${pathId})`,
    body,
    registered: {
      taxPricing: options.locationTaxPricing ?? undefined,
      allowEmptyTaxes: options.allowEmptyTaxes,
      records: options.records,
    },
    isAccepted: !issues.some((issue) => issue.startsWith('error ')),
    issues: issues.map((issue) => issue.split(' ').slice(1).join(' ')),
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
    tokens: [{ token: 'soi_vectors', companies: companies.map(({ id }) => id), integrators }],
  };
}

function parsed(text) {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
