/** Receivers of the relay's notifications, and what Standard Webhooks publishes of them. */
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { listen } from '../../../scripts/ports.mjs';
import { folderOf, serviceOf, sql } from '../program.mjs';
import { relayed } from './relays.mjs';

/** Vectors of github.com/standard-webhooks/standard-webhooks, libraries/javascript/src/webhook.test.ts. */
export const VECTOR = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  timestamp: 1614265330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
};

export function signatureOf({ secret, id, timestamp, body }) {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

/**
 * A receiver that responds with a status and headers; `received` are the notifications, in order.
 *
 * @param {any} t
 * @param {(event: any) => [status: number, headers?: Record<string, string>] | Promise<any>} respond
 */
export async function receiverOf(t, respond = () => [204], port = 0) {
  const received = [];
  const counts = { running: 0, most: 0 };
  const server = createServer(async (request, response) => {
    counts.most = Math.max(counts.most, ++counts.running);
    let body = '';
    for await (const chunk of request.setEncoding('utf8')) body += chunk;
    const { 'webhook-id': id, 'webhook-timestamp': sentAt, 'webhook-signature': signature } = request.headers;
    const { method, url, headers } = request;
    const event = {
      method,
      path: url,
      mediaType: headers['content-type'],
      id,
      sentAt,
      signature,
      body,
      ...JSON.parse(body),
    };
    received.push(event);
    const [status, more] = await respond(event);
    counts.running--;
    response.writeHead(status, more).end();
  });
  if (port > 0) await new Promise((listening) => server.listen(port, '127.0.0.1', () => listening(undefined)));
  const url = `http://127.0.0.1:${port || (await listen(server))}/hook?shop=1`;
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url, received, counts };
}

/**
 * A relay that notifies a receiver. The service responds with the status in the order's Notes.
 *
 * @param {any} t
 * @param {string} url
 * @param {{ secrets?: string[], flags?: string[] }} [settings]
 */
export async function notifying(t, url, { secrets = [VECTOR.secret], flags = [] } = {}) {
  const service = await serviceOf(t, ({ body }) => {
    const status = Number(JSON.parse(body).Notes ?? 201);
    return { status, body: status === 201 ? body : '{"Message":"sold out"}' };
  });
  const secretFile = join(folderOf(t, { secret: `${secrets.join('\n')}\n` }), 'secret');
  /** @param {string} [outbox] */
  const start = (outbox) =>
    relayed(t, { ...service, outbox, flags: ['--notify', url, '--notify-secret-file', secretFile, ...flags] });
  return { relay: await start(), service, start };
}

/** Kills a relay. Whatever it has not notified is due at once. */
export async function killed({ child, file }) {
  child.kill('SIGKILL');
  await child.ended;
  sql(file, 'UPDATE outbox_entry SET notice_at = 1 WHERE notice_at IS NOT NULL', 'SELECT 1');
}
