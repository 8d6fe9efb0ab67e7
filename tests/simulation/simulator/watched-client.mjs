const SEND_STORED = Symbol.for('sales-order-intake.send-stored');

/** Returns a client that calls back before each attempt, also of a stored order, which the outbox sends as it is. */
export function watchedClient(client, onAttempt) {
  const watched = (send) => (request, options) => {
    onAttempt(request);
    return send(request, options);
  };
  const sendStored = watched(client.createOrder[SEND_STORED]);
  return { ...client, createOrder: Object.assign(watched(client.createOrder), { [SEND_STORED]: sendStored }) };
}

/** Returns the hook that records the gates of an outbox. */
export const gateHook =
  (note) =>
  ({ scope, entityId, isOpen, waitMs }) =>
    note({ what: 'gate', scope, location: entityId, isOpen, waitMs });
