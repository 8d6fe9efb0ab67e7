// The peer of `make test ONLY=load`: what a good Node service for the same two operations does, with the usual libraries. It
// authenticates, validates by a JSON schema that ajv compiles, counts receipt numbers, stores durably (WAL, full sync)
// and responds with the read-only members filled. Orders that arrive together share one commit here too.

import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import Database from 'better-sqlite3';
import Fastify from 'fastify';

const token = randomBytes(32).toString('hex');
const hash = (text) => createHash('sha256').update(text).digest();
const tokenHash = hash(token);

const db = new Database(process.argv[2]);
db.pragma('journal_mode = WAL');
db.pragma('synchronous = FULL');
db.exec(`
  CREATE TABLE receipts (company INTEGER, entity INTEGER, last INTEGER, PRIMARY KEY (company, entity)) WITHOUT ROWID;
  CREATE TABLE orders (id TEXT PRIMARY KEY, company INTEGER, entity INTEGER, receipt INTEGER, digest BLOB, body TEXT,
    UNIQUE (company, entity, receipt));
`);
const find = db.prepare('SELECT digest, body FROM orders WHERE id = ?');
const count = db
  .prepare(`INSERT INTO receipts VALUES (?, ?, 1)
  ON CONFLICT (company, entity) DO UPDATE SET last = last + 1 RETURNING last`)
  .pluck();
const insert = db.prepare('INSERT INTO orders VALUES (?, ?, ?, ?, ?, ?)');

const guid = { type: 'string', format: 'uuid' };
const id = { type: 'integer', minimum: 1, maximum: 2147483647 };
const schema = {
  params: {
    type: 'object',
    properties: { resource: { type: 'string', pattern: '^ServiceOrder\\([0-9a-f-]{36}\\)$' } },
  },
  body: {
    type: 'object',
    required: ['Id', 'CompanyId', 'EntityId', 'IntegratorId', 'Items'],
    properties: {
      Id: guid,
      CompanyId: id,
      EntityId: id,
      IntegratorId: guid,
      CustomerId: { ...guid, nullable: true },
      FirstName: { type: 'string', nullable: true },
      LastName: { type: 'string', nullable: true },
      IsDelivery: { type: 'boolean' },
      Notes: { type: 'string' },
      TimeSlotDisplayString: { type: 'string' },
      Items: {
        type: 'array',
        minItems: 1,
        items: {
          type: 'object',
          required: ['CatalogItemId', 'Quantity', 'SellAtPricePerUnit'],
          properties: {
            Name: { type: 'string' },
            CatalogItemId: guid,
            PackageId: { type: 'string' },
            Batch: { type: 'string' },
            Quantity: { type: 'number', exclusiveMinimum: 0 },
            SellAtPricePerUnit: { type: 'number', minimum: 0 },
          },
        },
      },
      Taxes: {
        type: 'array',
        nullable: true,
        items: {
          type: 'object',
          required: ['TaxId', 'TaxAmount'],
          properties: { TaxId: guid, TaxAmount: { type: 'number', minimum: 0 } },
        },
      },
    },
  },
};

const store = db.transaction((waiting) =>
  waiting.map(({ order, digest }) => {
    const existing = find.get(order.Id);
    if (existing) return existing.digest.equals(digest) ? { status: 200, body: existing.body } : { status: 409 };
    const receipt = count.get(order.CompanyId, order.EntityId);
    const body = JSON.stringify({
      ...order,
      WasCreatedWithInventoryHold: false,
      DateCreatedUtc: new Date().toISOString(),
      OrderSource: { Id: order.IntegratorId, Name: 'Storefront' },
      ReceiptNumber: String(receipt),
    });
    insert.run(order.Id, order.CompanyId, order.EntityId, receipt, digest, body);
    return { status: 201, body };
  }),
);

let waiting = [];
function put(order) {
  return new Promise((resolve, reject) => {
    if (waiting.length === 0) setImmediate(commit);
    waiting.push({ order, digest: hash(JSON.stringify(order)), resolve, reject });
  });
}

function commit() {
  const taken = waiting;
  waiting = [];
  try {
    for (const [index, stored] of store.immediate(taken).entries()) taken[index].resolve(stored);
  } catch (error) {
    for (const { reject } of taken) reject(error);
  }
}

const app = Fastify({ bodyLimit: 1 << 20 });
for (const version of ['v2', 'v3']) {
  app.put(`/${version}/:resource`, { schema, onRequest: authenticate }, async (request, reply) => {
    if (request.params.resource !== `ServiceOrder(${request.body.Id})`)
      return reply.code(400).send({ title: 'Id is not the orderId of the path' });
    const { status, body } = await put(request.body);
    return reply
      .code(status)
      .type(status === 409 ? 'application/problem+json' : 'application/json')
      .send(body ?? '{"status":409}');
  });
}

async function authenticate(request, reply) {
  const sent = hash(request.headers.authorization?.replace(/^Bearer /, '') ?? '');
  if (!timingSafeEqual(sent, tokenHash)) return reply.code(401).header('WWW-Authenticate', 'Bearer').send();
}

process.on('SIGTERM', () => app.close());
console.log(`base URL  ${await app.listen({ host: '127.0.0.1', port: 0 })}\ntoken     ${token}`);
