import { createClient } from 'sales-order-intake/client';
import type { Pause } from 'sales-order-intake/outbox';
import { isToken, TOKEN_FORM } from '../../options/token-form.js';
import { checkedBaseUrl } from '../base-url.js';
import { EXIT, type ExitCode } from '../exit-code.js';
import { MAX_BODY_BYTES } from '../http-message.js';
import type { Invocation } from '../invocation.js';
import { usageProblem } from '../problem.js';
import { listenAddress } from '../relay/listen-address.js';
import { Metrics } from '../relay/metrics.js';
import { OrderRules } from '../relay/order-rules.js';
import { Readiness } from '../relay/readiness.js';
import { Relay } from '../relay/routes.js';
import { startRelayServer } from '../relay/server.js';
import { openStore } from '../relay/store.js';
import { tokenOf } from '../token.js';

const DEFAULT_FILE = 'relay.outbox.sqlite';
const MOST_CONCURRENT = 1000;
const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

export async function run(invocation: Invocation): Promise<ExitCode> {
  const { out, err, env } = invocation.terminal;
  const given = invocation.text('base-url');
  if (given === undefined) throw usageProblem('relay needs --base-url URL, the base URL of the service');
  const baseUrl = checkedBaseUrl(given);
  const clientToken = invocation.text('client-token') ?? (env.SALES_ORDER_RELAY_CLIENT_TOKEN || undefined);
  if (clientToken !== undefined && !isToken(clientToken)) throw usageProblem(`the client token must be ${TOKEN_FORM}`);
  const hasToken = clientToken !== undefined;
  const address = listenAddress(invocation.text('listen'), hasToken);
  const concurrency = invocation.count('concurrency', 1, MOST_CONCURRENT);
  const client = createClient({ baseUrl, token: await tokenOf(invocation) });
  const metrics = new Metrics();
  const added = new Set<string>();
  let pause: Pause | null = null;
  // Ids, names and numbers: nothing of what is in an order (D45).
  const log = (event: string, fields: object) => out.json({ time: new Date().toISOString(), event, ...fields });
  const store = await openStore(invocation.text('outbox') ?? DEFAULT_FILE, baseUrl, {
    client,
    concurrency,
    hooks: {
      onAdd: ({ orderId }) => added.add(orderId),
      onResult: ({ orderId, state, outcome, attempts, reason, status }) => {
        metrics.attempted({ state, reason });
        log('attempt', { orderId, state, outcome, attempts, reason, status });
      },
      onGate: ({ waitMs, ...gate }) => {
        if (gate.scope === 'service') pause = gate.pause;
        log('gate', gate);
      },
      onError: (error) => {
        metrics.failed();
        log('error', error);
      },
    },
  });
  const relay = new Relay({
    ...{ outbox: store.outbox, metrics, hasToken },
    rules: new OrderRules(clientToken, MAX_BODY_BYTES),
    readiness: new Readiness(store.probe),
    isNew: (orderId) => added.delete(orderId),
    pause: () => pause,
  });
  const server = await startRelayServer({
    ...address,
    respond: (request) => relay.respond(request),
    onResponse(served) {
      metrics.responded(served.route, served.status);
      if (served.status >= 500 || !invocation.has('quiet')) log('request', served);
    },
  }).catch((error: unknown) => store.close().then(() => Promise.reject(error)));
  store.outbox.start();
  log('listening', { url: server.baseUrl, baseUrl });
  await new Promise<void>((ended) => {
    const stop = () => {
      for (const signal of SIGNALS) process.off(signal, stop).on(signal, () => process.exit(EXIT.unknown));
      err.line('Stopping: waiting for the orders in flight. Ctrl-C again ends at once.');
      ended();
    };
    for (const signal of SIGNALS) process.on(signal, stop);
  });
  await server.close();
  await store.close();
  return EXIT.done;
}
