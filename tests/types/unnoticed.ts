// Mistakes that TypeScript can't find, with why (tests/types/compile.test.mjs). It is never run. Move one to mistakes/ once it is found.
import type { IdentifiedOrder } from 'sales-order-intake';
import { createClient, type Client } from 'sales-order-intake/client';
import { createTestService } from 'sales-order-intake/testing';

/** Without `await`, nothing is sent: a program may ignore a value, and a batch is a value, because it can also be iterated. */
export function sendAll(client: Client, orders: IdentifiedOrder[]): void {
  client.createOrders(orders);
}

/** Not a decimal: a form and a database have a `string`, which a type such as `${number}` refuses. */
export const item = {
  CatalogItemId: 'x',
  Quantity: 1,
  SellAtPricePerUnit: '$19.99',
} satisfies IdentifiedOrder['Items'][0];

/** `service.clientOptions` is meant: a variable may have more members than a parameter needs. Throws an OptionError. */
const service = createTestService();
createClient(service);
createClient({ ...service });
