/** The program of every runtime and bundle: builds, validates, previews, prepares and sends orders, one of them rejected. */
import {
  buildOrder,
  deriveOrderId,
  OrderValidationError,
  newOrderId,
  parseGuid,
  prepareRequest,
  previewOrder,
  validateOrder,
} from 'sales-order-intake';
import { createClient, RejectedError } from 'sales-order-intake/client';

export const ORDER = {
  CompanyId: 1000,
  EntityId: 2000,
  IntegratorId: '7B2E3C0A5D414E639A0F1C8D2B3E4F50',
  Items: [
    {
      Name: 'Grüner Tee 🍵',
      CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff',
      Quantity: 2.345,
      SellAtPricePerUnit: '12.50',
    },
  ],
};

/** @param baseUrl the URL of tests/everywhere/loopback.mjs, which rejects orders of company 422 */
export async function run(baseUrl) {
  const id = newOrderId();
  const order = { ...ORDER, Id: deriveOrderId('51f3a7c2-0d4e-4b6f-9a18-7c2d3e4f5a6b', 'cart-1041') };
  const built = buildOrder({ ...order, ReceiptNumber: 'R-1' });
  const { subtotal, tax, total } = previewOrder(built.order, { taxRates: [{ id: 'gst', rate: '0.05' }] });
  const request = prepareRequest(built.order, { version: 'v2' });
  const client = createClient({ baseUrl, token: () => 'a-token', maxRetries: 0 });
  const created = await client.createOrder(request);
  const refused = await client.createOrder({ ...order, CompanyId: 422 }).catch((error) => error);
  return {
    id: parseGuid(id) === id && id[14] === '4',
    built: [built.ok, built.order.IntegratorId],
    issues: validateOrder({ ...order, Items: [{ Name: 1 }] }).issues.map(({ code, pointer }) => `${code} ${pointer}`),
    preview: [subtotal, tax.source, total],
    path: request.path,
    invalid: invalid(),
    created: [
      created.status,
      created.order.Items[0].Quantity,
      created.order.Items[0].Name,
      created.order.ReceiptNumber,
    ],
    refused: [refused instanceof RejectedError, refused.name, refused.status, refused.outcome, refused.issues[0].code],
  };
}

function invalid() {
  try {
    return prepareRequest({ ...ORDER, Id: newOrderId(), Items: [] });
  } catch (error) {
    return [error instanceof OrderValidationError, error.issues[0].pointer];
  }
}
