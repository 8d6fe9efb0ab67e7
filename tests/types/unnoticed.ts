// Mistakes that TypeScript can't find, with why (tests/types/compile.test.mjs). It is never run. Move one to mistakes/
// once it is found.
import { deriveOrderId, type IdentifiedOrder, type Preview } from 'sales-order-intake';
import { createClient, type Client } from 'sales-order-intake/client';
import { createTestService } from 'sales-order-intake/testing';

/**
 * Without `await`, nothing is sent: a program may ignore a value, and a batch is a value, because it can also be
 * iterated.
 */
export function sendAll(client: Client, orders: IdentifiedOrder[]): void {
  client.createOrders(orders);
}

/** Not a decimal: a form and a database have a `string`, which a type such as `${number}` refuses. */
export const item = {
  CatalogItemId: 'x',
  Quantity: 1,
  SellAtPricePerUnit: '$19.99',
} satisfies IdentifiedOrder['Items'][0];

/** Key and namespace are swapped: both are strings, and a GUID may be written as 32 digits. Throws a TypeError. */
deriveOrderId('cart-1042', 'b9f3a1de-52c4-4b0e-8f55-7d1c60a2e913');

/** An unknown amount counts as 0: `Number` takes anything. `sumAmounts` returns null instead. */
export const sumOf = ({ lines }: Preview): number => lines.reduce((sum, line) => sum + Number(line.total), 0);

/** Compared as text, `'9.00'` is above: TypeScript compares strings with `>`. `compareAmounts` compares them as numbers. */
export const isAbove100 = ({ total }: Preview): boolean => total !== null && total > '100.00';

/** `service.clientOptions` is meant: a variable may have more members than a parameter needs. Throws an OptionError. */
const service = createTestService();
createClient(service);
createClient({ ...service });
