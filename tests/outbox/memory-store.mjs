const NO_EVENT = {
  ...{ by: null, status: null, failure: null, outcome: null, reason: null, durationMs: null, processId: null },
};

/** Creates a store in memory, for tests of the outbox without a database. */
export function memoryStore() {
  const entries = new Map();
  /** The last take of each entry. */
  const leases = new Map();
  /** The events of each entry. */
  const histories = new Map();
  let position = 0;
  let takes = 0;
  let baseUrl;
  let binding;
  /** Before each function that takes or writes entries. */
  const assertBound = () => {
    if (!binding) return;
    if (baseUrl === undefined || [baseUrl, '*'].includes(binding.movedFrom)) baseUrl = binding.baseUrl;
    if (baseUrl === binding.baseUrl) return;
    throw Object.assign(new Error(`has the orders for ${baseUrl}, not for ${binding.baseUrl}`), {
      name: 'OutboxError',
      reason: 'wrong-service',
    });
  };
  const copy = (entry) => entry && { ...entry, hasBody: entry.body !== null };
  const record = (orderId, event) => {
    if (!event) return;
    const events = event.what === 'forget' ? [] : (histories.get(orderId) ?? []);
    events.push({ ...NO_EVENT, ...event });
    if (events.length > 200) events.splice(100, 1);
    histories.set(orderId, events);
  };
  const write = (entry, { event, ...change }) => {
    Object.assign(entry, change);
    record(entry.orderId, event);
  };
  const holds = (entry, { states, attempts, outcome, noticeAt, hasBody }) =>
    (!states || states.includes(entry.state)) &&
    (attempts === undefined || entry.attempts === attempts) &&
    (!outcome || entry.outcome === outcome || entry.state === 'invalid') &&
    (noticeAt === undefined || entry.noticeAt === noticeAt) &&
    (!hasBody || entry.body !== null);
  const inPage = ({
    states,
    location,
    reason,
    since,
    before,
    noticeUntil,
    dueAfter,
    newestFirst,
    after,
    limit,
    ...page
  }) =>
    (newestFirst ? [...entries.values()].reverse() : [...entries.values()])
      .filter(
        (entry) =>
          (after === 0 || (newestFirst ? entry.position < after : entry.position > after)) &&
          (!states || states.includes(entry.state)) &&
          (!location || entry.location === location) &&
          (reason === undefined || entry.reason === reason) &&
          (page.reference === undefined || entry.reference?.startsWith(page.reference)) &&
          (page.receiptNumber === undefined || entry.receiptNumber === page.receiptNumber) &&
          (since === undefined || (entry.settledAt ?? entry.addedAt) >= since) &&
          (before === undefined || (entry.settledAt ?? entry.addedAt) < before) &&
          (dueAfter === undefined || entry.dueAt > dueAfter) &&
          (noticeUntil === undefined || (entry.noticeAt !== null && entry.noticeAt <= noticeUntil)),
      )
      .slice(0, limit);
  const nothing = {
    ...{ settledAt: null, noticeAt: null, reason: null, status: null, requestId: null, detail: null },
    ...{ issues: null, received: null, receiptNumber: null, alreadyThere: false },
  };
  return {
    bind(baseUrl, movedFrom) {
      binding = { baseUrl, movedFrom };
    },
    async add(entry) {
      assertBound();
      if (entries.has(entry.orderId)) return copy(entries.get(entry.orderId));
      const fresh = { state: 'waiting', outcome: 'not-created', attempts: 0, ...nothing };
      entries.set(entry.orderId, { ...fresh, ...entry, position: ++position });
      const { orderId, state, outcome = 'not-created', reason, settledAt } = entry;
      if (state === 'invalid') record(orderId, { at: settledAt, what: 'settled', outcome, reason });
      return null;
    },
    async take({ now, limit, room }) {
      assertBound();
      const waiting = [...entries.values()]
        .filter(({ state }) => state === 'waiting')
        .sort((a, b) => a.dueAt - b.dueAt);
      const taken = [];
      const counts = new Map();
      for (const entry of waiting) {
        const count = counts.get(entry.location) ?? 0;
        if (entry.dueAt > now || taken.length >= limit || count >= room(entry.location)) continue;
        counts.set(entry.location, count + 1);
        Object.assign(entry, { state: 'sending', attempts: entry.attempts + 1 });
        leases.set(entry.orderId, ++takes);
        taken.push({ ...entry, lease: takes });
      }
      const left = waiting.filter(({ state, location }) => state === 'waiting' && room(location) > 0);
      return { entries: taken, againAt: Math.min(...left.map(({ dueAt }) => dueAt), Number.POSITIVE_INFINITY) };
    },
    async settle({ orderId, lease }, settlement) {
      assertBound();
      const entry = entries.get(orderId);
      if (entry?.state !== 'sending' || leases.get(orderId) !== lease) return false;
      write(entry, settlement);
      return true;
    },
    async change(orderId, condition, change) {
      assertBound();
      const entry = entries.get(orderId);
      if (!entry || !holds(entry, condition)) return null;
      write(entry, change);
      return copy(entry);
    },
    async history(orderId) {
      const entry = entries.get(orderId);
      const added = { ...NO_EVENT, at: entry?.addedAt, what: 'added' };
      return entry ? [added, ...(histories.get(orderId) ?? [])] : [];
    },
    async get(orderId) {
      return copy(entries.get(orderId)) ?? null;
    },
    async changeAll(page, condition, change) {
      assertBound();
      const found = inPage(page);
      const changed = found.filter((entry) => holds(entry, condition));
      for (const entry of changed) write(entry, change);
      return { changed: changed.length, last: found.length < page.limit ? null : found.at(-1).position };
    },
    async list(page) {
      const none = page.contents ? {} : { body: null, received: null };
      return inPage(page).map((entry) => ({ ...copy(entry), ...none }));
    },
    async count() {
      const groups = Map.groupBy(
        [...entries.values()].filter(
          ({ state, body }) => !['refused', 'stalled', 'invalid'].includes(state) || body !== null,
        ),
        ({ state, location }) => `${state} ${location}`,
      );
      return [...groups.values()].map((group) => ({
        state: group[0].state,
        location: group[0].location,
        entries: group.length,
        oldestAddedAt: Math.min(...group.map(({ addedAt }) => addedAt)),
      }));
    },
    async sweep({ now, createdBefore }) {
      assertBound();
      let changed = 0;
      for (const entry of [...entries.values()]) {
        if (entry.state === 'waiting' && entry.deadlineAt <= now) {
          const event = { at: now, what: 'settled', outcome: entry.outcome, reason: 'Deadline' };
          write(entry, { state: 'stalled', reason: 'Deadline', settledAt: now, noticeAt: now, event });
        } else if (entry.state === 'created' && entry.settledAt < createdBefore && entry.noticeAt === null) {
          entries.delete(entry.orderId);
          histories.delete(entry.orderId);
        } else continue;
        changed++;
      }
      return changed;
    },
    async close() {},
  };
}
