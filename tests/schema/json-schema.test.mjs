/** Tests the published JSON Schemas with the shared vectors; beyond-the-schema.json lists what schemas cannot express. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import Ajv07 from 'ajv';
import Ajv2020 from 'ajv/dist/2020.js';
import { installed, installedFile } from '../node/installed.mjs';
import { input, listed, subjects } from '../vectors/vectors.mjs';

const { esm } = await installed();
const beyond = JSON.parse(readFileSync(new URL('beyond-the-schema.json', import.meta.url), 'utf8'));

/** A logger that rejects every message: the schemas must compile with the defaults of ajv, without warnings. */
const logger = { log: fail, warn: fail, error: fail };
const compile = (schema) => new Ajv2020.default({ logger }).compile(schema);
const published = (name) => JSON.parse(readFileSync(installedFile(`schema/${name}.json`), 'utf8'));
const STANDARD = {
  v2: esm.salesOrderSchema('v2')['~standard'].jsonSchema,
  v3: esm.salesOrderSchema('v3')['~standard'].jsonSchema,
};

/** The orders of the vectors, without those that only the package completes with an Id. */
const orders = subjects.flatMap(({ name, vectors }) =>
  vectors
    .filter(({ call, expect }) => ['validate', 'build', 'prepare'].includes(call) && expect.throws === undefined)
    .map((vector) => ({ ...vector, title: `${name}: ${vector.title}`, order: parsed(input(vector)) }))
    .filter(({ call, order }) => call === 'validate' || (order?.Id ?? null) !== null),
);

test('the schemas of both versions agree with the core, except for the listed vectors', () => {
  const validators = { v2: compile(published('order-v2')), v3: compile(published('order-v3')) };
  const disagreements = disagreementsOf(({ options, order }) => validators[options?.version ?? 'v3'](order));
  assert.deepEqual(disagreements, listOf(beyond));
  assert.ok(orders.length > 280, `${orders.length} vectors`);
});

test('the draft-07 schemas have the same results', () => {
  const draft = { target: 'draft-07' };
  const ajv = {
    v2: new Ajv07.default({ logger }).compile(STANDARD.v2.input(draft)),
    v3: new Ajv07.default({ logger }).compile(STANDARD.v3.input(draft)),
  };
  assert.deepEqual(
    disagreementsOf(({ options, order }) => ajv[options?.version ?? 'v3'](order)),
    listOf(beyond),
  );
});

test('salesOrderSchema returns the published schemas, new objects each time', () => {
  const target = { target: 'draft-2020-12' };
  for (const version of ['v2', 'v3']) assert.deepEqual(STANDARD[version].input(target), published(`order-${version}`));
  assert.deepEqual(STANDARD.v3.output(target), published('valid-order'));
  STANDARD.v3.input(target).required.push('Notes');
  assert.deepEqual(STANDARD.v3.input(target), published('order-v3'));
});

test('with passthrough records, the schemas accept any records', () => {
  const schema = esm
    .salesOrderSchema('v3', { records: 'passthrough' })
    ['~standard'].jsonSchema.input({ target: 'draft-2020-12' });
  const passthrough = compile(schema);
  const accepted = listOf(
    beyond.filter(({ core, reason }) => core === 'accepted' && reason.startsWith('Depends on options')),
  );
  assert.equal(accepted.length, 4);
  for (const { title, order } of orders)
    if (accepted.includes(`accepted ${title}`)) assert.ok(passthrough(order), title);
});

test('an unsupported target throws', () => {
  for (const target of ['openapi-3.0', undefined]) assert.throws(() => STANDARD.v3.input({ target }), TypeError);
});

test('the order of every verdict is a valid order', () => {
  const valid = compile(published('valid-order'));
  const verdicts = orders
    .filter(({ options }) => options?.records !== 'passthrough')
    .map(({ title, options, ...vector }) => ({ title, verdict: esm.validateOrder(input(vector), options) }));
  const judged = verdicts.filter(({ verdict }) => verdict.ok);
  for (const { title, verdict } of judged) assert.ok(valid(verdict.order), `${title}: ${JSON.stringify(valid.errors)}`);
  assert.ok(judged.length > 100, `${judged.length} orders`);
  const { verdict } = judged[0];
  for (const change of [{ Id: verdict.order.Id.toUpperCase() }, { CompanyId: '1' }, { Items: [] }, { Notes: null }]) {
    assert.ok(!valid({ ...verdict.order, ...change }), JSON.stringify(change));
  }
});

test('a created order has its read-only members', () => {
  const created = compile(published('created-order'));
  /** @type {any} */
  const order = { ...parsed(input({ base: 'response' })), LastName: 'Byron' };
  for (const [name, value] of Object.entries(order)) if (value === null) delete order[name];
  for (const [name, value] of Object.entries(order.Items[0])) if (value === null) delete order.Items[0][name];
  assert.ok(created(order), JSON.stringify(created.errors));
  delete (/** @type {any} */ (order).ReceiptNumber);
  assert.ok(!created(order));
});

/** Returns the vectors on which a schema and the core disagree, in the form of the list. */
function disagreementsOf(passes) {
  return orders
    .flatMap((vector) => {
      const accepted = !listed(vector.expect.issues).some((issue) => issue.startsWith('error '));
      // Invalid JSON never reaches a schema.
      const passed = vector.order !== undefined && passes(vector);
      return passed === accepted ? [] : [`${accepted ? 'accepted' : 'rejected'} ${vector.title}`];
    })
    .sort();
}

function listOf(entries) {
  return entries.flatMap(({ core, vectors }) => vectors.map((title) => `${core} ${title}`)).sort();
}

function parsed(order) {
  if (typeof order !== 'string') return order;
  try {
    return JSON.parse(order);
  } catch {
    return undefined;
  }
}

function fail(...messages) {
  throw new Error(`ajv: ${messages.join(' ')}`);
}
