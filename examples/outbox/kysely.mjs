// The cart and its order are stored in one transaction of Kysely: if it is rolled back, nothing is sent.
import { CompiledQuery, Kysely, PostgresDialect, sql } from 'kysely';
import pg from 'pg';
import { deriveOrderId } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';
import { createOutbox } from 'sales-order-intake/outbox';
import { postgresStore } from 'sales-order-intake/outbox/postgres';

const {
  DATABASE_URL: connectionString,
  SCHEMA: schema = 'sales_order_outbox',
  BASE_URL: baseUrl,
  TOKEN: token,
} = process.env;
const database = new Kysely({ dialect: new PostgresDialect({ pool: new pg.Pool({ connectionString }) }) });
const client = createClient({ baseUrl, token });
const outbox = createOutbox({ client, store: postgresStore({ connectionString, schema }) }).start();

const order = {
  Id: deriveOrderId('b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913', 'cart-1042'),
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50',
  Items: [
    {
      Name: 'Green tea',
      CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
      Quantity: 2,
      SellAtPricePerUnit: 19.99,
    },
  ],
};

async function checkOut(isCancelled) {
  await database.transaction().execute(async (tx) => {
    await sql`CREATE TEMPORARY TABLE IF NOT EXISTS cart (order_id text)`.execute(tx);
    await sql`INSERT INTO cart VALUES (${order.Id})`.execute(tx);
    const transaction = { executeSql: (text, values) => tx.executeQuery(CompiledQuery.raw(text, values)) };
    await outbox.add(order, { transaction });
    if (isCancelled) throw new Error('the customer went away');
  });
}

await checkOut(true).catch(() => {});
console.log('rolled back:', await outbox.get(order.Id));
await checkOut(false);
while ((await outbox.get(order.Id)).state !== 'created') await new Promise((resolve) => setTimeout(resolve, 50));
console.log('committed:', (await outbox.get(order.Id)).state);
await outbox.stop();
await database.destroy();
