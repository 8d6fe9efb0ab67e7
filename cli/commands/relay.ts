import { isIP } from 'node:net';
import { createClient } from 'sales-order-intake/client';
import { entryReasons, pauseCauses } from 'sales-order-intake/outbox';
import { isToken, TOKEN_FORM } from '../../pkg-template/src/options/check.js';
import { baseUrlOf, tokenOf, tokenTimeoutMs } from '../arguments/base-url-and-token.js';
import { EXIT, type ExitCode, usageProblem } from '../problem.js';
import { startHttpServer } from '../http/http-server.js';
import { interruption, onSignals } from '../output/terminal.js';
import type { Invocation } from '../arguments/invocation.js';
import { problemDetails, readinessOf } from '../http/http-response.js';
import { Metrics } from '../relay/metrics.js';
import { type HeldBack, Relay, type Served } from '../relay/handler.js';
import { HANDLER_MS, Notifier, receiverOf } from '../relay/notifier.js';
import { openStore, outboxOf } from '../relay/store.js';
import { codeOf, storeFailure } from '../sending/journal-problem.js';

const DEFAULT_ADDRESS = '127.0.0.1:4020';
const LOOPBACK = /^(localhost|127(\.\d+){3}|::1)$/;
const DEFAULT_FILE = 'relay.outbox.sqlite';
const MOST_CONCURRENT = 1000;
const DEFAULT_CONCURRENCY = 16;
/** How long a connection may be silent: longer than the longest wait of a response. */
const SILENCE_MS = 90_000;
/** The time for the requests that run when the relay stops. */
const GRACE_MS = 5000;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err } = invocation.terminal;
  const baseUrl = baseUrlOf(invocation);
  const clientToken = invocation.text('client-token') ?? invocation.variable('SALES_ORDER_RELAY_CLIENT_TOKEN');
  if (clientToken !== undefined && !isToken(clientToken)) throw usageProblem(`the client token must be ${TOKEN_FORM}`);
  const address = listenAddress(invocation.text('listen'), clientToken !== undefined);
  const concurrency = invocation.count('concurrency', 1, MOST_CONCURRENT) ?? DEFAULT_CONCURRENCY;
  const client = createClient({ baseUrl, token: await tokenOf(invocation), tokenTimeoutMs });
  const metrics = new Metrics();
  const pauses = new Map<string, HeldBack>();
  // Only Ids, names and numbers, no contents of an order (D45); its reference may be one (D67).
  const log = (event: string, fields: object) => {
    const { reference, ...others } = fields as { reference?: unknown };
    out.json({ time: new Date().toISOString(), event, ...(invocation.has('log-references') ? fields : others) });
  };
  const receiver = await receiverOf(invocation);
  const notifier =
    receiver &&
    new Notifier(receiver, concurrency, (notification) => {
      const { status, failure } = notification;
      metrics.count('notifications', { status: status ?? 0 });
      if (failure !== null || !invocation.has('quiet')) log('notify', notification);
    });
  const store = await openStore(outboxOf(invocation) ?? DEFAULT_FILE, baseUrl, {
    client,
    concurrency,
    onSettled: notifier && ((entry) => notifier.notify(entry)),
    handlerTimeoutMs: HANDLER_MS,
    hooks: {
      onResult: ({ orderId, state, outcome, attempts, reason, status, failure }) => {
        metrics.count('attempts', { result: state, reason: reason ?? '' });
        const attempt = { orderId, state, outcome, attempts, reason, status, failure };
        log('attempt', { ...attempt, ...(reason && entryReasons[reason]) });
      },
      onGate: ({ waitMs, ...gate }) => {
        const { companyId, entityId } = gate;
        const pause = gate.pause && { ...gate.pause, ...pauseCauses[gate.pause.cause] };
        const location = gate.scope === 'service' ? '' : `${companyId}/${entityId}`;
        if (pause) pauses.set(location, { ...pause, companyId, entityId });
        else pauses.delete(location);
        log('gate', { ...gate, pause });
      },
      onError: (error) => {
        // The notifier reports its own failures.
        if (error.operation === 'handler') return;
        metrics.count('errors');
        const isOfStore = error.operation !== 'send';
        log('error', isOfStore ? { ...error, failure: storeFailure(error.code) } : error);
      },
    },
  });
  const relay = new Relay({
    outbox: store.outbox,
    metrics,
    clientToken,
    keepsInvalid: invocation.has('keep-invalid'),
    storeFailure: readinessOf(store.probe, (error) => storeFailure(codeOf(error))),
    notifyPause: () => notifier?.pause ?? null,
    // The pause of the service, else the one that has lasted longest.
    pause: () => pauses.get('') ?? pauses.values().next().value ?? null,
  });
  const record = (served: Omit<Served, 'response'>, status: number, failure?: string) => {
    metrics.count('requests', { route: served.route, status });
    if (status >= 500 || !invocation.has('quiet')) log('request', { ...served, status, failure });
  };
  const server = await startHttpServer({
    ...address,
    freePort: '--listen 127.0.0.1:0',
    silenceMs: SILENCE_MS,
    async respond(request) {
      const { response, ...served } = await relay.respond(request);
      record(served, response.status);
      return response;
    },
    failed(error) {
      record({ route: 'order', orderId: null }, 500, error instanceof Error ? error.name : 'Error');
      return problemDetails('internal', 'The relay failed; send it again.');
    },
  }).catch((error: unknown) => store.close().then(() => Promise.reject(error)));
  store.outbox.start();
  log('listening', { url: server.baseUrl, baseUrl });
  await interruption();
  onSignals(() => process.exit(EXIT.unknown));
  err.line('Stopping: waiting for the orders in flight. Ctrl-C again ends at once.');
  await server.close(GRACE_MS);
  await store.close();
  return EXIT.done;
}

/**
 * Reads the address to listen on: a host with a port, or a port.
 *
 * @throws Problem if others could reach it and need no token.
 */
function listenAddress(text = DEFAULT_ADDRESS, hasToken = false): { host: string; port: number } {
  const [, ipv6, name = '127.0.0.1', digits] = /^(?:\[([^\]]+)\]:|([^:[\]]+):)?(\d{1,5})$/.exec(text) ?? [];
  const host = ipv6 ?? name;
  const isHost = ipv6 === undefined ? host === 'localhost' || isIP(host) === 4 : isIP(ipv6) === 6;
  if (digits === undefined || !isHost || Number(digits) > 65_535) {
    const problem = `--listen must be an IP address or localhost, with a port, not ${text}`;
    throw usageProblem(problem, `Such as ${DEFAULT_ADDRESS}.`);
  }
  if (!hasToken && !LOOPBACK.test(host)) {
    const problem = `--listen ${text} needs a client token: others could send orders, and read them`;
    throw usageProblem(problem, 'Set SALES_ORDER_RELAY_CLIENT_TOKEN, or listen on 127.0.0.1.');
  }
  return { host, port: Number(digits) };
}
