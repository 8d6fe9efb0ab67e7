/** Takes orders, and keeps track of them. */
import { compareAmounts, deriveOrderId, evaluateOrder } from 'sales-order-intake';
import type { Outbox, SettledEntry } from 'sales-order-intake/outbox';
import { amountOf, itemsOf, type Objection, type Sale, type Shop } from '../shared/shop.ts';
import type { Database, Query } from './database.ts';
import type { SaleRequest } from './sale-request.ts';

/** What the shop sells now, its database, and its outbox. */
export type Premises<Transaction> = {
  readShop(): Promise<Shop>;
  database: Database<Transaction>;
  outbox: Outbox<Transaction>;
};

/** A GUID of this shop. Make your own, once (`npx sales-order-intake id`), and never change it. */
const NAMESPACE = '5a0f7c1e-93d4-4b68-8e2a-6f1b0d9c3e57';

/** The same cart gives the same id, however often it is posted: a double click or a crash can't make a second order. */
const orderIdOf = (cartId: string) => deriveOrderId(NAMESPACE, cartId);

/** Accepts a sale, and returns it: with the receipt if the till is quick, else the page asks again. Or returns why not. */
export async function checkOut<Transaction>(
  request: SaleRequest,
  premises: Premises<Transaction>,
): Promise<Sale | Objection | null> {
  const objection = await acceptSale(request, premises);
  if (objection) return objection;
  const entry = await premises.outbox.settled(orderIdOf(request.cartId), { timeoutMs: 2000 });
  if (entry) await settleSale(entry, premises.database);
  return findSale(request.cartId, premises);
}

/** Stores a sale, and hands its order to the outbox. Returns why not; a cart that was accepted before stays as it is. */
async function acceptSale<Transaction>(
  request: SaleRequest,
  premises: Premises<Transaction>,
): Promise<Objection | null> {
  const { cartId, lines, total, customer } = request;
  if (await findSale(cartId, premises)) return null;

  // Names and prices are those of the backend's own catalogue, as it is now.
  const shop = await premises.readShop();
  const Items = itemsOf(shop, lines);
  const order = { ...customer, ...shop.location, Id: orderIdOf(cartId), Items, IsDelivery: false };
  // Strict: a quantity so small that it costs nothing is otherwise only a warning.
  const { ok, issues, totals } = evaluateOrder(order, { taxRates: shop.taxRates, strict: true });
  const to = amountOf(totals);
  if (!ok || to === null) return { code: 'invalid', issues };
  // Not by ===: '9.5' and '9.50' are the same amount.
  const isAgreed = compareAmounts(to, total) === 0 && Items.length === lines.length;
  if (!isAgreed) return { code: 'price_changed', from: total, to };

  // The sale and its order are accepted together, or neither is. Of two requests at the same time, one inserts the sale.
  await premises.database.transaction(async (query, transaction) => {
    const sql = `INSERT INTO sale (order_id, lines, subtotal, state) VALUES ($1, $2, $3, 'accepted')
                 ON CONFLICT DO NOTHING RETURNING order_id`;
    const inserted = await query(sql, [order.Id, JSON.stringify(lines), totals.subtotal]);
    if (inserted.length > 0) await premises.outbox.add(order, { transaction });
  });
  return null;
}

/** Returns the sale of a cart, or null if it has not been accepted. */
export async function findSale<Transaction>(
  cartId: string,
  { database, outbox }: Premises<Transaction>,
): Promise<Sale | null> {
  const orderId = orderIdOf(cartId);
  const sql = 'SELECT lines, subtotal, state, receipt, issues FROM sale WHERE order_id = $1';
  const [sale] = await database.query(sql, [orderId]);
  if (!sale) return null;
  const { state, subtotal, receipt } = sale as Pick<Sale, 'state' | 'subtotal' | 'receipt'>;
  const [lines, issues] = [JSON.parse(sale.lines ?? '[]'), JSON.parse(sale.issues ?? '[]')];
  const entry = state === 'accepted' ? await outbox.get(orderId) : null;
  return { orderId, state, isDelayed: !!entry?.reason, lines, subtotal, receipt, issues };
}

/** Records how the delivery of an order ended. May be called twice for an order: the second time changes nothing. */
export async function settleSale(entry: SettledEntry, { query }: { query: Query }): Promise<void> {
  const { orderId, state, order, issues } = entry;
  // Messages of the service may quote the order, so only codes and their values are stored.
  const reasons = JSON.stringify(issues.map(({ code, params }) => ({ code, params })));
  const sql = 'UPDATE sale SET state = $2, receipt = $3, issues = $4 WHERE order_id = $1';
  await query(sql, [orderId, state, order?.ReceiptNumber ?? null, reasons]);
}
