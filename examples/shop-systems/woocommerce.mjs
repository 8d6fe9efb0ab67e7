/** Takes paid orders of a WooCommerce shop from its webhook for the topic `order.updated`. */
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
 * @param {Map<string, string>} settings.articles The CatalogItemId of each SKU, and of `shipping` and `fee`.
 * @param {string} settings.taxId
 */
// #region webhook
export function wooCommerceWebhook({ outbox, secret, namespace, location, articles, taxId }) {
  const item = (sku, Name, Quantity, amount) => ({
    ...{ Name, CatalogItemId: articles.get(sku), Quantity },
    SellAtPricePerUnit: String(Number((amount / Quantity).toFixed(6))), // the shop has the amount of a line
  });
  return async (request) => {
    const body = Buffer.from(await request.arrayBuffer());
    const expected = createHmac('sha256', secret).update(body).digest();
    const given = Buffer.from(request.headers.get('x-wc-webhook-signature') ?? '', 'base64');
    if (given.length !== expected.length || !timingSafeEqual(given, expected))
      return new Response(null, { status: /^webhook_id=\d+$/.test(body.toString()) ? 200 : 401 }); // the unsigned ping
    const order = await new Response(body).json().catch(() => null);
    if (!order?.line_items) return new Response(null, { status: 400 });
    if (!['processing', 'completed'].includes(order.status)) return new Response(null, { status: 200 });
    const shipping = order.shipping_lines.map(({ method_title, total }) => item('shipping', method_title, 1, total));
    const fees = order.fee_lines.map(({ name, total }) => item('fee', name, 1, total));
    const once = [...shipping, ...fees].filter(({ SellAtPricePerUnit: price }) => Number(price) !== 0);
    const items = order.line_items.map(({ sku, name, quantity, subtotal }) => item(sku, name, quantity, subtotal));
    const discount = { Name: 'Discount', Value: order.discount_total, ValueType: 1 };
    const accepted = {
      ...{ Id: deriveOrderId(namespace, order.number), ...location, Notes: order.customer_note },
      ...{ FirstName: order.billing.first_name, LastName: order.billing.last_name, Items: [...items, ...once] },
      ...(Number(discount.Value) > 0 && { Discount: { InvoiceLevel: [discount] } }),
      Taxes: [{ TaxId: taxId, TaxAmount: order.total_tax }],
    };
    const locationTaxPricing = order.prices_include_tax ? 'Inclusive' : 'Exclusive';
    try {
      await outbox.add(accepted, { reference: order.number, invalid: 'keep', locationTaxPricing });
    } catch (error) {
      if (error.reason !== 'duplicate') throw error;
      // Not an error for the shop: it disables a webhook after five failures.
      console.warn(`Order ${accepted.Id} was changed after it was accepted: correct it by hand`);
    }
    return new Response(null, { status: 200 });
  };
}
// #endregion webhook
