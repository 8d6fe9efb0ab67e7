/**
 * schemathesis against the OpenAPI document that a demo service serves: no 5xx and no undocumented answer, whatever is
 * sent. Most of what it makes up is for companies that do not exist, so it is run a second time with the document
 * narrowed to the company of the demo: there the orders themselves are judged. `node scripts/schemathesis.mjs [examples per operation]`, after a build of the service.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './places.mjs';
import { run } from './run.mjs';
import { startService } from './service.mjs';

const VERSION = '4.32.5';
const [examples = '200'] = process.argv.slice(2);
const environment = join(root, 'target/tools/schemathesis');
const program = join(environment, 'bin/schemathesis');
if (!existsSync(program)) {
  run('python3', ['-m', 'venv', environment]);
  run(join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', `schemathesis==${VERSION}`]);
}
const folder = mkdtempSync(join(root, 'target/schemathesis-'));
const service = await startService(join(root, 'target/debug/sales-order-intake'), [
  'serve', '--demo', '--listen', '127.0.0.1:0', '--log', 'error', '--database', `sqlite:${join(folder, 'orders.sqlite')}`,
]);
try {
  const served = `${service.baseUrl}/openapi.json`;
  check(served);
  const narrowed = join(folder, 'openapi.json');
  writeFileSync(narrowed, JSON.stringify(narrow(await (await fetch(served)).json())));
  check(narrowed);
} finally {
  await service.stop();
  rmSync(folder, { recursive: true });
}

function check(document) {
  run(program, [
    'run', document, '--url', service.baseUrl, '--header', `Authorization: Bearer ${service.token}`,
    '--max-examples', examples, '--no-color',
    '--checks', 'not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance,response_schema_conformance,unsupported_method',
  ]);
}

/** The company, the locations and the integrator of the demo, and one order id, so that path and body agree now and then. */
function narrow(document) {
  const { parameters, schemas } = document.components;
  const { properties } = schemas.SalesOrderV2V3Put;
  const id = { const: '2a8f5d33-eec9-4864-8b49-5636577b40d5' };
  parameters.orderId.schema = id;
  properties.Id = id;
  properties.CompanyId = { const: 1501 };
  properties.EntityId = { enum: [2301, 2302, 2303] };
  properties.IntegratorId = { const: '7c9e6679-7425-40de-944b-e07fc1f90ae7' };
  return document;
}
