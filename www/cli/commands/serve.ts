import { randomBytes } from 'node:crypto';
import { newOrderId } from 'sales-order-intake';
import { EXIT, type ExitCode } from '../exit-code.js';
import { InjectedFaults } from '../injected-faults.js';
import type { Invocation } from '../invocation.js';
import { printable } from '../printable-text.js';
import { usageProblem } from '../problem.js';
import { CALLED, shellWord } from '../program-name.js';
import type { Output } from '../terminal.js';
import { startTestServer, type ServedRequest } from '../test-server.js';

const DEFAULT_PORT = 4010;
/** Any ids are accepted; these are the ones of the documentation. */
const IDS = {
  CompanyId: '1000',
  EntityId: '2000',
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
};

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const token = invocation.text('token') ?? randomBytes(18).toString('base64url');
  if (!/^[\x21-\x7e]+$/.test(token)) throw usageProblem('--token must be visible ASCII without spaces');
  const server = await startTestServer({
    port: invocation.count('port', 0, 65_535) ?? DEFAULT_PORT,
    token,
    faults: new InjectedFaults(invocation.texts('fault')),
    onRequest: (request) => {
      if (!invocation.has('quiet')) out.line(requestLine(request, out));
    },
  });
  out.line(`base URL      ${server.baseUrl}`);
  out.line(`token         ${token}`);
  for (const [name, value] of Object.entries(IDS)) out.line(`${name.padEnd(12)}  ${value}`);
  err.line(
    err.style(
      'dim',
      'Any other ids are accepted too. Orders are lost when the service ends: Ctrl-C.\nIn another terminal:\n',
    ) + exampleFor(server.baseUrl, token),
  );
  await new Promise<void>((ended) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => ended());
  });
  await server.close();
  return EXIT.done;
}

/** Commands for a POSIX shell that send an order. */
function exampleFor(baseUrl: string, token: string): string {
  const { CompanyId, EntityId, IntegratorId } = IDS;
  const item = { Name: 'Green tea', CatalogItemId: newOrderId(), Quantity: 2, SellAtPricePerUnit: 19.99 };
  const ids = { Id: newOrderId(), CompanyId: Number(CompanyId), EntityId: Number(EntityId), IntegratorId };
  return [
    `echo '${JSON.stringify({ ...ids, Items: [item] })}' > order.json`,
    `SALES_ORDER_INTAKE_TOKEN=${shellWord(token)} ${CALLED} send order.json --base-url ${baseUrl}`,
  ].join('\n');
}

function requestLine({ method, path, status, faults }: ServedRequest, out: Output): string {
  const isGood = status !== null && status < 300;
  const result = out.style(
    isGood ? 'green' : status !== null && status < 500 ? 'yellow' : 'red',
    String(status ?? 'lost'),
  );
  return `${result} ${printable(method)} ${printable(path)}${faults && out.style('dim', ` fault ${printable(faults)}`)}`;
}
