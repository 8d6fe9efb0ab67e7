// The peer of benches/relay.mjs: stores the body of each order under its Id, and checks nothing of it. It is as durable as the
// relay (WAL, full sync). With the argument `together`, orders that arrive together share one commit, as in the relay.

import Database from 'better-sqlite3';
import Fastify from 'fastify';

const [file, mode] = process.argv.slice(2);
const db = new Database(file);
db.pragma('page_size = 8192');
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec('CREATE TABLE orders (id TEXT PRIMARY KEY, body TEXT)');
const insert = db.prepare('INSERT INTO orders VALUES (?, ?) ON CONFLICT DO NOTHING');
const insertAll = db.transaction((orders) => orders.map((order) => insert.run(order).changes));
const put = mode === 'together' ? putTogether : (order) => insert.run(order).changes;

let waiting = [];
function putTogether(order) {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ order, resolve, reject });
  });
}

function commit() {
  const taken = waiting;
  waiting = [];
  try {
    const changes = insertAll.immediate(taken.map(({ order }) => order));
    for (const [index, { resolve }] of taken.entries()) resolve(changes[index]);
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

const app = Fastify({ bodyLimit: 1 << 20 });
// As text: it is stored, not read.
app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, body, done) => done(null, body));
app.put('/v3/:resource', async (request, reply) => {
  const orderId = request.params.resource.slice('ServiceOrder('.length, -1);
  const isNew = (await put([orderId, request.body])) > 0;
  reply.code(isNew ? 202 : 200).header('Location', `/orders/${orderId}`);
  return { orderId, state: 'waiting', issues: [] };
});

process.on('SIGTERM', () => app.close());
console.log(`base URL  ${await app.listen({ host: '127.0.0.1', port: 0 })}`);
