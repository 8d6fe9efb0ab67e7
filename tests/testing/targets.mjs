/**
 * Starts the same service in three forms: in this process, behind Mock Service Worker, and as the reference service. Each
 * takes a registry and returns `{ baseUrl, token, fetch, stop }`.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, target } from '../../scripts/places.mjs';
import { startService } from '../../scripts/service.mjs';
import { installed } from '../node/installed.mjs';

const { testing } = await installed();
const BINARY = join(root, 'target/debug/sales-order-intake-server');

export async function inProcess({ basePath = '', ...options }) {
  const service = testing.createTestService({ ...options, baseUrl: `https://intake.test${basePath}` });
  return { ...service, stop() {} };
}

let hosts = 0;

/** Behind a server of Mock Service Worker, which is one for all services, as in a program; each service has its own host. */
export async function behindMsw({ http, server }, { basePath = '', ...options }) {
  const baseUrl = `https://intake-${hosts++}.test${basePath}`;
  const { handlers, token } = testing.createTestService({ ...options, baseUrl });
  server.use(...handlers(http));
  return { baseUrl, token, fetch: globalThis.fetch, stop() {} };
}

export async function reference({ registry, maxBodyBytes = 1_048_576, basePath = '' }) {
  const folder = mkdtempSync(join(target, 'testing-'));
  writeFileSync(join(folder, 'registry.toml'), toml(registry));
  const service = await startService(BINARY, [
    ...['serve', '--listen', '127.0.0.1:0', '--faults', '--log', 'error', '--registry', join(folder, 'registry.toml')],
    ...[
      '--database',
      `sqlite:${join(folder, 'orders.sqlite')}`,
      '--max-body-bytes',
      String(maxBodyBytes),
      '--base-path',
      basePath,
    ],
  ]);
  return {
    baseUrl: service.baseUrl,
    token: registry.tokens[0].token,
    fetch: globalThis.fetch,
    async stop() {
      await service.stop();
      rmSync(folder, { recursive: true });
    },
  };
}

/** Returns a registry in the TOML of the reference service. */
function toml({ companies, integrators, tokens }) {
  const table = (members) =>
    `{ ${Object.entries(members)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => `${name} = ${value}`)
      .join(', ')} }`;
  const list = (values) => `[${values.join(', ')}]`;
  const text = (value) => value && JSON.stringify(value);
  const location = ({ id, taxPricing, inventoryHold }) =>
    table({ id, tax_pricing: text(taxPricing), inventory_hold: inventoryHold });
  return [
    `companies = ${list(companies.map(({ id, locations }) => table({ id, locations: list(locations.map(location)) })))}`,
    `integrators = ${list(integrators.map(({ id, name, allowEmptyTaxes, records }) => table({ id: text(id), name: text(name), allow_empty_taxes: allowEmptyTaxes, records: text(records) })))}`,
    `tokens = ${list(
      tokens.map(({ token, companies, integrators }) =>
        table({
          sha256: text(createHash('sha256').update(token).digest('hex')),
          companies: list(companies),
          integrators: list(integrators.map(text)),
        }),
      ),
    )}`,
  ].join('\n');
}
