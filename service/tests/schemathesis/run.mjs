/**
 * Runs schemathesis with the OpenAPI document of the native service and of the package's, with the demo company: no request may
 * get a 5xx or an undocumented response. Most generated orders are for companies that do not exist, so it runs a second time with
 * the document narrowed to the demo company and matching ids: then the service judges the orders themselves, and many must be
 * valid. With `--relay`, it runs with the relay of the command line instead.
 *
 * `node service/tests/schemathesis/run.mjs [examples per operation]`, after a build of the service or, with `--relay`, of the
 * package. The cases are the same in every run.
 * With `--briefly`, each document is tested in half of the phases. With `--where-possible`, it prints a message and succeeds
 * if Python is missing.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../scripts/places.mjs';
import { pythonProgram } from '../../../scripts/python-program.mjs';
import { fail } from '../../../scripts/run.mjs';
import { startDemoService, startNativeService, startRelay } from '../../../scripts/service.mjs';

const [examples = '200', ...flags] = process.argv.slice(2);
/** `coverage` tests the bounds of every value, however few examples there are. */
const PHASES = flags.includes('--briefly')
  ? { served: 'examples,coverage', narrowed: 'fuzzing,stateful' }
  : { served: 'examples,coverage,fuzzing,stateful', narrowed: 'examples,coverage,fuzzing,stateful' };
const PLACEHOLDER = '2a8f5d33-eec9-4864-8b49-5636577b40d5';
/** The minimum percentage of the cases meant to be valid that must be created; the others have decimals that do not fit, for example. */
const LEAST_CREATED = 25;
const files = join(root, 'service/tests/schemathesis');
const program = install();
if (program) {
  const folder = mkdtempSync(join(root, 'target/schemathesis-'));
  if (flags.includes('--relay')) {
    // Before a service that is down: it stores orders, and delivers none.
    const relay = await startRelay('http://127.0.0.1:9', join(folder, 'relay.sqlite'), { clientToken: 'of-senders' });
    await fuzz(relay, folder, fromRelay);
  } else {
    await fuzz(await startNativeService({ database: `sqlite:${join(folder, 'orders.sqlite')}` }), folder, fromView);
    await fuzz(await startDemoService(), folder, fromView);
  }
  rmSync(folder, { recursive: true });
}

/** Returns the path of the program, or `undefined` if it may be left out and can't be had. */
function install() {
  try {
    return pythonProgram('schemathesis', join(files, 'requirements.txt'));
  } catch ({ message }) {
    const says = `schemathesis did not run: ${message}`;
    if (!flags.includes('--where-possible')) fail(says);
    console.error(says);
    return undefined;
  }
}

async function fuzz(service, folder, orders) {
  try {
    const served = `${service.baseUrl}/openapi.json`;
    check(service, folder, served, PHASES.served);
    const narrowed = join(folder, 'openapi.json');
    writeFileSync(narrowed, JSON.stringify(narrow(JSON.parse(await get(served)))));
    const before = await orders(service);
    check(service, folder, narrowed, PHASES.narrowed, {
      SCHEMATHESIS_HOOKS: 'hooks',
      PYTHONPATH: files,
      PYTHONDONTWRITEBYTECODE: '1',
      PLACEHOLDER_ID: PLACEHOLDER,
    });
    const created = (await orders(service)) - before;
    const least = Math.floor((Number(examples) * 2 * LEAST_CREATED) / 100);
    const says = `${created} orders were created, of at least ${least}`;
    if (created < least) throw new Error(`too few cases got as far as an order: ${says}`);
    console.log(says);
  } finally {
    await service.stop();
  }
}

/** Runs the checks. Throws if one fails, so that the caller stops the service. */
function check(service, folder, document, phases, env = {}) {
  const { status, error } = spawnSync(
    /** @type {string} */ (program),
    [
      'run',
      document,
      '--url',
      service.baseUrl,
      '--header',
      `Authorization: Bearer ${service.token}`,
      '--phases',
      phases,
      '--max-examples',
      examples,
      '--no-color',
      // The same cases on every machine and in every run.
      '--generation-deterministic',
      '--checks',
      'not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method',
    ],
    { stdio: 'inherit', cwd: folder, env: { ...process.env, ...env } },
  );
  if (error || status !== 0) throw new Error(`schemathesis: ${error?.message ?? `status ${status}`}`);
}

/** Narrows the document to the demo's company, locations and integrator, and to an id that the hooks replace. */
function narrow(document) {
  const { parameters, requestBodies, schemas } = document.components;
  const id = { const: PLACEHOLDER };
  parameters.orderId.schema = id;
  const order = structuredClone(schemas.SalesOrderV2V3Put ?? schemas.SalesOrder);
  Object.assign(order.properties, {
    Id: id,
    CompanyId: { const: 1501 },
    EntityId: { enum: [2301, 2302, 2303] },
    IntegratorId: { const: '7c9e6679-7425-40de-944b-e07fc1f90ae7' },
  });
  schemas.DemoOrder = order;
  for (const content of Object.values(requestBodies.order.content))
    content.schema = { $ref: '#/components/schemas/DemoOrder' };
  return document;
}

/** Returns how many orders the demo company has: the newest one of each location has the highest receipt number. */
async function fromView({ baseUrl }) {
  const views = await Promise.all([2301, 2302].map((id) => get(`${baseUrl}/pos/1501/${id}.json`)));
  const receipts = views
    .map((view) => JSON.parse(view).orders[0])
    .map((newest) => newest?.order?.ReceiptNumber ?? newest?.receiptNumber ?? 0);
  return receipts.reduce((sum, receipt) => sum + Number(receipt), 0);
}

/** Returns how many orders the relay has stored. */
async function fromRelay({ baseUrl, token }) {
  const metrics = await get(`${baseUrl}/metrics`, { authorization: `Bearer ${token}` });
  const counts = metrics.matchAll(/^sales_order_relay_orders\{.*\} (\d+)$/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

/** Fetches from the service over a new connection: the service would close an idle one before the next use. */
async function get(url, headers = {}) {
  return (await fetch(url, { headers: { connection: 'close', ...headers } })).text();
}
