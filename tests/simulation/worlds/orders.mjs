/** The orders of a run, the bytes that the service must get, and what it has of them before. */
const INTEGRATOR = '7b2e3c0a-5d41-4e63-9a0f-1c8d2b3e4f50';

export const idOf = (n) => `00000000-0000-4000-8000-${String(n + 1).padStart(12, '0')}`;

/** Returns order number `n`. Its decimals have digits that would be lost if the body were written again. */
export function orderOf(n, location, quantity = 2) {
  const item = { Name: 'Tea', CatalogItemId: '0f1d2c3b-4a59-4687-8594-a3b2c1d0e0ff', Quantity: quantity };
  return {
    Id: idOf(n),
    CompanyId: 1000,
    EntityId: location,
    IntegratorId: INTEGRATOR,
    Items: [{ ...item, SellAtPricePerUnit: '19.90' }],
  };
}

/** Returns order number `n` of a plan, with its JSON and its bytes; an invalid one has no item, and no bytes that may be sent. */
export function plannedOrder(order, n, system, isInvalid = false) {
  const json = orderOf(n, order.location);
  const planned = { ...order, n, orderId: idOf(n) };
  return isInvalid ? { ...planned, json: { ...json, Items: [] } } : { ...planned, json, body: bytesOf(json, system) };
}

/** Returns what the service has before a run, and what it thinks of each order. */
export function setUpOf(orders, system) {
  const existing = orders
    .filter(({ isThere }) => isThere !== 'no')
    .map(({ n, orderId, location, isThere }) => ({
      orderId,
      body: bytesOf(orderOf(n, location, isThere === 'equal' ? undefined : 7), system),
    }));
  return { existing, natures: new Map(orders.map(({ orderId, nature }) => [orderId, nature])) };
}

/** Returns what a run consists of. */
export function figuresOf(orders, history, service, scheduler) {
  return {
    orders,
    outages: service.met.size,
    kills: history.filter(({ what }) => what === 'killed').length,
    requests: service.requests,
    hours: scheduler.now / 3_600_000,
  };
}

function bytesOf(json, system) {
  return system.prepareRequest(json).body;
}
