/** Takes orders of a Shopify shop from its webhook `orders/create`, or from `orders/paid`. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { deriveOrderId } from 'sales-order-intake';

/**
 * Returns a handler from Request to Response, for any server. It rejects if the order can't be stored: respond with 500.
 *
 * @param {object} settings
 * @param {import('sales-order-intake/outbox').Outbox<any>} settings.outbox
 * @param {string} settings.secret The one that signs the webhooks.
 * @param {string} settings.namespace That of the mapping of your export: never change it.
 * @param {{ CompanyId: number, EntityId: number, IntegratorId: string }} settings.location
 * @param {Map<string, string>} settings.articles The CatalogItemId of each SKU, and of `shipping`, `tip` and `duties`.
 * @param {string} settings.taxId
 */
// #region webhook
export function shopifyWebhook({ outbox, secret, namespace, location, articles, taxId }) {
  const item = (sku, Name, Quantity, price) => ({
    ...{ Name, CatalogItemId: articles.get(sku), Quantity, SellAtPricePerUnit: price },
  });
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const expected = createHmac('sha256', secret).update(body).digest();
    const given = Buffer.from(request.headers.get('x-shopify-hmac-sha256') ?? '', 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return new Response(null, { status: 401 });
    const order = await new Response(body).json().catch(() => null);
    if (!order?.line_items) return new Response(null, { status: 400 });
    if (order.test || order.cancelled_at) return new Response(null, { status: 200 });
    const once = [
      ...order.shipping_lines.map(({ title, price }) => item('shipping', title, 1, price)),
      item('tip', 'Tip', 1, order.total_tip_received),
      item('duties', 'Duties', 1, order.original_total_duties_set?.shop_money.amount),
    ].filter(({ SellAtPricePerUnit: price }) => Number(price) > 0);
    const discount = { Name: 'Discount', Value: order.total_discounts, ValueType: 1 };
    const accepted = {
      ...{ Id: deriveOrderId(namespace, order.name), ...location, Notes: order.note ?? undefined },
      Items: [...order.line_items.map(({ sku, name, quantity, price }) => item(sku, name, quantity, price)), ...once],
      ...(Number(discount.Value) > 0 && { Discount: { InvoiceLevel: [discount] } }),
      Taxes: [{ TaxId: taxId, TaxAmount: order.total_tax }],
    };
    const locationTaxPricing = order.taxes_included ? 'Inclusive' : 'Exclusive';
    await outbox.add(accepted, { reference: order.name, invalid: 'keep', locationTaxPricing });
    return new Response(null, { status: 200 });
  };
}
// #endregion webhook
