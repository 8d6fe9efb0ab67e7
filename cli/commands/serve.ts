import { randomBytes } from 'node:crypto';
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { newOrderId } from 'sales-order-intake';
import { parse } from 'smol-toml';
import { checkLocalService, createLocalService, type LocalService, type LocalServiceSettings } from '#serve';
import demoRegistry from '../../examples/registry.toml';
import { isToken } from '../../pkg-template/src/options/check.js';
import type { Invocation } from '../arguments/invocation.js';
import { CALLED, shellWord } from '../arguments/program.js';
import { KeptOrders } from '../files/kept-orders.js';
import { wholeText } from '../files/text-chunks.js';
import { type HttpResponse, MAX_BODY_BYTES, readinessOf } from '../http/http-response.js';
import { startHttpServer } from '../http/http-server.js';
import { printable } from '../output/printable-text.js';
import { interruption, type Output } from '../output/terminal.js';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';

const DEFAULT_PORT = 4010;
/** Media types of the files of a page. */
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
};
/** Any ids are accepted; these are the ones of the documentation. */
const IDS = {
  CompanyId: '1000',
  EntityId: '2000',
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const token = invocation.text('token') ?? randomBytes(18).toString('base64url');
  if (!isToken(token)) throw usageProblem('--token must be visible ASCII without spaces');
  const isDemo = invocation.has('demo');
  const registryFile = invocation.text('registry');
  if (isDemo && registryFile !== undefined)
    throw usageProblem('--demo has a registry of its own, so --registry is not taken');
  const toml = isDemo ? demoRegistry : registryFile === undefined ? undefined : await wholeText(registryFile);
  const registry = toml === undefined ? 'everything' : { file: parsed(toml, registryFile) };
  const keepFile = invocation.text('keep');
  const orders = keepFile === undefined ? undefined : new KeptOrders(keepFile);
  const reported = (failure: string, act: () => void) => {
    try {
      act();
    } catch (error) {
      err.line(`${keepFile}: ${failure}: ${(error as Error).message}`);
      throw error;
    }
  };
  const failure = readinessOf(async () => reported('no order can be stored', () => orders?.probe()), String);
  const settings: LocalServiceSettings = {
    registry,
    token,
    maxBodyBytes: MAX_BODY_BYTES,
    faults: invocation.texts('fault'),
    saved: orders?.saved ?? [],
    save: (order) => reported('an order could not be stored', () => orders?.save(order)),
    isReady: async () => (await failure()) === null,
  };
  const port = invocation.count('port', 0, 65_535) ?? DEFAULT_PORT;
  const page = invocation.text('page');
  if (page !== undefined && !statSync(page, { throwIfNoEntry: false })?.isDirectory())
    throw usageProblem(`there is no folder ${page} for --page`);
  const wrong = checkLocalService(settings);
  if (wrong.faults !== null) throw usageProblem(`--fault: ${wrong.faults}`);
  if (wrong.registry !== null) throw usageProblem(`${registryFile} is not a registry:\n${wrong.registry}`);
  const service = createLocalService(settings);
  const companies = registry === 'everything' ? [] : await companiesOf(service);
  if (registry !== 'everything' && companies.length === 0)
    throw usageProblem(`${registryFile} is not a registry: it has no company`, 'Every order would be refused.');
  const server = await startHttpServer({
    host: '127.0.0.1',
    port,
    freePort: '--port 0',
    // An injected latency may be of any length.
    silenceMs: 0,
    async respond({ method, authority, path, query, headers, url, body }) {
      const { response, fault } = await service.respond({ method, authority, path, query, headers }, await body());
      const served = response && 'path' in response ? await fileOf(page, response) : response;
      if (!invocation.has('quiet')) out.line(requestLine(`${method} ${url}`, served?.status ?? null, fault ?? '', out));
      return served;
    },
    failed: () => null,
  });
  out.line(`base URL      ${server.baseUrl}`);
  out.line(`token         ${token}`);
  if (registry === 'everything') {
    for (const [name, value] of Object.entries(IDS)) out.line(`${name.padEnd(12)}  ${value}`);
  }
  // Browsers do not send fragments, so the token reaches only the page.
  if (page !== undefined) out.line(`page          ${server.baseUrl}/#token=${token}`);
  for (const view of viewsOf(server.baseUrl, companies)) out.line(view);
  if (registry === 'everything') {
    const lasting =
      keepFile === undefined ? 'Orders are lost when the service ends: Ctrl-C.' : `Orders are stored in ${keepFile}.`;
    const note = err.style('dim', `Any other ids are accepted too. ${lasting}\nIn another terminal:\n`);
    err.line(note + exampleFor(server.baseUrl, token));
  }
  await interruption();
  await server.close();
  orders?.close();
  return EXIT.done;
}

