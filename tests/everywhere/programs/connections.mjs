/** Sends an order to each address that it is given, as JSON, and prints how the client describes the result. */
import process from 'node:process';
import { newOrderId } from 'sales-order-intake';
import { createClient } from 'sales-order-intake/client';

const line = {
  Name: 'Tea',
  CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
  Quantity: 1,
  SellAtPricePerUnit: 1,
};
const report = {};
for (const [name, { url: baseUrl, calls = 1 }] of Object.entries(JSON.parse(process.argv.at(-1)))) {
  const client = createClient({ baseUrl, token: 'a-token', maxRetries: 0, timeoutMs: 30_000 });
  for (let call = 0; call < calls; call++) report[name] = await client.createOrder(order()).then(created, failed);
}
console.log(JSON.stringify(report));

function order() {
  const Id = newOrderId();
  return { Id, CompanyId: 1000, EntityId: 2000, IntegratorId: '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50', Items: [line] };
}

function created({ status }) {
  return { created: status };
}

/** As a log in JSON has it, and the message. */
function failed(error) {
  const { outcome, isSent, failure, url } = JSON.parse(JSON.stringify(error));
  return { name: error.name, outcome, isSent, failure, message: error.message.replaceAll(url, 'URL') };
}
