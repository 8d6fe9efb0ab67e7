/** Takes orders, and keeps track of them. */
import { deriveOrderId, evaluateOrder } from 'sales-order-intake';
import type { Entry, Outbox } from 'sales-order-intake/outbox';
import { itemsOf, type Objection, type Sale, type Shop } from '../shared/shop.ts';
import type { Database } from './database.ts';
import type { SaleRequest } from './sale-request.ts';

/** What the shop sells now, its database, and its outbox. */
export type Premises = { readShop(): Promise<Shop>; database: Database; outbox: Outbox };

// #region order-id
/** A GUID of this shop. Make your own, once (`npx sales-order-intake id`), and never change it. */
const NAMESPACE = '5a0f7c1e-93d4-4b68-8e2a-6f1b0d9c3e57';

/** The same cart gives the same id, however often it is posted: a double click or a crash can't make a second order. */
const orderIdOf = (cartId: string) => deriveOrderId(NAMESPACE, cartId);
// #endregion order-id

/** How long the check-out waits for the till, so that most shoppers see their receipt at once. */
const RECEIPT_MS = 2000;

/** Accepts a sale, and returns it: with its receipt if the till is quick, else the page asks again. Or returns why not. */
export async function checkOut(request: SaleRequest, premises: Premises): Promise<Sale | Objection | null> {
  const objection = await acceptSale(request, premises);
  if (objection) return objection;
  await premises.outbox.settled(orderIdOf(request.cartId), { timeoutMs: RECEIPT_MS });
  return findSale(request.cartId, premises);
}

/** Stores a sale, and hands its order to the outbox. Returns why not; a cart that was accepted before stays as it is. */
async function acceptSale(request: SaleRequest, premises: Premises): Promise<Objection | null> {
  const { cartId, lines, subtotal, customer } = request;
  if (await findSale(cartId, premises)) return null;

  // #region prices
  // Names and prices are those of the backend's own catalogue, as it is now.
  const shop = await premises.readShop();
  const Items = itemsOf(shop, lines);
  const order = { ...customer, ...shop.location, Id: orderIdOf(cartId), Items, IsDelivery: false };
  const { ok, issues, totals } = evaluateOrder(order);
  if (!ok) return { code: 'invalid', issues };
  const to = totals.subtotal;
  if (to !== subtotal || Items.length < lines.length) return { code: 'price_changed', from: subtotal, to };
  // #endregion prices

  // #region transaction
  // The sale and its order are accepted together, or neither is. Of two requests at the same time, one inserts the sale.
  await premises.database.transaction(async (query, transaction) => {
    const sql = `INSERT INTO sale (order_id, lines, subtotal, state) VALUES ($1, $2, $3, 'accepted')
                 ON CONFLICT DO NOTHING RETURNING order_id`;
    const inserted = await query(sql, [order.Id, JSON.stringify(lines), subtotal]);
    if (inserted.length > 0) await premises.outbox.add(order, { transaction });
  });
  return null;
  // #endregion transaction
}

/** Returns the sale of a cart, or null if it has not been accepted. */
export async function findSale(cartId: string, { database, outbox }: Premises): Promise<Sale | null> {
  const orderId = orderIdOf(cartId);
  const sql = 'SELECT lines, subtotal, state, receipt, issues FROM sale WHERE order_id = $1';
  const [row] = await database.query(sql, [orderId]);
  if (!row) return null;
  const { state, subtotal, receipt } = row as Pick<Sale, 'state' | 'subtotal' | 'receipt'>;
  const [lines, issues] = [JSON.parse(row.lines ?? '[]'), JSON.parse(row.issues ?? '[]')];
  const sale = { orderId, state, isDelayed: false, lines, subtotal, receipt, issues };
  const entry = state === 'accepted' ? await outbox.get(orderId) : null;
  if (!entry) return sale;
  if (entry.state === 'waiting' || entry.state === 'sending') return { ...sale, isDelayed: entry.reason !== null };
  // `settleSale` is about to be called.
  return { ...sale, ...resultOf(entry) };
}

/** Returns what the page shows of an order that is settled. */
function resultOf({ state, order, issues }: Entry): Pick<Sale, 'state' | 'receipt' | 'issues'> {
  return {
    // The shop cancels no order.
    state: state as Sale['state'],
    receipt: order?.ReceiptNumber ?? null,
    // Messages of the service may quote the order.
    issues: issues.map(({ code, params }) => ({ code, params })),
  };
}

// #region settled
/** Records how the delivery of an order ended. The outbox may report an order twice: the second time changes nothing. */
export async function settleSale(entry: Entry, database: Database): Promise<void> {
  const { state, receipt, issues } = resultOf(entry);
  const sql = 'UPDATE sale SET state = $2, receipt = $3, issues = $4 WHERE order_id = $1';
  await database.query(sql, [entry.orderId, state, receipt, JSON.stringify(issues)]);
  // Your shop sends its e-mail here, or calls a person if the state is `stalled`.
}
// #endregion settled