function parsed(toml: string, file: string | undefined): object {
  try {
    return parse(toml);
  } catch (error) {
    throw usageProblem(`${file} is not a registry:\n${(error as Error).message.trimEnd()}`);
  }
}

interface Company {
  companyId: number;
  name: string;
  locations: { entityId: number; name: string }[];
}

/** Returns the companies of the registry. */
async function companiesOf(service: LocalService): Promise<Company[]> {
  const target = { authority: null, path: '/demo.json', query: '', headers: [['host', 'localhost'] as const] };
  const { response } = await service.respond({ method: 'GET', ...target }, new Uint8Array());
  const { companies } = JSON.parse(String((response as { body?: string } | null)?.body)) as { companies: Company[] };
  return companies;
}

/** Returns a line for the point-of-sale view of each location; without companies, of that of the examples. */
function viewsOf(baseUrl: string, companies: readonly Company[]): string[] {
  const line = (company: unknown, location: unknown, name = '') =>
    `view          ${baseUrl}/pos/${company}/${location}  ${name}`.trimEnd();
  if (companies.length === 0) return [line(IDS.CompanyId, IDS.EntityId)];
  return companies.flatMap(({ companyId, name, locations }) =>
    locations.map((location) => line(companyId, location.entityId, `${name}, ${location.name}`)),
  );
}

/** Returns commands for a POSIX shell that send an order. */
function exampleFor(baseUrl: string, token: string): string {
  const { CompanyId, EntityId, IntegratorId } = IDS;
  const item = { Name: 'Green tea', CatalogItemId: newOrderId(), Quantity: 2, SellAtPricePerUnit: 19.99 };
  const ids = { Id: newOrderId(), CompanyId: Number(CompanyId), EntityId: Number(EntityId), IntegratorId };
  return [
    `echo '${JSON.stringify({ ...ids, Items: [item] })}' > order.json`,
    `SALES_ORDER_INTAKE_TOKEN=${shellWord(token)} ${CALLED} send order.json --base-url ${baseUrl}`,
  ].join('\n');
}

/** `status` is null if the connection was lost on demand. */
function requestLine(request: string, status: number | null, fault: string, out: Output): string {
  const isGood = status !== null && status < 300;
  const colour = isGood ? 'green' : status !== null && status < 500 ? 'yellow' : 'red';
  const faultText = fault && out.style('dim', ` fault ${printable(fault)}`);
  return `${out.style(colour, String(status ?? 'lost'))} ${printable(request)}${faultText}`;
}

async function fileOf(
  folder: string | undefined,
  { path, headers }: { path: string; headers: HttpResponse['headers'] },
): Promise<HttpResponse> {
  const type = TYPES[extname(path)] ?? 'application/octet-stream';
  try {
    if (folder === undefined) throw new Error('There is no page');
    return { status: 200, headers: [...headers, ['content-type', type]], body: await readFile(join(folder, path)) };
  } catch {
    return { status: 404, headers: [['content-type', 'text/plain; charset=utf-8']], body: 'There is no such file.\n' };
  }
}
